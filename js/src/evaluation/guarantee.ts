// The words of a promise, with the place of its confidence.

import { percent } from "../base/format.ts";
import type { Words } from "./types.ts";

/** The place of the number in a sentence. */
const CONFIDENCE = "{confidence}";

/** The same words with the confidence in its place. */
export function withConfidence<Said extends Words>(words: Said, alpha: number): Said {
  const filled = (text: string) => text.replaceAll(CONFIDENCE, percent(1 - alpha));
  const line = { ...words.line, level: filled(words.line.level) };
  return { ...words, guarantee: filled(words.guarantee), line };
}
