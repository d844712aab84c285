// One view of the widget: it is built, laid out by the room that there is, and taken away.

import { hasFocus, html, listen, setAttributes, treeOf } from "./base/dom.ts";
import { followGround } from "./base/ground.ts";
import { keepKeys, onUndo } from "./base/keys.ts";
import type { Width } from "./base/width.ts";
import { errorBox } from "./chrome/notes.ts";
import { contentOf, createParts, movingParts, type OwnPage, type Parts, readParts } from "./contents.ts";
import { isOneAtATime } from "./evaluation/horizons.ts";
import { keepTogether, type Layout, layoutOf } from "./layout.ts";
import { createReading, createRedraw } from "./redraw.ts";
import {
  createPaper,
  createRuler,
  createSteady,
  fitHeight,
  fitLetters,
  visibleHeight,
  watchRoom,
} from "./room.ts";
import type { Picture } from "./shown/picture.ts";
import type { Controller } from "./sync/controller.ts";

const DEFAULT_WIDTH = 960;
/** The plot is not drawn anew for fewer pixels above it. */
const NEAR = 6;
/** How many rows stand above the plot besides the key's first: the choice among several and their longer sentence, and the key's others. */
const rowsOf = (picture: Picture) => (isOneAtATime(picture.group) ? 0 : 2) + keyRowsOf(picture) - 1;

/** The rows of the key that have room in every question, so that another one moves no plot. */
const keyRowsOf = (picture: Picture) => (hasLaid(picture) ? 2 : 1) + (picture.shown === null ? 0 : 1);

const hasLaid = ({ comparators }: Picture) => comparators.items.some(({ isLaid }) => isLaid);

/** Sets the attributes of the root that hosts, tests and style sheets read. */
function setState(root: HTMLElement, picture: Picture) {
  setAttributes(root, {
    "data-ready": 1,
    "data-view": picture.shown === null ? "overview" : "entry",
    "data-band": picture.band,
    "data-alpha": picture.frame.alpha,
    "data-threshold": picture.frame.threshold,
    "data-source": picture.source,
  });
  root.toggleAttribute("data-classes", picture.shown === null && picture.group.kind === "classes");
  root.toggleAttribute("data-waiting", picture.waiting);
  root.toggleAttribute("data-asking", picture.asking);
  root.toggleAttribute("data-easing", picture.easing && !picture.held);
}

function setLayout(root: HTMLElement, { confidence, threshold }: Parts, layout: Layout, keyRows: number) {
  const { width, gap, gutter, strips } = layout;
  const { left, size, right } = layout.plot;
  root.style.setProperty("--crw-figure", `${left + size + right}px`);
  root.style.setProperty("--crw-key-rows", `${keyRows}`);
  root.style.setProperty("--crw-gap", `${gap}px`);
  root.style.setProperty("--crw-gutter", `${gutter}px`);
  setAttributes(root, { "data-width": width });
  for (const panel of [confidence, threshold]) panel.setRoom(strips);
}

/** Shows what a view of a width consists of; what had the focus keeps it. */
function createContents(root: HTMLElement, parts: Parts, show: (...content: HTMLElement[]) => void) {
  let shownWidth: Width | null = null;
  return (width: Width) => {
    if (width === shownWidth && !root.firstElementChild?.matches(".crw-error")) return;
    // A popover that is taken off the page would close without an event.
    for (const open of root.querySelectorAll<HTMLElement>("[aria-expanded=true] + [popover]"))
      open.hidePopover();
    const { activeElement } = treeOf(root);
    const focused = root.contains(activeElement) ? (activeElement as HTMLElement) : null;
    shownWidth = width;
    show(...contentOf(parts, width));
    if (focused && !hasFocus(focused)) focused.focus({ preventScroll: true });
  };
}

/** The sizes of what a view has room in; a hidden view, which has no width, keeps those that it had. */
function createSizes(root: HTMLElement, isFull: () => boolean, changed: () => void, signal: AbortSignal) {
  const paper = createPaper(root, measure, signal);
  const ruler = createRuler();
  const sizes = {
    pixels: DEFAULT_WIDTH,
    visible: window.innerHeight,
    letters: 1,
    value: 0,
    /** The height above the plot, once it is measured. */
    above: undefined as number | undefined,
  };

  function measure() {
    sizes.letters = fitLetters(root);
    sizes.value = ruler.width();
    sizes.pixels = paper.width() ?? (root.clientWidth || sizes.pixels);
    sizes.visible = isFull() ? root.clientHeight : visibleHeight(root);
    changed();
  }

  return {
    sizes,
    ruler: ruler.element,
    measure,
    /** Sentences wrap freely; the plot takes the height that they leave. Returns whether it is another one. */
    isMovedBy(drawing: Element): boolean {
      const found = drawing.getBoundingClientRect().top - root.getBoundingClientRect().top;
      if (found <= 0 || Math.abs(found - (sizes.above ?? 0)) < NEAR) return false;
      sizes.above = found;
      return true;
    },
  };
}

/** Builds one view into `el` and keeps it up to date; the returned function takes it away again. */
export function createView(controller: Controller, el: HTMLElement, page: OwnPage | null = null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const root = html("div", {
    class: "crw",
    "data-testid": "crw",
    "data-jp-suppress-context-menu": "",
  });
  // Keys are taken first here: the full screen ends at a key.
  keepKeys(root, signal);
  const isFull = () => parts.fullScreen.isOn();
  // The listener for paper in it must come before the one of redraw.ts, which draws for paper.
  const { sizes, ruler, measure, isMovedBy } = createSizes(root, isFull, () => redraw.resize(), signal);
  const redraw = createRedraw(root, drawNow, signal);
  const { schedule } = redraw;
  const parts = createParts(controller, root, page, schedule, measure, signal);
  const reading = createReading(root, readParts(parts), signal);
  const moving = movingParts(parts);
  const steady = createSteady(root);

  function drawNow() {
    const picture = controller.picture();
    if (picture.ok) draw(picture.value);
    else show(errorBox("The widget could not read its data:", `${picture.problem}.`));
  }

  const show = (...content: HTMLElement[]) => root.replaceChildren(...content, ground, ruler);

  const setContent = createContents(root, parts, show);

  function draw(given: Picture) {
    steady(given.held);
    const isOwn = (page !== null && window.parent === window) || isFull();
    const { pixels, visible, letters, value, above } = sizes;
    const layout = layoutOf(pixels, visible, isOwn, rowsOf(given), letters, value, above);
    const picture = { ...given, side: layout.plot.size / letters };
    const { width } = layout;
    setContent(width);
    setLayout(root, parts, layout, width === "wide" ? keyRowsOf(picture) : 1);
    setState(root, picture);
    for (const component of moving) component.draw(picture, width);
    parts.plot.draw(picture, layout.plot);
    reading.draw(picture, width);
    if (isOwn && !picture.held && isMovedBy(parts.plot.drawing)) schedule();
    if (picture.held || !redraw.wasResized()) return;
    fitHeight(root, isFull());
    keepTogether(root);
  }

  onUndo(root, () => controller.undo(), signal);
  el.append(root);
  const ground = followGround(root, signal);
  root.append(ruler);
  measure();
  const leaveRoom = watchRoom(root, measure);
  listen(window, "resize", signal, measure);
  // The second drawing for paper uses the widths that the strips have measured in the first.
  listen(window, "beforeprint", signal, () => {
    redraw.resize();
    drawNow();
  });
  const unsubscribe = controller.subscribe(schedule);

  return () => {
    ending.abort();
    unsubscribe();
    leaveRoom();
    root.remove();
  };
}
