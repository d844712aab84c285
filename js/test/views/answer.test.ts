import { expect, test } from "vitest";
import { operatingPointAt, rowsInCells } from "../../src/evaluation/at_alpha.ts";
import { verdictOnGoal } from "../../src/shown/goal.ts";
import type { Picture } from "../../src/shown/picture.ts";
import { saysLittle } from "../../src/shown/says_little.ts";
import { announced, answerOf, spokenAnswer, textOf } from "../../src/views/answer.ts";
import { goalText, limitsBeside } from "../../src/words/goal.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import { float64s, sampleEvaluation, sampleFrame } from "../sample.ts";

const lead = (of: Picture) => textOf(answerOf(of).lead);
const meaning = (of: Picture) => textOf(answerOf(of).meaning);
/** An evaluation like the sample, but with informative bands. */
const narrow = { residuals: [0, 1].map(() => ({ n: 99, values: spread(99, 0.2), stops: null })) };
function spread(n: number, width: number) {
  return float64s(Array.from({ length: n }, (_, i) => width * (i / (n - 1) - 0.5)));
}
const picture = pictureOf({}, { classes: ["well", "ill"], n_calibration: [99, 99], ...narrow });
const sampled = { ...picture, band: "sampling" as const };

test("how sure: the rate here and in all rows like these, each with its owner", () => {
  // Three of four positives are called positive. Clopper and Pearson's limits for 3 of 4 are 0.194 and 0.994.
  expect(lead(sampled)).toBe(
    "At threshold 0.50 it finds 75 % of 4 ill rows, and 19 to 99.4 % of all ill rows like these (95 % sure).",
  );
  expect(lead({ ...sampled, noun: "people" })).toContain("of 4 ill people");
  expect(lead({ ...sampled, goal: { specificity: 0.9 } })).toMatch(
    /it clears 60 % of 5 well rows, and 15 to 95 %/,
  );
  const plain = pictureOf({ band: "sampling" });
  expect(lead(plain)).toContain("of 4 positives, and 19 to 99.4 % of all positives like these");
  expect(lead({ ...sampled, picked: true })).toContain("(95 % sure, for a threshold picked beforehand).");
});

test("rows with weights of which nobody knows the limits have none", () => {
  const evaluation = { ...picture.evaluation, weighted: true };
  expect(lead({ ...sampled, evaluation })).toContain("; limits for all like these are being made.");
  expect(lead({ ...sampled, evaluation, source: "static" })).toContain("are not known here.");
});

test("the true risks: how many of these rows have one beyond the threshold, in the same words whatever is drawn", () => {
  expect(lead(picture)).toBe(
    "At threshold 0.50 it finds 75 % of 4 ill rows; 50 to 100 % of them have " +
      "a true risk (real probability) of 0.50 or more (95 % sure).",
  );
  expect(lead({ ...picture, band: "both" })).toBe(lead(picture));
  expect(lead({ ...picture, band: "specificity" })).toBe(
    "At threshold 0.50 it clears 60 % of 5 well rows; 20 to 80 % of them have " +
      "a true risk (real probability) below 0.50 (95 % sure).",
  );
  const without = sampleFrame({ quantiles: float64s([-1, 1, -1 / 0, 1 / 0]) });
  expect(lead({ ...picture, frame: without })).toContain(
    "nothing bounds what the true risks themselves would find.",
  );
  const frame = { ...picture.frame, model: "recalibration" as const };
  expect(lead({ ...picture, frame })).toContain("of them have a true risk (given the score) of 0.50 or more");
  expect(lead({ ...picture, frame: { ...picture.frame, kind: "none" as const } })).toContain(
    "(no level is promised).",
  );
});

