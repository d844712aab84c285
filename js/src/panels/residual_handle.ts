import { decoration, html, setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import { count, ordinal, signed } from "../base/format.ts";
import { onGrip } from "../base/grip.ts";
import { ALPHA_STOPS, type Axis, clamp } from "../base/scale.ts";
import type { Label, OrderStatistic } from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import { alphaValueText } from "../words/one_evaluation.ts";
import type { Pull, Side } from "./order_statistics.ts";
import { STRIP_HEIGHT } from "./strip.ts";

/** An order statistic that can be taken hold of: pulling it sets alpha. */
export interface Handle {
  element: HTMLElement;
  setPull(pull: Pull | null, axis: Axis, width: number): void;
  /** Of its label. */
  setName(name: string): void;
  /** A quiet handle shows only while it is held or has the focus. */
  draw(statistic: OrderStatistic, alpha: number, n: number, flag: Flag, isQuiet: boolean): void;
  hide(): void;
}

/** How a handle's words stand to it. */
export interface Flag {
  side: "left" | "right";
  form: "full" | "short" | "none";
}

/** The words of a handle: its value with its rank, and alone. */
export interface HandleWords {
  full: string;
  short: string;
}

const HEAD = 10;
const CHAR = 7.4;
const NAMES = ["lower", "upper"] as const;

export function createHandle(label: Label, side: Side, controller: Controller, signal: AbortSignal): Handle {
  const rank = html("span");
  const value = html("b", { class: `crw-text-label${label}` });
  const flagElement = html("span", { class: "crw-flag" }, rank, value);
  const head = html("span", { class: "crw-grip" });
  const stem = decoration({ class: "crw-stem", width: 4, height: STRIP_HEIGHT + 4 });
  stem.append(svg("path", { d: `M2 0V${STRIP_HEIGHT + 4}` }));
  const element = html(
    "div",
    {
      class: `crw-handle crw-handle-label${label}`,
      "data-testid": `residual-handle-${label}-${NAMES[side]}`,
      role: "slider",
      tabindex: 0,
    },
    stem,
    head,
    flagElement,
  );
  let pull: Pull | null = null;
  let axis: Axis;
  let width = 1;
  let shown = 0;
  /** From the pointer to the place of alpha on the axis, kept while the handle is held. */
  let offset: number | null = null;

  const set = (alpha: number) => controller.setAlpha(alpha);

  function fractionAt(event: PointerEvent): number {
    const { left, width: pixels } = (element.parentElement as HTMLElement).getBoundingClientRect();
    return (event.clientX - left) / pixels;
  }

  const first = ALPHA_STOPS[0];
  const last = ALPHA_STOPS[ALPHA_STOPS.length - 1];
  const move = (sign: 1 | -1, times: number) => {
    if (pull === null) return;
    let alpha = shown;
    for (let i = 0; i < times; i++) alpha = pull.next(alpha, sign);
    set(alpha);
  };
  onGrip(
    element,
    {
      press() {
        offset = null;
      },
      move(event) {
        if (pull === null) return;
        // The press itself only takes hold: it must not move what it presses on.
        if (offset === null) offset = pull.placeOf(shown) - fractionAt(event);
        else set(pull.alphaAt(fractionAt(event) + offset));
      },
      arrow: (sign) => move(sign, 1),
      page: (sign) => move(sign, 10),
      home: () => set(side === 0 ? first : last),
      end: () => set(side === 0 ? last : first),
    },
    controller,
    signal,
  );

  return {
    element,
    setPull(nextPull, nextAxis, nextWidth) {
      pull = nextPull;
      axis = nextAxis;
      width = nextWidth;
      setAttributes(element, { "aria-valuemin": axis.min, "aria-valuemax": axis.max });
    },
    setName(name) {
      setAttributes(element, { "aria-label": `${name}, ${NAMES[side]} limit among the residuals` });
    },
    draw({ rank: number, residual }, alpha, n, { side: flagSide, form }, isQuiet) {
      setVisible(element, true);
      element.classList.toggle("crw-quiet", isQuiet);
      shown = alpha;
      element.style.left = `${placeOf(residual, axis, width)}px`;
      const isThere = Number.isFinite(residual);
      setText(rank, isThere && form === "full" ? `${ordinal(number)} ` : "");
      setText(value, isThere && form !== "none" ? signed(residual) : "");
      const words = isThere
        ? `${ordinal(number)} of ${count(n)}, ${signed(residual)}`
        : `no ${NAMES[side]} limit, ${signed(residual)}`;
      setAttributes(element, {
        "data-flag": flagSide,
        "aria-valuenow": clamp(residual, axis.min, axis.max),
        "aria-valuetext": `${words}; ${alphaValueText(alpha)}`,
      });
    },
    hide: () => setVisible(element, false),
  };
}

/** The strip itself says that a limit is missing. */
export function handleWords({ rank, residual }: OrderStatistic): HandleWords {
  if (!Number.isFinite(residual)) return { full: "", short: "" };
  return { full: `${ordinal(rank)} ${signed(residual)}`, short: signed(residual) };
}

/** On the axis, in pixels; what lies beyond stands at its end. */
export function placeOf(residual: number, axis: Axis, width: number): number {
  return clamp(axis.toFraction(residual), 0, 1) * width;
}

/** Wished for are words outside the pair, where fewer points are in the way, and with the rank, which weighs more. */
const FORMS = [
  { isOutside: true, form: "full", cost: 0 },
  { isOutside: false, form: "full", cost: 2 },
  { isOutside: true, form: "short", cost: 3 },
  { isOutside: false, form: "short", cost: 6 },
  { isOutside: true, form: "none", cost: 18 },
] as const;
const UNLIKE = 2;
/** So far may words stand out of the strip. */
const OVERHANG = 8;

/** The words of the lower handle stand left of it and those of the upper right, unless there is no room. */
export function flagsOf(
  places: readonly [number, number],
  texts: readonly [HandleWords, HandleWords],
  width: number,
): [Flag, Flag] {
  const outside = [places[0] + OVERHANG, width - places[1] + OVERHANG];
  const inside = places[1] - places[0] - HEAD;
  const lengthOf = (side: Side, i: number) => {
    const { form } = FORMS[i];
    return form === "none" ? 0 : HEAD + CHAR * texts[side][form].length;
  };
  const isFree = (side: Side, i: number) => !FORMS[i].isOutside || lengthOf(side, i) <= outside[side];
  const taken = (side: Side, i: number) => (FORMS[i].isOutside ? 0 : lengthOf(side, i));
  const fits = ([lower, upper]: number[]) =>
    isFree(0, lower) && isFree(1, upper) && taken(0, lower) + taken(1, upper) <= Math.max(inside, 0);
  const costOf = ([lower, upper]: number[]) =>
    FORMS[lower].cost + FORMS[upper].cost + (FORMS[lower].form === FORMS[upper].form ? 0 : UNLIKE);
  const pairs = FORMS.flatMap((_, i) => FORMS.map((_, k) => [i, k])).sort((a, b) => costOf(a) - costOf(b));
  const [lower, upper] = (pairs.find(fits) as number[]).map((i) => FORMS[i]);
  return [
    { side: lower.isOutside ? "left" : "right", form: lower.form },
    { side: upper.isOutside ? "right" : "left", form: upper.form },
  ];
}
