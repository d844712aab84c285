import { beforeEach, expect, test } from "vitest";
import { frameAt } from "../../src/evaluation/at_alpha.ts";
import { PAGE } from "../../src/wire/controls.ts";
import {
  LOCALIZED,
  LOCALIZED_FRAME,
  rawEvaluation,
  rawFrame,
  rawFrames,
  rawGroup,
  sampleEvaluation,
  THRESHOLDS,
} from "../sample.ts";
import { clock, controller, model, picture, start } from "./started.ts";

beforeEach(() => start());

test("at rest the picture is the kernel's answer", () => {
  expect(picture()).toMatchObject({
    source: "kernel",
    wanted: { alpha: 0.05, threshold: 0.5 },
    problem: null,
  });
});

test("a move is computed at once and asked of the kernel, which tells linked widgets with its answer", () => {
  controller.setAlpha(0.1);
  expect(picture()).toMatchObject({ source: "preview", waiting: false, wanted: { alpha: 0.1 } });
  expect(picture().frame).toEqual(frameAt(sampleEvaluation(), 0.1, 0.5));
  expect(model.last).toEqual({ type: "state", client: expect.any(String), seq: 1, since: 0, alpha: 0.1 });
  model.answer(model.last);
  expect(model.get("alpha")).toBe(0.1);
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.1 } });
});

test("nothing on the page turns a curve to guess from into one with limits", () => {
  start({ page: { ...PAGE, reveal: false }, band: "both", view: "net_benefit" });
  const guess = { band: "none", view: "roc", problem: null };
  const nothing = { ideal: false, sampling: false, reliability: false };
  expect(picture()).toMatchObject({ ...guess, offered: nothing, page: { reveal: false } });
  controller.choose({ band: "sampling", view: "reliability" });
  controller.choosePage({ alike: true });
  controller.undo();
  controller.reset();
  expect(picture()).toMatchObject({ ...guess, page: { reveal: false } });
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
  clock.advance(50);
  controller.setAlpha(0.2);
  const [older, newer] = model.sent;
  model.answer(newer);
  model.answer(older);
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.2 } });
});

test("the kernel's state of a while ago, late on a new connection, undoes nothing", () => {
  controller.setAlpha(0.1);
  clock.advance(50);
  controller.setAlpha(0.2);
  const [older, newer] = model.sent;
  model.answer(older);
  model.answer(newer);
  model.set("alpha", 0.1);
  model.answer(older);
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.2 }, frame: { alpha: 0.2 } });
  expect(model.get("alpha")).toBe(0.2);
});

test("jumps and the way back ease, and nothing else does", () => {
  controller.setAlpha(0.1);
  expect(picture().easing).toBe(false);
  controller.jumpTo({ threshold: 0.7 });
  expect(picture()).toMatchObject({ easing: true, wanted: { alpha: 0.1, threshold: 0.7 } });
  clock.advance(199);
  expect(picture().easing).toBe(true);
  clock.advance(1);
  expect(picture().easing).toBe(false);
  controller.reset();
  expect(picture()).toMatchObject({ easing: true, wanted: { alpha: 0.05, threshold: 0.5 } });
  controller.close();
  clock.advance(60_000);
  expect(picture().easing).toBe(false);
});

test("a trait that Python sets is adopted", () => {
  model.set("alpha", 0.3);
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.3 } });
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.3 } });
});

test("a trait that another page sets is adopted", () => {
  model.setAtOnce([
    ["_frame", rawFrame({ client: "another page", seq: 7, alpha: 0.3 })],
    ["alpha", 0.3],
  ]);
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.3 } });
});

test("a linked slider that moves faster than the kernel is not pulled back by old frames", () => {
  model.set("alpha", 0.3);
  model.set("alpha", 0.4);
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.4 }, frame: { alpha: 0.4 } });
});

test("nobody else moves a control that is held, and the value they set is adopted on release", () => {
  controller.hold();
  model.set("_frame", rawFrame({ alpha: 0.3 }));
  model.set("alpha", 0.3);
  expect(picture()).toMatchObject({ held: true, wanted: { alpha: 0.05 }, frame: { alpha: 0.05 } });
  controller.release();
  expect(picture()).toMatchObject({ held: false, wanted: { alpha: 0.3 }, source: "kernel" });
});

