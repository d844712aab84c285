import { expect, test } from "vitest";
import { factAndReason, notesOf } from "../../src/words/notes_text.ts";
import { overviewPicture } from "../picture.ts";

test("a note that is the same for some classes stands there once", () => {
  const overview = overviewPicture("classes", "3", "8");
  const entries = overview.group.entries.map((entry) => ({ ...entry, notes: ["Class 0 is odd."] }));
  expect(notesOf({ ...overview, group: { ...overview.group, entries } })).toEqual([
    "Class 3, Class 8: Class 0 is odd.",
  ]);
});

test("a note is its first sentence and the rest", () => {
  expect(factAndReason("12.5 % lie far away. Read with care.")).toEqual([
    "12.5 % lie far away.",
    "Read with care.",
  ]);
  expect(factAndReason("One sentence")).toEqual(["One sentence", ""]);
});
