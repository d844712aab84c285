// @vitest-environment jsdom
// What the page says of where its numbers come from.

import { expect, test } from "vitest";
import { press } from "../keys.ts";
import { find, model, open, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";

prepareBrowser();

test("the source of what is drawn has a word and a shape for each state", async () => {
  await open();
  const shapeOf = () => find("source").querySelector("svg")?.innerHTML;
  expect(find("source").textContent).toBe("Kernel");
  const shapes = new Set([shapeOf()]);
  press(find("alpha"), "End");
  await drawn();
  expect(find("source").textContent).toBe("Preview");
  shapes.add(shapeOf());
  model.fail(model.last, "broke");
  await drawn();
  expect(find("source").textContent).toBe("Error");
  shapes.add(shapeOf());
  await open({ _static: true });
  expect(find("source").textContent).toBe("No kernel");
  expect(shapes.add(shapeOf()).size).toBe(4);
  expect(root.querySelector(".crw-static")?.textContent).toBe(
    "This page works on its own, without a kernel: it computes the numbers itself, exactly as Python would.",
  );
});
