// @vitest-environment jsdom
import { expect, test } from "vitest";
import { createCallout } from "../../src/draw/callout.ts";
import { plain } from "../../src/words/runs.ts";

const SQUARE = { x0: 40, y0: 310, size: 300 };
const LINES = [[plain("threshold 0.80")], [plain("ideal net benefit −0.518 to 0.627")]];

/** Baselines of the words where the edges end below the plot. */
function basesAt(level = Number.NaN): number[] {
  const { element, draw } = createCallout();
  draw(SQUARE, LINES, { x: 200, y: 60, lowest: 400, isFalling: true, level });
  return [...element.querySelectorAll("text")].map((text) =>
    Number(text.getAttribute("transform")?.match(/ (\d+)\)/)?.[1]),
  );
}

test("a line of zero runs above the words and not through them", () => {
  const [first, last] = basesAt();
  expect(last - first).toBe(16);
  expect(basesAt(150)).toEqual([first, last]);
  for (const level of [first - 10, first, last]) expect(basesAt(level)).toEqual([level + 18, level + 34]);
});
