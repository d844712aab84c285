// Shows the guarantee of the limits: in one sentence with its scope, and in full.

import { kinds } from "../../../conformal_roc_widget/promises.json";
import { createChanges } from "../base/changes.ts";
import { html as element, fold, setVisible } from "../base/dom.ts";
import { capital } from "../base/format.ts";
import { html, render, unbroken } from "../base/template.ts";
import { createExplained } from "../base/tooltip.ts";
import { words } from "../base/words.ts";
import { promisesOf } from "../evaluation/everywhere.ts";
import type { PromiseLine } from "../evaluation/types.ts";
import { TRUTH } from "../shown/comparators.ts";
import { isBare } from "../shown/goal.ts";
import { canLook, isAnyLook } from "../shown/looks.ts";
import type { Component, Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import type { Controller } from "../sync/controller.ts";
import { showsConformal } from "../views/roc.ts";
import { legendOf } from "../views/views.ts";
import { termsIn } from "../words/help.ts";
import type { Legend } from "../words/promise.ts";

/** A scope that the guarantee can have, such as one threshold or all thresholds, and the function that chooses it. */
interface Scope {
  text: string;
  isChosen: boolean;
  choose(): void;
}

/** Returns the scopes that the user can choose for the current band. Empty if there is no choice. */
function scopesOf(picture: Picture, controller: Controller): Scope[] {
  const isOfBand = isSampled(picture) || (picture.view === "roc" && picture.band === "ideal");
  const promises = promisesOf(picture.group, picture.source !== "static");
  if (!isOfBand && picture.view !== "reliability" && promises.length > 1) {
    const { words } = picture.evaluation;
    return promises.map((guarantee) => ({
      text: kinds[guarantee].choice,
      isChosen: words.kind === guarantee,
      choose: () => controller.choose({ guarantee }),
    }));
  }
  if (picture.shown === null || picture.view !== "roc" || picture.band !== "sampling") return [];
  if (isAnyLook(picture)) return [];
  const items = picture.comparators.items.filter(({ key }) => key !== TRUTH);
  const { sampling } = picture.page;
  return items.map((item, i) => ({
    text: items.length > 2 ? `${item.line.scope}, ${item.name}` : item.line.scope,
    isChosen: sampling === item.key || (i === 0 && !items.some(({ key }) => key === sampling)),
    choose: () => controller.choosePage({ sampling: item.key }),
  }));
}

/**
 * Makes the elements of the guarantee: a fold with its full text, and a sentence in which the user can choose the
 * scope. If the limits are conformal, the sentence is outside the fold.
 */
export function createPromise(controller: Controller) {
  const legend = createLegend();
  const line = element("div", { class: "crw-promise-words" });
  const inside = element("div", { class: "crw-promise-words" });
  const tick = element("input", { type: "checkbox", "data-testid": "looks" });
  tick.onchange = () => controller.choose({ looks: tick.checked ? "any" : "once" });
  const looks = element("label", { class: "crw-looks crw-row" }, tick, words("confidence.looks"));
  const inFull = fold(
    "What exactly is guaranteed",
    { "data-testid": "promise-fold" },
    inside,
    legend.element,
    looks,
  );
  const promise = element("div", { class: "crw-promise", "data-testid": "promise" }, line, inFull);
  return {
    element: promise,
    /** The full text is redrawn a few times a second during a drag. */
    legend,
    draw(picture: Picture) {
      setVisible(promise, !isBare(picture));
      tick.checked = isAnyLook(picture);
      setVisible(looks, isSampled(picture) && canLook(picture));
      const { line: said } = legendOf(picture);
      // The element `inside` is in a part of the page that the user can close. If conformal limits are shown,
      // the user must always see the choice of the scope, so `line` is used.
      const [seen, other] = showsConformal(picture) ? [line, inside] : [inside, line];
      setVisible(other, false);
      setVisible(seen, said.level !== "");
      render(lineOf(said, scopesOf(picture, controller)), seen);
    },
  };
}

/**
 * Returns one sentence from level, scope and condition. If there are several scopes, the sentence contains a list of
 * them.
 */
function lineOf({ level, scope, condition }: PromiseLine, scopes: Scope[]) {
  const isNamed = scope !== "";
  const isChoice = scopes.length > 1 && isNamed;
  const choose = (event: Event) => scopes[(event.target as HTMLSelectElement).selectedIndex].choose();
  return html`<p class="crw-promise-line" role="status">
    <span>${unbroken(isNamed ? `${capital(level)} for` : `${capital(level)}.`)}</span> <b ?hidden=${isChoice}>${unbroken(scope)}</b>
    <select class="crw-scope" aria-label="Scope of the promise" data-testid="scope" ?hidden=${!isChoice} @change=${choose}>
      ${scopes.map(({ text, isChosen }) => html`<option .selected=${isChosen}>${unbroken(text)}</option>`)}
    </select>
    <span>${unbroken(isNamed ? ` ${condition}.` : "")}</span>
  </p>`;
}

const TERMS = ["target", "scope", "guarantee", "reach"] as const;

/**
 * Makes the list of target, scope and guarantee of the band. A last entry names the points at which the band says
 * little.
 */
function createLegend(): Component {
  const list = element("dl", { class: "crw-legend" });
  const isNews = createChanges();
  const explainedTitle = createExplained();
  const explained = TERMS.map(() => createExplained());
  return {
    element: list,
    draw(picture) {
      const legend: Legend = legendOf(picture);
      // Only limits for one threshold are ranks of residuals, so only their level has an explanation.
      const level = picture.frame.kind === "individual" ? picture.frame.line.level : "";
      if (!isNews(...TERMS.map((name) => legend[name]), legend.line.rest, level)) return;
      const entries = TERMS.map((name, i) => {
        const title = name[0].toUpperCase() + name.slice(1);
        // If `rest` is empty, the guarantee assumes nothing, and the word “guarantee” needs no explanation.
        const isTerm = name === "guarantee" && legend.line.rest !== "";
        return html`
          <dt class="crw-text-muted" ?hidden=${legend[name] === ""}>${isTerm ? explainedTitle(termsIn(title)) : title}</dt>
          <dd ?hidden=${legend[name] === ""}>${explained[i](termsIn(legend[name], level))}</dd>`;
      });
      render(entries, list);
    },
  };
}
