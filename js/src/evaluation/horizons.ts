// Times by which an event counts: one of them is looked at.

import type { Followed, Group } from "./types.ts";

/** Whether one evaluation is shown as if there were no others: a single one, or that of one horizon. */
export const isOneAtATime = ({ kind }: Pick<Group, "kind">) => kind === "single" || kind === "horizons";

/** Whether there are several times to choose from. */
export const hasTimes = ({ kind, entries }: Pick<Group, "kind" | "entries">) =>
  kind === "horizons" && entries.length > 1;

/** "730 days", "1 year" */
export const horizonText = ({ horizon, unit }: Pick<Followed, "horizon" | "unit">) =>
  `${numberText(horizon)} ${unitAt(horizon, unit)}`.trim();

/** The unit beside a time, in the singular at 1: "1 year", "2 years". */
export const unitAt = (horizon: number, unit: string) =>
  horizon === 1 && unit.endsWith("s") && unit.length > 2 ? unit.slice(0, -1) : unit;

/** A time with commas and all its digits. */
export const numberText = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 12 });
