// Finds the colour of the host page behind the widget, and chooses the light or the dark theme by it. No list of themes
// knows every host, so the browser is asked for the colour.

import { type Colour, colourFrom, laidOver, luminance, NONE, WHITE } from "./colour.ts";
import { around, html, listen } from "./dom.ts";

export type Theme = "light" | "dark";

/**
 * Whether the theme is dark, and its background. `ground` is the colour behind the widget if the theme's texts are
 * readable on it. Otherwise it is null, and the theme's own background is used.
 */
export interface Look {
  theme: Theme;
  ground: string | null;
}

/**
 * If the background's luminance is at least `LIGHT_FROM`, every text of the light theme has a contrast of at least 4.5.
 * If it is at most `DARK_TO`, every text of the dark theme does. A test checks both numbers.
 */
export const LIGHT_FROM = 0.87;
export const DARK_TO = 0.024;
/** On a background of this luminance, black and white text have equal contrast. */
const MIDDLE = 0.179;
/**
 * Time in milliseconds between two readings of the background. The background is polled, because a host sends
 * no event when it changes the background.
 */
const ASK_AGAIN_MS = 500;

export function lookOn(ground: Colour, isPlain = true): Look {
  const light = luminance(ground);
  const isReadable = isPlain && (light >= LIGHT_FROM || light <= DARK_TO);
  return { theme: light > MIDDLE ? "light" : "dark", ground: isReadable ? rgb(ground) : null };
}

const rgb = (colour: Colour) => `rgb(${colour.slice(0, 3).map(Math.round).join(", ")})`;

const PAPER: Look = { theme: "light", ground: rgb(WHITE) };

const styleOf = (element: Element) => (element.ownerDocument.defaultView ?? window).getComputedStyle(element);

/** Returns the frame element that shows the page. Returns null if there is none, or if the page may not access it. */
function frameOf({ defaultView }: Document): Element | null {
  try {
    return defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** Makes an invisible element on which the browser computes colours. */
function createProbe() {
  const element = html("i");
  element.hidden = true;
  element.style.backgroundColor = "Canvas";
  const known = new Map<string, Colour>();

  /** Returns a colour as red, green and blue, even if the style sheet writes it in another form such as oklch. */
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
    /**
     * Returns the colour that the browser paints behind a page without a background. It depends on the color scheme of
     * the element.
     */
    canvas(of: Element): Colour {
      const { colorScheme } = styleOf(of);
      if (element.style.colorScheme !== colorScheme) element.style.colorScheme = colorScheme;
      return colourFrom(styleOf(element).backgroundColor) ?? WHITE;
    },
  };
}

type Probe = ReturnType<typeof createProbe>;

/**
 * Returns the frame that shows an element's page, if the frame's background is visible through the page. If
 * page and frame have the same color scheme, the background is visible. Otherwise the browser paints an
 * opaque canvas between them, and the result is null.
 */
function outOf({ ownerDocument }: Element, probe: Probe): Element | null {
  const frame = frameOf(ownerDocument);
  if (!frame) return null;
  const [inner, outer] = [ownerDocument.documentElement, frame].map((each) => luminance(probe.canvas(each)));
  return inner > MIDDLE === outer > MIDDLE ? frame : null;
}

/** Yields the widget's ancestors whose background may be visible behind it, the nearest one first. */
function* outwards(root: HTMLElement, probe: Probe): Generator<Element> {
  let at = around(root);
  while (at) {
    yield at;
    at = around(at) ?? outOf(at, probe);
  }
}

/**
 * Returns the colour of a stack of backgrounds, and whether it is dark. The first background is on top. The last one is
 * opaque.
 */
export function laidTogether(backgrounds: readonly string[]): { colour: string; isDark: boolean } {
  const probe = createProbe();
  document.documentElement.append(probe.element);
  const seen = backgrounds.map(probe.colour).reduce(laidOver, NONE);
  probe.element.remove();
  return { colour: rgb(seen), isDark: luminance(seen) <= MIDDLE };
}

/**
 * Returns the look for the colour behind the widget: its ancestors' translucent backgrounds over the first opaque one
 * or, if none is opaque, over the canvas.
 */
function lookUnder(root: HTMLElement, probe: Probe): Look {
  let seen = NONE;
  let isPlain = true;
  let last: Element = document.documentElement;
  for (const element of outwards(root, probe)) {
    const { backgroundColor, backgroundImage } = styleOf(element);
    // If there is a background picture, its colour is unknown, so the ground is not plain.
    if (backgroundImage && backgroundImage !== "none") isPlain = false;
    seen = laidOver(seen, probe.colour(backgroundColor));
    if (seen[3] > 0.995) return lookOn(seen, isPlain);
    last = element;
  }
  return lookOn(laidOver(seen, probe.canvas(last.ownerDocument.documentElement)), isPlain);
}

/**
 * Updates theme and background of the root when the colour behind it changes, until the signal aborts. In print the
 * background is white. Returns an element that must stay in the root, because the browser computes the colours on it.
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
