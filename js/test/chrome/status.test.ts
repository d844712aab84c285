// @vitest-environment jsdom
// The status: kernel, page or neither.

import { expect, test } from "vitest";
import { press } from "../keys.ts";
import { find, isSeen, model, open, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";

prepareBrowser();

test("where the numbers come from is said where it says something, with a shape for each state", async () => {
  await open();
  expect(isSeen(find("source"))).toBe(false);
  press(find("alpha"), "End");
  await drawn();
  const shapeOf = () => find("source").querySelector("svg")?.innerHTML;
  expect([isSeen(find("source")), find("source").textContent]).toEqual([true, "Preview"]);
  const shape = shapeOf();
  model.fail(model.last, "broke");
  await drawn();
  expect(find("source").textContent).toBe("Error");
  expect(shapeOf()).not.toBe(shape);
  await open({ _static: true });
  expect(isSeen(find("source"))).toBe(false);
  expect(root.querySelector(".crw-static")?.textContent).toBe(
    "This page works on its own, without a kernel: it computes the numbers itself, exactly as Python would.",
  );
});
