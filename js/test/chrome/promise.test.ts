// @vitest-environment jsdom

import { beforeEach, expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import { pythonLine } from "../../src/words/python_line.ts";
import { arrived } from "../arrived.ts";
import { controller, find, isSeen, model, open, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";

prepareBrowser();

const { data, frame } = messages.recentred;
const scope = () => find<HTMLSelectElement>("scope");
const chosen = () => scope().selectedIndex;
const spaced = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ");
const line = () => spaced(root.querySelector(".crw-promise-line")?.textContent);
const numbers = () => spaced(root.querySelector(".crw-summary")?.textContent);

async function press(index: number) {
  scope().selectedIndex = index;
  scope().dispatchEvent(new Event("change"));
  await drawn();
}

beforeEach(() =>
  open({ _data: arrived(data), _frame: arrived(frame), alpha: 0.1, threshold: 0.35, _static: true }),
);

test("the promise is a choice, and everything follows it", async () => {
  expect(line()).toMatch(/^at least 90 % for /);
  expect(chosen()).toBe(0);
  const before = numbers();
  expect(find("jump").parentElement?.textContent).toContain("optimistic");
  await press(1);
  expect(chosen()).toBe(1);
  expect(model.get("guarantee")).toBe("everywhere");
  const picture = controller.picture();
  expect(picture.ok && pythonLine(picture.value)).toContain(', guarantee="everywhere")');
  expect(numbers()).not.toBe(before);
  expect(root.querySelector(".crw-confidence .crw-remark")?.textContent).toBe("choose before looking");
  expect(find("residual-strip-1").textContent).toMatch(/bound here by ranks \d+ and \d+/);
  controller.undo();
  await drawn();
  expect(chosen()).toBe(0);
});

test("who picks a threshold is told once that the promise is left", async () => {
  const isMarked = () => find("promise").hasAttribute("data-picked");
  const hint = () => find("promise-hint");
  expect([isMarked(), isSeen(hint())]).toEqual([false, false]);
  controller.setThreshold(0.5);
  await drawn();
  expect([isMarked(), isSeen(hint())]).toEqual([true, true]);
  hint().click();
  await drawn();
  expect([chosen(), isMarked(), isSeen(hint())]).toEqual([1, false, false]);
  await press(0);
  expect([isMarked(), isSeen(hint())]).toEqual([true, false]);
  controller.reset();
  await drawn();
  expect(isMarked()).toBe(false);
});

test("a threshold that Python sets is not picked by the reader", async () => {
  await open({ _data: arrived(data), _frame: arrived(frame), alpha: 0.1, threshold: 0.35 });
  model.setAtOnce([["threshold", 0.5]]);
  await drawn();
  expect(find("promise").hasAttribute("data-picked")).toBe(false);
});

test("without a choice there is none", async () => {
  await open();
  expect(isSeen(scope())).toBe(false);
  expect(line()).toContain("a threshold picked blindly");
});
