// @vitest-environment jsdom
// A whole view: the order of its focus stops, and what is left after it is closed.

import { expect, test, vi } from "vitest";
import { createView } from "../src/view.ts";
import { CLASSES, controller, isSeen, open, prepareBrowser, root, start } from "./opened_view.ts";
import { drawn } from "./page.ts";

prepareBrowser();

test("the keyboard goes through the view as the eye does", async () => {
  await open();
  const stops = [...root.querySelectorAll("[tabindex='0'], input, button, select, summary")]
    .filter(isSeen)
    .map((element) => element.getAttribute("data-testid") ?? element.getAttribute("value"));
  const order = [
    ...["views", "toolbar-download", "toolbar-more", "ideal", "specificity", "operating-point", "alpha"],
    ...["residual-handle-1-lower", "residual-handle-0-upper", "jump", "threshold"],
  ];
  const places = order.map((name) => stops.indexOf(name));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

test("a view that is closed leaves no listener on the page, drawn or not, alone or beside another", async () => {
  let alive = 0;
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, "addEventListener").mockImplementation(
      (type: string, listener: unknown, options?: boolean | AddEventListenerOptions) => {
        alive += 1;
        if (typeof options === "object") options.signal?.addEventListener("abort", () => (alive -= 1));
        add(type, listener as EventListener, options);
      },
    );
    vi.spyOn(target, "removeEventListener").mockImplementation(() => {
      alive -= 1;
    });
  }
  start(CLASSES);
  const [first, second] = [0, 1].map(() => document.body.appendChild(document.createElement("div")));
  const other = createView(controller, second);
  const ofOne = alive;
  expect(ofOne).toBeGreaterThan(0);
  for (const isDrawn of [false, true, true]) {
    const end = createView(controller, first);
    expect(alive).toBeGreaterThan(ofOne);
    if (isDrawn) await drawn();
    end();
    expect(alive).toBe(ofOne);
  }
  other();
  expect(alive).toBe(0);
  expect(first.childElementCount + second.childElementCount).toBe(0);
});
