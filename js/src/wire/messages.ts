// The messages between page and kernel about sliders and view, version 6. Its twin is conformal_roc_widget/wire/.

import {
  type Confusion,
  type Frame,
  type Json,
  KEPT_RATES,
  type PopulationWish,
  WEIGHTS,
  type Weights,
} from "../evaluation/types.ts";
import {
  attempt,
  flag,
  isRecord,
  json,
  level,
  listOf,
  number,
  oneOf,
  orNull,
  positive,
  type Result,
  text,
} from "./readers.ts";

export const BAND_KINDS = ["sensitivity", "specificity", "both", "ideal", "sampling", "none"] as const;
export type BandKind = (typeof BAND_KINDS)[number];

export const VIEW_KINDS = ["roc", "precision_recall", "reliability", "net_benefit"] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

export interface State {
  alpha: number;
  threshold: number;
}

/** What the reader has chosen of the page alone. */
export interface Page {
  /** Keys of the bands that are off the plot. */
  hidden: string[];
  /** Whether an ideal recalibration is drawn as an arc, in place of the band at fixed thresholds. */
  arc: boolean;
  /** Several classifiers are cut where they are equally sensitive, in place of at the same threshold. */
  alike: boolean;
  /** The comparator whose band is for this classifier with more test data; empty for the first. */
  sampling: string;
  /** The rate that a threshold is to keep in the population, and how much of it; empty where there is no wish. */
  wish: PopulationWish["rate"] | "";
  least: number;
}

export const PAGE: Page = { hidden: [], arc: true, alike: false, sampling: "", wish: "", least: 0.9 };

export interface View {
  band: BandKind;
  /** The entry looked at, by its label; null for all of them. */
  label: Json;
  weights: Weights;
  view: ViewKind;
  /** Share of the positive class where the classifier is used; null for the test set's own. */
  prevalence: number | null;
  /** Cost of a miss in false alarms; null where none is set. */
  cost_ratio: number | null;
  /** What the limits are promised for; null where the evaluations differ in it. */
  guarantee: string | null;
  page: Page;
  /** The time by which an event counts: of several horizons the one looked at; null where outcomes have no time. */
  horizon: number | null;
  /** The upper left corner of a ROC curve, in the place of the whole square. */
  zoom: boolean;
}

export const VIEW = [
  "band",
  "label",
  "weights",
  "view",
  "prevalence",
  "cost_ratio",
  "guarantee",
  "page",
  "horizon",
  "zoom",
] as const satisfies (keyof View)[];

export interface Traits extends State, View {}

/** Values for the kernel to set: those that the reader has changed. */
export type Wish = Partial<Traits>;

/** One answer of the kernel: a frame for each entry of the group. */
export interface Answer extends State {
  client: string;
  seq: number;
  frames: Frame[];
}

/** A request of the page, which recognises the answer by `client` and `seq`. It says what has changed since the answer `since`. */
export interface Request extends Wish {
  type: "state";
  client: string;
  seq: number;
  since: number;
}

/** A cell of the confusion table whose rows the kernel is to select. */
export interface Selection {
  type: "select";
  cell: keyof Confusion;
  threshold: number;
}

export function decodeTraits(raw: Record<keyof Traits, unknown>): Result<Traits> {
  return attempt(() => ({
    ...stateOf(raw.alpha, raw.threshold),
    band: oneOf(BAND_KINDS)(raw.band, "band"),
    label: json(raw.label, "label"),
    weights: oneOf(WEIGHTS)(raw.weights, "weights"),
    view: oneOf(VIEW_KINDS)(raw.view, "view"),
    prevalence: orNull(level)(raw.prevalence, "prevalence"),
    cost_ratio: orNull(positive)(raw.cost_ratio, "cost_ratio"),
    guarantee: orNull(text)(raw.guarantee, "guarantee"),
    page: pageOf(raw.page),
    horizon: orNull(positive)(raw.horizon, "horizon"),
    zoom: flag(raw.zoom, "zoom"),
  }));
}

/** A choice that is not there, as in an older file, is the first one. */
function pageOf(raw: unknown): Page {
  if (!isRecord(raw)) return PAGE;
  const { hidden, arc, alike, sampling, wish, least } = { ...PAGE, ...raw };
  return {
    hidden: listOf(text)(hidden, "hidden"),
    arc: arc !== false,
    alike: alike === true,
    sampling: text(sampling, "sampling"),
    wish: oneOf(["", ...KEPT_RATES])(wish, "wish"),
    least: number(least, "least"),
  };
}

/** The failure in a custom message of the kernel; null for a message of another kind. */
export function decodeFailure(raw: unknown) {
  if (!isRecord(raw) || raw.type !== "error") return null;
  const { client, seq, message } = raw;
  if (typeof client !== "string" || typeof seq !== "number" || typeof message !== "string") return null;
  return { client, seq, message };
}

/** Why code of the user's that follows the traits has failed; null for a message of another kind. */
export function decodeObserver(raw: unknown): string | null {
  return isRecord(raw) && raw.type === "observer" && typeof raw.message === "string" ? raw.message : null;
}

export function encodeRequest(client: string, seq: number, since: number, wish: Wish): Request {
  return { type: "state", client, seq, since, ...wish };
}

export function stateOf(alpha: unknown, threshold: unknown): State {
  return { alpha: level(alpha, "alpha"), threshold: number(threshold, "threshold") };
}
