import { html, svg } from "./dom.ts";
import { significance } from "./format.ts";
import type { Part } from "./part.ts";
import { factAndReason, LABELS } from "./text.ts";

/** What a reader should know about these data. It waits while a control is held, lest the control move away. */
export function createNotes(): Part {
  const element = html("div", { class: "crw-notes" });
  let drawn = "";
  return {
    element,
    draw({ evaluation, frame, held }) {
      const reasons = LABELS.map((label) => frame.vacuous[label]).filter((reason) => reason !== null);
      const notes = [...reasons, ...evaluation.notes];
      const content = notes.join("\n");
      if (held || content === drawn) return;
      drawn = content;
      element.replaceChildren(...notes.map((note) => box("crw-note", infoIcon(), ...factAndReason(note))));
    },
  };
}

/** Says at once what went wrong and what the picture still shows. */
export function createAlert(): Part {
  const element = html("div", { class: "crw-alert", role: "alert" });
  let drawn = "";
  return {
    element,
    draw({ problem, frame }) {
      const last = `The picture shows the last answer, α = ${significance(frame.alpha)}.`;
      const content = problem ? `${problem.fact} ${problem.reason} ${last}` : "";
      if (content === drawn) return;
      drawn = content;
      element.replaceChildren();
      if (problem) element.append(errorBox(problem.fact, `${closed(problem.reason)} ${last}`));
    },
  };
}

export function errorBox(fact: string, reason: string): HTMLElement {
  return box("crw-note crw-error", errorIcon(), fact, reason);
}

function box(name: string, icon: SVGElement, fact: string, reason: string): HTMLElement {
  return html("div", { class: name }, icon, html("p", {}, html("b", {}, fact), ` ${reason}`));
}

const closed = (sentence: string) =>
  /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;

function icon(...shapes: SVGElement[]): SVGElement {
  return svg("svg", { class: "crw-icon", width: 16, height: 16, "aria-hidden": "true" }, ...shapes);
}

const infoIcon = () => icon(svg("circle", { cx: 8, cy: 8, r: 6.5 }), svg("path", { d: "M8 7.2v4M8 4.6v.6" }));

const errorIcon = () =>
  icon(svg("path", { d: "M8 2 14.6 13.6H1.4z" }), svg("path", { d: "M8 6.2v3.6M8 11.4v.6" }));
