// @vitest-environment jsdom

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fixed, rate } from "../../src/base/format.ts";
import { limitsOfMean } from "../../src/evaluation/estimate.ts";
import { settledAt, settledBenefit } from "../../src/evaluation/settled.ts";
import { arrowWords } from "../../src/panels/residual_strips.ts";
import { VERSION } from "../../src/wire/readers.ts";
import { press } from "../keys.ts";
import { drawnValue, find, model, open, pointer, prepareBrowser } from "../opened_widget.ts";
import { drawn } from "../page.ts";
import { pictureOf } from "../picture.ts";
import {
  counts,
  float32s,
  float64s,
  IDEAL_WORDS,
  LOCALIZED,
  LOCALIZED_FRAME,
  rawEvaluation,
  rawFrame,
  rawFrames,
  rawGroup,
  WITHOUT_LIMITS_0,
} from "../sample.ts";

let resized: (() => void)[];

class FakeResizeObserver {
  constructor(changed: () => void) {
    resized.push(changed);
  }
  observe() {}
  disconnect() {}
}

prepareBrowser();

beforeEach(() => {
  resized = [];
  vi.stubGlobal("ResizeObserver", FakeResizeObserver);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const handle = (root: Element, name: string) => find(root, `residual-handle-${name}`);
const isShown = (element: Element | null) => element !== null && element.closest("[hidden]") === null;
const dotsIn = (strip: Element, selector: string) =>
  strip.querySelector(selector)?.getAttribute("d")?.match(/h0/g)?.length ?? 0;

test("each strip has a dot for each residual, in full between the order statistics", async () => {
  const [root] = await open();
  const strip = find(root, "residual-strip-0");
  const [full, faint] = [".crw-marks:not(.crw-faint)", ".crw-faint"].map((each) => dotsIn(strip, each));
  expect(full + faint).toBe(99);
  // Residuals are spread evenly from -2 to 2. The frame's order statistics are -1.46 and 1.21.
  expect(full).toBe(65);
  expect(strip.previousElementSibling?.textContent).toBe("class 0n = 99");
});

test("a handle says which order statistic it is, of how many, and what alpha it stands for", async () => {
  const [root] = await open();
  const lower = handle(root, "0-lower");
  expect(lower.getAttribute("role")).toBe("slider");
  expect(lower.getAttribute("aria-valuenow")).toBe("-1.46");
  expect(lower.getAttribute("aria-valuetext")).toBe("3rd of 99, −1.46; 95 % confidence, α 0.05");
});

test("a limit that is missing has its words in the strip, and a handle for the focus alone", async () => {
  const [root] = await open({ _frame: rawFrame({ quantiles: float64s([-1.46, 1.21, -1 / 0, 2.43]) }) });
  const lower = handle(root, "1-lower");
  expect(lower.getAttribute("aria-valuetext")).toContain("no lower limit, −∞");
  expect(lower.classList.contains("crw-quiet")).toBe(true);
  expect(handle(root, "1-upper").classList.contains("crw-quiet")).toBe(false);
  expect(find(root, "residual-strip-1").textContent).toContain("no lower limit");
  expect(find(root, "metrics").textContent).toContain("sensitivity 75\u00a0%19 to 99.4\u00a0%no limits");
  expect(handle(root, "1-lower").textContent).toBe("");
});

test("taking hold of a handle changes nothing, pulling it inwards raises alpha step by step", async () => {
  const [root] = await open();
  const upper = handle(root, "0-upper");
  pointer(upper, "pointerdown", 400);
  expect(model.sent).toHaveLength(0);
  const alphas: number[] = [];
  for (let x = 399; x >= 340; x -= 3) {
    pointer(upper, "pointermove", x);
    alphas.push(await drawnValue("alpha"));
  }
  expect(alphas.every((alpha, i) => i === 0 || alpha >= alphas[i - 1])).toBe(true);
  expect(alphas[alphas.length - 1]).toBeGreaterThan(0.2);
  await drawn();
  expect(root.dataset.alpha).toBe(String(alphas[alphas.length - 1]));
  pointer(upper, "pointerup", 340);
});

test("arrow keys take a handle to the next order statistic, Home and End to the ends", async () => {
  const [root] = await open();
  const lower = handle(root, "1-lower");
  expect(press(lower, "ArrowRight").defaultPrevented).toBe(true);
  await drawn();
  const first = await drawnValue("alpha");
  expect(first).toBeGreaterThan(0.05);
  press(lower, "ArrowLeft");
  expect(await drawnValue("alpha")).toBeLessThan(first);
  press(lower, "End");
  expect(await drawnValue("alpha")).toBe(0.5);
  press(handle(root, "1-upper"), "End");
  expect(await drawnValue("alpha")).toBe(0.001);
});

test("a label without limits has a hatched strip that says so, and no handles in sight", async () => {
  const [root] = await open({ _frame: rawFrame(WITHOUT_LIMITS_0) });
  const strip = find(root, "residual-strip-0");
  expect(strip.textContent).toContain("no limits");
  expect(isShown(strip.querySelector(".crw-strip-hatch") as Element)).toBe(true);
  expect(handle(root, "0-lower").classList.contains("crw-quiet")).toBe(true);
  const other = find(root, "residual-strip-1");
  expect(isShown(other.querySelector(".crw-strip-hatch") as Element)).toBe(false);
});

test("points with order statistics of their own have strips without handles or shade", async () => {
  const [root] = await open({ _data: rawEvaluation(LOCALIZED), _frame: rawFrame(LOCALIZED_FRAME) });
  expect(find(root, "residual-strip-1").textContent).toContain("a pair for each test point");
  expect(find(root, "residual-strip-0").textContent).toContain("20\u00a0% without limits");
  expect(isShown(handle(root, "1-lower"))).toBe(false);
  expect(root.querySelector(".crw-legend")?.textContent).toContain(
    "10\u00a0% of the test points lie far from the calibration data; 20\u00a0% of the points of class 0 have no limits",
  );
});

test("scores at and above the threshold are counted: their dots are full", async () => {
  const [root] = await open();
  const strip = find(root, "score-strip-0");
  expect(dotsIn(strip, ".crw-marks:not(.crw-faint)")).toBe(2);
  expect(dotsIn(strip, ".crw-faint")).toBe(3);
});

test("where no residuals and scores came along, the strips say so", async () => {
  const empty = (n: number) => ({ n, values: new DataView(new ArrayBuffer(0)), stops: null });
  const [root] = await open({
    _data: rawEvaluation({
      centres: null,
      logits: null,
      scores: [empty(5), empty(4)],
      residuals: [empty(99), empty(199)],
      whole: false,
      curves: [],
    }),
  });
  expect(find(root, "residual-strip-0").textContent).toContain("this file holds no residuals");
  expect(find(root, "score-strip-0").textContent).toContain("this file holds no scores");
});

test("both rates are observed and for the ideal model; all else is among all figures", async () => {
  const [root] = await open();
  const rows = (name: string) => [...find(root, name).querySelectorAll("tr")].map((row) => row.textContent);
  expect(rows("metrics")).toEqual([
    "called positivecalled negativethese rowsall rows\nlike thesetrue risks",
    "class 1, 431 missedsensitivity 75\u00a0%19 to 99.4\u00a0%50 to 100\u00a0%",
    "class 0, 52 false alarms3specificity 60\u00a0%15 to 95\u00a0%20 to 80\u00a0%",
  ]);
  (find(root, "all-figures") as HTMLDetailsElement).open = true;
  await vi.waitFor(() => expect(rows("figures")).toHaveLength(8));
  expect(rows("figures").slice(3)).toEqual([
    "Precision*60\u00a0%33 to 80\u00a0%",
    "Youden’s J*0.35−0.30 to 0.80",
    "AUC*0.850.41 to 1.00",
    "Rows, class 14limits rest on 199",
    "Rows, class 05limits rest on 99",
  ]);
});

test("with more test data the net benefit is among all figures, unless scores are no risks", async () => {
  const rows = async (more: object) => {
    const [root] = await open({
      _data: rawEvaluation({ area: [0.01, 0], selectable: true, ...more }),
      band: "sampling",
    });
    (find(root, "all-figures") as HTMLDetailsElement).open = true;
    const found = () => [...find(root, "figures").querySelectorAll("tr")].map((row) => row.textContent);
    await vi.waitFor(() => expect(found()[3]).toMatch(/^Precision60/));
    return found();
  };
  // 3 of 4 positives and 2 of 5 negatives are called positive. A false alarm costs as much as a hit gains.
  const settled = settledAt({ ...pictureOf().evaluation, nTest: [5, 4] }, { fpr: 2 / 5, tpr: 3 / 4 }, 0.5);
  const limits = settled && settledBenefit(settled, 0.05, 1, null).map((limit) => fixed(limit, 3));
  expect((await rows({}))[4]).toBe(`Net benefit0.111${limits?.join(" to ")}`);
  expect((await rows({ margins: true })).join()).not.toContain("Net benefit");
});

test("with more test data the average precision is among all figures, where its limits are known", async () => {
  const row = async (precision: number | null) => {
    const [root] = await open({
      _data: rawEvaluation({ area: [0.01, 0], selectable: true, precision }),
      band: "sampling",
    });
    (find(root, "all-figures") as HTMLDetailsElement).open = true;
    const found = () => [...find(root, "figures").querySelectorAll("tr")].map((row) => row.textContent);
    await vi.waitFor(() => expect(found()[6]).toMatch(/^Average precision/));
    return found()[6]?.slice("Average precision".length);
  };
  // Two of four positives have the highest scores. The third has two negatives above it or tied with it, and the fourth
  // has three.
  const observed = 2 / 4 + 3 / 5 / 4 + 4 / 7 / 4;
  const limits = limitsOfMean(observed, 6, 0.05).map(rate).join(" to ");
  expect(await row(6)).toBe(`${rate(observed)}${limits}`);
  expect(await row(null)).toBe(`${rate(observed)}not known here`);
});

test("what people report beside has limits for more test data, and says where these are few rows’", async () => {
  const losses = [
    [0.18, 0.0025],
    [0.52, 0.0169],
  ];
  const [root] = await open({ _data: rawEvaluation({ losses, margins: true }) });
  (find(root, "all-figures") as HTMLDetailsElement).open = true;
  const rows = () => [...find(root, "losses").querySelectorAll("tr")].map((row) => row.textContent);
  await vi.waitFor(() => expect(rows()).toHaveLength(4));
  expect(rows()).toEqual([
    "This classifierhereall like these, 95\u00a0%",
    "Accuracy at 0.5067\u00a0%30 to 93\u00a0%",
    "Brier score0.1800.102 to 0.299",
    "Log loss0.5200.319 to 0.849",
  ]);
  const notes = find(root, "losses").nextElementSibling?.textContent;
  expect(notes).toContain("Few rows make most of the Brier score, whose standard error is 0.28 of it");
  expect(notes).toContain("These scores are margins and no risks.");
});

const IDEAL = {
  version: VERSION,
  label: null,
  absence: "",
  n: 4,
  fpr: float64s([0, 0.5, 1]),
  alphas: float64s([0.05]),
  lower: counts([1, 5 + 3, 10 + 4]),
  upper: counts([2, 5 + 4, 10 + 4]),
  median: counts([1, 3, 4]),
  auc: float32s([0.75625, 0.99375]),
  gain: float32s([-0.11875, 0.11875]),
  words: IDEAL_WORDS,
};

test("with an ideal model’s own curve the figures are its area, its sensitivity and the gain", async () => {
  const [root] = await open({ band: "ideal", _ideal: IDEAL });
  const rows = (name: string) => [...find(root, name).querySelectorAll("tr")].map((row) => row.textContent);
  expect(rows("metrics").slice(1)).toEqual([
    "class 1, 431 missedsensitivity 75\u00a0%25 to 50\u00a0%",
    "class 0, 52 false alarms3specificity 60\u00a0%",
  ]);
  (find(root, "all-figures") as HTMLDetailsElement).open = true;
  await vi.waitFor(() =>
    expect(rows("figures").slice(1, 4)).toEqual([
      "AUC0.8500.756 to 0.994",
      "Sensitivity75\u00a0%25 to 50\u00a0%",
      "Gain left−0.12 to 0.12",
    ]),
  );
  const table = find(root, "data-table");
  expect(table.querySelector("caption")?.textContent).toContain("credible limits at 95\u00a0%");
  expect([...table.querySelectorAll("tbody tr")][10].textContent).toBe("0.500.750.750.75 to 1.00");
});

test("where the conformal limits are not drawn, their slider does not say at which levels there are none", async () => {
  const hatched = async (traits: object) => {
    const [root] = await open(traits);
    return [...root.querySelectorAll(".crw-rail-hatch")].filter(isShown).length > 0;
  };
  expect(await hatched({})).toBe(true);
  for (const band of ["ideal", "sampling", "none"] as const) expect(await hatched({ band })).toBe(false);
});

test("without limits the metrics have none, and a precision of nothing is told", async () => {
  const point = { tp: 0, fp: 0, tn: 5, fn: 4, tpr: 0, fpr: 0, youden: 0, precision: null };
  const all = { tpr_lower: 0, tpr_upper: 1, fpr_lower: 0, fpr_upper: 1 };
  const [root] = await open({ _frame: rawFrame({ ...WITHOUT_LIMITS_0, point: { ...point, ...all } }) });
  const metrics = find(root, "metrics").textContent;
  expect(metrics).toMatch(/specificity 100.%48 to 100.%no limits/);
  (find(root, "all-figures") as HTMLDetailsElement).open = true;
  await vi.waitFor(() =>
    expect(find(root, "figures").textContent).toContain("Precision*none called positive"),
  );
});

test("a figure whose limits only redraws tell has limits that are not known here", async () => {
  const [root] = await open({ _data: rawEvaluation({ weighted: true, area: null }), band: "sampling" });
  (find(root, "all-figures") as HTMLDetailsElement).open = true;
  await vi.waitFor(() => expect(find(root, "figures").textContent).toMatch(/AUC\d\.\d+not known here/));
  expect(find(root, "figures").textContent).toMatch(/Specificity\d+.%not known here/);
  expect(find(root, "figures").textContent).not.toContain("no limits");
});

test("the jump menu leads to Youden’s optimum and gives the focus back", async () => {
  const [root] = await open();
  const button = find(root, "jump");
  button.click();
  const panel = root.querySelector(".crw-jump-panel") as HTMLElement;
  expect(isShown(panel)).toBe(true);
  expect(panel.textContent).toContain("One picked from these test points is optimistic.");
  expect(document.activeElement?.textContent).toBe("Youden’s optimumat 0.90");
  (document.activeElement as HTMLElement).click();
  expect(await drawnValue("threshold")).toBe(0.9);
  expect(isShown(panel)).toBe(false);
  expect(document.activeElement).toBe(button);
});

test("the jump menu follows the figures that are typed in, and tells where there is no threshold", async () => {
  const [root] = await open();
  find(root, "jump").click();
  const row = [...root.querySelectorAll(".crw-jump-row")][1];
  const input = row.querySelector("input") as HTMLInputElement;
  const placeOf = (value: string) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return row.querySelector(".crw-jump-place")?.textContent;
  };
  expect(["0.5", "0.75", "1"].map(placeOf)).toEqual(["at 0.90", "at 0.50", "at 0.30"]);
  expect(["1.5", "-1", ""].map(placeOf)).toEqual(["none", "none", "none"]);
  press(input, "Enter");
  expect(model.sent).toHaveLength(0);
  placeOf("0.5");
  press(input, "Enter");
  expect(await drawnValue("threshold")).toBe(0.9);
});

test("Escape closes the jump menu; arrows go through it, but belong to a figure inside one", async () => {
  const [root] = await open();
  const button = find(root, "jump");
  button.click();
  const rows = [...root.querySelectorAll<HTMLElement>(".crw-jump-row button")];
  press(rows[0], "ArrowDown");
  expect(document.activeElement).toBe(rows[1]);
  const input = root.querySelector(".crw-jump-row input") as HTMLInputElement;
  input.focus();
  expect(press(input, "ArrowDown").defaultPrevented).toBe(false);
  expect(document.activeElement).toBe(input);
  press(input, "Escape");
  expect(document.activeElement).toBe(button);
  expect(isShown(root.querySelector(".crw-jump-panel") as Element)).toBe(false);
});

test("an overview of several classes keeps the sliders and hides what belongs to one", async () => {
  const [root] = await open({ _data: rawGroup("3", "8"), _frame: rawFrames(2) });
  expect(isShown(find(root, "alpha"))).toBe(true);
  expect(isShown(find(root, "threshold"))).toBe(true);
  for (const name of ["residual-strip-1", "score-strip-0", "jump", "metrics"]) {
    expect(isShown(find(root, name))).toBe(false);
  }
  expect(root.querySelector(".crw-threshold .crw-remark")?.textContent).toBe("in each class");
});

test("strips take the width that they are given", async () => {
  const [root] = await open();
  const widthOf = () => find(root, "residual-strip-1").querySelector("svg")?.getAttribute("width");
  expect(widthOf()).toBe("344");
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(296);
  for (const changed of resized) changed();
  await drawn();
  expect(widthOf()).toBe("296");
});

test.each([
  [172, ["← score too high", "too low →"]],
  [100, ["← too high", "too low →"]],
  [40, ["", "too low →"]],
  [304, ["← score too high", ""]],
])("with zero at pixel %i the words about its two sides stay on the axis", (zero, words) => {
  expect(arrowWords(zero, 344)).toEqual(words);
});
