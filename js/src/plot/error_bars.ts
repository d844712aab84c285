import { setAttributes, svg } from "../base/dom.ts";
import type { Pair } from "../base/pair.ts";
import { LABELS, type Label, type OperatingPoint } from "../evaluation/types.ts";
import type { Sides } from "../evaluation/vacuous.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";

const CAP = 5;

type Rates = Pick<OperatingPoint, "fpr" | "fprLower" | "fprUpper" | "tpr" | "tprLower" | "tprUpper">;

/** The intervals of the operating point: an upright arm for the TPR, a level one for the FPR. */
export interface Cross {
  element: SVGElement;
  /** The arms of some labels. An arm goes on as dots where a limit, lower or upper, is missing. */
  draw(square: Square, point: Rates, sides: Pair<Sides>, labels: readonly Label[], tone?: string): void;
}

export function createErrorBars(): Cross {
  const arms = LABELS.map((label) => ({ label, ...createArm(label) }));
  const element = svg("g", {}, ...arms.toReversed().flatMap(({ elements }) => elements));
  return {
    element,
    draw(square, { fpr, fprLower, fprUpper, tpr, tprLower, tprUpper }, sides, labels, tone = "own") {
      setAttributes(element, { class: `crw-cross crw-${tone}` });
      const [x, y] = [toX(square, fpr), toY(square, tpr)];
      const { left, right, top, bottom } = boxOf(square);
      for (const { label, draw, clear } of arms) {
        if (!labels.includes(label)) clear();
        else if (label === 1) {
          draw(
            { at: y, limits: [toY(square, tprLower), toY(square, tprUpper)], ends: [bottom, top] },
            sides[1],
            (from, to) => `M${x} ${from}V${to}`,
            (end) => `M${x - CAP} ${end}h${2 * CAP}`,
          );
        } else {
          draw(
            { at: x, limits: [toX(square, fprLower), toX(square, fprUpper)], ends: [left, right] },
            sides[0],
            (from, to) => `M${from} ${y}H${to}`,
            (end) => `M${end} ${y - CAP}v${2 * CAP}`,
          );
        }
      }
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
    clear() {
      for (const part of [line, caps, dots]) setAttributes(part, { d: "" });
    },
    draw({ at, limits, ends }: Reach, sides: Sides, lineOf: PathBetween, capOf: (end: number) => string) {
      const [lower, upper] = limits.map((limit, i) => (sides[i] ? limit : at));
      const missing = ends.filter((_, i) => !sides[i]);
      const capped = limits.filter((_, i) => sides[i]);
      setAttributes(line, { d: sides[0] || sides[1] ? lineOf(lower, upper) : "" });
      setAttributes(caps, { d: capped.map(capOf).join("") });
      setAttributes(dots, { d: missing.map((end) => lineOf(at, end)).join("") });
    },
  };
}
