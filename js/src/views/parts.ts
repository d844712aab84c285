// Defines pens, and makes the marks that several views use.

import { comparator_dashes, dashes, edge_dashes } from "../../../conformal_roc_widget/shown/theme.json";
import type { Pair } from "../base/pair.ts";
import { clamp } from "../base/scale.ts";
import { words } from "../base/words.ts";
import type { Label } from "../evaluation/types.ts";
import type { Area, Dot, Line, Mark, Pen, Points, Text } from "../scene.ts";

export const pen = (colour: string, width = 1, ...lengths: number[]): Pen => ({
  colour,
  width,
  dashes: lengths,
});

const byLabel = (penOf: (label: Label) => Pen): Pair<Pen> => [penOf(0), penOf(1)];

const CURVE = pen("ink", 2);
const BASELINE = pen("axis", 1, ...dashes.baseline);
/** For each label, the pen of its band's edges and its error bars. */
export const LIMITS = byLabel((k) => pen(`label${k}`, 1, ...edge_dashes[k]));
export const ARMS = byLabel((k) => pen(`label${k}`, 2, ...edge_dashes[k]));
export const MISSING = byLabel((k) => pen(`label${k}`, 2, ...dashes.missing));
const UNLIMITED = pen("ink", 2, ...dashes.unlimited);
/** The pen of the hatch where a limit is missing. */
export const NO_LIMITS = pen("axis");
/**
 * The pen of the range of a figure that depends on both labels, such as the precision. It has the colour of neither
 * label.
 */
const RANGE = pen("axis");
export const RANGE_ARM = pen("muted", 2);
export const RANGE_ARMS: Pair<Pen> = [RANGE_ARM, pen("muted", 2, ...dashes.missing)];
const RANGE_STRENGTH = 0.5;
/** The pen of the vertical line at the threshold. */
const CUT = pen("ink", 1, ...dashes.cut);
const CAP = 5;
export const UNIT: Pair<number> = [0, 1];

export const pointsOf = (x: ArrayLike<number>, y: ArrayLike<number>, step: Points["step"] = ""): Points => ({
  x: Float64Array.from(x),
  y: Float64Array.from(y),
  step,
});

export const line = (id: string, key: string, points: Points, look: Pen, halo = false): Line => ({
  kind: "line",
  id,
  key,
  points,
  pen: look,
  halo,
});

export const curve = (points: Points, key = words("key.classifier")): Line =>
  line("curve", key, points, CURVE);

/** Returns the line that a classifier is compared with: chance, or predicting every row positive. */
export const baseline = (points: Points, key: string): Line => line("baseline", key, points, BASELINE);

/** Returns a band between two limits. By default its fill has the colour of its edges. */
export const area = (
  id: string,
  key: string,
  lower: Points,
  upper: Points,
  look: Pen,
  fill = look.colour,
  more: Partial<Area> = {},
): Area => ({
  kind: "area",
  id,
  key,
  upper,
  lower,
  pen: look,
  fill,
  strength: 1,
  sides: [true, true],
  ...more,
});

/** Returns the range of a figure that depends on both labels. `sides` tells which of its edges are limits. */
export const rangeOf = (
  key: string,
  upper: Points,
  lower: Points,
  sides: Pair<boolean> = [true, true],
): Area =>
  area("range", key, lower, upper, RANGE, sides[0] && sides[1] ? "ink" : NO_LIMITS.colour, {
    strength: RANGE_STRENGTH,
    sides,
  });

/** Returns words for the key that say which limits of a rate are missing. Empty if both limits exist. */
export function missingLimits([low, high]: Pair<boolean>): string {
  if (low && high) return "";
  return words(low ? "key.no_upper" : high ? "key.no_lower" : "key.no_limits");
}

/** Returns a vertical line. */
export const cut = (at: number): Line => line("cut", "", pointsOf([at, at], UNIT), CUT);

/** Returns a text in the lower right corner of the plot. */
export const corner = (text: string, place: Partial<Text> = {}): Text => ({
  kind: "text",
  id: "corner",
  text,
  x: 1,
  y: 0,
  dx: -8,
  dy: -10,
  anchor: "end",
  bold: true,
  colour: "ink",
  ...place,
});

/**
 * Returns a text in the lower right corner of the plot and, below it, confidence limits in the population. If the
 * corner is taken, because the curve runs there, the texts are at the left edge.
 */
