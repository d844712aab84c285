import { describe, expect, test } from "vitest";
import { observedCurve } from "../../src/evaluation/observed_curve.ts";
import type { Mark, Text } from "../../src/scene.ts";
import type { Picture } from "../../src/shown/picture.ts";
import { legendOf, viewOf } from "../../src/views/views.ts";
import { VIEW_KINDS } from "../../src/wire/controls.ts";
import { positiveName, prevalenceOf } from "../../src/words/one_evaluation.ts";
import { overviewPicture, pictureOf } from "../picture.ts";

const picture = pictureOf({}, { classes: ["well", "ill"] });
const used = { ...picture, prevalence: 0.1 };
const of = (view: Picture["view"], from: Picture = picture) => ({ ...from, view });
const markOf = <Kind extends Mark["kind"]>(from: Picture, kind: Kind, id: string) =>
  viewOf(from)
    .marks(from)
    .find((mark) => mark.id === id && mark.kind === kind) as Extract<Mark, { kind: Kind }>;

test("precision is read off at the point, and has the range that both intervals allow", () => {
  const { points } = markOf(of("precision_recall"), "line", "arm");
  // Recall 0.50 to 1, false positive rate 0.80 to 0.20, on 4 and 5 points.
  expect([...points.y]).toEqual([expect.closeTo(2 / 6, 14), expect.closeTo(4 / 5, 14)]);
  expect(markOf(of("precision_recall", used), "dot", "point").y).toBeCloseTo(0.075 / (0.075 + 0.36), 14);
  const nobody = { ...picture.frame, point: { ...picture.frame.point, tpr: 0, fpr: 0 } };
  expect(markOf(of("precision_recall", { ...picture, frame: nobody }), "dot", "point")).toMatchObject({
    x: 0,
    y: 1,
  });
});

test("a range of two intervals promises no level of its own, limits at every threshold at once do", () => {
  for (const view of ["precision_recall", "net_benefit"] as const) {
    expect(legendOf(of(view)).guarantee).toContain("none (computed from both limits together)");
    expect(legendOf(of(view)).target).toContain("an ideal model");
    const frame = {
      ...picture.frame,
      kind: "simultaneous" as const,
      model: "recalibration" as const,
      target: "an ideal recalibration of this score",
    };
    const joint = legendOf(of(view, { ...picture, frame }));
    expect(joint.guarantee).toBe(picture.frame.guarantee);
    expect(joint.target).toContain("an ideal recalibration of this score");
  }
  expect(legendOf(of("reliability"))).toMatchObject({
    target: "P(y = 1 | score), the ideal recalibration of this score",
    scope: "every score at once",
    guarantee: "at least 95 % for every sample size, if a higher score never means a lower probability",
  });
});

test("the share of positives is the one that is set, else the test set’s own", () => {
  expect(prevalenceOf(picture)).toBe(4 / 9);
  expect(prevalenceOf(used)).toBe(0.1);
  expect(positiveName(picture)).toBe("ill");
  expect(positiveName(pictureOf())).toBe("class 1");
});

test("corner and handle have the numbers of the point", () => {
  const shown = of("precision_recall");
  // precision_recall.test.ts computes this number by hand.
  expect(markOf(shown, "text", "corner").text).toBe(
    `Average precision ${(1 / 2 + (1 / 4) * (3 / 5) + (1 / 4) * (4 / 7)).toFixed(2)}`,
  );
  expect(viewOf(shown).spoken(shown)).toBe(
    "threshold 0.50; precision 60 %, 33 to 80 %; recall 75 %, 50 to 100 %",
  );
});

describe.each(VIEW_KINDS)("%s", (view) => {
  const shown = of(view);

  test("has a row of numbers a vertex, its columns named", () => {
    const { columns, rows } = viewOf(shown).numbers(shown);
    expect(rows).toHaveLength(picture.evaluation.thresholds.length);
    for (const row of rows) expect(row).toHaveLength(columns.length);
    const { x, y } = markOf(shown, "dot", "point");
    const place = view === "roc" ? [1, 2] : rows[3].length === 5 ? [1, 2] : [0, 1];
    expect(place.map((i) => rows[3][i])).toEqual([x, y]);
  });

  test("the handle’s track goes through the point, a place a vertex", () => {
    const { x, y } = viewOf(shown).track(shown);
    expect([x.length, y.length]).toEqual([6, 6]);
    const point = markOf(shown, "dot", "point");
    expect([x[3], y[3]]).toEqual([point.x, point.y]);
  });

  test("a threshold that moves leaves the arrays of curve and band as they are", () => {
    const { frame } = picture;
    const moved = of(view, { ...picture, frame: { ...frame, threshold: 0.3 } });
    const areas = viewOf(shown)
      .marks(shown)
      .filter(({ kind }) => kind === "area");
    expect(areas).toHaveLength(1);
    for (const { id } of areas) {
      const [one, other] = [shown, moved].map((each) => markOf(each, "area", id));
      expect(other.upper.x).toBe(one.upper.x);
      expect(other.upper.y).toBe(one.upper.y);
      expect(other.lower.y).toBe(one.lower.y);
    }
    const [one, other] = [shown, moved].map((each) => markOf(each, "line", "curve").points);
    expect(other.x).toBe(one.x);
    expect(other.y).toBe(one.y);
  });
});

