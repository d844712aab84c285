import { createAnnouncer } from "./announcer.ts";
import { createBandChoice } from "./choice.ts";
import type { Controller, Picture } from "./controller.ts";
import { html, setAttributes } from "./dom.ts";
import { createHeader } from "./header.ts";
import { plotSize, widthOf } from "./layout.ts";
import { createLegend } from "./legend.ts";
import { createSignificance } from "./modules/significance.ts";
import { createThreshold } from "./modules/threshold.ts";
import { createAlert, createNotes, errorBox } from "./notes.ts";
import type { Part } from "./part.ts";
import { createPlot } from "./plot.ts";
import { createSummary } from "./summary.ts";
import { followTheme } from "./theme.ts";

const DEFAULT_WIDTH = 960;

/** Builds one view into `el` and keeps it up to date; the returned function takes it away again. */
export function createView(controller: Controller, el: HTMLElement): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const root = html("div", {
    class: "crw",
    "data-testid": "crw",
    "data-jp-suppress-context-menu": "",
    "data-lm-suppress-shortcuts": "true",
  });

  const header = createHeader();
  const summary = createSummary();
  const alert = createAlert();
  const notes = createNotes();
  const choice = createBandChoice(controller, signal);
  const plot = createPlot(controller, signal);
  const modules = [createSignificance(controller, signal), createThreshold(controller, signal)];
  const legend = createLegend();
  const announcer = createAnnouncer(signal);
  const parts: Part[] = [header, summary, alert, notes, choice, ...modules, legend, announcer];
  const content = [
    header.element,
    summary.element,
    alert.element,
    notes.element,
    html("div", { class: "crw-figure" }, choice.element, plot.element),
    html("div", { class: "crw-modules" }, ...modules.map(({ element }) => element)),
    legend.element,
    announcer.element,
  ];

  let pixels = DEFAULT_WIDTH;
  let scheduled = 0;

  function schedule() {
    if (scheduled === 0) scheduled = requestAnimationFrame(drawNewest);
  }

  function drawNewest() {
    scheduled = 0;
    const picture = controller.picture();
    if (picture.ok) draw(picture.value);
    else root.replaceChildren(errorBox("The widget could not read its data:", `${picture.problem}.`));
  }

  function draw(picture: Picture) {
    if (header.element.parentNode !== root) root.replaceChildren(...content);
    const width = widthOf(pixels);
    const size = plotSize(pixels);
    root.style.setProperty("--crw-figure", `${size.left + size.size + size.right}px`);
    for (const part of parts) part.draw(picture, width);
    plot.draw(picture, size);
    setAttributes(root, {
      "data-ready": 1,
      "data-width": width,
      "data-alpha": picture.frame.alpha,
      "data-threshold": picture.frame.threshold,
      "data-source": picture.source,
    });
  }

  /** A hidden view has no width; it keeps the one it had. */
  function measure() {
    pixels = root.clientWidth || pixels;
    schedule();
  }

  el.append(root);
  measure();
  const resizing = new ResizeObserver(measure);
  resizing.observe(root);
  followTheme(root, signal);
  const unsubscribe = controller.subscribe(schedule);

  return () => {
    ending.abort();
    unsubscribe();
    resizing.disconnect();
    cancelAnimationFrame(scheduled);
    root.remove();
  };
}