test("an echo of an earlier request does not move the control while later ones wait", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  model.set("alpha", 0.1);
  expect(picture().wanted.alpha).toBe(0.2);
});

test("the page sets no trait that the kernel will answer, so that no later save carries an old value", () => {
  controller.hold();
  controller.setAlpha(0.1);
  controller.choose({ band: "both" });
  expect([model.get("alpha"), model.get("band")]).toEqual([0.05, "sensitivity"]);
  clock.advance(50);
  model.answer(model.last);
  controller.release();
  expect([model.get("alpha"), model.get("band")]).toEqual([0.1, "both"]);
  expect(model.saves).toBe(0);
});

test("what was set while nobody answered is told to linked widgets at once, and saved at the next answer", () => {
  controller.setAlpha(0.1);
  clock.advance(60_000);
  controller.setAlpha(0.2);
  expect(model.get("alpha")).toBe(0.2);
  expect(model.saves).toBe(0);
  clock.advance(60_000);
  model.answer(model.last);
  expect(model.saves).toBe(1);
});

test("a request says what the hand has changed since the last answer, and nothing else", () => {
  controller.setAlpha(0.1);
  clock.advance(50);
  controller.setThreshold(0.6);
  expect(model.last).toMatchObject({ since: 0, alpha: 0.1, threshold: 0.6 });
  model.answer(model.sent[0]);
  clock.advance(50);
  controller.setThreshold(0.7);
  expect(model.last).toEqual({ ...model.sent[1], seq: 3, since: 1, threshold: 0.7, alpha: undefined });
  model.answer(model.last);
  clock.advance(50);
  controller.choose({ band: "both" });
  expect(Object.keys(model.last)).toEqual(["type", "client", "seq", "since", "band"]);
});

test("a later frame of a number is newer: an observer has set the other slider meanwhile", () => {
  controller.setThreshold(0.6);
  const { client, seq } = model.last;
  model.answer(model.last);
  model.set("alpha", 0.141);
  model.set("_frame", rawFrame({ client, seq, threshold: 0.6, alpha: 0.141 }));
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.141, threshold: 0.6 } });
  expect(model.get("alpha")).toBe(0.141);
});

test("the slider that the hand is not on moves under it, and the one that it is on waits for its release", () => {
  controller.hold();
  controller.setThreshold(0.6);
  model.answer(model.last);
  model.setAtOnce([
    ["alpha", 0.3],
    ["threshold", 0.7],
    ["_frame", rawFrame({ alpha: 0.3, threshold: 0.7 })],
  ]);
  expect(picture().wanted).toEqual({ alpha: 0.3, threshold: 0.6 });
  controller.release();
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.3, threshold: 0.7 } });
});

test("a failure of code that follows the traits is told, and not taken for the kernel's", () => {
  controller.setAlpha(0.1);
  model.answer(model.last);
  model.tell({ type: "observer", message: "ZeroDivisionError: division by zero" });
  const problem = {
    fact: "Code in the notebook that follows this chart has failed:",
    reason: "ZeroDivisionError: division by zero",
  };
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.1 }, problem });
  clock.advance(50);
  controller.setAlpha(0.2);
  model.answer(model.last);
  expect(picture()).toMatchObject({ wanted: { alpha: 0.2 }, problem });
  clock.advance(50);
  controller.setAlpha(0.3);
  model.answer(model.last);
  expect(picture()).toMatchObject({ wanted: { alpha: 0.3 }, problem: null });
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
  clock.advance(50);
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
  model.set("_frame", rawFrame({ limits: 3 }));
  expect(picture()).toMatchObject({
    frame: { alpha: 0.05 },
    problem: { fact: "The page could not read the kernel’s answer:", reason: "“limits” is not a list" },
  });
});

test("an evaluation that cannot be read is a sentence, and a good one recovers", () => {
  start({ _data: rawEvaluation({ version: 99 }) });
  expect(controller.picture()).toMatchObject({ ok: false, problem: expect.stringContaining("version 99") });
  model.set("_data", rawEvaluation());
  expect(picture().source).toBe("kernel");
});

