// Templates of panels: lit-html, which changes on a page what is another than at the drawing before.

import { html as litHtml, svg as litSvg, render, type TemplateResult } from "lit-html";

export { nothing, render, type TemplateResult } from "lit-html";
export { unbroken } from "./dom.ts";

type Template<Result> = (strings: TemplateStringsArray, ...values: unknown[]) => Result;

export const html = tight(litHtml);
export const svg = tight(litSvg);

/** The one element of a template, for code that keeps it. */
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
