// Shows the widget in any web page without a notebook. A script element of the page holds its data.
//
//   <script type="application/json" data-conformal-roc>{"version": 8, "state": ..., "data": ..., "frame": ...}</script>
//   <script type="text/plain" data-conformal-roc>H4sI...</script>
//
// In the first form, bytes are written as {"base64": "..."}. The second form holds packed data. The widget is shown
// right after the script, or in the element that data-target names.
// Hosts that know anywidget's form (MyST) call `default.render` with a model that holds the same payload.

import { html } from "./base/dom.ts";
import { laidTogether } from "./base/ground.ts";
import { errorBox } from "./chrome/notes.ts";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import { savedModel, unpacked } from "./sync/saved_model.ts";
import { type ChartExports, exportsOf } from "./sync/script_interface.ts";
import { createView } from "./view.ts";
import { isRecord } from "./wire/readers.ts";

const [JSON_TYPE, PACKED_TYPE] = ["application/json", "text/plain"];
const PAYLOADS = [JSON_TYPE, PACKED_TYPE].map((type) => `script[type="${type}"][data-conformal-roc]`).join();
const MOUNTED = "conformalRocMounted";
/** CSS selector of the still picture and the text that stand in the page until this script replaces them. */
const STILL = "[data-still]";
/** The parts of a saved model. */
const PARTS = ["version", "title", "state", "data", "frame", "comparators", "ideal"];

/** The event that an element sends when its chart is ready. Its `detail` is the chart's interface for scripts. */
export const READY = "conformal-roc-ready";

/** An element that holds a chart, with an interface for other scripts of the page. */
export interface Mounted extends HTMLElement {
  conformalRoc?: ChartExports;
}

/** Shows a chart for every payload in the document that has none yet. */
export function mountAll(root: ParentNode = document) {
  for (const script of root.querySelectorAll<HTMLScriptElement>(PAYLOADS)) {
    if (MOUNTED in script.dataset) continue;
    script.dataset[MOUNTED] = "";
    const before = script.previousElementSibling;
    if (before?.matches(STILL)) before.remove();
    const place = placeOf(script);
    if (script.type === JSON_TYPE) mount(place, parsed(script.textContent));
    else void unpacked(script.textContent).then((payload) => mount(place, payload));
  }
}

/** Shows the chart of a payload in an element. Returns a function that removes it. */
export function mount(element: HTMLElement, payload: unknown): () => void {
  try {
    const controller = new Controller(savedModel(payload), pageClock);
    const removeView = createView(controller, element, { title: titleOf(payload) });
    const place: Mounted = element;
    place.conformalRoc = exportsOf(controller);
    place.dispatchEvent(
      new CustomEvent(READY, { detail: place.conformalRoc, bubbles: true, composed: true }),
    );
    return () => {
      delete place.conformalRoc;
      removeView();
      controller.close();
    };
  } catch {
    return refuse(element);
  }
}

/** The entry point for anywidget hosts. Their model holds a payload, and does not answer messages. */
export default {
  render({ model, el }: { model: { get(name: string): unknown }; el: HTMLElement }): () => void {
    return mount(el, Object.fromEntries(PARTS.map((name) => [name, model.get(name) ?? null])));
  },
};

/**
 * Time in milliseconds after which a page in a frame asks again for the backgrounds around the frame. The host may
 * change them without an event.
 */
const ASK_AGAIN_MS = 1000;

/**
 * Tells the page around a frame how high the content is, so that it can adapt the frame. Repeats this on request. If
 * the answer names the backgrounds around the frame, this page uses them.
 */
function reportHeight() {
  const { body, documentElement } = document;
  const report = () => {
    // `scrollHeight` is at least the height of the frame. If the content is lower than the frame, its height
    // is `offsetHeight`.
    const { scrollHeight, clientHeight, offsetHeight } = documentElement;
    const conformalRocHeight = scrollHeight > clientHeight ? scrollHeight : offsetHeight;
    window.parent.postMessage({ conformalRocHeight }, "*");
  };
  new ResizeObserver(report).observe(body);
  setInterval(() => document.hidden || report(), ASK_AGAIN_MS);
  window.addEventListener("message", ({ source, data }) => {
    if (source !== window.parent) return;
    const grounds: unknown = isRecord(data) ? data.conformalRocGround : null;
    if (!Array.isArray(grounds)) return report();
    const { colour, isDark } = laidTogether(grounds.map(String));
    setStyle(documentElement, "background-color", colour);
    setStyle(documentElement, "color-scheme", isDark ? "dark" : "light");
  });
}

function setStyle({ style }: HTMLElement, name: string, value: string) {
  if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

const titleOf = (payload: unknown) =>
  isRecord(payload) && typeof payload.title === "string" ? payload.title : "";

/** Returns the payload in a text. Null if the text is incomplete, and there is then no chart. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refuse(element: HTMLElement): () => void {
  const box = errorBox(
    "The page could not read the data of this chart:",
    "the file was cut short or changed.",
  );
  const sentence = html("div", { class: "crw", "data-testid": "crw" }, box);
  element.append(sentence);
  return () => sentence.remove();
}

function placeOf(script: HTMLScriptElement): HTMLElement {
  const target = script.dataset.target ? document.getElementById(script.dataset.target) : null;
  if (target) return target;
  const place = html("div");
  script.after(place);
  return place;
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => mountAll());
else mountAll();
if (window.parent !== window && document.querySelector(PAYLOADS)) reportHeight();
