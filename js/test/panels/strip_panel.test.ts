// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import { html } from "../../src/base/dom.ts";
import { createStripPanel } from "../../src/panels/strip_panel.ts";
import { StillObserver } from "../observers.ts";

test("a value that is too long for its column is written in small letters, whatever came before", () => {
  vi.stubGlobal("ResizeObserver", StillObserver);
  const slider = { element: html("div", {}), setTrack: () => {}, draw: () => {} };
  const panel = createStripPanel(
    { setting: "threshold", title: "Threshold", slider, points: "score", axisName: [], redraw: () => {} },
    new AbortController().signal,
  );
  const value = panel.element.querySelector(".crw-value");
  for (const [text, isLong] of [
    ["0.50", false],
    ["5800000000", true],
    ["−1234.5", false],
    ["−1000006", true],
  ] as const) {
    panel.setValue(text);
    expect(value?.textContent).toBe(text);
    expect(value?.classList.contains("crw-value-long"), text).toBe(isLong);
  }
});
