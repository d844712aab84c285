// @vitest-environment jsdom
// The choice of one class among several.

import { expect, test } from "vitest";
import { CLASSES, find, open, prepareBrowser, wished } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { rawFrames, rawGroup } from "../sample.ts";

prepareBrowser();

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
  expect(wished("label")).toBe("c2");
});

test("of samples the next one is a press away, after the last the first", async () => {
  await open({ _data: { ...rawGroup("a", "b"), kind: "samples" }, _frame: rawFrames(2) });
  find("next-sample").click();
  expect(wished("label")).toBe("b");
  await drawn();
  find("next-sample").click();
  expect(wished("label")).toBe("a");
});
