import { setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Line } from "../evaluation/observed_curve.ts";
import type { OperatingPoint } from "../evaluation/types.ts";
import { boxOf, pathOf, type Square, toX, toY } from "./geometry.ts";

/** The stretch of the curve on which an ideal recalibration stands, and its two rates on the axes. */
export interface Arc {
  element: SVGElement;
  /** Null takes it away; hatched where the labels refute what it rests on. */
  draw(square: Square, arc: { line: Line; point: OperatingPoint } | null, isRefuted: boolean): void;
}

const END_RADIUS = 4.5;

export function createArc(): Arc {
  const halo = svg("path", { class: "crw-arc-halo" });
  const stretch = svg("path", { class: "crw-arc", "data-testid": "arc" });
  const bars = ([1, 0] as const).map((label) => svg("path", { class: `crw-arc-bar crw-label${label}` }));
  const ends = [0, 1].map(() => svg("circle", { class: "crw-arc-end", r: END_RADIUS }));
  const element = svg("g", {}, ...bars, halo, stretch, ...ends);
  return {
    element,
    draw(square, drawn, isRefuted) {
      setVisible(element, drawn !== null);
      if (drawn === null) return;
      const { line, point } = drawn;
      const path = pathOf(line, square);
      setAttributes(halo, { d: path });
      setAttributes(stretch, { d: path });
      stretch.classList.toggle("crw-refuted", isRefuted);
      const { left, bottom } = boxOf(square);
      const [x0, x1] = [toX(square, point.fprLower), toX(square, point.fprUpper)];
      const [y0, y1] = [toY(square, point.tprLower), toY(square, point.tprUpper)];
      setAttributes(bars[0], { d: `M${left} ${y0}V${y1}` });
      setAttributes(bars[1], { d: `M${x0} ${bottom}H${x1}` });
      setAttributes(ends[0], { cx: x0, cy: y0 });
      setAttributes(ends[1], { cx: x1, cy: y1 });
    },
  };
}
