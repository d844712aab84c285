// Declares all controls, each with the function that reads its value and with its default. In Python:
// conformal_roc_widget/shown/controls.py. A test checks that names and defaults agree.

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

/** The views and their names, in the order of the menu. */
export const VIEW_NAMES = {
  roc: words("view.roc"),
  precision_recall: words("view.precision_recall"),
  reliability: words("view.reliability"),
  net_benefit: words("view.net_benefit"),
};
export type ViewKind = keyof typeof VIEW_NAMES;
export const VIEW_KINDS = Object.keys(VIEW_NAMES) as ViewKind[];

/** The choices of the user that Python does not know. */
export interface Page {
  /** Keys of the bands that the user has hidden. */
  hidden: string[];
  /**
   * Whether an ideal recalibration is drawn as an arc instead of a band at fixed thresholds. An ideal
   * recalibration replaces each score by P(y = 1 | score).
   */
  arc: boolean;
  /**
   * Whether the operating points of several classifiers have equal sensitivity. Otherwise they have one common
   * threshold.
   */
  alike: boolean;
  /**
   * Key of the comparator whose band is shown for this classifier in the population. If the key is empty, the
   * first comparator is shown.
   */
  sampling: string;
  /**
   * False if the user is to guess the limits from the curve first. The page then gets no limits until Python reveals
   * them.
   */
  reveal: boolean;
}

export const PAGE: Page = { hidden: [], arc: true, alike: false, sampling: "", reveal: true };

interface Control<T> {
  read: Read<T>;
  first: T;
  /** Whether older files lack this control. It then has its default. */
  isLater: boolean;
  /** Whether null is a value of its own. If not, null stands for the default. */
  isEmptied?: boolean;
}

/** A rate and its smallest accepted value, such as {"sensitivity": 0.9}. */
export type Goal = { readonly [Rate in GoalRate]?: number };
export const FIRST_GOAL: Goal = { sensitivity: 0.9 };

const control = <T>(read: Read<T>, first: T): Control<T> => ({ read, first, isLater: false });
const later = <T>(read: Read<T>, first: T): Control<T> => ({ read, first, isLater: true });

const CONTROLS = {
  alpha: control<number>(level, 0.05),
  threshold: control<number>(number, 0.5),
  band: control<BandKind>(oneOf(BAND_KINDS), "sensitivity"),
  /** The name of the shown evaluation. Null if all are shown together. */
  label: control<Json>(json, null),
  weights: control<Weights>(oneOf(WEIGHTS), "size"),
  /** The view of one evaluation. If several are shown together, it is always the ROC curve. */
  view: later<ViewKind>(oneOf(VIEW_KINDS), "roc"),
  /** The prevalence where the classifier will be used. Null for that of the test set. */
  prevalence: later<number | null>(orNull(level), null),
  /** The cost of a miss divided by the cost of a false positive. Null if none is set. */
  cost_ratio: later<number | null>(orNull(positive), null),
  /** The kind of guarantee of the limits. Null if the evaluations have different ones. */
  guarantee: later<string | null>(orNull(text), null),
  page: later<Page>(pageOf, PAGE),
  /** The time by which an event must happen to count. Null if outcomes have no time. */
  horizon: later<number | null>(orNull(positive), null),
  /** Whether only the upper left corner of a ROC plot is shown. */
  zoom: later<boolean>(flag, false),
  /** The goal: a rate and its smallest accepted value. Null if the user wants no goal. */
  goal: { ...later<Goal | null>(orNull(goalOf), FIRST_GOAL), isEmptied: true },
  /** What the sentences call the rows, in the plural, such as "patients". */
  noun: later<string>(text, "rows"),
  /** Whether this classifier's limits hold at one look ("once") or together at every look at growing data ("any"). */
  looks: later<Looks>(oneOf(LOOKS), "once"),
};

/** The values of all controls. */
export type Controls = { [Name in keyof typeof CONTROLS]: (typeof CONTROLS)[Name]["first"] };
export type ControlName = keyof Controls;
/** The values of the two sliders. */
export type State = Pick<Controls, "alpha" | "threshold">;
/** The values of all controls except the sliders. */
export type View = Omit<Controls, keyof State>;

/** Returns a record with one value for each control. `value` computes it from the control's name and declaration. */
const each = (value: (name: ControlName, control: Control<unknown>) => unknown) =>
  Object.fromEntries(
    Object.entries(CONTROLS).map(([name, declared]) => [
      name,
      value(name as ControlName, declared as Control<unknown>),
    ]),
  ) as unknown as Controls;

/** The defaults of all controls. */
export const FIRST = each((_, { first }) => first);

/**
 * Returns the value of every control, unchecked. `get` returns a value by its name. Older files lack some controls. If
 * one of these is missing, it has its default.
 */
export const controlsOf = (get: (name: ControlName) => unknown) =>
  each((name, { first, isLater, isEmptied }) => {
    const value = get(name);
    const isMissing = value === undefined || (value === null && !isEmptied);
    return isLater && isMissing ? first : value;
  });

export const decodeControls = (raw: Record<ControlName, unknown>): Result<Controls> =>
  attempt(() => each((name, { read }) => read(raw[name], name)));

/** Reads the choices that only the page has. A missing choice, as in older files, has its default. */
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
