import { expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import {
  count,
  counted,
  ordinal,
  percent,
  percentDown,
  range,
  rate,
  signed,
  significance,
  thresholdText,
} from "../../src/base/format.ts";

test.each([
  [2000, "rows of class 4", "2,000 rows of class 4"],
  [1, "rows of class 4", "1 row of class 4"],
  [0, "positives", "0 positives"],
  [1, "positives", "1 positive"],
  [1, "malignant biopsies", "1 malignant biopsy"],
  [1, "test people", "1 test person"],
  [1, "with the event", "1 with the event"],
  [1, "left eyes of patients", "1 left eye of patients"],
  [1, "boxes", "1 box"],
  [1, "Bilder", "1 Bilder"],
  [1, "", "1 "],
  [1.3, "rows", "1 row"],
  [21, "rows", "21 rows"],
])("%d of %s is %s", (n, nouns, text) => {
  expect(counted(n, nouns)).toBe(text);
});

test("a range has both of its ends in full", () => {
  expect(range(0.65, 1)).toBe("0.65 to 1.00");
});

const { texts } = messages;

test.each([
  ["rate", rate],
  ["percent", percent],
  ["percent_down", percentDown],
  ["threshold", thresholdText],
] as const)("%s reads as in Python", (name, text) => {
  const cases = texts[name] as [number, string][];
  expect(cases.map(([value]) => text(value))).toEqual(cases.map(([, read]) => read));
});

test("no threshold is above every score but infinity, and whole ones of any size read as such", () => {
  expect(thresholdText(Number.POSITIVE_INFINITY)).toBe("above all scores");
  expect([150, 1e20, -1.7e18].map(thresholdText)).toEqual(["150", "1e20", "−1.7e18"]);
});

test("residuals carry their sign, infinite ones too", () => {
  expect(signed(2.431)).toBe("+2.43");
  expect(signed(-1.219)).toBe("−1.22");
  expect(signed(0)).toBe("0.00");
  expect(signed(Number.POSITIVE_INFINITY)).toBe("+∞");
  expect(signed(Number.NEGATIVE_INFINITY)).toBe("−∞");
});

test("alpha has two decimals, three below 0.02 and where it needs them", () => {
  expect([0.05, 0.1, 0.5, 0.02].map(significance)).toEqual(["0.05", "0.10", "0.50", "0.02"]);
  expect([0.001, 0.01, 0.019].map(significance)).toEqual(["0.001", "0.010", "0.019"]);
  expect(significance(0.047)).toBe("0.047");
});

test("ordinals and counts read as English", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 163, 1003].map(ordinal)).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 163rd 1,003rd".split(" "),
  );
  expect([7, 1240, 1000000].map(count)).toEqual(["7", "1,240", "1,000,000"]);
});
