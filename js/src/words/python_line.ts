import type { Json } from "../evaluation/types.ts";
import type { Picture } from "../sync/view_model.ts";

/** A line of Python that rebuilds what is on the screen; the evaluation's own name is not known here. */
export function pythonLine({ group, shown, wanted, band, weights, comparators }: Picture): string {
  const isMapping = group.kind !== "single";
  const keywords = [
    isMapping ? "evaluations" : "evaluation",
    `alpha=${wanted.alpha}`,
    `threshold=${wanted.threshold}`,
    `band=${literal(band)}`,
  ];
  if (isMapping && shown !== null) keywords.push(`label=${literal(group.entries[shown].key)}`);
  if (isMapping && weights !== "size") keywords.push(`weights=${literal(weights)}`);
  if (comparators.items.length > 0) {
    keywords.push(`comparators=${literal(comparators.items.map(({ key }) => key))}`);
  }
  return `ROCWidget(${keywords.join(", ")})`;
}

const WORDS = new Map<Json, string>([
  [null, "None"],
  [true, "True"],
  [false, "False"],
]);

/** A JSON value as Python writes it. The escapes of a JSON string mean the same in Python. */
function literal(value: Json): string {
  if (Array.isArray(value))
    return `(${value
      .map((item) => `${literal(item)}, `)
      .join("")
      .trimEnd()})`;
  return WORDS.get(value) ?? JSON.stringify(value).replace(/[\u2028\u2029]/g, unicodeEscape);
}

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
