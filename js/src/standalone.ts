// A host without a notebook: the widget in any web page, from what a script element of the page holds.
//
//   <script type="application/json" data-conformal-roc>{"version": 2, "state": ..., "data": ..., "frame": ...}</script>
//
// Bytes are {"base64": "..."}. The widget comes right after the script, or into the element that data-target names.
// Hosts that know anywidget's form (MyST) call `default.render` with a model that holds the same payload.

import { html } from "./base/dom.ts";
import { errorBox } from "./chrome/notes.ts";
import { pageClock } from "./sync/backpressure.ts";
import { Controller, type Model } from "./sync/controller.ts";
import { createView } from "./view.ts";
import { isRecord } from "./wire/readers.ts";

const PAYLOADS = 'script[type="application/json"][data-conformal-roc]';
const MOUNTED = "conformalRocMounted";

/** Mounts every payload of the document that is not mounted yet. */
export function mountAll(root: ParentNode = document) {
  for (const script of root.querySelectorAll<HTMLScriptElement>(PAYLOADS)) {
    if (MOUNTED in script.dataset) continue;
    script.dataset[MOUNTED] = "";
    mountText(placeOf(script), script.textContent);
  }
}

/** Shows a payload in an element; the returned function takes it away again. */
export function mount(element: HTMLElement, payload: unknown): () => void {
  try {
    const controller = new Controller(modelOf(payload), pageClock);
    const takeAway = createView(controller, element, { title: titleOf(payload) });
    return () => {
      takeAway();
      controller.close();
    };
  } catch {
    return refuse(element);
  }
}

/** The module as an anywidget whose model holds a payload and answers nothing. */
export default {
  render({ model, el }: { model: { get(name: string): unknown }; el: HTMLElement }): () => void {
    const names = ["version", "title", "state", "data", "frame", "comparators"];
    return mount(el, Object.fromEntries(names.map((name) => [name, model.get(name) ?? null])));
  },
};

/** Tells the page around a frame how high its content is, so that it can make room. */
function tellHeight() {
  const tell = () =>
    window.parent.postMessage({ conformalRocHeight: document.documentElement.scrollHeight }, "*");
  new ResizeObserver(tell).observe(document.body);
}

const titleOf = (payload: unknown) =>
  isRecord(payload) && typeof payload.title === "string" ? payload.title : "";

function mountText(element: HTMLElement, text: string) {
  try {
    mount(element, JSON.parse(text));
  } catch {
    refuse(element);
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

function modelOf(payload: unknown): Model {
  if (!isRecord(payload) || !isRecord(payload.state)) throw new TypeError("not a saved chart");
  const { state, data, frame, comparators = null } = payload;
  const traits = {
    ...state,
    _data: withBytes(data),
    _frame: withBytes(frame),
    _comparators: withBytes(comparators),
    _static: true,
  };
  return new SavedModel(traits) as unknown as Model;
}

/** What anywidget calls a model, without anyone on the other side. */
class SavedModel {
  private readonly reactions = new Map<string, Set<() => void>>();

  constructor(private readonly traits: Record<string, unknown>) {}

  get(name: string): unknown {
    return this.traits[name];
  }

  set(name: string, value: unknown) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    for (const reaction of this.reactions.get(`change:${name}`) ?? []) reaction();
  }

  on(event: string, reaction: () => void) {
    this.reactions.set(event, (this.reactions.get(event) ?? new Set()).add(reaction));
  }

  off(event: string, reaction: () => void) {
    this.reactions.get(event)?.delete(reaction);
  }

  send() {}

  save_changes() {}
}

function withBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value)) return value;
  if (typeof value.base64 === "string") return viewOf(value.base64);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withBytes(item)]));
}

function viewOf(base64: string): DataView {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => mountAll());
else mountAll();
if (window.parent !== window && document.querySelector(PAYLOADS)) tellHeight();
