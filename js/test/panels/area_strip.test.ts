// @vitest-environment jsdom

import { expect, test } from "vitest";
import { createAreaStrip } from "../../src/panels/area_strip.ts";
import type { Picture } from "../../src/shown/picture.ts";
import { decodeComparators } from "../../src/wire/decode_comparators.ts";
import { StillObserver } from "../observers.ts";
import { pictureOf } from "../picture.ts";
import { decoded, rawComparators } from "../sample.ts";

const REDRAWS = { low: 0.5, high: 0.9, counts: [0, 1, 3, 4, 2, 0, 0, 1], mostly: [0.3, 0.7] };

function drawn(changes: Partial<Picture> = {}, redraws: object | null = REDRAWS) {
  globalThis.ResizeObserver = StillObserver as unknown as typeof ResizeObserver;
  const comparators = decoded(decodeComparators(rawComparators({ redraws })));
  const picture = pictureOf({ comparators, band: "sampling", ...changes });
  const strip = createAreaStrip(() => {}, new AbortController().signal);
  const plot = strip.element.querySelector(".crw-strip") as HTMLElement;
  Object.defineProperty(plot, "clientWidth", { value: 400 });
  return { strip, picture, evaluation: picture.evaluation };
}

test("says the area and its limits, which a reader without eyes hears too", () => {
  const { strip, picture, evaluation } = drawn();
  evaluation.area = { variance: 0.0004, rows: 4 };
  strip.draw(picture, 36);
  const label = strip.element.querySelector("[data-testid=area-bars]")?.getAttribute("aria-label");
  expect(label).toMatch(/^AUC 0\.\d\d, 0\.\d\d to 0\.\d\d with more test data$/);
  expect(strip.element.querySelector(".crw-value")?.textContent).toMatch(/^0\.\d\d$/);
});

test("says what is still to come", () => {
  const { strip, picture } = drawn({ source: "kernel" }, null);
  strip.draw(picture, 36);
  expect(strip.element.querySelector(".crw-strip-words")?.textContent).toBe("being drawn");
});

test("a histogram without an axis, or with what is no count, is refused", () => {
  for (const broken of [{ high: 0.5 }, { counts: [] }, { counts: [-1] }, { mostly: [0.3] }]) {
    const raw = rawComparators({ redraws: { ...REDRAWS, ...broken } });
    expect(decodeComparators(raw).ok).toBe(false);
  }
});
