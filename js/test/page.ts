import { afterEach, beforeEach, vi } from "vitest";
import messages from "../../tests/fixtures/messages.json";
import { VERSION } from "../src/wire/readers.ts";
import { StillObserver } from "./observers.ts";

const { data, frame } = messages["limits everywhere"];
export const STATE = { alpha: 0.05, threshold: 0.42, band: "sensitivity", label: null, weights: "size" };

/** The full payload of one chart in a page. */
export const payload = (changes: object = {}) => ({
  version: VERSION,
  title: null,
  state: STATE,
  data,
  frame,
  ...changes,
});

/** Resolves after the frame in which the charts draw what has changed. */
export const drawn = () => new Promise(requestAnimationFrame);

/** Replaces what jsdom lacks for each test of a file, until the last frame is drawn. */
export function standInForTheBrowser(): void {
  beforeEach(() => {
    vi.stubGlobal("ResizeObserver", StillObserver);
    vi.stubGlobal("IntersectionObserver", StillObserver);
    vi.stubGlobal("matchMedia", () => new EventTarget());
  });
  afterEach(async () => {
    await drawn();
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });
}
