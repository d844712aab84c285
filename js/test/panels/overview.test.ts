import { describe, expect, test } from "vitest";
import { dataTable } from "../../src/chrome/data_table.ts";
import { steps } from "../../src/evaluation/curve_lines.ts";
import { vertexAt } from "../../src/evaluation/observed_curve.ts";
import { confidenceTicks, missingBelow } from "../../src/panels/significance.ts";
import { boxOf, contains } from "../../src/plot/geometry.ts";
import { vertexHit } from "../../src/plot/hover.ts";
import { placeAverageAnnotations } from "../../src/plot/place_annotations.ts";
import {
  averageOf,
  meanWidth,
  readAt,
  readingOf,
  thresholdFor,
  widthTexts,
} from "../../src/sync/overview_numbers.ts";
import { factsOf } from "../../src/words/csv.ts";
import { lastingNotes, passingNotes, settableFrom } from "../../src/words/notes_text.ts";
import { plain, strong } from "../../src/words/runs.ts";
import { entryName, legendOf, nounOfKind, titleOf, wordsOf } from "../../src/words/several_evaluations.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import { float64s, sampleEvaluation, sampleFrame } from "../sample.ts";

function fewPicture(quantiles: number[], n_calibration: number[]) {
  return {
    ...pictureOf({}, { n_calibration }),
    frame: sampleFrame({ quantiles: float64s(quantiles) }),
    frames: [sampleFrame({ quantiles: float64s(quantiles) })],
  };
}

test("the averaged curve is read at the classes' mean FPR", () => {
  const picture = overviewPicture("classes", "a", "b");
  const reading = readingOf(picture);
  expect(reading).toMatchObject({ fpr: 0.4, tpr: 0.75, tprLower: 0.5, tprUpper: 1 });
  expect(averageOf(picture)).toBe(averageOf(picture));
  expect(readAt(averageOf(picture), 7)).toMatchObject({ fpr: 1, tpr: 1 });
});

test("a wish for a mean FPR becomes the smallest threshold that keeps to it", () => {
  const { entries } = overviewPicture("classes", "a", "b").group;
  const meanFpr = (threshold: number) => entries[0].fpr[vertexAt(entries[0].thresholds, threshold)];
  for (const wish of [0, 0.2, 0.3, 0.59, 0.6, 1]) {
    const threshold = thresholdFor(entries, [0.5, 0.5], wish);
    expect(meanFpr(threshold)).toBeLessThanOrEqual(wish);
    if (threshold > 0) expect(meanFpr(threshold - 0.001)).toBeGreaterThan(wish);
  }
});

test("the mean width of a band is the area between its limits", () => {
  const { evaluation, frame } = pictureOf();
  // FPR 0, 0, .2, .4, .6, 1; width 0, .5, .75, .5, .25, 0: each holds until the next FPR.
  expect(meanWidth(evaluation, frame)).toBeCloseTo(0.2 * 0.5 + 0.2 * 0.75 + 0.2 * 0.5 + 0.4 * 0.25, 12);
});

test("widths that two decimals do not tell apart get a third", () => {
  const picture = overviewPicture("classifiers", "a", "b");
  expect(widthTexts(picture).texts).toEqual(["0.450", "0.450"]);
  picture.frames[1].limits.tprLower.fill(0);
  expect(widthTexts(picture).texts).toEqual(["0.45", "0.95"]);
});

test("titles name what is shown", () => {
  const classes = overviewPicture("classes", "3", "eight");
  expect(titleOf(classes, "wide")).toBe("ROC curves of two classes with 95 % conformal bands");
  expect(titleOf(classes, "narrow")).toBe("ROC curves, 95 % bands");
  expect(titleOf({ ...classes, shown: 0 }, "wide")).toBe("Class 3 against the rest, 95 % conformal band");
  expect(titleOf(pictureOf(), "wide")).toBe("ROC curve with 95 % conformal band");
  expect(entryName(classes.group, classes.group.entries[1])).toBe("eight");
});