test("the verdict has thresholds and no two negatives, and few rows tell nothing", () => {
  const everywhere = { ...picture.frame, kind: "everywhere" as const };
  expect(meaning({ ...picture, frame: everywhere })).toBe("At 0.50 the scores may be the true risks.");
  const { limits } = everywhere;
  const below = { ...limits, tprUpper: limits.tprUpper.map((each, i) => (i === 3 ? 0.6 : each)) };
  expect(meaning({ ...picture, frame: { ...everywhere, limits: below } })).toBe(
    "At 0.50 the scores are higher than the true risks. Between 0.30 and 0.50 they are higher than the true risks.",
  );
  const wide = pictureOf({}, { classes: ["well", "ill"] });
  expect(saysLittle(wide.evaluation)).toBe(true);
  expect(meaning({ ...wide, frame: everywhere })).toBe("These rows are too few to tell.");
  expect(saysLittle(sampleEvaluation(narrow))).toBe(false);
  const evaluation = { ...picture.evaluation, simultaneous: true };
  const frame = { ...picture.frame, notes: ["The labels refute it."] };
  expect(meaning({ ...picture, evaluation, frame })).toContain("the band promises nothing");
});

test("a long name leaves the numbers of a sentence their room", () => {
  const long = "logistic regression, strongly regularized";
  const picture = overviewPicture("classifiers", long, "b");
  const looked = { shown: 0, evaluation: picture.group.entries[0], frame: picture.frames[0] };
  expect(lead({ ...picture, ...looked })).toContain("logistic r…gularized finds 75 %, b 75 %");
});

/** 80 positives and 60 negatives, with the number of called positives at each threshold. */
const goalOf = (tp: number[], fp: number[], goal: Picture["goal"], threshold = 0.5) => {
  const { evaluation, ...rest } = pictureOf({ band: "sampling", goal, wanted: { alpha: 0.05, threshold } });
  const counts = (each: number[]) => Float64Array.from(each);
  return {
    ...rest,
    evaluation: {
      ...evaluation,
      ...{ nTest: [60, 80] as const, nRows: [60, 80] as const },
      thresholds: Float64Array.from([1 / 0, 0.9, 0.5, 0.3, 0.1]),
      ...{ truePositives: counts(tp), falsePositives: counts(fp) },
      ...{ tpr: counts(tp).map((each) => each / 80), fpr: counts(fp).map((each) => each / 60) },
    },
  } as Picture;
};

test("a goal of the specificity turns the sentence of several to it", () => {
  const asked = { band: "sampling", goal: { specificity: 0.9 } } as const;
  const classes = { ...overviewPicture("classes", "a", "b"), ...asked };
  expect(lead(classes)).toMatch(/class by class its specificity is 60 % on average; .*Lowest: a, 60 %\./);
  expect(lead({ ...classes, goal: null })).toMatch(
    /class by class it finds 75 % on average; .*Fewest: a, 75 %\./,
  );
  const classifiers = { ...overviewPicture("classifiers", "a", "b"), ...asked, shown: 0 };
  expect(lead(classifiers)).toContain("a clears 60 %, b 60 %;");
  expect(lead({ ...classifiers, goal: null })).toContain("a finds 75 %, b 75 %;");
  const populations = { ...overviewPicture("populations", "a", "b"), ...asked, shown: 0 };
  expect(lead(populations)).toMatch(/it clears 0 percentage points more of a than of b/);
  expect(lead({ ...populations, band: "specificity" })).toMatch(/would clear/);
});

test("of several that are compared, numbers of the one that is looked at begin with its name", () => {
  for (const kind of ["classifiers", "populations", "samples", "bands"] as const) {
    const picture = { ...overviewPicture(kind, "here", "there"), shown: 0 };
    const goal = { sensitivity: 0.9 };
    expect(lead({ ...picture, view: "precision_recall" }), kind).toMatch(/^here: At threshold/i);
    expect(lead({ ...picture, band: "none" }), kind).toMatch(/^here: At threshold/i);
    expect(goalText({ ...picture, goal }), kind).toMatch(/^here: No threshold can promise/i);
  }
  const compared = { ...overviewPicture("classifiers", "here", "there"), shown: 0 };
  expect(lead(compared)).toMatch(/^At threshold 0.50 here finds 75 %, there 75 %;/);
  expect(meaning(compared)).toMatch(/^here: At threshold 0.50 it finds 75 % of 4/);
  for (const kind of ["classes", "folds"] as const)
    expect(lead({ ...overviewPicture(kind, "here", "there"), shown: 0 }), kind).not.toMatch(/^here/);
  expect(lead(picture)).toMatch(/^At threshold/);
});

