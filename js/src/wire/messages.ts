// The messages between page and kernel about the controls. Its twin is conformal_roc_widget/wire/.

import type { Confusion, Frame } from "../evaluation/types.ts";
import type { Controls, State } from "./controls.ts";
import { isRecord } from "./readers.ts";

/** The controls that the reader has changed, for the kernel to set. */
export type Wish = Partial<Controls>;

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

/** A cell of the confusion table, or both that are wrong, whose rows the kernel is to select. */
export interface Selection {
  type: "select";
  cell: keyof Confusion | "wrong";
  threshold: number;
}

/** The failure in a custom message of the kernel; null for a message of another kind. */
export function decodeFailure(raw: unknown) {
  if (!isRecord(raw) || raw.type !== "error") return null;
  const { client, seq, message } = raw;
  if (typeof client !== "string" || typeof seq !== "number" || typeof message !== "string") return null;
  return { client, seq, message };
}

/** The error of the user's observer of a trait; null for a message of another kind. */
export function decodeObserver(raw: unknown): string | null {
  return isRecord(raw) && raw.type === "observer" && typeof raw.message === "string" ? raw.message : null;
}

export function encodeRequest(client: string, seq: number, since: number, wish: Wish): Request {
  return { type: "state", client, seq, since, ...wish };
}
