import { expect, test } from "vitest";
import { words } from "../../src/base/words.ts";

test("numbers, and words that follow from them", () => {
  expect(words("key.needed", { needed: 1079, here: 1 })).toBe("1,079 points needed, here is 1");
  expect(words("key.needed", { needed: 79, here: 60 })).toBe("79 points needed, here are 60");
  expect(words("goal.nothing", { n: 1, rows: "positives" })).toMatch(/with 1 positive\.$/);
  expect(words("goal.nothing", { n: 2000, rows: "positives" })).toMatch(/with 2,000 positives\.$/);
  expect(words("key.base_rate", { share: 0.125 })).toBe("base rate 13 %");
  expect(() => words("key.base_rate")).toThrow('no share for "base rate {share:share}"');
});
