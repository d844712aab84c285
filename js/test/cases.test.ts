// @vitest-environment jsdom
// Checks every case of tests/cases.py: the page reads, draws and describes it as Python does.
// tests/page_cases.py writes the cases anew for this test. `make test` runs the quick cases, one or two of each kind.
// `make test-thorough` runs all.

import { execFileSync } from "node:child_process";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ALPHA_STOPS } from "../src/base/steps.ts";
import { frameAt, stopsOf } from "../src/evaluation/at_alpha.ts";
import { reliability } from "../src/evaluation/calibration_band.ts";
import { limitsOf, lossNote } from "../src/evaluation/estimate.ts";
import { withGuarantee } from "../src/evaluation/everywhere.ts";
import { type GoalVerdict, goalVerdict, type Reached } from "../src/evaluation/goal.ts";
import type { Looks } from "../src/evaluation/looks.ts";
import { miscalibration } from "../src/evaluation/miscalibration.ts";
import { enoughRows, moreRows } from "../src/evaluation/more_rows.ts";
import type { Frame, GoalRate, Group, Json, Limits, Note, Weights } from "../src/evaluation/types.ts";
import { verdictOnGoal } from "../src/shown/goal.ts";
import type { Picture } from "../src/shown/picture.ts";
import { pageClock } from "../src/sync/backpressure.ts";
import { Controller } from "../src/sync/controller.ts";
import type { Synced } from "../src/sync/model.ts";
import { createView } from "../src/view.ts";
import { announced } from "../src/views/answer.ts";
import { axesOf, legendOf as promiseOf, readingAt, viewOf } from "../src/views/views.ts";
import { BAND_KINDS, type BandKind, PAGE, VIEW_KINDS, type ViewKind } from "../src/wire/controls.ts";
import { decodeComparators } from "../src/wire/decode_comparators.ts";
import { decodeGroup } from "../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../src/wire/decode_frame.ts";
import { notesOf } from "../src/words/notes_text.ts";
import { pythonLine } from "../src/words/python_line.ts";
import { reportOf } from "../src/words/report.ts";
import { REPORT_STYLES, reportText } from "../src/words/report_styles.ts";
import { arrived } from "./arrived.ts";
import { MockModel } from "./mock_model.ts";
import { expectNear } from "./near.ts";
import { StillObserver } from "./observers.ts";
import { drawn } from "./page.ts";
import { decoded } from "./sample.ts";

interface KeptGoal {
  rate: GoalRate;
  least: number;
  verdict: string;
  here: [number, number, number];
  found: [number, number, number] | null;
  limits: [number, number] | null;
  most: number;
}

interface Setting {
  label?: Json;
  band?: BandKind;
  view?: ViewKind;
  prevalence?: number;
  cost_ratio?: number;
  zoom?: boolean;
  weights?: Weights;
  looks?: Looks;
}
interface Case {
  kind: Group["kind"];
  alpha: number;
  threshold: number;
  data: unknown;
  live: unknown;
  stops: unknown;
  frames: unknown[];
  comparators: object;
  ideal: object;
  curves: { data: unknown; frame: unknown };
  /** For each evaluation and alpha: Brier score and log loss with limits, and the words that Python has for them. */
  losses: ([[number, number, number], string[]][] | null)[][];
  /** For each evaluation: the goals at some thresholds. Null if rows have weights or groups. */
  goals: (KeptGoal[] | null)[];
  /**
   * For each evaluation and rate, limits with more rows: both limits, the one-sided limit, and the area's limits. Null
   * if rows have weights or groups.
   */
  more_rows: (
    | { rate: GoalRate; value: number | null; enough: number | null; numbers: (number | null)[][] }[]
    | null
  )[];
  /**
   * For each evaluation: the verdict on its scores as risks, and the ranges where they are refuted. Null if it is
   * unknown.
   */
  miscalibration: ([string, [number, number, boolean][]] | null)[];
  dependence: string[];
  points: number;
  /** The start of the header, if outcomes have a time. */
  title: string | null;
  /** The alpha of the first entry's frame. */
  first: number;
  notes: Note[][];
  rare: string[];
  /** The settings at which the case is compared. */
  settings: Setting[];
  /** For each setting, the figures of the report as Python computes them: value, counts, limits. */
  reports: ((number | null)[][] | null)[];
}

