// Pens, and marks that several views have.

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
/** Pens of the bands' edges and of arms, by label. */
export const LIMITS = byLabel((k) => pen(`label${k}`, 1, ...edge_dashes[k]));
export const ARMS = byLabel((k) => pen(`label${k}`, 2, ...edge_dashes[k]));
export const MISSING = byLabel((k) => pen(`label${k}`, 2, ...dashes.missing));
const UNLIMITED = pen("ink", 2, ...dashes.unlimited);
/** Pen of the hatch where there is no limit. */
export const NO_LIMITS = pen("axis");
/** Pen of a range that joins both labels, and so has the colour of neither. */
const RANGE = pen("axis");
export const RANGE_ARM = pen("muted", 2);
export const RANGE_ARMS: Pair<Pen> = [RANGE_ARM, pen("muted", 2, ...dashes.missing)];
const RANGE_STRENGTH = 0.5;
/** Pen of the line across the plot at the threshold. */
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

/** The observed curve. */
export const curve = (points: Points, key = words("key.classifier")): Line =>
  line("curve", key, points, CURVE);

/** The line without a classifier: chance, or calling every row positive. */
export const baseline = (points: Points, key: string): Line => line("baseline", key, points, BASELINE);

/** A band between limits, filled with the colour of its edges unless another is given. */
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

/** A range that joins both labels, and which of its edges are limits. */
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

/** Words after a rate's name in the key: which of its limits are missing; empty if none. */
export function missingLimits([low, high]: Pair<boolean>): string {
  if (low && high) return "";
  return words(low ? "key.no_upper" : high ? "key.no_lower" : "key.no_limits");
}

/** The line where something is read on the axis across. */
export const cut = (at: number): Line => line("cut", "", pointsOf([at, at], UNIT), CUT);

/** Text at the lower right. */
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

/** The same, and below it the limits that it has with more test data. */
export const cornerWithLimits = (text: string, limits: string | null): Text[] =>
  limits === null
    ? [corner(text)]
    : [
        corner(text, { dy: -27 }),
        corner(limits, { id: "corner-limits", bold: false, colour: SAMPLING_EDGES.colour }),
      ];

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

/** Straight line through a point, no further than the axis; an end beyond it has no cap. */
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

/** Error bar from limit to limit; if a limit is missing, dots from the value to the end of the axis. Pens: the bar's, then the dots'. */
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

/** The operating point, which stays on the axes, with its threshold beside it. */
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

/** Pen of the first question's band, whichever method makes it; no other band has this pen. */
export const SAMPLING_EDGES: Pen = pen("comparator-bootstrap", 1, ...COMPARATOR_DASHES.bootstrap);
export const SAMPLING_ARMS: Pen = pen(SAMPLING_EDGES.colour, 2);

/** Colour and dashes of a comparator, by its key; one without an entry has those of "other". */
export function comparatorPen(key: string): Pen {
  const look = Object.hasOwn(COMPARATOR_DASHES, key) ? key : "other";
  return { colour: `comparator-${look}`, width: 1, dashes: COMPARATOR_DASHES[look] };
}
