// Notes on these data, and on what this alpha and threshold do to them.

import { count, fixed, percent } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { alphaScale, alphaSteps } from "../base/scale.ts";
import { residualsNeeded } from "../evaluation/quantiles.ts";
import { type Evaluation, type Frame, LABELS, type Label } from "../evaluation/types.ts";
import { hasLimits, pointsLacking, sidesOf } from "../evaluation/vacuous.ts";
import { averageOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { className, labelsOf, outsideLimits, withClassNames } from "./one_evaluation.ts";
import { entryName } from "./several_evaluations.ts";

export interface Note {
  /** The note under this key stays dismissed. */
  key: string;
  /** Which of several evaluations it is about; empty where there is one. */
  about: string;
  text: string;
  /** An alpha that helps, where there is one. */
  alpha: number | null;
}

/** Notes that come and go with alpha and with the threshold. */
export function passingNotes(picture: Picture): Note[] {
  const { group, shown, evaluation, frame, frames, band } = picture;
  if (shown === null) {
    const names = group.kind === "classes" ? (["the rest", "the class"] as const) : evaluation.classes;
    const alphas = LABELS.map((label) => lastOf(group.entries.map((entry) => twoLimitsFrom(entry, label))));
    return ofEntries(
      picture,
      group.entries.map((entry, i) =>
        limitNotes(entry, frames[i], names, (label) => alphas[LABELS.indexOf(label)]),
      ),
    );
  }
  // An ideal model's own curve has no limits of intervals.
  if (band === "ideal") return [];
  const outside = labelsOf(band).flatMap((label) => {
    const text = outsideLimits(label, frame, evaluation.classes);
    return text === null ? [] : [lasting(text)];
  });
  return [...limitNotes(evaluation, frame), ...frame.notes.map(lasting), ...outside];
}

/** Notes that stay as long as the data. */
export function lastingNotes(picture: Picture): Note[] {
  const { group, shown, evaluation } = picture;
  const of = ({ notes, classes }: Evaluation) => notes.map((text) => lasting(withClassNames(text, classes)));
  if (shown !== null) return of(evaluation);
  return [
    ...ofEntries(picture, group.entries.map(of)),
    ...(group.kind === "classes" ? rareNotes(picture) : []),
  ];
}

/** Notes of several evaluations, each once: what is the same for some of them names them together. */
function ofEntries({ group }: Picture, notes: Note[][]): Note[] {
  const known = new Map<string, { note: Note; names: string[] }>();
  notes.forEach((each, i) => {
    for (const note of each) {
      const content = JSON.stringify(note);
      const { names } = known.get(content) ?? { names: [] };
      known.set(content, { note, names: [...names, entryName(group, group.entries[i])] });
    }
  });
  return [...known.values()].map(({ note, names }) => ({ ...note, about: `${names.join(", ")}: ` }));
}

function rareNotes(picture: Picture): Note[] {
  const { entries } = picture.group;
  const { rare, weights } = averageOf(picture);
  const total = entries.reduce((sum, { nTest }) => sum + nTest[1], 0);
  return rare.map((i) => {
    const size = `${count(entries[i].nTest[1])} of ${count(total)} test points`;
    const text = `Few points: it has ${size}, and weighs ${fixed(weights[i], 3)} in the average.`;
    return { ...lasting(text), key: "rare", about: `${entryName(picture.group, entries[i])}: ` };
  });
}

const lasting = (text: string): Note => ({ key: text, about: "", text, alpha: null });

/** Limits that are missing, and the alpha from which both are there. */
function limitNotes(
  evaluation: Evaluation,
  frame: Frame,
  names = evaluation.classes,
  firstAlpha = (label: Label) => twoLimitsFrom(evaluation, label),
): Note[] {
  return LABELS.flatMap((label) => {
    const [lower, upper] = sidesOf(frame, label);
    const reason = frame.vacuous[label];
    if (pointsLacking(evaluation, frame, label) === null) {
      if (reason !== null) return [lasting(withClassNames(reason, evaluation.classes))];
      if (lower && upper) return [];
    }
    const alpha = frame.kind === "everywhere" ? null : firstAlpha(label);
    const text = `${limitFact(names, frame, label)} ${limitHelp(evaluation, frame, label, alpha)}`;
    return [
      {
        key: `limits ${label}`,
        about: "",
        text,
        alpha: alpha !== null && alpha > frame.alpha ? alpha : null,
      },
    ];
  });
}

/** From this alpha on each has two limits; null where one never has. */
const lastOf = (alphas: (number | null)[]) =>
  alphas.reduce((last, alpha) => (last === null || alpha === null ? null : Math.max(last, alpha)), 0);

function limitFact(classes: Pair<string>, frame: Frame, label: Label): string {
  const limits = hasLimits(frame, label) ? "One limit" : "No limits";
  return `${limits} for ${className(label, classes)} at ${percent(1 - frame.alpha)}.`;
}

function limitHelp(evaluation: Evaluation, frame: Frame, label: Label, alpha: number | null): string {
  const lacking = pointsLacking(evaluation, frame, label);
  if (lacking === null) return "There are too few calibration points for another.";
  const { one, both } = residualsNeeded(frame.alpha, evaluation.rule);
  const at = alpha === null ? "" : `at ${percent(1 - alpha)} confidence or less, or `;
  const first = hasLimits(frame, label) || one === both ? "" : `, a first one with ${count(one)}`;
  return `Two limits ${at}with ${count(both)} points${first}.`;
}

/** The first alpha with two limits that the arrow keys of the slider stop at; null beyond its end. */
export function twoLimitsFrom({ nCalibration, rule }: Evaluation, label: Label): number | null {
  return settableFrom((rule === "paper" ? 4 : 2) / (nCalibration[label] + 1));
}

/** The first alpha from here on that the arrow keys of the slider stop at; null beyond its end. */
export function settableFrom(alpha: number): number | null {
  const stop = alphaSteps.arrow(alpha - 1e-6, 1);
  return stop <= alphaScale.max ? stop : null;
}

/** The fact of a note, its first sentence, and the rest. */
export function factAndReason(note: string): [fact: string, reason: string] {
  const end = note.search(/[.:] /);
  return end < 0 ? [note, ""] : [note.slice(0, end + 1), note.slice(end + 2)];
}
