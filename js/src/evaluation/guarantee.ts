// The words of a promise, with the place of its confidence.

import { conditions, levels, scopes, targets } from "../../../conformal_roc_widget/promises.json";
import { percent } from "../base/format.ts";
import { words } from "../base/words.ts";
import type { Promised, PromiseLine, Words } from "./types.ts";

/** The place of the number in a sentence. */
const CONFIDENCE = "{confidence}";

/** Fills the confidence into the words of a guarantee. */
export function withConfidence<Said extends Words>(words: Said, alpha: number): Said {
  const filled = (text: string) => text.replaceAll(CONFIDENCE, percent(1 - alpha));
  const line = { ...words.line, level: filled(words.line.level) };
  return { ...words, guarantee: filled(words.guarantee), line };
}

/** Words in full, and as short as a line has room for: a row of promises.json, where `short` is left out if both are the same. */
export interface Phrase {
  text: string;
  short?: string;
}

export const shortOf = ({ text, short = text }: Phrase) => short;
export const NO_WORDS: Phrase = { text: "" };
/** A promise from rows of the table: a level, one condition, and what follows them. */
interface Parts {
  target: string;
  scope: Phrase & { chosen?: string };
  level: Phrase & { after: string; only?: string };
  condition: Phrase & { brief?: string };
  tail?: Phrase;
}

export function promiseOf({ target, scope, level, condition, tail = NO_WORDS }: Parts, alpha: number): Words {
  const assumed = (text: string) => words("promise.if", { conditions: text });
  const brief = words("promise.condition", { conditions: condition.brief ?? shortOf(condition) });
  const line = {
    level: shortOf(level),
    scope: shortOf(scope),
    after: level.after,
    rest: `${assumed(shortOf(condition))}${shortOf(tail)}`,
    chosen: (scope.chosen ?? "any") as PromiseLine["chosen"],
    condition: level.only ? `${level.only}, ${brief}` : brief,
  };
  const guarantee = `${level.text}${assumed(condition.text)}${tail.text}`;
  return withConfidence({ target, scope: scope.text, guarantee, line }, alpha);
}

/** Promise of this classifier's curve at every look; its twin is that of ks.py. */
export const ofEveryLook = (alpha: number): Promised => ({
  ...{ kind: "sampling", model: "classifier" },
  ...promiseOf(
    {
      target: targets.population,
      scope: scopes.whole_curve_any_look,
      level: levels.for_every_law,
      condition: conditions.same_source,
    },
    alpha,
  ),
});
