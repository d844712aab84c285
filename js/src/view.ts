import { html, setAttributes } from "./base/dom.ts";
import { createFullScreen } from "./base/fullscreen.ts";
import { followTheme } from "./base/host_theme.ts";
import { onUndo } from "./base/keys.ts";
import type { Width } from "./base/width.ts";
import { createAnnouncer } from "./chrome/announcer.ts";
import { createAnswer } from "./chrome/answer.ts";
import { createDataTable } from "./chrome/data_table.ts";
import { createHeader } from "./chrome/header.ts";
import { createHelp } from "./chrome/help.ts";
import { createAlert, createNotes, errorBox } from "./chrome/notes.ts";
import { createPicker } from "./chrome/picker.ts";
import { createPromise } from "./chrome/promise.ts";
import { createQuestion } from "./chrome/question.ts";
import { createToolbar } from "./chrome/toolbar.ts";
import { createKey } from "./draw/key.ts";
import { createPlot } from "./draw/plot.ts";
import { keepTogether, type Layout, layoutOf, visibleHeight } from "./layout.ts";
import { createConfidence } from "./panels/confidence.ts";
import { createFigures } from "./panels/figures.ts";
import { createNumbers } from "./panels/numbers.ts";
import { createOverview } from "./panels/overview.ts";
import { createThreshold } from "./panels/threshold.ts";
import type { Controller } from "./sync/controller.ts";
import type { Component, Picture } from "./sync/view_model.ts";

const DEFAULT_WIDTH = 960;
const READING_PACE_MS = 100;
const REST_MS = 500;

/** A page for this chart alone, which has no text around it. */
export interface OwnPage {
  title: string;
}

/** Every piece of the view, built once. */
function createParts(
  controller: Controller,
  root: HTMLElement,
  page: OwnPage | null,
  schedule: () => void,
  measure: () => void,
  signal: AbortSignal,
) {
  const threshold = createThreshold(controller, signal);
  const plot = createPlot(controller, threshold.explain, signal);
  const help = createHelp(root, signal);
  const fullScreen = createFullScreen(root, measure, signal);
  const toolbar = createToolbar(
    controller,
    plot.drawing,
    fullScreen,
    help,
    threshold.jump,
    page !== null,
    signal,
  );
  return {
    head: createHeader(controller, page?.title ?? "", signal),
    toolbar,
    question: createQuestion(controller, signal),
    answer: createAnswer(),
    alert: createAlert(schedule),
    picker: createPicker(controller, signal),
    key: createKey(controller, signal),
    plot,
    confidence: createConfidence(controller, signal),
    threshold,
    overview: createOverview(controller, signal),
    numbers: createNumbers(controller, signal),
    promise: createPromise(controller, signal),
    figures: createFigures(controller, schedule, signal),
    notes: createNotes(),
    table: createDataTable(signal),
    announcer: createAnnouncer(signal),
    help,
    fullScreen,
  };
}

type Parts = ReturnType<typeof createParts>;

const box = (name: string, ...children: HTMLElement[]) => html("div", { class: name }, ...children);

const fold = (title: string, content: HTMLElement) =>
  html("details", { class: "crw-fold" }, html("summary", {}, html("b", {}, title)), content);

/** In the order in which it is read and in which the keyboard goes through it. */
function contentOf(parts: Parts, width: Width): HTMLElement[] {
  const { head, toolbar, question, answer, alert, picker, key, plot, confidence, threshold } = parts;
  const { overview, numbers, promise, figures, notes, table, announcer, help } = parts;
  const start = [box("crw-header", head.element, toolbar.element), question.element];
  const end = [notes, table, announcer, help].map(({ element }) => element);
  const figure = box("crw-figure", picker.element, key.element, plot.element);
  if (width === "narrow") {
    figure.append(key.element);
    return [
      ...[...start, alert.element, figure, confidence.element, threshold.element, answer.element],
      ...[overview.element, confidence.strips, promise.element],
      fold("Test scores", threshold.strips),
      fold("Counts and limits", numbers.element),
      ...[figures.element, ...end],
    ];
  }
  const foot = box("crw-foot", promise.element, figures.element);
  if (width === "medium") {
    const modules = [confidence.element, threshold.element, numbers.element, overview.element];
    return [
      ...[...start, answer.element, alert.element, box("crw-body", figure, box("crw-modules", ...modules))],
      box("crw-columns", confidence.strips, threshold.strips),
      ...[foot, ...end],
    ];
  }
  const modules = box(
    "crw-modules",
    box("crw-block", confidence.element, confidence.strips),
    box("crw-block", threshold.element, threshold.strips),
    ...[numbers.element, overview.element],
  );
  return [...start, answer.element, alert.element, box("crw-body", figure, modules), foot, ...end];
}

/** Rows above the plot besides the key. */
const rowsOf = (picture: Picture) => (picture.group.kind === "single" ? 0 : 1) + (hasLaid(picture) ? 1 : 0);

const hasLaid = ({ comparators }: Picture) => comparators.items.some(({ isLaid }) => isLaid);

