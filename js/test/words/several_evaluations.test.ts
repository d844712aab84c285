import { describe, expect, test } from "vitest";
import { factsOf } from "../../src/words/csv.ts";
import {
  entryName,
  legendOf,
  nounOfKind,
  statementOf,
  titleOf,
  wordsOf,
} from "../../src/words/several_evaluations.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

test("titles name what is shown", () => {
  const classes = overviewPicture("classes", "3", "eight");
  expect(titleOf(classes, "wide")).toBe("ROC curves of two classes with 95 % conformal bands");
  expect(titleOf(classes, "narrow")).toBe("ROC curves, 95 % bands");
  expect(titleOf({ ...classes, shown: 0 }, "wide")).toBe("Class 3 against the rest, 95 % conformal band");
  expect(titleOf(pictureOf(), "wide")).toBe("ROC curve with 95 % conformal band");
  const view = "net_benefit" as const;
  expect(titleOf({ ...classes, shown: 0, view }, "narrow")).toBe("Class 3: Net benefit");
  expect(titleOf(pictureOf({ view }), "wide")).toBe("Net benefit");
  expect(entryName(classes.group, classes.group.entries[1])).toBe("eight");
});

test("the overview of classes says what is averaged, where and how", () => {
  const picture = overviewPicture("classes", "a", "b");
  expect(wordsOf(picture).sentence).toBe(
    "At threshold 0.50 the two classes, weighted by size, average a sensitivity of 0.75 and a false positive rate of " +
      "0.40 on these 9 test points. Averaged limits for an ideal model’s sensitivity (95 %): 0.50 to 1.00.",
  );
  expect(wordsOf({ ...picture, weights: "uniform" }).sentence).toContain("with equal weights");
  expect(legendOf(picture).guarantee).toContain("the average has none of its own");
});

test("the overview of classifiers names the narrowest band", () => {
  const picture = overviewPicture("classifiers", "wide one", "narrow one", "third");
  picture.frames[0].limits.tprLower.fill(0);
  picture.frames[1].limits.tprLower.set(picture.group.entries[1].tpr);
  expect(wordsOf(picture).sentence).toContain(
    "the 95 % conformal band is narrowest for narrow one: 0.20 on average, against 0.45 for third and 0.95 for wide one.",
  );
});

test("of many classifiers the sentence names the one with the narrowest band", () => {
  const picture = overviewPicture("classifiers", "a", "b", "c", "d", "e");
  picture.frames[0].limits.tprLower.fill(0);
  picture.frames[1].limits.tprLower.set(picture.group.entries[1].tpr);
  expect(wordsOf(picture).sentence).toContain(
    "narrowest for b: 0.200 on average, against 0.450 to 0.950 for the others.",
  );
});

test("a guarantee that is not that of every classifier is said of each", () => {
  const picture = overviewPicture("classifiers", "a", "b");
  expect(legendOf(picture).guarantee).toBe(picture.frame.guarantee);
  picture.frames[1].guarantee = "none";
  const both = `a: ${picture.frame.guarantee}; b: none`;
  expect(legendOf(picture).guarantee).toBe(both);
  expect(factsOf(picture)).toContainEqual(["guarantee", both]);
});

describe("one curve under two guarantees", () => {
  const picture = overviewPicture("bands", "individual", "curve");

  test("is called so", () => {
    expect(titleOf(picture, "wide")).toBe("ROC curve with two 95 % conformal bands");
    expect(titleOf(picture, "narrow")).toBe("ROC curve, 95 % bands");
    expect(nounOfKind(picture.group)).toBe("band");
    expect(wordsOf(picture).sentence).toBe(
      "On these 9 test points, the 95 % conformal band is narrowest for individual: 0.450 on average, " +
        "against 0.450 for curve.",
    );
    expect(legendOf(picture).scope).toBe(picture.frame.scope);
  });
});

test("limits at every threshold at once are titled by the score that they are from", () => {
  const picture = pictureOf({}, { simultaneous: true });
  expect(titleOf(picture, "wide")).toBe("ROC curve from scores alone");
  expect(wordsOf(picture).sentence).toContain("this holds at every threshold at once (95 %).");
});

test("a statement stands once where all share it, and else behind each name", () => {
  const picture = overviewPicture("classifiers", "a", "b");
  expect(statementOf(picture, "scope")).toBe("pointwise");
  picture.frames[1].scope = "everywhere";
  expect(statementOf(picture, "scope")).toBe("a: pointwise; b: everywhere");
  expect(statementOf({ ...picture, shown: 0 }, "scope")).toBe("pointwise");
});

test("only a class that is called by a number needs its noun", () => {
  const { group } = overviewPicture("classes", "3", "-1.5", "3a");
  expect(group.entries.map((entry) => entryName(group, entry))).toEqual(["Class 3", "Class -1.5", "3a"]);
  const classifiers = overviewPicture("classifiers", "3", "8").group;
  expect(entryName(classifiers, classifiers.entries[0])).toBe("3");
});
