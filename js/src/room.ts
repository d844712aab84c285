// The room that a host gives: how much of it is seen at once, where it ends, and the paper that it is printed on.

import { around, html, listen } from "./base/dom.ts";
import { scaleOf } from "./base/place.ts";

/** Fits on A4 and on Letter, with the margins that browsers leave. */
const PAPER = 680;
/** A box lower than this is closed, or about to open. */
const CLOSED = 160;

function parentsOf(element: HTMLElement): HTMLElement[] {
  const parent = around(element) as HTMLElement | null;
  return parent ? [parent, ...parentsOf(parent)] : [];
}

/** Height of the part that scrolls around an element, or of the window, in the element's own pixels. */
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

/** The elements around the root that cut off what is higher than they are, up to the first one that scrolls. */
function cuttersOf(root: HTMLElement): HTMLElement[] {
  const parents = parentsOf(root);
  const overflow = parents.map((at) => getComputedStyle(at).overflowY);
  const scroller = overflow.findIndex((each) => /auto|scroll/.test(each));
  return parents.filter((_, i) => (scroller < 0 || i < scroller) && /hidden|clip/.test(overflow[i]));
}

/** Lets the root scroll where a host cuts it off, since nobody could see the rest. */
export function fitHeight(root: HTMLElement, isFull: boolean) {
  const { scrollTop } = root;
  root.style.maxHeight = "";
  root.removeAttribute("data-cut");
  const cutters = isFull ? [] : cuttersOf(root);
  if (cutters.length === 0) return;
  const { top } = root.getBoundingClientRect();
  const scale = scaleOf(root);
  // A host may make the root as low as its own box.
  const high = scale * Math.max(root.offsetHeight, root.scrollHeight);
  const isPage = (at: HTMLElement) => at === document.body || at === document.documentElement;
  const ends = cutters.map((at) => (isPage(at) ? window.innerHeight : at.getBoundingClientRect().bottom));
  const room = Math.min(...ends) - top;
  if (high <= room + 1 || room < CLOSED) return;
  root.style.maxHeight = `${Math.floor(room / scale)}px`;
  root.setAttribute("data-cut", "");
  root.scrollTop = scrollTop;
}

/** What changes its words while a hand is on a control, and stands above or beside what the hand moves. */
const WORDED = ".crw-answer, .crw-goal, .crw-key, .crw-key > div, .crw-numbers, .crw-answers, .crw-promise";

/** Keeps the boxes of words and tables as they are while a hand is on a control: what the hand moves stays under it. */
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
    // A page that became lower while it is scrolled to its end would move.
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

/** Size of our letters, in pixels. */
const SIZE = 13;
/** Width of a letter, as a share of its size. */
const LETTER = 0.5;
/** Distance of a value from its slider. */
const BESIDE = 4;
/** The factor by which a reader's letters are wider than ours: readers may space them or forbid small ones, and rows then grow. */
export function fitLetters(root: HTMLElement): number {
  const { fontSize, letterSpacing } = getComputedStyle(root);
  const size = Number.parseFloat(fontSize) || SIZE;
  const letters = (size + (Number.parseFloat(letterSpacing) || 0) / LETTER) / SIZE;
  root.toggleAttribute("data-letters", letters > 1.02);
  return Math.max(1, letters);
}

/** Measures the longest usual value of a slider, with the word beside it, in the reader's letters. */
export function createRuler() {
  const element = html("div", { class: "crw-ruler crw-hidden", "aria-hidden": "true" });
  return { element, width: () => element.scrollWidth + BESIDE };
}

/** Lays the root out for paper while it is printed: no size is told then, and the window's would not fit. */
export function createPaper(root: HTMLElement, changed: () => void, signal: AbortSignal) {
  let width: number | null = null;

  function set(next: number | null) {
    width = next;
    root.style.width = next === null ? "" : `${next}px`;
    changed();
  }

  listen(window, "beforeprint", signal, () => {
    const share = root.clientWidth / window.innerWidth;
    // A root narrower than half the window stands beside others, and keeps its share of the width on paper.
    set(share > 0.5 ? PAPER : Math.round(share * PAPER));
  });
  listen(window, "afterprint", signal, () => set(null));
  return { width: () => width };
}

/** Measures whenever the room changes, until the end; what cuts a view off is known once the host has put it into its page. */
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
