import { expect, test } from "vitest";
import type { Dot, Text } from "../../src/scene.ts";
import { corneredAxes, corneredMarks } from "../../src/views/corner.ts";
import { corner, dot, line, pen, point, pointsOf } from "../../src/views/parts.ts";
import { axesOf, marksOf, readingAt } from "../../src/views/views.ts";
import { pictureOf } from "../picture.ts";

const INK = pen("ink");

test("what is drawn is the same part for every page, and the axes say so", () => {
  const axes = axesOf(pictureOf({ zoom: true }));
  expect([axes.across.ends, axes.up.ends]).toEqual([
    [0, 0.2],
    [0.8, 1],
  ]);
  expect(axes.up.title).toMatch(/^Sensitivity.*, 80 to 100 %$/);
  expect(axes).toEqual(corneredAxes(axesOf(pictureOf())));
});

test("a view without sensitivity and specificity on its axes has no corner", () => {
  const picture = pictureOf({ view: "precision_recall" });
  expect(axesOf({ ...picture, zoom: true })).toEqual(axesOf(picture));
  expect(marksOf({ ...picture, zoom: true })).toEqual(marksOf(picture));
});

test("the point outside stands on the edge, open; other marks outside are left out", () => {
  const marks = corneredMarks([...point(0.5, 0.6, 0.4), dot("cap", 0.5, 0.9, 5, INK)]);
  const found = marks.find((mark): mark is Dot => mark.id === "point");
  expect([found?.x, found?.y, found?.fill]).toEqual([0.2, 0.8, "paper"]);
  const words = marks.find((mark): mark is Text => mark.id === "point-text");
  expect([words?.x, words?.y, words?.anchor]).toEqual([0.2, 0.8, "end"]);
  expect(marks.some(({ id }) => id === "cap")).toBe(false);
  const inside = corneredMarks(point(0.05, 0.9, 0.4)).find((mark): mark is Dot => mark.id === "point");
  expect([inside?.x, inside?.y, inside?.fill]).toEqual([0.05, 0.9, "ink"]);
});

test("a line that never comes into the corner is left out, one that only steps through it stays", () => {
  const chance = line("chance", "", pointsOf([0, 1], [0, 1]), INK);
  const steps = line("steps", "", pointsOf([0.1, 0.5], [0.5, 0.9], "up"), INK);
  const slope = line("slope", "", pointsOf([0, 0.1, 0.3, 1], [0, 0.7, 0.99, 1]), INK);
  const below = line("below", "", pointsOf([0, 0.1, 0.3, 1], [0, 0.6, 0.99, 1]), INK);
  const back = line("back", "", pointsOf([1, 0.3, 0.1, 0], [1, 0.99, 0.7, 0]), INK);
  const ids = corneredMarks([chance, steps, slope, back, below]).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["steps", "slope", "back"]));
  expect(ids).not.toContain("chance");
  expect(ids).not.toContain("below");
});

test("the area stays at the lower right, below the whole square with the corner in it", () => {
  const marks = corneredMarks([corner("AUC 0.98")]);
  expect(marks.map(({ id }) => id)).toEqual(["corner", "corner-part", "corner-whole", "corner-break"]);
  expect(marks[0]).toMatchObject({ x: 0.2, y: 0.8 });
});

test("what lies outside the corner is not read there", () => {
  const picture = pictureOf();
  const whole = readingAt(picture, 0.5, 0.5);
  expect(whole).not.toBeNull();
  expect(readingAt({ ...picture, zoom: true }, 0.5, 0.5)).toBeNull();
});
