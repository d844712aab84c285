// Renders the templates of panels with lit-html, which changes only what has changed in them.

import { html as litHtml, render as litRender, svg as litSvg, type TemplateResult } from "lit-html";

export { nothing, type TemplateResult } from "lit-html";
export { unbroken } from "./dom.ts";

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Result;

export const html = tight(litHtml);
export const svg = tight(litSvg);

/**
 * Renders a template into an element. A browser's translator puts each text into a `font` element. The `font`
 * elements are taken out first, because lit-html does not know them.
 */
export function render(content: unknown, place: HTMLElement) {
  for (const font of [...place.getElementsByTagName("font")]) {
    // A browser's translator wraps texts in `font` elements. lit-html still writes into the text node of its
    // last rendering, so each `font` is replaced by its text.
    if (place.contains(font)) font.replaceWith(font.textContent);
  }
  return litRender(content, place);
}

/** Draws an icon: lines in the colour of the words beside it. `d` is their path data. */
export const icon = (d: string) =>
  html`<svg aria-hidden="true" class="crw-icon" width="16" height="16"><path d=${d}></path></svg>`;

/** Renders a template with a single element and returns the element, for code that keeps a reference to it. */
export function elementOf<Made extends HTMLElement>(template: TemplateResult): Made {
  const around = document.createElement("div");
  render(template, around);
  return around.firstElementChild as Made;
}

/** Wraps lit-html's template function, so that line breaks and indents between elements in the source are left out. */
function tight<Result>(template: Template<Result>): Template<Result> {
  // lit-html identifies a template by its array of strings. So the shortened array is kept, and every
  // rendering passes the same one.
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