test("a lost answer is asked for again", () => {
  controller.setAlpha(0.1);
  clock.advance(1500);
  expect(model.sent.map(({ alpha }) => alpha)).toEqual([0.1, 0.1]);
});

test("a chosen band is a trait, and the kernel is told of it with the setting, until it answers", () => {
  controller.choose({ band: "both" });
  expect(picture()).toMatchObject({ band: "both", source: "kernel" });
  expect(model.last).toMatchObject({ band: "both" });
  expect(model.last).not.toHaveProperty("weights");
  clock.advance(1500);
  expect(model.sent).toHaveLength(2);
  expect(model.last.band).toBe("both");
  model.answer(model.last);
  expect(model.get("band")).toBe("both");
  clock.advance(50);
  controller.setAlpha(0.1);
  expect(model.last).not.toHaveProperty("band");
});

test("Python’s or another page’s choice of the view is adopted, unless the reader has just chosen", () => {
  model.set("band", "both");
  expect(picture().band).toBe("both");
  controller.choose({ band: "specificity" });
  model.setAtOnce([
    ["band", "both"],
    ["weights", "uniform"],
  ]);
  expect(picture()).toMatchObject({ band: "specificity", weights: "uniform" });
  model.answer(model.last);
  expect(picture().band).toBe("specificity");
  expect(model.get("band")).toBe("specificity");
  model.set("band", "both");
  expect(picture().band).toBe("both");
});

test("a choice that the kernel could not take is taken back", () => {
  model.set("band", "both");
  controller.choose({ band: "specificity" });
  model.fail(model.last, "no such band");
  expect(picture()).toMatchObject({ band: "both", problem: { reason: "no such band" } });
  expect(model.get("band")).toBe("both");
  controller.choose({ band: "sensitivity" });
  controller.setAlpha(0.1);
  model.fail(model.last, "not now");
  expect(picture().band).toBe("sensitivity");
});

test("a choice made while nobody answered is told on the next connection", () => {
  controller.choose({ band: "both" });
  model.connect(false);
  controller.choose({ band: "specificity" });
  expect(picture()).toMatchObject({ band: "specificity", source: "static" });
  expect(model.sent).toHaveLength(1);
  model.connect(true);
  clock.advance(50);
  expect(model.last).toMatchObject({ band: "specificity" });
});

test.each([
  ["_frame", "band"],
  ["band", "_frame"],
] as const)("a view of a while ago, late on a new connection, undoes nothing (%s first)", (...order) => {
  controller.setAlpha(0.1);
  model.answer(model.last);
  const late = { _frame: model.get("_frame"), band: model.get("band") };
  clock.advance(50);
  controller.choose({ band: "both" });
  model.answer(model.last);
  model.setAtOnce(order.map((name) => [name, late[name]]));
  expect(picture()).toMatchObject({ source: "kernel", band: "both" });
  expect(model.get("band")).toBe("both");
  model.set("band", "specificity");
  expect(picture().band).toBe("specificity");
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

/** A number that the page would never compute, which shows that a frame is the kernel's. */
const KERNELS = [0.9523, 0.9521];

test("a computed picture is kept while nothing changes", () => {
  controller.setAlpha(0.1);
  const { frame } = picture();
  controller.hold();
  expect(picture().frame).toBe(frame);
});

test("an answer to an older wish does not replace the preview of a newer one", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  model.answer(model.sent[0]);
  expect(picture()).toMatchObject({ source: "preview", frame: { alpha: 0.2 } });
  expect(picture().frame.guaranteed).not.toEqual(KERNELS);
});

test("answers on the way do not make the page compute the same preview again", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  const { frame } = picture();
  model.answer(model.sent[0]);
  expect(picture().frame).toBe(frame);
});

test("back where the kernel has answered, its frame is shown without waiting for another", () => {
  controller.setAlpha(0.1);
  controller.setAlpha(0.05);
  expect(picture()).toMatchObject({ source: "kernel", frame: { alpha: 0.05, guaranteed: KERNELS } });
});

