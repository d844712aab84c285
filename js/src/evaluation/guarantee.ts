// Writes a guarantee in words, such as "95 % for each threshold, if ...". The texts have a placeholder for the
// confidence, which is filled in last.

import { conditions, levels, scopes, targets } from "../../../conformal_roc_widget/promises.json";
import { percent } from "../base/format.ts";
import { words } from "../base/words.ts";
import type { Promised, PromiseLine, Words } from "./types.ts";

/** Stands for the confidence in the texts of promises.json. */
const CONFIDENCE = "{confidence}";

/** Returns the words of a guarantee with the confidence 1 - alpha filled in. */
export function withConfidence<Said extends Words>(words: Said, alpha: number): Said {
  const filled = (text: string) => text.replaceAll(CONFIDENCE, percent(1 - alpha));
  const line = { ...words.line, level: filled(words.line.level) };
  return { ...words, guarantee: filled(words.guarantee), line };
}

/** A text of promises.json and its short form. If `short` is missing, the short form is `text`. */
export interface Phrase {
  text: string;
  short?: string;
}

export const shortOf = ({ text, short = text }: Phrase) => short;
export const NO_WORDS: Phrase = { text: "" };
/** The parts of a guarantee, each from promises.json. `tail` follows the condition. */
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

/**
 * Returns the guarantee of limits of this classifier's curve that hold at every look at growing data. In Python: ks.py.
 */
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
