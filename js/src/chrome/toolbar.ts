// Toolbar: download, explanation, and a menu with what is wanted seldom.

import { decoration, html, listen, setAttributes, setText, svg } from "../base/dom.ts";
import type { FullScreen } from "../base/fullscreen.ts";
import { createMenu } from "../base/menu.ts";
import { createTimer } from "../base/timer.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import { pythonLine } from "../words/python_line.ts";
import { createDownloads } from "./download.ts";
import type { Help } from "./help.ts";
import { createStatus, sourceText } from "./status.ts";

const COPIED_MS = 2000;

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

/** The toolbar: three buttons, the last of which opens a menu with what is needed seldom. */
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
  const status = createStatus();
  const on = (button: HTMLElement, listener: () => void) => listen(button, "click", signal, listener);
  let picture: Picture;
  let wasNarrow = false;

  const download = toolButton("download", "Download", ICONS.download);
  const downloads = createDownloads(
    () => picture,
    plot,
    () => downloadMenu.close(),
    signal,
  );
  const downloadMenu = createMenu(download.element, downloads, signal);

  const copy = createCopy(() => picture, signal);
  const explain = toolButton("help", "Explain the picture", ICONS.help);
  setAttributes(explain.element, { "aria-controls": help.element.id, "aria-expanded": "false" });
  on(explain.element, () => help.toggle(wasNarrow ? more.element : explain.element));

  const full = toolButton("fullscreen", "Full screen", ICONS.enter);
  on(full.element, fullScreen.toggle);
  const reset = toolButton("reset", "Reset", ICONS.reset);
  on(reset.element, () => (picture.isReset ? controller.undo() : controller.reset()));
  const source = html("p", { class: "crw-static crw-small crw-text-muted" });
  const more = toolButton("more", "More", ICONS.more);
  const items = html(
    "div",
    { class: "crw-panel crw-box crw-tools" },
    ...[corner, copy.element, full.element, reset.element, copy.line, source],
  );
  const moreMenu = createMenu(more.element, items, signal);
  for (const item of [explain.element, full.element, reset.element, corner]) on(item, moreMenu.close);

  return {
    element: html(
      "div",
      { class: "crw-toolbar crw-row" },
      ...[status.element, downloadMenu.element, explain.element, moreMenu.element],
    ),
    draw(drawn, width) {
      picture = drawn;
      const isNarrow = width === "narrow";
      if (isNarrow !== wasNarrow) {
        wasNarrow = isNarrow;
        if (isNarrow) items.prepend(downloadMenu.element, explain.element, jump);
        else moreMenu.element.before(downloadMenu.element, explain.element);
      }
      status.draw(drawn);
      setText(source, sourceText(drawn, isFile));
      reset.show(drawn.isReset ? "Reset, undo" : "Reset", drawn.isReset ? ICONS.undo : ICONS.reset);
      const isFull = fullScreen.isOn();
      full.show(isFull ? "Leave full screen" : "Full screen", isFull ? ICONS.leave : ICONS.enter);
    },
  };
}

/** Copies the picture as a line of Python; where the page may not, the line stands there to be copied. */
function createCopy(picture: () => Picture, signal: AbortSignal) {
  const copy = toolButton("copy", "Copy as Python", ICONS.copy);
  const line = html("input", {
    class: "crw-code crw-box",
    readonly: "",
    "aria-label": "Line of Python to copy",
  });
  line.hidden = true;
  const later = createTimer(signal);
  function showCopied(isCopied: boolean) {
    copy.show(isCopied ? "Copied" : "Copy as Python", isCopied ? ICONS.copied : ICONS.copy);
    copy.element.classList.toggle("crw-done", isCopied);
  }
  listen(copy.element, "click", signal, copyLine);
  async function copyLine() {
    line.value = pythonLine(picture());
    line.hidden = await isCopied(line.value);
    if (signal.aborted) return;
    if (!line.hidden) {
      line.focus();
      line.select();
      return;
    }
    showCopied(true);
    later(() => showCopied(false), COPIED_MS);
  }
  listen(line, "blur", signal, () => (line.hidden = true));
  listen(line, "keydown", signal, (event) => {
    event.stopPropagation();
    if (event.key !== "Escape") return;
    line.hidden = true;
    copy.element.focus();
  });
  return { element: copy.element, line };
}

/** A button with an icon and a word; outside a menu a screen reader alone has the word. */
function toolButton(name: string, word: string, icon: string) {
  const path = svg("path", { d: icon });
  const text = html("span");
  const element = html(
    "button",
    { class: "crw-tool", "data-testid": `toolbar-${name}` },
    decoration({ class: "crw-icon", width: 16, height: 16 }, path),
    text,
  );
  function show(newWord: string, newIcon: string) {
    setText(text, newWord);
    setAttributes(element, { title: newWord });
    setAttributes(path, { d: newIcon });
  }
  show(word, icon);
  return { element, show };
}

/** Copies a text; false if the page may not use the clipboard. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
