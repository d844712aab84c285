import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { count, limitsText, range, rate, significance } from "../base/format.ts";
import type { Pair } from "../base/pair.ts";
import type { Words } from "../evaluation/types.ts";
import { hasLimits, sidesOf } from "../evaluation/vacuous.ts";
import {
  briefly,
  CONFORMAL,
  type DrawnComparator,
  drawnComparators,
  isCompared,
  limitsAt,
  statementAt,
  TRUTH,
} from "../sync/comparators.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import type { Comparator } from "../wire/decode_comparators.ts";
import { comparatorTone, type Tone } from "../words/runs.ts";
import { type Bar, placeOn } from "./whisker.ts";

const BAR: Bar = { width: 92, height: 24, end: 3 };
const TICKS = [0, 0.5, 1];

const DIFFERENCE =
  "Two questions: neither answer replaces the other. More test points narrow the second group only; the width of the " +
  "conformal band comes from the calibration residuals.";

/** The two questions that bands answer, under each the bands that answer it, read at the operating point. */
export function createComparatorsPanel(controller: Controller, signal: AbortSignal): Component {
  const at = html("span", { class: "crw-text-muted" });
  const conformal = createRow(CONFORMAL, "label1", controller, signal);
  const truths = html("div");
  const others = html("div");
  const observed = html("span");
  const ticks = decoration({ width: BAR.width, height: 22 }, ...TICKS.flatMap(tickShapes));
  const question = html(
    "div",
    { class: "crw-question" },
    html("h3", {}, "Where would this classifier’s curve lie, in the population?"),
  );
  const difference = html("p", {}, DIFFERENCE);
  const element = html(
    "section",
    { class: "crw-comparison", "aria-label": "Bands compared" },
    html(
      "div",
      { class: "crw-question" },
      html("h3", {}, "Which sensitivity would an ideal model have, at the same threshold, on this test set?"),
      at,
    ),
    conformal.element,
    truths,
    question,
    others,
    html("div", { class: "crw-comparison-axis" }, observed, ticks),
    difference,
  );
  const rows = new Map<string, ReturnType<typeof createRow>>();

  function rowOf({ key }: Comparator, tone: Tone) {
    const row = rows.get(key) ?? createRow(key, tone, controller, signal);
    rows.set(key, row);
    return row;
  }

  return {
    element,
    draw(picture) {
      setVisible(element, isCompared(picture));
      if (element.hidden) return;
      const { frame, page, comparators } = picture;
      const { point } = frame;
      setText(at, `sensitivity at FPR ${rate(point.fpr)}`);
      setText(observed, `observed ${rate(point.tpr)} dotted`);
      const limits: Pair<number> | null = hasLimits(frame, 1) ? [point.tprLower, point.tprUpper] : null;
      const text = limitsText(point.tprLower, point.tprUpper, sidesOf(frame, 1));
      conformal.setTexts("Conformal", frame, []);
      conformal.draw(
        limits,
        limits ? text : "",
        limits ? "" : text,
        !page.hidden.includes(CONFORMAL),
        point.tpr,
      );
      const overlays = drawnComparators(picture);
      const drawn = comparators.items.map((item) => {
        const row = rowOf(item, comparatorTone(item.key));
        const overlay = overlays.find((one) => one.item === item);
        const { guarantee, notes } = overlay ? statementAt(item, overlay.lines) : item;
        row.setTexts(item.name, { ...item, guarantee }, notes);
        const between = overlay ? limitsAt(overlay, point.fpr) : null;
        row.draw(
          between,
          between ? range(...between) : "",
          overlay ? alphaRemark(overlay) : "",
          !page.hidden.includes(item.key),
          point.tpr,
          item,
        );
        return { of: item.key === TRUTH ? truths : others, row: row.element };
      });
      for (const list of [truths, others]) {
        const wanted = drawn.flatMap(({ of, row }) => (of === list ? [row] : []));
        const isThere = wanted.every((row, i) => row === list.children[i]);
        if (wanted.length !== list.children.length || !isThere) list.replaceChildren(...wanted);
      }
      const hasOthers = others.children.length > 0;
      for (const part of [question, difference]) setVisible(part, hasOthers);
    },
  };
}

const alphaRemark = ({ isOther, lines }: DrawnComparator) =>
  isOther ? `at α = ${significance(lines.alpha)}` : "";

