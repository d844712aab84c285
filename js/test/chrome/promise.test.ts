// @vitest-environment jsdom

import { beforeEach, expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import { pythonLine } from "../../src/words/python_line.ts";
import { arrived } from "../arrived.ts";
import { controller, find, isSeen, model, open, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { rawComparators, rawEvaluation } from "../sample.ts";

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
  expect(root.querySelector(".crw-confidence .crw-remark")?.textContent).toBe("decide first");
  const strip = find("residual-strip-1");
  expect(strip.querySelector(".crw-strip-words")?.textContent).toBe("limits");
  expect(strip.title).toMatch(/^Bound here by the \d+\w\w and \d+\w\w of \d+$/);
  const edges = () => strip.querySelector(".crw-strip-edges:not([hidden])")?.getAttribute("d");
  expect(edges()?.match(/M/g)).toHaveLength(2);
  controller.undo();
  await drawn();
  expect(chosen()).toBe(0);
  expect(edges()).toBeUndefined();
  expect(strip.title).toBe("");
});

const mark = () => find("picked");
const isMarked = () => isSeen(mark());
const flag = () => root.querySelector(".crw-threshold .crw-flag-word")?.textContent;
const CONDITION = "in large samples, if the given reference is the true π.";

test("a threshold that is picked is marked beside its value and below the promise, which stays whole", async () => {
  expect([isMarked(), flag()]).toEqual([false, ""]);
  expect(line()).toContain(CONDITION);
  controller.setThreshold(0.5);
  await drawn();
  expect([isMarked(), flag()]).toEqual([true, "picked"]);
  expect(line()).toContain(CONDITION);
  expect(mark().querySelector(".crw-roomy")?.textContent).toContain(
    "You picked this threshold: not promised for it.",
  );
  expect(find("promise-hint").textContent).toContain("Promise it for any threshold I pick");
  find("promise-hint").click();
  await drawn();
  expect([chosen(), isMarked(), flag()]).toEqual([1, false, ""]);
  expect(line()).toContain("of datasets drawn alike for");
  await press(0);
  expect([isMarked(), flag()]).toEqual([true, "picked"]);
  controller.reset();
  await drawn();
  expect([isMarked(), flag()]).toEqual([false, ""]);
});

test("undo takes the mark back with the pick, and what Reset took off", async () => {
  controller.setAlpha(0.2);
  controller.setThreshold(0.5);
  controller.setThreshold(0.6);
  for (const expected of [true, false, false]) {
    controller.undo();
    await drawn();
    expect([isMarked(), flag() !== ""]).toEqual([expected, expected]);
  }
  controller.setThreshold(0.5);
  controller.reset();
  await drawn();
  expect(isMarked()).toBe(false);
  controller.undo();
  await drawn();
  expect(isMarked()).toBe(true);
});

test.each([
  [{ remedy: "calibration='split'" }, true, "This page holds no promise that is."],
  [{ remedy: "calibration='split'" }, false, "With calibration='split' any threshold can be."],
  [{ remedy: "" }, false, "These data allow no promise that is."],
])(
  "where no other promise can be had the mark says what would have to be chosen",
  async (changes, isStatic, expected) => {
    await open({ _data: rawEvaluation(changes), ...(isStatic ? { _static: true } : {}) });
    controller.setThreshold(0.3);
    await drawn();
    expect(isSeen(find("promise-hint"))).toBe(false);
    expect(mark().textContent?.replace(/\s+/g, " ")).toContain(`not promised for it. ${expected}`);
  },
);

test("a threshold that Python sets is not picked by the reader", async () => {
  await open({ _data: arrived(data), _frame: arrived(frame), alpha: 0.1, threshold: 0.35 });
  model.setAtOnce([["threshold", 0.5]]);
  await drawn();
  expect(isMarked()).toBe(false);
});

test("without a choice there is none", async () => {
  await open();
  expect(isSeen(scope())).toBe(false);
  expect(line()).toContain("a threshold picked blindly");
});

test("of a threshold picked on these points, the mark opens those that hold in the population", async () => {
  await open({
    _data: rawEvaluation({ selectable: true }),
    _comparators: rawComparators(),
    band: "sampling",
  });
  const menu = root.querySelector(".crw-jump-panel") as HTMLElement;
  controller.setThreshold(0.3);
  await drawn();
  expect(spaced(mark().textContent)).toContain("Find one that holds in the population");
  find("promise-hint").click();
  expect(menu.hidden).toBe(false);
  expect(menu.contains(document.activeElement)).toBe(true);
  expect(document.activeElement?.className).toBe("crw-jump-kept");
});

test("where rows do not count alike nothing holds in the population, and nothing is offered", async () => {
  await open({
    _data: rawEvaluation({ selectable: true, weighted: true }),
    _comparators: rawComparators(),
    band: "sampling",
  });
  controller.setThreshold(0.3);
  await drawn();
  expect(isMarked()).toBe(true);
  expect(isSeen(find("promise-hint"))).toBe(false);
});
