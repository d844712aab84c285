import type { Part } from "../base/component.ts";
import { html, svg } from "../base/dom.ts";
import { count, fixed, significance } from "../base/format.ts";
import { keepShortcutsAway } from "../base/keys.ts";
import { alphaScale, alphaSteps } from "../base/scale.ts";
import type { Controller, Picture } from "../sync/controller.ts";
import { averageOf } from "../sync/overview_numbers.ts";
import type { Evaluation, Frame } from "../wire/messages.ts";
import { factAndReason, LABELS } from "../words/one_evaluation.ts";
import { entryName } from "../words/several_evaluations.ts";

export interface Note {
  /** What stays dismissed, whatever alpha the text speaks of. */
  key: string;
  /** Which of several evaluations it is about; empty where there is one. */
  about: string;
  text: string;
  /** An alpha that helps, where there is one. */
  alpha: number | null;
}

/** What a reader should know about these data at this alpha. */
export function notesOf(picture: Picture): Note[] {
  const { group, shown, evaluation, frame, frames } = picture;
  if (shown !== null) return [...vacuousNotes(evaluation, frame), ...evaluation.notes.map(lasting)];
  const named = group.entries.map((entry, i) => {
    const notes = [...vacuousNotes(entry, frames[i]), ...entry.notes.map(lasting)];
    return notes.map((note) => ({ ...note, about: `${entryName(group, entry)}: ` }));
  });
  return [...named.flat(), ...(group.kind === "classes" ? rareNotes(picture) : [])];
}

function rareNotes(picture: Picture): Note[] {
  const { entries } = picture.group;
  const { rare, weights } = averageOf(picture);
  const total = entries.reduce((sum, { nTest }) => sum + nTest[1], 0);
  return rare.map((i) => {
    const size = `${count(entries[i].nTest[1])} of ${count(total)} test points`;
    const text = `Few points: it has ${size}, and weighs ${fixed(weights[i], 3)} in the average.`;
    return { ...lasting(text), key: "rare", about: `${entryName(picture.group, entries[i])}: ` };
  });
}

const lasting = (text: string): Note => ({ key: text, about: "", text, alpha: null });

function vacuousNotes({ firstAlpha }: Evaluation, frame: Frame): Note[] {
  return LABELS.flatMap((label) => {
    const text = frame.vacuous[label];
    if (text === null) return [];
    const alpha = frame.orderStatistics === null ? null : settableFrom(Number(firstAlpha[label]));
    const helps = alpha !== null && alpha > frame.alpha ? alpha : null;
    return [{ key: `no limits ${label}`, about: "", text, alpha: helps }];
  });
}

/** The first alpha from here on that the arrow keys of the slider stop at; null beyond its end. */
export function settableFrom(alpha: number): number | null {
  const stop = alphaSteps.arrow(alpha - 1e-6, 1);
  return stop <= alphaScale.max ? stop : null;
}

/** What has been dismissed, by widget: its views agree, and a view that is opened anew keeps to it. */
const dismissed = new WeakMap<Controller, Set<string>>();

/** Notes wait while a control is held, lest the control move away under the hand. */
export function createNotes(controller: Controller, redraw: () => void): Part {
  const element = html("div", { class: "crw-notes" });
  const gone = dismissed.get(controller) ?? new Set();
  dismissed.set(controller, gone);
  let drawn = "";
  return {
    element,
    draw(picture) {
      const notes = notesOf(picture).filter(({ about, key }) => !gone.has(about + key));
      const content = JSON.stringify(notes);
      if (picture.held || content === drawn) return;
      drawn = content;
      element.replaceChildren(...notes.map(noteBox));
    },
  };

  function noteBox({ key, about, text, alpha }: Note): HTMLElement {
    const set =
      alpha === null
        ? []
        : [button("crw-action", `Set α to ${significance(alpha)}`, () => controller.jumpTo({ alpha }))];
    const dismiss = () => {
      gone.add(about + key);
      redraw();
    };
    const [fact, reason] = factAndReason(text);
    return box("crw-note", infoIcon(), about + fact, reason, [...set, closeButton(dismiss)]);
  }
}

/** Says at once what went wrong and what the picture still shows. */
export function createAlert(redraw: () => void): Part {
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

function button(name: string, text: string, act: () => void): HTMLElement {
  const element = html("button", { type: "button", class: name }, text);
  keepShortcutsAway(element);
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
  return svg("svg", { class: "crw-icon", width: 16, height: 16, "aria-hidden": "true" }, ...shapes);
}

const infoIcon = () => icon(svg("circle", { cx: 8, cy: 8, r: 6.5 }), svg("path", { d: "M8 7.2v4M8 4.6v.6" }));

const errorIcon = () =>
  icon(svg("path", { d: "M8 2 14.6 13.6H1.4z" }), svg("path", { d: "M8 6.2v3.6M8 11.4v.6" }));
