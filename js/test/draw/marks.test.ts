// @vitest-environment jsdom
// Marks as elements, independent of any view.

import { expect, test, vi } from "vitest";
import { createMarks } from "../../src/draw/marks.ts";
import { scalesOf } from "../../src/draw/scales.ts";
import type { Area, Dot, Line, Mark, Pen, Points, Text } from "../../src/scene.ts";

const UNIT = { ends: [0, 1] } as const;
const SCALES = scalesOf({ x0: 0, y0: 100, size: 100 }, { across: UNIT, up: UNIT });

const pen = (colour: string, ...dashes: number[]): Pen => ({ colour, width: 2, dashes });
const points = (...y: number[]): Points => ({
  x: Float64Array.from(y, (_, i) => i / (y.length - 1)),
  y: Float64Array.from(y),
  step: "",
});
const line = (id: string, changes: Partial<Line> = {}): Line => ({
  ...{ kind: "line", id, key: "", points: points(0, 1), pen: pen("ink"), halo: false },
  ...changes,
});
const area = (changes: Partial<Area> = {}): Area => ({
  ...{ kind: "area", id: "band", key: "", upper: points(1, 1), lower: points(0, 0) },
  ...{ pen: pen("label0", 5, 3), fill: "label0", strength: 0.5, sides: [true, true] },
  ...changes,
});
const dot = (shape: Dot["shape"], id: string = shape): Dot => ({
  ...{ kind: "dot", id, key: "", x: 0.5, y: 0.5, size: 5, pen: pen("paper"), fill: "ink", shape },
});
const text: Text = {
  ...{ kind: "text", id: "corner", text: "AUC 0.75", x: 1, y: 0, dx: -8, dy: -10 },
  ...{ anchor: "end", bold: true, colour: "label1" },
};

function draw(...marks: Mark[]) {
  const drawing = createMarks();
  drawing.draw(marks, SCALES);
  const find = (id: string) => drawing.element.querySelector(`[data-testid="${id}"]`) as SVGElement;
  const ids = () =>
    [...drawing.element.querySelectorAll("[data-testid]")].map((e) => e.getAttribute("data-testid"));
  return { ...drawing, find, ids };
}

test("marks lie in their order, and one that is gone is taken away", () => {
  const drawing = draw(area(), line("curve"), dot("circle"), text);
  expect(drawing.ids()).toEqual(["band", "curve", "circle", "corner"]);
  const curve = drawing.find("curve");
  drawing.draw([text, line("curve"), line("more"), area()], SCALES);
  expect(drawing.ids()).toEqual(["corner", "curve", "more", "band"]);
  expect(drawing.find("curve")).toBe(curve);
});

test("a long text beside a point ends within the plot", () => {
  const beside: Text = {
    ...text,
    id: "point-text",
    text: "0.42",
    x: 0.5,
    y: 0.5,
    dx: 12,
    dy: 20,
    anchor: "start",
  };
  const xOf = (words: string) =>
    Number(
      draw({ ...beside, text: words })
        .find("point-text")
        .getAttribute("x"),
    );
  expect(xOf("0.42")).toBe(62);
  expect(xOf("−1234568")).toBeLessThan(100 - 8 * 7);
  expect(xOf("−1234568")).toBeGreaterThan(100 - 8 * 8);
});

test("pens are attributes that name the theme", () => {
  const { find, element } = draw(area(), line("curve"), line("other", { pen: pen("comparator-mine") }), text);
  const looks = (e: Element, ...names: string[]) => names.map((name) => e.getAttribute(name));
  expect(looks(find("curve"), "stroke", "stroke-width", "stroke-dasharray")).toEqual([
    ...["var(--crw-ink)", "2", "none"],
  ]);
  expect(find("other").getAttribute("stroke")).toBe(
    "var(--crw-comparator-mine, var(--crw-comparator-other))",
  );
  expect(looks(find("band"), "fill", "fill-opacity", "opacity")).toEqual([
    ...["var(--crw-label0)", "var(--crw-fill)", "0.5"],
  ]);
  const edges = element.querySelector(".crw-edge") as Element;
  expect(looks(edges, "stroke", "stroke-dasharray", "d")).toEqual([
    ...["var(--crw-label0)", "5 3", "M0 0L100 0M0 100L100 100"],
  ]);
  // Text in a label's colour is darker than its lines.
  expect(find("corner").getAttribute("fill")).toBe("var(--crw-label1-text)");
});