test("a goal of a rate that has no number of rows of its own counts all rows", () => {
  const rows = (goal: Picture["goal"]) => goalText({ ...sampled, goal });
  expect(rows({ sensitivity: 0.99 })).toMatch(/^No threshold can promise that with 4 ill rows; the most is/);
  expect(rows({ specificity: 0.99 })).toMatch(/^No threshold can promise that with 5 well rows; the most is/);
  for (const rate of ["precision", "npv", "accuracy"])
    expect(rows({ [rate]: 0.99 } as Picture["goal"]), rate).toMatch(
      /^No threshold can promise (that with 9 rows; the most is|anything with 9 rows\.)/,
    );
});

test("a gap without limits says what they need, or that they are not known here", () => {
  const populations = { ...overviewPicture("populations", "a", "b"), shown: 0 };
  const like = (changes: object) => ({
    ...populations,
    group: { ...populations.group, entries: populations.group.entries.map((e) => ({ ...e, ...changes })) },
  });
  expect(lead({ ...like({ weighted: true }), band: "sampling" })).toMatch(
    /more of a than of b; limits for all like these need independent rows of equal weight\.$/,
  );
  expect(lead({ ...like({ centres: null }), band: "sensitivity" })).toMatch(
    /more of a than of b; how much more .* would find is not known here\.$/,
  );
});

test("the goal is not assured, assured at another threshold with its price, kept here, or impossible", () => {
  const counts = [
    [0, 40, 68, 79, 80],
    [0, 1, 4, 12, 60],
  ] as const;
  const wanted = { sensitivity: 0.9 };
  expect(goalText(goalOf([...counts[0]], [...counts[1]], wanted))).toBe(
    "At 0.50 that is not assured: 75 to 92 % includes values below 90 %. At 0.30 it finds 99 % here, and at least 90 % of all positives like these " +
      "(still 95 % sure although picked on these rows; one-sided tolerance limit, Wilks 1941). Price: 12 false alarms instead of 4 in 60 negatives.",
  );
  const kept = goalOf([...counts[0]], [...counts[1]], wanted, 0.3);
  expect(goalText(kept)).toBe(
    "It does (still 95 % sure although picked on these rows; one-sided tolerance limit, Wilks 1941). Price: 12 false alarms in 60 negatives.",
  );
  // At the goal's own threshold the sentence gives only the goal's limit.
  expect(lead({ ...kept, frame: { ...kept.frame, threshold: 0.3 } })).toContain(
    "and at least 90 % of all positives like these",
  );
  expect(goalText(goalOf([...counts[0]], [...counts[1]], { sensitivity: 0.97 }))).toBe(
    "No threshold can promise that with 80 positives; the most is 96 %.",
  );
  expect(goalText(goalOf([...counts[0]], [...counts[1]], null))).toBe("");
  expect(announced(kept)).toContain("It does (still 95 % sure");
  const weighted = { ...kept, evaluation: { ...kept.evaluation, weighted: true } };
  expect(goalText(weighted)).toBe("Rows do not count alike: no threshold can promise it.");
});

/** The first percentage in a text. */
const numberIn = (text: string) => Number(/[\d.]+/.exec(text)?.[0]);

test("at every threshold the goal and the limits beside it agree", () => {
  const tp = [0, 40, 68, 79, 80];
  const fp = [0, 1, 4, 12, 60];
  const rates = ["sensitivity", "specificity", "precision"] as const;
  const wishes = rates.flatMap((rate) =>
    [0.3, 0.6, 0.8, 0.85, 0.9, 0.95].map((least) => [rate, least] as const),
  );
  const said = wishes.flatMap(([rate, least]) =>
    [0.9, 0.5, 0.3, 0.2, 0.1].map((threshold) => {
      const made = goalOf(tp, fp, { [rate]: least }, threshold);
      const point = operatingPointAt(made.evaluation, { ...made.frame, threshold: -1 }, threshold);
      const frame = { ...made.frame, threshold, point };
      const view = rate === "precision" ? "precision_recall" : "roc";
      const at = { ...made, frame, view } as Picture;
      const verdict = verdictOnGoal(at)?.verdict;
      const limits = / and (.*) of all .* like these/.exec(lead(at))?.[1] ?? "";
      if (verdict === "kept")
        expect(numberIn(limits), `${rate} ${least} at ${threshold}`).toBeGreaterThanOrEqual(
          100 * least - 1e-9,
        );
      if (verdict === "missed") expect(limits).not.toContain("at least");
      if (verdict !== "kept" && goalText(at).includes("includes values below"))
        expect(numberIn(/: ([\d.]+) to/.exec(goalText(at))?.[1] ?? "")).toBeLessThan(100 * least);
      return verdict;
    }),
  );
  expect(new Set(said)).toEqual(new Set(["kept", "missed", "open"]));
});

