import type { AnyWidget } from "@anywidget/types";
import "./style.css";
import { pageClock } from "./sync/backpressure.ts";
import { Controller } from "./sync/controller.ts";
import type { Synced } from "./sync/view_model.ts";
import { createView } from "./view.ts";

/** Called once per model: its views share one controller. */
const widget: AnyWidget<Synced> = () => {
  let controller: Controller;
  return {
    initialize({ model }) {
      controller = new Controller(model, pageClock);
      return () => controller.close();
    },
    render: ({ el }) => createView(controller, el),
  };
};

export default widget;
