// Starts a widget on a page as anywidget does, with a model that tests change by hand.

import { afterEach, beforeEach, vi } from "vitest";
import widget from "../src/widget.ts";
import { MockModel } from "./mock_model.ts";
import { drawn } from "./page.ts";

export const TRACK = {
  left: 100,
  top: 0,
  right: 444,
  bottom: 32,
  width: 344,
  height: 32,
  x: 100,
  y: 0,
  toJSON: () => "",
};

export let model: MockModel;
export let endings: (() => void)[];
export let observed: number;

class FakeObserver {
  private own = 0;
  observe() {
    this.own += 1;
    observed += 1;
  }
  disconnect() {
    observed -= this.own;
    this.own = 0;
  }
}

/** Replaces what jsdom lacks for each test of a file, and closes the views that it has opened. */
export function prepareBrowser(): void {
  beforeEach(() => {
    endings = [];
    observed = 0;
    vi.stubGlobal("ResizeObserver", FakeObserver);
    vi.stubGlobal("IntersectionObserver", FakeObserver);
    vi.stubGlobal("matchMedia", () => new EventTarget());
    Element.prototype.setPointerCapture = () => {};
    Element.prototype.getBoundingClientRect = () => TRACK;
  });

  afterEach(() => {
    for (const end of endings.reverse()) end();
    vi.unstubAllGlobals();
  });
}

/** Starts the widget as anywidget does: calls the factory once for each model, and `render` once for each view. */
export async function open(
  traits: ConstructorParameters<typeof MockModel>[0] = {},
  views = 1,
  loaded = widget,
): Promise<HTMLElement[]> {
  model = new MockModel(traits);
  const definition = typeof loaded === "function" ? await loaded() : loaded;
  const ending = new AbortController();
  const props = { model: model.asModel(), signal: ending.signal } as never;
  await definition.initialize?.(props);
  endings.push(() => ending.abort());
  const roots: HTMLElement[] = [];
  for (let i = 0; i < views; i++) {
    const el = document.body.appendChild(document.createElement("div"));
    endings.push((await definition.render?.(Object.assign({ el }, props))) as () => void);
    roots.push(find(el, "crw"));
  }
  await drawn();
  return roots;
}

/** Waits until the next request may be sent, and a little longer. */
export const paced = () => new Promise((resolve) => setTimeout(resolve, 80));
export const find = (root: Element, testid: string) =>
  root.querySelector(`[data-testid="${testid}"]`) as HTMLElement;

export function pointer(target: Element, type: string, clientX: number, clientY = 0) {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, button: 0, clientX, clientY });
  target.dispatchEvent(Object.assign(event, { pointerId: 1 }));
}

/** The value of a slider after it is drawn. The kernel may not have answered yet. */
export async function drawnValue(name: "alpha" | "threshold"): Promise<number> {
  await drawn();
  return Number(find(document.body, name).getAttribute("aria-valuenow"));
}
