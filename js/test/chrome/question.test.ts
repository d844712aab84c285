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
  expect(asked().map((each) => each.disabled)).toEqual([false, true, true]);
  for (const input of asked().slice(1, 2)) {
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

test("a curve to guess from answers no question, and the next press asks one", async () => {
  await open({ band: "none" });
  const asked = () => [...find("question").querySelectorAll("input")].map(({ checked }) => checked);
  const list = find("question").querySelector("select");
  expect(asked()).toEqual([false, false, false]);
  expect(list?.selectedOptions[0].textContent).toBe("nothing yet");
  find("question").querySelector("input")?.click();
  await drawn();
  expect(asked()).toEqual([true, false, false]);
  expect(list?.selectedOptions[0].textContent).toBe("an ideal model, same threshold");
  expect(list?.options[3].hidden).toBe(true);
});
