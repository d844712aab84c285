// Slider: a track with a thumb, ticks, and what is missing below a value.

import { html, setAttributes, setText, setVisible, uniqueId } from "../base/dom.ts";
import { onGrip } from "../base/grip.ts";
import type { Pair } from "../base/pair.ts";
import { clamp, type Scale } from "../base/scale.ts";
import type { Steps } from "../base/steps.ts";
import type { Controller } from "../sync/controller.ts";
import { type Tick, tickPlace } from "./strip_axis.ts";

export interface SliderSpec {
  name: "alpha" | "threshold" | "horizon";
  label: string;
  valueText(value: number): string;
  /** The value that the reader wants now, from which keys step. */
  wanted(): number;
  set(value: number): void;
}

export interface Track {
  scale: Scale;
  steps: Steps;
  ticks: Tick[];
  /** Width in pixels. */
  width: number;
  /** The smallest and the largest value, if they are not those of the scale. */
  ends?: Pair<number>;
  /** The only values that can be set, each a dot on the track; missing if all can. */
  stops?: readonly number[];
}

/** Values below which there are no limits, and below which there are not both. */
export interface MissingLimits {
  none: number;
  one: number;
}

/** The marks at the track besides the thumb. */
export interface Extras {
  /** The track is hatched densely up to the value with a first limit, and lightly up to that with both. */
  missing?: MissingLimits;
  mark?: { at: number; text: string } | undefined;
  /** Parts of the track that stand out, and why. */
  stretches?: readonly { from: number; to: number; title: string }[];
  /** Values of several entries, each a tick on the track. */
  several?: Named[];
  /** What a screen reader says after the value. */
  meaning?: string;
  /** The marks in words, for those who do not see them. */
  description?: string;
}

interface Named {
  at: number;
  title: string;
}

const THUMB = 12;
const MARK = 10;
const CHAR = 6.8;

export function createSlider(spec: SliderSpec, controller: Controller, signal: AbortSignal) {
  const { name } = spec;
  const thumb = html("div", {
    class: "crw-thumb",
    "data-testid": name,
    role: "slider",
    tabindex: 0,
    "aria-label": spec.label,
  });
  const line = html("div", { class: "crw-rail-line" });
  const none = createHatch("crw-rail-hatch");
  const one = createHatch("crw-rail-hatch crw-rail-hatch-light");
  const mark = createMark();
  const stretches = html("div", { class: "crw-stretches", "data-testid": `${name}-stretches` });
  const several = html("div", { class: "crw-several-ticks", "data-testid": `${name}-several` });
  const dots = html("div", { class: "crw-stops" });
  const description = html("span", { class: "crw-hidden", id: uniqueId(`crw-${name}-marks`) });
  const parts = [...[none.element, one.element, line, stretches, several, dots], ...[description, thumb]];
  const track = html("div", { class: "crw-track", "data-testid": `${name}-track` }, ...parts);
  const ticks = html("div", { class: "crw-ticks crw-text-muted", "aria-hidden": "true" });
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

  return {
    element: html("div", { class: "crw-slider" }, mark.element, track, ticks),
    setTrack(next: Track) {
      current = next;
      ticks.replaceChildren(...next.ticks.map((tick) => tickElement(tick, next.width)));
      dots.replaceChildren(...(next.stops ?? []).map((stop) => dotElement(stop, shareOf(stop), spec)));
      const [min, max] = next.ends ?? [next.scale.min, next.scale.max];
      setAttributes(thumb, { "aria-valuemin": min, "aria-valuemax": max });
    },
    draw(value: number, extras: Extras = {}) {
      const { missing, mark: extra, meaning = "" } = extras;
      const [noneTo, oneTo] = missing ? [shareOf(missing.none), shareOf(missing.one)] : [0, 0];
      none.draw(0, noneTo);
      one.draw(noneTo, oneTo);
      line.style.left = `${100 * oneTo}%`;
      mark.draw(extra && { ...extra, at: shareOf(extra.at) }, shareOf(value), current.width);
      drawStretches(stretches, extras.stretches ?? [], shareOf);
      drawSeveral(several, extras.several ?? [], shareOf);
      setText(description, extras.description ?? "");
      if (extras.description) setAttributes(thumb, { "aria-describedby": description.id });
      else thumb.removeAttribute("aria-describedby");
      thumb.style.left = `${100 * shareOf(value)}%`;
      setAttributes(thumb, { "aria-valuenow": value, "aria-valuetext": spec.valueText(value) + meaning });
    },
  };
}

