// Lists the entries of the key (the legend): lines and bands that have no name on the plot, and switches for bands.

import { type Area, type Line, type Look, legendOf } from "../scene.ts";
import type { Picture } from "../shown/picture.ts";
import { namesLines } from "../words/several_evaluations.ts";
import { pictureOfEntry } from "./overview.ts";
import { showsConformal } from "./roc.ts";
import { marksOf, viewOf } from "./views.ts";

/** An entry of the key: a name and a sample. If a band is hidden, its sample is null. */
export interface Entry {
  id: string;
  text: string;
  look: Look | null;
  /** If the user can hide the mark, the name of its switch. */
  name?: string;
}

/**
 * Returns the entries of the key in order: the curve (unless the choice of the evaluation names it), bands with
 * switches, all other marks, and at last the line of chance, which everybody knows.
 */
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

/**
 * Whether the key names the curve. If the curve is the only line, or if the choice of the evaluation names
 * it, the key does not.
 */
const isNamed = ({ group, comparators }: Picture) =>
  group.kind !== "single" ? !namesLines(group) : comparators.items.some(({ isLaid }) => isLaid);

/**
 * Returns the key of several small plots. Small plots have no switches for bands. If no conformal limits are
 * drawn, their key names no band.
 */
export const keyOfSquares = (picture: Picture): Entry[] =>
  keyOf(pictureOfEntry(picture, 0)).flatMap(({ id, text, look }) =>
    look && (showsConformal(picture) || !id.startsWith("band-")) ? [{ id, text, look }] : [],
  );
