import { expect, test } from "vitest";
import type { Pair } from "../../src/base/pair.ts";
import { clamp } from "../../src/base/scale.ts";
import { operatingPointAt } from "../../src/evaluation/at_alpha.ts";
import { heightAt, sensitivityEdges, specificityEdges, steps } from "../../src/evaluation/curve_lines.ts";
import { observedCurve } from "../../src/evaluation/observed_curve.ts";
import type { Evaluation, Frame, Label } from "../../src/evaluation/types.ts";
import { BOTH, type Sides } from "../../src/evaluation/vacuous.ts";
import { createCaptionPlaces } from "../../src/plot/caption_places.ts";
import { type Box, boxOf, contains, overlap } from "../../src/plot/geometry.ts";
import {
  type PlotScene,
  placeAnnotations,
  placeAverageAnnotations,
} from "../../src/plot/place_annotations.ts";
import type { PlacedText } from "../../src/plot/text_boxes.ts";
import { averageOf, readingOf } from "../../src/sync/overview_numbers.ts";
import type { BandKind } from "../../src/wire/messages.ts";
import { labelsOf } from "../../src/words/one_evaluation.ts";
import { plain, strong } from "../../src/words/runs.ts";
import { overviewPicture } from "../picture.ts";
import { sampleEvaluation, sampleFrame } from "../sample.ts";

const M = 101;

/** A binormal curve of some steepness, and bands of some width around it. */
function evaluationOf(steepness: number): Evaluation {
  const thresholds = Float64Array.from({ length: M }, (_, i) =>
    i === 0 ? Number.POSITIVE_INFINITY : 1 - i / M,
  );
  const rates = (power: number) =>
    Float64Array.from({ length: M }, (_, i) => Math.round(1000 * (i / (M - 1)) ** power) / 1000);
  return {
    ...sampleEvaluation(),
    nTest: [1000, 1000],
    thresholds,
    fpr: rates(steepness),
    tpr: rates(1 / steepness),
    falsePositives: Uint32Array.from(rates(steepness), (rate) => Math.round(1000 * rate)),
    truePositives: Uint32Array.from(rates(1 / steepness), (rate) => Math.round(1000 * rate)),
  };
}

function frameOf({ fpr, tpr }: Evaluation, width: number): Frame {
  const moved = (rates: Float64Array, by: number) => rates.map((rate) => clamp(rate + by, 0, 1));
  return {
    ...sampleFrame(),
    threshold: -1,
    limits: {
      fprLower: moved(fpr, -width),
      fprUpper: moved(fpr, width),
      tprLower: moved(tpr, -width),
      tprUpper: moved(tpr, width),
    },
  };
}

function sceneOf(
  size: number,
  steepness: number,
  width: number,
  threshold: number,
  band: BandKind,
  sides: Pair<Sides>,
) {
  const evaluation = evaluationOf(steepness);
  const frame = frameOf(evaluation, width);
  const curve = observedCurve(evaluation);
  const edgesOf = (label: Label) => (label === 1 ? sensitivityEdges : specificityEdges)(frame.limits, curve);
  const shown = labelsOf(band);
  const isWhole = (label: Label) => sides[label][0] && sides[label][1];
  const scene: PlotScene = {
    square: { x0: 32, y0: 26 + size, size },
    curve,
    bounded: shown.filter(isWhole).map((label) => ({ label, edges: edgesOf(label) })),
    lacking: shown
      .filter((label) => !isWhole(label))
      .map((label) => ({ label, words: ["specificity: no upper limit", "79 points needed, here are 57"] })),
    alpha: 0.05,
    threshold,
    point: operatingPointAt(evaluation, frame, threshold),
    sides,
    model: "an ideal model",
    others: [],
    delong: { alpha: 0.1, range: [0.82, 0.89] },
    auc: 0.85,
  };
  return scene;
}

