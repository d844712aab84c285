import { expect, test } from "vitest";
import { cutsOf, leadOf } from "../../src/shown/cuts.ts";
import { overviewPicture } from "../picture.ts";

/** Three classifiers with different scores. The picture's threshold is 0.5. */
function several() {
  const picture = overviewPicture("classifiers", "a", "b", "c");
  const moved = (by: number) => picture.group.entries[0].thresholds.map((each) => each - by);
  picture.group.entries[1] = { ...picture.group.entries[1], thresholds: moved(0.05) };
  picture.group.entries[2] = {
    ...picture.group.entries[2],
    thresholds: moved(0.08),
    truePositives: picture.group.entries[2].truePositives.map((n) => Math.max(0, n - 1)),
  };
  return picture;
}

/** Tries every threshold in descending order. */
function naive({ thresholds, truePositives }: ReturnType<typeof several>["evaluation"], wanted: number) {
  const vertex = [...thresholds.keys()].find((i) => truePositives[i] >= wanted);
  return vertex === undefined ? 0 : Math.min(1, thresholds[vertex]);
}

test("all are cut at the threshold that is set, unless equal sensitivity is asked for", () => {
  const picture = several();
  expect(cutsOf(picture).map(({ threshold }) => threshold)).toEqual([0.5, 0.5, 0.5]);
  const cuts = cutsOf({ ...picture, page: { ...picture.page, alike: true } });
  const { tp } = cuts[0].point;
  expect(cuts.map(({ threshold }) => threshold)).toEqual([
    0.5,
    ...picture.group.entries.slice(1).map((entry) => naive(entry, tp)),
  ]);
  expect(cuts[1].threshold).toBeCloseTo(0.45, 14);
  expect(cuts[1].point.tp).toBe(tp);
});

test("the threshold is that of the classifier looked at, at first of the first", () => {
  const picture = several();
  expect(leadOf(picture)).toBe(0);
  const third = { ...picture, shown: 2, page: { ...picture.page, alike: true } };
  expect(leadOf(third)).toBe(2);
  const [first, second, last] = cutsOf(third);
  expect(last.threshold).toBe(0.5);
  const [a, b] = picture.group.entries;
  expect([first.threshold, second.threshold]).toEqual([naive(a, last.point.tp), naive(b, last.point.tp)]);
});
