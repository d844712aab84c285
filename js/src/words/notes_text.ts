// Notes on these data at this alpha.

import { count, fixed } from "../base/format.ts";
import { alphaScale, alphaSteps } from "../base/scale.ts";
import { type Evaluation, type Frame, LABELS } from "../evaluation/types.ts";
import { averageOf } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { entryName } from "./several_evaluations.ts";

export interface Note {
  /** The note under this key stays dismissed at every alpha. */
  key: string;
  /** Which of several evaluations it is about; empty where there is one. */
  about: string;
  text: string;
  /** An alpha that helps, where there is one. */
  alpha: number | null;
}

/** Everything that a reader should know about these data at this alpha. */
export function notesOf(picture: Picture): Note[] {
  const { group, shown, evaluation, frame, frames } = picture;
  if (shown !== null)
    return [
      ...vacuousNotes(evaluation, frame),
      ...frame.notes.map((text) => ({ ...lasting(text), key: "refuted" })),
      ...evaluation.notes.map(lasting),
    ];
  const named = group.entries.map((entry, i) => {
    const notes = [...vacuousNotes(entry, frames[i]), ...entry.notes.map(lasting)];
    return notes.map((note) => ({ ...note, about: `${entryName(group, entry)}: ` }));
  });
  return [...named.flat(), ...(group.kind === "classes" ? rareNotes(picture) : [])];
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

function vacuousNotes({ firstAlpha }: Evaluation, frame: Frame): Note[] {
  return LABELS.flatMap((label) => {
    const text = frame.vacuous[label];
    if (text === null) return [];
    const alpha = frame.orderStatistics === null ? null : settableFrom(Number(firstAlpha[label]));
    const helps = alpha !== null && alpha > frame.alpha ? alpha : null;
    return [{ key: `no limits ${label}`, about: "", text, alpha: helps }];
  });
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