function* scenes(): Generator<PlotScene> {
  const bands: BandKind[] = ["sensitivity", "specificity", "both"];
  const none: Sides = [false, false];
  const bounds: Pair<Sides>[] = [
    [BOTH, BOTH],
    [none, BOTH],
    [none, none],
    [BOTH, [false, true]],
  ];
  for (const size of [262, 408, 560])
    for (const steepness of [1, 1.8, 8])
      for (const width of [0.02, 0.12, 0.4])
        for (const threshold of [0, 0.05, 0.42, 0.8, 0.99, 1])
          for (const band of bands)
            for (const sides of bounds) yield sceneOf(size, steepness, width, threshold, band, sides);
}

/** Each scene with its texts. */
const ALL = [...scenes()].map((scene) => ({ scene, placed: placeAnnotations(scene) }));

test("labels never overlap each other or a leader, and never leave the plot", () => {
  for (const { scene, placed } of ALL) {
    const leaders = placed.flatMap(({ leader }): Box[] =>
      leader ? [{ left: leader.x, right: leader.x + 1, top: leader.from, bottom: leader.to - 1 }] : [],
    );
    placed.forEach(({ box }, i) => {
      expect(contains(boxOf(scene.square), box)).toBe(true);
      for (const other of placed.slice(i + 1)) expect(overlap(box, other.box)).toBe(false);
      for (const leader of leaders) expect(overlap(box, leader)).toBe(false);
    });
  }
});

test("no leader is so long that it looks like a line of the plot", () => {
  const lengths = ALL.flatMap(({ placed }) =>
    placed.flatMap(({ leader }) => (leader ? [leader.to - leader.from] : [])),
  );
  expect(lengths.length).toBeGreaterThan(100);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(180);
});

test("AUC and operating point are always labelled", () => {
  for (const { placed } of ALL) {
    const words = placed.flatMap(({ lines }) => lines.flat().map(({ text }) => text));
    expect(words.some((text) => text.startsWith("AUC"))).toBe(true);
    expect(words.some((text) => text.startsWith("λ"))).toBe(true);
  }
});

test("a roomy plot names the classifier and the band", () => {
  const placed = placeAnnotations(sceneOf(408, 1.8, 0.12, 0.42, "sensitivity", [BOTH, BOTH]));
  const words = placed.flatMap(({ lines }) => lines.flat().map(({ text }) => text));
  expect(words).toContain("this classifier");
  expect(words).toContain("95 % conformal band");
});

test("long arms carry their values at their ends, short ones share a callout", () => {
  const wordsAt = (width: number) =>
    placeAnnotations(sceneOf(408, 1.8, width, 0.6, "sensitivity", [BOTH, BOTH])).map(({ lines }) =>
      lines.map((runs) => runs.map(({ text }) => text).join("")),
    );
  expect(wordsAt(0.2)).toContainEqual(["λ 0.60"]);
  expect(wordsAt(0.05)).toContainEqual(["λ 0.60", "TPR 0.60 0.55 to 0.65", "FPR 0.19 0.14 to 0.24"]);
});

test("the words of the average stay inside the plot and apart", () => {
  const picture = overviewPicture("classes", "a", "b");
  const { fpr, tpr, tprLower, tprUpper } = averageOf(picture);
  for (const size of [96, 160, 262, 408, 560]) {
    const square = { x0: 32, y0: 26 + size, size };
    const placed = placeAverageAnnotations({
      square,
      curve: steps({ x: fpr, y: tpr }),
      edges: { upper: steps({ x: fpr, y: tprUpper }), lower: steps({ x: fpr, y: tprLower }) },
      reading: readingOf(picture),
      callout: [[strong("0.75"), plain(" at FPR 0.40")], [strong("0.50 to 1.00")]],
      caption: [[strong("95 % limits, averaged")]],
      corner: [[strong("mean AUC 0.85")]],
    });
    if (size >= 160) expect(placed.every(({ box }) => contains(boxOf(square), box))).toBe(true);
  }
});

