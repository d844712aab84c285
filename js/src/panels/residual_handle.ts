// Makes the handle of a residual strip. It is at an order statistic, and the user can drag it to another one.

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

/** The side of a handle on which its text stands. Null if there is no room for it. */
export type Flag = "left" | "right" | null;

const HEAD = 10;
const CHAR = 7.4;
const NAMES = ["lower", "upper"] as const;

/** Makes the handle of an order statistic. If the user drags it, alpha changes. */
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
    /** Sets the name that a screen reader says. It begins with the name of the label's class. */
    setName(name: string) {
      setAttributes(element, { "aria-label": `${name}, ${NAMES[side]} limit among the residuals` });
    },
    /**
     * Draws the handle at a residual. Its text is `place` (the rank in words). If the user points at it, it also shows
     * the residual and `promise` (the guaranteed level). If `isQuiet`, the handle is visible only while it is held or
     * focused.
     */
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

/** Converts positions of the handle to alphas (null if no other alpha is known), and the current alpha. */
interface Pulling {
  pull: Pull | null;
  alpha: number;
}

/** Lets the user drag the handle or move it by keys, which sets alpha. */
function onPull(
  element: HTMLElement,
  side: Side,
  pulling: Pulling,
  controller: Controller,
  signal: AbortSignal,
) {
  /**
   * The distance from the pointer to the position of alpha on the axis. It stays the same while the user holds the
   * handle.
   */
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
        // A press may hit the handle beside its middle, and must not move it. So the distance of the pointer
        // from the handle is kept.
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

/**
 * Returns the position of a residual on the axis in pixels. If the residual is outside the axis, the position
 * is the nearer end of the axis.
 */
export function placeOf(residual: number, axis: Axis, width: number): number {
  return clamp(axis.toFraction(residual), 0, 1) * width;
}

/**
 * Returns on which sides the handles' texts stand: left of the lower handle and right of the upper one or, if there is
 * no room, between them. They do not cover the words at the ends of the strip, which are `taken` pixels wide.
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
