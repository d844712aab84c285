// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pageClock } from "../../src/sync/backpressure.ts";
import { Controller } from "../../src/sync/controller.ts";
import { createView } from "../../src/view.ts";
import { MockModel } from "../mock_model.ts";
import { StillObserver } from "../observers.ts";
import { rawEvaluation, rawFrame, rawFrames, rawGroup, WITHOUT_LIMITS_0 } from "../sample.ts";

const PLACE = {
  left: 0,
  top: 0,
  right: 480,
  bottom: 480,
  width: 480,
  height: 480,
  x: 0,
  y: 0,
  toJSON: () => "",
};

let model: MockModel;
let controller: Controller;
let root: HTMLElement;
let endings: (() => void)[];
let width: number;

beforeEach(() => {
  endings = [];
  width = 960;
  vi.stubGlobal("ResizeObserver", StillObserver);
  vi.stubGlobal("IntersectionObserver", StillObserver);
  vi.stubGlobal("matchMedia", () => new EventTarget());
  Element.prototype.setPointerCapture = () => {};
  Object.assign(SVGElement.prototype, { getComputedTextLength: () => 100 });
  Element.prototype.getBoundingClientRect = () => PLACE;
  vi.spyOn(Element.prototype, "clientWidth", "get").mockImplementation(() => width);
});

afterEach(() => {
  for (const end of endings.reverse()) end();
  vi.unstubAllGlobals();
});

const drawn = () => new Promise(requestAnimationFrame);
const find = <E extends Element = HTMLElement>(testid: string) =>
  root.querySelector(`[data-testid="${testid}"]`) as E;
const isSeen = (element: Element) => element.closest("[hidden]") === null;

async function open(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  model = new MockModel(traits);
  controller = new Controller(model.asModel(), pageClock);
  endings.push(() => controller.close());
  await openView();
}

async function openView() {
  const el = document.body.appendChild(document.createElement("div"));
  endings.push(createView(controller, el));
  root = el.firstElementChild as HTMLElement;
  await drawn();
}

function press(target: Element, key: string) {
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

interface Pointer {
  clientX: number;
  clientY: number;
  buttons?: number;
  pointerType?: string;
}

function pointer(target: Element, type: string, { pointerType = "mouse", ...place }: Pointer) {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, ...place });
  target.dispatchEvent(Object.assign(event, { pointerId: 1, pointerType }));
}

const onPlot = (fpr: number, tpr: number) => {
  const { x0, y0, size } = find("plot").dataset;
  return { clientX: Number(x0) + fpr * Number(size), clientY: Number(y0) - tpr * Number(size) };
};

const CLASSES = { _data: rawGroup("3", "8"), _frame: rawFrames(2) };

test("the source of what is drawn has a word and a shape for each state", async () => {
  await open();
  const shapeOf = () => find("source").querySelector("svg")?.innerHTML;
  expect(find("source").textContent).toBe("Kernel");
  const shapes = new Set([shapeOf()]);
  press(find("alpha"), "End");
  await drawn();
  expect(find("source").textContent).toBe("Preview");
  shapes.add(shapeOf());
  model.fail(model.last, "broke");
  await drawn();
  expect(find("source").textContent).toBe("Error");
  shapes.add(shapeOf());
  await open({ _static: true });
  expect(find("source").textContent).toBe("No kernel");
  expect(shapes.add(shapeOf()).size).toBe(4);
  expect(root.querySelector(".crw-static")?.textContent).toBe(
    "This page works on its own, without a kernel: it computes the numbers itself, exactly as Python would.",
  );
});

test("Escape closes the list of files and gives the focus back", async () => {
  await open();
  const button = find<HTMLButtonElement>("toolbar-download");
  button.click();
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(document.activeElement).toBe(find("download-svg"));
  press(document.activeElement as Element, "ArrowUp");
  expect(document.activeElement).toBe(find("download-csv"));
  press(document.activeElement as Element, "Escape");
  expect(isSeen(find("download-svg"))).toBe(false);
  expect(document.activeElement).toBe(button);
});

test("a press elsewhere closes the list of files", async () => {
  await open();
  find("toolbar-download").click();
  pointer(find("plot"), "pointerdown", onPlot(0.5, 0.5));
  expect(isSeen(find("download-svg"))).toBe(false);
});

