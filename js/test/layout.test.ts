import { expect, test } from "vitest";
import { layoutOf, widthOf } from "../src/layout.ts";

const inNotebook = (pixels: number, visible = 800) => layoutOf(pixels, visible, false, 0);
const inFile = (pixels: number, visible: number, rows = 0) => layoutOf(pixels, visible, true, rows);

test("in a notebook the width alone says how large the plot is", () => {
  expect([880, 940, 1000, 1200, 1400].map((pixels) => inNotebook(pixels).plot.size)).toEqual([
    ...[352, 374, 396, 400, 400],
  ]);
  expect(inNotebook(1000, 420).plot.size).toBe(310);
  expect(inNotebook(1000).strips).toEqual({ residuals: 38, scores: 48 });
});

test("a page of its own takes the height that there is, and sets it densely where there is little", () => {
  expect(inFile(1280, 800).plot.size).toBe(482);
  expect(inFile(1280, 1000).plot.size).toBe(560);
  expect(inFile(1280, 620)).toMatchObject({ isDense: true, plot: { size: 362 } });
  expect(inFile(1280, 300).plot.size).toBe(240);
  // What is added to the plot the strips share.
  expect(inFile(1280, 800).strips).toEqual({ residuals: 36 + 23, scores: 46 + 23 });
  expect(inFile(1280, 620).strips).toEqual({ residuals: 33, scores: 41 });
});

test("a slider for a time is paid by the plot and the strips, on a low screen by the strips alone", () => {
  const timed = (pixels: number, visible: number) => layoutOf(pixels, visible, true, 0, 1, 0, true);
  expect(timed(1000, 760)).toMatchObject({ plot: { size: 420 }, strips: { residuals: 34, scores: 42 } });
  expect(timed(1280, 620)).toMatchObject({ plot: { size: 362 }, strips: { residuals: 24, scores: 28 } });
  expect(timed(1000, 800).strips).toEqual({ residuals: 34 + 10, scores: 42 + 10 });
});

test("a further row above the plot is taken from the plot", () => {
  expect(inFile(1280, 620, 1).plot.size).toBe(342);
  expect(inFile(1280, 620, 1).strips).toEqual(inFile(1280, 620).strips);
});

test("every width from 320 px on holds its plot, and what stands beside it", () => {
  for (let pixels = 320; pixels <= 2000; pixels++) {
    const { plot, gap } = inFile(pixels, 2000);
    const beside = { wide: 32 + gap + 400, medium: 32 + 24 + 248, narrow: 24 }[widthOf(pixels)];
    expect(plot.left + plot.size + plot.right + beside).toBeLessThanOrEqual(pixels);
  }
});

test("from 600 to 879 px there are two equal columns, whose strips share what the plot is higher", () => {
  expect([600, 720, 860].map((pixels) => inNotebook(pixels).plot.size)).toEqual([242, 300, 370]);
  expect([600, 720, 860].map((pixels) => inNotebook(pixels).strips)).toEqual([
    { residuals: 30, scores: 40 },
    { residuals: 30, scores: 40 },
    { residuals: 47, scores: 57 },
  ]);
});

test("the gutter holds a slider's value in any letters", () => {
  for (const pixels of [390, 720, 1000]) expect(layoutOf(pixels, 800, false, 0, 1, 117).gutter).toBe(117);
});

test("in a page of its own the strips give what rows of a table beyond the second take, as far as they can", () => {
  const listed = (n: number) => layoutOf(1280, 620, true, 1, 1, 0, false, { listed: n }).strips;
  expect(listed(2)).toEqual({ residuals: 33, scores: 41 });
  expect(listed(4)).toEqual({ residuals: 24, scores: 30 });
  expect(listed(9)).toEqual({ residuals: 24, scores: 22 });
  expect(layoutOf(1280, 800, true, 2, 1, 0, false, { listed: 5 }).strips).toEqual({
    residuals: 49 - 20,
    scores: 59 - 19,
  });
  const inNotebook = layoutOf(1280, 800, false, 2, 1, 0, false, { listed: 5 });
  expect(inNotebook.strips).toEqual(layoutOf(1280, 800, false, 2).strips);
});

test("on a low screen plot and strips leave notes their room, if they can, and else keep all of it", () => {
  const noted = (notes: number, hasStrips = true) => {
    const { plot, strips } = layoutOf(1280, 620, true, 0, 1, 0, false, { notes, hasStrips });
    return [plot.size, 2 * (strips.residuals + strips.scores)];
  };
  expect(noted(0)).toEqual([362, 148]);
  expect(noted(42)).toEqual([320, 106]);
  expect(noted(56)).toEqual([306, 92]);
  expect(noted(57)).toEqual(noted(0));
  // All classes together have no strips that could run out.
  expect(noted(57, false)[0]).toBe(305);
  expect(noted(122, false)[0]).toBe(240);
  expect(noted(123, false)[0]).toBe(362);
  expect(layoutOf(1280, 800, true, 0, 1, 0, false, { notes: 42 })).toEqual(layoutOf(1280, 800, true, 0));
});
