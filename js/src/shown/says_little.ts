// Whether the conformal band says little: one finding per evaluation, so that no drag flips it.

import { remembered } from "../base/remembered.ts";
import { bandAt } from "../evaluation/at_alpha.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { meanWidth } from "./overview_numbers.ts";

const LITTLE = 0.5;
const LEVEL = 0.05;

/** Whether the band at 95 % is wider than half the plot on average. */
export const saysLittle = remembered((evaluation: Evaluation) => {
  const band = bandAt(evaluation, LEVEL);
  return band !== null && meanWidth(evaluation, band) > LITTLE;
});