test("in a narrow view the toolbar waits behind one button", async () => {
  width = 400;
  await open();
  expect(isSeen(find("toolbar-copy"))).toBe(false);
  find("toolbar-more").click();
  expect(isSeen(find("toolbar-copy"))).toBe(true);
  press(find("toolbar-copy"), "Escape");
  expect(isSeen(find("toolbar-copy"))).toBe(false);
  width = 960;
  await open();
  expect(isSeen(find("toolbar-copy"))).toBe(true);
  expect(isSeen(find("toolbar-more"))).toBe(false);
});

test("the file that is downloaded holds what is on the screen", async () => {
  await open();
  const blobs: Blob[] = [];
  const names: string[] = [];
  vi.stubGlobal("URL", {
    createObjectURL: (blob: Blob) => blobs.push(blob) && "blob:x",
    revokeObjectURL() {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  find("download-csv").click();
  find("download-svg").click();
  await drawn();
  expect(names).toEqual(["roc-alpha-0.05.csv", "roc-alpha-0.05.svg"]);
  const [csv, svg] = await Promise.all(blobs.map((blob) => textOf(blob)));
  expect(csv).toContain("# alpha=0.05");
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  expect(parsed.querySelector("title")?.textContent).toBe("ROC curve with 95 % conformal band");
  expect(JSON.parse(parsed.querySelector("metadata")?.textContent ?? "")).toMatchObject({ alpha: 0.05 });
  expect(svg).not.toMatch(/class=|data-testid|aria-|tabindex/);
});

test("hostile names make a valid SVG", async () => {
  const hostile = "</svg><script>alert(1)</script>\u0000\u2028&\"'";
  await open({ _data: rawGroup(hostile, "b"), _frame: rawFrames(2), label: hostile });
  const blobs: Blob[] = [];
  vi.stubGlobal("URL", {
    createObjectURL: (blob: Blob) => blobs.push(blob) && "blob:x",
    revokeObjectURL() {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  find("download-svg").click();
  await drawn();
  const parsed = new DOMParser().parseFromString(await textOf(blobs[0]), "image/svg+xml");
  expect(parsed.querySelector("parsererror, script")).toBeNull();
  expect(parsed.querySelector("title")?.textContent).toContain("</svg><script>");
});

function textOf(blob: Blob): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsText(blob);
  });
}

test("the line of Python is copied and, where the page may not, shown to be copied by hand", async () => {
  await open();
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => copied.push(text) } });
  find("toolbar-copy").click();
  await drawn();
  expect(copied).toEqual([
    "from conformal_roc_widget import ROCWidget; " +
      'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity")  # with your own evaluation',
  ]);
  expect(find("toolbar-copy").textContent).toBe("Copied");
  vi.stubGlobal("navigator", {});
  find("toolbar-copy").click();
  await drawn();
  const field = root.querySelector(".crw-code") as HTMLInputElement;
  expect(isSeen(field)).toBe(true);
  expect(field.value).toBe(copied[0]);
  expect(document.activeElement).toBe(field);
  press(field, "Escape");
  expect(isSeen(field)).toBe(false);
  expect(document.activeElement).toBe(find("toolbar-copy"));
});

test("without a screen to fill, the whole page is filled, until Escape", async () => {
  await open();
  find("toolbar-fullscreen").click();
  await drawn();
  await drawn();
  expect(root.classList.contains("crw-overlay")).toBe(true);
  expect(find("toolbar-fullscreen").textContent).toBe("Leave full screen");
  press(root, "Escape");
  await drawn();
  expect(root.classList.contains("crw-overlay")).toBe(false);
});

test("reset goes back to how the page was opened", async () => {
  await open();
  press(find("threshold"), "End");
  await drawn();
  find("toolbar-reset").click();
  await drawn();
  expect(find("threshold").getAttribute("aria-valuenow")).toBe("0.5");
});

