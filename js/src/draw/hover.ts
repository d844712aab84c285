// Shows the values of the curve in a callout at the pointer.

import { html, listen, setAttributes, setVisible, svg } from "../base/dom.ts";
import { placeIn, scaleOf } from "../base/place.ts";
import { clamp } from "../base/scale.ts";
import type { Reading } from "../scene.ts";
import type { Canvas } from "./canvas.ts";
import { colourOf } from "./colour.ts";
import { boxAround, boxFrom, boxOf, fromX, fromY, overlaps, toX, toY } from "./scales.ts";

type Find = (x: number, y: number) => Reading | null;

type Place = Record<"left" | "top", number>;

type Pointer = Pick<PointerEvent, "clientX" | "clientY">;

const GAP = 16;
/** CSS selector of the elements that the callout must not cover. */
const TAKEN = "text:not(.crw-tick):not([hidden]), .crw-point-dot";
/** Positions for the callout that do not depend on the pointer, as shares of the plot's free width or height. */
const LATTICE = Array.from({ length: 9 }, (_, i) => i / 8);
/** CSS selector of the names of bands. They may be covered if nothing else is free, because the key shows them too. */
const NAME = '[data-testid*="-name"]';
/** The cost of covering an element of each kind. It exceeds every distance on the plot in pixels. */
const FAR = { name: 1e4, number: 1e5, pointer: 1e7 };

/** Makes a callout that follows the pointer along a curve. It takes no events. During a drag it is hidden. */
export function createHover(signal: AbortSignal) {
  const element = html("div", { class: "crw-hover crw-box", "data-testid": "hover", "aria-hidden": "true" });
  const mark = svg("circle", {
    ...{ class: "crw-hover-mark", r: 4, "pointer-events": "none" },
    ...{ fill: colourOf("paper"), stroke: colourOf("ink"), "stroke-width": 2 },
  });
  element.hidden = true;
  setVisible(mark, false);
  let canvas: Canvas;
  let find: Find | null = null;
  let pointer: Pointer | null = null;
  let scheduled = 0;

  function update() {
    scheduled = 0;
    const hit = pointer && find ? hitAt(pointer, find) : null;
    element.hidden = hit === null;
    setVisible(mark, hit !== null);
  }

  function hitAt(pointer: Pointer, find: Find): Reading | null {
    const { scales, drawing } = canvas;
    const [x, y] = placeIn(drawing, pointer);
    const box = boxOf(scales.square);
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return null;
    const hit = find(fromX(scales, x), fromY(scales, y));
    if (hit === null) return null;
    setAttributes(mark, { cx: toX(scales, hit.x), cy: toY(scales, hit.y) });
    show(hit);
    const place = freePlace(canvas, element, x, y);
    element.style.transform = `translate(${place.left}px, ${place.top}px)`;
    return hit;
  }

  /** Shows the callout. It is placed after that, because a hidden element has no size. */
  function show({ title, rows }: Reading) {
    element.hidden = false;
    element.replaceChildren(
      html("b", { class: "crw-hover-title crw-cut" }, title),
      ...rows.flatMap(({ text, limits, tone }) => [
        html("b", { class: `crw-text-${tone}` }, text),
        html("span", { class: "crw-text-muted" }, limits),
      ]),
    );
  }

  function schedule() {
    if (scheduled === 0) scheduled = requestAnimationFrame(update);
  }

  signal.addEventListener("abort", () => cancelAnimationFrame(scheduled));

  return {
    mark,
    listen(on: Canvas) {
      canvas = on;
      on.element.append(element);
      const follow = ({ pointerType, buttons, clientX, clientY }: PointerEvent) => {
        pointer = pointerType === "touch" || buttons !== 0 ? null : { clientX, clientY };
        schedule();
      };
      const leave = () => {
        pointer = null;
        schedule();
      };
      listen(on.drawing, "pointermove", signal, follow);
      listen(on.drawing, "pointerdown", signal, leave);
      listen(on.drawing, "pointerleave", signal, leave);
    },
    /** Sets the function that finds the values at a position. It is null if the view has none. */
    draw(found: Find | null) {
      find = found;
      if (pointer) schedule();
    },
  };
}

/** Returns the positions to try along one axis: beside the pointer, then at even steps over the whole plot. */
function placesOn(at: number, start: number, end: number, size: number): number[] {
  const last = Math.max(start, end - size);
  const places = LATTICE.map((share) => start + share * (last - start));
  return [at + GAP, at - GAP - size, ...places].map((place) => clamp(place, start, last));
}

/**
 * Returns the nearest position at which the callout covers neither words nor the operating point. It never covers the
 * pointer.
 */
function freePlace({ scales, drawing }: Canvas, callout: HTMLElement, x: number, y: number): Place {
  const { offsetWidth: width, offsetHeight: height } = callout;
  const origin = drawing.getBoundingClientRect();
  const scale = scaleOf(drawing);
  const taken = [...drawing.querySelectorAll(TAKEN)].map((each) => ({
    box: boxFrom(origin, each, scale),
    cost: each.matches(NAME) ? FAR.name : FAR.number,
  }));
  taken.push({ box: boxAround(x, y, GAP / 2), cost: FAR.pointer });
  const inside = boxOf(scales.square);
  const places = placesOn(x, inside.left, inside.right, width).flatMap((left) =>
    placesOn(y, inside.top, inside.bottom, height).map((top) => ({
      left,
      top,
      right: left + width,
      bottom: top + height,
    })),
  );
  const cost = places.map((place) => {
    const away = Math.hypot(place.left + width / 2 - x, place.top + height / 2 - y);
    return taken.reduce((sum, { box, cost }) => sum + (overlaps(place, box) ? cost : 0), away);
  });
  return places[cost.indexOf(Math.min(...cost))];
}
