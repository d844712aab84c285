// Writes texts about several evaluations, and about one of them.

import { capital, count, percent } from "../base/format.ts";
import { NUMBERS, words } from "../base/words.ts";
import { horizonText, isOneAtATime } from "../evaluation/horizons.ts";
import type { Evaluation, Group } from "../evaluation/types.ts";
import { hasCuts } from "../shown/cuts.ts";
import { isUnlimited } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import { VIEW_NAMES } from "../wire/controls.ts";

const NOUNS = {
  single: ["evaluation", "evaluations"],
  classes: ["class", "classes"],
  classifiers: ["classifier", "classifiers"],
  bands: ["band", "bands"],
  populations: ["population", "populations"],
  folds: ["fold", "folds"],
  samples: ["sample", "samples"],
  horizons: ["horizon", "horizons"],
} as const;

/** Writes how many evaluations there are, such as "three classes". */
export const several = ({ kind, entries }: Group) =>
  `${NUMBERS[entries.length] ?? count(entries.length)} ${NOUNS[kind][entries.length === 1 ? 0 : 1]}`;

/**
 * Returns the name of an evaluation in its group. If it is only a number, a noun is put before it. `isAmong` tells that
 * the name stands inside a sentence.
 */
export function entryName({ kind }: Group, { name }: Evaluation, isAmong = false): string {
  const needsNoun = kind === "classes" || kind === "folds" || kind === "samples";
  if (!needsNoun || !/^-?[\d.]+$/.test(name)) return name;
  const noun = NOUNS[kind][0];
  return `${isAmong ? noun : capital(noun)} ${name}`;
}

/** Returns the name of an evaluation for the inside of a sentence. */
export const nameAmong = (group: Group, entry: Evaluation) => entryName(group, entry, true);

const MOST_RADIOS = 4;
const MOST_CHARACTERS = 30;

/**
 * Returns the options of the control that chooses an evaluation, and whether all fit in a row. If there is an average,
 * it is the first.
 */
export function choicesOf(group: Group): { average: string[]; names: string[]; isShort: boolean } {
  const average = group.kind === "classes" ? ["Average"] : group.kind === "folds" ? ["All"] : [];
  const names = [...average, ...group.entries.map((entry) => entryName(group, entry))];
  const isShort = names.length <= MOST_RADIOS && names.join("").length <= MOST_CHARACTERS;
  return { average, names, isShort };
}

/**
 * Whether each option of the control that chooses an evaluation shows the evaluation's line. The key then need not name
 * the curve.
 */
export function namesLines(group: Group): boolean {
  const { average, isShort } = choicesOf(group);
  return !isOneAtATime(group) && isShort && average.length === 0;
}

/** Writes what is shown, beside the name of the view. Empty for a single evaluation. */
export function subjectOf({ group, shown, evaluation }: Picture): string {
  if (isOneAtATime(group)) return "";
  if (shown === null || (group.kind !== "classes" && group.kind !== "folds")) {
    return capital(several(group));
  }
  const name = entryName(group, evaluation);
  return group.kind === "classes" ? words("class.against_rest", { name }) : name;
}

/** Returns the number of test rows of evaluations that share none. */
export const rowsIn = (entries: readonly Pick<Evaluation, "nRows">[]) =>
  entries.reduce((sum, { nRows: [zeros, ones] }) => sum + zeros + ones, 0);

/** Writes how many test rows there are. If outcomes have a time, the horizon is added. */
export function pointsText(picture: Picture): string {
  const { group, shown, evaluation, noun } = picture;
  const { followed, nRows } = evaluation;
  if (followed !== null) {
    const unknown = followed.unknown > 0 ? words("points.unknown", { n: followed.unknown }) : "";
    return `by ${horizonText(followed)}${words("points.known", { ones: nRows[1], zeros: nRows[0] })}${unknown}`;
  }
  const { kind } = group;
  const isEach = kind === "populations" || kind === "samples" || (shown === null && kind === "folds");
  const n = rowsIn(isEach ? group.entries : [evaluation]);
  if (evaluation.unlabelled) {
    const { came } = evaluation.unlabelled;
    return words(came > 0 ? "points.partly" : "points.unlabelled", { n, noun, came });
  }
  return words(evaluation.weighted ? "points.weighted" : "points.test", { n, noun });
}

/** Returns the title of a picture. It names limits, unless all folds are shown or no band is chosen. */
export function titleOf(picture: Picture): string {
  const isPooled = picture.shown === null && picture.group.folds !== null;
  const limits = isPooled || isUnlimited(picture) ? "" : `, ${percent(1 - picture.frame.alpha)} limits`;
  const view = `${VIEW_NAMES[picture.view]}${limits}`;
  const { followed } = picture.evaluation;
  if (followed !== null) return `By ${horizonText(followed)}: ${view}`;
  const subject = hasCuts(picture.group) ? picture.evaluation.name : subjectOf(picture);
  return subject ? `${subject}: ${view}` : view;
}
