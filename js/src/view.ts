import { html, setAttributes } from "./base/dom.ts";
import { createFullScreen } from "./base/fullscreen.ts";
import { followTheme } from "./base/host_theme.ts";
import { onUndo } from "./base/keys.ts";
import type { Width } from "./base/width.ts";
import { createAnnouncer } from "./chrome/announcer.ts";
import { createArcChoice, createBandChoice } from "./chrome/band_choice.ts";
import { createLegend, createSentence, createSentenceRoom, createTitle } from "./chrome/captions.ts";
import { createDataTable } from "./chrome/data_table.ts";
import { createHelp } from "./chrome/help.ts";
import { createAlert, createNoteLine, createNotes, errorBox } from "./chrome/notes.ts";
import { createPicker } from "./chrome/picker.ts";
import { createPromise } from "./chrome/promise.ts";
import { createStaticLine } from "./chrome/status.ts";
import { createToolbar } from "./chrome/toolbar.ts";
import { createViewChoice } from "./chrome/view_choice.ts";
import { hasOtherViews, hasThird, keepTogether, plotSize, visibleHeight, widthOf } from "./layout.ts";
import { createComparatorsPanel } from "./panels/comparators.ts";
import { createCuts } from "./panels/cuts.ts";
import { createOtherViews } from "./panels/other_views.ts";
import { createOverview } from "./panels/overview.ts";
import { createSignificance } from "./panels/significance.ts";
import { createThreshold } from "./panels/threshold.ts";
import { createUndecided } from "./panels/undecided.ts";
import { createUsePanel } from "./panels/use.ts";
import { createCurvePlot } from "./plot/curve_plot.ts";
import { createOverviewPlot } from "./plot/overview_plot.ts";
import { createPlot, type Plot } from "./plot/roc_plot.ts";
import { isCompared } from "./sync/comparators.ts";
import type { Controller } from "./sync/controller.ts";
import type { Component, Picture } from "./sync/view_model.ts";
import type { ViewKind } from "./wire/messages.ts";
import type { OtherView } from "./words/views.ts";

const DEFAULT_WIDTH = 960;
const READING_PACE_MS = 100;
const REST_MS = 500;

/** The plot and the components around it: of one evaluation, or of several together. */
interface Scene {
  name: "entry" | "overview";
  plot: Plot;
  /** Above the plot; before the sliders; after them. */
  above: Component[];
  before: Component[];
  after: Component[];
}

