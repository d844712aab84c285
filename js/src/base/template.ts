// Templates of panels: lit-html, which changes only what differs from the drawing before.

import { html as litHtml, render as litRender, svg as litSvg, type TemplateResult } from "lit-html";

export { nothing, type TemplateResult } from "lit-html";
export { unbroken } from "./dom.ts";

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Result;

export const html = tight(litHtml);
export const svg = tight(litSvg);

/** Draws a template, also where a browser has translated what was drawn before: it puts each text into elements of its own. */
export function render(content: unknown, place: HTMLElement) {
  for (const font of [...place.getElementsByTagName("font")]) {
    // lit-html writes a text that has changed into the node where it has put the text before.
    if (place.contains(font)) font.replaceWith(font.textContent);
  }
  return litRender(content, place);
}

/** Makes the single element of a template, for code that keeps a reference to it. */
export function elementOf<Made extends HTMLElement>(template: TemplateResult): Made {
  const around = document.createElement("div");
  render(template, around);
  return around.firstElementChild as Made;
}

/** A template without the lines and indents that the source has between elements. */
function tight<Result>(template: Template<Result>): Template<Result> {
  // lit-html knows a template by its strings, which have to be the same at each drawing.
  const known = new WeakMap<TemplateStringsArray, TemplateStringsArray>();
  return (strings, ...values) => {
    let short = known.get(strings);
    if (!short) {
      const texts = strings.map((each) => each.replace(/(^|>)\n\s*(?=<)|(>)\n\s*$/g, "$1$2"));
      short = Object.assign(texts, { raw: texts });
      known.set(strings, short);
    }
    return template(short, ...values);
  };
}
