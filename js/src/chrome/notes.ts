// Shows the notes on the data, and errors.

import { createChanges } from "../base/changes.ts";
import { html as root } from "../base/dom.ts";
import { significance } from "../base/format.ts";
import { elementOf, html, icon, nothing, render, unbroken } from "../base/template.ts";
import type { Component } from "../shown/picture.ts";
import { notesOf } from "../words/notes_text.ts";

const INFO = "M8 1.5a6.5 6.5 0 0 1 0 13 6.5 6.5 0 0 1 0-13M8 7.2v4M8 4.6v.6";
const ERROR = "M8 2 14.6 13.6H1.4zM8 6.2v3.6M8 11.4v.6";
const CROSS = "M4 4l8 8M12 4l-8 8";

/** Makes the element that lists the notes on the data. It is below all elements that change their height. */
export function createNotes(): Component {
  const element = root("div", { class: "crw-notes" });
  const isNews = createChanges();
  return {
    element,
    draw(picture) {
      const notes = notesOf(picture);
      if (!isNews(JSON.stringify(notes))) return;
      const said = notes.map(({ fact, reason, remedy }) =>
        box("", INFO, fact, [reason, remedy].join(" ").trim()),
      );
      render(said, element);
    },
  };
}

/** Makes the element that shows an error at once, and says which values the picture still shows. */
export function createAlert(redraw: () => void): Component {
  const element = root("div", { class: "crw-alert", role: "alert" });
  const isNews = createChanges();
  let gone: object | null = null;
  return {
    element,
    draw({ problem, frame, waiting, source }) {
      const last =
        waiting || source === "kernel"
          ? ` The picture shows the last answer, α = ${significance(frame.alpha)}.`
          : "";
      const isThere = problem !== null && problem !== gone;
      if (!isNews(isThere && `${problem.fact} ${problem.reason}${last}`)) return;
      const dismiss = () => {
        gone = problem;
        redraw();
      };
      const close = html`<button type="button" class="crw-close" aria-label="Dismiss this note" @click=${dismiss}>${icon(CROSS)}</button>`;
      render(isThere ? error(problem.fact, `${closed(problem.reason)}${last}`, close) : nothing, element);
    },
  };
}

export const errorBox = (fact: string, reason: string): HTMLElement => elementOf(error(fact, reason));

const error = (fact: string, reason: string, close: unknown = nothing) =>
  box("crw-error", ERROR, fact, reason, close);

const box = (look: string, mark: string, fact: string, reason: string, close: unknown = nothing) =>
  html`<div class="crw-note ${look}" data-testid="note">
    ${icon(mark)}
    <p><b>${unbroken(fact)}</b> ${unbroken(reason)}</p>
    ${close}
  </div>`;

const closed = (sentence: string) =>
  /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
