import type { Group } from "../src/evaluation/types.ts";
import type { Picture } from "../src/shown/picture.ts";
import { FIRST } from "../src/wire/controls.ts";
import { NO_COMPARATORS } from "../src/wire/decode_comparators.ts";
import { decodeGroup } from "../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../src/wire/decode_frame.ts";
import { decoded, rawEvaluation, rawFrames, rawGroup } from "./sample.ts";

const AROUND = {
  ...FIRST,
  waiting: false,
  wanted: { alpha: 0.05, threshold: 0.5 },
  stops: null,
  source: "kernel" as const,
  isLost: false,
  problem: null,
  ideal: null,
  comparators: NO_COMPARATORS,
  picked: false,
  held: false,
  easing: false,
  asking: false,
  isReset: false,
  offered: { ideal: true, sampling: true, reliability: true },
} satisfies Partial<Picture>;

function picture(raw: unknown, n: number, frame: object): Omit<Picture, "shown"> {
  const group = decoded(decodeGroup(raw));
  const { frames } = decoded(decodeFrames(rawFrames(n, frame), group));
  return { ...AROUND, group, evaluation: group.entries[0], frame: frames[0], frames };
}

/** The picture of the sample evaluation. */
export function pictureOf(changes: Partial<Picture> = {}, evaluation: object = {}): Picture {
  return { ...picture(rawEvaluation(evaluation), 1, {}), shown: 0, ...changes };
}

/** The picture of several evaluations together, with these names. */
export function overviewPicture(kind: Group["kind"], ...names: string[]): Picture {
  return { ...picture({ ...rawGroup(...names), kind }, names.length, {}), shown: null };
}