/** Builds one view into `el` and keeps it up to date; the returned function takes it away again. */
export function createView(controller: Controller, el: HTMLElement, page: OwnPage | null = null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const root = html("div", {
    class: "crw",
    "data-testid": "crw",
    "data-jp-suppress-context-menu": "",
    "data-lm-suppress-shortcuts": "true",
  });
  const parts = createParts(controller, root, page, schedule, measure, signal);
  const { confidence, threshold, plot } = parts;
  /** What a hand moves is drawn in every frame. */
  const moving: Component[] = [parts.picker, parts.key, confidence, threshold, parts.overview];
  /** Words, numbers, tables: they are read. */
  const texts: Component[] = [
    ...[parts.head, parts.toolbar, parts.question, parts.answer, parts.alert, confidence.texts],
    ...[threshold.texts, parts.numbers, parts.promise, parts.figures, parts.notes, parts.table],
    ...[parts.announcer, parts.help],
  ];
  let shownWidth: Width | null = null;
  let pixels = DEFAULT_WIDTH;
  let visible = window.innerHeight;
  let scheduled = 0;
  let drawn: [Picture, Width];
  let following: number | null = null;
  let isResized = true;
  let isNear = true;
  let isStale = false;
  let late: number | undefined;

  function schedule() {
    if (scheduled === 0) scheduled = requestAnimationFrame(drawNewest);
  }

  /**
   * Out of sight nothing is drawn while anything moves. Once it has rested one drawing makes it true, for searches,
   * screen readers and scripts; a change of size is drawn, for what lies below has its place from it, and so are keys.
   */
  function drawNewest() {
    scheduled = 0;
    clearTimeout(late);
    isStale = !(isNear || isResized || root.matches(":focus-within"));
    if (isStale) late = window.setTimeout(drawNow, REST_MS);
    else drawNow();
  }

  function drawNow() {
    isStale = false;
    const picture = controller.picture();
    if (picture.ok) draw(picture.value);
    else root.replaceChildren(errorBox("The widget could not read its data:", `${picture.problem}.`));
  }

  function setContent(width: Width) {
    if (width === shownWidth && !root.firstElementChild?.matches(".crw-error")) return;
    const focused = root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    shownWidth = width;
    root.replaceChildren(...contentOf(parts, width));
    if (document.activeElement !== focused) focused?.focus({ preventScroll: true });
  }

  function setLayout(layout: Layout, keyRows: number) {
    const { width, isDense, gap, gutter, strips } = layout;
    const { left, size, right } = layout.plot;
    root.style.setProperty("--crw-figure", `${left + size + right}px`);
    root.style.setProperty("--crw-key-rows", `${keyRows}`);
    root.style.setProperty("--crw-gap", `${gap}px`);
    root.style.setProperty("--crw-gutter", `${gutter}px`);
    setAttributes(root, { "data-width": width });
    root.toggleAttribute("data-dense", isDense);
    for (const panel of [confidence, threshold]) panel.setHeights(strips);
  }

  function draw(picture: Picture) {
    const isOwn = (page !== null && window.parent === window) || parts.fullScreen.isOn();
    const layout = layoutOf(pixels, visible, isOwn, rowsOf(picture));
    const { width } = layout;
    setContent(width);
    setLayout(layout, hasLaid(picture) ? 2 : 1);
    setAttributes(root, {
      "data-ready": 1,
      "data-view": picture.shown === null ? "overview" : "entry",
      "data-band": picture.band,
      "data-alpha": picture.frame.alpha,
      "data-threshold": picture.frame.threshold,
      "data-source": picture.source,
    });
    root.toggleAttribute("data-waiting", picture.waiting);
    root.toggleAttribute("data-asking", picture.asking);
    root.toggleAttribute("data-easing", picture.easing && !picture.held);
    for (const component of moving) component.draw(picture, width);
    plot.draw(picture, layout.plot);
    drawn = [picture, width];
    if (!picture.held) {
      drawTexts();
      if (isResized) {
        isResized = false;
        keepTogether(root);
      }
      return;
    }
    // While a hand moves something, texts follow as fast as one can read, and leave the frames to the drawing.
    root.setAttribute("data-words-follow", "");
    following ??= window.setTimeout(drawTextsBetweenFrames, READING_PACE_MS);
  }

  function drawTexts() {
    clearTimeout(following ?? undefined);
    following = null;
    root.removeAttribute("data-words-follow");
    for (const text of texts) text.draw(...drawn);
  }

  function drawTextsBetweenFrames() {
    drawTexts();
    // Laid out now, they do not keep the next frame waiting.
    root.getBoundingClientRect();
  }

  /** A hidden view has no width; it keeps the one it had. */
  function measure() {
    pixels = root.clientWidth || pixels;
    visible = parts.fullScreen.isOn() ? root.clientHeight : visibleHeight(root);
    isResized = true;
    schedule();
  }

  onUndo(root, () => controller.undo(), signal);
  el.append(root);
  measure();
  const resizing = new ResizeObserver(measure);
  resizing.observe(root);
  window.addEventListener("resize", measure, { signal });
  window.addEventListener("beforeprint", drawNow, { signal });
  const sighting = new IntersectionObserver(
    (changes) => {
      isNear = changes[changes.length - 1].isIntersecting;
      if (isStale) schedule();
    },
    // What lies a screen away is drawn already when one scrolls to it.
    { rootMargin: "100%", scrollMargin: "100%" },
  );
  sighting.observe(root);
  followTheme(root, signal);
  const unsubscribe = controller.subscribe(schedule);

  return () => {
    ending.abort();
    unsubscribe();
    resizing.disconnect();
    sighting.disconnect();
    cancelAnimationFrame(scheduled);
    clearTimeout(following ?? undefined);
    clearTimeout(late);
    root.remove();
  };
}
