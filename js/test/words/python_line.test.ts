import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { PAGE } from "../../src/wire/controls.ts";
import { floatOf, pythonLine } from "../../src/words/python_line.ts";
import { compared, rawComparator } from "../compared.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import { float64s } from "../sample.ts";

const lineOf = (call: string, ...names: string[]) =>
  `from conformal_roc_widget import ROCWidget; ${call}  # with your own ${names.join(" and ")}`;

test("a line of Python rebuilds the state", () => {
  expect(pythonLine(pictureOf({ band: "both" }))).toBe(
    lineOf('ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="both")', "evaluation"),
  );
  const overview = overviewPicture("classes", "a", "b");
  expect(pythonLine({ ...overview, weights: "uniform" })).toBe(
    lineOf(
      'ROCWidget(evaluations, alpha=0.05, threshold=0.5, band="sensitivity", kind="classes", weights="uniform")',
      "evaluations",
    ),
  );
});

test("a number beyond 2^53 is written as a float", () => {
  expect([0.42, 150, 2 ** 62 + 25 * 1024, -1e20].map(floatOf)).toEqual([
    ...["0.42", "150", "4.611686018427414e+18", "-1e+20"],
  ]);
});

test("the kind of several evaluations, and the name of one, are said", () => {
  for (const kind of ["classifiers", "populations", "samples"] as const)
    expect(pythonLine(overviewPicture(kind, "a", "b"))).toContain(`, kind="${kind}"`);
  for (const kind of ["folds", "bands"] as const)
    expect(pythonLine(overviewPicture(kind, "a", "b"))).not.toContain("kind=");
  const { group, ...rest } = pictureOf();
  expect(pythonLine({ ...rest, group: { ...group, title: "my model" } })).toContain(', name="my model")');
});

test.each([
  ['a "b" \\ c\n', String.raw`"a \"b\" \\ c\n"`],
  ["line\u2028end", String.raw`"line\u2028end"`],
  [3, "3"],
  [true, "True"],
])("the label %j is written as Python reads it", (label, written) => {
  const overview = overviewPicture("classes", "a", "b");
  const entries = [{ ...overview.group.entries[0], key: label }, overview.group.entries[1]];
  const picture: Picture = { ...overview, group: { kind: "classes", entries, folds: null }, shown: 0 };
  expect(pythonLine(picture)).toContain(`, label=${written})  #`);
});

test("view and use stand in the line where they are set", () => {
  expect(pythonLine(pictureOf({ view: "net_benefit", prevalence: 0.1, cost_ratio: 8 }))).toBe(
    lineOf(
      'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity", view="net_benefit", prevalence=0.1, ' +
        "cost_ratio=8)",
      "evaluation",
    ),
  );
});

test("a goal that is not the first one, or none, and the rows' name stand in the line", () => {
  expect(pythonLine(pictureOf({ goal: { npv: 0.8 }, noun: "tumours" }))).toContain(
    ', goal={"npv": 0.8}, noun="tumours")  #',
  );
  expect(pythonLine(pictureOf({ goal: null }))).toContain(", goal=None)  #");
});

test("what the reader has chosen of the page alone stands in the line", () => {
  expect(pythonLine(pictureOf({ page: { ...PAGE, hidden: ["ks"], alike: true } }))).toContain(
    ', page={"hidden": ["ks"], "arc": True, "alike": True, "sampling": "", "reveal": True})  #',
  );
});

const static_ = { source: "static" } as const;
const residuals = (...values: number[]) => ({
  n: values.length,
  values: float64s(values),
  stops: null,
});
const SMALL = {
  remade: true,
  n_calibration: [2, 3],
  residuals: [residuals(-1, 0.5), residuals(Number.NEGATIVE_INFINITY, 0, 2)],
};

test("a page alone holds its data in the line, where they are small", () => {
  expect(pythonLine(pictureOf(static_, SMALL))).toBe(
    "from conformal_roc_widget import ROCWidget, RocEvaluation; " +
      'evaluation = RocEvaluation.from_residuals({0: [-1, 0.5], 1: [float("-Infinity"), 0, 2]}, ' +
      "[1] * 4 + [0] * 5, [0.9, 0.9, 0.5, 0.3, 0.7, 0.5, 0.3, 0.1, 0.1]); " +
      'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity")',
  );
  expect(pythonLine(pictureOf(static_, { ...SMALL, classes: ["no", "1.5"] }))).toContain(
    '["1.5"] * 4 + ["no"] * 5',
  );
});

test("an evaluation of which residuals are not all is not written from them: its promise and notes would be others", () => {
  expect(pythonLine(pictureOf(static_, { ...SMALL, remade: false }))).toMatch(
    /# ask the author of this page for evaluation/,
  );
});

test("a band that is there for the question of more test data alone is not laid over in Python", () => {
  const laid = compared(rawComparator());
  expect(pythonLine(laid)).toContain('comparators=["bootstrap"]');
  expect(pythonLine(compared(rawComparator({ laid: false })))).not.toContain("comparators");
});

test("else it names what to ask the author for", () => {
  const many = Array.from({ length: 1000 }, (_, i) => i / 999);
  const large = { ...SMALL, n_calibration: [2, 1000], residuals: [residuals(-1, 0.5), residuals(...many)] };
  expect(pythonLine(pictureOf(static_, large))).toBe(
    'from conformal_roc_widget import ROCWidget; ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity")  ' +
      "# ask the author of this page for evaluation, or for the fitted ConformalROC, X_test and y_test, for its evaluate",
  );
  const overview = { ...overviewPicture("classes", "a", "b"), ...static_ };
  expect(pythonLine(overview)).toMatch(/# ask the author of this page for evaluations, or .*evaluate_all$/);
});

test("the setting of the reader counts, not the frame that is still drawn", () => {
  expect(pythonLine(pictureOf({ wanted: { alpha: 0.2, threshold: 0.123 } }))).toContain(
    "alpha=0.2, threshold=0.123,",
  );
});
