// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import { radios } from "../../src/base/choices.ts";
import { render } from "../../src/base/template.ts";

test("a choice writes to the page what has changed alone", () => {
  const element = document.createElement("div");
  const options = ["a", "b", "c"].map((text) => ({ text }));
  const choose = (chosen: number) => render(radios("id", "", { options, chosen, choose: () => {} }), element);
  const chosen = () => element.querySelector<HTMLInputElement>("input:checked")?.value;
  choose(0);
  expect(chosen()).toBe("a");
  const write = vi.spyOn(HTMLInputElement.prototype, "checked", "set");
  choose(0);
  expect(write).not.toHaveBeenCalled();
  choose(2);
  expect(chosen()).toBe("c");
});
