// @vitest-environment jsdom
import { expect, test } from "vitest";
import { render } from "../../src/base/template.ts";
import { frequencyDots } from "../../src/panels/frequency_dots.ts";

const PLACE = /M([\d.]+) ([\d.]+)h0/g;

function drawn(...given: Parameters<typeof frequencyDots>) {
  const element = document.createElement("section");
  render(frequencyDots(...given), element);
  return element;
}

test("every case has a dot of its kind, down the columns", () => {
  const dots = drawn({ tp: 76, fn: 44, fp: 123, tn: 757 }, ["well", "ill"]);
  const paths = [...dots.querySelectorAll("div > svg > path")].map((path) => [
    ...(path.getAttribute("d") ?? "").matchAll(PLACE),
  ]);
  expect(paths.map((places) => places.length)).toEqual([76, 44, 123, 757]);
  const all = paths.flat().map(([, x, y]) => [Number(x), Number(y)]);
  all.forEach(([x, y], k) => {
    expect([x, y]).toEqual([4 + 8 * Math.floor(k / 20), 4 + 8 * (k % 20)]);
  });
  const key = [...dots.querySelectorAll("li")].map((item) => item.textContent);
  expect(key).toEqual(["76 ill, called", "44 ill, missed", "123 well, called", "757 well, left alone"]);
});

test("a kind without cases has no dot", () => {
  const dots = drawn({ tp: 0, fn: 500, fp: 0, tn: 500 }, ["0", "1"]);
  const paths = [...dots.querySelectorAll("div > svg > path")].map((path) => path.getAttribute("d"));
  expect([paths[0], paths[2]]).toEqual(["", ""]);
});
