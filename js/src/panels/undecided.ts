// Undecided test points: how many there are at the threshold, and what is left without them.

import { html, listen, setText, setVisible, uniqueId } from "../base/dom.ts";
import { count, percent, rate, shortName } from "../base/format.ts";
import { rowHead } from "../base/table.ts";
import { operatingPointAt } from "../evaluation/at_alpha.ts";
import { type Confusion, LABELS, type Label } from "../evaluation/types.ts";
import { hasOwnIntervals, leftOver, undecidedOf } from "../evaluation/undecided.ts";
import type { Component } from "../shown/picture.ts";
import { className } from "../words/one_evaluation.ts";
import { isOverview } from "./panel.ts";

/** Whom the model cannot decide: the shaded points of each label as numbers, and what is left without them. */
export function createUndecided(changed: () => void, signal: AbortSignal): Component {
  const title = html("span");
  const summary = html("summary", {}, title);
  const rows = LABELS.map((label) => ({ label, ...createRow(label) }));
  const body = html("tbody", {}, ...rows.map((row) => row.element));
  const id = uniqueId("crw-refer");
  const refer = html("input", { type: "checkbox", id, "data-testid": "refer" });
  listen(refer, "change", signal, changed);
  const left = html("span", { class: "crw-text-muted", "data-testid": "left" });
  const referral = html(
    "p",
    { class: "crw-refer crw-use-row crw-row" },
    refer,
    html("label", { for: id }, "Refer the undecided"),
    left,
  );
  const element = html(
    "details",
    { class: "crw-use", "data-testid": "undecided" },
    summary,
    html("table", { "aria-label": "Undecided test points" }, body),
    referral,
  );
  return {
    element,
    draw(picture) {
      const { evaluation, frame, wanted } = picture;
      const isShown = !isOverview(picture) && picture.ideal === null && hasOwnIntervals(frame);
      setVisible(element, isShown);
      if (!isShown) return;
      const point = operatingPointAt(evaluation, frame, wanted.threshold);
      const found = undecidedOf(evaluation, point);
      const all = evaluation.nTest.map((n) => n * evaluation.unit);
      const names = evaluation.classes.map((_, label) => className(label as Label, evaluation.classes));
      const shares = LABELS.map(
        (label) => `${shareOf(found[label], all[label])} of ${shortName(names[label])}`,
      );
      setText(title, `Undecided at ${percent(1 - frame.alpha)}: ${shares.join(", ")}`);
      if (!(element as HTMLDetailsElement).open) return;
      for (const { label, draw } of rows) draw(names[label], found[label], all[label]);
      const rest = leftOver(evaluation, frame, wanted.threshold, point);
      setVisible(referral, rest !== null);
      if (rest === null) return;
      setText(left, refer.checked ? leftWords(rest) : "their interval crosses the threshold");
    },
  };
}

const shareOf = (some: number, all: number) => `${(all > 0 ? (100 * some) / all : 0).toFixed(0)} %`;

/** Referral looks at both labels' intervals, for labels are unknown in use. */
function leftWords({ tp, fn, fp, tn }: Confusion): string {
  const share = (some: number, all: number) => (all > 0 ? rate(some / all) : "undefined");
  const counts = `${count(tp)} TP, ${count(fn)} FN, ${count(fp)} FP, ${count(tn)} TN`;
  return (
    `leaves ${count(tp + fn + fp + tn)} (${counts}): sensitivity ${share(tp, tp + fn)}, ` +
    `specificity ${share(tn, fp + tn)}; without labels, referral takes both intervals`
  );
}

function createRow(label: Label) {
  const name = html("b", { class: `crw-text-label${label}` });
  const filled = html("span", { class: `crw-undecided-filled crw-label${label}` });
  const share = html("b");
  const counts = html("span", { class: "crw-text-muted" });
  return {
    element: html(
      "tr",
      {},
      rowHead(name),
      html("td", {}, html("span", { class: "crw-undecided-bar", "aria-hidden": "true" }, filled)),
      html("td", {}, share, " ", counts),
    ),
    draw(text: string, some: number, all: number) {
      setText(name, shortName(text));
      name.title = text;
      filled.style.width = `${all > 0 ? (100 * some) / all : 0}%`;
      setText(share, shareOf(some, all));
      setText(counts, `${count(some)} of ${count(all)}`);
    },
  };
}