test("a goal that is kept below its own threshold has its one limit there, too", () => {
  // At 0.3, 77 of 80 positives are found. The two-sided lower limit is 89 %, the one-sided one is above 90 %.
  const at = goalOf([0, 40, 77, 77, 80], [0, 1, 4, 12, 60], { sensitivity: 0.9 }, 0.3);
  const point = operatingPointAt(at.evaluation, { ...at.frame, threshold: -1 }, 0.3);
  const shown = { ...at, frame: { ...at.frame, threshold: 0.3, point } };
  expect(verdictOnGoal(shown)).toMatchObject({ isOn: false, verdict: "kept", limits: null });
  expect(lead(shown)).toContain("and at least 90 % of all positives like these (95 % sure)");
  expect(goalText(shown)).toContain("It does (still 95 % sure");
});

test("limits below the goal never read as the goal", () => {
  // Clopper and Pearson's limits for 72 of 80 are .8124 and .9558.
  const near = goalOf([0, 40, 72, 79, 80], [0, 1, 4, 12, 60], { sensitivity: 0.96 });
  expect(goalText(near)).toContain("At 0.50 it is missed: 81 to 95.5 % is less.");
  expect(limitsBeside([0.8958, 0.9558], 0.9)).toBe("89.5 to 96 %");
});

test("rows with weights are counted, and their rates are said to be weighted", () => {
  const called = { fp: Float64Array.of(0, 0, 1, 2, 3, 5), tp: Float64Array.of(0, 2, 2, 3, 4, 4) };
  const evaluation = { ...picture.evaluation, weighted: true, called, nTest: [50, 40] as const };
  expect(lead({ ...sampled, evaluation, view: "precision_recall" })).toMatch(
    /^At threshold 0\.50, 60 % \(weighted\) of the 5 rows called ill are/,
  );
  expect(lead({ ...sampled, evaluation })).toMatch(/finds 75 % \(weighted\) of 4 ill rows/);
  expect(rowsInCells(evaluation, 0.5)).toEqual({ tp: 3, fn: 1, fp: 2, tn: 3 });
  expect(rowsInCells(evaluation, 0.3)).toEqual({ tp: 4, fn: 0, fp: 3, tn: 2 });
});

test("what nothing bounds is never worded as a limit", () => {
  const quantiles = float64s([-1 / 0, 1 / 0, -1 / 0, 1 / 0]);
  const frame = sampleFrame({ quantiles });
  for (const view of ["roc", "precision_recall", "net_benefit"] as const) {
    expect(spokenAnswer({ ...picture, frame, view })).toContain("nothing bounds");
    expect(spokenAnswer({ ...picture, frame, view })).not.toMatch(/sure|no limits|guarantee/);
  }
});

test("an area above the middle of the best possible one's: luck, or the estimate is low", () => {
  const table = { fpr: float64s([0, 1]) };
  const of = (auc: [number, number]) =>
    meaning({
      ...picture,
      view: "roc",
      band: "ideal",
      ideal: { table, auc, gain: [0, 0.1] },
    } as unknown as Picture);
  expect(of([picture.evaluation.auc - 0.2, picture.evaluation.auc + 0.1])).toMatch(
    /is luck, or the estimate is low/,
  );
  expect(of([picture.evaluation.auc - 0.1, picture.evaluation.auc + 0.2])).toBe("");
});
