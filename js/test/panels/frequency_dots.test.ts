// @vitest-environment jsdom
import { expect, test } from "vitest";
import { createFrequencyDots } from "../../src/panels/frequency_dots.ts";

const PLACE = /M([\d.]+) ([\d.]+)h0/g;

test("every case has a dot of its kind, down the columns", () => {
  const dots = createFrequencyDots();
  dots.draw({ tp: 76, fn: 44, fp: 123, tn: 757 }, ["well", "ill"]);
  const paths = [...dots.element.querySelectorAll("div > svg > path")].map((path) => [
    ...(path.getAttribute("d") ?? "").matchAll(PLACE),
  ]);
  expect(paths.map((places) => places.length)).toEqual([76, 44, 123, 757]);
  const all = paths.flat().map(([, x, y]) => [Number(x), Number(y)]);
  all.forEach(([x, y], k) => {
    expect([x, y]).toEqual([4 + 8 * Math.floor(k / 20), 4 + 8 * (k % 20)]);
  });
  const key = [...dots.element.querySelectorAll("li")].map((item) => item.textContent);
  expect(key).toEqual(["76 ill, called", "44 ill, missed", "123 well, called", "757 well, left alone"]);
});

test("a kind without cases has no dot", () => {
  const dots = createFrequencyDots();
  dots.draw({ tp: 0, fn: 500, fp: 0, tn: 500 }, ["0", "1"]);
  const drawn = [...dots.element.querySelectorAll("div > svg > path")].map((path) => path.getAttribute("d"));
  expect([drawn[0], drawn[2]]).toEqual(["", ""]);
});
