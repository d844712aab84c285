// Promise of the limits, in one line with its scope and in full.

import { createChanges } from "../base/changes.ts";
import { fold, html, listen, setText, setVisible } from "../base/dom.ts";
import { createSelect } from "../base/select.ts";
import { explained } from "../base/tooltip.ts";
import { hasBothPromises } from "../evaluation/everywhere.ts";
import { TRUTH } from "../sync/comparators.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component, Picture } from "../sync/view_model.ts";
import { legendOf } from "../views/views.ts";
import { termsIn } from "../words/help.ts";
import type { Legend } from "../words/promise.ts";

/** One of the scopes that a promise can have, and what chooses it. */
interface Scope {
  text: string;
  isChosen: boolean;
  choose(): void;
}

const GUARANTEES = [
  { guarantee: "individual", text: "a threshold picked blindly" },
  { guarantee: "everywhere", text: "any threshold I pick" },
];

/** The scopes of the question that is asked; none where there is no choice. */
function scopesOf(picture: Picture, controller: Controller): Scope[] {
  const isOfBand = picture.view === "roc" && (picture.band === "ideal" || picture.band === "sampling");
  if (!isOfBand && picture.view !== "reliability" && hasBothPromises(picture.group)) {
    return GUARANTEES.map(({ text, guarantee }) => ({
      text,
      isChosen: picture.evaluation.words.kind === guarantee,
      choose: () => controller.choose({ guarantee }),
    }));
  }
  if (picture.view !== "roc" || picture.band !== "sampling") return [];
  const items = picture.comparators.items.filter(({ key }) => key !== TRUTH);
  const { sampling } = picture.page;
  return items.map((item, i) => ({
    text: items.length > 2 ? `${item.line.scope}, ${item.name}` : item.line.scope,
    isChosen: sampling === item.key || (i === 0 && !items.some(({ key }) => key === sampling)),
    choose: () => controller.choosePage({ sampling: item.key }),
  }));
}

/**
 * What is promised: in one line with its scope; target, scope and guarantee in full where it is opened. After the first
 * threshold that the reader picks, the scope that it has left is marked, with a hint, once a view.
 */
export function createPromise(controller: Controller, signal: AbortSignal) {
  const before = html("span");
  const after = html("span");
  const scope = html("b");
  let scopes: Scope[] = [];
  let isHinted = true;
  const choose = (i: number) => {
    isHinted = false;
    scopes[i].choose();
  };
  const names = { class: "crw-scope", "aria-label": "Scope of the promise", "data-testid": "scope" };
  const select = createSelect(names, [], choose, signal);
  const hint = html(
    "button",
    { class: "crw-action crw-link", "data-testid": "promise-hint" },
    "you picked it: switch to any threshold",
  );
  listen(hint, "click", signal, () => choose(1));
  const legend = createLegend();
  const words = [before, " ", scope, select, after, " ", hint];
  const line = html("p", { class: "crw-promise-line crw-cut", role: "status" }, ...words);
  const inFull = fold("Promise", { "data-testid": "promise" }, legend.element);
  const element = html("div", { class: "crw-promise", "data-testid": "promise" }, inFull, line);
  return {
    element,
    /** Target, scope and guarantee in full, which are read. */
    legend,
    draw(picture: Picture) {
      const { line } = legendOf(picture);
      scopes = scopesOf(picture, controller);
      const isNamed = line.scope !== "";
      setText(before, line.level && (isNamed ? `${line.level} for` : `${line.level}.`));
      setText(scope, line.scope);
      setText(after, isNamed ? `${line.rest}.` : "");
      const isChoice = scopes.length > 1 && isNamed;
      setVisible(select, isChoice);
      setVisible(scope, !isChoice);
      const texts = scopes.map(({ text }) => text);
      if (texts.join("|") !== [...select.options].map(({ text }) => text).join("|")) {
        select.replaceChildren(...texts.map((text) => html("option", {}, text)));
      }
      select.selectedIndex = scopes.findIndex(({ isChosen }) => isChosen);
      const isLeft = picture.picked && scopes.length > 1 && picture.frame.kind === "individual";
      element.toggleAttribute("data-picked", isLeft);
      setVisible(hint, isLeft && isHinted);
      setVisible(after, !(isLeft && isHinted));
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
      for (const { name, term, words } of entries) {
        words.replaceChildren(...explained(termsIn(legend[name])));
        // Without an assumption there is nothing to say about it.
        if (name === "guarantee")
          term.replaceChildren(
            ...(legend[name].includes(" if ") ? explained(termsIn("Guarantee")) : ["Guarantee"]),
          );
        for (const element of [term, words]) setVisible(element, legend[name] !== "");
      }
    },
  };
}
