import { beforeEach, expect, test } from "vitest";
import { Controller, type Picture } from "../src/controller.ts";
import { FakeClock } from "./clock.ts";
import { MockModel } from "./mock_model.ts";
import { rawEvaluation, rawFrame } from "./sample.ts";

let model: MockModel;
let clock: FakeClock;
let controller: Controller;

function start(traits: ConstructorParameters<typeof MockModel>[0] = {}) {
  model = new MockModel(traits);
  clock = new FakeClock();
  controller = new Controller(model.asModel(), clock);
}

function picture(): Picture {
  const result = controller.picture();
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

beforeEach(() => start());

test("at rest the picture is the kernel's answer", () => {
  expect(picture()).toMatchObject({
    source: "kernel",
    wanted: { alpha: 0.05, threshold: 0.5 },
    problem: null,
  });
});

test("a move is wanted at once, told to linked widgets and asked of the kernel", () => {
  controller.setAlpha(0.1);
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.1 }, frame: { alpha: 0.05 } });
  expect(model.get("alpha")).toBe(0.1);
  expect(model.last).toMatchObject({ type: "state", seq: 1, alpha: 0.1, threshold: 0.5 });
  model.answer(model.last);
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.1 } });
});

test("a value that is wanted already is not asked again", () => {
  controller.setAlpha(0.05);
  expect(model.sent).toEqual([]);
});

test("requests are numbered after the frame that the page was opened with", () => {
  start({ _frame: rawFrame({ client: "another page", seq: 41 }) });
  controller.setThreshold(0.6);
  expect(model.last.seq).toBe(42);
});

test("an answer older than the drawn one is dropped", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  const [older, newer] = model.sent;
  model.answer(newer);
  model.answer(older);
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.2 } });
});

test("what Python sets is adopted", () => {
  model.set("alpha", 0.3);
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.3 } });
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.3 } });
});

test("what another page sets is adopted", () => {
  model.set("_frame", rawFrame({ client: "another page", seq: 7, alpha: 0.3 }));
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.3 } });
});

test("a linked slider that moves faster than the kernel is not pulled back by old frames", () => {
  model.set("alpha", 0.3);
  model.set("alpha", 0.4);
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.4 }, frame: { alpha: 0.3 } });
});

test("nobody else moves a control that is held, and what they set is adopted on release", () => {
  controller.hold();
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  model.set("alpha", 0.3);
  expect(picture()).toMatchObject({ held: true, wanted: { alpha: 0.05 }, frame: { alpha: 0.3 } });
  controller.release();
  expect(picture()).toMatchObject({ held: false, wanted: { alpha: 0.3 }, source: "kernel" });
});

test("an echo of an earlier request does not move the control while later ones wait", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  model.set("alpha", 0.1);
  expect(picture().wanted.alpha).toBe(0.2);
});

test("the traits are saved once, at rest, so that no later save carries an old value", () => {
  controller.hold();
  controller.setAlpha(0.1);
  model.answer(model.last);
  expect(model.saves).toBe(0);
  controller.release();
  expect(model.saves).toBe(1);
  expect(model.get("alpha")).toBe(0.1);
});

test("a failure is told, and the controls go back to what the picture shows", () => {
  controller.setAlpha(0.1);
  model.fail(model.last, "alpha is not to my taste");
  expect(picture()).toMatchObject({
    source: "kernel",
    wanted: { alpha: 0.05 },
    problem: { fact: "The kernel could not compute this band:", reason: "alpha is not to my taste" },
  });
  expect(model.get("alpha")).toBe(0.05);
});

test("the next good frame clears a failure", () => {
  controller.setAlpha(0.1);
  model.fail(model.last, "no");
  controller.setAlpha(0.2);
  model.answer(model.last);
  expect(picture()).toMatchObject({ problem: null, source: "kernel", frame: { alpha: 0.2 } });
});

test("a failure of another page is not ours", () => {
  controller.setAlpha(0.1);
  model.fail({ ...model.last, client: "another page" }, "no");
  expect(picture().problem).toBeNull();
});

test("a frame that cannot be read leaves the last good one", () => {
  model.set("_frame", rawFrame({ limits: null }));
  expect(picture()).toMatchObject({
    frame: { alpha: 0.05 },
    problem: { fact: "The page could not read the kernel’s answer:", reason: "“limits” holds no bytes" },
  });
});

test("an evaluation that cannot be read is a sentence, and a good one recovers", () => {
  start({ _data: rawEvaluation({ version: 9 }) });
  expect(controller.picture()).toMatchObject({ ok: false, problem: expect.stringContaining("version 9") });
  model.set("_data", rawEvaluation());
  expect(picture().source).toBe("kernel");
});

test("a lost answer is asked for again", () => {
  controller.setAlpha(0.1);
  clock.advance(1500);
  expect(model.sent.map(({ alpha }) => alpha)).toEqual([0.1, 0.1]);
});

test("the band is a trait that is saved at once", () => {
  controller.setBand("both");
  expect(model.get("band")).toBe("both");
  expect(model.saves).toBe(1);
  expect(picture().band).toBe("both");
});

test("listeners hear of every change until they leave", () => {
  let heard = 0;
  const leave = controller.subscribe(() => {
    heard += 1;
  });
  controller.setAlpha(0.1);
  expect(heard).toBeGreaterThan(0);
  const before = heard;
  leave();
  model.answer(model.last);
  expect(heard).toBe(before);
});

test("a closed controller leaves nothing behind", () => {
  controller.setAlpha(0.1);
  controller.close();
  expect(model.listenerCount).toBe(0);
  expect(clock.pending).toBe(0);
});
