// Opens a view on a page, with a model that tests change by hand.

import { afterEach, beforeEach, vi } from "vitest";
import { pageClock } from "../src/sync/backpressure.ts";
import { Controller } from "../src/sync/controller.ts";
import { createView } from "../src/view.ts";
import { MockModel } from "./mock_model.ts";
import { StillObserver } from "./observers.ts";
import { drawn } from "./page.ts";
import { rawFrames, rawGroup } from "./sample.ts";

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

export const CLASSES = { _data: rawGroup("3", "8"), _frame: rawFrames(2) };

export let model: MockModel;
export let controller: Controller;
export let root: HTMLElement;
let endings: (() => void)[];
/** Width that the page measures for every element. */
export const measured = { width: 960 };

/** Replaces what jsdom lacks for each test of a file, and closes the views that it has opened. */
export function prepareBrowser(): void {
  beforeEach(() => {
    endings = [];
    measured.width = 960;
    vi.stubGlobal("ResizeObserver", StillObserver);
    vi.stubGlobal("IntersectionObserver", StillObserver);
    vi.stubGlobal("matchMedia", () => new EventTarget());
    Element.prototype.setPointerCapture = () => {};
    Object.assign(SVGElement.prototype, { getComputedTextLength: () => 100 });
    Element.prototype.getBoundingClientRect = function () {
      // The size of the plot is that of its own units.
      return this.matches(".crw-plot") ? { ...PLACE, width: Number(this.getAttribute("width")) } : PLACE;
    };
    vi.spyOn(Element.prototype, "clientWidth", "get").mockImplementation(() => measured.width);
  });

  afterEach(() => {
    for (const end of endings.reverse()) end();
    vi.unstubAllGlobals();
  });
}

export const find = <E extends Element = HTMLElement>(testid: string) =>
  root.querySelector(`[data-testid="${testid}"]`) as E;
export const isSeen = (element: Element) => element.closest("[hidden], .crw-unseen") === null;

/** A model and its controller, without a view. */
export function start(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  model = new MockModel(traits);
  controller = new Controller(model.asModel(), pageClock);
  endings.push(() => controller.close());
}

export async function open(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  start(traits);
  await openView();
}

export async function openView() {
  const el = document.body.appendChild(document.createElement("div"));
  endings.push(createView(controller, el));
  root = el.firstElementChild as HTMLElement;
  await drawn();
}

interface Pointer {
  clientX: number;
  clientY: number;
  buttons?: number;
  pointerType?: string;
}

export function pointer(target: Element, type: string, { pointerType = "mouse", ...place }: Pointer) {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, ...place });
  target.dispatchEvent(Object.assign(event, { pointerId: 1, pointerType }));
}

export const onPlot = (fpr: number, tpr: number) => {
  const { x0, y0, size } = find("plot").dataset;
  return { clientX: Number(x0) + fpr * Number(size), clientY: Number(y0) - tpr * Number(size) };
};

/** The value of a trait that the reader has set. The kernel may not have answered yet. */
export function wished(name: "alpha" | "threshold" | "label" | "weights" | "page"): unknown {
  const picture = controller.picture();
  if (!picture.ok) throw new Error(picture.problem);
  const { wanted, weights, page, group, shown } = picture.value;
  const label = shown === null ? null : group.entries[shown].key;
  return { ...wanted, weights, page, label }[name];
}
