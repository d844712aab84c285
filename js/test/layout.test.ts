import { expect, test } from "vitest";
import { plotSize, widthOf } from "../src/layout.ts";
import { pathOf } from "../src/plot/geometry.ts";

test("the plot has the sides of the design", () => {
  expect(plotSize(960, 1000)).toEqual({ left: 32, right: 0, size: 408, hasKey: false });
  expect(plotSize(1600, 1000).size).toBe(560);
  expect(plotSize(320, 1000).size).toBe(262);
  expect(plotSize(848, 600)).toEqual({ left: 32, right: 8, size: 400, hasKey: false });
  expect(plotSize(848, 500).size).toBe(300);
  expect(plotSize(1280, 400).size).toBe(250);
  expect(plotSize(390, 844).size).toBe(332);
  expect(plotSize(1280, 300).size).toBe(240);
});

test("a page of its own holds the whole plot below what stands above it", () => {
  expect(plotSize(1280, 620, null, 240).size).toBe(308);
  expect(plotSize(1280, 1000, null, 240).size).toBe(560);
  expect(plotSize(1280, 553, null, 240).size).toBe(241);
  expect(plotSize(390, 844, null, 240).size).toBe(332);
});

test("a chart further down a page is as large as one that nothing stands above, for the reader scrolls to it", () => {
  expect(plotSize(1280, 551, null, 240).size).toBe(plotSize(1280, 551).size);
  expect(plotSize(1280, 800, null, 1490).size).toBe(plotSize(1280, 800).size);
});

test("a key takes the captions’ place where the page is narrower than 420 px", () => {
  expect([320, 419, 420, 600, 1440].map((pixels) => plotSize(pixels, 900).hasKey)).toEqual([
    ...[true, true, false, false, false],
  ]);
});

test("every width from 320 px on holds its plot", () => {
  for (let pixels = 320; pixels <= 2000; pixels++) {
    const { left, size, right } = plotSize(pixels, 2000);
    const beside = { wide: 520, medium: 320, narrow: 24 }[widthOf(pixels)];
    expect(left + size + right + beside).toBeLessThanOrEqual(pixels);
  }
});

test("path data are pixels from the origin of the plot, upwards", () => {
  const line = { x: Float64Array.of(0, 1 / 3, 1), y: Float64Array.of(0, 0.5, 1) };
  expect(pathOf(line, { x0: 32, y0: 434, size: 408 })).toBe("M32 434L168 230L440 26");
  expect(pathOf(line, { x0: 0, y0: 100, size: 100 })).toBe("M0 100L33.33 50L100 0");
});
