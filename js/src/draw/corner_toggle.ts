// The button that shows the upper left corner of a ROC curve five times as large, and the key for it.

import { decoration, html, listen, setAttributes, setVisible, svg } from "../base/dom.ts";
import type { Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";

/** With an area of this or more, curve and band fill a tenth of the plot. */
const NEAR = 0.95;
const KEY = "z";

/** Two buttons: above the plot where curves are near the corner, and one for a menu elsewhere. */
export function createCornerToggle(controller: Controller, root: HTMLElement, signal: AbortSignal) {
  let isOn = false;
  let isOffered = false;
  const toggle = () => controller.choose({ zoom: !isOn });
  const above = cornerButton("crw-corner-toggle", "corner");
  const seldom = cornerButton("crw-tool", "toolbar-corner");
  for (const button of [above, seldom]) listen(button, "click", signal, toggle);
  listen(root, "keydown", signal, (event) => {
    const hasChord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== KEY || hasChord || !isOffered || event.target instanceof HTMLInputElement) return;
    toggle();
  });
  return {
    above,
    seldom,
    draw({ group, shown, view, zoom }: Picture) {
      isOn = zoom;
      isOffered = shown === null || view === "roc";
      const isNear = group.entries.some(({ auc }, i) => (shown === null || i === shown) && auc >= NEAR);
      setVisible(above, isOffered && (isNear || zoom));
      setVisible(seldom, isOffered && !isNear && !zoom);
      for (const button of [above, seldom]) setAttributes(button, { "aria-pressed": String(zoom) });
    },
  };
}

function cornerButton(name: string, testid: string): HTMLButtonElement {
  const icon = decoration(
    { class: "crw-icon", width: 16, height: 16 },
    svg("path", { d: "M2.5 2.5h11v11h-11z" }),
    svg("path", { d: "M2.5 2.5h5v5h-5z", fill: "currentColor" }),
  );
  const title = "Sensitivity 0.80 to 1 and specificity 0.80 to 1 alone (key z)";
  return html("button", { class: name, "data-testid": testid, title }, icon, html("span", {}, "Corner ×5"));
}
