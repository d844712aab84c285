// Makes the button that magnifies the upper left corner of the ROC curve five times. The key z does so too.

import { decoration, html, listen, setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";

const KEY = "z";

export function createCornerToggle(controller: Controller, root: HTMLElement, signal: AbortSignal) {
  let isOn = false;
  let isOffered = false;
  const toggle = () => controller.choose({ zoom: !isOn });
  const icon = decoration(
    { class: "crw-icon", width: 16, height: 16 },
    svg("path", { d: "M2.5 2.5h11v11h-11z" }),
    svg("path", { d: "M2.5 2.5h5v5h-5z", fill: "currentColor" }),
  );
  const title = "Sensitivity 80 to 100 % and specificity 80 to 100 % alone (key z)";
  const names = { class: "crw-tool", "data-testid": "toolbar-corner", title };
  const element = html("button", names, icon, html("span", {}, "Corner ×5"));
  listen(element, "click", signal, toggle);
  listen(root, "keydown", signal, (event) => {
    const hasChord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== KEY || hasChord || !isOffered || event.target instanceof HTMLInputElement) return;
    toggle();
  });
  return {
    element,
    draw({ shown, view, zoom }: Picture) {
      isOn = zoom;
      isOffered = shown === null || view === "roc";
      setVisible(element, isOffered);
      setAttributes(element, { "aria-pressed": String(zoom) });
    },
  };
}
