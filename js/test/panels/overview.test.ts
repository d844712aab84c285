// @vitest-environment jsdom
// Several classes or classifiers together: average, curves and table.

import { expect, test, vi } from "vitest";
import { deviations } from "../../src/base/normal.ts";
import { ALPHA_STOPS } from "../../src/base/steps.ts";
import { areaLimits } from "../../src/evaluation/estimate.ts";
import { columnsOf } from "../../src/panels/overview.ts";
import { VERSION } from "../../src/wire/readers.ts";
import { press } from "../keys.ts";
import {
  CLASSES,
  controller,
  find,
  isSeen,
  onPlot,
  open,
  pointer,
  prepareBrowser,
  root,
  wished,
} from "../opened_view.ts";
import { drawn } from "../page.ts";
import { float32s, rawFrames, rawGroup } from "../sample.ts";

prepareBrowser();

test("several classes open as their average, and a press on one of them shows it", async () => {
  await open(CLASSES);
  expect(root.dataset.view).toBe("overview");
  expect(root.querySelector("h2")?.textContent).toBe("Two classes9 test rows");
  expect(find("averaged").getAttribute("d")).toMatch(/^M/);
  expect(find("roc")).toBeNull();
  find("small-multiple-1").click();
  await drawn();
  expect(wished("label")).toBe("8");
  expect(root.dataset.view).toBe("entry");
  expect(find("roc")).not.toBeNull();
  const [average] = find("picker").querySelectorAll("input");
  average.click();
  await drawn();
  expect(wished("label")).toBeNull();
  expect(root.dataset.view).toBe("overview");
});

test("weights are chosen where classes are averaged", async () => {
  await open(CLASSES);
  root.querySelector<HTMLInputElement>('input[value="uniform"]')?.click();
  await drawn();
  expect(wished("weights")).toBe("uniform");
  const [average, first] = [...root.querySelectorAll<HTMLTableRowElement>(".crw-classes tbody tr")];
  const texts = ({ cells }: HTMLTableRowElement) => [...cells].map(({ textContent }) => textContent);
  expect(texts(average).slice(0, 3)).toEqual(["Average", "", "0.85"]);
  expect(texts(first)[1]).toBe("4");
  expect(texts(first).slice(3)).toEqual(texts(average).slice(3));
});

test("of many classes those with the widest bands are shown, and the others in a fold", async () => {
  const names = Array.from({ length: 23 }, (_, i) => `${i}`);
  await open({ _data: rawGroup(...names), _frame: rawFrames(23) });
  expect(root.querySelector(".crw-rest summary")?.textContent).toBe("and 3 more");
  const tables = [...root.querySelectorAll<HTMLTableElement>(".crw-classes")];
  expect(tables.map(({ tBodies }) => tBodies[0].rows.length)).toEqual([21, 3]);
  expect(root.querySelectorAll(".crw-rest .crw-multiple")).toHaveLength(3);
});

test("of several classifiers one is looked at: its band is drawn, the curves of the others stand beside it", async () => {
  await open({ _data: { ...rawGroup("a", "b"), kind: "classifiers" }, _frame: rawFrames(2) });
  const isShown = (name: string) => find(name) !== null;
  expect([isShown("band-sensitivity"), isShown("curve-0"), isShown("curve-1")]).toEqual([true, false, true]);
  expect(find("curve-1").getAttribute("stroke-dasharray")).toBe("6 3");
  const rows = [...find("cuts").querySelectorAll("tbody tr")];
  expect(rows.map((row) => row.classList.contains("crw-lead"))).toEqual([true, false]);
  expect(rows[1].textContent).toBe("b0.500.8575\u00a0%50 to 100\u00a0%60\u00a0%20 to 80\u00a0%");
  find("picker").querySelectorAll("input")[1].click();
  await drawn();
  expect(wished("label")).toBe("b");
  expect([isShown("curve-0"), isShown("curve-1")]).toEqual([true, false]);
});

test("of more classifiers than have room above the plot, each line stands beside its name in the table", async () => {
  const names = ["a", "b", "c", "d", "e"];
  await open({ _data: { ...rawGroup(...names), kind: "classifiers" }, _frame: rawFrames(5) });
  const samples = () => [...find("cuts").querySelectorAll("tbody th path")];
  const look = (element: Element) =>
    ["stroke", "stroke-dasharray"].map((each) => element.getAttribute(each)).join();
  const looks = samples().map(look);
  expect(new Set(looks).size).toBe(5);
  expect(looks.slice(1)).toEqual([1, 2, 3, 4].map((i) => look(find(`curve-${i}`))));
  expect(looks[0]).toBe(look(find("roc")));
  const select = find("picker").querySelector("select") as HTMLSelectElement;
  select.selectedIndex = 2;
  select.dispatchEvent(new Event("change"));
  await drawn();
  expect(look(samples()[0])).toBe(look(find("curve-0")));
  expect(look(samples()[2])).toBe(look(find("roc")));
});

