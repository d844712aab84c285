// Texts about several evaluations, and about one among them.

import { capital, count, percent } from "../base/format.ts";
import { NUMBERS, words } from "../base/words.ts";
import { horizonText, isOneAtATime } from "../evaluation/horizons.ts";
import type { Evaluation, Group } from "../evaluation/types.ts";
import { hasCuts } from "../shown/cuts.ts";
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

/** The number of entries with their noun, as in "three classes". */
export const several = ({ kind, entries }: Group) =>
  `${NUMBERS[entries.length] ?? count(entries.length)} ${NOUNS[kind][entries.length === 1 ? 0 : 1]}`;

/** An entry's name; a class that is called by a number has its noun before it. */
export function entryName({ kind }: Group, { name }: Evaluation, isAmong = false): string {
  const needsNoun = kind === "classes" || kind === "folds" || kind === "samples";
  if (!needsNoun || !/^-?[\d.]+$/.test(name)) return name;
  const noun = NOUNS[kind][0];
  return `${isAmong ? noun : capital(noun)} ${name}`;
}

/** The same within a sentence. */
export const nameAmong = (group: Group, entry: Evaluation) => entryName(group, entry, true);

const MOST_RADIOS = 4;
const MOST_CHARACTERS = 30;

/** The choices of what to look at, the average first if there is one, and whether all have room in a row. */
export function choicesOf(group: Group): { average: string[]; names: string[]; isShort: boolean } {
  const average = group.kind === "classes" ? ["Average"] : group.kind === "folds" ? ["All"] : [];
  const names = [...average, ...group.entries.map((entry) => entryName(group, entry))];
  const isShort = names.length <= MOST_RADIOS && names.join("").length <= MOST_CHARACTERS;
  return { average, names, isShort };
}

/** Whether each choice has its line beside its name, so that the key need not name the curve. */
export function namesLines(group: Group): boolean {
  const { average, isShort } = choicesOf(group);
  return !isOneAtATime(group) && isShort && average.length === 0;
}

/** The words beside the view's name: what is shown; empty for a single evaluation. */
export function subjectOf({ group, shown, evaluation }: Picture): string {
  if (isOneAtATime(group)) return "";
  if (shown === null || (group.kind !== "classes" && group.kind !== "folds")) {
    return capital(several(group));
  }
  const name = entryName(group, evaluation);
  return group.kind === "classes" ? words("class.against_rest", { name }) : name;
}

/** How many test rows there are, and by when an event counts where outcomes have a time. */
export function pointsText(picture: Picture): string {
  const { group, shown, evaluation, noun } = picture;
  const { followed, nRows } = evaluation;
  if (followed !== null) {
    const unknown = followed.unknown > 0 ? words("points.unknown", { n: followed.unknown }) : "";
    return `by ${horizonText(followed)}${words("points.known", { ones: nRows[1], zeros: nRows[0] })}${unknown}`;
  }
  const { kind } = group;
  const isEach = kind === "populations" || kind === "samples" || (shown === null && kind === "folds");
  const of = isEach ? group.entries : [evaluation];
  const n = of.reduce((sum, { nRows: [zeros, ones] }) => sum + zeros + ones, 0);
  if (evaluation.unlabelled) {
    const { came } = evaluation.unlabelled;
    return words(came > 0 ? "points.partly" : "points.unlabelled", { n, noun, came });
  }
  return words(evaluation.weighted ? "points.weighted" : "points.test", { n, noun });
}

/** Title of a picture of the view. */
export function titleOf(picture: Picture): string {
  const limits =
    picture.band === "none" && picture.view === "roc" ? "" : `, ${percent(1 - picture.frame.alpha)} limits`;
  const view = `${VIEW_NAMES[picture.view]}${limits}`;
  const { followed } = picture.evaluation;
  if (followed !== null) return `By ${horizonText(followed)}: ${view}`;
  const subject = hasCuts(picture.group) ? picture.evaluation.name : subjectOf(picture);
  return subject ? `${subject}: ${view}` : view;
}
