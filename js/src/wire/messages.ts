// Declares the messages that page and kernel exchange about the controls. In Python: conformal_roc_widget/wire/.

import type { Confusion, Frame } from "../evaluation/types.ts";
import type { Controls, State } from "./controls.ts";
import { isRecord } from "./readers.ts";

/** The controls that the user has changed. The kernel is to set them. */
export type Wish = Partial<Controls>;

/** An answer of the kernel, with a frame for each evaluation of the group. */
export interface Answer extends State {
  client: string;
  seq: number;
  frames: Frame[];
}

/**
 * A request of the page with the changes that the user has made since the answer number `since`. The answer to it
 * repeats `client` and `seq`.
 */
export interface Request extends Wish {
  type: "state";
  client: string;
  seq: number;
  since: number;
}

/** Asks the kernel to select the rows of a cell of the confusion matrix, or of both cells with wrong predictions. */
export interface Selection {
  type: "select";
  cell: keyof Confusion | "wrong";
  threshold: number;
}

/** Reads why a request failed from a custom message of the kernel. Null for other messages. */
export function decodeFailure(raw: unknown) {
  if (!isRecord(raw) || raw.type !== "error") return null;
  const { client, seq, message } = raw;
  if (typeof client !== "string" || typeof seq !== "number" || typeof message !== "string") return null;
  return { client, seq, message };
}

/** Reads the error in code of the user that observes a trait. Null for other messages. */
export function decodeObserver(raw: unknown): string | null {
  return isRecord(raw) && raw.type === "observer" && typeof raw.message === "string" ? raw.message : null;
}

export function encodeRequest(client: string, seq: number, since: number, wish: Wish): Request {
  return { type: "state", client, seq, since, ...wish };
}
