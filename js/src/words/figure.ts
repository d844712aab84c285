// Writes a figure of a report: its value, its limits and their method.

import {
  areaText,
  count,
  fixed,
  limitsText,
  percent,
  percentagePoints,
  share,
  shareLimits,
  shareNumber,
} from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Method } from "./methods.ts";

/** A figure and its limits, if it has any. */
export interface Figure {
  /** The name of the evaluation that the figure belongs to. Empty if there is only one. */
  of: string;
  name: string;
  /** The words that follow the figure's name in a table, such as a threshold. */
  at: string;
  value: number | null;
  /** If the figure is a rate k / n of rows, the numbers k and n. */
  counts: Pair<number> | null;
  limits: Pair<number> | null;
  /** Which of the limits exist. */
  sides: Pair<boolean>;
  unit: "area" | "share" | "difference" | "points";
  method: Method | null;
}

const BOTH: Pair<boolean> = [true, true];
export const figure = (of: string, name: string, unit: Figure["unit"], value: number | null): Figure => ({
  ...{ of, name, at: "", value, unit, counts: null, limits: null, sides: BOTH, method: null },
});

/**
 * Lists figures with their counts and limits. The methods come at the end: "85 % (62 of 73; 95 % limits 75 to
 * 92 %) and ...; exact". `around` puts words around each figure.
 */
export function listed(
  figures: readonly Figure[],
  alpha: number,
  around: (found: string, figure: Figure) => string,
): string {
  let isFirst = true;
  const parts = figures.map((each) => {
    const { counts, limits, method } = each;
    const inside = counts ? [`${count(counts[0])} of ${count(counts[1])}`] : [];
    if (limits && method) {
      inside.push(`${isFirst ? `${percent(1 - alpha)} limits ` : ""}${rangeText(each)}`);
      isFirst = false;
    } else if (counts === null) inside.push("no limits");
    return around(`${each.value === null ? "undefined" : valueText(each)} (${inside.join("; ")})`, each);
  });
  const methods = new Set(figures.flatMap(({ method }) => (method ? [method.text] : [])));
  return [joined(parts), ...methods].join("; ");
}

export const joined = (parts: readonly string[]) =>
  parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;

/** Writes the value as it stands beside its limits. */
export function valueText({ value, limits, unit }: Pick<Figure, "value" | "limits" | "unit">): string {
  if (value === null) return "";
  if (unit === "area") return areaText([value, ...(limits ?? [])])(value);
  return unit === "share" ? share(value) : differenceText(value, unit);
}

/** Writes the limits. A limit that does not exist is left out. */
export function rangeText({ limits, sides, unit }: Pick<Figure, "limits" | "sides" | "unit">): string {
  if (limits === null) return "";
  const [lower, upper] = limits;
  if (unit === "share") return shareLimits(lower, upper, sides);
  if (unit === "area") return limitsText(lower, upper, sides, [0, 1], areaText(limits));
  return unit === "points"
    ? `${shareNumber(lower)} to ${differenceText(upper, unit)}`
    : `${fixed(lower, 3)} to ${fixed(upper, 3)}`;
}

const differenceText = (value: number, unit: "difference" | "points") =>
  unit === "points" ? percentagePoints(value) : fixed(value, 3);
