import { setAttributes, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Label, OperatingPoint } from "../evaluation/types.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";

const CAP = 5;

/** The two intervals of the operating point: an upright arm for the TPR, a level one for the FPR. */
export interface Cross {
  element: SVGElement;
  /** An arm without ends, per label, crosses the whole plot as dots. */
  draw(square: Square, point: OperatingPoint, armless: Pair<boolean>): void;
  /** The upright arm alone. */
  drawUpright(square: Square, point: Upright): void;
}

type Upright = Pick<OperatingPoint, "fpr" | "tprLower" | "tprUpper">;

export function createErrorBars(): Cross {
  const upright = createArm(1);
  const level = createArm(0);

  function drawUpright(square: Square, { fpr, tprLower, tprUpper }: Upright) {
    const x = toX(square, fpr);
    const [from, to] = [toY(square, tprLower), toY(square, tprUpper)];
    upright.draw(`M${x} ${from}V${to}`, `M${x - CAP} ${from}h${2 * CAP}M${x - CAP} ${to}h${2 * CAP}`);
  }

  return {
    element: svg("g", { class: "crw-cross" }, ...level.elements, ...upright.elements),
    drawUpright,
    draw(square, point, armless) {
      const x = toX(square, point.fpr);
      const y = toY(square, point.tpr);
      const { left, right, top, bottom } = boxOf(square);
      if (armless[1]) {
        upright.drawEndless(`M${x} ${bottom}V${top}`);
      } else {
        drawUpright(square, point);
      }
      if (armless[0]) {
        level.drawEndless(`M${left} ${y}H${right}`);
      } else {
        const [from, to] = [toX(square, point.fprLower), toX(square, point.fprUpper)];
        level.draw(`M${from} ${y}H${to}`, `M${from} ${y - CAP}v${2 * CAP}M${to} ${y - CAP}v${2 * CAP}`);
      }
    },
  };
}

function createArm(label: Label) {
  const line = svg("path");
  const caps = svg("path", { class: `crw-caps crw-label${label}` });
  return {
    elements: [line, caps],
    draw(linePath: string, capsPath: string) {
      setAttributes(line, { class: `crw-arm crw-label${label}`, d: linePath });
      setAttributes(caps, { d: capsPath });
    },
    drawEndless(linePath: string) {
      setAttributes(line, { class: "crw-endless", d: linePath });
      setAttributes(caps, { d: "" });
    },
  };
}
