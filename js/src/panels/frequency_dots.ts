// Draws cases as dots in four groups: found, missed, false alarm, correctly left out.

import { count, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { html, svg, unbroken } from "../base/template.ts";
import type { Confusion } from "../evaluation/types.ts";

const [COLUMNS, ROWS, STEP] = [50, 20, 8];

const GROUPS = [
  { cell: "tp", label: 1, opacity: 1, fate: "called" },
  { cell: "fn", label: 1, opacity: 0.42, fate: "missed" },
  { cell: "fp", label: 0, opacity: 1, fate: "called" },
  { cell: "tn", label: 0, opacity: 0.27, fate: "left alone" },
] as const;

/** Draws 1,000 cases as dots, filled down the columns, and the number of each kind. */
export function frequencyDots(of: Confusion, names: Pair<string>) {
  let first = 0;
  const path = ({ label, opacity }: (typeof GROUPS)[number], d: string) =>
    svg`<path class="crw-dots crw-label${label}" stroke-opacity=${opacity} d=${d}></path>`;
  const dots = GROUPS.map((group) => {
    const start = first;
    first += of[group.cell];
    const cases = Array.from({ length: of[group.cell] }, (_, i) => start + i);
    const place = (k: number) => `M${STEP * (Math.floor(k / ROWS) + 0.5)} ${STEP * ((k % ROWS) + 0.5)}h0`;
    return path(group, cases.map(place).join(""));
  });
  return html`<div class="crw-frequencies" data-testid="frequencies">
    <svg aria-hidden="true" viewBox="0 0 ${COLUMNS * STEP} ${ROWS * STEP}">${dots}</svg>
    <ul>${GROUPS.map(
      (group) => html`<li>
        <svg aria-hidden="true" width=${STEP} height=${STEP}>${path(group, "M4 4h0")}</svg>
        <b>${count(of[group.cell])}</b> <span>${unbroken(`${shortName(names[group.label])}, ${group.fate}`)}</span>
      </li>`,
    )}</ul>
  </div>`;
}
