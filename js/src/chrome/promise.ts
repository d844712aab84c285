// Promise of the limits, in one line with its scope and in full.

import { createChanges } from "../base/changes.ts";
import { html as element, fold } from "../base/dom.ts";
import { html, render, unbroken } from "../base/template.ts";
import { explained } from "../base/tooltip.ts";
import { promisesOf } from "../evaluation/everywhere.ts";
import type { PromiseLine } from "../evaluation/types.ts";
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
  /** Whether it holds for a picked threshold and is not chosen yet. */
  isForPicked: boolean;
  choose(): void;
}

/** The scopes of the question that is asked; none where there is no choice. */
function scopesOf(picture: Picture, controller: Controller): Scope[] {
  const isOfBand = isSampled(picture) || (picture.view === "roc" && picture.band === "ideal");
  const promises = promisesOf(picture.group, picture.source !== "static");
  if (!isOfBand && picture.view !== "reliability" && promises.length > 1) {
    const { words, others } = picture.evaluation;
    const all = [words, ...others.map((other) => other.words)];
    return promises.map((guarantee) => ({
      text: all.find(({ kind }) => kind === guarantee)?.line.scope ?? "",
      isChosen: words.kind === guarantee,
      isForPicked: guarantee === "everywhere" && words.kind === "individual",
      choose: () => controller.choose({ guarantee }),
    }));
  }
  if (picture.shown === null || picture.view !== "roc" || picture.band !== "sampling") return [];
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
export function createPromise(controller: Controller, findKept: () => void) {
  const legend = createLegend();
  const inFull = fold("Promise", { "data-testid": "promise-fold" });
  const promise = element("div", { class: "crw-promise", "data-testid": "promise" });
  return {
    element: promise,
    /** Target, scope and guarantee in full, which are drawn at the pace of a reader. */
    legend,
    draw(picture: Picture) {
      const { line } = legendOf(picture);
      const scopes = scopesOf(picture, controller);
      const offered = scopes.find(({ isForPicked }) => isForPicked);
      // One mark is shown at a time: a threshold that keeps a wish in the population needs no mark for being picked.
      const kept = keptLine(picture);
      const picked = kept?.isShown ? null : pickedMark(picture, line, offered?.text ?? "");
      const isShown = picked ? picture.picked : Boolean(kept?.isShown);
      const content = html`
        ${inFull}
        <div class="crw-promise-words">
          ${lineOf(line, scopes)}
          ${markOf(picked ?? kept, picked === null, isShown, () => (offered ? offered.choose() : findKept()))}
        </div>
        ${legend.element}`;
      render(content, promise);
    },
  };
}

/** Level and scope in one sentence, and the list of scopes where there are some to choose from. */
function lineOf(promise: PromiseLine, scopes: Scope[]) {
  const isNamed = promise.scope !== "";
  const isChoice = scopes.length > 1 && isNamed;
  const before = promise.level && (isNamed ? `${promise.level} for` : `${promise.level}.`);
  const choose = (event: Event) => scopes[(event.target as HTMLSelectElement).selectedIndex].choose();
  // If there is room for one line alone, its end is cut off, and the title has all of it.
  return html`<p class="crw-promise-line" role="status" title=${sentenceOf(promise)}>
    <span>${unbroken(before)}</span> <b ?hidden=${isChoice}>${unbroken(promise.scope)}</b>
    <select class="crw-scope" aria-label="Scope of the promise" data-testid="scope" ?hidden=${!isChoice} @change=${choose}>
      ${scopes.map(({ text, isChosen }) => html`<option .selected=${isChosen}>${unbroken(text)}</option>`)}
    </select>
    <span>${unbroken(promise.after)}</span>
    <span>${unbroken(isNamed ? `${promise.rest}.` : "")}</span>
  </p>`;
}

/** The blue mark's end: a bar that meets a tick. */
const CORNER = "M0 10H8.5V2H11V13H0Z";
const ARROW = "M1 0 10 9.2 6 9.6 8.3 14 6.3 15 4 10.6 1 13.4Z";
const NO_MARK: PickedMark = { text: "", short: "", remedy: "", after: "", press: null };
const icon = (shape: string) =>
  html`<svg class="crw-pick-icon" viewBox="0 0 11 15" aria-hidden="true"><path d=${shape}></path></svg>`;

/** The mark of a picked threshold: that nothing is promised for it, and what to do. Its place is kept while nothing is picked. */
function markOf(mark: PickedMark | null, isKept: boolean, isShown: boolean, choose: () => void) {
  const { text, short, remedy, after, press } = mark ?? NO_MARK;
  return html`<p class="crw-pick ${isShown ? "" : "crw-unseen"}" role="status" data-testid="picked"
    ?data-kept=${isKept} ?hidden=${mark === null}>
    ${icon(ARROW)}${icon(CORNER)}
    <span class="crw-roomy"><span>${unbroken(text)}</span> <b>${unbroken(remedy)}</b> <span>${unbroken(after)}</span></span>
    <span class="crw-tight">${unbroken(short)}</span> <button type="button" class="crw-action crw-link"
      data-testid="promise-hint" ?hidden=${press === null} @click=${choose}>
      <span class="crw-roomy">${unbroken(press?.text ?? "")}</span><span class="crw-tight">${unbroken(press?.short ?? "")}</span>
    </button>
  </p>`;
}

const TERMS = ["target", "scope", "guarantee", "reach"] as const;

/** Target, scope and guarantee of the band, and the points for which it says little. */
function createLegend(): Component {
  const list = element("dl", { class: "crw-legend" });
  const isNews = createChanges();
  return {
    element: list,
    draw(picture) {
      const legend: Legend = legendOf(picture);
      if (!isNews(JSON.stringify(legend))) return;
      // Limits at every threshold at once are no ranks of residuals.
      const level = picture.frame.kind === "individual" ? picture.frame.line.level : "";
      const entries = TERMS.map((name) => {
        const title = name[0].toUpperCase() + name.slice(1);
        // Without an assumption there is nothing to say about it.
        const isTerm = name === "guarantee" && legend.line.rest !== "";
        return html`
          <dt class="crw-text-muted" ?hidden=${legend[name] === ""}>${isTerm ? explained(termsIn(title)) : title}</dt>
          <dd ?hidden=${legend[name] === ""}>${explained(termsIn(legend[name], level))}</dd>`;
      });
      render(entries, list);
    },
  };
}
