import { setAttributes, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import type { Label, OperatingPoint } from "../evaluation/types.ts";
import { BOTH, type Sides } from "../evaluation/vacuous.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";

const CAP = 5;

/** The two intervals of the operating point: an upright arm for the TPR, a level one for the FPR. */
export interface Cross {
  element: SVGElement;
  /** An arm goes on as dots where a limit, lower or upper, is missing. */
  draw(square: Square, point: OperatingPoint, sides: Pair<Sides>): void;
  /** The upright arm alone. */
  drawUpright(square: Square, point: Upright): void;
}

type Upright = Pick<OperatingPoint, "fpr" | "tpr" | "tprLower" | "tprUpper">;

export function createErrorBars(): Cross {
  const upright = createArm(1);
  const level = createArm(0);

  function drawUpright(square: Square, { fpr, tpr, tprLower, tprUpper }: Upright, sides: Sides = BOTH) {
    const x = toX(square, fpr);
    const { top, bottom } = boxOf(square);
    upright.draw(
      { at: toY(square, tpr), limits: [toY(square, tprLower), toY(square, tprUpper)], ends: [bottom, top] },
      sides,
      (from, to) => `M${x} ${from}V${to}`,
      (end) => `M${x - CAP} ${end}h${2 * CAP}`,
    );
  }

  return {
    element: svg("g", { class: "crw-cross" }, ...level.elements, ...upright.elements),
    drawUpright(square, point) {
      const nothing = () => "";
      level.draw({ at: 0, limits: [0, 0], ends: [0, 0] }, BOTH, nothing, nothing);
      drawUpright(square, point);
    },
    draw(square, point, sides) {
      drawUpright(square, point, sides[1]);
      const y = toY(square, point.tpr);
      const { left, right } = boxOf(square);
      const limits = [toX(square, point.fprLower), toX(square, point.fprUpper)] as const;
      level.draw(
        { at: toX(square, point.fpr), limits, ends: [left, right] },
        sides[0],
        (from, to) => `M${from} ${y}H${to}`,
        (end) => `M${end} ${y - CAP}v${2 * CAP}`,
      );
    },
  };
}

/** Pixels along an arm: of the point, of both limits, and of the ends of the axis. */
interface Reach {
  at: number;
  limits: Pair<number>;
  ends: Pair<number>;
}

type PathBetween = (from: number, to: number) => string;

function createArm(label: Label) {
  const line = svg("path", { class: `crw-arm crw-label${label}` });
  const caps = svg("path", { class: `crw-caps crw-label${label}` });
  const dots = svg("path", { class: `crw-endless crw-label${label}` });
  return {
    elements: [dots, line, caps],
    draw({ at, limits, ends }: Reach, sides: Sides, lineOf: PathBetween, capOf: (end: number) => string) {
      const [lower, upper] = limits.map((limit, i) => (sides[i] ? limit : at));
      const missing = ends.filter((_, i) => !sides[i]);
      setAttributes(line, { d: sides[0] || sides[1] ? lineOf(lower, upper) : "" });
      setAttributes(caps, {
        d: limits
          .filter((_, i) => sides[i])
          .map(capOf)
          .join(""),
      });
      setAttributes(dots, { d: missing.map((end) => lineOf(at, end)).join("") });
    },
  };
}
