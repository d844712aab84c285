// Shows a slider for the number of test rows, the limits at that number, and the number that the goal needs.

import { html as element } from "../../base/dom.ts";
import { areaText, count, counted, share } from "../../base/format.ts";
import type { Pair } from "../../base/pair.ts";
import { html, nothing, render, svg, unbroken } from "../../base/template.ts";
import type { MoreRows } from "../../evaluation/more_rows.ts";
import { goalOf } from "../../shown/goal.ts";
import type { Component, Picture } from "../../shown/picture.ts";
import { enoughText, isAtGoal, limitsThen, moreRowsOf } from "../../words/answers.ts";

/** The slider goes in steps of 1/8 of a doubling, from the present number of rows to 64 times that number. */
const [STEPS, DOUBLING] = [48, 8];
const FIRST = 2 * DOUBLING;
const [WIDTH, HEIGHT] = [320, 96];

export function createMoreRows(): Component {
  const root = element("div", { class: "crw-more-rows" });
  let step = FIRST;
  let shown: Picture | null = null;

  function set(event: Event) {
    step = (event.target as HTMLInputElement).valueAsNumber;
    if (shown) draw(shown);
  }

  function draw(picture: Picture) {
    shown = picture;
    const found = moreRowsOf(picture, rowsAt(picture, step));
    if (found === null) return;
    const { rows } = found;
    const area = found.area && areaText(found.area);
    const text = counted(rows, picture.noun);
    render(
      html`<label class="crw-row">
          <span>${picture.noun} in all</span>
          <input type="range" min="0" max=${STEPS} .value=${String(step)} aria-valuetext=${text} data-testid="more-rows"
            @input=${set} @keydown=${(event: Event) => event.stopPropagation()}>
          <b>${count(rows)}</b>
        </label>
        ${bands(picture)}
        <p>${unbroken(`With ${text}, ${limitsThen(picture, found)}`)}${
          area && found.area ? `, AUC about ${found.area.map(area).join(" to ")}` : ""
        }.</p>
        <p>${unbroken(enoughText(picture))}</p>
        <p class="crw-small crw-text-muted">If the rates of these ${picture.noun} stay as they are; new ${picture.noun} move them, mostly within the limits of today.</p>`,
      root,
    );
  }

  /** Draws the limits against the number of rows, with the goal and the chosen number. */
  function bands(picture: Picture) {
    const places = Array.from({ length: STEPS / 2 + 1 }, (_, i) => 2 * i);
    const every = places.map((at) => moreRowsOf(picture, rowsAt(picture, at)));
    if (every.some((each) => each === null)) return nothing;
    const known = every as MoreRows[];
    const isLeast = isAtGoal(picture);
    const rates = known.map(({ limits, least }): Pair<number> => (isLeast ? [least, 1] : limits));
    const areas = known.flatMap(({ area }) => (area ? [area] : []));
    const goal = goalOf(picture)?.least;
    const ends = [...rates.flat(), ...areas.flat(), goal ?? 1];
    const low = Math.min(...ends);
    const y = (value: number) => HEIGHT - 6 - ((HEIGHT - 12) * (value - low)) / Math.max(1 - low, 1e-9);
    const x = (at: number) => (WIDTH * at) / STEPS;
    const path = (limits: Pair<number>[]) => {
      const side = (k: 0 | 1) => limits.map((each, i) => `${x(places[i])} ${y(each[k])}`);
      return `M${[...side(0), ...side(1).reverse()].join("L")}Z`;
    };
    const here = x(step);
    return svg`<svg class="crw-more-rows-plot" viewBox="0 0 ${WIDTH + 60} ${HEIGHT + 14}" aria-hidden="true">
      <path class="crw-more-rows-rate" d=${path(rates)}></path>
      ${areas.length === places.length ? svg`<path class="crw-more-rows-area" d=${path(areas)}></path>` : nothing}
      ${goal === undefined ? nothing : svg`<path class="crw-more-rows-goal" d="M0 ${y(goal)}H${WIDTH}"></path>`}
      <path class="crw-more-rows-here" d="M${here} 0V${HEIGHT}"></path>
      ${named(y(last(rates)), known[0].rate, "crw-more-rows-of-rate")}
      ${areas.length > 0 ? named(y(last(areas)), "AUC", "") : nothing}
      ${goal === undefined ? nothing : svg`<text x="2" y=${y(goal) - 3}>goal ${unbroken(share(goal))}</text>`}
      <text x="2" y=${HEIGHT + 10}>${count(known[0].rows)}</text>
      <text x=${WIDTH} y=${HEIGHT + 10} text-anchor="end">${counted(known[known.length - 1].rows, picture.noun)}</text>
    </svg>`;
  }

  return { element: root, draw };
}

/** Returns the middle between the limits at the largest number of rows. */
const last = (limits: Pair<number>[]) => (limits[limits.length - 1][0] + limits[limits.length - 1][1]) / 2;

/** Returns a text with the name of a band, at the band's right end. */
const named = (y: number, text: string, look: string) =>
  svg`<text class=${look} x=${WIDTH + 3} y=${y + 3}>${text}</text>`;

/**
 * Returns the number of rows at a step of the slider, rounded to two digits. At the first step it is the present
 * number.
 */
function rowsAt({ evaluation: { nRows } }: Picture, step: number): number {
  const rows = (nRows[0] + nRows[1]) * 2 ** (step / DOUBLING);
  if (step % DOUBLING === 0) return Math.round(rows);
  return Number(rows.toPrecision(2));
}
