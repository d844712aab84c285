import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { answerOf, spokenAnswer } from "../../src/views/answer.ts";
import { precisionHere } from "../../src/views/precision_recall.ts";
import { shareHere } from "../../src/views/reliability.ts";
import { saysLittle } from "../../src/views/roc.ts";
import { viewOf } from "../../src/views/views.ts";
import { compared, rawComparator } from "../compared.ts";
import { overviewPicture, pictureOf } from "../picture.ts";
import { float64s, sampleEvaluation, sampleFrame } from "../sample.ts";

const lead = (of: Picture) =>
  answerOf(of)
    .lead.map(({ text }) => text)
    .join("");
const meaning = (of: Picture) =>
  answerOf(of)
    .meaning.map(({ text }) => text)
    .join("");
/** As the sample, but with bands that say something. */
const narrow = { residuals: [0, 1].map(() => ({ n: 99, values: spread(99, 0.2), stops: null })) };
function spread(n: number, width: number) {
  return float64s(Array.from({ length: n }, (_, i) => width * (i / (n - 1) - 0.5)));
}
const picture = pictureOf({}, { classes: ["well", "ill"], n_calibration: [99, 99], ...narrow });

test("the first line is the number, in the same words whatever is drawn", () => {
  expect(lead(picture)).toBe(
    "At threshold 0.50, sensitivity is 0.75; an ideal model’s would lie between 0.50 and 1.00 (95 %).",
  );
  expect(lead({ ...picture, band: "both" })).toBe(lead(picture));
  expect(lead({ ...picture, band: "specificity" })).toBe(
    "At threshold 0.50, specificity is 0.60; an ideal model’s would lie between 0.20 and 0.80 (95 %).",
  );
  const without = sampleFrame({ quantiles: float64s([-1, 1, -1 / 0, 1 / 0]) });
  const form = (text: string) => text.replace(/[\d.]+/g, "#");
  expect(form(lead({ ...picture, frame: without }))).toBe(form(lead(picture)));
});

test("what promises no level says none", () => {
  const frame = { ...picture.frame, kind: "none" as const };
  expect(lead({ ...picture, frame })).toContain("(no level is promised).");
});

test("a range of both labels' limits holds where these hold together, and else nothing is promised of it", () => {
  const meaningOf = (kind: "individual" | "everywhere" | "simultaneous") =>
    (["precision_recall", "net_benefit"] as const).map((view) =>
      meaning({ ...picture, view, frame: { ...picture.frame, kind } }),
    );
  for (const text of meaningOf("individual"))
    expect(text).toMatch(/No guarantee: computed from both limits together\.$/);
  for (const kind of ["everywhere", "simultaneous"] as const)
    for (const text of meaningOf(kind)) expect(text).toMatch(/It holds at every threshold at once\.$/);
});

test("the second line answers how an ideal model can find fewer", () => {
  expect(meaning(picture)).toBe(
    "An ideal model knows the true probabilities; it finds fewer where this classifier’s scores run too high.",
  );
  expect(meaning({ ...picture, band: "specificity" })).toContain("it calls more where");
  const frame = { ...picture.frame, model: "recalibration" as const };
  expect(meaning({ ...picture, frame })).toContain("how often each score is right; it finds fewer");
  expect(meaning({ ...picture, prevalence: 0.1 })).toMatch(
    /^Where 10 % are ill, a call is right in 17 % of cases/,
  );
});

test("only what holds at every threshold at once is said to narrow with more points", () => {
  const of = (kind: "individual" | "everywhere" | "simultaneous") =>
    meaning({ ...picture, frame: { ...picture.frame, kind } });
  expect(of("individual")).not.toContain("narrow");
  for (const kind of ["everywhere", "simultaneous"] as const)
    expect(of(kind)).toMatch(/run too high\. More calibration points, narrower band\.$/);
});

test("a recalibration that the labels refute promises nothing, and says so", () => {
  const evaluation = { ...picture.evaluation, simultaneous: true };
  const frame = { ...picture.frame, notes: ["The labels refute it."] };
  expect(meaning({ ...picture, evaluation, frame })).toContain("the band promises nothing");
  expect(meaning({ ...picture, evaluation })).not.toContain("promises nothing");
});

test("data that say little are called so, once for all alphas", () => {
  const wide = pictureOf({}, { classes: ["well", "ill"] });
  expect(saysLittle(wide.evaluation)).toBe(true);
  expect(meaning(wide)).toBe(
    "These data say little: the limits rest on 199 points of ill. More labelled points help.",
  );
  const crossable = pictureOf({}, { classes: ["0", "1"], crossable: true });
  expect(meaning(crossable)).toBe(
    "These data say little: the limits rest on 199 points of class 1. More labelled points, or calibration='cross', help.",
  );
  expect(meaning({ ...crossable, source: "static" })).toMatch(/More labelled points help\.$/);
  const everywhere = { ...crossable, frame: { ...crossable.frame, kind: "everywhere" as const } };
  expect(meaning(everywhere)).toMatch(/points help\.$/);
  expect(meaning(pictureOf({}, { people: true }))).toMatch(
    /199 people of class 1\. .* labelled people help\.$/,
  );
  const own = { ...wide, frame: { ...wide.frame, orderStatistics: null } };
  expect(meaning(own)).toBe(
    "These data say little: the limits of each test point rest on few calibration points of ill. " +
      "More labelled points help.",
  );
  expect(saysLittle(picture.evaluation)).toBe(false);
  expect(saysLittle(sampleEvaluation(narrow))).toBe(false);
});

