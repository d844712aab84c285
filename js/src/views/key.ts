// The key of a picture: a name for each line and band that has none on the plot, and the bands that can be switched.

import { type Area, type Line, type Look, legendOf } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { namesLines } from "../words/several_evaluations.ts";
import { pictureOfEntry } from "./overview.ts";
import { showsConformal } from "./roc.ts";
import { marksOf, viewOf } from "./views.ts";

/** An entry of the key: a name, and the mark that it names; null for a band that is off. */
export interface Entry {
  id: string;
  text: string;
  look: Look | null;
  /** Name of the switch, if this can be put on the plot and taken off it. */
  name?: string;
}

/** Entries in order: the curve, unless the choice of what is shown names it; bands that can be switched; the rest; last the line of no classifier, which everybody knows. */
export function keyOf(picture: Picture): Entry[] {
  const view = viewOf(picture);
  const all = marksOf(picture);
  const marks = legendOf(all);
  const lookOf = (id: string): Look | null => {
    const mark = all.find((each): each is Area | Line => each.id === id);
    if (!mark) return null;
    const { kind, pen } = mark;
    return kind === "line"
      ? { kind, pen, isCross: id === "arm-0" || id === "own-0" }
      : { kind, pen, fill: mark.fill, strength: mark.strength };
  };
  const switches = view.switches(picture);
  const plain = marks
    .filter(([, { id }]) => !switches.some((each) => each.id === id))
    .map(([text, { id }]): Entry => ({ id, text, look: lookOf(id) }));
  return [
    ...plain.filter(({ id }) => id === "curve" && isNamed(picture)),
    ...switches.map(({ id, text, name, isOn }) => ({ id, text, name, look: isOn ? lookOf(id) : null })),
    ...plain.filter(({ id }) => id !== "curve"),
  ];
}

/** Whether the key names the curve: not where the choice of what is shown does, nor where it is the only line. */
const isNamed = ({ group, comparators }: Picture) =>
  group.kind !== "single" ? !namesLines(group) : comparators.items.some(({ isLaid }) => isLaid);

/** The key of several small plots: their bands have no switches, and outside the first question there are none. */
export const keyOfSquares = (picture: Picture): Entry[] =>
  keyOf(pictureOfEntry(picture, 0)).flatMap(({ id, text, look }) =>
    look && (showsConformal(picture) || !id.startsWith("band-")) ? [{ id, text, look }] : [],
  );
