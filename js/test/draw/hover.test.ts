// @vitest-environment jsdom
// The callout at the pointer.

import { expect, test } from "vitest";
import { viewOf } from "../../src/views/views.ts";
import { find, isSeen, onPlot, open, pointer, prepareBrowser } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { pictureOf } from "../picture.ts";

prepareBrowser();

test("the callout tells of the nearest vertex", () => {
  const picture = pictureOf();
  expect(viewOf(picture).reading(picture, 0.38, 0.7)).toMatchObject({
    x: 0.4,
    y: 0.75,
    title: "threshold 0.50",
    rows: [
      { text: "Sensitivity 75 %", limits: "50 to 100 %" },
      { text: "Specificity 60 %", limits: "20 to 80 %" },
    ],
  });
  expect(viewOf(picture).reading(picture, -1, -1)?.title).toBe("threshold above all scores");
});

test("a callout follows the pointer over the plot, but no drag and no finger", async () => {
  await open();
  pointer(find("plot"), "pointermove", onPlot(0.21, 0.52));
  await drawn();
  expect(isSeen(find("hover"))).toBe(true);
  expect(find("hover").textContent).toBe(
    "threshold 0.70Sensitivity 50\u00a0%25 to 100\u00a0%Specificity 80\u00a0%60 to 100\u00a0%",
  );
  pointer(find("plot"), "pointermove", onPlot(0.9, 0.1));
  await drawn();
  expect(find("hover").textContent).toMatch(/^threshold .*Sensitivity .*Specificity /);
  pointer(find("plot"), "pointermove", onPlot(1.1, 0.1));
  await drawn();
  expect(isSeen(find("hover"))).toBe(false);
  for (const more of [{ pointerType: "touch" }, { buttons: 1 }]) {
    pointer(find("plot"), "pointermove", onPlot(0.21, 0.52));
    await drawn();
    expect(isSeen(find("hover"))).toBe(true);
    pointer(find("plot"), "pointermove", { ...onPlot(0.21, 0.52), ...more });
    await drawn();
    expect(isSeen(find("hover"))).toBe(false);
  }
});