test("a band that lacks a limit is hatched, and has no edge there", () => {
  const drawing = draw(area({ sides: [true, false] }));
  const fill = drawing.find("band").getAttribute("fill") as string;
  const pattern = drawing.element.querySelector(`#${fill.slice(5, -1)} path`);
  expect(pattern?.getAttribute("stroke")).toBe("var(--crw-label0)");
  expect(drawing.element.querySelector(".crw-edge")?.getAttribute("d")).toBe("M0 100L100 100");
  drawing.draw([area()], SCALES);
  expect(drawing.find("band").getAttribute("fill")).toBe("var(--crw-label0)");
});

test("the same points are not written again, whatever mark holds them", () => {
  const [upper, lower] = [points(1, 1), points(0, 0)];
  const drawing = draw(area({ upper, lower }), line("curve", { points: lower }));
  const spies = ["band", "curve"].map((id) => vi.spyOn(drawing.find(id), "setAttribute"));
  drawing.draw(
    [area({ upper: { ...upper }, lower: { ...lower } }), line("curve", { points: { ...lower } })],
    SCALES,
  );
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  drawing.draw([area({ upper, lower: points(0, 0.5) }), line("curve", { points: points(0.5, 1) })], SCALES);
  expect(drawing.find("band").getAttribute("d")).toBe("M0 0L100 0L100 50L0 100Z");
  expect(drawing.find("curve").getAttribute("d")).toBe("M0 50L100 0");
  drawing.draw(
    [line("curve", { points: lower })],
    scalesOf({ x0: 1, y0: 100, size: 100 }, { across: UNIT, up: UNIT }),
  );
  expect(drawing.find("curve").getAttribute("d")).toBe("M1 100L101 100");
});

test("a line that leaves the axes is cut off there", () => {
  const { find } = draw(line("in"), line("out", { points: points(0, 2) }));
  expect(find("in").getAttribute("clip-path")).toBeNull();
  expect(find("out").getAttribute("clip-path")).toMatch(/^url\(#/);
});

test("a halo lies below its line", () => {
  const { find } = draw(line("arc", { halo: true }));
  const halo = find("arc").previousElementSibling as Element;
  expect([halo.getAttribute("stroke"), halo.getAttribute("stroke-width")]).toEqual(["var(--crw-paper)", "6"]);
  expect(halo.getAttribute("d")).toBe(find("arc").getAttribute("d"));
});

test("a text has a ground of its own around its letters", () => {
  const { find } = draw(text);
  const letters = find(text.id);
  const names = ["paint-order", "stroke", "stroke-width"];
  expect(names.map((name) => letters.getAttribute(name))).toEqual(["stroke", "var(--crw-paper)", "4"]);
});

test("dots have their shapes; a small drawing has no caps and no texts", () => {
  const marks = [dot("circle"), dot("diamond"), dot("level"), dot("upright"), text, line("curve")];
  const { find } = draw(...marks);
  expect(find("circle").getAttribute("r")).toBe("5");
  expect(find("diamond").getAttribute("d")).toBe("M50 45L55 50L50 55L45 50Z");
  expect(find("level").getAttribute("d")).toBe("M45 50h10");
  expect(find("upright").getAttribute("d")).toBe("M50 45v10");
  const small = createMarks("small-3");
  small.draw(marks, SCALES);
  const ids = [...small.element.querySelectorAll("[data-testid]")].map((e) => e.getAttribute("data-testid"));
  expect(ids).toEqual(["small-3-circle", "small-3-diamond", "small-3-curve"]);
});
