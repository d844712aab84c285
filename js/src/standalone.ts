// A host without a notebook: the widget in any web page, from what a script element of the page holds.
//
//   <script type="application/json" data-conformal-roc>{"version": 8, "state": ..., "data": ..., "frame": ...}</script>
//   <script type="text/plain" data-conformal-roc>H4sI...</script>
//
// Bytes are {"base64": "..."}; the second form is the same, packed. The widget comes right after the script, or into
// the element that data-target names.
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
/** Selector of the picture and text before a payload, which stand where this script may not run. */
const STILL = "[data-still]";
/** Names of what a saved model holds besides its settings. */
const PARTS = ["version", "title", "state", "data", "frame", "comparators", "ideal"];

/** Event at an element once its chart is there; `detail` is the chart's exports. */
export const READY = "conformal-roc-ready";

/** An element that holds a chart; other scripts of the page move the chart through it. */
export interface Mounted extends HTMLElement {
  conformalRoc?: ChartExports;
}

/** Mounts every payload of the document that is not mounted yet. */
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

/** Shows a payload in an element; the returned function takes it away again. */
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

/** The module as an anywidget whose model holds a payload and answers nothing. */
export default {
  render({ model, el }: { model: { get(name: string): unknown }; el: HTMLElement }): () => void {
    return mount(el, Object.fromEntries(PARTS.map((name) => [name, model.get(name) ?? null])));
  },
};

/** Milliseconds after which a frame asks again: the background of its host may change without an event. */
const ASK_AGAIN_MS = 1000;

/**
 * Tells the page around a frame how high its content is, also when asked, so that it can make room; where it answers
 * with the backgrounds around the frame, this page has the same ground.
 */
function reportHeight() {
  const { body, documentElement } = document;
  const report = () => {
    // If the content is lower than the frame, only offsetHeight tells its height.
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

/** The payload of a text; null if it is cut short, so that there is no chart. */
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
