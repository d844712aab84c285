// @vitest-environment jsdom

import { expect, test } from "vitest";
import { CLASSES, find, open, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";

prepareBrowser();

const reasons = (element: Element | null | undefined) => [
  element?.getAttribute("title"),
  element?.getAttribute("aria-description"),
];

test("what cannot be chosen says why, to those who see it and those who hear it", async () => {
  await open();
  const asked = () => [...find("question").querySelectorAll("input")];
  expect(asked().map((each) => reasons(each)[1])).toEqual([null, null, null]);
  const view = find<HTMLSelectElement>("views");
  view.value = "net_benefit";
  view.dispatchEvent(new Event("change"));
  await drawn();
  const why = "Net benefit does not have this question: ROC curve has it";
  expect(asked().map((each) => each.disabled)).toEqual([true, false, true]);
  for (const input of asked().slice(2)) {
    expect(reasons(input)).toEqual([why, why]);
    expect(input.closest("label")?.title).toBe(why);
  }
});

test("of all classes the list of views says what to look at", async () => {
  await open(CLASSES);
  const why = "Look at one class for another view";
  expect(find<HTMLSelectElement>("views").disabled).toBe(true);
  expect(reasons(find("views"))).toEqual([why, why]);
  expect(root.dataset.view).toBe("overview");
});

test("a curve to guess from asks no question", async () => {
  await open({ band: "none" });
  expect(find("question").hidden).toBe(true);
  expect(find("goal").hidden).toBe(true);
});
