// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import { createSegments } from "../../src/base/segments.ts";

test("a choice writes to the page what has changed alone", () => {
  const texts = ["a", "b", "c"].map((text) => ({ text, value: text }));
  const { element, choose } = createSegments("", texts, () => {}, new AbortController().signal);
  const chosen = () => element.querySelector<HTMLInputElement>("input:checked")?.value;
  choose(0);
  expect(chosen()).toBe("a");
  const write = vi.spyOn(HTMLInputElement.prototype, "checked", "set");
  choose(0);
  expect(write).not.toHaveBeenCalled();
  choose(2);
  expect(chosen()).toBe("c");
});
