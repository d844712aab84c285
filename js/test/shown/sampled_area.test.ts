import { expect, test } from "vitest";
import { sampledArea } from "../../src/shown/sampled_area.ts";
import { NO_COMPARATORS } from "../../src/wire/decode_comparators.ts";
import { pictureOf } from "../picture.ts";

const none = new Float32Array();
const limits = [
  { alpha: 0.05, auc: [0.6, 0.8] as const, precision: none, net_benefit: none },
  { alpha: 0.2, auc: [0.65, 0.75] as const, precision: none, net_benefit: none },
];

test("an area that only redraws tell has the limits of the nearest alpha that a file holds, as the band has", () => {
  const picture = pictureOf();
  const evaluation = { ...picture.evaluation, area: null };
  const words = { ...picture.frame };
  const redraws = { low: 0, high: 1, counts: [1], mostly: [0, 1] as const, figures: { words, limits } };
  const at = (alpha: number, entry: typeof evaluation.key = evaluation.key) =>
    sampledArea({
      ...picture,
      evaluation,
      frame: { ...picture.frame, alpha },
      comparators: { ...NO_COMPARATORS, entry, redraws, delong: { alpha: 0.1, range: [0.64, 0.76] } },
    });
  expect([0.01, 0.05, 0.2, 0.5].map((alpha) => at(alpha)?.[0])).toEqual([0.6, 0.6, 0.65, 0.65]);
  expect(at(0.1)).toEqual([0.64, 0.76]);
  expect(at(0.05, "another")).toBeNull();
  expect(sampledArea({ ...picture, evaluation })).toBeNull();
});
