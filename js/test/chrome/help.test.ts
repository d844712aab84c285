// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { Picture } from "../../src/shown/picture.ts";
import { pageClock } from "../../src/sync/backpressure.ts";
import { Controller } from "../../src/sync/controller.ts";
import { createView } from "../../src/view.ts";
import { calloutsOf, termsIn } from "../../src/words/help.ts";
import { MockModel } from "../mock_model.ts";
import { drawn, standInForTheBrowser } from "../page.ts";
import { pictureOf } from "../picture.ts";

standInForTheBrowser();

// jsdom does not measure the lengths of lines.
Object.assign(SVGElement.prototype, {
  getTotalLength: () => 100,
  getPointAtLength: (x: number) => ({ x, y: x }),
});

async function open(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  const controller = new Controller(new MockModel(traits).asModel(), pageClock);
  const el = document.body.appendChild(document.createElement("div"));
  createView(controller, el);
  await drawn();
  return el.firstElementChild as HTMLElement;
}

const callouts = (root: HTMLElement) => [...root.querySelectorAll(".crw-callout")];

test("the call-outs come with the button and go with it, with Escape, and with a press elsewhere", async () => {
  const root = await open();
  const button = root.querySelector('[data-testid="toolbar-help"]') as HTMLElement;
  const isOpen = () => [callouts(root).length > 0, button.getAttribute("aria-expanded")];
  const ends = [
    () => button.click(),
    () => button.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
    () => root.dispatchEvent(new Event("pointerdown", { bubbles: true })),
  ];
  for (const end of ends) {
    button.click();
    expect(isOpen()).toEqual([true, "true"]);
    expect(callouts(root)[0].parentElement?.getAttribute("role")).toBe("status");
    end();
    expect(isOpen()).toEqual([false, "false"]);
  }
});

test("the call-out at the residuals names handles where there are some", () => {
  const picture = pictureOf();
  const saidOf = (frame: Picture["frame"]) => calloutsOf({ ...picture, frame }, "a rate").residuals[1];
  expect(saidOf(picture.frame)).toContain("The handles mark the outer 5 %");
  expect(saidOf({ ...picture.frame, orderStatistics: null })).toMatch(/spread, the wider the band\.$/);
});

test("a term shows its explanation while it has the focus, and Escape takes that away", async () => {
  const root = await open();
  const terms = [...root.querySelectorAll<HTMLElement>(".crw-term")];
  expect(terms.map(({ textContent }) => textContent)).toContain("pointwise");
  for (const term of terms) {
    term.focus();
    const tip = root.querySelector(".crw-tip");
    expect(tip?.id).toBe(term.getAttribute("aria-describedby"));
    term.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(root.querySelector(".crw-tip")).toBeNull();
    expect(document.activeElement).toBe(term);
  }
});

test("the terms of a text are found, each once, and the text stays as it is", () => {
  const text =
    "pointwise: one threshold drawn at random; an ideal model, at least 96.9\u00a0% of an ideal model";
  const pieces = termsIn(text, "at least 96.9\u00a0%");
  const names = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.name]));
  expect(names).toEqual([
    "pointwise",
    "one threshold drawn at random",
    "ideal model",
    "at least 96.9\u00a0%",
  ]);
  expect(pieces.map((piece) => (typeof piece === "string" ? piece : piece.name)).join("")).toBe(text);
});