// ---- captions from one drawing to the next

const STEPS = 90;
const nameOf = ({ lines }: PlacedText) => lines[0].map(({ text }) => text).join("");
const isCaption = (text: PlacedText) => /classifier|band|limit/.test(nameOf(text));

/** A drag of the threshold, and of alpha, which widens the band. */
const drags: [name: string, at: (share: number) => [width: number, threshold: number]][] = [
  ["threshold", (share) => [0.12, share]],
  ["alpha", (share) => [0.02 + 0.4 * share, 0.42]],
];

test.each(drags)("no caption comes, goes or moves while the %s is dragged", (_, at) => {
  for (const size of [262, 408])
    for (const band of ["sensitivity", "both"] as const) {
      const places = createCaptionPlaces();
      const square = { x0: 32, y0: 26 + size, size };
      const draw = (share: number, isHeld: boolean) => {
        places.begin(square, isHeld);
        return placeAnnotations({ ...sceneOf(size, 1.8, ...at(share), band, [BOTH, BOTH]), square }, places);
      };
      const standing = (placed: PlacedText[]) =>
        placed
          .filter(isCaption)
          .map((text) => `${nameOf(text)} ${text.box.left} ${text.box.top}`)
          .sort();
      const before = standing(draw(0.5, false));
      if (size >= 408) expect(before.length).toBeGreaterThan(0);
      let changes = 0;
      for (let step = 0; step <= STEPS; step++) {
        const placed = draw(step / STEPS, true);
        if (JSON.stringify(standing(placed)) !== JSON.stringify(before)) changes += 1;
        placed.forEach(({ box }, i) => {
          expect(contains(boxOf(square), box)).toBe(true);
          for (const other of placed.slice(i + 1)) expect(overlap(box, other.box)).toBe(false);
        });
        expect(placed.some((text) => nameOf(text).startsWith("λ"))).toBe(true);
      }
      expect(changes).toBe(0);
    }
});

test("at rest a caption stays where it is as long as that is legal", () => {
  const places = createCaptionPlaces();
  const square = { x0: 32, y0: 434, size: 408 };
  const draw = (threshold: number) => {
    places.begin(square, false);
    const placed = placeAnnotations(
      { ...sceneOf(408, 1.8, 0.12, threshold, "sensitivity", [BOTH, BOTH]), square },
      places,
    );
    return new Map(placed.filter(isCaption).map((text) => [nameOf(text), text.box]));
  };
  const before = draw(0.8);
  expect(draw(0.79)).toEqual(before);
  places.forget();
  expect(draw(0.8)).toEqual(before);
});

test("the foot of a band’s leader stands where the band has height", () => {
  let feet = 0;
  for (const { scene, placed } of ALL) {
    for (const { leader, lines } of placed) {
      const band = scene.bounded.find(({ label }) => leader?.tone === `label${label}`);
      if (!leader || !band || !lines[0][0].text.includes("band")) continue;
      const heightAtX = (x: number) => {
        const fpr = (x - scene.square.x0) / scene.square.size;
        return (heightAt(band.edges.upper, fpr) - heightAt(band.edges.lower, fpr)) * scene.square.size;
      };
      const highest = Math.max(
        ...Array.from({ length: 33 }, (_, i) =>
          heightAtX(scene.square.x0 + (0.28 + 0.02 * i) * scene.square.size),
        ),
      );
      expect(heightAtX(leader.x)).toBeGreaterThanOrEqual(Math.min(24, highest / 2) - 1e-9);
      feet += 1;
    }
  }
  expect(feet).toBeGreaterThan(100);
});

test("where a key names the lines there are no captions", () => {
  const scene = sceneOf(332, 1.8, 0.12, 0.42, "both", [BOTH, BOTH]);
  expect(placeAnnotations(scene).some(isCaption)).toBe(true);
  expect(placeAnnotations({ ...scene, hasKey: true }).some(isCaption)).toBe(false);
});
