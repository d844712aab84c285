// @vitest-environment jsdom

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { drawnComparators, limitsAt, statementAt } from "../../src/shown/comparators.ts";
import { comparatorPen } from "../../src/views/parts.ts";
import widget from "../../src/widget.ts";
import { decodeComparators } from "../../src/wire/decode_comparators.ts";
import { pythonLine } from "../../src/words/python_line.ts";
import { comparatorsOf, compared } from "../compared.ts";
import { MockModel } from "../mock_model.ts";
import { StillObserver } from "../observers.ts";
import { overviewPicture } from "../picture.ts";
import { decoded, float64s, rawComparator, rawComparators, rawEvaluation, rawFrame } from "../sample.ts";

describe("the kernel’s message on other bands", () => {
  test("is nothing where it was not asked", () => {
    for (const raw of [null, undefined, {}]) {
      expect(decoded(decodeComparators(raw))).toEqual({
        entry: null,
        items: [],
        pairs: [],
      });
    }
  });

  test("is their limits at each alpha that it knows", () => {
    const { items } = comparatorsOfRaw();
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
    expect(["ks", "working_hotelling", "a fifth"].map((key) => comparatorPen(key).colour)).toEqual([
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
    expect(statementAt(item, item.lines[0]).notes).toEqual(["Few points. Mind them."]);
    expect(statementAt(item, item.lines[2]).notes).toEqual(["At α = 0.05: Few points. Mind them."]);
    const guarantees = [0.05, 0.2, 0.0125].map(
      (alpha) => statementAt(item, { ...item.lines[0], alpha }).words.guarantee,
    );
    expect(guarantees).toEqual(["95 %", "80 %", "98.75 %"].map((number) => `${number} in large samples`));
  });

  test("is in the line of Python", () => {
    expect(pythonLine(compared(rawComparator()))).toMatch(
      /comparators=\["bootstrap"\]\) {2}# with your own evaluation$/,
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

  test("bands that were asked for lie over the conformal one, and the key takes each off", async () => {
    const [root] = await open({ _comparators: rawComparators() });
    expect(find(root, "overlay-bootstrap").getAttribute("d")).toMatch(/^M[\d.]+ [\d.]+L.*M.*L/);
    const press = async (element: Element | null) => {
      (element as HTMLElement).click();
      await drawn();
    };
    await press(root.querySelector('input[value="bootstrap"]'));
    expect(find(root, "overlay-bootstrap")).toBeNull();
    await press(find(root, "toolbar-reset"));
    expect(find(root, "overlay-bootstrap")).not.toBeNull();
  });

  test("one that was not asked for answers its own question alone", async () => {
    const items = [{ ...rawComparator(), laid: false }];
    const [root] = await open({
      _data: rawEvaluation({ selectable: true }),
      _comparators: rawComparators({ items }),
    });
    expect(find(root, "overlay-bootstrap")).toBeNull();
    (root.querySelector('input[value="sampling"]') as HTMLElement).click();
    await drawn();
    expect(find(root, "band-sampling").getAttribute("d")).toMatch(/^M/);
    expect(find(root, "band-sensitivity")).toBeNull();
    expect(root.querySelector(".crw-summary")?.textContent).toContain(
      "and 19 to 99.4\u00a0% of all positives like these",
    );
    expect(find(root, "plot").textContent).toContain("band: the curve of all rows like these");
    expect(find(root, "key").textContent).toBe("cross: limits at this threshold (Clopper-Pearson)");
  });

  test("a band at work shows how far it is, one that failed says why, and the sliders stay live", async () => {
    const nothing = { fpr: null, lower: null, upper: null, stops: null };
    const items = [
      rawComparator({ ...nothing, status: "working", done: 500 }),
      rawComparator({ ...nothing, key: "ks", name: "DKW", status: "failed", message: "<b>no</b> rocci" }),
    ];
    const [root, model] = await open({ _comparators: rawComparators({ items }) });
    (find(root, "all-figures") as HTMLDetailsElement).open = true;
    const said = () => find(root, "bands").textContent;
    await vi.waitFor(() => expect(said()).toContain("Bootstrap500 of 2,000"));
    expect(said()).toContain("Conformal, at this threshold");
    expect(said()).toContain("DKWIt could not be computed: <b>no</b> rocci");
    find(root, "alpha").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect(model.sent).toHaveLength(1);
    model.set("_comparators", rawComparators());
    await drawn();
    expect(find(root, "overlay-bootstrap")).not.toBeNull();
    expect(said()).toContain("Bootstrap, at this FPR50 to 90\u00a0%");
    expect(said()).toContain("in large samples. Few points. Mind them.");
  });

  test("bands that cannot be read are a note, and everything else is there", async () => {
    const [root] = await open({ _comparators: rawComparators({ version: 99 }) });
    expect(root.querySelector(".crw-error")?.textContent).toContain("The other bands cannot be read:");
    expect(find(root, "roc").getAttribute("d")).not.toBe("");
  });

  test("an alpha of which nothing is known is said beside the limits", async () => {
    const [root] = await open({
      _comparators: rawComparators(),
      alpha: 0.1,
      _frame: rawFrame({ alpha: 0.1 }),
    });
    (find(root, "all-figures") as HTMLDetailsElement).open = true;
    await vi.waitFor(() => expect(find(root, "bands").textContent).toContain("at α = 0.05"));
  });
});
