// Handle of a residual strip: an order statistic that can be pulled.

import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { signed } from "../base/format.ts";
import { onGrip } from "../base/grip.ts";
import type { Pair } from "../base/pair.ts";
import { type Axis, clamp } from "../base/scale.ts";
import { ALPHA_STOPS } from "../base/steps.ts";
import type { Label, OrderStatistic } from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import { alphaValueText } from "../words/one_evaluation.ts";
import type { Pull, Side } from "./order_statistics.ts";

/** On which side of a handle its value stands; null if there is no room. */
export type Flag = "left" | "right" | null;

const HEAD = 10;
const CHAR = 7.4;
const NAMES = ["lower", "upper"] as const;

/** An order statistic that can be taken hold of: pulling it sets alpha. */
export function createHandle(label: Label, side: Side, controller: Controller, signal: AbortSignal) {
  const rank = html("b", { class: `crw-text-label${label}` });
  const value = html("span", { class: "crw-rank crw-text-muted" });
  const flagElement = html("span", { class: "crw-flag" }, rank, value);
  const head = html("span", { class: "crw-grip" });
  const line = svg("path");
  const stem = decoration({ class: "crw-stem", width: 4 }, line);
  const element = html(
    "div",
    {
      class: "crw-handle",
      "data-testid": `residual-handle-${label}-${NAMES[side]}`,
      role: "slider",
      tabindex: 0,
    },
    stem,
    head,
    flagElement,
  );
  const pulling: Pulling = { pull: null, alpha: 0 };
  onPull(element, side, pulling, controller, signal);
  let axis: Axis;
  let width = 1;

  return {
    element,
    setPull(nextPull: Pull | null, nextAxis: Axis, nextWidth: number, height: number) {
      pulling.pull = nextPull;
      axis = nextAxis;
      width = nextWidth;
      setAttributes(stem, { height: height + 4 });
      setAttributes(line, { d: `M2 0V${height + 4}` });
      setAttributes(element, { "aria-valuemin": axis.min, "aria-valuemax": axis.max });
    },
    /** Sets the name of its label, once the data are there. */
    setName(name: string) {
      setAttributes(element, { "aria-label": `${name}, ${NAMES[side]} limit among the residuals` });
    },
    /** A quiet handle shows only while it is held or has the focus; its flag has the place and what that promises. */
    draw(
      { residual }: OrderStatistic,
      alpha: number,
      [place, promise]: Pair<string>,
      flag: Flag,
      isQuiet: boolean,
    ) {
      setVisible(element, true);
      element.classList.toggle("crw-quiet", isQuiet);
      pulling.alpha = alpha;
      element.style.left = `${placeOf(residual, axis, width)}px`;
      const isThere = Number.isFinite(residual);
      setText(rank, place);
      setText(value, isThere ? `${signed(residual)}${promise}` : "");
      const words = isThere
        ? `${place}, ${signed(residual)}`
        : `no ${NAMES[side]} limit, ${signed(residual)}`;
      setAttributes(element, {
        "data-flag": flag ?? "none",
        "aria-valuenow": clamp(residual, axis.min, axis.max),
        "aria-valuetext": `${words}; ${alphaValueText(alpha)}`,
      });
    },
    hide: () => setVisible(element, false),
  };
}

export type Handle = ReturnType<typeof createHandle>;

/** What is pulled, and the alpha for which it stands. */
interface Pulling {
  pull: Pull | null;
  alpha: number;
}

/** Sets the alpha of the place to which a handle is pulled, or of the steps of a key. */
function onPull(
  element: HTMLElement,
  side: Side,
  pulling: Pulling,
  controller: Controller,
  signal: AbortSignal,
) {
  /** Distance from the pointer to the place of alpha on the axis, kept while the handle is held. */
  let offset: number | null = null;
  const set = (alpha: number) => controller.setAlpha(alpha);
  const fractionAt = ({ clientX }: PointerEvent) => {
    const { left, width } = (element.parentElement as HTMLElement).getBoundingClientRect();
    return (clientX - left) / width;
  };
  const step = (sign: 1 | -1, times: number) => {
    const { pull } = pulling;
    if (pull === null) return;
    let { alpha } = controller.wanted;
    for (let i = 0; i < times; i++) alpha = pull.next(alpha, sign);
    set(alpha);
  };
  const end = (of: Side) => set(ALPHA_STOPS[of === 0 ? 0 : ALPHA_STOPS.length - 1]);
  onGrip(
    element,
    {
      press() {
        offset = null;
      },
      move(event) {
        const { pull, alpha } = pulling;
        if (pull === null) return;
        // The press itself must not move the handle, so that the distance to it is kept.
        if (offset === null) offset = pull.placeOf(alpha) - fractionAt(event);
        else set(pull.alphaAt(fractionAt(event) + offset));
      },
      arrow: (sign) => step(sign, 1),
      page: (sign) => step(sign, 10),
      home: () => end(side),
      end: () => end(side === 0 ? 1 : 0),
    },
    controller,
    signal,
  );
}

/** Place of a residual on the axis, in pixels; one beyond the axis stands at its end. */
export function placeOf(residual: number, axis: Axis, width: number): number {
  return clamp(axis.toFraction(residual), 0, 1) * width;
}

/**
 * Sides of the handles' values: left of the lower handle and right of the upper one, or between them if there is no
 * room; none stands on words at an end of the strip, which take the widths `taken`.
 */
export function flagsOf(
  places: Pair<number>,
  texts: Pair<string>,
  width: number,
  taken: Pair<number> = [0, 0],
  letters = 1,
): Pair<Flag> {
  const long = texts.map((text) => (text === "" ? 0 : HEAD + CHAR * letters * text.length));
  const isOutside = [long[0] <= places[0] - taken[0], long[1] <= width - places[1] - taken[1]];
  const inside = long.reduce((sum, each, side) => sum + (isOutside[side] ? 0 : each), 0);
  const hasRoom = inside <= places[1] - places[0] - HEAD;
  const flag = (side: Side): Flag => {
    if (!isOutside[side] && !hasRoom) return null;
    const isLeft = (side === 0) === isOutside[side];
    const room = isLeft ? places[side] - taken[0] : width - taken[1] - places[side];
    if (long[side] > room) return null;
    return isLeft ? "left" : "right";
  };
  return [flag(0), flag(1)];
}