test("the overview of classes says what is averaged, where and how", () => {
  const picture = overviewPicture("classes", "a", "b");
  expect(wordsOf(picture).sentence).toBe(
    "At false positive rate 0.40, the classes’ mean at threshold 0.50, the sensitivity averaged over two classes " +
      "by size is 0.75. The classes’ 95 % limits, for an ideal model’s sensitivity at the same threshold on these 9 test " +
      "points, average to 0.50 and 1.00.",
  );
  expect(wordsOf({ ...picture, weights: "uniform" }).sentence).toContain("with equal weights");
  expect(legendOf(picture).guarantee).toContain("the average has none of its own");
});

test("the overview of classifiers names the narrowest band", () => {
  const picture = overviewPicture("classifiers", "wide one", "narrow one", "third");
  picture.frames[0].limits.tprLower.fill(0);
  picture.frames[1].limits.tprLower.set(picture.group.entries[1].tpr);
  expect(wordsOf(picture).sentence).toContain(
    "the 95 % conformal band is narrowest for narrow one: 0.20 on average, against 0.45 for third and 0.95 for wide one.",
  );
});

test("of many classifiers the sentence names the one with the narrowest band", () => {
  const picture = overviewPicture("classifiers", "a", "b", "c", "d", "e");
  picture.frames[0].limits.tprLower.fill(0);
  picture.frames[1].limits.tprLower.set(picture.group.entries[1].tpr);
  expect(wordsOf(picture).sentence).toContain(
    "narrowest for b: 0.200 on average, against 0.450 to 0.950 for the others.",
  );
});

test("a guarantee that is not that of every classifier is said of each", () => {
  const picture = overviewPicture("classifiers", "a", "b");
  expect(legendOf(picture).guarantee).toBe(picture.frame.guarantee);
  picture.frames[1].guarantee = "none";
  const both = `a: ${picture.frame.guarantee}; b: none`;
  expect(legendOf(picture).guarantee).toBe(both);
  expect(factsOf(picture)).toContainEqual(["guarantee", both]);
});

describe("one curve under two guarantees", () => {
  const picture = overviewPicture("bands", "individual", "curve");

  test("is called so", () => {
    expect(titleOf(picture, "wide")).toBe("ROC curve with two 95 % conformal bands");
    expect(titleOf(picture, "narrow")).toBe("ROC curve, 95 % bands");
    expect(nounOfKind(picture.group)).toBe("band");
    expect(wordsOf(picture).sentence).toBe(
      "On these 9 test points, the 95 % conformal band is narrowest for individual: 0.450 on average, " +
        "against 0.450 for curve.",
    );
    expect(legendOf(picture).scope).toBe(picture.frame.scope);
  });
});

test("the data table has 21 rows and reads the curve at the smallest threshold that keeps to the FPR", () => {
  const table = dataTable(pictureOf());
  expect(table.rows).toHaveLength(21);
  expect(table.rows[0]).toEqual(["0.00", "0.50", "0.25 to 0.75"]);
  expect(table.rows[7]).toEqual(["0.35", "0.50", "0.25 to 1.00"]);
  expect(table.rows[20]).toEqual(["1.00", "1.00", "1.00 to 1.00"]);
  expect(dataTable(overviewPicture("classes", "a", "b")).columns).toEqual([
    "False positive rate",
    "Mean sensitivity",
    "Mean limits",
  ]);
  expect(dataTable(overviewPicture("classifiers", "a", "b")).columns).toContain("b: Limits");
});

test("the callout tells of the nearest vertex", () => {
  const { evaluation, frame } = pictureOf();
  const curve = { x: evaluation.fpr, y: evaluation.tpr };
  expect(vertexHit(evaluation, frame, curve, 0.38, 0.7)).toMatchObject({
    fpr: 0.4,
    tpr: 0.75,
    title: "λ 0.50",
    rows: [
      { text: "TPR 0.75", limits: "0.50 to 1.00" },
      { text: "FPR 0.40", limits: "0.20 to 0.80" },
    ],
  });
  expect(vertexHit(evaluation, frame, curve, -1, -1).title).toBe("λ above 1");
});

