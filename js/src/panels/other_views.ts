import { html, setVisible } from "../base/dom.ts";
import { createSmallView, type SmallView } from "../plot/small_view.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { VIEW_KINDS, type ViewKind } from "../wire/messages.ts";
import { isOverview } from "./panel.ts";

/** Below the plot of a wide page: the views that are not in front. Nothing is built or drawn where they have no room. */
export function createOtherViews(controller: Controller, signal: AbortSignal) {
  const element = html("div", {
    class: "crw-other-views",
    role: "group",
    "aria-label": "Other views",
    "data-testid": "other-views",
  });
  const small: Partial<Record<ViewKind, SmallView>> = {};
  let front: ViewKind | null = null;

  function build() {
    for (const view of VIEW_KINDS) {
      small[view] = createSmallView(view, () => controller.choose({ view }), signal);
    }
    element.append(...Object.values(small).map((each) => each.element));
  }

  return {
    element,
    draw(picture: Picture, hasRoom: boolean) {
      const isShown = hasRoom && !isOverview(picture);
      setVisible(element, isShown);
      if (!isShown) return;
      if (!element.firstChild) build();
      const before = front;
      front = picture.view;
      const isLeft = small[front]?.element === document.activeElement;
      for (const view of VIEW_KINDS) {
        const each = small[view];
        if (each) setVisible(each.element, view !== front);
        if (view !== front) each?.draw(picture);
      }
      // The view that gave way takes the focus: the same key goes back.
      if (isLeft && before) small[before]?.element.focus({ preventScroll: true });
    },
  };
}
