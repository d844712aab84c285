// Measures the space that a host gives: the visible height, where the host cuts the widget off, and the size of paper.

import { around, html, listen } from "./base/dom.ts";
import { scaleOf } from "./base/place.ts";

/** A width in pixels that fits A4 and Letter paper within the margins of browsers. */
const PAPER = 680;
/** If a box of the host is lower than this in pixels, it is closed or still opening. */
const CLOSED = 160;

function parentsOf(element: HTMLElement): HTMLElement[] {
  const parent = around(element) as HTMLElement | null;
  return parent ? [parent, ...parentsOf(parent)] : [];
}

/**
 * Returns the height of the scrolling element around an element, or else of the window, in the element's own pixels.
 */
export function visibleHeight(element: HTMLElement): number {
  const scroller = parentsOf(element).find(
    (at) =>
      /auto|scroll/.test(getComputedStyle(at).overflowY) &&
      at.scrollHeight > at.clientHeight + 1 &&
      at.clientHeight > 0 &&
      at !== document.body,
  );
  return Math.min(scroller?.clientHeight ?? window.innerHeight, window.innerHeight) / scaleOf(element);
}

/**
 * Returns the ancestors that would cut the root off if it were higher, up to the first ancestor that scrolls.
 */
function cuttersOf(root: HTMLElement): HTMLElement[] {
  const parents = parentsOf(root);
  const overflow = parents.map((at) => getComputedStyle(at).overflowY);
  const scroller = overflow.findIndex((each) => /auto|scroll/.test(each));
  return parents.filter((_, i) => (scroller < 0 || i < scroller) && /hidden|clip/.test(overflow[i]));
}

/** If the host cuts the root off, gives the root a scroll bar, because users could not reach the rest. */
export function fitHeight(root: HTMLElement, isFull: boolean) {
  const { scrollTop } = root;
  root.style.maxHeight = "";
  root.removeAttribute("data-cut");
  const cutters = isFull ? [] : cuttersOf(root);
  if (cutters.length === 0) return;
  const { top } = root.getBoundingClientRect();
  const scale = scaleOf(root);
  // The host's box may limit the root to its height. `scrollHeight` is then the height of the content.
  const high = scale * Math.max(root.offsetHeight, root.scrollHeight);
  const isPage = (at: HTMLElement) => at === document.body || at === document.documentElement;
  const ends = cutters.map((at) => (isPage(at) ? window.innerHeight : at.getBoundingClientRect().bottom));
  const room = Math.min(...ends) - top;
  if (high <= room + 1 || room < CLOSED) return;
  root.style.maxHeight = `${Math.floor(room / scale)}px`;
  root.setAttribute("data-cut", "");
  root.scrollTop = scrollTop;
}

/** Elements whose texts change during a drag. They are above or beside the control that the user drags. */
const WORDED = ".crw-answer, .crw-goal, .crw-key, .crw-key > div, .crw-numbers, .crw-answers, .crw-promise";

/**
 * Returns a function that is told whether a drag goes on. During a drag it fixes the heights of texts and tables, so
 * that the control stays under the pointer.
 */
export function createSteady(root: HTMLElement) {
  let isHeld = false;
  let kept: HTMLElement[] = [];
  return (held: boolean) => {
    if (held === isHeld) return;
    isHeld = held;
    root.toggleAttribute("data-held", held);
    if (!held) {
      root.style.minHeight = "";
      for (const each of kept)
        for (const name of ["height", "min-width", "max-width"]) each.style.removeProperty(name);
      kept = [];
      return;
    }
    const scale = scaleOf(root);
    // If the root shrank, a page that is scrolled to its end would jump. So the root keeps its height.
    root.style.minHeight = `${root.getBoundingClientRect().height / scale}px`;
    const blocks = [...root.querySelectorAll<HTMLElement>(WORDED)];
    const cells = [...root.querySelectorAll<HTMLElement>("td, th")];
    kept = [...blocks, ...cells];
    const boxes = kept.map((each) => each.getBoundingClientRect());
    kept.forEach((each, i) => {
      const [width, height] = [boxes[i].width, boxes[i].height].map((size) => `${size / scale}px`);
      if (i < blocks.length) each.style.height = height;
      else Object.assign(each.style, { minWidth: width, maxWidth: width });
    });
  };
}

/** The size of the page's letters in pixels. */
const SIZE = 13;
/** The width of a letter, as a share of the letters' size. */
const LETTER = 0.5;
/** The distance of a value from its slider in pixels. */
const BESIDE = 4;
/**
 * Returns the width of the user's letters divided by the width of the page's letters. If a user spaces
 * letters or forbids small ones, rows grow.
 */
export function fitLetters(root: HTMLElement): number {
  const { fontSize, letterSpacing } = getComputedStyle(root);
  const size = Number.parseFloat(fontSize) || SIZE;
  const letters = (size + (Number.parseFloat(letterSpacing) || 0) / LETTER) / SIZE;
  root.toggleAttribute("data-letters", letters > 1.02);
  return Math.max(1, letters);
}

/**
 * Makes an element that measures, in the user's letters, the longest usual value of a slider and the word beside it.
 */
export function createRuler() {
  const element = html("div", { class: "crw-ruler crw-hidden", "aria-hidden": "true" });
  return { element, width: () => element.scrollWidth + BESIDE };
}

/**
 * Lays the root out for paper while it is printed. Browsers do not report the size of paper, and the window's size
 * would not fit.
 */
export function createPaper(root: HTMLElement, changed: () => void, signal: AbortSignal) {
  let width: number | null = null;

  function set(next: number | null) {
    width = next;
    root.style.width = next === null ? "" : `${next}px`;
    changed();
  }

  listen(window, "beforeprint", signal, () => {
    const share = root.clientWidth / window.innerWidth;
    // If the root is at most half as wide as the window, something is beside it. On paper it then keeps its
    // share of the width.
    set(share > 0.5 ? PAPER : Math.round(share * PAPER));
  });
  listen(window, "afterprint", signal, () => set(null));
  return { width: () => width };
}

/**
 * Calls `measure` whenever the available room changes, until the returned function is called. It looks up the cutting
 * ancestors anew at each change, because the host may move the widget in its page.
 */
export function watchRoom(root: HTMLElement, measure: () => void): () => void {
  const watched = new Set<Element>();
  const resizing = new ResizeObserver(() => {
    look();
    measure();
  });
  function look() {
    for (const each of [root, ...cuttersOf(root)]) {
      if (watched.has(each)) continue;
      watched.add(each);
      resizing.observe(each);
    }
  }
  look();
  return () => resizing.disconnect();
}
