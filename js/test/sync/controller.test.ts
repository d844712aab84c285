import { beforeEach, expect, test } from "vitest";
import { frameAt } from "../../src/evaluation/at_alpha.ts";
import { Controller } from "../../src/sync/controller.ts";
import type { Picture } from "../../src/sync/view_model.ts";
import { FakeClock } from "../clock.ts";
import { MockModel } from "../mock_model.ts";
import {
  LOCALIZED,
  LOCALIZED_FRAME,
  rawEvaluation,
  rawFrame,
  rawFrames,
  rawFrozen,
  rawGroup,
  sampleEvaluation,
  THRESHOLDS,
} from "../sample.ts";

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

test("a move is computed at once, told to linked widgets and asked of the kernel", () => {
  controller.setAlpha(0.1);
  expect(picture()).toMatchObject({ source: "preview", waiting: false, wanted: { alpha: 0.1 } });
  expect(picture().frame).toEqual(frameAt(sampleEvaluation(), 0.1, 0.5));
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
  expect(picture()).toMatchObject({ source: "preview", wanted: { alpha: 0.4 }, frame: { alpha: 0.4 } });
});

test("nobody else moves a control that is held, and what they set is adopted on release", () => {
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
  model.set("_frame", rawFrame({ limits: null }));
  expect(picture()).toMatchObject({
    frame: { alpha: 0.05 },
    problem: { fact: "The page could not read the kernel’s answer:", reason: "“limits” is not a list" },
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

test("a chosen band is a trait, and the kernel is told of it with the setting, until it answers", () => {
  controller.choose({ band: "both" });
  expect(model.get("band")).toBe("both");
  expect(picture()).toMatchObject({ band: "both", source: "kernel" });
  expect(model.last).toMatchObject({ alpha: 0.05, threshold: 0.5, band: "both" });
  expect(model.last).not.toHaveProperty("weights");
  expect(model.saves).toBe(0);
  clock.advance(1500);
  expect(model.sent).toHaveLength(2);
  expect(model.last.band).toBe("both");
  model.answer(model.last);
  expect(model.saves).toBe(1);
  clock.advance(50);
  controller.setAlpha(0.1);
  expect(model.last).not.toHaveProperty("band");
});

test("what Python or another page sets of the view is adopted, but for what the reader has just chosen", () => {
  model.set("band", "both");
  expect(picture().band).toBe("both");
  controller.choose({ band: "specificity" });
  model.setAtOnce([
    ["band", "both"],
    ["weights", "uniform"],
  ]);
  expect(picture()).toMatchObject({ band: "specificity", weights: "uniform" });
  expect(model.get("band")).toBe("specificity");
  model.answer(model.last);
  expect(picture().band).toBe("specificity");
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

test("what was chosen while nobody answered is told on the next connection", () => {
  controller.choose({ band: "both" });
  model.connect(false);
  controller.choose({ band: "specificity" });
  expect(picture()).toMatchObject({ band: "specificity", source: "static" });
  expect(model.sent).toHaveLength(1);
  model.connect(true);
  clock.advance(50);
  expect(model.last).toMatchObject({ alpha: 0.05, band: "specificity" });
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

/** A number that the page would never compute: a frame with it is the kernel's. */
const KERNELS = [0.9523, 0.9521];

test("what has been computed is kept while nothing changes", () => {
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

test("which entry is looked at is a trait, and null stands for all of them", () => {
  start({ _data: rawGroup("a", "b", "c"), _frame: rawFrames(3) });
  expect(picture()).toMatchObject({ shown: null, evaluation: { key: "a" } });
  controller.show(1);
  expect(model.get("label")).toBe("b");
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

test("what the page cannot compute is awaited, with the last frame", () => {
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
  expect(model.saves).toBe(1);
});

test("a kernel that is silent for long leaves the page alone, and an answer brings it back", () => {
  controller.setAlpha(0.1);
  clock.advance(1500 + 3000);
  expect(picture()).toMatchObject({ source: "preview", problem: null });
  clock.advance(6000);
  expect(picture()).toMatchObject({
    source: "static",
    frame: { alpha: 0.1 },
    problem: { fact: "The kernel no longer answers:" },
  });
  controller.setAlpha(0.2);
  expect(picture()).toMatchObject({ source: "static", frame: { alpha: 0.2 } });
  clock.advance(100_000);
  expect(model.last.alpha).toBe(0.2);
  model.answer(model.last);
  expect(picture()).toMatchObject({ source: "kernel", problem: null, wanted: { alpha: 0.2 } });
});

test("with a silent kernel nothing is drawn that the page cannot compute, and the setting stays", () => {
  start({ _data: rawEvaluation(LOCALIZED), _frame: rawFrame(LOCALIZED_FRAME) });
  controller.setAlpha(0.1);
  clock.advance(60_000);
  expect(picture()).toMatchObject({
    source: "preview",
    waiting: true,
    wanted: { alpha: 0.1 },
    problem: { fact: "The kernel no longer answers:" },
  });
});

test("a connection that throws counts as a silent kernel", () => {
  model.send = () => {
    throw new Error("Cannot send");
  };
  controller.setAlpha(0.1);
  clock.advance(60_000);
  expect(picture()).toMatchObject({ source: "static", frame: { alpha: 0.1 } });
});

test("without a kernel everything moves and nothing is asked", () => {
  start({ _static: true });
  expect(picture()).toMatchObject({ source: "static", stops: null, problem: null });
  controller.hold();
  controller.setAlpha(0.2);
  controller.setThreshold(0.321);
  controller.release();
  expect(picture()).toMatchObject({
    source: "static",
    wanted: { alpha: 0.2, threshold: 0.321 },
    frame: { alpha: 0.2, threshold: 0.321 },
  });
  expect(model.get("alpha")).toBe(0.2);
  expect(model.sent).toEqual([]);
  expect(clock.pending).toBe(0);
});

test("a model that a widget manager has restored without a kernel is static", () => {
  start({ layout: { comm_live: false } });
  expect(picture().source).toBe("static");
  start({ layout: { comm_live: true } });
  expect(picture().source).toBe("kernel");
});

test("a kernel that goes leaves the setting, and one that comes is told of it", () => {
  start({ layout: { comm_live: true } });
  controller.setAlpha(0.1);
  model.connect(false);
  controller.setAlpha(0.2);
  clock.advance(60_000);
  expect(model.sent).toHaveLength(1);
  expect(picture()).toMatchObject({ source: "static", frame: { alpha: 0.2 } });
  model.connect(true);
  expect(model.last.alpha).toBe(0.2);
  model.answer(model.last);
  expect(picture()).toMatchObject({ source: "kernel", wanted: { alpha: 0.2 } });
});

test("without a kernel alpha stops where a localized band was computed ahead", () => {
  const traits = { _static: true, _frame: rawFrame(LOCALIZED_FRAME) };
  start({ ...traits, _data: rawEvaluation({ ...LOCALIZED, frozen: rawFrozen(0.01, 0.1, 0.5) }) });
  expect(picture()).toMatchObject({ stops: [0.01, 0.05, 0.1, 0.5], problem: null });
  controller.setAlpha(0.08);
  expect(picture()).toMatchObject({ wanted: { alpha: 0.1 }, frame: { alpha: 0.1 }, waiting: false });
  controller.setThreshold(0.42);
  expect(picture()).toMatchObject({ frame: { alpha: 0.1, threshold: 0.42 } });
  controller.setAlpha(0.05);
  expect(picture()).toMatchObject({ frame: { alpha: 0.05, threshold: 0.5 }, waiting: false });
  model.set("alpha", 0.3);
  expect(model.get("alpha")).toBe(0.5);
});

test("where nothing was computed ahead the saved frame stays and says so, and its vertices can be visited", () => {
  start({ _static: true, _data: rawEvaluation(LOCALIZED), _frame: rawFrame(LOCALIZED_FRAME) });
  controller.setAlpha(0.2);
  controller.setThreshold(0.72);
  expect(picture()).toMatchObject({
    stops: [0.05],
    wanted: { alpha: 0.05, threshold: 0.9 },
    frame: { alpha: 0.05, threshold: 0.9, point: { tp: 2, fp: 0 } },
    waiting: false,
    problem: { fact: "This band cannot move without a kernel:" },
  });
});

test("without a kernel entries that cannot follow keep their last frame", () => {
  const group = rawGroup("a", "b");
  Object.assign((group.entries as object[])[1], LOCALIZED, { frozen: rawFrozen(0.1) });
  start({ _static: true, label: "a", _data: group, _frame: rawFrames(2) });
  controller.setAlpha(0.2);
  controller.setThreshold(0.42);
  expect(picture()).toMatchObject({ wanted: { alpha: 0.1, threshold: 0.42 }, waiting: false });
  expect(picture().frames.map(({ alpha }) => alpha)).toEqual([0.1, 0.1]);
});

test("curves that came alone are read at their own vertices", () => {
  const { lower, upper, ...ahead } = rawFrozen(0.1)[0];
  const curve = { ...ahead, limits: (rawFrame().entries as { limits: unknown }[])[0].limits };
  const nothing = { n: 99, values: new DataView(new ArrayBuffer(0)), stops: null };
  start({
    _static: true,
    _data: rawEvaluation({ ...LOCALIZED, whole: false, residuals: [nothing, nothing], curves: [curve] }),
    threshold: 0.42,
  });
  expect(picture()).toMatchObject({
    stops: [0.1],
    wanted: { alpha: 0.1, threshold: 0.5 },
    frame: { alpha: 0.1, point: { tprLower: 0.5, fprUpper: 0.8 } },
    waiting: false,
  });
});

// ---- undo

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
    expect(model.last).toMatchObject({ alpha: before.alpha, threshold: before.threshold });
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
  expect(picture().hidden.size).toBe(0);
  controller.undo();
  expect(picture()).toMatchObject({ isReset: false, band: "both", wanted: { alpha: 0.1 } });
  expect([...picture().hidden]).toEqual(["conformal"]);
  controller.reset();
  controller.setThreshold(0.6);
  expect(picture().isReset).toBe(false);
});

test("undo leaves alone what Python has set since", () => {
  controller.setAlpha(0.1);
  model.answer(model.last);
  model.set("threshold", 0.7);
  model.set("_frame", rawFrame({ alpha: 0.1, threshold: 0.7 }));
  controller.undo();
  expect(picture().wanted).toEqual({ alpha: 0.05, threshold: 0.7 });
});
