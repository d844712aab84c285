// Notes on the data, which stay as long as they do.

import { count, fixed } from "../base/format.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import { averageOf } from "../shown/overview_numbers.ts";
import type { Picture } from "../shown/picture.ts";
import { entryName } from "./several_evaluations.ts";

export function notesOf(picture: Picture): string[] {
  const { group, shown, evaluation } = picture;
  if (isOneAtATime(group) || (group.kind === "classes" && shown !== null)) return evaluation.notes;
  const names = new Map<string, string[]>();
  for (const entry of group.entries) {
    for (const note of entry.notes) names.set(note, [...(names.get(note) ?? []), entryName(group, entry)]);
  }
  const notes = [...names].map(([note, about]) => `${about.join(", ")}: ${note}`);
  return group.kind === "classes" ? [...notes, ...rareNotes(picture)] : notes;
}

function rareNotes(picture: Picture): string[] {
  const { entries } = picture.group;
  const { rare, weights } = averageOf(picture);
  const total = entries.reduce((sum, { nRows }) => sum + nRows[1], 0);
  return rare.map((i) => {
    const size = `${count(entries[i].nRows[1])} of ${count(total)} test points`;
    const text = `Few points: it has ${size}, and weighs ${fixed(weights[i], 3)} in the average.`;
    return `${entryName(picture.group, entries[i])}: ${text}`;
  });
}

/** The fact of a note, its first sentence, and the rest. */
export function factAndReason(note: string): [fact: string, reason: string] {
  const end = note.search(/[.:] /);
  return end < 0 ? [note, ""] : [note.slice(0, end + 1), note.slice(end + 2)];
}
