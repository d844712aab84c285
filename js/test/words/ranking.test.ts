import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { comparedRuns } from "../../src/words/ranking.ts";
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
  return comparedRuns(whole, [0.75, 0.8, 0.5], 1)
    .map(({ text }) => text)
    .join("");
}

test("of two classifiers what each finds is said, with limits of the difference of areas that follow alpha", () => {
  expect(said({})).toBe(
    "At threshold 0.50 a finds 75 %, b 80 %; the difference in AUC, b less a, is 0.011 to 0.089 in all rows like these (95 % sure, paired).",
  );
  expect(said({}, 0.01)).toContain("is \u22120.002 to 0.102 in all rows like these (99 % sure, paired).");
});

test("limits of several hold at once", () => {
  expect(said({}, 0.05, ["a", "b", "c"])).toContain(
    "0.002 to 0.098 in all rows like these (95 % sure, paired, all 3 pairs at once)",
  );
});

test("where no test is possible the difference is said to have no limits", () => {
  expect(said({ sd: null, z: null, p: null })).toContain(
    "b 0.90 and a 0.85, have no limits for the difference",
  );
});
