// Notes on the data, and what went wrong.

import { createChanges } from "../base/changes.ts";
import { decoration, html, svg } from "../base/dom.ts";
import { significance } from "../base/format.ts";
import type { Component } from "../shown/picture.ts";
import { notesOf } from "../words/notes_text.ts";

/** Notes on the data, below everything that moves. */
export function createNotes(): Component {
  const element = html("div", { class: "crw-notes" });
  const isNews = createChanges();
  return {
    element,
    draw(picture) {
      const notes = notesOf(picture);
      if (!isNews(JSON.stringify(notes))) return;
      element.replaceChildren(
        ...notes.map(({ fact, reason, remedy }) =>
          box("crw-note", infoIcon(), fact, [reason, remedy].join(" ").trim()),
        ),
      );
    },
  };
}

/** Says at once what went wrong and what the picture still shows. */
export function createAlert(redraw: () => void): Component {
  const element = html("div", { class: "crw-alert", role: "alert" });
  const isNews = createChanges();
  let gone: object | null = null;
  return {
    element,
    draw({ problem, frame, waiting, source }) {
      const last =
        waiting || source === "kernel"
          ? ` The picture shows the last answer, α = ${significance(frame.alpha)}.`
          : "";
      const content = problem && problem !== gone ? `${problem.fact} ${problem.reason}${last}` : "";
      if (!isNews(content)) return;
      element.replaceChildren();
      if (!problem || content === "") return;
      const note = errorBox(problem.fact, `${closed(problem.reason)}${last}`);
      note.append(
        closeButton(() => {
          gone = problem;
          redraw();
        }),
      );
      element.append(note);
    },
  };
}

export const errorBox = (fact: string, reason: string): HTMLElement =>
  box("crw-note crw-error", errorIcon(), fact, reason);

const box = (name: string, icon: SVGElement, fact: string, reason: string): HTMLElement =>
  html("div", { class: name, "data-testid": "note" }, icon, html("p", {}, html("b", {}, fact), ` ${reason}`));

function closeButton(act: () => void): HTMLElement {
  const cross = icon(svg("path", { d: "M4 4l8 8M12 4l-8 8" }));
  const element = html("button", { class: "crw-close", "aria-label": "Dismiss this note" }, cross);
  element.addEventListener("click", act);
  return element;
}

const closed = (sentence: string) =>
  /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;

function icon(...shapes: SVGElement[]): SVGElement {
  return decoration({ class: "crw-icon", width: 16, height: 16 }, ...shapes);
}

const infoIcon = () => icon(svg("circle", { cx: 8, cy: 8, r: 6.5 }), svg("path", { d: "M8 7.2v4M8 4.6v.6" }));

const errorIcon = () =>
  icon(svg("path", { d: "M8 2 14.6 13.6H1.4z" }), svg("path", { d: "M8 6.2v3.6M8 11.4v.6" }));
