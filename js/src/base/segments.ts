import { html, uniqueId } from "./dom.ts";

/** One choice among few, all of them in sight. */
export interface Segments {
  element: HTMLElement;
  choose(index: number): void;
}

export interface Segment {
  text: string;
  value?: string;
  icon?: SVGElement;
}

export function createSegments(
  labelledBy: string,
  segments: Segment[],
  set: (index: number) => void,
  signal: AbortSignal,
): Segments {
  const name = uniqueId("crw-choice");
  const radios = segments.map(({ text, value = text }, i) => {
    const radio = html("input", { type: "radio", name, value });
    radio.addEventListener("change", () => set(i), { signal });
    return radio;
  });
  const element = html(
    "div",
    { class: "crw-segments", role: "radiogroup", "aria-labelledby": labelledBy },
    ...segments.map(({ text, icon }, i) =>
      html("label", {}, radios[i], ...(icon ? [icon] : []), html("span", {}, text)),
    ),
  );
  element.addEventListener("keydown", (event) => event.stopPropagation(), { signal });
  return {
    element,
    choose(index) {
      radios.forEach((radio, i) => {
        radio.checked = i === index;
      });
    },
  };
}
