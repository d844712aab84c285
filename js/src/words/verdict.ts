// Writes whether the scores may be the true risks. All components of the page use this text.

import { thresholdText } from "../base/format.ts";
import { words } from "../base/words.ts";
import type { Stretch } from "../evaluation/miscalibration.ts";
import type { Picture } from "../shown/picture.ts";
import { signAt, verdictOf } from "../shown/verdict.ts";

const HERE = { higher: "verdict.higher_here", lower: "verdict.lower_here", "": "verdict.may_be" } as const;

/**
 * Writes what the limits say about the scores at the threshold, and which ranges of scores cannot be the true risks.
 * Empty if there is no verdict.
 */
export function verdictWords(picture: Picture): string {
  const { noun, wanted, evaluation } = picture;
  if (evaluation.margins || evaluation.anySize) return words("verdict.margins");
  const found = verdictOf(picture);
  if (found === null || found.verdict === "refuted") return "";
  if (found.verdict === "few") return words("verdict.few", { noun });
  const here = words(HERE[signAt(found, wanted.threshold)], { threshold: wanted.threshold });
  return [here, ...widest(found.stretches).map(stretchText)].join(" ");
}

/** A shorter range of scores is not written, because both its ends would read the same. */
const SEEN = 0.005;

/** Returns the widest range of scores above the true risks, and the widest one below. */
const widest = (stretches: readonly Stretch[]) =>
  [true, false].flatMap((isHigher) =>
    stretches
      .filter((each) => each.isHigher === isHigher && each.end - each.start >= SEEN)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start))
      .slice(0, 1),
  );

/** Writes the ends of a range of scores as everywhere on the page. If it is short, they have all their digits. */
export function endsText({ start, end }: Stretch): string {
  if (end - start >= SEEN) return words("verdict.between", { from: start, to: end });
  return start === end
    ? `at ${thresholdText(end)}`
    : `between ${thresholdText(start)} and ${thresholdText(end)}`;
}

export const stretchText = ({ start, end, isHigher }: Stretch) =>
  words(isHigher ? "verdict.higher" : "verdict.lower", { from: start, to: end });
