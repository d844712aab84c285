// For a paper: the sentences, and each style of the report to copy.

import { isWritten } from "../../base/clipboard.ts";
import { html as element } from "../../base/dom.ts";
import { html, render } from "../../base/template.ts";
import { createTimer } from "../../base/timer.ts";
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
const COPIED_MS = 1500;

export function createForPaper(signal: AbortSignal): Component {
  const root = element("div", { class: "crw-for-paper" });
  const later = createTimer(signal);
  let done = "";
  let shown = "";
  let last: Picture | null = null;

  async function copy(name: string, text: string) {
    const isCopied = await isWritten(text);
    if (signal.aborted || last === null) return;
    [done, shown] = isCopied ? [name, ""] : ["", text];
    draw(last);
    if (isCopied)
      later(() => {
        done = "";
        if (last) draw(last);
      }, COPIED_MS);
  }

  function draw(picture: Picture) {
    last = picture;
    // Where the page may not use the clipboard, the text that was asked for stands in the box, to be copied by hand.
    const text = shown || reportText(picture, "text");
    render(
      html`<div class="crw-report" tabindex="0" data-testid="report" @keydown=${(event: Event) => event.stopPropagation()}>${text}</div>
        <div class="crw-row">${COPIES.map(
          ([name, label, make]) =>
            html`<button type="button" class="crw-box" data-testid="report-${name}" @click=${() => copy(name, make(picture))}>${
              done === name ? "Copied" : label
            }</button>`,
        )}</div>`,
      root,
    );
  }

  return { element: root, draw };
}