test("at a threshold of 1 net benefit stands where nobody is called", () => {
  const shown = of("net_benefit", { ...picture, frame: { ...picture.frame, threshold: 1 } });
  expect(markOf(shown, "dot", "point")).toMatchObject({ x: 1, y: 0 });
  const { x, y } = viewOf(shown).track(shown);
  expect([x[0], y[0]]).toEqual([1, 0]);
  expect(markOf(shown, "line", "baseline").points.x.every((risk) => risk < 1)).toBe(true);
});

test("behind the classifier that is looked at stand the others with their points", () => {
  const group = overviewPicture("classifiers", "a", "b", "c");
  const shown = { ...group, shown: 1 };
  const ids = viewOf(shown)
    .marks(shown)
    .map(({ id }) => id);
  expect(ids.filter((id) => /^(curve|cut)-/.test(id))).toEqual(["curve-0", "cut-0", "curve-2", "cut-2"]);
  expect(markOf(shown, "line", "curve-2").points.x).toBe(observedCurve(group.group.entries[2]).x);
  const bands = { ...overviewPicture("bands", "a", "b"), shown: 0 };
  expect(markOf(bands, "area", "other-1").fill).toBe("");
});

test("the name of a band leaves the curve of another classifier free", () => {
  // The curve of "b" rises through the place that the name of the band of "a" has without it.
  const group = overviewPicture("classifiers", "a", "b");
  const shown: Picture = { ...group, shown: 0, side: 400 };
  const nameOf = (picture: Picture) =>
    viewOf(picture)
      .marks(picture)
      .find((mark) => mark.kind === "text" && mark.id === "band-sensitivity-name") as Text | undefined;
  const alone = pictureOf({ side: 400 });
  const free = nameOf(alone);
  expect(free).toBeDefined();
  const { x } = free as Text;
  const through = Float64Array.of(0, x + 0.05, x + 0.05, 1);
  const entry = group.group.entries[1];
  const other = { ...entry, fpr: through, tpr: Float64Array.of(0, 0, 1, 1) };
  const crossed = { ...shown, group: { ...group.group, entries: [group.group.entries[0], other] } };
  const found = nameOf(crossed);
  expect(found === undefined || found.x > x + 0.05).toBe(true);
});

test("a curve below chance has its area at the left, where it does not run, except in the magnified corner", () => {
  const places = (auc: number, zoom: boolean) => {
    const shown: Picture = { ...picture, zoom, evaluation: { ...picture.evaluation, auc } };
    return markOf(shown, "text", "corner");
  };
  expect(places(0.5, false)).toMatchObject({ x: 1, y: 0, anchor: "end" });
  expect(places(0.49, false)).toMatchObject({ x: 0, y: 0.6, anchor: "start" });
  expect(places(0.49, true)).toMatchObject({ anchor: "end" });
});

test("on a plot with too little room the limits of the area stand without the name of their method", () => {
  const area = { variance: 0.01, exact: null } as unknown as Picture["evaluation"]["area"];
  const limits = (side: number) =>
    markOf({ ...picture, side, evaluation: { ...picture.evaluation, area } }, "text", "corner-limits").text;
  expect(limits(300)).toMatch(/^95 %: \S+ to \S+ \(DeLong\)$/);
  expect(limits(150)).toBe(limits(300).replace(" (DeLong)", ""));
});

test("a band that is off is on no plot, and its switch is off", () => {
  const { switches, marks } = viewOf(picture);
  expect(switches(picture).map(({ text, isOn }) => [text, isOn])).toEqual([
    ["conformal, sensitivity", true],
    ["conformal, specificity", false],
  ]);
  expect(marks(picture).map(({ id }) => id)).not.toContain("band-specificity");
});
