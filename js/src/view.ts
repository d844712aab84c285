// Makes one view of the widget: builds it, fits it into the available space, and removes it.

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
/** If the height above the plot changes by fewer pixels than this, the plot is not drawn again. */
const NEAR = 6;
/**
 * Returns the number of extra rows above the plot. Several evaluations need one for the choice between them, and one
 * for their longer main sentence. The key may need more than its first row.
 */
const rowsOf = (picture: Picture) => (isOneAtATime(picture.group) ? 0 : 2) + keyRowsOf(picture) - 1;

/**
 * Returns the number of rows that the key needs for the largest of all bands. This room is reserved, so that choosing
 * another band does not move the plot.
 */
const keyRowsOf = (picture: Picture) => (hasLaid(picture) ? 2 : 1) + (picture.shown === null ? 0 : 1);

const hasLaid = ({ comparators }: Picture) => comparators.items.some(({ isLaid }) => isLaid);

/** Sets those attributes of the root that hosts, tests and style sheets read. */
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

/**
 * Returns a function that takes a width and shows the components in the order for this width. The focused
 * element keeps the focus.
 */
function createContents(root: HTMLElement, parts: Parts, show: (...content: HTMLElement[]) => void) {
  let shownWidth: Width | null = null;
  return (width: Width) => {
    if (width === shownWidth && !root.firstElementChild?.matches(".crw-error")) return;
    // If an open popover is removed from the page, it closes without an event. So it is closed before.
    for (const open of root.querySelectorAll<HTMLElement>("[aria-expanded=true] + [popover]"))
      open.hidePopover();
    const { activeElement } = treeOf(root);
    const focused = root.contains(activeElement) ? (activeElement as HTMLElement) : null;
    shownWidth = width;
    show(...contentOf(parts, width));
    if (focused && !hasFocus(focused)) focused.focus({ preventScroll: true });
  };
}

/** Measures the sizes that the layout needs. A hidden view has no width, so it keeps its last sizes. */
function createSizes(root: HTMLElement, isFull: () => boolean, changed: () => void, signal: AbortSignal) {
  const paper = createPaper(root, measure, signal);
  const ruler = createRuler();
  const sizes = {
    pixels: DEFAULT_WIDTH,
    visible: window.innerHeight,
    letters: 1,
    value: 0,
    /** The height above the plot in pixels. Undefined until it is measured. */
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
    /**
     * Measures the height above the plot, which depends on how sentences wrap. The plot gets the remaining height.
     * Returns whether the height has changed.
     */
    isMovedBy(drawing: Element): boolean {
      const found = drawing.getBoundingClientRect().top - root.getBoundingClientRect().top;
      if (found <= 0 || Math.abs(found - (sizes.above ?? 0)) < NEAR) return false;
      sizes.above = found;
      return true;
    },
  };
}

/** Builds a view into `el` and updates it. The returned function removes it. */
export function createView(controller: Controller, el: HTMLElement, page: OwnPage | null = null): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const root = html("div", {
    class: "crw",
    "data-testid": "crw",
    "data-jp-suppress-context-menu": "",
  });
  // A key such as Escape ends the full screen. The widget must handle the key earlier, so its listener is
  // added first.
  keepKeys(root, signal);
  const isFull = () => parts.fullScreen.isOn();
  // When the page is printed, sizes must be measured before the view is drawn. So createSizes is called
  // before createRedraw.
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
  // Before printing, `createRedraw` draws the view for paper, and then `watchWidth` measures the strips. Here
  // the view is drawn again with the measured widths.
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
