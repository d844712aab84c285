import { html, setText, setVisible, uniqueId } from "../base/dom.ts";
import { limitsText, rate, thresholdText } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import { createSegments } from "../base/segments.ts";
import type { OperatingPoint } from "../evaluation/types.ts";
import { type Sides, sidesOf } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import { cutsOf, hasCuts, leadOf } from "../sync/cuts.ts";
import type { Component } from "../sync/view_model.ts";
import { nounOfKind } from "../words/several_evaluations.ts";

/** Several classifiers, or populations, at their thresholds: the same one, or those at which they are equally sensitive. */
export function createCuts(controller: Controller, signal: AbortSignal): Component {
  const title = html("h3", { id: uniqueId("crw-cuts") }, "At the threshold");
  const choice = createSegments(
    title.id,
    [
      { text: "Same threshold", value: "threshold" },
      { text: "Same sensitivity", value: "sensitivity" },
    ],
    (i) => controller.choosePage({ alike: i === 1 }),
    signal,
  );
  const body = html("tbody");
  const note = html("p", { class: "crw-message" }, NOTE);
  const subject = html("th", { scope: "col" });
  const heads = ["λ", "sensitivity", "specificity"];
  const element = html(
    "section",
    { class: "crw-several crw-cuts", "data-testid": "cuts" },
    html("div", { class: "crw-several-head" }, title, choice.element),
    html(
      "table",
      { class: "crw-classes", "aria-labelledby": title.id },
      html("thead", {}, html("tr", {}, subject, ...heads.map((text) => html("th", { scope: "col" }, text)))),
      body,
    ),
    note,
  );
  return {
    element,
    draw(picture) {
      const { group, frames } = picture;
      setVisible(element, hasCuts(group));
      if (element.hidden) return;
      setText(subject, nounOfKind(group));
      choice.choose(picture.page.alike ? 1 : 0);
      setVisible(note, picture.page.alike);
      const lead = leadOf(picture);
      const rows = cutsOf(picture).map(({ threshold, point }, i) =>
        rowOf(
          group.entries[i].name,
          i === lead ? `${thresholdText(threshold)}, set` : thresholdText(threshold),
          point,
          [sidesOf(frames[i], 0), sidesOf(frames[i], 1)],
        ),
      );
      while (body.rows.length > rows.length) body.deleteRow(-1);
      rows.forEach((texts, i) => {
        const row = body.rows[i] ?? body.insertRow();
        texts.forEach((text, k) => {
          if (!row.cells[k]) row.append(k === 0 ? html("th", { scope: "row" }) : html("td"));
          setText(row.cells[k], text);
        });
        row.classList.toggle("crw-lead", i === lead);
      });
    },
  };
}

const NOTE =
  "Thresholds found on these test points are optimistic: the limits are promised for one drawn at random.";

function rowOf(name: string, threshold: string, point: OperatingPoint, sides: Pair<Sides>) {
  const { tpr, tprLower, tprUpper, fpr, fprLower, fprUpper } = point;
  const [lower, upper] = sides[0];
  return [
    name,
    threshold,
    `${rate(tpr)}, ${limitsText(tprLower, tprUpper, sides[1])}`,
    `${rate(1 - fpr)}, ${limitsText(1 - fprUpper, 1 - fprLower, [upper, lower])}`,
  ];
}