test.each([
  [1 / 13, 0.08],
  [0.05, 0.05],
  [0.013, 0.013],
  [0.5, 0.5],
  [0.51, null],
])("limits that begin at α = %s can be had at %s", (alpha, stop) => {
  expect(settableFrom(alpha)).toBe(stop);
});

test("a missing limit comes with the confidence that gives both; in the overview with its name", () => {
  const picture = fewPicture([-1, 1, -1 / 0, 1], [99, 57]);
  const note = {
    key: "limits 1",
    about: "",
    text: "One limit for class 1 at 95 %. Two limits at 93 % confidence or less, or with 79 points.",
    alpha: 0.07,
  };
  expect(passingNotes(picture)).toEqual([note]);
  const few = fewPicture([-1, 1, -1 / 0, 1 / 0], [99, 5]);
  expect(passingNotes(few)).toEqual([
    {
      ...note,
      text: "No limits for class 1 at 95 %. Two limits with 79 points, a first one with 19.",
      alpha: null,
    },
  ]);
  const overview = overviewPicture("classes", "3", "8");
  const [first] = passingNotes({
    ...overview,
    group: { ...overview.group, entries: [picture.evaluation, overview.group.entries[1]] },
    frames: [picture.frame, overview.frames[1]],
  });
  expect(first.text).toBe(note.text);
});

test("a note that is the same for some classes stands there once", () => {
  const overview = overviewPicture("classes", "3", "8");
  const entries = overview.group.entries.map((entry) => ({ ...entry, notes: ["Label 0 is odd."] }));
  const notes = lastingNotes({ ...overview, group: { ...overview.group, entries } });
  expect(notes.map(({ about, text }) => about + text)).toEqual(["Class 3, Class 8: Class 0 is odd."]);
});

test("a rate outside its own limits says why", () => {
  const picture = pictureOf();
  const point = { ...picture.frame.point, tprUpper: 0.7 };
  const notes = passingNotes({ ...picture, frame: { ...picture.frame, point } });
  expect(notes.map(({ text }) => text)).toEqual([expect.stringContaining("above its own limits")]);
});

test("the alpha track tells where there are no limits and where there is one", () => {
  const [one, other] = ["paper", "split"].map((rule) => sampleEvaluation({ rule }));
  expect(missingBelow([one])).toEqual({ none: 0.01, one: 0.04 });
  expect(missingBelow([other])).toEqual({ none: 0.01, one: 0.01 });
});

test("ticks speak confidence, and leave out a label that would touch another", () => {
  const texts = (width: number) => confidenceTicks(width).map(({ text }) => text);
  expect(texts(344)).toEqual(["99.9 %", "50 %", "95 %", "99 %", "90 %", "80 %"]);
  expect(texts(150)).toEqual(["99.9 %", "50 %", "95 %", "", "", ""]);
});

test("the words of the average stay inside the plot and apart", () => {
  const picture = overviewPicture("classes", "a", "b");
  const { fpr, tpr, tprLower, tprUpper } = averageOf(picture);
  for (const size of [96, 160, 262, 408, 560]) {
    const square = { x0: 32, y0: 26 + size, size };
    const placed = placeAverageAnnotations({
      square,
      curve: steps({ x: fpr, y: tpr }),
      edges: { upper: steps({ x: fpr, y: tprUpper }), lower: steps({ x: fpr, y: tprLower }) },
      reading: readingOf(picture),
      callout: [[strong("0.75"), plain(" at FPR 0.40")], [strong("0.50 to 1.00")]],
      caption: [[strong("95 % limits, averaged")]],
      corner: [[strong("mean AUC 0.85")]],
    });
    if (size >= 160) expect(placed.every(({ box }) => contains(boxOf(square), box))).toBe(true);
  }
});