/** A tick for each value; under a resting pointer it says whose value it is. */
function drawSeveral(element: HTMLElement, values: Named[], shareOf: (value: number) => number) {
  while (element.children.length < values.length) element.append(html("i"));
  [...element.children].forEach((tick, i) => {
    setVisible(tick as HTMLElement, i < values.length);
    if (i >= values.length) return;
    (tick as HTMLElement).title = values[i].title;
    (tick as HTMLElement).style.left = `${100 * shareOf(values[i].at)}%`;
  });
}

/** Parts of the track, each with a title. */
function drawStretches(
  element: HTMLElement,
  parts: NonNullable<Extras["stretches"]>,
  shareOf: (value: number) => number,
) {
  while (element.children.length < parts.length) element.append(html("i"));
  [...element.children].forEach((child, i) => {
    const part = child as HTMLElement;
    setVisible(part, i < parts.length);
    if (i >= parts.length) return;
    const [from, to] = [shareOf(parts[i].from), shareOf(parts[i].to)];
    part.title = parts[i].title;
    part.style.left = `${100 * from}%`;
    part.style.width = `${100 * (to - from)}%`;
  });
}

/** A stop; under a resting pointer it says its value. */
function dotElement(stop: number, share: number, { valueText }: SliderSpec): HTMLElement {
  const dot = html("i", { title: valueText(stop) });
  dot.style.left = `${100 * share}%`;
  return dot;
}

export type Slider = ReturnType<typeof createSlider>;

/** A place on the track that has a name, as a diamond with words beside it. */
function createMark() {
  const words = html("span");
  const element = html(
    "div",
    { class: "crw-mark crw-row crw-small crw-text-muted crw-unbroken" },
    html("i"),
    words,
  );
  return {
    element,
    /** Draws the mark; places are shares of the track. */
    draw(mark: Extras["mark"], thumb: number, width: number) {
      setVisible(element, mark !== undefined);
      if (mark === undefined) return;
      setText(words, mark.text);
      element.style.left = `${100 * mark.at}%`;
      const side = markSide(mark.at * width, thumb * width, mark.text.length * CHAR, width);
      setAttributes(element, { "data-side": side });
    },
  };
}

/** A part of the track, from one share of it to another. */
function createHatch(name: string) {
  const element = html("div", { class: name });
  return {
    element,
    draw(from: number, to: number) {
      setVisible(element, to > from);
      element.style.left = `${100 * from}%`;
      element.style.width = `${100 * (to - from)}%`;
    },
  };
}

export function tickElement(tick: Tick, width: number): HTMLElement {
  const element = html("span", { class: `crw-tick-${tickPlace(tick, width)}` }, tick.text);
  element.style.left = `${tick.x}px`;
  return element;
}

/** Side of a diamond on which its text stands: right, unless the thumb is below it or the track ends there. */
export function markSide(at: number, thumb: number, textWidth: number, width: number): "right" | "left" {
  const [toRight, toLeft] = [at + MARK + textWidth, at - MARK - textWidth];
  if (toRight > width) return "left";
  const isFree = (from: number, to: number) => thumb + THUMB <= from || thumb - THUMB >= to;
  return isFree(at + MARK, toRight) || toLeft < 0 || !isFree(toLeft, at - MARK) ? "right" : "left";
}
