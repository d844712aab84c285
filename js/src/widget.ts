// The widget of a notebook, as anywidget loads it.

import type { AnyWidget } from "@anywidget/types";
import { treeOf } from "./base/dom.ts";
import style from "./style.css";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import type { Model, Synced } from "./sync/model.ts";
import { exportsOf } from "./sync/script_interface.ts";
import { createView } from "./view.ts";

const styles = new WeakMap<Node, HTMLStyleElement>();

/** Adds the style once to each document or shadow tree that holds a view, and again if the host has removed it. */
function addStyle(el: HTMLElement) {
  const root = treeOf(el);
  const place = root instanceof ShadowRoot ? root : el.ownerDocument.head;
  if (!el.isConnected || styles.get(place)?.parentNode === place) return;
  // The element is not made by `html`, which changes texts for people.
  const element = document.createElement("style");
  element.textContent = style;
  place.append(element);
  styles.set(place, element);
}

/** Keeps the style where the view is: many hosts have it drawn first and then put it into their tree, or into another one. */
function followTree(el: HTMLElement): () => void {
  addStyle(el);
  const observer = new ResizeObserver(() => addStyle(el));
  observer.observe(el);
  return () => observer.disconnect();
}

/** Called once per model: its views share one controller. */
const widget: AnyWidget<Synced> = () => {
  let controller: Controller;
  return {
    initialize({ model, signal }: { model: Model; signal?: AbortSignal }) {
      controller = new Controller(model, pageClock);
      const close = () => controller.close();
      // Since 0.11 anywidget cleans up by the signal and hands what is returned to other widgets.
      if (!signal) return close;
      signal.addEventListener("abort", close);
      return exportsOf(controller) as unknown as () => void;
    },
    render({ el }) {
      const endings = [followTree(el), createView(controller, el)];
      return () => {
        for (const end of endings) end();
      };
    },
  };
};

export default widget;
