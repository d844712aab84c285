import { expect, test } from "vitest";
import type { Picture } from "../../src/sync/view_model.ts";
import { PAGE } from "../../src/wire/messages.ts";
import { pythonLine } from "../../src/words/python_line.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

const lineOf = (call: string, ...names: string[]) =>
  `from conformal_roc_widget import ROCWidget; ${call}  # with your own ${names.join(" and ")}`;

test("a line of Python rebuilds the state", () => {
  expect(pythonLine(pictureOf({ band: "both" }))).toBe(
    lineOf('ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="both")', "evaluation"),
  );
  const overview = overviewPicture("classes", "a", "b");
  expect(pythonLine({ ...overview, weights: "uniform" })).toBe(
    lineOf(
      'ROCWidget(evaluations, alpha=0.05, threshold=0.5, band="sensitivity", weights="uniform")',
      "evaluations",
    ),
  );
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
  expect(pythonLine(pictureOf({ view: "net_benefit", prevalence: 0.1, cost: 8 }))).toBe(
    lineOf(
      'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity", view="net_benefit", prevalence=0.1, ' +
        "cost_ratio=8)",
      "evaluation",
    ),
  );
});

test("what the reader has chosen of the page alone stands in the line", () => {
  expect(pythonLine(pictureOf({ page: { ...PAGE, hidden: ["ks"], alike: true } }))).toContain(
    ', page={"hidden": ("ks",), "arc": True, "alike": True, "sampling": ""})  #',
  );
});

test("the setting of the reader counts, not the frame that is still drawn", () => {
  expect(pythonLine(pictureOf({ wanted: { alpha: 0.2, threshold: 0.123 } }))).toContain(
    "alpha=0.2, threshold=0.123,",
  );
});
