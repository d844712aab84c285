// Promise of the limits, in one line with its scope and in full.

import { createChanges } from "../base/changes.ts";
import { fold, html, listen, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { createSelect } from "../base/select.ts";
import { explained } from "../base/tooltip.ts";
import { hasBothPromises } from "../evaluation/everywhere.ts";
import { TRUTH } from "../shown/comparators.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { legendOf } from "../views/views.ts";
import { termsIn } from "../words/help.ts";
import { keptLine } from "../words/kept.ts";
import { type Legend, type PickedMark, pickedMark, sentenceOf } from "../words/promise.ts";

/** One of the scopes that a promise can have, and what chooses it. */
interface Scope {
  text: string;
  isChosen: boolean;
  /** It holds for a threshold that was picked, and is not chosen yet. */
  isForPicked: boolean;
  choose(): void;
}

const GUARANTEES = ["individual", "everywhere"] as const;

/** The scopes of the question that is asked; none where there is no choice. */
function scopesOf(picture: Picture, controller: Controller): Scope[] {
  const isOfBand = isSampled(picture) || (picture.view === "roc" && picture.band === "ideal");
  if (!isOfBand && picture.view !== "reliability" && hasBothPromises(picture.group)) {
    const { words, other } = picture.evaluation;
    return GUARANTEES.map((guarantee) => ({
      text: (words.kind === guarantee ? words : (other ?? { words }).words).line.scope,
      isChosen: words.kind === guarantee,
      isForPicked: guarantee === "everywhere" && words.kind !== guarantee,
      choose: () => controller.choose({ guarantee }),
    }));
  }
  if (picture.view !== "roc" || picture.band !== "sampling") return [];
  const items = picture.comparators.items.filter(({ key }) => key !== TRUTH);
  const { sampling } = picture.page;
  return items.map((item, i) => ({
    text: items.length > 2 ? `${item.line.scope}, ${item.name}` : item.line.scope,
    isForPicked: false,
    isChosen: sampling === item.key || (i === 0 && !items.some(({ key }) => key === sampling)),
    choose: () => controller.choosePage({ sampling: item.key }),
  }));
}

/**
 * What is promised: in one sentence with its scope; target, scope and guarantee in full where it is opened. A threshold
 * that the reader has picked is marked below it, where the promise is for one drawn blindly.
 */
export function createPromise(controller: Controller, findKept: () => void, signal: AbortSignal) {
  const before = html("span");
  const after = html("span", { class: "crw-roomy" });
  const dense = html("span", { class: "crw-tight" });
  const rest = html("span");
  const scope = html("b");
  let scopes: Scope[] = [];
  const names = { class: "crw-scope", "aria-label": "Scope of the promise", "data-testid": "scope" };
  const select = createSelect(names, [], (i) => scopes[i].choose(), signal);
  const line = html(
    "p",
    { class: "crw-promise-line", role: "status" },
    before,
    " ",
    scope,
    select,
    after,
    dense,
    rest,
  );
  const mark = createMark(() => {
    const other = scopes.find(({ isForPicked }) => isForPicked);
    return other ? other.choose() : findKept();
  }, signal);
  const legend = createLegend();
  const inFull = fold("Promise", { "data-testid": "promise-fold" });
  const words = html("div", { class: "crw-promise-words" }, line, mark.element);
  const element = html(
    "div",
    { class: "crw-promise", "data-testid": "promise" },
    inFull,
    words,
    legend.element,
  );
  return {
    element,
    /** Target, scope and guarantee in full, which are read. */
    legend,
    draw(picture: Picture) {
      const { line: promise } = legendOf(picture);
      scopes = scopesOf(picture, controller);
      const isNamed = promise.scope !== "";
      setText(before, promise.level && (isNamed ? `${promise.level} for` : `${promise.level}.`));
      setText(scope, promise.scope);
      setText(after, promise.after);
      setText(dense, promise.dense);
      setText(rest, isNamed ? `${promise.rest}.` : "");
      // Where there is room for one line alone, its end is cut.
      setAttributes(line, { title: sentenceOf(promise) });
      const isChoice = scopes.length > 1 && isNamed;
      setVisible(select, isChoice);
      setVisible(scope, !isChoice);
      const texts = scopes.map(({ text }) => text);
      if (texts.join("|") !== [...select.options].map(({ text }) => text).join("|")) {
        select.replaceChildren(...texts.map((text) => html("option", {}, text)));
      }
      select.selectedIndex = scopes.findIndex(({ isChosen }) => isChosen);
      const offered = scopes.find(({ isForPicked }) => isForPicked);
      // One mark at a time: a threshold that keeps a wish in the population was picked for it.
      const kept = keptLine(picture);
      const picked = pickedMark(picture, promise, offered?.text ?? "");
      const isPicked = picked !== null && !kept?.isShown;
      mark.element.toggleAttribute("data-kept", !isPicked);
      const isShown = isPicked ? picture.picked : Boolean(kept?.isShown);
      mark.draw(isPicked ? picked : kept, isShown);
    },
  };
}

/** The blue mark's end: a bar that meets a tick. */
const CORNER = "M0 10H8.5V2H11V13H0Z";
const ARROW = "M1 0 10 9.2 6 9.6 8.3 14 6.3 15 4 10.6 1 13.4Z";

/** The mark of a picked threshold: not promised for it, and what to do. Its place is kept while nothing is picked. */
function createMark(choose: () => void, signal: AbortSignal) {
  const icon = svg("svg", { class: "crw-pick-icon", viewBox: "0 0 11 15", "aria-hidden": "true" });
  const corner = svg("svg", { class: "crw-pick-icon", viewBox: "0 0 11 15", "aria-hidden": "true" });
  corner.append(svg("path", { d: CORNER }));
  icon.append(svg("path", { d: ARROW }));
  const text = html("span", { class: "crw-roomy" });
  const short = html("span", { class: "crw-tight" });
  const remedy = html("b");
  const end = html("span");
  const inFull = html("span", { class: "crw-roomy" });
  const inShort = html("span", { class: "crw-tight" });
  const attributes = { class: "crw-action crw-link", "data-testid": "promise-hint" };
  const press = html("button", attributes, inFull, inShort);
  listen(press, "click", signal, choose);
  const long = html("span", { class: "crw-roomy" }, text, " ", remedy, " ", end);
  const element = html(
    "p",
    { class: "crw-pick", role: "status", "data-testid": "picked" },
    icon,
    corner,
    long,
    short,
    " ",
    press,
  );
  return {
    element,
    draw(mark: PickedMark | null, isShown: boolean) {
      setVisible(element, mark !== null);
      element.classList.toggle("crw-unseen", !isShown);
      if (mark === null) return;
      setText(text, mark.text);
      setText(short, mark.short);
      setText(remedy, mark.remedy);
      setText(end, mark.after);
      setVisible(press, mark.press !== null);
      if (mark.press === null) return;
      setText(inFull, mark.press.text);
      setText(inShort, mark.press.short);
    },
  };
}

const TERMS = ["target", "scope", "guarantee", "reach"] as const;

/** Target, scope and guarantee of the band, and the points for which it says little. */
function createLegend(): Component {
  const entries = TERMS.map((name) => ({
    name,
    term: html("dt", { class: "crw-text-muted" }, name[0].toUpperCase() + name.slice(1)),
    words: html("dd"),
  }));
  const isNews = createChanges();
  return {
    element: html("dl", { class: "crw-legend" }, ...entries.flatMap(({ term, words }) => [term, words])),
    draw(picture) {
      const legend: Legend = legendOf(picture);
      if (!isNews(JSON.stringify(legend))) return;
      // Limits at every threshold at once are no ranks of residuals.
      const level = picture.frame.kind === "individual" ? picture.frame.line.level : "";
      for (const { name, term, words } of entries) {
        words.replaceChildren(...explained(termsIn(legend[name], level)));
        // Without an assumption there is nothing to say about it.
        if (name === "guarantee")
          term.replaceChildren(
            ...(legend.line.rest !== "" ? explained(termsIn("Guarantee")) : ["Guarantee"]),
          );
        for (const element of [term, words]) setVisible(element, legend[name] !== "");
      }
    },
  };
}
