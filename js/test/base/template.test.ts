// @vitest-environment jsdom

import { expect, it } from "vitest";
import { html, render } from "../../src/base/template.ts";

const drawn = (template: ReturnType<typeof html>, element = document.createElement("div")) => {
  render(template, element);
  return element;
};

it("lines and indents of a template are no text between elements, spaces within a line are", () => {
  const names = ["a", "b"];
  const element = drawn(html`<p>
    <b>1</b> of <b>2</b>
    ${names.map((name) => html`<i>${name}</i>`)}
  </p>`);
  expect(element.textContent).toBe("1 of 2ab");
});

it("attributes that stand on lines of their own stay apart", () => {
  const element = drawn(html`<input
    type="checkbox"
    .checked=${true}
    aria-label=${"name"}
    ?hidden=${false}
  >`);
  const input = element.querySelector("input") as HTMLInputElement;
  expect(input.checked).toBe(true);
  expect(input.getAttribute("aria-label")).toBe("name");
  expect(input.hidden).toBe(false);
});

it("what is drawn again keeps its elements", () => {
  const template = (name: string) => html`<p>
    <b>${name}</b>
  </p>`;
  const element = drawn(template("a"));
  const bold = element.querySelector("b");
  drawn(template("b"), element);
  expect(element.querySelector("b")).toBe(bold);
  expect(bold?.textContent).toBe("b");
});
