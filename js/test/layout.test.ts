import { expect, test } from "vitest";
import { layoutOf, widthOf } from "../src/layout.ts";

const inNotebook = (pixels: number, visible = 800) => layoutOf(pixels, visible, false, 0);
const inFile = (pixels: number, visible: number, rows = 0) => layoutOf(pixels, visible, true, rows);

test("there are three widths", () => {
  expect([320, 599, 600, 879, 880, 2000].map(widthOf)).toEqual([
    ...["narrow", "narrow", "medium", "medium", "wide", "wide"],
  ]);
});

test("in a notebook the width alone says how large the plot is", () => {
  expect([880, 940, 1000, 1200, 1400].map((pixels) => inNotebook(pixels).plot.size)).toEqual([
    ...[352, 374, 396, 400, 400],
  ]);
  expect(inNotebook(1000, 420).plot.size).toBe(310);
});

test("a page of its own takes the height that there is, and on a low screen leaves the foot below", () => {
  expect(inFile(1280, 800).plot.size).toBe(800 - 282 - 108);
  expect(inFile(1280, 1000).plot.size).toBe(560);
  // At these heights, sentence, goal, plot and sliders are fully visible at their normal sizes.
  for (const visible of [620, 657]) expect(282 + inFile(1280, visible).plot.size).toBe(visible);
  expect(inFile(1280, 620).strips).toEqual(inFile(1280, 720).strips);
  expect(inFile(1280, 300).plot.size).toBe(220);
  expect(inFile(1280, 1000).strips).toMatchObject({ residuals: 36 + 15, scores: 46 + 15 });
});

test("a further row above the plot is taken from the plot", () => {
  expect(inFile(1280, 620, 1).plot.size).toBe(inFile(1280, 620).plot.size - 20);
});

test("every width from 320 px on holds its plot, and what stands beside it", () => {
  for (let pixels = 320; pixels <= 2000; pixels++) {
    const { plot, gap } = inFile(pixels, 2000);
    const beside = { wide: 32 + gap + 400, medium: 32 + 24 + 248, narrow: 24 }[widthOf(pixels)];
    expect(plot.left + plot.size + plot.right + beside).toBeLessThanOrEqual(pixels);
  }
});

test("the gutter holds a slider's value in any letters", () => {
  for (const pixels of [390, 720, 1000]) expect(layoutOf(pixels, 800, false, 0, 1, 117).gutter).toBe(117);
});