/** A page for this chart alone, which has no text around it. */
export interface OwnPage {
  title: string;
}

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

  const subject = html("p", { class: "crw-subject" }, page?.title ?? "");
  const title = createTitle();
  const alert = createAlert(schedule);
  const noteLine = createNoteLine(controller, signal);
  const notes = createNotes(controller, schedule);
  const picker = createPicker(controller, signal);
  const significance = createSignificance(controller, signal);
  const threshold = createThreshold(controller, signal);
  const staticLine = createStaticLine(page !== null);
  const table = createDataTable(signal);
  const announcer = createAnnouncer(signal);
  const fullScreen = createFullScreen(root, measure, signal);
  const help = createHelp(root, signal);
  const toolbar = createToolbar(controller, () => scene.plot.drawing, fullScreen, help, signal);
  const viewChoice = createViewChoice(controller, signal);
  const otherViews = createOtherViews(controller, signal);
  const use = createUsePanel(controller, signal);
  const undecided = createUndecided(schedule, signal);
  for (const { element } of [use, undecided]) element.addEventListener("toggle", schedule, { signal });
  const summary = createSentence();
  const room = createSentenceRoom();
  const legend = createLegend();
  const promise = createPromise(controller, signal);
  /** The components that are read: words, numbers, tables. */
  const texts = [
    ...[title, summary, room, alert, noteLine, notes, picker, significance.texts, threshold.texts],
    ...[legend, promise, staticLine, table, announcer, toolbar, undecided, use, help],
  ];
  const disclosures = html(
    "div",
    { class: "crw-folds" },
    ...significance.disclosures,
    ...threshold.disclosures,
  );

  /** In the order of the keyboard; the toolbar comes last and stands at the top. */
  function contentOf({ plot, above, before, after }: Scene): HTMLElement[] {
    const results = threshold.texts.element;
    const isFree = results.closest(".crw-fold") === null;
    if (isFree && !isThird) threshold.element.append(results);
    const elements = (...components: Component[]) => components.map(({ element }) => element);
    return [
      subject,
      ...elements(title, room, summary, alert, noteLine),
      html(
        "div",
        { class: "crw-figure" },
        ...elements(picker, viewChoice, ...above),
        plot.element,
        otherViews.element,
      ),
      html(
        "div",
        { class: "crw-modules" },
        ...elements(...before, significance, threshold),
        significance.residuals,
        ...elements(...after, ...(isThird ? [] : [undecided, use])),
      ),
      html(
        "div",
        { class: isThird ? "crw-third" : "crw-foot" },
        ...(isThird && isFree ? [results] : []),
        ...(isThird ? elements(undecided, use) : []),
        ...elements(promise, legend, notes, staticLine),
      ),
      disclosures,
      ...elements(table, announcer, toolbar, help),
    ];
  }

  const otherView = (view: OtherView) => (): Scene => ({
    name: "entry",
    plot: createCurvePlot(view, controller, signal),
    above: [],
    before: [],
    after: [],
  });

  const scenes: Record<ViewKind | "overview", () => Scene> = {
    precision_recall: otherView("precision_recall"),
    reliability: otherView("reliability"),
    net_benefit: otherView("net_benefit"),
    roc: () => ({
      name: "entry",
      plot: createPlot(controller, signal),
      above: [createArcChoice(controller, signal), createBandChoice(controller, signal)],
      before: [],
      after: [createComparatorsPanel(controller, signal)],
    }),
    overview: () => ({
      name: "overview",
      plot: createOverviewPlot(controller, signal),
      above: [],
      before: [createOverview(controller, signal)],
      after: [createCuts(controller, signal)],
    }),
  };
  const built: Partial<Record<keyof typeof scenes, Scene>> = {};
  let scene: Scene;
  let pixels = DEFAULT_WIDTH;
  let screen: number | null = null;
  let visible = window.innerHeight;
  let scheduled = 0;
  let drawn: [Picture, Width];
  let following: number | null = null;
  let isResized = true;
  let isNear = true;
  let isStale = false;
  let late: number | undefined;
  let heading = 0;
  let isThird = false;
  /** The heading above the plot is measured again at most so often: beside a smaller plot it breaks into more lines. */
  const PASSES = 3;
  let passes = PASSES;

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

  function setScene(name: keyof typeof scenes) {
    const wasThird = isThird;
    isThird = hasThird(pixels);
    const focused = root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    scene = built[name] ??= scenes[name]();
    if (root.contains(scene.plot.element) && isThird === wasThird) return;
    // Components that both scenes show go over to the one that is drawn now.
    root.replaceChildren(...contentOf(scene));
    focused?.focus({ preventScroll: true });
  }

  function draw(picture: Picture) {
    setScene(picture.shown === null ? "overview" : picture.view);
    const width = widthOf(pixels);
    const size = plotSize(pixels, visible, screen, heading);
    root.style.setProperty("--crw-figure", `${size.left + size.size + size.right}px`);
    setAttributes(root, {
      "data-ready": 1,
      "data-width": width,
      "data-view": isCompared(picture) ? "comparison" : scene.name,
      "data-alpha": picture.frame.alpha,
      "data-threshold": picture.frame.threshold,
      "data-source": picture.source,
    });
    root.toggleAttribute("data-third", isThird);
    root.toggleAttribute("data-waiting", picture.waiting);
    root.toggleAttribute("data-asking", picture.asking);
    root.toggleAttribute("data-easing", picture.easing && !picture.held);
    const { plot, above, before, after } = scene;
    for (const component of [viewChoice, significance, threshold, ...above, ...before, ...after]) {
      component.draw(picture, width);
    }
    plot.draw(picture, size);
    drawn = [picture, width];
    if (!picture.held) {
      drawTexts();
      if (isResized) place();
      return;
    }
    // While a hand moves something, texts and the small views follow as fast as one can read, and leave the
    // frames to the drawing.
    root.setAttribute("data-words-follow", "");
    following ??= window.setTimeout(drawTextsBetweenFrames, READING_PACE_MS);
  }

  function drawTexts() {
    clearTimeout(following ?? undefined);
    following = null;
    root.removeAttribute("data-words-follow");
    for (const text of texts) text.draw(...drawn);
    otherViews.draw(drawn[0], hasOtherViews(pixels));
  }

  function drawTextsBetweenFrames() {
    drawTexts();
    // Laid out now, they do not keep the next frame waiting.
    root.getBoundingClientRect();
  }

  /** A page of its own shows the whole plot as it is opened; a notebook is scrolled to it. */
  function place() {
    isResized = false;
    const top = keepTogether(root);
    if (page === null || passes === 0 || top === heading) return;
    passes -= 1;
    heading = top;
    isResized = true;
    schedule();
  }

  /** A hidden view has no width; it keeps the one it had. */
  function measure() {
    const before = [pixels, visible].join();
    pixels = root.clientWidth || pixels;
    screen = fullScreen.isOn() ? root.clientHeight : null;
    visible = visibleHeight(root);
    if ([pixels, visible].join() !== before) passes = PASSES;
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
