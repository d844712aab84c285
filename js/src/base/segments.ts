// Segmented control: one choice among few, all of them in sight.

import { html, listen, setReason, setText, setVisible, uniqueId } from "./dom.ts";

/** A segmented control; a choice is known by its index. */
export function createSegments(
  labelledBy: string,
  segments: { text: string; value: string }[],
  set: (index: number) => void,
  signal: AbortSignal,
) {
  const name = uniqueId("crw-choice");
  const radios = segments.map(({ value }, i) => {
    const radio = html("input", { type: "radio", name, value });
    listen(radio, "change", signal, () => set(i));
    return radio;
  });
  const words = segments.map(({ text }) => html("span", {}, text));
  const labels = radios.map((radio, i) => html("label", {}, radio, words[i]));
  const element = html(
    "div",
    { class: "crw-segments", role: "radiogroup", "aria-labelledby": labelledBy },
    ...labels,
  );
  return {
    element,
    choose(index: number) {
      radios.forEach((radio, i) => {
        // Written only if it changed: each write makes the browser style the page anew.
        if (radio.checked !== (i === index)) radio.checked = i === index;
      });
    },
    /** Sets the texts of the choices, which of them are offered, and why one cannot be chosen now; empty if it can. */
    name(texts: string[], isThere: boolean[], why: string[]) {
      texts.forEach((text, i) => {
        setText(words[i], text);
        radios[i].disabled = !isThere[i] || why[i] !== "";
        setReason(radios[i], why[i]);
        labels[i].title = why[i];
        setVisible(labels[i], isThere[i]);
      });
    },
  };
}
