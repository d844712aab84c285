// @vitest-environment jsdom
// The four answers below the chart: their texts, and the boxes that they open.

import { beforeEach, expect, test, vi } from "vitest";
import type { Evaluation } from "../../src/evaluation/types.ts";
import { createAnswers } from "../../src/panels/answers/answers.ts";
import { wrongScores } from "../../src/panels/answers/wrong_rows.ts";
import type { Picture } from "../../src/shown/picture.ts";
import type { Controller } from "../../src/sync/controller.ts";
import { calibratedText, enoughText, moreRowsText, wrongText } from "../../src/words/answers.ts";
import { reportText } from "../../src/words/report_styles.ts";
import { endsText, stretchText } from "../../src/words/verdict.ts";
import { drawn } from "../page.ts";
import { pictureOf } from "../picture.ts";
import { float64s } from "../sample.ts";

/** An example: at 0.5, 62 of 73 positives are found, with 7 false alarms among 127 negatives. */
function example(more: Partial<Picture> = {}): Picture {
  const picture = pictureOf();
  const evaluation: Evaluation = {
    ...picture.evaluation,
    nTest: [127, 73],
    nRows: [127, 73],
    unit: 1,
    selectable: true,
    thresholds: Float64Array.of(Number.POSITIVE_INFINITY, 0.9, 0.7, 0.2, 0.1),
    truePositives: Float64Array.of(0, 62, 62, 71, 73),
    falsePositives: Float64Array.of(0, 0, 7, 28, 127),
    auc: 0.971,
    area: { variance: 1.2e-4, rows: 73 },
  };
  const point = { ...picture.frame.point, tp: 62, fn: 11, fp: 7, tn: 120, tpr: 62 / 73, fpr: 7 / 127 };
  const frame = { ...picture.frame, alpha: 0.05, threshold: 0.5, point };
  const group = { ...picture.group, entries: [evaluation] };
  const wanted = { alpha: 0.05, threshold: 0.5 };
  return { ...picture, evaluation, frame, group, frames: [frame], wanted, ...more };
}

const asked = { choose: vi.fn(), select: vi.fn() };
let element: HTMLElement;
let show: (picture: Picture) => void;

beforeEach(() => {
  asked.choose.mockClear();
  asked.select.mockClear();
  const made = createAnswers(asked as unknown as Controller, new AbortController().signal);
  element = document.body.appendChild(made.element);
  show = (picture) => made.draw(picture, "wide");
});

const find = (name: string) => element.querySelector(`[data-testid="${name}"]`) as HTMLElement;
const press = (name: string) => find(`answer-${name}`).click();
const said = () => (element.textContent ?? "").replaceAll("\u00a0", " ");

test("four times the rows are said first, and a slider has any number of them", () => {
  expect(moreRowsText(example())).toBe("With 800 test rows, limits of sensitivity would be about 80 to 89 %");
  expect(moreRowsText(example({ noun: "tumours" }))).toContain("800 test tumours");
  show(example());
  press("rows");
  const slider = find("more-rows") as HTMLInputElement;
  expect(slider.getAttribute("aria-valuetext")).toBe("800 rows");
  expect(said()).toContain("With 800 rows, limits of sensitivity would be about 80 to 89 %, AUC about");
  expect(said()).toContain("At threshold 0.50 no number of rows shows that sensitivity is at least 90 %");
  slider.value = "0";
  slider.dispatchEvent(new Event("input"));
  expect(said()).toContain("With 200 rows, limits of sensitivity would be about 75 to 92 %");
});

test("at the goal's own threshold one limit is said, and rows that would do for another goal", () => {
  const at = example();
  const frame = { ...at.frame, threshold: 0.2 };
  expect(moreRowsText({ ...at, frame, wanted: { alpha: 0.05, threshold: 0.2 } })).toBe(
    "With 800 test rows, limits of sensitivity would be at least about 95 %",
  );
  expect(enoughText({ ...at, frame })).toBe(
    "At threshold 0.20 these 200 rows show that sensitivity is at least 90 %.",
  );
  expect(enoughText({ ...at, frame, goal: { sensitivity: 0.96 } })).toMatch(
    /^At threshold 0.20 [\d,]+ rows would do to show that sensitivity is at least 96 %: with so many, about every second/,
  );
  expect(enoughText({ ...at, goal: null })).toBe("");
});

test("wrong rows are selected in a notebook, with the line that has them; on a page there are their scores", () => {
  expect(wrongText(example())).toBe("See the 18 wrong rows: 11 missed, 7 false alarms");
  show(example({ source: "kernel" }));
  press("wrong");
  expect(asked.select).toHaveBeenCalledExactlyOnceWith("wrong");
  expect(element.querySelector("input")?.value).toBe('rows = widget.evaluation.rows_of("wrong", 0.5)');
  show(example({ source: "static" }));
  expect(element.querySelector("input")).toBeNull();
  expect(said()).toMatch(/11 .*, not called .*\. Scores: 0\.20, 0\.20/);
  expect(said()).toMatch(/7 .*, called .*\. Scores: 0\.70/);
  expect(wrongScores(example().evaluation, 1, 0.5)).toEqual([...Array(9).fill(0.2), 0.1, 0.1]);
});