export function cornerWithLimits(text: string, limits: string | null, isTaken = false): Text[] {
  const [first, second] = isTaken
    ? [
        { ...AT_LEFT, dy: 14 },
        { ...AT_LEFT, dy: 31 },
      ]
    : [{ dy: -27 }, {}];
  if (limits === null) return [corner(text, isTaken ? first : {})];
  return [
    corner(text, first),
    corner(limits, { id: "corner-limits", bold: false, colour: SAMPLING_EDGES.colour, ...second }),
  ];
}

/** Below the name of the line of chance, which is in the way in a small plot. */
const AT_LEFT: Partial<Text> = { x: 0, y: 0.6, dx: 8, anchor: "start" };

export const dot = (id: string, x: number, y: number, size: number, look: Pen, fill = ""): Dot => ({
  kind: "dot",
  id,
  key: "",
  x,
  y,
  size,
  pen: look,
  fill,
  shape: "circle",
});

/**
 * Returns a line parallel to an axis, with caps at its ends. If an end is outside the axis, the line stops at the
 * axis's end without a cap.
 */
export function arm(
  id: string,
  ends: Pair<number>,
  at: number,
  look: Pen,
  [low, high]: Pair<number> = UNIT,
  isLevel = false,
): [Line, ...Dot[]] {
  const along = ends.map((end) => clamp(end, low, high));
  const points = isLevel ? pointsOf(along, [at, at]) : pointsOf([at, at], along);
  const caps = ends.flatMap((end, i): Dot[] => {
    if (end < low || end > high) return [];
    const [x, y] = isLevel ? [end, at] : [at, end];
    const cap = dot(`${id}-${i === 0 ? "lower" : "upper"}`, x, y, CAP, { ...look, dashes: [] });
    return [{ ...cap, shape: isLevel ? "upright" : "level" }];
  });
  return [line(id, "", points, look), ...caps];
}

/**
 * Returns an error bar from limit to limit. If a limit is missing, a dotted line leads to the end of the
 * axis. The first pen draws the bar, and the second pen draws the dotted line.
 */
export function limitArms(
  id: string,
  value: number,
  ends: Pair<number>,
  at: number,
  sides: Pair<boolean>,
  [solid, dotted]: Pair<Pen>,
  axis: Pair<number> = UNIT,
  isLevel = false,
): Mark[] {
  const hasAny = sides[0] || sides[1];
  const bar = (name: string, from: number, to: number, look: Pen) =>
    arm(name, [from, to], at, look, axis, isLevel);
  const [low, high] = ends.map((end, i) => (sides[i] ? end : value));
  const [line, ...caps] = bar(id, low, high, solid);
  const dots = hasAny ? dotted : UNLIMITED;
  const outer = (["lower", "upper"] as const).flatMap((side, i) =>
    sides[i]
      ? caps.filter((cap) => cap.id === `${id}-${side}`)
      : bar(`${id.replace("arm", "missing")}-${side}`, axis[i], value, dots).slice(0, 1),
  );
  return [...(hasAny ? [line] : []), ...outer];
}

/**
 * Returns the marks of the operating point: a dot, and its threshold as a text. If y is outside the axis, the dot is at
 * the axis's end.
 */
export function point(x: number, y: number, threshold: number, [low, high]: Pair<number> = UNIT): Mark[] {
  const at = clamp(y, low, high);
  const isLeft = x > 0.8;
  const isAbove = at - low <= 0.1 * (high - low);
  return [
    dot("point", x, at, 7, POINT, "ink"),
    {
      kind: "text",
      id: "point-text",
      text: words("corner.threshold", { threshold }),
      x,
      y: at,
      dx: isLeft ? -12 : 12,
      dy: isAbove ? -12 : 20,
      anchor: isLeft ? "end" : "start",
      bold: true,
      colour: "ink",
    },
  ];
}

const POINT = pen("paper", 2);

const COMPARATOR_DASHES: Record<string, readonly number[]> = comparator_dashes;

/** The pen of confidence limits of this classifier in the population, whatever their method. No other band has it. */
export const SAMPLING_EDGES: Pen = pen("comparator-bootstrap", 1, ...COMPARATOR_DASHES.bootstrap);
export const SAMPLING_ARMS: Pen = pen(SAMPLING_EDGES.colour, 2);

/** Returns the pen of a comparator. If the theme has none for its key, returns the one named "other". */
export function comparatorPen(key: string): Pen {
  const look = Object.hasOwn(COMPARATOR_DASHES, key) ? key : "other";
  return { colour: `comparator-${look}`, width: 1, dashes: COMPARATOR_DASHES[look] };
}
