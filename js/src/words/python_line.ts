import type { Json } from "../evaluation/types.ts";
import type { Picture } from "../sync/view_model.ts";

/** A line of Python that rebuilds what is on the screen; the evaluation's own name is not known here. */
export function pythonLine(picture: Picture): string {
  const { group, shown, wanted, band, weights, comparators, view, prevalence, cost } = picture;
  const isMapping = group.kind !== "single";
  const keywords = [
    isMapping ? "evaluations" : "evaluation",
    `alpha=${wanted.alpha}`,
    `threshold=${wanted.threshold}`,
    `band=${literal(band)}`,
  ];
  if (isMapping && shown !== null) keywords.push(`label=${literal(group.entries[shown].key)}`);
  if (isMapping && weights !== "size") keywords.push(`weights=${literal(weights)}`);
  if (view !== "roc") keywords.push(`view=${literal(view)}`);
  if (prevalence !== null) keywords.push(`prevalence=${prevalence}`);
  if (cost !== null) keywords.push(`cost_ratio=${cost}`);
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