test("paired differences of classifiers are among all figures", async () => {
  const pairs = [
    { a: "a", b: "b", difference: 0.031, sd: 0.01, z: 2.41, p: 0.0000159 },
    { a: "a", b: "c", difference: -0.5, z: null, p: null },
  ];
  const _comparators = { version: VERSION, label: null, items: [], delong: null, delong_alpha: null, pairs };
  await open({ _data: { ...rawGroup("a", "b"), kind: "classifiers" }, _frame: rawFrames(2), _comparators });
  find<HTMLDetailsElement>("all-figures").open = true;
  await vi.waitFor(() => expect(find<HTMLTableElement>("paired").rows).toHaveLength(3));
  const rows = [...find<HTMLTableElement>("paired").rows].map((row) => row.textContent);
  expect(rows.slice(1)).toEqual(["a − b+0.0310.009 to 0.053+2.41< 0.001", "a − c−0.500nonenonenone"]);
});

test("the handle of the average sets the threshold that all classes share", async () => {
  await open(CLASSES);
  pointer(find("operating-point"), "pointerdown", onPlot(0.25, 0.5));
  expect(wished("threshold")).toBe(0.501);
  pointer(find("operating-point"), "pointerup", onPlot(0.25, 0.5));
  press(find("operating-point"), "ArrowRight");
  expect(wished("threshold")).toBeLessThan(0.501);
});

test("with more test data each class has limits of its AUC, and their average none", async () => {
  const area = { variance: 0.0004, rows: 0 };
  const data = CLASSES._data as unknown as { entries: object[] };
  const entries = data.entries.map((entry) => ({ ...entry, area: [0.0004, 0], selectable: true }));
  await open({ ...CLASSES, _data: { ...data, entries } });
  const table = () => root.querySelector(".crw-classes") as HTMLTableElement;
  const before = table().rows[1].cells[5].textContent;
  find("question").querySelector<HTMLInputElement>('input[value="sampling"]')?.click();
  await drawn();
  expect(find("averaged-band")).toBeNull();
  expect(table().rows[0].textContent).toContain("AUCall like these, 95");
  const [first] = controllerEntries();
  const limits = areaLimits(first.auc, area, 0.05).map((limit) => limit.toFixed(2));
  expect(table().rows[1].cells[5].textContent).toBe(limits.join(" to "));
  expect(table().rows[1].cells[5].textContent).not.toBe(before);
  expect(table().tFoot?.rows[0].cells[5].textContent).toBe("");
  expect(root.querySelector(".crw-summary")?.textContent).toContain(
    "limits for all like these are not known here",
  );
});

function controllerEntries() {
  const picture = controller.picture();
  if (!picture.ok) throw new Error(picture.problem);
  return picture.value.group.entries;
}

const POPULATIONS = {
  _data: { ...rawGroup("women", "men", "others"), kind: "populations" },
  _frame: rawFrames(3),
};

test("populations have a curve and a row each, with the gaps of their rates, and never averaged", async () => {
  await open(POPULATIONS);
  expect(root.querySelector("h2")?.textContent).toBe("Three populations27 test rows");
  expect(isSeen(find("curve-2"))).toBe(true);
  expect(root.querySelector(".crw-summary")?.textContent).toContain(
    "more of women than of men; nothing bounds how much more the true risks themselves would find.",
  );
  expect(isSeen(root.querySelector(".crw-overview") as Element)).toBe(false);
  find<HTMLDetailsElement>("all-figures").open = true;
  await vi.waitFor(() => expect(find<HTMLTableElement>("gaps").rows).toHaveLength(7));
  expect(find<HTMLTableElement>("gaps").rows[1].textContent).toMatch(/^women − men, sensitivity0no limits/);
  expect(root.textContent).not.toMatch(/averag|against the rest/i);
  expect(find("cuts").querySelector("tbody th")?.textContent).toBe("women n = 9");
});

test("with more test data the gaps are this classifier’s own", async () => {
  await open({ ...POPULATIONS, band: "sampling", label: "men" });
  const lead = root.querySelector(".crw-summary")?.textContent;
  expect(lead).toMatch(/in all rows like these \(95.% sure, all gaps together\)\.$/);
  find<HTMLDetailsElement>("all-figures").open = true;
  await vi.waitFor(() => expect(find<HTMLTableElement>("gaps").rows).toHaveLength(7));
  expect(find<HTMLTableElement>("gaps").rows[0].textContent).toMatch(/all like these, 95.% together/);
  expect(find("cuts").querySelector("thead tr + tr")?.textContent).toBe(
    "thresholdAUChereall like these, 95\u00a0%hereall like these, 95\u00a0%",
  );
});

