import { setAttributes, svg } from "./dom.ts";
import { boxOf, type Square, toX, toY } from "./geometry.ts";
import type { Label } from "./text.ts";
import type { OperatingPoint, Pair } from "./wire.ts";

const CAP = 5;

/** The two intervals of the operating point: an upright arm for the TPR, a level one for the FPR. */
export interface Cross {
  element: SVGElement;
  /** An arm without ends, per label, crosses the whole plot as dots. */
  draw(square: Square, point: OperatingPoint, armless: Pair<boolean>): void;
}

export function createCross(): Cross {
  const upright = createArm(1);
  const level = createArm(0);
  return {
    element: svg("g", { class: "crw-cross" }, ...level.elements, ...upright.elements),
    draw(square, point, armless) {
      const x = toX(square, point.fpr);
      const y = toY(square, point.tpr);
      const { left, right, top, bottom } = boxOf(square);
      if (armless[1]) {
        upright.drawEndless(`M${x} ${bottom}V${top}`);
      } else {
        const [from, to] = [toY(square, point.tprLower), toY(square, point.tprUpper)];
        upright.draw(`M${x} ${from}V${to}`, `M${x - CAP} ${from}h${2 * CAP}M${x - CAP} ${to}h${2 * CAP}`);
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
