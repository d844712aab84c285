import { expect, test } from "vitest";
import { notesOf } from "../../src/words/notes_text.ts";
import { overviewPicture } from "../picture.ts";

const odd = { fact: "Class 0 is odd.", reason: "It matters.", remedy: "Mind it." };

test("a note that is the same for some classes stands there once", () => {
  const overview = overviewPicture("classes", "3", "8");
  const entries = overview.group.entries.map((entry) => ({ ...entry, notes: [odd] }));
  expect(notesOf({ ...overview, group: { ...overview.group, entries } })).toEqual([
    { ...odd, fact: "Class 3, Class 8: Class 0 is odd." },
  ]);
});

test("a page without a kernel advises nothing that takes the data", () => {
  const overview = overviewPicture("classes", "3");
  const bare = { fact: "Scores are margins.", reason: "", remedy: "Calibrate." };
  const entries = overview.group.entries.map((entry) => ({ ...entry, notes: [odd, bare] }));
  const picture = { ...overview, source: "static" as const, group: { ...overview.group, entries } };
  expect(notesOf(picture)).toEqual([
    { ...odd, fact: "Class 3: Class 0 is odd.", remedy: "" },
    { ...bare, fact: "Class 3: Scores are margins.", remedy: "" },
  ]);
});
