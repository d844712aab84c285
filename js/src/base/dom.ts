// Makes and changes elements of the page. An element without a change is not touched.

type Attributes = Record<string, string | number>;
type Children = (Node | string)[];

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[K] {
  return furnish(document.createElement(tag), attributes, children.map(displayed));
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Children
): SVGElementTagNameMap[K] {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A drawing for the eye alone: words beside it say the same. */
export const decoration = (attributes: Attributes, ...children: Children) =>
  svg("svg", { "aria-hidden": "true", translate: "no", ...attributes }, ...children);

function furnish<E extends Element>(element: E, attributes: Attributes, children: Children): E {
  setAttributes(element, attributes);
  if (element instanceof HTMLButtonElement) element.type = "button";
  element.append(...children);
  return element;
}

/** Content behind a title, closed at first. */
export const fold = (title: string, attributes: Attributes, ...content: Children) =>
  html("details", attributes, html("summary", {}, html("b", {}, title)), ...content);

/** The document or the shadow tree of an element. Its root tells the focus and the full screen. */
export const treeOf = (element: Element) => element.getRootNode() as Document | ShadowRoot;

/** The element around another one, out of slots and shadow trees. */
export function around(element: Element): Element | null {
  const root = treeOf(element);
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** Whether an element of the page has the focus. */
export const hasFocus = (element: Element) => treeOf(element).activeElement === element;

export function setAttributes(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

type Events = HTMLElementEventMap & WindowEventMap;

/** Calls the listener at each event of this type, until the signal aborts. */
export function listen<Type extends keyof Events>(
  target: EventTarget,
  type: Type,
  signal: AbortSignal,
  listener: (event: Events[Type]) => void,
) {
  target.addEventListener(type, listener as EventListener, { signal });
}

/** An id that no other widget on the page has; each widget loads its own copy of this module. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${randomId()}`;
}

// crypto.randomUUID is missing on plain http, where many notebook servers live.
export function randomId(): string {
  const words = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(words, (word) => word.toString(36)).join("");
}

export function setText(element: Element, words: string) {
  const text = unbroken(words);
  const { firstChild } = element;
  const isText = firstChild?.nodeType === Node.TEXT_NODE && firstChild === element.lastChild;
  // If a browser's translator put elements into a drawing, their text would not be seen.
  if (element.textContent === text && (isText || !(element instanceof SVGElement))) return;
  if (isText) firstChild.nodeValue = text;
  else element.textContent = text;
}

const NO_BREAK = "\u00a0%";

/** The words with each percent sign kept on the line of its number. */
export const unbroken = (words: string) => words.replaceAll(" %", NO_BREAK);

function displayed(child: Node | string): Node | string {
  return typeof child === "string" ? unbroken(child) : child;
}

/** Sets the reason why something cannot be chosen now, as a tooltip and for screen readers; empty if it can. */
export function setReason(element: HTMLElement, why: string) {
  if (element.title !== why) element.title = why;
  if (why) setAttributes(element, { "aria-description": why });
  else element.removeAttribute("aria-description");
}

export function setVisible(element: Element, visible: boolean) {
  element.toggleAttribute("hidden", !visible);
}
