import { expect, test } from "vitest";
import { averageBands } from "../../src/evaluation/average.ts";
import { sampleEvaluation, sampleFrame } from "../sample.ts";

const localized = (share: number) =>
  sampleFrame({
    quantiles: null,
    ranks: null,
    local: {
      vacuous_share: [0, share],
      missing: share === 1 ? 12 : 0,
    },
  });

test("without limits are the classes none of whose points has any", () => {
  const frames = [sampleFrame(), localized(1), localized(0.5), localized(0)];
  const entries = frames.map(() => sampleEvaluation());
  expect(averageBands(entries, frames, "uniform").withoutLimits).toEqual([1]);
});
