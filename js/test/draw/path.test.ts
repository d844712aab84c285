import { expect, test } from "vitest";
import { areaPaths, leaves, pathOf } from "../../src/draw/path.ts";
import { scalesOf } from "../../src/draw/scales.ts";
import { heightAt } from "../../src/evaluation/observed_curve.ts";
import type { Area, Points } from "../../src/scene.ts";

const UNIT = { ends: [0, 1] } as const;
const scaled = (x0: number, y0: number, size: number, up: { ends: readonly [number, number] } = UNIT) =>
  scalesOf({ x0, y0, size }, { across: UNIT, up });
const HUNDRED = scaled(0, 100, 100);

const line = (step: Points["step"], ...points: [number, number][]): Points => ({
  x: Float64Array.from(points, ([x]) => x),
  y: Float64Array.from(points, ([, y]) => y),
  step,
});
const areaOf = (upper: Points, lower: Points, changes: Partial<Area> = {}): Area => ({
  ...{ kind: "area", id: "band", key: "", upper, lower, fill: "ink", strength: 1, sides: [true, true] },
  pen: { colour: "ink", width: 1, dashes: [] },
  ...changes,
});

test("path data are pixels from the origin of the plot, upwards", () => {
  const thirds = line("", [0, 0], [1 / 3, 0.5], [1, 1]);
  expect(pathOf(thirds, scaled(32, 434, 408))).toBe("M32 434L168 230L440 26");
  expect(pathOf(thirds, HUNDRED)).toBe("M0 100L33.33 50L100 0");
});

test("a step goes first across or first up", () => {
  const points: [number, number][] = [
    [0, 0],
    [0.5, 0.25],
    [1, 1],
  ];
  expect(pathOf(line("across", ...points), HUNDRED)).toBe("M0 100H50V75H100V0");
  expect(pathOf(line("up", ...points), HUNDRED)).toBe("M0 100V75H50V0H100");
});

test("units are those of the axes, and a line ends one side of the square beyond it", () => {
  const scales = scaled(0, 100, 100, { ends: [-0.1, 0.3] });
  const points = line("", [0, 0.2], [0.5, 0], [1, -9]);
  expect(pathOf(points, scales)).toBe("M0 25L50 75L100 200");
  expect(leaves(points, scales)).toBe(true);
  expect(leaves(line("", [0, -0.1], [1, 0.3]), scales)).toBe(false);
});

test("a band's outline runs along the upper edge and back along the lower one", () => {
  const straight = areaOf(line("", [0, 1], [1, 1]), line("", [0, 0], [1, 0.5]));
  expect(areaPaths(straight, scaled(10, 110, 100), false)).toEqual({
    outline: "M10 10L110 10L110 60L10 110Z",
    edges: "M10 10L110 10M10 110L110 60",
  });
  const steps = areaOf(line("across", [0, 0.5], [1, 1]), line("across", [0, 0], [1, 0.5]));
  expect(areaPaths(steps, HUNDRED, false).outline).toBe("M0 50H100V0L100 50V100H0Z");
});

test("an edge that is no limit is not drawn, nor the outline of a band without a fill", () => {
  const [upper, lower] = [line("", [0, 1], [1, 1]), line("", [0, 0], [1, 0.5])];
  expect(areaPaths(areaOf(upper, lower, { sides: [true, false] }), HUNDRED, false).edges).toBe(
    "M0 100L100 50",
  );
  expect(areaPaths(areaOf(upper, lower, { fill: "" }), HUNDRED, false).outline).toBe("");
});

test("only a band of many points, and only while it moves, is drawn roughly: within a pixel", () => {
  const diagonal = (n: number) => {
    const x = Float64Array.from({ length: n }, (_, i) => i / (n - 1));
    return { x, y: x, step: "" as const };
  };
  const bandOf = (n: number) => areaOf(diagonal(n), diagonal(n));
  const few = bandOf(1250);
  expect(areaPaths(few, HUNDRED, true)).toEqual(areaPaths(few, HUNDRED, false));
  const many = areaPaths(bandOf(2500), HUNDRED, false);
  expect(many.outline.split("L")).toHaveLength(5000);
  const rough = areaPaths(bandOf(2500), HUNDRED, true).outline.slice(1, -1).split("L");
  const xs = rough.slice(0, rough.length / 2).map((text) => Number(text.split(" ")[0]));
  expect([xs[0], xs[xs.length - 1]]).toEqual([0, 100]);
  expect(xs.length).toBeLessThan(110);
  xs.slice(1).forEach((x, i) => {
    expect(x - xs[i]).toBeLessThan(1.05);
  });
});

test("the height of an edge at a place is that of its step there", () => {
  const points: [number, number][] = [
    [0, 0],
    [0.5, 0.25],
    [1, 1],
  ];
  const heights = (step: Points["step"]) =>
    [-1, 0.25, 0.5, 0.75, 1].map((x) => heightAt(line(step, ...points), x));
  expect(heights("across")).toEqual([0, 0, 0.25, 0.25, 1]);
  expect(heights("up")).toEqual([0, 0.25, 1, 1, 1]);
  expect(heights("")).toEqual([0, 0.125, 0.25, 0.625, 1]);
  const falling = line("", [1, 0], [0.5, 0.25], [0, 1]);
  expect([2, 0.75, 0.25, 0, -1].map((x) => heightAt(falling, x))).toEqual([0, 0.125, 0.625, 1, 1]);
});
