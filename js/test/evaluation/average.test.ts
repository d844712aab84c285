import { expect, test } from "vitest";
import { averageBands } from "../../src/evaluation/average.ts";
import { sampleEvaluation, sampleFrame } from "../sample.ts";

const localized = (share: number, reason: string | null) =>
  sampleFrame({
    quantiles: null,
    ranks: null,
    vacuous: [null, reason],
    local: {
      vacuous_share: [0, share],
      missing: share === 1 ? 12 : 0,
    },
  });

test("without limits are the classes none of whose points has any", () => {
  const frames = [
    sampleFrame(),
    localized(1, "1 of the 1 test points ..."),
    localized(0.5, "1 of the 2 test points ..."),
    localized(0, null),
  ];
  const entries = frames.map(() => sampleEvaluation());
  expect(averageBands(entries, frames, "uniform").withoutLimits).toEqual([1]);
});
