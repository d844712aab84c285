import type { AnyWidget } from "@anywidget/types";
import "./style.css";
import { Controller, type Traits } from "./controller.ts";
import type { Clock } from "./gate.ts";
import { createView } from "./view.ts";

const clock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

/** Called once per model: its views share one controller. */
const widget: AnyWidget<Traits> = () => {
  let controller: Controller;
  return {
    initialize({ model }) {
      controller = new Controller(model, clock);
      return () => controller.close();
    },
    render: ({ el }) => createView(controller, el),
  };
};

export default widget;
