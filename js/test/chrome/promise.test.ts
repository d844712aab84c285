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
const line = () => spaced(root.querySelector(".crw-promise-words:not([hidden])")?.textContent);
const numbers = () => spaced(root.querySelector(".crw-summary")?.textContent);
const fold = () => find("promise-fold");

async function press(index: number) {
  scope().selectedIndex = index;
  scope().dispatchEvent(new Event("change"));
  await drawn();
}

beforeEach(() =>
  open({ _data: arrived(data), _frame: arrived(frame), alpha: 0.1, threshold: 0.35, _static: true }),
);

test("in the second question the choice of the promise is in sight, and everything follows it", async () => {
  expect(line()).toMatch(/^\s*At least 90 % for /);
  expect(scope().closest("details")).toBeNull();
  expect([...scope().options].map(({ text }) => text)).toEqual([
    "one fixed beforehand",
    "any threshold I pick, 0.005 to 0.995",
  ]);
  expect(chosen()).toBe(0);
  const before = numbers();
  await press(1);
  expect(chosen()).toBe(1);
  expect(model.get("guarantee")).toBe("everywhere");
  const picture = controller.picture();
  expect(picture.ok && pythonLine(picture.value)).toContain(', guarantee="everywhere")');
  expect(numbers()).not.toBe(before);
  const strip = find("residual-strip-1");
  expect(strip.querySelector(".crw-strip-words")?.textContent).toMatch(
    /^band’s limits: \d+\w\w and \d+\w\w of \d+$/,
  );
  const edges = () => strip.querySelector(".crw-strip-edges:not([hidden])")?.getAttribute("d");
  expect(edges()?.match(/M/g)).toHaveLength(2);
  controller.undo();
  await drawn();
  expect(chosen()).toBe(0);
  expect(edges()).toBeUndefined();
});

test("its condition has at most ten words, and the fold says all that is guaranteed", () => {
  const condition = spaced(root.querySelector(".crw-promise-line > span:last-child")?.textContent);
  expect(condition?.split(" ").length).toBeLessThanOrEqual(10);
  expect((fold() as HTMLDetailsElement).open).toBe(false);
  expect(fold().textContent).toContain("if the given reference is the true π");
});

test("a step of a slider makes only those explanations anew whose words it changes", async () => {
  const entries = () => [...root.querySelectorAll(".crw-legend dd")].map((entry) => [...entry.children]);
  const texts = () => [...root.querySelectorAll(".crw-legend dd")].map((entry) => entry.textContent);
  const before = entries();
  const said = texts();
  expect(before.flat().length).toBeGreaterThan(4);
  controller.setAlpha(0.2);
  await drawn();
  const isSameText = texts().map((text, i) => text === said[i]);
  expect(isSameText).toContain(false);
  expect(isSameText).toContain(true);
  entries().forEach((entry, i) => {
    if (isSameText[i]) for (const [k, piece] of entry.entries()) expect(piece).toBe(before[i][k]);
  });
});

test("in the first question all of it is in the fold", async () => {
  await open({
    _data: rawEvaluation({ selectable: true }),
    _comparators: rawComparators(),
    band: "sampling",
  });
  const said = root.querySelector<HTMLElement>(".crw-promise-words:not([hidden])");
  expect(said?.closest("details")).toBe(fold());
  expect(spaced(said?.textContent)).toContain("About 95 % for one point of the curve");
});

test("a sentence says for which thresholds it holds once the reader has picked one, until it is undone", async () => {
  expect(numbers()).not.toContain("picked");
  controller.setThreshold(0.5);
  await drawn();
  expect(numbers()).toContain("(90 % sure, for a threshold picked blindly)");
  await press(1);
  expect(numbers()).toContain("(90 % sure)");
  await press(0);
  controller.reset();
  await drawn();
  expect(numbers()).not.toContain("picked");
});

test("a threshold that Python sets is not picked by the reader", async () => {
  await open({ _data: arrived(data), _frame: arrived(frame), alpha: 0.1, threshold: 0.35 });
  model.setAtOnce([["threshold", 0.5]]);
  await drawn();
  expect(numbers()).not.toContain("picked");
});

test("without a choice there is none", async () => {
  await open();
  expect(isSeen(scope())).toBe(false);
  expect(line()).toContain("a threshold picked blindly");
});
