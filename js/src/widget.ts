// The entry point in a notebook, which anywidget loads.

import type { AnyWidget } from "@anywidget/types";
import { treeOf } from "./base/dom.ts";
import style from "./style.css";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import type { Model, Synced } from "./sync/model.ts";
import { exportsOf } from "./sync/script_interface.ts";
import { createView } from "./view.ts";

const styles = new WeakMap<Node, HTMLStyleElement>();

/**
 * Adds the style to the document or shadow tree that contains `el`, unless the style is already there. If the
 * host has removed the style, it is added again.
 */
function addStyle(el: HTMLElement) {
  const root = treeOf(el);
  const place = root instanceof ShadowRoot ? root : el.ownerDocument.head;
  if (!el.isConnected || styles.get(place)?.parentNode === place) return;
  // The function `html` puts no-break spaces into texts, which a style sheet must not have. So the element is
  // made without it.
  const element = document.createElement("style");
  element.textContent = style;
  place.append(element);
  styles.set(place, element);
}

/**
 * Keeps the style in the tree that contains the view. Many hosts draw a view first, and move it into their own tree
 * later.
 */
function followTree(el: HTMLElement): () => void {
  addStyle(el);
  const observer = new ResizeObserver(() => addStyle(el));
  observer.observe(el);
  return () => observer.disconnect();
}

/** Called once for each model. All views of the model share a controller. */
const widget: AnyWidget<Synced> = () => {
  let controller: Controller;
  return {
    initialize({ model, signal }: { model: Model; signal?: AbortSignal }) {
      controller = new Controller(model, pageClock);
      const close = () => controller.close();
      // From version 0.11 on, anywidget passes a `signal` and aborts it to clean up. It gives the returned
      // object to other widgets. Earlier versions call the returned function to clean up.
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
