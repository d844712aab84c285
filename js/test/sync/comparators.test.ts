// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drawnComparators, limitsAt, statementAt } from "../../src/sync/comparators.ts";
import widget from "../../src/widget.ts";
import { type Comparators, decodeComparators } from "../../src/wire/decode_comparators.ts";
import { PAGE } from "../../src/wire/messages.ts";
import { pythonLine } from "../../src/words/python_line.ts";
import { comparatorTone } from "../../src/words/runs.ts";
import { sentenceOf, titleOf } from "../../src/words/several_evaluations.ts";
import { MockModel } from "../mock_model.ts";
import { StillObserver } from "../observers.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import {
  decoded,
  float64s,
  rawComparator,
  rawComparators,
  rawFrame,
  rawFrames,
  rawGroup,
} from "../sample.ts";

const comparatorsOf = (...items: object[]): Comparators =>
  decoded(decodeComparators(rawComparators({ items })));

const compared = (...items: object[]) => pictureOf({ comparators: comparatorsOf(...items) });

describe("the kernel’s message on other bands", () => {
  test("is nothing where it was not asked", () => {
    for (const raw of [null, undefined, {}]) {
      expect(decoded(decodeComparators(raw))).toEqual({ entry: null, items: [], delong: null, pairs: [] });
    }
  });

  test("is their limits at each alpha that it knows", () => {
    const { items, delong } = comparatorsOfRaw();
    expect(delong).toEqual({ alpha: 0.05, range: [0.82, 0.89] });
    expect(items[0].lines.map(({ alpha }) => alpha)).toEqual([0.05, 0.05, 0.2]);
    expect([...items[0].lines[2].upper]).toEqual([0.4, 0.8, 1].map(Math.fround));
  });

  const comparatorsOfRaw = () => decoded(decodeComparators(rawComparators()));

  test("has no lines before there is an answer", () => {
    const nothing = { fpr: null, lower: null, upper: null, stops: null };
    const [working, failed] = comparatorsOf(
      rawComparator({ ...nothing, status: "working", done: 3, total: 10 }),
      rawComparator({ ...nothing, status: "failed", message: "rocci is not installed" }),
    ).items;
    expect(working).toMatchObject({ status: "working", done: 3, total: 10, lines: [] });
    expect(failed).toMatchObject({ status: "failed", message: "rocci is not installed", lines: [] });
  });

  test.each([
    [{ version: 1 }, /format version 1/],
    [{ items: [rawComparator({ status: "asleep" })] }, /“status” is none of/],
    [{ items: [rawComparator({ fpr: float64s([0, 1]) })] }, /“lower” are not as many as “fpr”/],
    [{ items: [rawComparator({ fpr: float64s([0, 1, 0.5]) })] }, /ascending/],
    [{ items: [rawComparator({ upper: float64s([0, 1, 1.5]) })] }, /“upper” are no rates/],
    [{ items: [rawComparator({ alpha: 1 })] }, /“alpha” is not between 0 and 1/],
    [{ delong: [0.5] }, /“delong” is not a pair/],
    [{ pairs: [{ a: "one", b: "other", difference: "much", z: 1, p: 0.3 }] }, /“difference” is not a number/],
    [{ items: {} }, /“items” is not a list/],
  ])("is refused where it does not fit: %#", (changes, problem) => {
    const result = decodeComparators(rawComparators(changes));
    expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe("another band", () => {
  test("is read on the straight lines between its points", () => {
    const [overlay] = drawnComparators(compared(rawComparator()));
    expect(overlay.isOther).toBe(false);
    expect(limitsAt(overlay, 0.2)).toEqual([expect.closeTo(0.25, 12), expect.closeTo(0.7, 12)]);
  });

  test("is drawn at the nearest alpha that is known, and says so", () => {
    const picture = compared(rawComparator());
    const at = (alpha: number) => drawnComparators({ ...picture, frame: { ...picture.frame, alpha } })[0];
    expect(at(0.2)).toMatchObject({ isOther: false, lines: { alpha: 0.2 } });
    expect(at(0.11)).toMatchObject({ isOther: true, lines: { alpha: 0.2 } });
    expect(at(0.06)).toMatchObject({ isOther: true, lines: { alpha: 0.05 } });
  });

  test("has the colour and the dash of its key, and those of the others without an entry of its own", () => {
    expect(["ks", "working_hotelling", "a fifth"].map(comparatorTone)).toEqual([
      "comparator-ks",
      "comparator-working_hotelling",
      "comparator-other",
    ]);
  });

  test("is not drawn over other evaluations than its own", () => {
    const picture = overviewPicture("classifiers", "one", "other");
    const comparators = { ...comparatorsOf(rawComparator()), entry: "one" };
    expect(drawnComparators({ ...picture, comparators })).toEqual([]);
    const [evaluation, other] = picture.group.entries;
    expect(drawnComparators({ ...picture, shown: 0, evaluation, comparators })).toHaveLength(1);
    expect(drawnComparators({ ...picture, shown: 1, evaluation: other, comparators })).toEqual([]);
  });

  test("promises at the alpha of its lines, or says of which alpha its words are", () => {
    const [item] = comparatorsOf(rawComparator()).items;
    expect(statementAt(item, item.lines[0])).toMatchObject({ guarantee: "95 % in large samples" });
    expect(statementAt(item, item.lines[2])).toEqual({
      guarantee: "At α = 0.05: 95 % in large samples",
      notes: ["At α = 0.05: Few points. Mind them."],
    });
    const [other] = comparatorsOf(rawComparator({ guarantee: "{confidence} in large samples" })).items;
    const guarantees = [0.05, 0.2, 0.0125].map(
      (alpha) => statementAt(other, { ...other.lines[0], alpha }).guarantee,
    );
    expect(guarantees).toEqual(["95 %", "80 %", "98.75 %"].map((number) => `${number} in large samples`));
  });

  test("is in the sentence beside the ideal model, at the same alpha only", () => {
    const picture = compared(rawComparator());
    const said = (of: typeof picture) =>
      sentenceOf(of)
        .map(({ text }) => text)
        .join("");
    expect(said(picture)).toBe(
      "At threshold 0.50 the sensitivity is 0.75 at false positive rate 0.40. It would lie between 0.50 and 1.00 for an " +
        "ideal model at the same threshold on these 9 test points (95 %, for a threshold picked blindly), and between " +
        "0.50 and 0.90 for this classifier in the population (95 %, Bootstrap).",
    );
    expect(titleOf(picture, "wide")).toBe("ROC curve with 95 % bands");
    expect(said({ ...picture, page: { ...PAGE, hidden: ["bootstrap"] } })).not.toContain("population");
    expect(said({ ...picture, frame: { ...picture.frame, alpha: 0.1 } })).not.toContain("population");
    expect(said({ ...picture, band: "both" })).not.toContain("population");
  });

  test("is in the line of Python", () => {
    expect(pythonLine(compared(rawComparator()))).toMatch(
      /comparators=\("bootstrap",\)\) {2}# with your own evaluation$/,
    );
  });
});

describe("on the page", () => {
  let endings: (() => void)[];

  beforeEach(() => {
    endings = [];
    vi.stubGlobal("ResizeObserver", StillObserver);
    vi.stubGlobal("IntersectionObserver", StillObserver);
    vi.stubGlobal("matchMedia", () => new EventTarget());
  });

  afterEach(() => {
    for (const end of endings.reverse()) end();
    vi.unstubAllGlobals();
  });

  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  async function open(traits: object): Promise<[HTMLElement, MockModel]> {
    const model = new MockModel(traits);
    const el = document.createElement("div");
    document.body.append(el);
    const { initialize, render } = await (typeof widget === "function" ? widget() : widget);
    const ending = new AbortController();
    const options = { model: model.asModel(), signal: ending.signal, experimental: {} } as never;
    await initialize?.(options);
    endings.push(() => ending.abort());
    endings.push((await render?.({ ...(options as object), el } as never)) as () => void);
    await drawn();
    return [el.querySelector("[data-testid=crw]") as HTMLElement, model];
  }

  const find = (root: HTMLElement, testid: string) =>
    root.querySelector(`[data-testid="${testid}"]`) as HTMLElement;

  test("bands stand under two questions, and each can be taken off the plot", async () => {
    const [root] = await open({ _comparators: rawComparators() });
    expect(root.dataset.view).toBe("comparison");
    expect([...root.querySelectorAll(".crw-question h3")].map((heading) => heading.textContent)).toEqual([
      "Which sensitivity would an ideal model have, at the same threshold, on this test set?",
      "Where would this classifier’s curve lie, in the population?",
    ]);
    expect(root.textContent).toContain("neither answer replaces the other");
    expect(root.textContent).toContain("population, DeLong 0.82 to 0.89");
    expect(find(root, "comparison-bootstrap").textContent).toContain("0.50 to 0.90");
    expect(find(root, "comparison-conformal").textContent).toContain("0.50 to 1.00");
    expect(find(root, "overlay-bootstrap").getAttribute("d")).toMatch(/^M[\d.]+ [\d.]+L.*M.*L/);

    (find(root, "band-bootstrap-shown") as HTMLInputElement).click();
    (find(root, "band-conformal-shown") as HTMLInputElement).click();
    await drawn();
    expect(find(root, "overlay-bootstrap")).toBeNull();
    expect(find(root, "band-sensitivity").closest("[hidden]")).not.toBeNull();
    find(root, "toolbar-reset").click();
    await drawn();
    expect(find(root, "overlay-bootstrap")).not.toBeNull();
  });

  test("strips and tables are folded away while bands are compared, and come back", async () => {
    const [root, model] = await open({ _comparators: rawComparators() });
    const folds = [...root.querySelectorAll("details.crw-fold")];
    expect(folds.map((fold) => fold.querySelector("summary")?.textContent)).toEqual([
      "Calibration residualsclass 1 199, class 0 99",
      "Test scores9 points",
      "Confusion tableTP 3, FN 1, FP 2, TN 3",
    ]);
    expect(folds[0].contains(find(root, "residual-strip-1"))).toBe(true);
    expect(folds[2].contains(find(root, "metrics"))).toBe(true);
    expect(folds.some((fold) => fold.contains(find(root, "threshold")))).toBe(false);
    model.set("_comparators", null);
    await drawn();
    expect(root.dataset.view).toBe("entry");
    expect(folds[0].contains(find(root, "residual-strip-1"))).toBe(false);
    expect(folds.every((fold) => fold.hasAttribute("hidden"))).toBe(true);
  });

  test("a band at work shows how far it is, one that failed says why, and the sliders stay live", async () => {
    const nothing = { fpr: null, lower: null, upper: null, stops: null };
    const items = [
      rawComparator({ ...nothing, status: "working", done: 500 }),
      rawComparator({ ...nothing, key: "ks", name: "DKW", status: "failed", message: "<b>no</b> rocci" }),
    ];
    const [root, model] = await open({ _comparators: rawComparators({ items }) });
    const progress = find(root, "comparison-bootstrap").querySelector("progress") as HTMLProgressElement;
    expect([progress.value, progress.max, progress.getAttribute("aria-label")]).toEqual([
      500,
      2000,
      "Progress of Bootstrap",
    ]);
    expect(find(root, "comparison-ks").textContent).toContain("It could not be computed: <b>no</b> rocci");
    find(root, "alpha").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect(model.sent).toHaveLength(1);
    model.set("_comparators", rawComparators());
    await drawn();
    expect(find(root, "overlay-bootstrap")).not.toBeNull();
    expect(progress.hasAttribute("hidden")).toBe(true);
  });

  test("bands that cannot be read are a note, and everything else is there", async () => {
    const [root] = await open({ _comparators: rawComparators({ version: 7 }) });
    expect(root.querySelector(".crw-error")?.textContent).toContain("The other bands cannot be read:");
    expect(find(root, "roc").getAttribute("d")).not.toBe("");
  });

  test("classifiers have DeLong's paired test", async () => {
    const pairs = [
      { a: "one", b: "other", difference: 0.031, sd: 0.01, z: 2.41, p: 0.0000159 },
      { a: "one", b: "third", difference: -0.5, sd: null, z: null, p: null },
    ];
    const [root] = await open({
      _data: { ...rawGroup("one", "other"), kind: "classifiers" },
      _frame: rawFrames(2),
      _comparators: rawComparators({ items: [], delong: null, pairs }),
    });
    expect(find(root, "paired").querySelector("tbody")?.textContent).toBe(
      "one − other+0.0310.009 to 0.053+2.41< 0.001one − third−0.500no limitsnonenone",
    );
  });

  test("an alpha of which nothing is known is said beside the limits", async () => {
    const [root] = await open({
      _comparators: rawComparators(),
      alpha: 0.1,
      _frame: rawFrame({ alpha: 0.1 }),
    });
    expect(find(root, "comparison-bootstrap").textContent).toContain("at α = 0.05");
  });
});
