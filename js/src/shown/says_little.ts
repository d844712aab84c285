// Tells whether the conformal band is too wide to be useful. The answer is for one fixed alpha, so that it
// does not change while the user drags the confidence.

import { remembered } from "../base/remembered.ts";
import { bandAt } from "../evaluation/at_alpha.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { meanWidth } from "./overview_numbers.ts";

const LITTLE = 0.5;
const LEVEL = 0.05;

/** Whether the band at 95 % confidence is, on average, wider than half of the plot. */
export const saysLittle = remembered((evaluation: Evaluation) => {
  const band = bandAt(evaluation, LEVEL);
  return band !== null && meanWidth(evaluation, band) > LITTLE;
});
