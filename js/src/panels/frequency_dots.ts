// Cases as dots, by their outcome: found, missed, false alarm, rightly left out.

import { decoration, html, setAttributes, setText, svg } from "../base/dom.ts";
import { count, shortName } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Confusion } from "../evaluation/types.ts";

const [COLUMNS, ROWS, STEP] = [50, 20, 8];

const GROUPS = [
  { cell: "tp", label: 1, opacity: 1, fate: "called" },
  { cell: "fn", label: 1, opacity: 0.42, fate: "missed" },
  { cell: "fp", label: 0, opacity: 1, fate: "called" },
  { cell: "tn", label: 0, opacity: 0.27, fate: "left alone" },
] as const;

/** 1,000 cases as dots, down the columns, and how many there are of each kind. */
export function createFrequencyDots() {
  const inks = ({ label, opacity }: (typeof GROUPS)[number]) => ({
    class: `crw-dots crw-label${label}`,
    "stroke-opacity": opacity,
  });
  const paths = GROUPS.map((group) => svg("path", inks(group)));
  const texts = GROUPS.map(() => html("span"));
  const amounts = GROUPS.map(() => html("b"));
  const sample = (group: (typeof GROUPS)[number]) =>
    decoration({ width: STEP, height: STEP }, svg("path", { ...inks(group), d: "M4 4h0" }));
  return {
    element: html(
      "div",
      { class: "crw-frequencies", "data-testid": "frequencies" },
      decoration({ viewBox: `0 0 ${COLUMNS * STEP} ${ROWS * STEP}` }, ...paths),
      html("ul", {}, ...GROUPS.map((group, i) => html("li", {}, sample(group), amounts[i], " ", texts[i]))),
    ),
    draw(of: Confusion, names: Pair<string>) {
      let first = 0;
      GROUPS.forEach(({ cell, label, fate }, i) => {
        const dots = Array.from({ length: of[cell] }, (_, k) => first + k);
        first += of[cell];
        const d = dots.map((k) => `M${STEP * (Math.floor(k / ROWS) + 0.5)} ${STEP * ((k % ROWS) + 0.5)}h0`);
        setAttributes(paths[i], { d: d.join("") });
        setText(amounts[i], count(of[cell]));
        setText(texts[i], `${shortName(names[label])}, ${fate}`);
      });
    },
  };
}
