import { expect, test } from "vitest";
import { factAndReason, lastingNotes, passingNotes, settableFrom } from "../../src/words/notes_text.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import { float64s, sampleFrame } from "../sample.ts";

function fewPicture(quantiles: number[], n_calibration: number[]) {
  return {
    ...pictureOf({}, { n_calibration }),
    frame: sampleFrame({ quantiles: float64s(quantiles) }),
    frames: [sampleFrame({ quantiles: float64s(quantiles) })],
  };
}

test.each([
  [1 / 13, 0.08],
  [0.05, 0.05],
  [0.013, 0.013],
  [0.5, 0.5],
  [0.51, null],
])("limits that begin at α = %s can be had at %s", (alpha, stop) => {
  expect(settableFrom(alpha)).toBe(stop);
});

test("a missing limit comes with the confidence that gives both; in the overview with its name", () => {
  const picture = fewPicture([-1, 1, -1 / 0, 1], [99, 57]);
  const note = {
    key: "limits 1",
    about: "",
    text: "One limit for class 1 at 95 %. Two limits at 93 % confidence or less, or with 79 points.",
    alpha: 0.07,
  };
  expect(passingNotes(picture)).toEqual([note]);
  const few = fewPicture([-1, 1, -1 / 0, 1 / 0], [99, 5]);
  expect(passingNotes(few)).toEqual([
    {
      ...note,
      text: "No limits for class 1 at 95 %. Two limits with 79 points, a first one with 19.",
      alpha: null,
    },
  ]);
  const overview = overviewPicture("classes", "3", "8");
  const [first] = passingNotes({
    ...overview,
    group: { ...overview.group, entries: [picture.evaluation, overview.group.entries[1]] },
    frames: [picture.frame, overview.frames[1]],
  });
  expect(first.text).toBe(note.text.replace("class 1", "the class"));
});

test("beside an ideal model's own curve limits of intervals are not missed", () => {
  const picture = fewPicture([-1, 1, -1 / 0, 1], [99, 57]);
  expect(passingNotes({ ...picture, band: "ideal" })).toEqual([]);
});

test("of several classes a missing limit is told once, with the confidence that serves each of them", () => {
  const picture = fewPicture([-1, 1, -1 / 0, 1], [99, 57]);
  const fewer = fewPicture([-1, 1, -1 / 0, 1], [99, 47]);
  const overview = overviewPicture("classes", "3", "8");
  const notes = passingNotes({
    ...overview,
    group: {
      ...overview.group,
      entries: [picture, fewer].map((each, i) => ({ ...each.evaluation, name: `${i}` })),
    },
    frames: [picture.frame, fewer.frame],
  });
  expect(notes).toEqual([
    {
      key: "limits 1",
      about: "Class 0, Class 1: ",
      text: "One limit for the class at 95 %. Two limits at 91.5 % confidence or less, or with 79 points.",
      alpha: 0.085,
    },
  ]);
});

test("a note that is the same for some classes stands there once", () => {
  const overview = overviewPicture("classes", "3", "8");
  const entries = overview.group.entries.map((entry) => ({ ...entry, notes: ["Label 0 is odd."] }));
  const notes = lastingNotes({ ...overview, group: { ...overview.group, entries } });
  expect(notes.map(({ about, text }) => about + text)).toEqual(["Class 3, Class 8: Class 0 is odd."]);
});

test("a rate outside its own limits says why", () => {
  const picture = pictureOf();
  const point = { ...picture.frame.point, tprUpper: 0.7 };
  const notes = passingNotes({ ...picture, frame: { ...picture.frame, point } });
  expect(notes.map(({ text }) => text)).toEqual([expect.stringContaining("above its own limits")]);
});

test("a note is its first sentence and the rest", () => {
  expect(factAndReason("12.5 % lie far away. Read with care.")).toEqual([
    "12.5 % lie far away.",
    "Read with care.",
  ]);
  expect(factAndReason("One sentence")).toEqual(["One sentence", ""]);
});
