// Explains the picture by callouts over it. A line leads from each callout to the element that it explains.

import { decoration, html, setAttributes, svg, uniqueId } from "../base/dom.ts";
import { scaleOf } from "../base/place.ts";
import { clamp } from "../base/scale.ts";
import { CURVE } from "../draw/canvas.ts";
import { type Box, boxAround, boxFrom, overlaps } from "../draw/scales.ts";
import type { Picture } from "../shown/picture.ts";
import { legendOf } from "../views/views.ts";
import { CALLOUTS, calloutsOf } from "../words/help.ts";

type Target = (typeof CALLOUTS)[number];

const GAP = 12;
const MARGIN = 8;
const STEP = 8;

/** Makes the callouts over the picture. A press anywhere closes them, and they take no other events. */
export function createHelp(root: HTMLElement, signal: AbortSignal) {
  const lines = decoration({ class: "crw-help-lines" });
  const words = html("div", { role: "status" });
  const element = html("div", { class: "crw-help", id: uniqueId("crw-help") }, lines, words);
  let close: (() => void) | null = null;
  let picture: Picture;
  signal.addEventListener("abort", () => close?.());

  function open(button: HTMLElement) {
    const ending = new AbortController();
    const options = { signal: ending.signal, capture: true };
    close = () => {
      close = null;
      ending.abort();
      element.classList.remove("crw-open");
      lines.replaceChildren();
      setAttributes(lines, { width: 0, height: 0 });
      words.replaceChildren();
      button.setAttribute("aria-expanded", "false");
    };
    element.classList.add("crw-open");
    button.setAttribute("aria-expanded", "true");
    document.addEventListener(
      "pointerdown",
      (event) => {
        // If an event comes from inside a shadow tree, its target is the tree's host. So the button is looked
        // for in the path of the event.
        if (!event.composedPath().includes(button)) close?.();
      },
      options,
    );
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        event.preventDefault();
        close?.();
        button.focus();
      },
      options,
    );
    place();
  }

  function place() {
    const around = { width: root.offsetWidth, height: root.offsetHeight };
    const callouts = createCallouts(root, picture);
    words.replaceChildren(...callouts.map(({ element }) => element));
    setAttributes(lines, { width: around.width, height: around.height });
    lines.replaceChildren(...placed(callouts, root, around));
  }

  return {
    element,
    /** Shows or hides the callouts. If the user closes them with Escape, the focus returns to the button. */
    toggle(button: HTMLElement) {
      if (close) close();
      else open(button);
    },
    draw(drawn: Picture) {
      picture = drawn;
      if (close) place();
    },
  };
}

export type Help = ReturnType<typeof createHelp>;

interface Size {
  width: number;
  height: number;
}

/** A callout, and the position of the element that it explains. */
interface Callout {
  element: HTMLElement;
  x: number;
  y: number;
}

/** Makes the callouts of those elements that are visible now. */
function createCallouts(root: HTMLElement, picture: Picture): Callout[] {
  const { left, top } = root.getBoundingClientRect();
  const scale = scaleOf(root);
  const texts = calloutsOf(picture, legendOf(picture).target);
  return CALLOUTS.flatMap((name) => {
    const at = targetOf(root, name);
    if (!at) return [];
    const [title, text] = texts[name];
    const names = { class: "crw-callout crw-box crw-small", "data-testid": `callout-${name}` };
    const element = html("p", names, html("b", {}, title), ` ${text}`);
    return [{ element, x: (at.x - left) / scale, y: (at.y - top) / scale }];
  });
}

/**
 * Moves the callouts so that they cover neither each other nor the elements that they explain. Returns a line
 * from each callout to its element.
 */
function placed(callouts: Callout[], root: HTMLElement, around: Size): SVGElement[] {
  const sizes = callouts.map(({ element }) => ({ width: element.offsetWidth, height: element.offsetHeight }));
  const [corner, scale] = [root.getBoundingClientRect(), scaleOf(root)];
  const taken = callouts.map(({ x, y }) => boxAround(x, y, 6));
  for (const text of root.querySelectorAll(".crw-callout-line, .crw-value, .crw-answer b, .crw-flag b")) {
    const box = boxFrom(corner, text, scale);
    if (box.right > box.left) taken.push(box);
  }
  return callouts.flatMap(({ element, x, y }, i) => {
    const box = freePlace(x, y, sizes[i], around, taken);
    taken.push(box);
    element.style.transform = `translate(${box.left}px, ${box.top}px)`;
    const [toX, toY] = [clamp(x, box.left, box.right), clamp(y, box.top, box.bottom)];
    return [svg("path", { d: `M${x} ${y}L${toX} ${toY}` }), svg("circle", { cx: x, cy: y, r: 3 })];
  });
}

/**
 * Returns a free position for a box next to a point: below or above the point, on its right or left side. If
 * all four positions are taken, the box is placed farther down.
 */
function freePlace(x: number, y: number, { width, height }: Size, around: Size, taken: Box[]): Box {
  const at = (left: number, top: number): Box => {
    const inside = clamp(left, MARGIN, Math.max(MARGIN, around.width - width - MARGIN));
    return { left: inside, top, right: inside + width, bottom: top + height };
  };
  const isFree = (box: Box) => box.top >= 0 && !taken.some((other) => overlaps(box, other, 2));
  for (let down = 0; ; down += STEP) {
    const tops = down === 0 ? [y + GAP, y - GAP - height] : [y + GAP + down];
    const boxes = tops.flatMap((top) => [at(x + GAP, top), at(x - GAP - width, top)]);
    const free = boxes.find(isFree);
    if (free) return free;
  }
}

/** Returns the position on the page of the element that a callout explains. Null if the element is not visible. */
function targetOf(root: HTMLElement, name: Target): { x: number; y: number } | null {
  if (name === "curve") return onLine(root, CURVE, 0.45);
  if (name === "band") return onLine(root, ".crw-plot .crw-edge", 0.7);
  const found = root.querySelector(
    name === "residuals" ? '[data-testid="residual-strip-1"]' : `[data-testid="${name}"]`,
  );
  if (!found || found.getClientRects().length === 0 || found.closest("details:not([open])")) return null;
  const { left, top, width, height } = found.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Returns the point at `share` of the length of the first drawn line that matches the selector. Null if no
 * line matches.
 */
function onLine(root: HTMLElement, selector: string, share: number): { x: number; y: number } | null {
  const found = [...root.querySelectorAll<SVGPathElement>(selector)].find((path) => path.getAttribute("d"));
  if (!found) return null;
  const { x, y } = found.getPointAtLength(share * found.getTotalLength());
  const drawing = found.ownerSVGElement as SVGSVGElement;
  const { left, top } = drawing.getBoundingClientRect();
  const scale = scaleOf(drawing);
  return { x: left + scale * x, y: top + scale * y };
}
