// Shows the sentences for a paper, and buttons that copy them in several styles.

import { createCopier } from "../../base/clipboard.ts";
import { html as element } from "../../base/dom.ts";
import { html, render } from "../../base/template.ts";
import type { Component, Picture } from "../../shown/picture.ts";
import { pythonLine } from "../../words/python_line.ts";
import { reportText } from "../../words/report_styles.ts";

const COPIES = [
  ["text", "Copy text", (picture: Picture) => reportText(picture, "text")],
  ["table", "Copy table", (picture: Picture) => reportText(picture, "table")],
  ["latex", "Copy LaTeX", (picture: Picture) => reportText(picture, "latex")],
  ["pdf", "PDF, 89 mm", () => 'widget.to_pdf("figure.pdf", width=89, caption=False)'],
  ["python", "Copy Python", pythonLine],
] as const;

export function createForPaper(signal: AbortSignal): Component {
  const root = element("div", { class: "crw-for-paper" });
  let last: Picture | null = null;
  const { state, copy } = createCopier(() => last && draw(last), signal);

  function draw(picture: Picture) {
    last = picture;
    // If the browser forbids copying, `state.refused` is the text. The box shows it, and the user copies it
    // by hand.
    const text = state.refused || reportText(picture, "text");
    render(
      html`<div class="crw-report" tabindex="0" data-testid="report" @keydown=${(event: Event) => event.stopPropagation()}>${text}</div>
        <div class="crw-row">${COPIES.map(
          ([name, label, make]) =>
            html`<button type="button" class="crw-box" data-testid="report-${name}" @click=${() => copy(name, make(picture))}>${
              state.done === name ? "Copied" : label
            }</button>`,
        )}</div>`,
      root,
    );
  }

  return { element: root, draw };
}
