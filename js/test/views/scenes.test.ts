// The scenes that Python draws of the messages of the fixtures (tests/views/test_scene_fixture.py), against the page's.

import { describe, expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import numbers from "../../../tests/fixtures/numbers.json";
import kept from "../../../tests/fixtures/scenes.json";
import { tellingSides } from "../../src/base/format.ts";
import type { Pair } from "../../src/base/pair.ts";
import { frameAt } from "../../src/evaluation/at_alpha.ts";
import { idealAt } from "../../src/evaluation/ideal_curve.ts";
import type { Frame, Group } from "../../src/evaluation/types.ts";
import { jointSides } from "../../src/evaluation/vacuous.ts";
import { legendOf, type Mark, type Pen, type Points } from "../../src/scene.ts";
import { hasCuts } from "../../src/sync/cuts.ts";
import type { Picture } from "../../src/sync/view_model.ts";
import { answerOf } from "../../src/views/answer.ts";
import { benefitHere } from "../../src/views/net_benefit.ts";
import { precisionHere } from "../../src/views/precision_recall.ts";
import { legendOf as promiseOf, viewOf } from "../../src/views/views.ts";
import { decodeComparators } from "../../src/wire/decode_comparators.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../../src/wire/decode_frame.ts";
import { decodeIdeal } from "../../src/wire/decode_ideal.ts";
import type { BandKind, ViewKind } from "../../src/wire/messages.ts";
import { labelsOf, prevalenceOf, rateOf } from "../../src/words/one_evaluation.ts";
import type { Run } from "../../src/words/runs.ts";
import { arrived } from "../arrived.ts";
import { pictureOf } from "../picture.ts";
import { decoded } from "../sample.ts";

interface Setting {
  label?: string;
  alpha?: number;
  band?: BandKind;
  view?: ViewKind;
  prevalence?: number;
  cost_ratio?: number;
  comparators?: boolean;
}
interface KeptPoints {
  x: number[];
  y: number[];
  /** How many there are, where only the first and the last are kept. */
  size?: number;
  step?: string;
}
/** What is like its default is left out. */
type KeptMark = { kind: string; id: string } & Record<string, unknown>;
interface KeptAxis {
  title: string;
  ends: Pair<number>;
}
interface KeptScene {
  case: string;
  setting: Setting;
  lead: string[];
  notes: string[];
  legend: string[];
  panels: { name: string; across: KeptAxis; up: KeptAxis; marks: KeptMark[] }[];
}

const CASES = messages as unknown as Record<string, { data: unknown; frame: unknown }>;
const SCENES = (kept as unknown as KeptScene[]).map((scene) => [nameOf(scene), scene] as const);
/** Of classifiers and of populations the page shows one, with the curves of the others behind it, and not a plot each. */
const ALONE = ["two populations: {}", "two classifiers: {}"];
const BOUND = SCENES.filter(([name]) => !ALONE.includes(name));
const NEAR = 1e-9;

function nameOf(scene: KeptScene): string {
  return `${scene.case}: ${JSON.stringify(scene.setting)}`;
}

function picture({ case: name, setting }: KeptScene): Picture {
  const group = decoded(decodeGroup(arrived(CASES[name].data)));
  const answer = decoded(decodeFrames(arrived(CASES[name].frame), group));
  const { alpha = answer.alpha, label, band = "sensitivity", view = "roc" } = setting;
  const frames = alpha === answer.alpha ? answer.frames : framesAt(group, alpha, answer.threshold);
  const found = group.entries.findIndex((entry) => entry.key === (label ?? null));
  const shown = found < 0 ? null : found;
  return pictureOf({
    group,
    frames,
    shown,
    evaluation: group.entries[shown ?? 0],
    frame: frames[shown ?? 0],
    wanted: { alpha, threshold: answer.threshold },
    band,
    view,
    prevalence: setting.prevalence ?? null,
    cost: setting.cost_ratio ?? null,
    ...(setting.comparators
      ? { comparators: decoded(decodeComparators(arrived(messages.comparators))) }
      : {}),
    ideal: band !== "ideal" ? null : name === "localized" ? idealCurve() : "there is none",
  });
}

const framesAt = (group: Group, alpha: number, threshold: number) =>
  group.entries.map((entry) => frameAt(entry, alpha, threshold) as Frame);

/** Fields of the table that are bytes. */
const BYTES = ["fpr", "alphas", "lower", "upper", "median", "auc", "gain"];

function idealCurve() {
  const fields = Object.entries(numbers.ideal.table).map(([name, value]) => [
    name,
    BYTES.includes(name) ? arrived({ base64: value }) : value,
  ]);
  const ideal = decoded(decodeIdeal({ version: 4, label: null, absence: "", ...Object.fromEntries(fields) }));
  if (ideal === null || typeof ideal.found === "string") throw new Error("no ideal curve");
  return idealAt(ideal.found, 0.05);
}

/** Fields of Python's record; what Python leaves out has its default. */
const DEFAULTS = {
  area: { fill: "", strength: 1, sides: [true, true] },
  line: { halo: false },
  dot: { fill: "", shape: "circle" },
  text: { dx: 0, dy: 0, anchor: "start", bold: false, colour: "ink" },
};
const penOf = ({ colour, width, dashes }: Pen) => [colour, width, ...dashes];

function expectSameMark(made: Mark, wanted: KeptMark) {
  const fields = { ...DEFAULTS[made.kind], ...wanted } as Record<string, unknown>;
  for (const [name, value] of Object.entries(made)) {
    const where = `${made.id}.${name}`;
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

function expectNear(made: readonly number[], wanted: readonly number[], where: string) {
  expect(made.length, where).toBe(wanted.length);
  made.forEach((value, i) => {
    if (!(Math.abs(value - wanted[i]) <= NEAR)) expect(value, `${where}[${i}]`).toBe(wanted[i]);
  });
}

/**
 * What the page's first line says of the evaluation that is looked at. Where a limit is missing it reads the end of what
 * is possible, and Python says so in words; where nobody is called, or a thinned message counts, Python has other words.
 */
function saidByBoth(shown: Picture): string {
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

test("only plots side by side are Python’s alone", () => {
  expect(SCENES.filter(([, { panels }]) => panels.length !== 1).map(([name]) => name)).toEqual(ALONE);
  expect(BOUND.length).toBeGreaterThan(115);
});

describe.each(BOUND)("%s", (_, scene) => {
  const shown = picture(scene);
  const view = viewOf(shown);
  const [panel] = scene.panels;
  /** The others' curves, which Python draws in plots of their own. */
  const marks = view
    .marks(shown)
    .filter(({ id }) =>
      shown.group.kind !== "single" && shown.shown !== null ? !/^(curve|cut)-/.test(id) : true,
    );

  test("axes", () => {
    const { across, up } = view.axes(shown);
    for (const [made, wanted] of [
      [across, panel.across],
      [up, panel.up],
    ] as const) {
      expect(made.title).toBe(wanted.title);
      expectNear(made.ends, wanted.ends, "ends");
    }
  });

  test("marks", () => {
    expect(marks.map(({ id }) => id)).toEqual(panel.marks.map(({ id }) => id));
    marks.forEach((mark, i) => {
      expectSameMark(mark, panel.marks[i]);
    });
  });

  test("key", () => {
    expect(legendOf(marks).map(([key]) => key)).toEqual(scene.legend);
  });

  test("promise", () => {
    const { target, scope, guarantee } = promiseOf(shown);
    const lines = target && [`Target: ${target}`, `Scope: ${scope}`, `Guarantee: ${guarantee}`];
    const said = scene.notes.filter((note) => /^(Target|Scope|Guarantee)(:|,)/.test(note));
    expect(lines || []).toEqual(said);
  });

  test("the numbers of the answer stand in Python’s sentence, in the same order", () => {
    const text = saidByBoth(shown);
    let rest = scene.lead.join(" ");
    for (const [number] of text.matchAll(/−?\d+(\.\d+)?( %)?/g)) {
      expect(rest, `${number} of "${text}"`).toContain(number);
      rest = rest.slice(rest.indexOf(number) + number.length);
    }
  });
});
