// Python's records of scenes (tests/scene_records.py), against marks of the page.

import { expect } from "vitest";
import { tellingSides } from "../src/base/format.ts";
import type { Pair } from "../src/base/pair.ts";
import type { Json } from "../src/evaluation/types.ts";
import { jointSides } from "../src/evaluation/vacuous.ts";
import type { Mark, Pen, Points } from "../src/scene.ts";
import { hasCuts } from "../src/shown/cuts.ts";
import type { Picture } from "../src/shown/picture.ts";
import { answerOf } from "../src/views/answer.ts";
import { benefitHere } from "../src/views/net_benefit.ts";
import { precisionHere } from "../src/views/precision_recall.ts";
import { viewOf } from "../src/views/views.ts";
import type { BandKind, ViewKind } from "../src/wire/messages.ts";
import { labelsOf, prevalenceOf, rateOf } from "../src/words/one_evaluation.ts";
import type { Run } from "../src/words/runs.ts";

export interface Setting {
  label?: Json;
  band?: BandKind;
  view?: ViewKind;
  prevalence?: number;
  cost_ratio?: number;
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

/** Fields of Python's record; what Python leaves out has its default. */
const DEFAULTS = {
  area: { fill: "", strength: 1, sides: [true, true] },
  line: { halo: false },
  dot: { fill: "", shape: "circle" },
  text: { dx: 0, dy: 0, anchor: "start", bold: false, colour: "ink" },
};
const penOf = ({ colour, width, dashes }: Pen) => [colour, width, ...dashes];

export function expectSameMark(made: Mark, wanted: KeptMark, scene: string) {
  const fields = { ...DEFAULTS[made.kind], ...wanted } as Record<string, unknown>;
  for (const [name, value] of Object.entries(made)) {
    const where = `${scene} ${made.id}.${name}`;
    if (name === "pen") expect(penOf(value), where).toEqual(fields.pen);
    else if (["points", "upper", "lower"].includes(name))
      expectSamePoints(value, fields[name] as KeptPoints, where);
    else if (name === "x" || name === "y") {
      expectNear([value], [fields[name] as number], where);
    } else expect(value, where).toEqual(fields[name]);
  }
  expect(Object.keys(fields).sort()).toEqual(Object.keys(made).sort());
}

function expectSamePoints({ x, y, step }: Points, wanted: KeptPoints, where: string) {
  expect(step, where).toBe(wanted.step ?? "");
  expect(x.length, where).toBe(wanted.size ?? wanted.x.length);
  expect(y.length, where).toBe(x.length);
  const shown = (values: Float64Array) =>
    wanted.size === undefined ? [...values] : [values[0], values[values.length - 1]];
  expectNear(shown(x), wanted.x, `${where}.x`);
  expectNear(shown(y), wanted.y, `${where}.y`);
}

export function expectNear(made: readonly number[], wanted: readonly number[], where: string) {
  expect(made.length, where).toBe(wanted.length);
  made.forEach((value, i) => {
    if (!(Math.abs(value - wanted[i]) <= NEAR)) expect(value, `${where}[${i}]`).toBe(wanted[i]);
  });
}

/** The answer of the view, without what is said of the others. */
export function answerText(shown: Picture): string {
  const { lead, meaning } = viewOf(shown).answer(shown);
  const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");
  return [textOf(lead), textOf(meaning)].join(" ").trim();
}

/**
 * What the page's first line says of the evaluation that is looked at. Where a limit is missing it reads the end of what
 * is possible, and Python says so in words; where nobody is called, or a thinned message counts, Python has other words.
 */
export function saidByBoth(shown: Picture): string {
  const { lead, meaning } = answerOf(shown);
  const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");
  const start = new RegExp(`^(The band of )?${shown.evaluation.name}`);
  const isOfOne = hasCuts(shown.group) && start.test(textOf(meaning));
  const text = textOf(isOfOne ? meaning : lead);
  const { frame, view, band } = shown;
  if (view === "precision_recall" && frame.point.tp + frame.point.fp === 0) return "";
  if (view === "net_benefit" && frame.threshold >= 1) return "";
  if (band === "ideal" && typeof shown.ideal === "string") return "";
  if (view === "reliability" || (view === "roc" && (band === "ideal" || band === "sampling"))) return text;
  const rate = rateOf(labelsOf(band)[0], frame);
  const { lower, upper } =
    view === "roc" ? rate : view === "net_benefit" ? benefitHere(shown) : precisionHere(shown);
  const ends: Pair<number> = view === "net_benefit" ? [-1 / 0, prevalenceOf(shown)] : [0, 1];
  const sides = tellingSides(view === "roc" ? rate.sides : jointSides(frame), [lower, upper], ends);
  if (!sides[0] && !sides[1]) return text.slice(0, text.indexOf(";"));
  return text.replace(/between (\S+) and (\S+)/, (_, ...limits) =>
    limits.filter((_, i) => sides[i]).join(" "),
  );
}