test("traits that mean nothing are not adopted, and from the start they are a sentence", () => {
  model.set("alpha", 0);
  expect(picture()).toMatchObject({ wanted: { alpha: 0.05 } });
  start({ alpha: 7 });
  expect(controller.picture()).toEqual({ ok: false, problem: "“alpha” is not between 0 and 1" });
  start({ band: "everything" as never });
  expect(controller.picture()).toMatchObject({ ok: false, problem: expect.stringContaining("“band”") });
});

test("which entry is looked at is a trait, and null stands for all of them", () => {
  start({ _data: rawGroup("a", "b", "c"), _frame: rawFrames(3) });
  expect(picture()).toMatchObject({ shown: null, evaluation: { key: "a" } });
  controller.show(1);
  expect(picture()).toMatchObject({ shown: 1, evaluation: { key: "b" } });
  expect(picture().frames).toHaveLength(3);
  expect(model.last).toMatchObject({ label: "b" });
});

test("the previews of all entries are at the same setting", () => {
  start({ _data: rawGroup("a", "b"), _frame: rawFrames(2) });
  controller.setAlpha(0.2);
  expect(picture().frames.map(({ alpha, threshold }) => [alpha, threshold])).toEqual([
    [0.2, 0.5],
    [0.2, 0.5],
  ]);
});

test("a picture that the page cannot compute is awaited, with the last frame", () => {
  start({ _data: rawEvaluation(LOCALIZED), _frame: rawFrame(LOCALIZED_FRAME) });
  controller.setAlpha(0.1);
  expect(picture()).toMatchObject({
    waiting: true,
    source: "preview",
    frame: { alpha: 0.05 },
    wanted: { alpha: 0.1 },
  });
  model.answer(model.last, LOCALIZED_FRAME);
  expect(picture()).toMatchObject({ waiting: false, source: "kernel", frame: { alpha: 0.1 } });
  controller.setThreshold(THRESHOLDS[2]);
  expect(picture()).toMatchObject({ waiting: false, frame: { point: { tp: 2, fp: 1 } } });
});

test("while a late answer is awaited the newest one is shown", () => {
  start({ _data: rawEvaluation(LOCALIZED), _frame: rawFrame(LOCALIZED_FRAME) });
  controller.setAlpha(0.1);
  controller.setAlpha(0.2);
  model.answer(model.sent[0], LOCALIZED_FRAME);
  expect(picture()).toMatchObject({ waiting: true, frame: { alpha: 0.1 }, wanted: { alpha: 0.2 } });
});

test("200 events a second with a kernel of 20 ms: the screen settles on the last one at once", () => {
  controller.hold();
  let most = 0;
  let answered = 0;
  let isBusy = false;
  const work = () => {
    const request = model.sent[answered];
    if (!request || isBusy) return;
    isBusy = true;
    clock.setTimeout(() => {
      isBusy = false;
      answered += 1;
      model.answer(request);
      work();
    }, 20);
  };
  for (let i = 0; i < 2000; i++) {
    controller.setThreshold(((i * 7) % 1000) / 1000);
    expect(picture().frame.threshold).toBe(((i * 7) % 1000) / 1000);
    most = Math.max(most, model.sent.length - answered);
    work();
    clock.advance(5);
  }
  controller.release();
  for (let ms = 5; ms < 200; ms += 5) {
    work();
    clock.advance(5);
  }
  expect(most).toBe(1);
  expect(picture()).toMatchObject({ source: "kernel", frame: { threshold: ((1999 * 7) % 1000) / 1000 } });
  expect(model.get("threshold")).toBe(((1999 * 7) % 1000) / 1000);
});

test("a choice is drawn as the kernel's before the kernel knows of it, and the page says so", () => {
  expect(picture().asking).toBe(false);
  controller.choose({ band: "both" });
  controller.choose({ band: "specificity" });
  expect(picture()).toMatchObject({ source: "kernel", asking: true });
  clock.advance(1000);
  model.answer(model.last);
  expect(picture()).toMatchObject({ source: "kernel", asking: false });
});
