// Checks who sets traits: the reader in one window or two, and Python in observers, cells and loops. The last change
// wins.

import { expect, test } from "vitest";
import type { Controller } from "../../src/sync/controller.ts";
import { FakeClock } from "../clock.ts";
import { FakeKernel } from "../fake_kernel.ts";
import { rawFrame } from "../sample.ts";
import { controller, model, start } from "./started.ts";

interface Stage {
  kernel: FakeKernel;
  clock: FakeClock;
  one: Controller;
  other: Controller;
}

const near = (threshold: number) => Math.round(threshold * 1000) / 1000;

const WHO: [string, (stage: Stage) => void, { alpha?: number; threshold?: number }][] = [
  ["a hand", ({ one }) => one.setAlpha(0.1), { alpha: 0.1, threshold: 0.5 }],
  [
    "an observer of one sets the other",
    ({ kernel, one }) => {
      kernel.observe = (name) => name === "threshold" && kernel.set({ alpha: 0.141 });
      one.setThreshold(0.6);
    },
    { alpha: 0.141, threshold: 0.6 },
  ],
  [
    "an observer sets the other during a drag",
    ({ kernel, clock, one }) => {
      kernel.observe = (name) =>
        name === "alpha" && kernel.set({ threshold: near(2 * (kernel.traits.alpha ?? 0)) });
      one.hold();
      for (let i = 1; i <= 20; i++) {
        one.setAlpha(near(0.05 + i / 100));
        clock.advance(10);
      }
      one.release();
    },
    { alpha: 0.25, threshold: 0.5 },
  ],
  [
    "an observer rounds what the hand has set",
    ({ kernel, one }) => {
      kernel.observe = () => kernel.set({ threshold: 0.33 });
      one.setThreshold(0.3333);
    },
    { alpha: 0.05, threshold: 0.33 },
  ],
  [
    "a running cell sets one, a key the other",
    ({ kernel, clock, one }) => {
      kernel.set({ alpha: 0.3 });
      clock.advance(5);
      one.setThreshold(0.51);
    },
    { alpha: 0.3, threshold: 0.51 },
  ],
  [
    "Python sets a slider just after the hand has, and the hand goes on with the other",
    ({ kernel, clock, one }) => {
      one.setAlpha(0.1);
      clock.advance(20);
      kernel.set({ alpha: 0.3 });
      one.setThreshold(0.6);
      clock.advance(1);
      one.setThreshold(0.7);
    },
    { alpha: 0.3, threshold: 0.7 },
  ],
  [
    "a hand comes back to its own value after Python",
    ({ kernel, clock, one }) => {
      one.setAlpha(0.1);
      clock.advance(200);
      kernel.set({ alpha: 0.3 });
      clock.advance(200);
      one.setAlpha(0.1);
    },
    { alpha: 0.1, threshold: 0.5 },
  ],
  [
    "a loop beside a hand",
    ({ kernel, clock, one }) => {
      one.hold();
      for (let i = 1; i <= 40; i++) {
        kernel.set({ alpha: near(0.1 + i / 200) });
        one.setThreshold(near(0.2 + i / 100));
        clock.advance(7);
      }
      one.release();
    },
    { alpha: 0.3, threshold: 0.6 },
  ],
  [
    "two windows, a drag in each",
    ({ clock, one, other }) => {
      one.hold();
      other.hold();
      for (let i = 1; i <= 30; i++) {
        one.setAlpha(near(0.05 + i / 100));
        other.setThreshold(near(0.5 + i / 100));
        clock.advance(9);
      }
      one.release();
      other.release();
    },
    { alpha: 0.35, threshold: 0.8 },
  ],
  [
    "two windows, one slider: the later hand",
    ({ clock, one, other }) => {
      one.setAlpha(0.1);
      clock.advance(60);
      other.setAlpha(0.2);
    },
    { alpha: 0.2, threshold: 0.5 },
  ],
  [
    "two windows, and a band in one of them",
    ({ clock, one, other }) => {
      one.choose({ band: "both" });
      clock.advance(3);
      other.setThreshold(0.7);
    },
    { alpha: 0.05, threshold: 0.7 },
  ],
  [
    "undo in one window takes back what was done in it alone",
    ({ clock, one, other }) => {
      one.setAlpha(0.1);
      clock.advance(100);
      other.setThreshold(0.7);
      clock.advance(100);
      one.undo();
    },
    { alpha: 0.05, threshold: 0.7 },
  ],
];

test.each(WHO)("%s: kernel, windows and frames agree", (_, speak, expected) => {
  const clock = new FakeClock();
  const kernel = new FakeKernel(clock);
  const [first, second] = [kernel.open(), kernel.open()];
  speak({ kernel, clock, one: first.controller, other: second.controller });
  clock.advance(60_000);
  expect(kernel.traits).toMatchObject(expected);
  for (const { model, controller } of kernel.windows) {
    const picture = controller.picture();
    if (!picture.ok) throw new Error(picture.problem);
    const { alpha, threshold, band } = kernel.traits;
    expect(picture.value).toMatchObject({ source: "kernel", wanted: { alpha, threshold }, band });
    expect(picture.value.frame).toMatchObject({ alpha, threshold });
    expect({ alpha: model.get("alpha"), threshold: model.get("threshold") }).toEqual({ alpha, threshold });
    expect(picture.value).toMatchObject({ asking: false, problem: null });
    expect(model.saves).toBe(0);
  }
});

test("a host without a widget manager hears the kernel's answer from the page, once it rests", () => {
  start({ layout: undefined });
  controller.setAlpha(0.2);
  expect(model.saves).toBe(0);
  const { client, seq } = model.last;
  model.set("_frame", rawFrame({ client, seq, alpha: 0.2 }));
  model.set("alpha", 0.2);
  expect([model.saves, model.get("alpha")]).toEqual([1, 0.2]);
  model.set("alpha", 0.3);
  expect(model.saves, "what Python sets is not said again").toBe(1);
});
