// @vitest-environment jsdom
// Several classes or classifiers at once: their average, their curves, their table.

import { expect, test } from "vitest";
import { press } from "../keys.ts";
import { CLASSES, find, isSeen, model, onPlot, open, pointer, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { float32s, rawFrames, rawGroup } from "../sample.ts";

prepareBrowser();

test("several classes open as their average, and a press on one of them shows it", async () => {
  await open(CLASSES);
  expect(root.dataset.view).toBe("overview");
  expect(root.querySelector("h2")?.textContent).toBe(
    "ROC curves of two classes with 95\u00a0% conformal bands",
  );
  expect(find("averaged").getAttribute("d")).toMatch(/^M/);
  expect(find("roc")).toBeNull();
  find("small-multiple-1").click();
  await drawn();
  expect(model.get("label")).toBe("8");
  expect(root.dataset.view).toBe("entry");
  expect(find("roc")).not.toBeNull();
  const [average] = find("picker").querySelectorAll("input");
  average.click();
  await drawn();
  expect(model.get("label")).toBeNull();
  expect(root.dataset.view).toBe("overview");
});

test("weights are chosen where classes are averaged", async () => {
  await open(CLASSES);
  root.querySelector<HTMLInputElement>('input[value="uniform"]')?.click();
  await drawn();
  expect(model.get("weights")).toBe("uniform");
  expect(root.textContent).toContain("the two classes, with equal weights, average");
});

test("classifiers on the same points have a curve, a band and a row each", async () => {
  await open({ _data: { ...rawGroup("a", "b"), kind: "classifiers" }, _frame: rawFrames(2) });
  expect(find("curve-0").querySelectorAll("path[d^=M]")).toHaveLength(3);
  expect(find("curve-1").querySelector(".crw-curve")?.getAttribute("class")).toContain("crw-series1");
  expect(root.querySelectorAll(".crw-several:not(.crw-cuts) tbody tr")).toHaveLength(2);
  expect(isSeen(root.querySelector(".crw-multiples") as Element)).toBe(false);
});

test("of several classifiers the band that is looked at has a fill, and no other", async () => {
  const group = { ...rawGroup("a", "b", "c", "d", "e"), kind: "classifiers" };
  await open({ _data: group, _frame: rawFrames(5) });
  expect(find("curve-0").parentElement?.getAttribute("class")).toBe("crw-crossing");
  const lookedAt = () =>
    [...root.querySelectorAll(".crw-looked-at")].map((each) => each.getAttribute("data-testid"));
  expect(lookedAt()).toEqual(["curve-0"]);
  pointer(find("plot"), "pointermove", onPlot(0.4, 0.75));
  await drawn();
  expect(lookedAt()).toHaveLength(1);
  const [name] = root.querySelectorAll(".crw-plot .crw-strong");
  expect(lookedAt()).toEqual([`curve-${"abcde".indexOf(name.textContent ?? "")}`]);
  pointer(find("plot"), "pointerleave", onPlot(0.4, 0.75));
  await drawn();
  expect(lookedAt()).toHaveLength(1);
});

test("the paired tests of many classifiers stand under one line", async () => {
  const pairs = [{ a: "a", b: "b", difference: 0.1, z: 2, p: 0.05 }];
  const _comparators = { version: 2, label: null, items: [], delong: null, delong_alpha: null, pairs };
  const isOpen = () => (find("paired").parentElement as HTMLDetailsElement).open;
  const several = (...names: string[]) => ({
    _data: { ...rawGroup(...names), kind: "classifiers" },
    _frame: rawFrames(names.length),
    _comparators,
  });
  await open(several("a", "b"));
  expect(isOpen()).toBe(true);
  await open(several("a", "b", "c", "d"));
  expect(isOpen()).toBe(false);
  expect(find("paired").parentElement?.textContent).toContain("1 paired differences in AUC (DeLong)");
});

test("the handle of the average sets the threshold that all classes share", async () => {
  await open(CLASSES);
  pointer(find("operating-point"), "pointerdown", onPlot(0.25, 0.5));
  expect(model.get("threshold")).toBe(0.501);
  pointer(find("operating-point"), "pointerup", onPlot(0.25, 0.5));
  press(find("operating-point"), "ArrowRight");
  expect(model.get("threshold")).toBeLessThan(0.501);
});

const POPULATIONS = {
  _data: { ...rawGroup("women", "men", "others"), kind: "populations" },
  _frame: rawFrames(3),
};

test("populations are drawn each, with the gaps of their rates, and never averaged", async () => {
  await open(POPULATIONS);
  expect(root.querySelector("h2")?.textContent).toBe(
    "ROC curves of three populations with 95\u00a0% conformal bands",
  );
  expect(isSeen(find("small-multiple-2"))).toBe(true);
  expect(find("small-multiple-0").textContent).toContain("women9 points");
  const rows = [...find("gaps").querySelectorAll("tbody tr")].map((row) => row.textContent);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^women − men0\.00/);
  expect(root.textContent).not.toMatch(/averag|against the rest/i);
  expect(find("cuts").querySelector("th")?.textContent).toBe("population");
});

test("each population has a threshold of its own at the same sensitivity", async () => {
  await open(POPULATIONS);
  expect(isSeen(find("cuts"))).toBe(true);
  find("cuts").querySelector<HTMLInputElement>('input[value="sensitivity"]')?.click();
  await drawn();
  expect(find("cut-points").children).toHaveLength(3);
});

const rates = float32s([0, 0.25, 1]);
const folds = { fpr: rates, tpr: rates, auc: 0.625, mean: 0.75, sd: 0.05 };
const foldsWith = (changes: object) => ({
  _data: { ...rawGroup("0", "1"), kind: "folds", folds: { ...folds, ...changes } },
  _frame: rawFrames(2),
});

test("folds have a thin curve each, the pooled one with its caveat, and a mean area with limits", async () => {
  await open(foldsWith({}));
  expect(root.querySelector("h2")?.textContent).toBe(
    "ROC curves of two folds with 95\u00a0% conformal bands",
  );
  expect(find("curve-1").querySelector(".crw-curve")?.getAttribute("class")).toContain("crw-thin");
  expect(find("pooled").getAttribute("d")).toMatch(/^M/);
  expect(root.textContent).toContain(
    "the mean area under the curve is 0.75, 0.65 to 0.85 for these classifiers",
  );
  expect(root.textContent).toContain("another training set would change them is left out");
  expect(root.textContent).toContain("AUC 0.63, mixes the scores of different classifiers");
  expect(find("small-multiple-1").textContent).toContain("Fold 19 points");
  expect(find("averaged").getAttribute("d")).toBeNull();
});

test("folds of rows with weights have no mean area", async () => {
  await open(foldsWith({ mean: null, sd: null }));
  expect(root.textContent).not.toContain("mean area");
  expect(root.textContent).toContain("mixes the scores of different classifiers");
});

test("folds that are cut short are a sentence", async () => {
  await open(foldsWith({ tpr: float32s([0, 1]) }));
  expect(root.textContent).toContain("a curve of unequal axes");
});