test("a callout follows the pointer over the plot, but no drag and no finger", async () => {
  await open();
  pointer(find("plot"), "pointermove", onPlot(0.21, 0.52));
  await drawn();
  expect(isSeen(find("hover"))).toBe(true);
  expect(find("hover").textContent).toBe("λ 0.70TPR 0.500.25 to 1.00FPR 0.200.00 to 0.40");
  pointer(find("plot"), "pointermove", onPlot(0.9, 0.1));
  await drawn();
  expect(find("hover").textContent).toMatch(/^λ .*TPR .*FPR /);
  pointer(find("plot"), "pointermove", onPlot(1.1, 0.1));
  await drawn();
  expect(isSeen(find("hover"))).toBe(false);
  for (const more of [{ pointerType: "touch" }, { buttons: 1 }]) {
    pointer(find("plot"), "pointermove", onPlot(0.21, 0.52));
    await drawn();
    expect(isSeen(find("hover"))).toBe(true);
    pointer(find("plot"), "pointermove", { ...onPlot(0.21, 0.52), ...more });
    await drawn();
    expect(isSeen(find("hover"))).toBe(false);
  }
});

test("a note that is dismissed stays away, in every view of the widget", async () => {
  await open({ _data: rawEvaluation({ notes: ["Mind this. It matters.", "And this."] }) });
  expect(root.querySelectorAll('[data-testid="note"]')).toHaveLength(2);
  root.querySelector<HTMLElement>(".crw-close")?.click();
  await drawn();
  expect(find("note").textContent).toBe("And this. ");
  await openView();
  expect(root.querySelectorAll('[data-testid="note"]')).toHaveLength(1);
});

test("where a label has no limits, one button sets the confidence from which it has both", async () => {
  const _data = rawEvaluation({ n_calibration: [12, 199] });
  await open({ _data, _frame: rawFrame(WITHOUT_LIMITS_0) });
  const action = root.querySelector(".crw-action") as HTMLElement;
  expect(action.textContent).toBe("Set confidence to 69\u00a0%");
  action.click();
  await drawn();
  expect(model.get("alpha")).toBe(0.31);
});

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

test("the picker keeps the focus when it changes what is shown", async () => {
  await open(CLASSES);
  const radio = find("picker").querySelectorAll("input")[1];
  radio.focus();
  radio.click();
  await drawn();
  expect(document.activeElement).toBe(radio);
});

test("many classes, or long names, are picked from a list", async () => {
  const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
  await open({ _data: rawGroup(...names), _frame: rawFrames(8) });
  const select = find("picker").querySelector("select") as HTMLSelectElement;
  expect(select.options).toHaveLength(9);
  select.selectedIndex = 3;
  select.dispatchEvent(new Event("change"));
  expect(model.get("label")).toBe("c2");
});

test("weights are chosen where classes are averaged", async () => {
  await open(CLASSES);
  root.querySelector<HTMLInputElement>('input[value="uniform"]')?.click();
  await drawn();
  expect(model.get("weights")).toBe("uniform");
  expect(root.textContent).toContain("averaged over two classes with equal weights");
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

test("the data table is there from the start", async () => {
  await open();
  expect(find("data-table").querySelectorAll("tbody tr")).toHaveLength(21);
});

test("the keyboard goes from the band over the sliders to the toolbar", async () => {
  await open();
  const stops = [...root.querySelectorAll("[tabindex='0'], input, button")]
    .filter(isSeen)
    .map((element) => element.getAttribute("data-testid") ?? element.getAttribute("value"));
  const order = [
    ...["sensitivity", "operating-point", "alpha", "threshold", "jump"],
    ...["residual-handle-1-lower", "residual-handle-0-upper", "toolbar-download", "toolbar-reset"],
  ];
  const places = order.map((name) => stops.indexOf(name));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test("two hundred views, opened and closed, leave no listener on the page", async () => {
  let alive = 0;
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, "addEventListener").mockImplementation(
      (type: string, listener: unknown, options?: boolean | AddEventListenerOptions) => {
        alive += 1;
        if (typeof options === "object") options.signal?.addEventListener("abort", () => (alive -= 1));
        add(type, listener as EventListener, options);
      },
    );
    vi.spyOn(target, "removeEventListener").mockImplementation(() => {
      alive -= 1;
    });
  }
  model = new MockModel(CLASSES);
  controller = new Controller(model.asModel(), pageClock);
  endings.push(() => controller.close());
  const el = document.body.appendChild(document.createElement("div"));
  for (let i = 0; i < 200; i++) {
    const end = createView(controller, el);
    if (i % 20 === 0) await drawn();
    expect(alive).toBeGreaterThan(0);
    end();
  }
  expect(alive).toBe(0);
  expect(el.childElementCount).toBe(0);
}, 60_000);
