// Writes the notes on the data.

import { words } from "../base/words.ts";
import { isOneAtATime } from "../evaluation/horizons.ts";
import type { Note } from "../evaluation/types.ts";
import { averageOf } from "../shown/overview_numbers.ts";
import type { Picture } from "../shown/picture.ts";
import { entryName } from "./several_evaluations.ts";

/**
 * Returns the notes. Without a kernel their advice is left out, because readers of the page have no data to apply it
 * to.
 */
export const notesOf = (picture: Picture): Note[] =>
  picture.source === "static" ? allOf(picture).map(withoutRemedy) : allOf(picture);

const withoutRemedy = (note: Note): Note => ({ ...note, remedy: "" });

function allOf(picture: Picture): Note[] {
  const { group, shown, evaluation } = picture;
  if (isOneAtATime(group) || (group.kind === "classes" && shown !== null)) return evaluation.notes;
  const found = new Map<string, { note: Note; about: string[] }>();
  for (const entry of group.entries) {
    for (const note of entry.notes) {
      const key = JSON.stringify(note);
      const { about } = found.get(key) ?? { about: [] };
      found.set(key, { note, about: [...about, entryName(group, entry)] });
    }
  }
  const notes = [...found.values()].map(({ note, about }) => ({
    ...note,
    fact: `${about.join(", ")}: ${note.fact}`,
  }));
  return group.kind === "classes" ? [...notes, ...rareNotes(picture)] : notes;
}

function rareNotes(picture: Picture): Note[] {
  const { entries } = picture.group;
  const { rare, weights } = averageOf(picture);
  const all = entries.reduce((sum, { nRows }) => sum + nRows[1], 0);
  return rare.map((i) => ({
    fact: words("note.rare", { name: entryName(picture.group, entries[i]), size: entries[i].nRows[1], all }),
    reason: words("note.weighs", { weight: weights[i] }),
    remedy: "",
  }));
}
