// Handles horizons. An event counts if it happens by the horizon. If there are several horizons, one is shown
// at a time.

import type { Followed, Group } from "./types.ts";

/** Whether one evaluation is shown at a time: there is only one, or one for each horizon. */
export const isOneAtATime = ({ kind }: Pick<Group, "kind">) => kind === "single" || kind === "horizons";

export const hasTimes = ({ kind, entries }: Pick<Group, "kind" | "entries">) =>
  kind === "horizons" && entries.length > 1;

/** Writes a horizon with its unit, such as "730 days" or "1 year". */
export const horizonText = ({ horizon, unit }: Pick<Followed, "horizon" | "unit">) =>
  `${numberText(horizon)} ${unitAt(horizon, unit)}`.trim();

/** Returns the unit of a time, in the singular if the time is 1: "1 year", "2 years". */
export const unitAt = (horizon: number, unit: string) =>
  horizon === 1 && unit.endsWith("s") && unit.length > 2 ? unit.slice(0, -1) : unit;

/** Writes a time with all its digits, and commas at the thousands. */
export const numberText = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 12 });
