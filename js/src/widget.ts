// The widget of a notebook, as anywidget loads it.

import type { AnyWidget } from "@anywidget/types";
import style from "./style.css";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import type { Model, Synced } from "./sync/model.ts";
import { exportsOf } from "./sync/script_interface.ts";
import { createView } from "./view.ts";

const styled = new WeakSet<Node>();

/** Adds the style once to each document or shadow tree that holds a view. */
function addStyle(el: HTMLElement) {
  const root = el.getRootNode();
  const place = root instanceof ShadowRoot ? root : el.ownerDocument.head;
  if (styled.has(place)) return;
  styled.add(place);
  // The element is not made by `html`, which changes texts for people.
  const element = document.createElement("style");
  element.textContent = style;
  place.append(element);
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
      addStyle(el);
      return createView(controller, el);
    },
  };
};

export default widget;
