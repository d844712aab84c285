import { describe, expect, test } from "vitest";
import { boundsAt, isotonic, isotonicAt, reliability } from "../../src/evaluation/calibration_band.ts";
import { treatAll } from "../../src/evaluation/net_benefit.ts";
import type { Line } from "../../src/evaluation/observed_curve.ts";
import { scoreCounts } from "../../src/evaluation/score_counts.ts";
import { viewTable } from "../../src/evaluation/view_curves.ts";
import { sampleEvaluation, sampleFrame } from "../sample.ts";

const evaluation = sampleEvaluation();
const frame = sampleFrame();
const OWN = 4 / 9;
const pointsOf = ({ x, y }: Line) => Array.from(x, (each, i) => [each, y[i]]);
const ascends = (values: Float64Array) => values.every((value, i) => i === 0 || value >= values[i - 1]);

describe("precision over recall", () => {
  const table = viewTable("precision_recall", OWN);
  const { line, edges, track, baseline } = table.curve(evaluation, frame, OWN);

  test("goes first up or down, then along, through all vertices", () => {
    const vertices = pointsOf(track);
    const expected = vertices.flatMap(([x, y], i) =>
      i === 0
        ? [[x, y]]
        : [
            [vertices[i - 1][0], y],
            [x, y],
          ],
    );
    expect(pointsOf(line)).toEqual(expected);
    expect(edges.lower.x).toEqual(line.x);
    expect(edges.upper.x).toEqual(line.x);
  });

  test("has a point on its curve at each vertex, 1 where nobody is called", () => {
    expect(table.point(evaluation, frame, OWN)).toMatchObject({ x: 0.75, y: expect.closeTo(0.6, 14) });
    expect(pointsOf(track)[3]).toEqual([0.75, expect.closeTo(0.6, 14)]);
    const nobody = { ...frame.point, tpr: 0, fpr: 0 };
    expect(table.point(evaluation, { ...frame, point: nobody }, OWN)).toMatchObject({ x: 0, y: 1 });
  });

  test("stands over the share of positives where the classifier is used", () => {
    expect(pointsOf(baseline)).toEqual([
      [0, OWN],
      [1, OWN],
    ]);
    const rare = viewTable("precision_recall", 0.1).curve(
      evaluation,
      { ...frame, limits: { ...frame.limits } },
      0.1,
    );
    expect(pointsOf(rare.baseline)[0]).toEqual([0, 0.1]);
  });
});

describe("probability over score", () => {
  const table = viewTable("reliability", OWN);
  const { line, edges, track, baseline } = table.curve(evaluation, frame, OWN);
  const band = reliability(evaluation, frame.alpha);

  test("is the isotonic step line between the bounds, from end to end", () => {
    const shares = isotonic(band.groups);
    band.groups.first.forEach((score, i) => {
      expect(isotonicAt(band, score)).toBe(shares[i]);
      if (i > 0 && shares[i] !== shares[i - 1])
        expect(pointsOf(line)).toEqual(
          expect.arrayContaining([
            [score, shares[i - 1]],
            [score, shares[i]],
          ]),
        );
    });
    expect(pointsOf(line)[0]).toEqual([band.groups.first[0], shares[0]]);
    expect(isotonicAt(band, -1)).toBe(shares[0]);
    expect(isotonicAt(band, 2)).toBe(shares[shares.length - 1]);
    for (const edge of [edges.lower, edges.upper]) {
      expect([edge.x[0], edge.x[edge.x.length - 1]]).toEqual([0, 1]);
      expect(ascends(edge.x) && ascends(edge.y)).toBe(true);
    }
  });

  test("has a point between the bounds at any threshold, on the same line as the vertices", () => {
    for (const threshold of [0, 0.3, 0.42, 0.9, 1]) {
      const [lower, upper] = boundsAt(band, threshold);
      const wanted = { x: threshold, y: isotonicAt(band, threshold), lower, upper };
      expect(table.point(evaluation, { ...frame, threshold }, OWN)).toEqual(wanted);
    }
    expect(track.x[0]).toBe(1);
    expect(track.y[3]).toBe(isotonicAt(band, 0.5));
    expect(pointsOf(baseline)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

test("the counts along the score are those of the test points, with 1 in the last bin", () => {
  const heights = (of: typeof evaluation) => {
    const { x, y } = scoreCounts(of);
    expect([...x]).toEqual(Array.from({ length: 82 }, (_, i) => Math.floor(i / 2) / 40));
    expect([y[0], y[81]]).toEqual([0, 0]);
    return Array.from({ length: 40 }, (_, bin) => {
      expect(y[2 * bin + 2]).toBe(y[2 * bin + 1]);
      return Math.round(y[2 * bin + 1] / 0.03);
    });
  };
  const wanted = new Array(40).fill(0);
  Object.assign(wanted, { 4: 2, 12: 2, 20: 2, 28: 1, 36: 2 });
  expect(heights(evaluation)).toEqual(wanted);
  const thresholds = evaluation.thresholds.map((threshold) => (threshold === 0.9 ? 1 : threshold));
  Object.assign(wanted, { 36: 0, 39: 2 });
  expect(heights({ ...evaluation, thresholds })).toEqual(wanted);
});

describe("net benefit over risk", () => {
  const table = viewTable("net_benefit", OWN);
  const { line, track, baseline } = table.curve(evaluation, frame, OWN);

  test("ends with nobody called, at a risk of 1", () => {
    expect(pointsOf(track)[0]).toEqual([1, 0]);
    expect(pointsOf(track).slice(1)).toEqual(pointsOf(line));
    expect(table.point(evaluation, { ...frame, threshold: 1 }, OWN)).toEqual({
      x: 1,
      y: 0,
      lower: 0,
      upper: 0,
    });
  });

  test("has a point on its curve, between its limits", () => {
    const { x, y, lower, upper } = table.point(evaluation, frame, OWN);
    expect([x, y]).toEqual([0.5, expect.closeTo(3 / 9 - 2 / 9, 14)]);
    expect(pointsOf(track)[3]).toEqual([x, y]);
    expect(lower).toBeLessThan(y);
    expect(upper).toBeGreaterThan(y);
  });

  test("stands against calling all, on an axis as high as the share of positives", () => {
    expect(baseline.x.every((risk, i) => baseline.y[i] === treatAll(risk, OWN))).toBe(true);
    expect(Math.max(...baseline.x)).toBeLessThan(1);
    expect(table.up).toEqual([-OWN / 6, OWN]);
  });
});

test("a curve is computed once for its limits", () => {
  const table = viewTable("net_benefit", 0.2);
  const curve = table.curve(evaluation, frame, 0.2);
  expect(viewTable("net_benefit", 0.2).curve(evaluation, { ...frame, threshold: 0.1 }, 0.2)).toBe(curve);
  expect(table.curve(evaluation, frame, 0.3)).not.toBe(curve);
});
