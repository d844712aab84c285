// Python's records of scenes (tests/scene_records.py), against marks of the page.

import { expect } from "vitest";
import type { Pair } from "../src/base/pair.ts";
import type { Json, Weights } from "../src/evaluation/types.ts";
import type { Mark, Pen, Points } from "../src/scene.ts";
import type { Picture } from "../src/shown/picture.ts";
import { answerOf } from "../src/views/answer.ts";
import { viewOf } from "../src/views/views.ts";
import type { BandKind, ViewKind } from "../src/wire/controls.ts";
import type { Run } from "../src/words/runs.ts";

export interface Setting {
  label?: Json;
  band?: BandKind;
  view?: ViewKind;
  prevalence?: number;
  cost_ratio?: number;
  zoom?: boolean;
  weights?: Weights;
}
interface KeptPoints {
  x: number[];
  y: number[];
  /** How many there are, where only the first and the last are kept. */
  size?: number;
  step?: string;
}
/** What is like its default is left out. */
export type KeptMark = { kind: string; id: string } & Record<string, unknown>;
export interface KeptAxis {
  title: string;
  ends: Pair<number>;
}
export interface KeptScene {
  setting: Setting;
  lead: string[];
  notes: string[];
  legend: string[];
  panels: { name: string; across: KeptAxis; up: KeptAxis; marks: KeptMark[] }[];
}

const NEAR = 1e-9;
/** Bounds of the reliability travel as float32. */
export const OF_FLOAT32 = 2 ** -24;

/** Fields of Python's record; what Python leaves out has its default. */
const DEFAULTS = {
  area: { fill: "", strength: 1, sides: [true, true] },
  line: { halo: false },
  dot: { fill: "", shape: "circle" },
  text: { dx: 0, dy: 0, anchor: "start", bold: false, colour: "ink" },
};
const penOf = ({ colour, width, dashes }: Pen) => [colour, width, ...dashes];

export function expectSameMark(made: Mark, wanted: KeptMark, scene: string, near = NEAR) {
  const fields = { ...DEFAULTS[made.kind], ...wanted } as Record<string, unknown>;
  for (const [name, value] of Object.entries(made)) {
    const where = `${scene} ${made.id}.${name}`;
    if (name === "pen") expect(penOf(value), where).toEqual(fields.pen);
    else if (["points", "upper", "lower"].includes(name))
      expectSamePoints(value, fields[name] as KeptPoints, where, near);
    else if (name === "x" || name === "y") {
      expectNear([value], [fields[name] as number], where, near);
    } else expect(value, where).toEqual(fields[name]);
  }
  expect(Object.keys(fields).sort()).toEqual(Object.keys(made).sort());
}

function expectSamePoints({ x, y, step }: Points, wanted: KeptPoints, where: string, near: number) {
  expect(step, where).toBe(wanted.step ?? "");
  expect(x.length, where).toBe(wanted.size ?? wanted.x.length);
  expect(y.length, where).toBe(x.length);
  const shown = (values: Float64Array) =>
    wanted.size === undefined ? [...values] : [values[0], values[values.length - 1]];
  expectNear(shown(x), wanted.x, `${where}.x`);
  expectNear(shown(y), wanted.y, `${where}.y`, near);
}

export function expectNear(made: readonly number[], wanted: readonly number[], where: string, near = NEAR) {
  expect(made.length, where).toBe(wanted.length);
  made.forEach((value, i) => {
    if (!(Math.abs(value - wanted[i]) <= near)) expect(value, `${where}[${i}]`).toBe(wanted[i]);
  });
}

const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");

/** The answer of the view, without what is said of the others; of a curve to guess from its first line, as only a page has bands to choose. */
export function answerText(shown: Picture): string {
  const { lead, meaning } = viewOf(shown).answer(shown);
  const isFirstAlone = shown.view === "roc" && shown.shown !== null && shown.band === "none";
  return [textOf(lead), isFirstAlone ? "" : textOf(meaning)].join(" ").trim();
}

/** What is said of several, before what is said of one. */
export const comparison = (shown: Picture) =>
  shown.group.kind === "folds" ? answerText(shown) : textOf(answerOf(shown).lead);
