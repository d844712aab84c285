import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { rankingSentence } from "../../src/words/ranking.ts";
import { overviewPicture } from "../picture.ts";

const test95 = { a: "a", b: "b", difference: -0.05, sd: 0.02, z: -2.5, p: 0.0124 };

function said(changes: object, alpha = 0.05, names = ["a", "b"]): string {
  const picture = overviewPicture("classifiers", ...names);
  const [a, b] = picture.group.entries;
  const entries = [
    a,
    { ...b, auc: a.auc + 0.05 },
    ...picture.group.entries.slice(2).map((e) => ({ ...e, auc: 0.5 })),
  ];
  const pairs =
    names.length === 2 ? [{ ...test95, ...changes }] : [test95, { ...test95, b: "c" }, { ...test95, a: "c" }];
  const whole: Picture = {
    ...picture,
    group: { ...picture.group, entries },
    wanted: { alpha, threshold: 0.5 },
    comparators: { ...picture.comparators, pairs },
  };
  return rankingSentence(whole)
    .map(({ text }) => text)
    .join("");
}

test("of two classifiers the better is named, with limits of the difference that follow alpha", () => {
  expect(said({})).toBe("b ranks better: AUC 0.90 against 0.85 for a (difference 0.011 to 0.089, 95 %).");
  expect(said({}, 0.01)).toBe(
    "AUC does not tell b and a apart: 0.90 and 0.85 (difference \u22120.002 to 0.102, 99 %).",
  );
});

test("limits of several hold at once", () => {
  expect(said({}, 0.05, ["a", "b", "c"])).toContain(
    "b ranks best: AUC 0.90 against 0.85 for a (difference 0.002 to 0.098, 95 % for all 3 at once",
  );
});

test("where no test is possible there are no limits, and before it is made no sentence", () => {
  expect(said({ sd: null, z: null, p: null })).toContain("the difference has no limits on these points");
  expect(said({ difference: 0, sd: null, z: 0, p: 1 })).toMatch(
    /^AUC does not tell .* apart: \d\.\d\d for both on these points\.$/,
  );
  expect(rankingSentence(overviewPicture("classifiers", "a", "b"))).toEqual([]);
});
