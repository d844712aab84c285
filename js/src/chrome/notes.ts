import { decoration, html, setText, setVisible, svg, uniqueId } from "../base/dom.ts";
import { percent, significance } from "../base/format.ts";
import { createMenu } from "../base/menu.ts";
import type { Controller } from "../sync/controller.ts";
import type { Component } from "../sync/view_model.ts";
import { factAndReason, lastingNotes, type Note, passingNotes } from "../words/notes_text.ts";

/** Dismissed notes by widget: its views agree, and a view that is opened anew keeps to them. */
const dismissed = new WeakMap<Controller, Set<string>>();

/** Notes on the data, which can be dismissed. */
export function createNotes(controller: Controller, redraw: () => void): Component {
  const element = html("div", { class: "crw-notes" });
  const gone = dismissed.get(controller) ?? new Set();
  dismissed.set(controller, gone);
  let drawn = "";
  return {
    element,
    draw(picture) {
      const notes = lastingNotes(picture).filter(({ about, key }) => !gone.has(about + key));
      const content = JSON.stringify(notes);
      if (content === drawn) return;
      drawn = content;
      element.replaceChildren(...notes.map(noteBox));
    },
  };

  function noteBox({ key, about, text }: Note): HTMLElement {
    const dismiss = () => {
      gone.add(about + key);
      redraw();
    };
    const [fact, reason] = factAndReason(text);
    return box("crw-note", infoIcon(), about + fact, reason, [closeButton(dismiss)]);
  }
}

/**
 * Notes on the limits at this alpha and threshold. Their line is always there, so that a note that comes moves nothing;
 * more notes than one wait in a panel.
 */
export function createNoteLine(controller: Controller, signal: AbortSignal): Component {
  const first = html("div", { class: "crw-note-line" });
  const more = button("crw-action", "", () => {});
  const panel = html("div", { class: "crw-note-panel", id: uniqueId("crw-notes") });
  const menu = createMenu(more, panel, signal);
  const element = html("div", { class: "crw-passing", role: "status" }, first, menu.element);
  let drawn = "";
  return {
    element,
    draw(picture) {
      const notes = passingNotes(picture);
      const content = JSON.stringify(notes);
      if (content === drawn) return;
      drawn = content;
      const [shown, ...others] = notes.map(noteBox);
      first.replaceChildren(...(shown ? [shown] : []));
      setText(more, `${others.length} more`);
      setVisible(menu.element, others.length > 0);
      panel.replaceChildren(...others);
      if (others.length === 0) menu.close();
    },
  };

  function noteBox({ about, text, alpha }: Note): HTMLElement {
    const level = alpha === null ? "" : percent(1 - alpha);
    const set =
      alpha === null
        ? []
        : [button("crw-action", `Set confidence to ${level}`, () => controller.jumpTo({ alpha }))];
    const [fact, reason] = factAndReason(text);
    const element = box("crw-note", infoIcon(), about + fact, reason, set);
    element.title = about + text;
    return element;
  }
}

/** Says at once what went wrong and what the picture still shows. */
export function createAlert(redraw: () => void): Component {
  const element = html("div", { class: "crw-alert", role: "alert" });
  let drawn = "";
  let gone: object | null = null;
  return {
    element,
    draw({ problem, frame, waiting, source }) {
      const last =
        waiting || source === "kernel"
          ? ` The picture shows the last answer, α = ${significance(frame.alpha)}.`
          : "";
      const content = problem && problem !== gone ? `${problem.fact} ${problem.reason}${last}` : "";
      if (content === drawn) return;
      drawn = content;
      element.replaceChildren();
      if (!problem || content === "") return;
      const dismiss = () => {
        gone = problem;
        redraw();
      };
      const reason = `${closed(problem.reason)}${last}`;
      element.append(box("crw-note crw-error", errorIcon(), problem.fact, reason, [closeButton(dismiss)]));
    },
  };
}

export function errorBox(fact: string, reason: string): HTMLElement {
  return box("crw-note crw-error", errorIcon(), fact, reason, []);
}

function box(
  name: string,
  icon: SVGElement,
  fact: string,
  reason: string,
  buttons: HTMLElement[],
): HTMLElement {
  const words = html("p", {}, html("b", {}, fact), ` ${reason}`);
  const actions = html("div", { class: "crw-note-buttons" }, ...buttons);
  return html("div", { class: name, "data-testid": "note" }, icon, words, actions);
}

function button(name: string, text: string, act: () => void): HTMLButtonElement {
  const element = html("button", { class: name }, text);
  element.addEventListener("click", act);
  return element;
}

function closeButton(act: () => void): HTMLElement {
  const element = button("crw-close", "", act);
  element.setAttribute("aria-label", "Dismiss this note");
  element.append(icon(svg("path", { d: "M4 4l8 8M12 4l-8 8" })));
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