type RawFrame = { entries: object[] } & Record<string, unknown>;

const written = execFileSync("python", ["page_cases.py", ...(process.env.THOROUGH ? [] : ["--quick"])], {
  cwd: "../tests",
  encoding: "utf8",
  maxBuffer: 1e8,
});
const CASES = Object.entries(JSON.parse(written) as Record<string, Case>);

const ENDS = [ALPHA_STOPS[0], ALPHA_STOPS[ALPHA_STOPS.length - 1]];

/** Error of a count if a message has the numbers at evenly spaced ranks only: half a rank. */
const THINNED = 0.5 / 1024 + 1e-9;
/** A page gets bounds as multiples of 1/32,768. */
const FOR_PIXELS = 2 ** -16;
/** For areas of many points, the kernel reads this many ranks. */
const AUC = 1 / 4096;

/** The group with the promise of its frames. Data never have the promise "credible". */
function groupOf(kept: Case): Group {
  const [first] = (arrived(kept.frames[0]) as RawFrame & { entries: { kind: string }[] }).entries;
  return withGuarantee(decoded(decodeGroup(arrived(kept.data))), first.kind);
}
const answersOf = (kept: Case, group: Group) =>
  kept.frames.map((frame) => decoded(decodeFrames(arrived(frame), group)));

const PLACE = {
  ...{ left: 0, top: 0, right: 480, bottom: 480, width: 480, height: 480, x: 0, y: 0 },
  toJSON: () => "",
};

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", StillObserver);
  vi.stubGlobal("IntersectionObserver", StillObserver);
  vi.stubGlobal("matchMedia", () => new EventTarget());
  Object.assign(SVGElement.prototype, { getComputedTextLength: () => 100 });
  Element.prototype.getBoundingClientRect = () => PLACE;
  vi.spyOn(Element.prototype, "clientWidth", "get").mockImplementation(() => 960);
});

afterAll(() => vi.unstubAllGlobals());

/** A page without a kernel that shows the case. */
function started(kept: Case, traits: Partial<Synced> = {}) {
  const model = new MockModel({
    _static: true,
    alpha: kept.alpha,
    threshold: kept.threshold,
    guarantee: null,
    _data: arrived(kept.data),
    _frame: arrived(kept.frames[0]),
    _comparators: arrived(kept.comparators),
    _ideal: arrived(kept.ideal),
    ...traits,
  });
  return new Controller(model.asModel(), pageClock);
}

function pictureOf(controller: Controller): Picture {
  const picture = controller.picture();
  if (!picture.ok) throw new Error(picture.problem);
  return picture.value;
}

const chosen = ({
  label = null,
  band = "sensitivity",
  view = "roc",
  zoom = false,
  weights = "size",
  looks = "once",
  ...use
}: Setting) => ({
  ...{
    label,
    band,
    view,
    zoom,
    weights,
    looks,
    prevalence: use.prevalence ?? null,
    cost_ratio: use.cost_ratio ?? null,
  },
});

function pictured(kept: Case, setting: Setting): Picture {
  const controller = started(kept, chosen(setting));
  const picture = pictureOf(controller);
  controller.close();
  return picture;
}

/** The text with all white space replaced by single spaces. */
const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

