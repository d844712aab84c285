// The messages between page and kernel about sliders and view, version 2. Its twin is conformal_roc_widget/wire/.

import { type Confusion, type Frame, type Json, WEIGHTS, type Weights } from "../evaluation/types.ts";
import { attempt, isRecord, json, level, number, oneOf, orNull, positive, type Result } from "./readers.ts";

export const BAND_KINDS = ["sensitivity", "specificity", "both", "ideal"] as const;
export type BandKind = (typeof BAND_KINDS)[number];

export const VIEW_KINDS = ["roc", "precision_recall", "reliability", "net_benefit"] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

export interface State {
  alpha: number;
  threshold: number;
}

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
}

export const VIEW = [
  "band",
  "label",
  "weights",
  "view",
  "prevalence",
  "cost_ratio",
] as const satisfies (keyof View)[];

export interface Traits extends State, View {}

/** The values for the kernel to set: the sliders, and the reader's choices. */
export type Wish = State & Partial<View>;

/** One answer of the kernel: a frame for each entry of the group. */
export interface Answer extends State {
  client: string;
  seq: number;
  frames: Frame[];
}

/** A request of the page, which recognises the answer by `client` and `seq`. */
export interface Request extends Wish {
  type: "state";
  client: string;
  seq: number;
}

/** A cell of the confusion table whose rows the kernel is to select. */
export interface Selection {
  type: "select";
  cell: keyof Confusion;
  threshold: number;
}

export interface Failure {
  client: string;
  seq: number;
  message: string;
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
  }));
}

/** The failure in a custom message of the kernel; null for a message of another kind. */
export function decodeFailure(raw: unknown): Failure | null {
  if (!isRecord(raw) || raw.type !== "error") return null;
  const { client, seq, message } = raw;
  if (typeof client !== "string" || typeof seq !== "number" || typeof message !== "string") return null;
  return { client, seq, message };
}

export function encodeRequest(client: string, seq: number, wish: Wish): Request {
  return { type: "state", client, seq, ...wish };
}

export function stateOf(alpha: unknown, threshold: unknown): State {
  return { alpha: level(alpha, "alpha"), threshold: number(threshold, "threshold") };
}
