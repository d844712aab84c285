// Shows the toolbar: download, explanation, and a menu with rarely used commands.

import { createCopier } from "../base/clipboard.ts";
import { html as element, listen, setAttributes } from "../base/dom.ts";
import type { FullScreen } from "../base/fullscreen.ts";
import { createMenu } from "../base/menu.ts";
import { elementOf, html, icon, nothing, render } from "../base/template.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { pythonLine } from "../words/python_line.ts";
import { createDownloads } from "./download.ts";
import { viewChoice } from "./header.ts";
import type { Help } from "./help.ts";
import { sourceText, status } from "./status.ts";

const ICONS = {
  download: "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 11.5v2h11v-2",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  copied: "M3 8.5 6.5 12 13 4.5",
  enter: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  leave: "M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5",
  reset: "M3.5 5.5A5.2 5.2 0 1 1 2.8 9M3.2 2v3.7h3.7",
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a3.8 3.8 0 0 1 0 7.5H7",
  help: "M5.5 5.8a2.5 2.5 0 1 1 3.7 2.2c-.8.4-1.2.9-1.2 1.8M8 12.8h.01",
  more: "M3 8h.01M8 8h.01M13 8h.01",
};

/** Makes a button that copies a line of Python. If the browser forbids copying, the line appears below the button. */
function createCopy(items: HTMLElement, lineNow: () => string, redraw: () => void, signal: AbortSignal) {
  const { state, set, copy } = createCopier(redraw, signal);

  async function press() {
    await copy("line", lineNow());
    const field = items.querySelector("input");
    if (state.refused === "" || field === null) return;
    field.focus();
    field.select();
  }

  function onKey(event: KeyboardEvent) {
    event.stopPropagation();
    if (event.key !== "Escape") return;
    set("");
    items.querySelector<HTMLElement>('[data-testid="toolbar-copy"]')?.focus();
  }

  return {
    button: () =>
      state.done
        ? tool("copy", "Copied", ICONS.copied, press, "crw-done")
        : tool("copy", "Copy as Python", ICONS.copy, press),
    field: () => html`
      <input class="crw-code crw-box" readonly aria-label="Line of Python to copy" .value=${state.refused}
        ?hidden=${state.refused === ""} @blur=${() => set("")} @keydown=${onKey}>`,
  };
}

/** Makes the toolbar: three buttons, the last of which opens a menu with rarely used commands. */
export function createToolbar(
  controller: Controller,
  plot: SVGSVGElement,
  fullScreen: FullScreen,
  help: Help,
  jump: HTMLElement,
  corner: HTMLElement,
  isFile: boolean,
  signal: AbortSignal,
): Component {
  const toolbar = element("div", { class: "crw-toolbar crw-row" });
  const items = element("div", { class: "crw-panel crw-box crw-tools" });
  const copy = createCopy(items, () => pythonLine(picture), drawItems, signal);
  let picture: Picture;
  let isNarrow = false;

  const close = () => downloadMenu.close();
  const download = elementOf<HTMLButtonElement>(tool("download", "Download", ICONS.download));
  const downloadMenu = createMenu(
    download,
    createDownloads(() => picture, plot, close, signal),
    signal,
  );
  const more = elementOf<HTMLButtonElement>(tool("more", "More", ICONS.more));
  const moreMenu = createMenu(more, items, signal);
  const thenClose = (act: () => void) => () => {
    act();
    moreMenu.close();
  };
  const toggleHelp = thenClose(() => help.toggle(isNarrow ? more : explain));
  const explain = elementOf(tool("help", "Explain the picture", ICONS.help, toggleHelp));
  setAttributes(explain, { "aria-controls": help.element.id, "aria-expanded": "false" });
  listen(corner, "click", signal, moreMenu.close);

  function drawItems() {
    const { isReset } = picture;
    const isFull = fullScreen.isOn();
    const reset = () => (picture.isReset ? controller.undo() : controller.reset());
    const content = html`
      ${isNarrow ? [downloadMenu.element, explain, jump] : nothing}
      ${corner}
      ${copy.button()}
      ${tool("fullscreen", isFull ? "Leave full screen" : "Full screen", isFull ? ICONS.leave : ICONS.enter, thenClose(fullScreen.toggle), "", fullScreen.refusal())}
      ${tool("reset", isReset ? "Reset, undo" : "Reset", isReset ? ICONS.undo : ICONS.reset, thenClose(reset))}
      ${copy.field()}
      <p class="crw-static crw-small crw-text-muted">${sourceText(picture, isFile)}</p>`;
    render(content, items);
  }

  return {
    element: toolbar,
    draw(drawn, width) {
      picture = drawn;
      isNarrow = width === "narrow";
      drawItems();
      const icons = isNarrow ? nothing : [downloadMenu.element, explain];
      render(html`${status(picture)}${viewChoice(picture, controller)}${icons}${moreMenu.element}`, toolbar);
    },
  };
}

/**
 * Returns a button with an icon and a word. Outside a menu the word is for screen readers only. If `refusal`
 * is not empty, the button does nothing and shows `refusal` as the reason.
 */
const tool = (
  name: string,
  word: string,
  drawn: string,
  press: Press = null,
  look = "",
  refusal = "",
) => html`
  <button type="button" class="crw-tool ${look}" title=${refusal || word} data-testid="toolbar-${name}"
    aria-disabled=${refusal ? "true" : nothing} aria-description=${refusal || nothing}
    @click=${refusal ? null : press}>
    ${icon(drawn)}<span>${word}</span>
  </button>`;
type Press = (() => void) | null;