test("each population has a threshold of its own at the same sensitivity", async () => {
  await open(POPULATIONS);
  expect(isSeen(find("cuts"))).toBe(true);
  const choice = find("cuts").querySelector("select") as HTMLSelectElement;
  choice.selectedIndex = 1;
  choice.dispatchEvent(new Event("change"));
  await drawn();
  expect(wished("page")).toMatchObject({ alike: true });
  expect(root.querySelectorAll('circle[data-testid^="cut-"]')).toHaveLength(2);
  expect(find("cuts").textContent).toContain("optimistic");
  expect(root.querySelector(".crw-threshold .crw-remark")?.textContent).toContain("of women");
});

test("one alone has no table of thresholds", async () => {
  await open();
  expect(find("cuts")).toBeNull();
});

const rates = float32s([0, 0.25, 1]);
const limits = float32s(
  [-1, 1].flatMap((way) => ALPHA_STOPS.map((alpha) => 0.75 + way * 0.05 * deviations(alpha))),
);
const folds = { fpr: rates, tpr: rates, auc: 0.625, mean: 0.75, limits, method: "LeDell" };
const TOGETHER = {
  kind: "sampling",
  model: "classifier",
  target: "mean area of the folds",
  scope: "one number, the mean",
  guarantee: "{confidence} in large samples; by LeDell",
  line: {
    level: "about {confidence}",
    scope: "the mean AUC",
    after: " in large samples",
    rest: ", of these folds",
    chosen: "any",
    condition: "in large samples, of these folds",
  },
};
const foldsWith = (changes: object) => ({
  _data: { ...rawGroup("0", "1"), kind: "folds", folds: { ...folds, ...changes }, together: TOGETHER },
  _frame: rawFrames(2),
});

test("folds have a thin curve each, the pooled one with its caveat, and a mean area with limits", async () => {
  await open({ ...foldsWith({}), goal: { sensitivity: 0.9 }, noun: "scans" });
  expect(root.querySelector("h2")?.textContent).toBe("Two folds18 test scans");
  expect(find("curve-1").getAttribute("stroke-width")).toBe("1");
  expect(find("pooled").getAttribute("d")).toMatch(/^M/);
  expect(root.textContent).toContain("their mean AUC is 0.75, and 0.65 to 0.85 for these classifiers");
  expect(root.textContent).toContain("The curve pools the scores of different classifiers");
  expect(find("small-multiple-1").textContent).toContain("Fold 19 scans");
  expect(find("small-multiple-1").querySelector('[data-testid$="goal"]')).toBeNull();
  expect(find("corner").textContent).toBe("AUC of the pooled scores 0.63");
  expect(find("averaged")).toBeNull();
});

test("of all folds more test data can be asked for: no cell and no square speaks of an ideal model then", async () => {
  await open(foldsWith({}));
  const asked = () => [...find("question").querySelectorAll("input")].map(({ disabled }) => disabled);
  expect(asked()).toEqual([false, false, true]);
  expect(root.querySelector(".crw-classes")?.textContent).toContain("true risks");
  find("question").querySelectorAll("input")[0].click();
  await drawn();
  const table = root.querySelector(".crw-classes");
  expect(table?.textContent).toContain("all like these");
  expect(table?.textContent).not.toContain("true risks");
  expect(find("small-multiple-1").innerHTML).not.toContain("band-sensitivity");
  expect(root.textContent).toContain("their mean AUC is 0.75, and 0.65 to 0.85");
  // The promise of the mean's limits is in the line and in the full text only. The mean offers no choice of bands.
  expect(root.querySelector(".crw-answer")?.textContent).not.toContain("LeDell");
  expect(find("promise-fold").textContent).toMatch(
    /About 95.% for.*the mean AUC.*in large samples, of these folds\./s,
  );
  expect(isSeen(find("scope"))).toBe(false);
  expect(root.querySelector(".crw-legend")?.textContent).toMatch(/95.% in large samples; by LeDell/);
});

test("folds that are cut short are a sentence", async () => {
  await open(foldsWith({ tpr: float32s([0, 1]) }));
  expect(root.textContent).toContain("a curve of unequal axes");
  await open(foldsWith({ limits: float32s([0.6, 0.9]) }));
  expect(root.textContent).toContain("2 numbers");
});

test("no square stands alone in its row", () => {
  expect([2, 4, 5, 6, 7, 10].map((n) => columnsOf(n, "wide"))).toEqual([2, 2, 3, 3, 4, 5]);
  expect([5, 6, 10].map((n) => columnsOf(n, "medium"))).toEqual([5, 3, 5]);
  expect([3, 5, 7, 9, 10].map((n) => columnsOf(n, "narrow"))).toEqual([3, 3, 4, 3, 2]);
});
