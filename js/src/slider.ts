import type { Controller } from "./controller.ts";
import { html, setAttributes, setText, setVisible } from "./dom.ts";
import { draggable } from "./drag.ts";
import { onSliderKeys } from "./keys.ts";
import { clamp, type Scale, type Steps } from "./scale.ts";

export interface SliderSpec {
  name: "alpha" | "threshold";
  label: string;
  scale: Scale;
  steps: Steps;
  tickText(value: number): string;
  valueText(value: number): string;
  set(value: number): void;
}

export interface Hatch {
  /** The part of the track from its start to this value is hatched. */
  below: number;
  text: string;
}

export interface Slider {
  element: HTMLElement;
  draw(value: number, hatch?: Hatch): void;
}

export function createSlider(spec: SliderSpec, controller: Controller, signal: AbortSignal): Slider {
  const { name, scale, steps } = spec;
  const thumb = html("div", {
    class: "crw-thumb",
    "data-testid": name,
    role: "slider",
    tabindex: 0,
    "aria-label": spec.label,
    "aria-valuemin": scale.min,
    "aria-valuemax": scale.max,
  });
  const line = html("div", { class: "crw-rail-line" });
  const hatching = html("div", { class: "crw-rail-hatch" });
  const hatchText = html("div", { class: "crw-rail-text" });
  const rail = html("div", { class: "crw-rail" }, hatching, line, thumb);
  const track = html("div", { class: "crw-track", "data-testid": `${name}-track` }, rail);
  const ticks = html("div", { class: "crw-ticks", "aria-hidden": "true" }, ...scale.ticks.map(tick));
  let shown = scale.min;

  function tick(value: number): HTMLElement {
    return html("span", { style: `left:${100 * scale.toFraction(value)}%` }, spec.tickText(value));
  }

  const set = (value: number) => spec.set(clamp(value, scale.min, scale.max));

  function moveTo(event: PointerEvent) {
    const { left, width } = rail.getBoundingClientRect();
    const fraction = clamp((event.clientX - left) / width, 0, 1);
    set(steps.grid(scale.fromFraction(fraction)));
  }

  draggable(
    track,
    {
      start() {
        thumb.focus({ preventScroll: true, focusVisible: false });
        controller.hold();
      },
      move: moveTo,
      end: () => controller.release(),
    },
    signal,
  );
  onSliderKeys(
    thumb,
    {
      arrow: (sign) => set(steps.arrow(shown, sign)),
      page: (sign) => set(steps.page(shown, sign)),
      home: () => set(scale.min),
      end: () => set(scale.max),
    },
    signal,
  );

  return {
    element: html("div", { class: "crw-slider" }, hatchText, track, ticks),
    draw(value, hatch) {
      shown = value;
      const share = hatch ? 100 * clamp(scale.toFraction(hatch.below), 0, 1) : 0;
      setVisible(hatching, share > 0);
      hatching.style.width = `${share}%`;
      line.style.left = `${share}%`;
      setText(hatchText, share > 0 && hatch ? hatch.text : "");
      thumb.style.left = `${100 * scale.toFraction(value)}%`;
      setAttributes(thumb, { "aria-valuenow": value, "aria-valuetext": spec.valueText(value) });
    },
  };
}
