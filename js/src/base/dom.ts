// Creates and changes elements of the page. To save work, a text or an attribute is written only if it has changed.

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

/** Makes an SVG that screen readers skip, because the text beside it says the same. */
export const decoration = (attributes: Attributes, ...children: Children) =>
  svg("svg", { "aria-hidden": "true", translate: "no", ...attributes }, ...children);

function furnish<E extends Element>(element: E, attributes: Attributes, children: Children): E {
  setAttributes(element, attributes);
  if (element instanceof HTMLButtonElement) element.type = "button";
  element.append(...children);
  return element;
}

/** Makes a `details` element, closed at first: its content shows when the user opens its title. */
export const fold = (title: string, attributes: Attributes, ...content: Children) =>
  html("details", attributes, html("summary", {}, html("b", {}, title)), ...content);

/** Returns the document or the shadow tree that contains an element. Focus and full screen are properties of it. */
export const treeOf = (element: Element) => element.getRootNode() as Document | ShadowRoot;

/**
 * Returns an element's parent. If the element is in a slot or at the top of a shadow tree, returns the slot or the
 * tree's host. Returns null at the top of the page.
 */
export function around(element: Element): Element | null {
  const root = treeOf(element);
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

export const hasFocus = (element: Element) => treeOf(element).activeElement === element;

export function setAttributes(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

type Events = HTMLElementEventMap & WindowEventMap;

/** Calls `listener` at each event of the given type, until the signal aborts. */
export function listen<Type extends keyof Events>(
  target: EventTarget,
  type: Type,
  signal: AbortSignal,
  listener: (event: Events[Type]) => void,
) {
  target.addEventListener(type, listener as EventListener, { signal });
}

/**
 * Returns an id that no other widget on the page has. A plain counter is not enough, because each widget loads its own
 * copy of this module.
 */
export function uniqueId(prefix: string): string {
  return `${prefix}-${randomId()}`;
}

// `crypto.randomUUID` exists only on pages with https. Many notebook servers use plain http, so ids are made
// here.
export function randomId(): string {
  const words = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(words, (word) => word.toString(36)).join("");
}

export function setText(element: Element, words: string) {
  const text = unbroken(words);
  const { firstChild } = element;
  const isText = firstChild?.nodeType === Node.TEXT_NODE && firstChild === element.lastChild;
  // A browser's translator may put HTML elements into SVG text, which makes the text invisible. If SVG text is no longer
  // a single text node, it is written again, even if its words are the same.
  if (element.textContent === text && (isText || !(element instanceof SVGElement))) return;
  if (isText) firstChild.nodeValue = text;
  else element.textContent = text;
}

const NO_BREAK = "\u00a0%";

/** Returns the text with a no-break space before each percent sign. */
export const unbroken = (words: string) => words.replaceAll(" %", NO_BREAK);

function displayed(child: Node | string): Node | string {
  return typeof child === "string" ? unbroken(child) : child;
}

export function setVisible(element: Element, visible: boolean) {
  element.toggleAttribute("hidden", !visible);
}