test("nothing wrong, curves alone and classes together have no rows to see", () => {
  const none = example();
  const thresholds = none.evaluation.thresholds.map((_, i) => (i === 0 ? 1 / 0 : 0.4 - 0.01 * i));
  const called = { fp: thresholds.map(() => 0), tp: thresholds.map(() => none.evaluation.nRows[1]) };
  expect(wrongText({ ...none, evaluation: { ...none.evaluation, called } })).toBe("");
  expect(wrongText({ ...none, evaluation: { ...none.evaluation, curves: [] } })).toBe("");
  expect(wrongText({ ...none, shown: null })).toBe("");
  expect(moreRowsText({ ...none, evaluation: { ...none.evaluation, weighted: true } })).toBe("");
});

test("the verdict on the scores is one line, and opens the reliability", () => {
  const bounds = (lower: number[], upper: number[]) => ({
    ...{
      first: float64s([0.1, 0.2, 0.7, 0.9]),
      last: float64s([0.1, 0.2, 0.7, 0.9]),
      isotonic: float64s([0, 0, 1, 1]),
    },
    stops: [{ alpha: 0.05, lower: Float64Array.from(lower), upper: Float64Array.from(upper) }],
  });
  const of = (lower: number[], upper: number[]) => {
    const made = example({ offered: { ideal: true, sampling: true, reliability: true } });
    const values = bounds(lower, upper);
    const reliability = {
      ...values,
      ...{ first: Float64Array.of(0.1, 0.2, 0.7, 0.9), last: Float64Array.of(0.1, 0.2, 0.7, 0.9) },
      isotonic: Float64Array.of(0, 0, 1, 1),
    };
    return { ...made, evaluation: { ...made.evaluation, reliability } } as Picture;
  };
  const texts = [
    [
      [0, 0, 0.3, 0.6],
      [0.4, 0.5, 1, 1],
      "Calibrated? 200 rows show no miscalibration (95 % calibration band)",
    ],
    [
      [0, 0, 0.3, 0.6],
      [0.05, 0.15, 1, 1],
      "Calibrated? Scores run too high between 0.15 and 0.20 (95 % calibration band)",
    ],
    [
      [0, 0, 0.8, 0.8],
      [0.4, 0.5, 1, 1],
      "Calibrated? Scores run too low between 0.70 and 0.80 (95 % calibration band)",
    ],
    [[0, 0, 0, 0.1], [0.9, 0.9, 1, 1], "Calibrated? These rows are too few to tell"],
    [[0, 0.6, 0.6, 0.6], [0.4, 0.5, 1, 1], "Calibrated? A higher score does not mean a higher risk"],
  ] as const;
  for (const [lower, upper, text] of texts) expect(calibratedText(of([...lower], [...upper]))).toBe(text);
  const margins = example();
  expect(calibratedText({ ...margins, evaluation: { ...margins.evaluation, margins: true } })).toBe(
    "These scores are no risks",
  );
  show(of([0, 0, 0.3, 0.6], [0.4, 0.5, 1, 1]));
  press("calibrated");
  expect(asked.choose).toHaveBeenCalledExactlyOnceWith({ view: "reliability" });
});

test("a report is copied in each style; where the clipboard is shut its text is shown", async () => {
  const written: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void written.push(text) } });
  const picture = example();
  show(picture);
  press("paper");
  expect(find("report").textContent).toBe(reportText(picture, "text"));
  for (const style of ["text", "table", "latex"] as const) {
    find(`report-${style}`).click();
    await drawn();
    expect(written.pop()).toBe(reportText(picture, style));
    expect(find(`report-${style}`).textContent).toBe("Copied");
  }
  vi.stubGlobal("navigator", {});
  find("report-latex").click();
  await drawn();
  expect(find("report").textContent).toBe(reportText(picture, "latex"));
  vi.unstubAllGlobals();
});

test("one answer is open at a time, and a curve to guess from has none", () => {
  show(example());
  press("rows");
  expect(find("answer-rows").getAttribute("aria-expanded")).toBe("true");
  press("paper");
  expect(find("answer-rows").getAttribute("aria-expanded")).toBe("false");
  expect(element.querySelector(".crw-more-rows")).toBeNull();
  press("paper");
  expect(element.querySelector(".crw-for-paper")?.closest("[hidden]")).not.toBeNull();
  show(example({ band: "none" }));
  expect(element.hidden).toBe(true);
});

test("a range of scores has the same ends in the answer as beside the main sentence", () => {
  for (const range of [
    { start: 0.2714, end: 0.2823, isHigher: true },
    { start: 0.01234, end: 0.4567, isHigher: false },
  ])
    expect(stretchText(range).toLowerCase()).toContain(`${endsText(range)} they`);
  expect(endsText({ start: 0.2714, end: 0.2823, isHigher: true })).toBe("between 0.27 and 0.28");
  expect(endsText({ start: 0.2714, end: 0.2723, isHigher: true })).toBe("between 0.271 and 0.272");
  expect(endsText({ start: 0.5, end: 0.5, isHigher: true })).toBe("at 0.50");
});