const placeOf = (share: number) => placeOn(BAR, share);

function tickShapes(tick: number): SVGElement[] {
  const x = placeOf(tick);
  const anchor = { 0: "start", 1: "end" }[tick] ?? "middle";
  return [
    svg("path", { class: "crw-axis", d: `M${x} 0v5` }),
    svg(
      "text",
      { x: anchor === "start" ? 0 : anchor === "end" ? BAR.width : x, y: 17, "text-anchor": anchor },
      String(tick),
    ),
  ];
}

function createRow(key: string, tone: Tone, controller: Controller, signal: AbortSignal) {
  const box = html("input", { type: "checkbox", "data-testid": `band-${key}-shown` });
  box.addEventListener("change", () => controller.setShown(key, box.checked), { signal });
  const name = html("b");
  const brief = html("span", { class: "crw-text-muted" });
  const sample = decoration(
    { class: `crw-limits-sample crw-${tone}`, width: 28, height: 16 },
    svg("rect", { x: 0, y: 2, width: 28, height: 12 }),
    svg("path", { d: "M0 2H28M0 14H28" }),
  );
  const axis = svg("path", { class: "crw-bar-axis", d: `M${placeOf(0)} 12H${placeOf(1)}` });
  const observed = svg("path", { class: "crw-observed-line" });
  const whisker = svg("path", { class: `crw-limits-bar crw-${tone}` });
  const bar = decoration({ width: BAR.width, height: BAR.height }, axis, observed, whisker);
  const limitsWords = html("b", { class: `crw-text-${tone}` });
  const remark = html("span", { class: "crw-text-muted" });
  const limitsCell = html("span", { class: "crw-comparison-limits" }, limitsWords, remark);
  const progress = html("progress");
  const words = html("span", { class: "crw-comparison-words" });
  const more = html("summary", {}, "about");
  const about = html("details", {}, more);
  const drawing = html("span", { class: "crw-comparison-bar" }, bar);
  let drawnTexts = "";

  return {
    element: html(
      "div",
      { class: "crw-comparison-row", "data-testid": `comparison-${key}` },
      html("label", {}, box, sample, html("span", {}, name, brief)),
      drawing,
      limitsCell,
      progress,
      words,
      about,
    ),
    setTexts(nameText: string, { target, scope, guarantee }: Words, notes: readonly string[]) {
      const promise = guarantee ? [`Guarantee: ${guarantee}`] : [];
      const texts = [`Target: ${target}`, `Scope: ${scope}`, ...promise, ...notes];
      const content = nameText + texts.join();
      if (drawnTexts === content) return;
      drawnTexts = content;
      setText(name, nameText);
      setText(brief, [briefly(scope), guarantee].filter(Boolean).join("; "));
      const aboutText = notes.length > 0 ? `about, ${count(notes.length)} to note` : "about";
      setText(more, aboutText);
      setAttributes(more, { "aria-label": `${aboutText}: ${nameText}` });
      setAttributes(progress, { "aria-label": `Progress of ${nameText}` });
      about.replaceChildren(more, ...texts.map((text) => html("p", {}, text)));
    },
    draw(
      limits: Pair<number> | null,
      text: string,
      remarkText: string,
      isShown: boolean,
      tpr: number,
      item?: Comparator,
    ) {
      box.checked = isShown;
      setVisible(drawing, limits !== null);
      if (limits) {
        const [from, to] = limits.map(placeOf);
        setAttributes(whisker, { d: `M${from} 12H${to}M${from} 7v10M${to} 7v10` });
      }
      setAttributes(observed, { d: `M${placeOf(tpr)} 1V23` });
      setText(limitsWords, text);
      setText(remark, remarkText);
      const isWorking = item?.status === "working";
      box.disabled = item !== undefined && item.lines.length === 0;
      setVisible(limitsCell, limits !== null || remarkText !== "");
      setVisible(progress, isWorking);
      setAttributes(progress, { max: item?.total || 1, value: item?.done ?? 0 });
      setText(words, item ? stateWords(item) : "");
    },
  };
}

function stateWords({ status, done, total, message }: Comparator): string {
  if (status === "working") return total > 0 ? `${count(done)} of ${count(total)}` : "at work";
  return status === "failed" ? `It could not be computed: ${message ?? "no reason was given"}` : "";
}
