import { beforeEach, expect, test } from "vitest";
import { PAGE } from "../../src/wire/controls.ts";
import { rawFrame, rawFrames, rawGroup } from "../sample.ts";
import { clock, controller, model, picture, start } from "./started.ts";

beforeEach(() => start());

const setting = () => ({ ...picture().wanted, band: picture().band, prevalence: picture().prevalence });

test("one setting after the other is taken back, and the kernel is asked for each", () => {
  const first = setting();
  controller.setAlpha(0.1);
  const second = setting();
  controller.choose({ band: "both", prevalence: 0.2 });
  const third = setting();
  controller.jumpTo({ threshold: 0.7 });
  for (const before of [third, second, first]) {
    controller.undo();
    expect(setting()).toEqual(before);
    clock.advance(1000);
    model.answer(model.last);
    expect(picture().source).toBe("kernel");
    expect(model.get("alpha")).toBe(before.alpha);
    expect(model.get("band")).toBe(before.band);
  }
  const { length } = model.sent;
  controller.undo();
  expect(setting()).toEqual(first);
  expect(model.sent).toHaveLength(length);
});

test("a drag is one step, and is not taken back while it lasts", () => {
  controller.hold();
  for (const alpha of [0.06, 0.07, 0.08]) controller.setAlpha(alpha);
  controller.undo();
  expect(picture().wanted.alpha).toBe(0.08);
  controller.release();
  controller.undo();
  expect(picture().wanted.alpha).toBe(0.05);
});

test("a press that moves nothing is no step", () => {
  controller.setAlpha(0.1);
  controller.hold();
  controller.release();
  controller.undo();
  expect(picture().wanted.alpha).toBe(0.05);
});

test("a reset is taken back as one step, as long as nothing else has changed since", () => {
  controller.setAlpha(0.1);
  controller.choose({ band: "both" });
  controller.setShown("conformal", false);
  expect(picture().isReset).toBe(false);
  controller.reset();
  expect(picture()).toMatchObject({ isReset: true, band: "sensitivity", wanted: { alpha: 0.05 } });
  expect(picture().page.hidden).toEqual([]);
  controller.undo();
  expect(picture()).toMatchObject({ isReset: false, band: "both", wanted: { alpha: 0.1 } });
  expect(picture().page.hidden).toEqual(["conformal"]);
  controller.reset();
  controller.setThreshold(0.6);
  expect(picture().isReset).toBe(false);
});

test("what is chosen of the page alone is taken back, and saved with the notebook", () => {
  controller.choosePage({ alike: true, arc: false });
  expect(picture().page).toMatchObject({ alike: true, arc: false });
  clock.advance(1000);
  model.answer(model.last);
  expect(model.last).toMatchObject({ page: { alike: true } });
  expect(model.get("page")).toMatchObject({ alike: true, arc: false });
  controller.undo();
  expect(picture().page).toEqual(PAGE);
});

test("undo leaves alone what Python has set since", () => {
  controller.setAlpha(0.1);
  model.answer(model.last);
  model.set("threshold", 0.7);
  model.set("_frame", rawFrame({ alpha: 0.1, threshold: 0.7 }));
  controller.undo();
  expect(picture().wanted).toEqual({ alpha: 0.05, threshold: 0.7 });
});

test("reset goes back to what the page was opened with", () => {
  start({ _data: rawGroup("a", "b"), _frame: rawFrames(2), label: "a" });
  controller.setAlpha(0.2);
  controller.setThreshold(0.9);
  controller.choose({ band: "both" });
  controller.show(null);
  controller.choose({ weights: "uniform" });
  expect(picture()).toMatchObject({ band: "both", shown: null, weights: "uniform" });
  controller.reset();
  expect(picture()).toMatchObject({
    wanted: { alpha: 0.05, threshold: 0.5 },
    band: "sensitivity",
    shown: 0,
    weights: "size",
  });
});
