// Sentence of a guarantee, with the place of its confidence.

import { percent } from "../base/format.ts";

/** The place of the number in a sentence. */
export const CONFIDENCE = "{confidence}";

export const withConfidence = (guarantee: string, alpha: number) =>
  guarantee.replaceAll(CONFIDENCE, percent(1 - alpha));