test("more test data settle the sensitivity between its exact limits at this threshold", () => {
  const sampled = { ...compared(rawComparator()), band: "sampling" as const };
  expect(lead(sampled)).toBe(
    "At threshold 0.50, sensitivity is 0.75; with much more test data it would settle between 0.19 and 0.99 (95 %).",
  );
  expect(meaning(sampled)).toBe(
    "How well 9 test points pin this classifier down; an ideal model has no part in it.",
  );
  // Three of four positives are called; the band need not be there.
  expect(lead({ ...picture, band: "sampling" })).toContain("settle between 0.19 and 0.99");
  // Of rows with weights in a table nobody knows them.
  const evaluation = { ...picture.evaluation, weighted: true };
  expect(lead({ ...sampled, evaluation })).toContain("no band with more test data");
});

test("an ideal model’s own curve that there is not gives its reason", () => {
  const without = { ...picture, band: "ideal" as const, ideal: "it needs reference='sharp'" };
  expect(lead(without)).toBe(
    "At a false positive rate of 0.40, sensitivity is 0.75; no band for an ideal model’s own curve.",
  );
  expect(meaning(without)).toBe("It needs reference='sharp'.");
});

test("each view has its number first, and what it promises second", () => {
  const between = (lower: number, upper: number) => `between ${lower.toFixed(2)} and ${upper.toFixed(2)}`;
  const { lower, upper } = precisionHere(picture);
  expect(spokenAnswer({ ...picture, view: "precision_recall" })).toBe(
    `At threshold 0.50, precision is 0.60; an ideal model’s could lie ${between(lower, upper)} (95 % each). ` +
      "5 are called ill, 3 of them rightly. No guarantee: computed from both limits together.",
  );
  const share = shareHere(picture);
  expect(spokenAnswer({ ...picture, view: "reliability" })).toBe(
    `At score 0.50, the share of ill is ${share.y.toFixed(2)} on these points; the true one lies ${between(share.lower, share.upper)} ` +
      "(95 %). It holds at every score at once, if a higher score never means a lower probability.",
  );
  expect(spokenAnswer({ ...picture, view: "net_benefit" })).toMatch(
    /^At threshold 0\.50, net benefit is 0\.111; .* Calling all has −0\.111, calling none 0\. No guarantee/,
  );
  const frame = { ...picture.frame, point: { ...picture.frame.point, tp: 0, fp: 0 } };
  expect(lead({ ...picture, frame, view: "precision_recall" })).toContain("precision is undefined;");
});

test("a threshold of 1 has one net benefit for all models, and a figure that nothing bounds has no limits", () => {
  const atOne = { ...picture, view: "net_benefit" as const, frame: { ...picture.frame, threshold: 1 } };
  for (const band of ["sensitivity", "sampling"] as const)
    expect(spokenAnswer({ ...atOne, band })).toBe(
      "At threshold 1.00, net benefit is 0.000 for any model. " +
        "At threshold 1 a false alarm weighs more than any call can gain.",
    );
  expect(viewOf(atOne).callout(atOne)).toHaveLength(1);
  expect(viewOf(atOne).spoken(atOne)).toBe("threshold 1.00; net benefit 0.000");
  const frame = sampleFrame({ quantiles: float64s([-1 / 0, 1 / 0, -1 / 0, 1 / 0]) });
  for (const view of ["precision_recall", "net_benefit"] as const)
    expect(lead({ ...picture, view, frame })).toMatch(/; an ideal model’s has no limits \(95 % each\)\.$/);
});

test("the average of classes says what is averaged, where and how", () => {
  const average = overviewPicture("classes", "a", "b");
  expect(spokenAnswer(average)).toBe(
    "At threshold 0.50, mean sensitivity is 0.75; the classes’ ideal limits average 0.50 to 1.00 (95 % each).",
  );
  // One class has limits that are wider by a quarter: 0.5 to 1 and 0.25 to 1 average 0.375 to 1.
  const [one, other] = average.frames;
  const wider = { ...other, point: { ...other.point, tprLower: 0.25 } };
  expect(spokenAnswer({ ...average, frames: [one, wider] })).toMatch(
    /average 0\.3[78] to 1\.00 \(95 % each\)\. Widest for b, 0\.25 to 1\.00; narrowest for a, 0\.50 to 1\.00\.$/,
  );
  expect(spokenAnswer({ ...average, band: "none" })).toMatch(
    /^At threshold 0\.50, mean sensitivity is 0\.75, mean specificity 0\.60\./,
  );
});

test("a long name leaves the numbers of an answer their room", () => {
  const long = "logistic regression, strongly regularized";
  const picture = overviewPicture("classifiers", long, "b");
  const pairs = [{ a: long, b: "b", difference: 0.05, sd: 0.01, z: 5, p: 0.001 }];
  const looked = { shown: 0, evaluation: picture.group.entries[0], frame: picture.frames[0] };
  const several = { ...picture, ...looked, comparators: { ...picture.comparators, pairs } };
  expect(lead(several)).toContain("logistic r…gularized");
  expect(meaning(several)).toMatch(
    /^The band of logistic r…gularized says little\. At threshold 0\.50, .*0\.50 and 1\.00/,
  );
  expect(spokenAnswer(several)).not.toContain(long);
});

test("of several classifiers the ranking comes first, then the one that is looked at", () => {
  const picture = overviewPicture("classifiers", "a", "b");
  const pairs = [{ a: "a", b: "b", difference: 0.05, sd: 0.01, z: 5, p: 0.001 }];
  const looked = { shown: 1, evaluation: picture.group.entries[1], frame: picture.frames[1] };
  const several = { ...picture, ...looked, comparators: { ...picture.comparators, pairs } };
  expect(lead(several)).toMatch(/^a ranks better: AUC /);
  expect(meaning(several)).toBe(
    "The band of b says little. " +
      "At threshold 0.50, sensitivity is 0.75; an ideal model’s would lie between 0.50 and 1.00 (95 %).",
  );
});