describe.each(CASES)("%s", (_, kept) => {
  test("its messages are read", () => {
    const group = groupOf(kept);
    expect(group.kind).toBe(kept.kind);
    answersOf(kept, group);
    decoded(decodeGroup(arrived(kept.live), arrived(kept.stops)));
    const curves = decoded(decodeGroup(arrived(kept.curves.data)));
    decoded(decodeFrames(arrived(kept.curves.frame), curves));
    decoded(decodeComparators(arrived(kept.comparators)));
  });

  test("the page computes the kernel’s frames, from alpha’s first stop to its last", () => {
    const group = groupOf(kept);
    for (const { alpha, threshold, frames } of answersOf(kept, group)) {
      group.entries.forEach((entry, i) => {
        const made = frameAt(entry, alpha, threshold);
        if (made === null) throw new Error(`no frame at ${alpha}, only at ${stopsOf(entry)}`);
        expectSameFrame(made, frames[i], entry.whole);
      });
    }
  });

  test("Brier score and log loss have Python’s limits and notes", () => {
    groupOf(kept).entries.forEach(({ losses, margins }, i) => {
      [kept.alpha, ...ENDS].forEach((alpha, j) => {
        const expected = kept.losses[i][j];
        expect(losses === null).toBe(expected === null);
        losses?.forEach((loss, which) => {
          const [numbers, notes] = expected?.[which] ?? [[], []];
          [loss.value, ...limitsOf(loss, alpha)].forEach((found, at) => {
            const wanted = Number(numbers[at]);
            if (Number.isFinite(wanted)) expect(found).toBeCloseTo(wanted, 9);
            else expect(found).toBe(wanted);
          });
          expect([lossNote(loss)].filter((note) => note !== "")).toEqual(
            notes.slice(0, margins ? -1 : undefined),
          );
        });
      });
    });
  });

  test("what is known of a goal is what Python knows", () => {
    groupOf(kept).entries.forEach((entry, i) => {
      expect(goalVerdict(entry, { rate: "npv", least: 0.6 }, 0.2, kept.alpha) === null).toBe(
        kept.goals[i] === null,
      );
      if (entry.simplified) return;
      for (const { rate, least, here, most, limits, ...wanted } of kept.goals[i] ?? []) {
        const found = goalVerdict(entry, { rate, least }, here[0], kept.alpha) as GoalVerdict;
        const where = `${rate} of ${least} at ${here[0]}`;
        const place = (at: Reached | null) => at && [at.threshold, at.k, at.n];
        const { verdict, isOn, price, rows, n } = found;
        expect(
          {
            ...{ verdict, is_on: isOn, rows, n },
            found: place(found.found),
            price: price && [price.what, price.there, price.here],
          },
          where,
        ).toEqual(wanted);
        expect(place(found.here), where).toEqual(here);
        expect(found.most(), where).toBeCloseTo(most, 7);
        expect(found.limits === null, where).toBe(limits === null);
        expectNear([...(found.limits ?? [])], limits ?? [], where, 1e-9);
      }
    });
  });

  test("a paper gets a report in every style, of every view and question", () => {
    kept.settings.forEach((setting, i) => {
      const wanted = kept.reports[i];
      const picture = pictured(kept, setting);
      const { sentences, figures } = reportOf(picture);
      const where = JSON.stringify(setting);
      expect(sentences.length, where).toBeGreaterThan(0);
      // Two sentences for each question, and one for the goal.
      expect(sentences.length, where).toBeLessThanOrEqual(verdictOnGoal(picture) ? 5 : 4);
      if (wanted)
        expect(
          figures.map(({ value, counts, limits }) => [
            value,
            ...(counts ?? [null, null]),
            ...(limits ?? [null, null]),
          ]),
          where,
        ).toEqual(wanted.map((row) => row.map((each) => (each === null ? null : expect.closeTo(each, 6)))));
      if (setting.band === "none") for (const each of figures) expect(each.limits, where).toBeNull();
      for (const style of REPORT_STYLES) {
        const text = reportText(picture, style);
        expect(text, where).not.toMatch(/NaN|undefined|null|\[object|no_/);
        expect(text, where).toMatch(/\d\.\d\d/);
        expect(text, where).not.toMatch(MANY_OF_ONE);
      }
      for (const text of sentences) expect(text, where).toMatch(/\.$/);
    });
  });

  test("limits with more rows are Python’s", () => {
    const rows = [50, 800, 12345];
    groupOf(kept).entries.forEach((entry, i) => {
      expect(kept.more_rows[i] === null).toBe(entry.weighted);
      for (const { rate, value, enough, numbers } of kept.more_rows[i] ?? []) {
        const found = rows.map((each) => moreRows(entry, rate, kept.threshold, kept.alpha, each));
        expect(found[0] === null, rate).toBe(value === null);
        found.forEach((more, j) => {
          if (more === null) return;
          const { limits, least, area } = more;
          const ends = area ?? [null, null];
          expect(ends[0] === null).toBe(numbers[j][3] === null);
          const near = (list: (number | null)[]) => list.filter((each) => each !== null);
          expectNear(near([...limits, least, ...ends]), near(numbers[j]), `${rate} ${rows[j]}`, 1e-8);
        });
        expect(enoughRows(entry, { rate, least: 0.4 }, kept.threshold, kept.alpha)).toBe(enough);
      }
    });
  });

  test("scores are judged as risks as Python judges them", () => {
    groupOf(kept).entries.forEach((entry, i) => {
      const wanted = kept.miscalibration[i];
      if (wanted === null || entry.simplified) return;
      const frame = { alpha: kept.alpha, reliability: null } as Frame;
      const { verdict, stretches } = miscalibration(reliability(entry, frame), entry);
      expect([verdict, stretches.map(({ isHigher }) => isHigher)]).toEqual([
        wanted[0],
        wanted[1].map(([, , isHigher]) => isHigher),
      ]);
      stretches.forEach(({ start, end }, j) => {
        expectNear([start, end], wanted[1][j].slice(0, 2) as number[], "stretch", FOR_PIXELS);
      });
    });
  });

  test("a frame’s limits may be left out where the page is exact", () => {
    const group = groupOf(kept);
    const raw = arrived(kept.frames[0]) as RawFrame;
    const { alpha, threshold, frames } = decoded(decodeFrames(raw, group));
    const isMade = group.entries.map((entry) => entry.whole && frameAt(entry, alpha, threshold) !== null);
    const entries = raw.entries.map((entry, i) => (isMade[i] ? { ...entry, limits: null } : entry));
    decoded(decodeFrames({ ...raw, entries }, group)).frames.forEach(({ limits }, i) => {
      for (const [name, values] of Object.entries(limits))
        expectNear([...values], [...frames[i].limits[name as keyof Limits]], name, 1e-12);
    });
  });

  test("every view and question draws, or is not offered and says why", async () => {
    const controller = started(kept);
    const el = document.body.appendChild(document.createElement("div"));
    const end = createView(controller, el);
    const find = <E extends Element = HTMLElement>(testid: string) =>
      el.querySelector(`[data-testid="${testid}"]`) as E;
    const labels: Json[] = [...new Set([pictureOf(controller).group.entries[0].key, null])];
    await drawn();
    const parts = partsOf(el);
    for (const label of labels) {
      controller.choose({ label, view: "roc", band: "sensitivity" });
      await drawn();
      const views = find<HTMLSelectElement>("views");
      for (const view of VIEW_KINDS) {
        const option = [...views.options].find(({ value }) => value === view) as HTMLOptionElement;
        const { anySize, unlabelled } = pictureOf(controller).evaluation;
        if (view === "reliability" && kept.dependence[0] !== "" && unlabelled === null) {
          expect(option.disabled).toBe(true);
          expect(option.title).toMatch(/^No reliability: /);
          // If several entries are shown together, the tooltip of the list says that one has to be selected.
          expect(views.title).toBe(
            views.disabled
              ? `Look at one ${kept.kind === "folds" ? "fold" : "class"} for another view`
              : option.title,
          );
          continue;
        }
        if (views.disabled && view !== "roc") continue;
        if (option.disabled) {
          // If scores are not probabilities, the list says so beside the view. Other evaluations without this view lack
          // labels.
          expect(unlabelled === null ? OF_RISKS : VIEW_KINDS.slice(1)).toContain(view);
          expect(anySize || unlabelled !== null).toBe(true);
          expect(option.title).not.toBe("");
          continue;
        }
        const bands =
          view === "reliability" ? ["sensitivity" as const] : ["sensitivity" as const, "sampling" as const];
        for (const band of view === "roc" ? BAND_KINDS : bands) {
          controller.choose({ view, band });
          await drawn();
          expectDrawn(parts, pictureOf(controller), kept);
        }
      }
    }
    for (const alpha of [ALPHA_STOPS[0], ALPHA_STOPS[ALPHA_STOPS.length - 1]]) {
      controller.choose({ view: "roc", band: "both" });
      controller.setAlpha(alpha);
      await drawn();
      const { waiting, frame } = pictureOf(controller);
      expect({ waiting, alpha: frame.alpha }).toEqual({ waiting: false, alpha });
      expectDrawn(parts, pictureOf(controller), kept);
    }
    end();
    controller.close();
    el.remove();
  });

  test("every part of the promise is in the fold, and its choice in sight, also once a threshold is picked", async () => {
    const controller = started(kept);
    const el = document.body.appendChild(document.createElement("div"));
    const end = createView(controller, el);
    await drawn();
    const promise = el.querySelector('[data-testid="promise"]') as Element;
    for (const setting of kept.settings) {
      controller.choose(chosen(setting));
      const isSeenAbove = !setting.prevalence && !setting.cost_ratio && !setting.zoom;
      for (const threshold of isSeenAbove ? [0.371] : [kept.threshold, 0.371]) {
        controller.setThreshold(threshold);
        await drawn();
        expect(el.contains(promise)).toBe(true);
        expectPromised(promise, pictureOf(controller), `${JSON.stringify(setting)} ${threshold}`);
      }
    }
    end();
    controller.close();
    el.remove();
  });

  test("what is read at the pointer is the curve under it", () => {
    for (const setting of kept.settings) {
      const shown = pictured(kept, setting);
      // Such a view is offered for no marker, and of large numbers it has no point.
      if (shown.evaluation.anySize && OF_RISKS.includes(shown.view)) continue;
      const view = viewOf(shown);
      const marks = view.marks(shown);
      const curves = marks.flatMap((mark) =>
        mark.kind === "line" && /^curve(-\d+)?$/.test(mark.id) ? [mark] : [],
      );
      const { across, up } = axesOf(shown);
      const at = (share: number, { ends: [low, high] }: typeof up) => low + share * (high - low);
      for (const [x, y] of [
        [0.1, 0.2],
        [0.5, 0.5],
        [0.31, 0.77],
        [1, 1],
      ]) {
        const reading = readingAt(shown, at(x, across), at(y, up));
        if (reading === null && shown.zoom) continue;
        if (reading === null) throw new Error(`nothing is read in ${JSON.stringify(setting)}`);
        expect(Number.isFinite(reading.x) && Number.isFinite(reading.y)).toBe(true);
        const away = Math.min(...curves.map(({ points }) => distance(points, reading.x, reading.y, up.ends)));
        expect(away, `${JSON.stringify(setting)} ${JSON.stringify(reading)}`).toBeLessThan(2e-3);
      }
    }
  });

  test("notes are Python’s, and name classes as the data do", () => {
    const { group, ...shown } = pictured(kept, { label: groupOf(kept).entries[0].key });
    const notes = notesOf({ ...shown, group, source: "kernel" });
    const ofFile = notes.map((note) => ({ ...note, remedy: "" }));
    expect(notesOf({ ...shown, group, source: "static" })).toEqual(ofFile);
    // Python shortens long names.
    for (const note of kept.notes[0].filter(({ fact }) => !fact.includes("…"))) {
      const ofPage = notes.find(({ fact }) => fact.endsWith(note.fact));
      expect({ ...ofPage, fact: note.fact }).toEqual(note);
    }
    const texts = notesOf(pictured(kept, {})).map(({ fact, reason }) => `${fact} ${reason}`);
    for (const text of kept.rare) expect(texts).toContain(text);
    const isPlain = group.entries.every(({ classes }) => classes.join() === "0,1");
    if (!isPlain) for (const note of notes) expect(JSON.stringify(note)).not.toMatch(/\blabel [01]\b/i);
  });
});

test("every sentence that can be said is kept", async () => {
  const said = CASES.flatMap(([name, kept]) =>
    kept.settings.map((setting) => {
      const { prevalence: _, cost_ratio: __, ...rest } = setting;
      const sentence = announced(pictured(kept, setting));
      expect(spaced(sentence)).not.toMatch(MANY_OF_ONE);
      return `${name}, ${JSON.stringify(rest)}: ${sentence}`;
    }),
  );
  if (!process.env.THOROUGH)
    await expect([...new Set(said)].join("\n")).toMatchFileSnapshot("./sentences.txt");
});

/** Views that need probabilities as scores. */
const OF_RISKS: ViewKind[] = ["reliability", "net_benefit"];

/**
 * All settings whose line of Python is checked: each view and question, the other promise if there is one, and choices
 * that only the page has.
 */
function copiedFrom(kept: Case): Partial<Synced>[] {
  // Several entries together have no ideal curve and only one view. Python refuses the others.
  const { kind } = groupOf(kept);
  const isTogether = kind !== "single" && kind !== "horizons";
  const settings: Partial<Synced>[] = kept.settings
    .map(chosen)
    .filter(
      ({ label, band, view }) => !(isTogether && label === null && (band === "ideal" || view !== "roc")),
    );
  const [entry] = groupOf(kept).entries;
  const label = kept.settings[kept.settings.length - 1].label ?? null;
  settings.push({ label, band: "both", page: { ...PAGE, hidden: ["ks"] } });
  for (const { words } of entry.others) {
    // A page without a kernel has no candidates for rates.
    if (words.kind !== "credible") settings.push({ label, guarantee: words.kind });
  }
  return settings;
}

test("Copy as Python, executed, gives the same page", () => {
  const lines = CASES.flatMap(([name, kept], place) => {
    const pages = copiedFrom(kept)
      .map((setting) => {
        const controller = started(kept, setting);
        const alone = pictureOf(controller);
        controller.close();
        return { setting, alone };
      })
      .filter(
        ({ setting, alone: { evaluation, view } }) =>
          (evaluation.unlabelled === null || view === "roc") &&
          !(evaluation.anySize && OF_RISKS.includes(setting.view ?? view)),
      );
    return pages.flatMap(({ setting, alone }, i) => {
      const live = pythonLine({ ...alone, source: "kernel" });
      expect(live, name).toMatch(/ {2}# with your own evaluations?( and truth)?$/);
      const line = pythonLine(alone);
      if (line.includes("from_residuals")) return [[name, setting, line] as const];
      // If a page without a kernel lacks data, its line of Python has a comment that says where they come from.
      expect(line, name).toMatch(/ {2}# ask the author of this page for /);
      expect(line.split("  # ")[0]).toBe(live.split("  # ")[0]);
      // Each case runs one of its settings, so that together they run every setting. The last setting runs in all
      // cases.
      const isRun = i === place % pages.length || "guarantee" in setting;
      // The page uses the case's own band and guarantee, whatever the widget would open with.
      const [{ words, others }] = alone.group.entries;
      const { band } = alone;
      const shown = { ...setting, band, ...(others.length > 0 ? { guarantee: words.kind } : {}) };
      return isRun ? [[name, shown, live] as const] : [];
    });
  });
  const found = execFileSync("python", ["copied_lines.py"], {
    cwd: "../tests",
    encoding: "utf8",
    maxBuffer: 1e8,
    input: JSON.stringify(lines),
  });
  expect(new Set(lines.map(([name]) => name)).size).toBe(CASES.length);
  expect(lines.filter(([, , line]) => line.includes("from_residuals")).length).toBeGreaterThan(10);
  const differing = (JSON.parse(found) as string[][]).map((each, i) => [lines[i][2], ...each]);
  expect(differing.filter(([, ...each]) => each.length > 0)).toEqual([]);
}, 300_000);

/** Checks limits, area and operating point of a frame, and the sentences about them. */
function expectSameFrame(made: Frame, wanted: Frame, isWhole: boolean) {
  const near = isWhole ? 1e-9 : THINNED;
  for (const name of ["fprLower", "fprUpper", "tprLower", "tprUpper"] as const) {
    made.limits[name].forEach((value, i) => {
      expect(Math.abs(value - wanted.limits[name][i]), `${name}[${i}]`).toBeLessThanOrEqual(near);
    });
    expect(Math.abs(made.point[name] - wanted.point[name]), `point.${name}`).toBeLessThanOrEqual(near);
  }
  for (const side of [0, 1] as const) {
    expect(Math.abs(made.auc[side] - wanted.auc[side]), "auc").toBeLessThanOrEqual(
      isWhole ? AUC : 2 * THINNED,
    );
  }
  for (const name of ["tp", "fp", "tn", "fn", "tpr", "fpr"] as const) {
    expect(made.point[name], name).toBeCloseTo(wanted.point[name], 9);
  }
  const statistics = (frame: Frame) => frame.orderStatistics?.flat().map(({ rank }) => rank) ?? null;
  expect(statistics(made)).toEqual(statistics(wanted));
  expect(made.guaranteed).toEqual(wanted.guaranteed);
  expect(made.local).toEqual(wanted.local);
  expect(made.guarantee).toBe(wanted.guarantee);
}

/** A count of one with a plural. */
const MANY_OF_ONE =
  /(?<![\d.,−])(?<!class |label |and )\b1 ((test|calibration|false|true|wrong) )?(rows|people|positives|negatives|points|alarms|thresholds|classes|folds|are|were)\b/i;

/** The mark that each view draws first. */
const CURVES = ["averaged", "pooled", "roc", "precision-recall", "reliability", "net-benefit"];

/**
 * Parts of an opened page that are checked after each change. They are looked up once, because jsdom is slow at
 * selectors.
 */
function partsOf(el: Element) {
  const part = (selector: string) => el.querySelector(selector) as HTMLElement;
  return {
    el,
    plot: part('[data-testid="plot"]'),
    title: part(".crw-title"),
    summary: part(".crw-summary"),
    legend: part(".crw-legend"),
    promise: part('[data-testid="promise"]'),
    question: part('[data-testid="question"] [role="radiogroup"]'),
  };
}

/**
 * Checks that the page has a curve, no error, the number of rows, an answer, the full promise, and the question that
 * the picture answers.
 */
function expectDrawn(
  { el, plot, title, summary, legend, promise, question }: ReturnType<typeof partsOf>,
  picture: Picture,
  kept: Case,
) {
  const points = kept.kind === "folds" && picture.shown !== null ? kept.first : kept.points;
  const where = `${picture.view} ${picture.band} ${picture.shown}`;
  expect(el.getElementsByClassName("crw-error"), where).toHaveLength(0);
  for (const part of [plot, title, summary, legend, promise, question])
    expect(el.contains(part), where).toBe(true);
  const curve = [...plot.querySelectorAll<HTMLElement | SVGElement>("[data-testid]")].find(({ dataset }) =>
    CURVES.includes(dataset.testid ?? ""),
  );
  expect(curve?.getAttribute("d"), where).toMatch(/^M/);
  const awaited = picture.evaluation.unlabelled;
  expect(title.textContent, where).toContain(
    kept.title ??
      `${String(points).replace(/\B(?=(\d{3})+$)/g, ",")} ${awaited === null ? "test rows" : awaited.came > 0 ? "rows, " : "rows without labels"}`,
  );
  expect(summary.textContent, where).toMatch(/\d.%|0\.\d|none of these rows/);
  expect(spaced(el.innerHTML.replace(/<[^>]*>/g, "")), where).not.toMatch(MANY_OF_ONE);
  const { target, scope, guarantee } = promiseOf(picture);
  const said = spaced(legend.textContent ?? "");
  for (const words of [target, scope, guarantee]) expect(said, where).toContain(spaced(words));
  expectPromised(promise, picture, where);
  // Rows without labels have only one question.
  const isAsked = picture.shown === null || (picture.view !== "reliability" && picture.band !== "none");
  expect(question.closest("[hidden], .crw-unseen") === null, where).toBe(
    picture.evaluation.unlabelled === null && isAsked,
  );
  expect(el.textContent, where).not.toMatch(/NaN|undefined|\[object/);
}

/** Checks that the line has the level and the condition, and that the fold has the full promise. */
function expectPromised(promise: Element, picture: Picture, where: string) {
  const { line, guarantee } = promiseOf(picture);
  const seen = spaced(promise.textContent ?? "").toLowerCase();
  for (const part of [line.level, line.condition, guarantee])
    expect(seen, where).toContain(spaced(part).toLowerCase());
  expect(line.condition.split(" ").length, where).toBeLessThanOrEqual(10);
}

/** Distance from a place to a line, with or without steps, as a share of the plot. */
function distance(
  { x, y, step }: { x: Float64Array; y: Float64Array; step: string },
  atX: number,
  atY: number,
  [low, high]: readonly [number, number],
): number {
  const scale = high - low;
  let least = Number.POSITIVE_INFINITY;
  const clamped = (value: number) => Math.min(Math.max(value, low), high);
  for (let i = 0; i < x.length; i++) {
    least = Math.min(least, Math.hypot(x[i] - atX, (clamped(y[i]) - atY) / scale));
    if (i > 0 && step === "across" && x[i - 1] <= atX && atX <= x[i]) {
      least = Math.min(least, Math.abs(y[i - 1] - atY) / scale);
    }
  }
  return least;
}
