// The controls, each declared once: how its value is read, and where it stands at first. Their twin is
// conformal_roc_widget/shown/controls.py, whose names and first values a test holds equal to these.

import { words } from "../base/words.ts";
import { LOOKS, type Looks } from "../evaluation/looks.ts";
import { GOAL_RATES, type GoalRate, type Json, WEIGHTS, type Weights } from "../evaluation/types.ts";
import {
  attempt,
  flag,
  isRecord,
  json,
  level,
  listOf,
  misfit,
  number,
  oneOf,
  orNull,
  positive,
  type Read,
  type Result,
  record,
  text,
} from "./readers.ts";

export const BAND_KINDS = ["sensitivity", "specificity", "both", "ideal", "sampling", "none"] as const;
export type BandKind = (typeof BAND_KINDS)[number];

/** The views in the order in which they are chosen, and what they are called. */
export const VIEW_NAMES = {
  roc: words("view.roc"),
  precision_recall: words("view.precision_recall"),
  reliability: words("view.reliability"),
  net_benefit: words("view.net_benefit"),
};
export type ViewKind = keyof typeof VIEW_NAMES;
export const VIEW_KINDS = Object.keys(VIEW_NAMES) as ViewKind[];

/** The reader's choices that only the page has. */
export interface Page {
  /** Keys of the bands that are off the plot. */
  hidden: string[];
  /** Whether an ideal recalibration is drawn as an arc, in place of the band at fixed thresholds. */
  arc: boolean;
  /** Whether several classifiers have their points at the same sensitivity; if not, at the same threshold. */
  alike: boolean;
  /** The comparator whose band is for this classifier with more test data; empty for the first. */
  sampling: string;
  /** False for a curve to guess from, whose limits the page is not sent: Python alone reveals them. */
  reveal: boolean;
}

export const PAGE: Page = { hidden: [], arc: true, alike: false, sampling: "", reveal: true };

interface Control<T> {
  read: Read<T>;
  first: T;
  /** Whether a file may be older than this control, which then has its first value. */
  isLater: boolean;
  /** Whether null is a value unlike the first one. */
  isEmptied?: boolean;
}

/** The goal: one rate and the least of it that is enough, as in {"sensitivity": 0.9}. */
export type Goal = { readonly [Rate in GoalRate]?: number };
export const FIRST_GOAL: Goal = { sensitivity: 0.9 };

const control = <T>(read: Read<T>, first: T): Control<T> => ({ read, first, isLater: false });
const later = <T>(read: Read<T>, first: T): Control<T> => ({ read, first, isLater: true });

const CONTROLS = {
  alpha: control<number>(level, 0.05),
  threshold: control<number>(number, 0.5),
  band: control<BandKind>(oneOf(BAND_KINDS), "sensitivity"),
  /** The label of the entry that is shown; null for all together. */
  label: control<Json>(json, null),
  weights: control<Weights>(oneOf(WEIGHTS), "size"),
  /** The view of one entry; of several together it is the ROC. */
  view: later<ViewKind>(oneOf(VIEW_KINDS), "roc"),
  /** Prevalence where the classifier is used; null for the test set's own. */
  prevalence: later<number | null>(orNull(level), null),
  /** Cost of a miss in false alarms; null if none is set. */
  cost_ratio: later<number | null>(orNull(positive), null),
  /** What the limits are promised for; null if the evaluations differ in it. */
  guarantee: later<string | null>(orNull(text), null),
  /** The reader's choices that only the page has. */
  page: later<Page>(pageOf, PAGE),
  /** The time by which an event counts: of several horizons the one looked at; null if outcomes have no time. */
  horizon: later<number | null>(orNull(positive), null),
  /** The upper left corner of a ROC curve, in the place of the whole square. */
  zoom: later<boolean>(flag, false),
  /** Null where the reader wants no goal. */
  goal: { ...later<Goal | null>(orNull(goalOf), FIRST_GOAL), isEmptied: true },
  /** What the rows are called, in the plural. */
  noun: later<string>(text, "rows"),
  /** Whether this classifier's limits hold at one look, or together at any as rows arrive. */
  looks: later<Looks>(oneOf(LOOKS), "once"),
};

/** The values of all controls. */
export type Controls = { [Name in keyof typeof CONTROLS]: (typeof CONTROLS)[Name]["first"] };
export type ControlName = keyof Controls;
/** The two sliders. */
export type State = Pick<Controls, "alpha" | "threshold">;
/** All controls but the sliders. */
export type View = Omit<Controls, keyof State>;

/** A value for each control, from its declaration. */
const each = (value: (name: ControlName, control: Control<unknown>) => unknown) =>
  Object.fromEntries(
    Object.entries(CONTROLS).map(([name, declared]) => [
      name,
      value(name as ControlName, declared as Control<unknown>),
    ]),
  ) as unknown as Controls;

/** Where all controls stand in a widget of which nothing was set. */
export const FIRST = each((_, { first }) => first);

/** The values that a record has, not looked into. */
export const controlsOf = (get: (name: ControlName) => unknown) =>
  each((name, { first, isLater, isEmptied }) => {
    const value = get(name);
    const isMissing = value === undefined || (value === null && !isEmptied);
    return isLater && isMissing ? first : value;
  });

export const decodeControls = (raw: Record<ControlName, unknown>): Result<Controls> =>
  attempt(() => each((name, { read }) => read(raw[name], name)));

/** The choices of the page; one that is missing, as in an older file, has its first value. */
function pageOf(raw: unknown): Page {
  if (!isRecord(raw)) return PAGE;
  const { hidden, arc, alike, sampling, reveal } = { ...PAGE, ...raw };
  return {
    hidden: listOf(text)(hidden, "hidden"),
    arc: arc !== false,
    alike: alike === true,
    sampling: text(sampling, "sampling"),
    reveal: reveal !== false,
  };
}

const isShare = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 1;

function goalOf(raw: unknown, name: string): Goal {
  const [[rate, least] = ["", null], ...others] = Object.entries(record(raw, name));
  if (others.length > 0 || !isShare(least)) misfit(name, "is not one rate and a share");
  return { [oneOf(GOAL_RATES)(rate, name)]: least };
}

export function stateOf(alpha: unknown, threshold: unknown): State {
  return { alpha: level(alpha, "alpha"), threshold: number(threshold, "threshold") };
}
