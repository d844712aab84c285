import type { AnyWidget } from "@anywidget/types";
import "./style.css";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import { exportsOf } from "./sync/exports.ts";
import type { Model, Synced } from "./sync/view_model.ts";
import { createView } from "./view.ts";

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
    render: ({ el }) => createView(controller, el),
  };
};

export default widget;
