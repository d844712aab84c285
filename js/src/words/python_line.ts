import { isSameValue } from "../base/equal.ts";
import type { Json } from "../evaluation/types.ts";
import { TRUTH } from "../sync/comparators.ts";
import type { Picture } from "../sync/view_model.ts";
import { PAGE } from "../wire/messages.ts";

/** A line of Python that rebuilds what is on the screen, and says which names of the reader's it cannot know. */
export function pythonLine(picture: Picture): string {
  const { group, shown, wanted, band, weights, comparators, view, prevalence, cost, page } = picture;
  const isMapping = group.kind !== "single";
  const evaluation = isMapping ? "evaluations" : "evaluation";
  const unknown = [evaluation];
  const keywords = [
    evaluation,
    `alpha=${wanted.alpha}`,
    `threshold=${wanted.threshold}`,
    `band=${literal(band)}`,
  ];
  if (isMapping && shown !== null) keywords.push(`label=${literal(group.entries[shown].key)}`);
  if (isMapping && weights !== "size") keywords.push(`weights=${literal(weights)}`);
  if (view !== "roc") keywords.push(`view=${literal(view)}`);
  if (prevalence !== null) keywords.push(`prevalence=${prevalence}`);
  if (cost !== null) keywords.push(`cost_ratio=${cost}`);
  const [{ words, other }] = group.entries;
  if (other !== null && (group.isSwitched || words.kind === "everywhere"))
    keywords.push(`guarantee=${literal(words.kind)}`);
  if (!isSameValue(page, PAGE)) keywords.push(`page=${dict({ ...page })}`);
  const keys = comparators.items.map(({ key }) => key);
  const others = keys.filter((key) => key !== TRUTH);
  if (others.length > 0) keywords.push(`comparators=${literal(others)}`);
  if (others.length < keys.length) {
    keywords.push("truth=truth");
    unknown.push("truth");
  }
  const call = `ROCWidget(${keywords.join(", ")})`;
  return `from conformal_roc_widget import ROCWidget; ${call}  # with your own ${unknown.join(" and ")}`;
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

const dict = (record: Record<string, Json>) =>
  `{${Object.entries(record)
    .map(([name, value]) => `${literal(name)}: ${literal(value)}`)
    .join(", ")}}`;

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
