// The background that a host has under the widget. It is asked from the browser: a list of themes would lack those
// of the next host.

import { type Colour, colourFrom, laidOver, luminance, NONE, WHITE } from "./colour.ts";
import { around, html, listen } from "./dom.ts";

export type Theme = "light" | "dark";

/** The theme for a ground, and the ground itself where its letters can be read on it; null if it brings its own. */
export interface Look {
  theme: Theme;
  ground: string | null;
}

/** On these luminances every text of the light and of the dark theme has a contrast of 4.5; a test holds them to it. */
export const LIGHT_FROM = 0.87;
export const DARK_TO = 0.024;
/** The luminance with which black and white have the same contrast. */
const MIDDLE = 0.179;
/** Milliseconds after which the background is asked for again: hosts change it without an event. */
const ASK_AGAIN_MS = 500;

export function lookOn(ground: Colour, isPlain = true): Look {
  const light = luminance(ground);
  const isReadable = isPlain && (light >= LIGHT_FROM || light <= DARK_TO);
  return { theme: light > MIDDLE ? "light" : "dark", ground: isReadable ? rgb(ground) : null };
}

const rgb = (colour: Colour) => `rgb(${colour.slice(0, 3).map(Math.round).join(", ")})`;

const PAPER: Look = { theme: "light", ground: rgb(WHITE) };

const styleOf = (element: Element) => (element.ownerDocument.defaultView ?? window).getComputedStyle(element);

/** The frame element that holds a page; null if there is none, or the page may not look at it. */
function frameOf({ defaultView }: Document): Element | null {
  try {
    return defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** An element that is not seen, through which the browser computes colours. */
function createProbe() {
  const element = html("i");
  element.hidden = true;
  element.style.backgroundColor = "Canvas";
  const known = new Map<string, Colour>();

  /** The colour as red, green and blue, where it is written in other terms, as oklch. */
  function converted(colour: string): Colour {
    element.style.outlineColor = `color-mix(in srgb, ${colour}, ${colour})`;
    return colourFrom(styleOf(element).outlineColor) ?? NONE;
  }

  return {
    element,
    colour(colour: string): Colour {
      const found = known.get(colour) ?? colourFrom(colour) ?? converted(colour);
      known.set(colour, found);
      return found;
    },
    /** The colour with which a page without a background is painted, in the colour scheme of an element. */
    canvas(of: Element): Colour {
      const { colorScheme } = styleOf(of);
      if (element.style.colorScheme !== colorScheme) element.style.colorScheme = colorScheme;
      return colourFrom(styleOf(element).backgroundColor) ?? WHITE;
    },
  };
}

type Probe = ReturnType<typeof createProbe>;

/** The frame around a page, if its ground shows through: both have one colour scheme, so no canvas is painted between. */
function outOf({ ownerDocument }: Element, probe: Probe): Element | null {
  const frame = frameOf(ownerDocument);
  if (!frame) return null;
  const [inner, outer] = [ownerDocument.documentElement, frame].map((each) => luminance(probe.canvas(each)));
  return inner > MIDDLE === outer > MIDDLE ? frame : null;
}

/** The elements that the widget may see through, from the nearest one outwards. */
function* outwards(root: HTMLElement, probe: Probe): Generator<Element> {
  let at = around(root);
  while (at) {
    yield at;
    at = around(at) ?? outOf(at, probe);
  }
}

/** What is seen of backgrounds that lie over each other, from the uppermost one to an opaque one. */
export function laidTogether(backgrounds: readonly string[]): { colour: string; isDark: boolean } {
  const probe = createProbe();
  document.documentElement.append(probe.element);
  const seen = backgrounds.map(probe.colour).reduce(laidOver, NONE);
  probe.element.remove();
  return { colour: rgb(seen), isDark: luminance(seen) <= MIDDLE };
}

/** What is seen under an element: translucent backgrounds over the first opaque one, or over the canvas. */
function lookUnder(root: HTMLElement, probe: Probe): Look {
  let seen = NONE;
  let isPlain = true;
  let last: Element = document.documentElement;
  for (const element of outwards(root, probe)) {
    const { backgroundColor, backgroundImage } = styleOf(element);
    // The colour of a background picture at this place is unknown.
    if (backgroundImage && backgroundImage !== "none") isPlain = false;
    seen = laidOver(seen, probe.colour(backgroundColor));
    if (seen[3] > 0.995) return lookOn(seen, isPlain);
    last = element;
  }
  return lookOn(laidOver(seen, probe.canvas(last.ownerDocument.documentElement)), isPlain);
}

/**
 * Keeps theme and ground of the root in step with what lies under it until the signal aborts; paper is white. The
 * element that is returned stays in the root: through it the browser is asked.
 */
export function followGround(root: HTMLElement, signal: AbortSignal) {
  const probe = createProbe();
  root.append(probe.element);
  const paper = matchMedia("print");
  let isPrinted = false;

  function update() {
    const { theme, ground } = isPrinted || paper.matches ? PAPER : lookUnder(root, probe);
    if (root.getAttribute("data-theme") !== theme) root.setAttribute("data-theme", theme);
    if (root.style.getPropertyValue("--crw-ground") === (ground ?? "")) return;
    if (ground) root.style.setProperty("--crw-ground", ground);
    else root.style.removeProperty("--crw-ground");
  }

  const print = (on: boolean) => () => {
    isPrinted = on;
    update();
  };
  listen(window, "beforeprint", signal, print(true));
  listen(window, "afterprint", signal, print(false));
  for (const query of [paper, matchMedia("(prefers-color-scheme: dark)")])
    listen(query, "change", signal, update);
  const observer = new MutationObserver(update);
  for (const element of outwards(root, probe)) observer.observe(element, { attributes: true });
  const asking = setInterval(() => document.hidden || update(), ASK_AGAIN_MS);
  signal.addEventListener("abort", () => {
    clearInterval(asking);
    observer.disconnect();
  });
  update();
  return probe.element;
}
