// Shows the number of undecided test points at the threshold, and the figures of the decided ones.

import { html as element, setVisible, uniqueId } from "../base/dom.ts";
import { count, percent, rate, shortName } from "../base/format.ts";
import { html, render, unbroken } from "../base/template.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { type Confusion, LABELS } from "../evaluation/types.ts";
import { hasOwnIntervals, leftOver, undecidedOf } from "../evaluation/undecided.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { className } from "../words/one_evaluation.ts";
import { isOverview } from "./panel.ts";

/**
 * Makes the fold of the undecided rows: for each label, how many test points have an interval that contains the
 * threshold, and the figures of all other points.
 */
export function createUndecided(changed: () => void): Component {
  const details = element("details", { class: "crw-use", "data-testid": "undecided" });
  let isReferred = false;
  const id = uniqueId("crw-refer");
  const refer = (event: Event) => {
    isReferred = (event.target as HTMLInputElement).checked;
    changed();
  };
  return {
    element: details,
    draw(picture) {
      const isShown = !isOverview(picture) && picture.ideal === null && hasOwnIntervals(picture.frame);
      setVisible(details, isShown);
      if (isShown) render(undecided(picture, id, isReferred, refer), details);
    },
  };
}

function undecided(
  { evaluation, frame, wanted }: Picture,
  id: string,
  isReferred: boolean,
  refer: (event: Event) => void,
) {
  const point = operatingPointAt(evaluation, frame, wanted.threshold);
  const found = undecidedOf(evaluation, point);
  const rest = leftOver(evaluation, frame, wanted.threshold, point);
  const rows = LABELS.map((label) => {
    const name = className(label, evaluation.classes);
    const all = evaluation.nTest[label] * evaluation.unit;
    return { label, name, some: found[label], all, share: all > 0 ? (100 * found[label]) / all : 0 };
  });
  const shares = rows.map(({ name, share }) => `${share.toFixed(0)} % of ${shortName(name)}`);
  return html`
    <summary>${unbroken(`Undecided at ${percent(1 - frame.alpha)}: ${shares.join(", ")}`)}</summary>
    <table aria-label="Undecided test points"><tbody>${rows.map(
      ({ label, name, some, all, share }) => html`<tr>
        <th scope="row"><b class="crw-text-label${label}" title=${name}>${shortName(name)}</b></th>
        <td><span class="crw-undecided-bar" aria-hidden="true">
          <span class="crw-undecided-filled crw-label${label}" .style=${`width: ${share}%`}></span>
        </span></td>
        <td><b>${unbroken(`${share.toFixed(0)} %`)}</b> <span class="crw-text-muted">${count(some)} of ${count(all)}</span></td>
      </tr>`,
    )}</tbody></table>
    <p class="crw-refer crw-use-row crw-row" ?hidden=${rest === null}>
      <input type="checkbox" id=${id} data-testid="refer" @change=${refer}>
      <label for=${id}>Refer the undecided</label>
      <span class="crw-text-muted" data-testid="left">${
        rest && isReferred ? leftWords(rest) : "their interval crosses the threshold"
      }</span>
    </p>`;
}

/**
 * Returns the figures of the decided rows, as if the undecided rows were referred to a person. In use, no
 * label is known. So a row counts as decided only if the intervals of both labels decide it.
 */
function leftWords({ tp, fn, fp, tn }: Confusion): string {
  const share = (some: number, all: number) => (all > 0 ? rate(some / all) : "undefined");
  const counts = `${count(tp)} TP, ${count(fn)} FN, ${count(fp)} FP, ${count(tn)} TN`;
  return (
    `leaves ${count(tp + fn + fp + tn)} (${counts}): sensitivity ${share(tp, tp + fn)}, ` +
    `specificity ${share(tn, fp + tn)}; without labels, referral takes both intervals`
  );
}
