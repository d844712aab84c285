// Makes a slider: a track with a thumb and ticks. Parts of the track in which limits are missing are hatched.

import { html as element, setAttributes, uniqueId } from "../base/dom.ts";
import { onGrip } from "../base/grip.ts";
import type { Pair } from "../base/pair.ts";
import { clamp, type Scale } from "../base/scale.ts";
import type { Steps } from "../base/steps.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import type { Controller } from "../sync/controller.ts";
import { type Tick, tickPlace } from "./strip_axis.ts";

export interface SliderSpec {
  name: "alpha" | "threshold" | "horizon";
  label: string;
  valueText(value: number): string;
  /** Returns the value that the user wants now. Keys step from it. */
  wanted(): number;
  set(value: number): void;
}

export interface Track {
  scale: Scale;
  steps: Steps;
  ticks: Tick[];
  /** Width of the track in pixels. */
  width: number;
  /**
   * The smallest and the largest value that can be set. If this is missing, they are the ends of the scale.
   */
  ends?: Pair<number>;
  /** The only values that can be set. Each has a dot on the track. Missing if every value can be set. */
  stops?: readonly number[];
}

/** The value below which there are no limits, and the value below which there is only one limit. */
export interface MissingLimits {
  none: number;
  one: number;
}

/** The marks on the track, apart from the thumb. */
export interface Extras {
  /** The track is hatched densely where there are no limits, and lightly where there is only one. */
  missing?: MissingLimits;
  mark?: { at: number; text: string } | undefined;
  /** Parts of the track that are highlighted, and why. */
  stretches?: readonly { from: number; to: number; title: string }[];
  /** Values of several evaluations, each with a tick on the track. */
  several?: readonly { at: number; title: string }[];
  /** The text that a screen reader says after the value. */
  meaning?: string;
  /** The marks in words, for screen readers. */
  description?: string;
}

const THUMB = 12;
const MARK = 10;
const CHAR = 8;

export function createSlider(spec: SliderSpec, controller: Controller, signal: AbortSignal) {
  const { name } = spec;
  const thumb = element("div", {
    class: "crw-thumb",
    "data-testid": name,
    role: "slider",
    tabindex: 0,
    "aria-label": spec.label,
  });
  const track = element("div", { class: "crw-track", "data-testid": `${name}-track` });
  const ticks = element("div", { class: "crw-ticks crw-text-muted", "aria-hidden": "true" });
  const slider = element("div", { class: "crw-slider" });
  const marksId = uniqueId(`crw-${name}-marks`);
  let current: Track;

  const set = (value: number) => spec.set(clamp(value, current.scale.min, current.scale.max));

  function moveTo(event: PointerEvent) {
    const { left, width } = track.getBoundingClientRect();
    const fraction = clamp((event.clientX - left) / width, 0, 1);
    set(current.steps.grid(current.scale.fromFraction(fraction)));
  }

  onGrip(
    thumb,
    {
      move: moveTo,
      arrow: (sign) => set(current.steps.arrow(spec.wanted(), sign)),
      page: (sign) => set(current.steps.page(spec.wanted(), sign)),
      home: () => set(current.scale.min),
      end: () => set(current.scale.max),
    },
    controller,
    signal,
    track,
  );

  const shareOf = (value: number) => clamp(current.scale.toFraction(value), 0, 1);

  function rail({ missing, stretches = [], several = [], description = "" }: Extras) {
    const [none, one] = missing ? [shareOf(missing.none), shareOf(missing.one)] : [0, 0];
    return html`
      <div class="crw-rail-hatch" ?hidden=${none <= 0} .style=${stretch(0, none)}></div>
      <div class="crw-rail-hatch crw-rail-hatch-light" ?hidden=${one <= none} .style=${stretch(none, one)}></div>
      <div class="crw-rail-line" .style=${leftAt(one)}></div>
      <div class="crw-stretches" data-testid="${name}-stretches">
        ${stretches.map(({ from, to, title }) => html`<i title=${title} .style=${stretch(shareOf(from), shareOf(to))}></i>`)}
      </div>
      <div class="crw-several-ticks" data-testid="${name}-several">
        ${several.map(({ at, title }) => html`<i title=${title} .style=${leftAt(shareOf(at))}></i>`)}
      </div>
      <div class="crw-stops">
        ${current.stops?.map((stop) => html`<i title=${spec.valueText(stop)} .style=${leftAt(shareOf(stop))}></i>`)}
      </div>
      <span class="crw-hidden" id=${marksId}>${description}</span>
      ${thumb}`;
  }

  return {
    element: slider,
    setTrack(next: Track) {
      current = next;
      render(ticksOf(next.ticks, next.width), ticks);
    },
    draw(value: number, extras: Extras = {}) {
      const { mark, meaning = "", description } = extras;
      const [min, max] = current.ends ?? [current.scale.min, current.scale.max];
      setAttributes(thumb, {
        "aria-valuemin": min,
        "aria-valuemax": max,
        "aria-valuenow": value,
        "aria-valuetext": spec.valueText(value) + meaning,
      });
      if (description) setAttributes(thumb, { "aria-describedby": marksId });
      else thumb.removeAttribute("aria-describedby");
      thumb.style.left = `${100 * shareOf(value)}%`;
      render(rail(extras), track);
      const drawn = mark ? diamond(mark.text, shareOf(mark.at), shareOf(value), current.width) : nothing;
      render(html`${drawn}${track}${ticks}`, slider);
    },
  };
}

export type Slider = ReturnType<typeof createSlider>;

const leftAt = (share: number) => `left: ${100 * share}%`;

/** Returns the style of a part of the track. `from` and `to` are shares of the track. */
const stretch = (from: number, to: number) => `${leftAt(from)}; width: ${100 * (to - from)}%`;

/** Returns a diamond on the track with a text beside it. `at` and `thumb` are shares of the track. */
function diamond(text: string, at: number, thumb: number, width: number) {
  const side = markSide(at * width, thumb * width, text.length * CHAR, width);
  return html`<div class="crw-mark crw-row crw-small crw-text-muted crw-unbroken" data-side=${side} .style=${leftAt(at)}>
    <i></i>${side === "none" ? nothing : html`<span>${unbroken(text)}</span>`}
  </div>`;
}

/** Returns the elements of the texts below a track. */
export const ticksOf = (ticks: readonly Tick[], width: number) =>
  ticks.map(
    (tick) => html`
      <span class="crw-tick-${tickPlace(tick, width)}" .style=${`left: ${tick.x}px`}>${unbroken(tick.text)}</span>`,
  );

/**
 * Returns the side of a diamond on which its text stands. If there is room, the text stands on the right
 * side. If the track ends there, or if the thumb is there and the left side is free, it stands on the left
 * side. If the track is too short on both sides, there is no text.
 */
export function markSide(
  at: number,
  thumb: number,
  textWidth: number,
  width: number,
): "right" | "left" | "none" {
  const [toRight, toLeft] = [at + MARK + textWidth, at - MARK - textWidth];
  if (toRight > width) return toLeft < 0 ? "none" : "left";
  const isFree = (from: number, to: number) => thumb + THUMB <= from || thumb - THUMB >= to;
  return isFree(at + MARK, toRight) || toLeft < 0 || !isFree(toLeft, at - MARK) ? "right" : "left";
}
