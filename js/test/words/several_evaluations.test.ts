import { expect, test } from "vitest";
import { entryName, pointsText, subjectOf, titleOf } from "../../src/words/several_evaluations.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

test("the header names what is shown, and how many rows it has", () => {
  const classes = overviewPicture("classes", "3", "eight");
  expect(subjectOf(classes)).toBe("Two classes");
  expect(subjectOf({ ...classes, shown: 0 })).toBe("Class 3 against the rest");
  expect(subjectOf(overviewPicture("classifiers", "a", "b"))).toBe("Two classifiers");
  expect(subjectOf(pictureOf())).toBe("");
  expect(pointsText(pictureOf())).toBe("9 test rows");
  expect(pointsText(pictureOf({ noun: "tumours" }))).toBe("9 test tumours");
  expect(pointsText(pictureOf({}, { weighted: true }))).toBe("9 test rows, weighted");
});

test("the title of a picture names the view, the level, and one among several", () => {
  const classes = overviewPicture("classes", "3", "eight");
  expect(titleOf(pictureOf())).toBe("ROC curve, 95 % limits");
  expect(titleOf(pictureOf({ view: "net_benefit" }))).toBe("Net benefit, 95 % limits");
  expect(titleOf({ ...classes, shown: 0 })).toBe("Class 3 against the rest: ROC curve, 95 % limits");
  expect(titleOf({ ...overviewPicture("classifiers", "a", "b"), shown: 0 })).toBe(
    "a: ROC curve, 95 % limits",
  );
});

test("only a class that is called by a number needs its noun", () => {
  const { group } = overviewPicture("classes", "3", "-1.5", "3a");
  expect(group.entries.map((entry) => entryName(group, entry))).toEqual(["Class 3", "Class -1.5", "3a"]);
  const classifiers = overviewPicture("classifiers", "3", "8").group;
  expect(entryName(classifiers, classifiers.entries[0])).toBe("3");
});
