import { expect, test } from "vitest";
import type { Picture } from "../../src/sync/view_model.ts";
import { legendOf, promiseOf } from "../../src/views/views.ts";
import { compared, rawComparator } from "../compared.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

const line = (of: Picture) => {
  const { before, scope, after } = promiseOf(of);
  return [before, scope, after].filter(Boolean).join(" ");
};
const promised = (
  guarantee: string,
  scope = "pointwise: one threshold drawn at random, not the whole curve",
) => {
  const picture = pictureOf();
  return line({ ...picture, frame: { ...picture.frame, guarantee, scope } });
};

test.each([
  [
    "at least 95 % in large samples, if logit π is smooth, as the posterior of the reference 'sharp' assumes",
    "at least 95 % for a threshold picked blindly in large samples, if the true log-odds are smooth.",
  ],
  [
    "at least 95 % in large samples, if the reference π̃ is close to π",
    "at least 95 % for a threshold picked blindly in large samples, if the reference is close to the truth.",
  ],
  [
    "at least 95 % in large samples, if the reference π̃, made from the score alone, is close to P(y = 1 | score)",
    "at least 95 % for a threshold picked blindly in large samples, if the reference is close to the truth.",
  ],
  [
    "for the curve, not for single points: 95 % on average, if x",
    "95 % on average for a threshold picked blindly if x.",
  ],
  ["none: centred on π̃", "none."],
])("%s", (guarantee, expected) => {
  expect(promised(guarantee)).toBe(expected);
});

test("a promise at every threshold says so", () => {
  expect(
    promised(
      "at least 95 % for every sample size, if a higher score never means a lower probability",
      "every threshold at once",
    ),
  ).toBe(
    "at least 95 % for any threshold I pick for every sample size, if a higher score never means a lower probability.",
  );
});

test("the band of more test data has the promise of its comparator", () => {
  const sampled = { ...compared(rawComparator()), band: "sampling" as const };
  expect(line(sampled)).toMatch(/^about 95 % for one point of the curve /);
  expect(legendOf(sampled).target).toBe(sampled.comparators.items[0].target);
});

test("what both limits make together promises nothing", () => {
  expect(line(pictureOf({ view: "net_benefit" }))).toBe("none: computed from both limits together.");
  expect(line(pictureOf({ view: "precision_recall" }))).toContain(
    "recall as on the ROC curve; precision none",
  );
});

test("the average of classes has no guarantee of its own", () => {
  expect(legendOf(overviewPicture("classes", "a", "b")).guarantee).toContain(
    "the average has none of its own",
  );
});
