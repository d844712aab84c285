import { html, setText, setVisible } from "./dom.ts";

/** Elements that stand open in a view of one band, and closed under one line where bands are compared. */
export interface Disclosure {
  element: HTMLElement;
  /** Takes the elements in, or gives them back to where they stand open. */
  take(isFolded: boolean, remark: string, width: number): void;
}

export function createDisclosure(
  title: string,
  name: string,
  home: HTMLElement,
  elements: HTMLElement[],
): Disclosure {
  const remarkText = html("span", { class: "crw-text-muted" });
  const head = html("summary", {}, html("span", {}, title), remarkText);
  const body = html("div", { class: `crw-fold-body crw-module ${name}` });
  const element = html("details", { class: "crw-fold" }, head, body);
  let wasFolded = false;
  return {
    element,
    take(isFolded, remark, width) {
      setVisible(element, isFolded);
      setText(remarkText, remark);
      body.style.width = `${width}px`;
      if (isFolded === wasFolded) return;
      wasFolded = isFolded;
      (isFolded ? body : home).append(...elements);
    },
  };
}
