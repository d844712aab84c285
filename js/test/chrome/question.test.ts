// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import { CLASSES, controller, find, open, prepareBrowser, root } from "../opened_view.ts";
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

const goalField = () => find<HTMLInputElement>("goal-least");

test("a goal that is no percentage is replaced by the last one, an empty one is none", async () => {
  await open({ goal: { sensitivity: 0.6 } });
  const field = goalField();
  const goal = () => {
    const picture = controller.picture();
    return picture.ok && picture.value.goal;
  };
  const enter = async (value: string) => {
    field.value = value;
    field.dispatchEvent(new Event("change"));
    await drawn();
  };
  await enter("250");
  expect(field.value).toBe("60");
  await enter("70");
  expect(goal()).toEqual({ sensitivity: 0.7 });
  await enter("-1");
  expect(field.value).toBe("70");
  await enter("");
  expect(goal()).toBeNull();
});

test("the press that sets the goal's threshold leaves the focus at the goal", async () => {
  await open({ goal: { specificity: 0.3 } });
  controller.jumpTo({ threshold: 0.05 });
  await vi.waitFor(() => expect(find("goal-jump")).not.toBeNull());
  const jump = find("goal-jump");
  jump.focus();
  jump.click();
  await vi.waitFor(() => expect(find("goal-jump")).toBeNull());
  expect(document.activeElement).toBe(find("goal-rate"));
});
