// Lists the scores of the wrongly predicted rows, and a line of Python that returns their positions. In a notebook it
// also selects these rows.

import { html as element } from "../../base/dom.ts";
import { count, counted, thresholdText } from "../../base/format.ts";
import { html, nothing, render } from "../../base/template.ts";
import { type Evaluation, LABELS, type Label } from "../../evaluation/types.ts";
import type { Component, Picture } from "../../shown/picture.ts";
import type { Controller } from "../../sync/controller.ts";
import { floatOf } from "../../words/python_line.ts";
import { calledName, rowsOf } from "../../words/rows.ts";

/** The largest number of scores that are listed for each label. */
const MOST = 60;

export function createWrongRows(controller: Controller): Component {
  const root = element("div", { class: "crw-wrong-rows" });
  let selected = "";
  return {
    element: root,
    draw(picture) {
      const { evaluation, source, wanted, noun } = picture;
      const hasRows = source !== "static" && evaluation.selectable;
      const key = `${evaluation.name} ${wanted.threshold}`;
      if (hasRows && !picture.held && selected !== key) {
        selected = key;
        controller.select("wrong");
      }
      const line = `rows = widget.evaluation.rows_of("wrong", ${floatOf(wanted.threshold)})`;
      render(
        html`${
          hasRows
            ? html`<p>They are in <code>widget.selected</code>, and this line has their positions in the test set:</p>
                <input class="crw-code crw-box" readonly aria-label="Line of Python" .value=${line}
                  @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
                  @keydown=${(event: Event) => event.stopPropagation()}>`
            : html`<p class="crw-text-muted">Which ${noun} they are, the author of this page can say: <code>${line}</code></p>`
        }
        ${LABELS.map((label) => listOf(picture, label))}`,
        root,
      );
    },
  };
}

function listOf(picture: Picture, label: Label) {
  const { evaluation, wanted } = picture;
  const scores = wrongScores(evaluation, label, wanted.threshold);
  if (scores.length === 0) return nothing;
  const text = scores.slice(0, MOST).map(thresholdText).join(", ");
  const rest = scores.length > MOST ? `, and ${count(scores.length - MOST)} more` : "";
  const what = `${label === 1 ? "not " : ""}called ${calledName(picture)}`;
  return html`<p><b>${counted(scores.length, rowsOf(picture, label))}, ${what}.</b> Scores: ${text}${rest}.</p>`;
}

/** Returns the scores of a label's wrongly predicted rows, in ascending order of the distance from the threshold. */
export function wrongScores(evaluation: Evaluation, label: Label, threshold: number): number[] {
  const { thresholds, called, truePositives, falsePositives } = evaluation;
  const { tp, fp } = called ?? { tp: truePositives, fp: falsePositives };
  const counts = label === 1 ? tp : fp;
  const found: number[] = [];
  for (let i = 1; i < thresholds.length; i++) {
    if (thresholds[i] >= threshold === (label === 1)) continue;
    for (let k = counts[i - 1]; k < counts[i]; k++) found.push(thresholds[i]);
  }
  return label === 1 ? found : found.reverse();
}
