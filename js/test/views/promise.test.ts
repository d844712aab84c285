import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { legendOf } from "../../src/views/views.ts";
import { sentenceOf } from "../../src/words/promise.ts";
import { compared, rawComparator } from "../compared.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

const line = (of: Picture) => sentenceOf(legendOf(of).line);
const RATES = "at least 95 % for a threshold picked blindly in large samples";

test("the line is made of the parts that came", () => {
  expect(line(pictureOf())).toBe(`${RATES}.`);
});

test("a promise without a level names no scope", () => {
  const picture = pictureOf();
  const none = {
    level: "none: it is so",
    scope: "",
    after: "",
    rest: "",
    chosen: "any" as const,
    condition: "",
  };
  const of = { ...picture, frame: { ...picture.frame, line: none } };
  expect(line(of)).toBe("none: it is so.");
  expect(line({ ...of, view: "precision_recall" })).toBe("recall alone: none: it is so.");
});

test("the band of more test data has the promise of its comparator", () => {
  const sampled = { ...compared(rawComparator()), band: "sampling" as const };
  expect(line(sampled)).toBe("about 95 % for one point of the curve in large samples.");
  expect(legendOf(sampled).target).toBe(sampled.comparators.items[0].target);
});

test("what the page promises by itself says its condition in ten words at most, from the same rows", () => {
  const { condition } = legendOf(pictureOf({ view: "reliability" })).line;
  expect(condition).toBe("if a higher score never means a lower probability");
});

test("what both limits make together promises nothing, and keeps what each of them assumes", () => {
  expect(line(pictureOf({ view: "net_benefit" }))).toBe(`each label alone: ${RATES}.`);
  expect(line(pictureOf({ view: "precision_recall" }))).toBe(`recall alone: ${RATES}.`);
  const { frame, ...picture } = pictureOf({ view: "net_benefit" });
  expect(line({ ...picture, frame: { ...frame, kind: "everywhere" } })).toBe(`${RATES}.`);
});

test("the average of classes has no guarantee of its own", () => {
  const classes = overviewPicture("classes", "a", "b");
  expect(legendOf(classes).guarantee).toContain("the average has none of its own");
  expect(line(classes)).toBe(`${RATES}, for each class; the average has none.`);
  expect(line(overviewPicture("folds", "a", "b"))).toBe(`${RATES}, of each fold.`);
  // The added words weaken the promise, so the short condition keeps them.
  expect(legendOf(classes).line.condition).toBe("under the conditions below");
});
