import { beforeEach, expect, test } from "vitest";
import {
  LOCALIZED,
  LOCALIZED_FRAME,
  rawEvaluation,
  rawFrame,
  rawFrameEntry,
  rawFrames,
  rawFrozen,
  rawGroup,
  rawReliability,
} from "../sample.ts";
import { clock, controller, model, picture, start } from "./started.ts";

beforeEach(() => start());

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

test("a kernel that has gone is told of, and one that was never there is not", () => {
  expect(picture().isLost).toBe(false);
  model.connect(false);
  expect(picture()).toMatchObject({ isLost: true, source: "static" });
  model.connect(true);
  expect(picture().isLost).toBe(false);
  start({ layout: { comm_live: false } });
  expect(picture().isLost).toBe(false);
});

test("while the kernel has not answered nothing is said to be sampled", () => {
  controller.choose({ band: "ideal" });
  clock.advance(60);
  expect(picture().ideal).toBe("it waits for the kernel");
  model.answer(model.last);
  expect(picture().ideal).toBe("it is being sampled");
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

test("without a kernel the reliability moves in its stops, and every other view freely", () => {
  start({ _static: true, alpha: 0.137 });
  controller.setAlpha(0.137);
  expect(picture().wanted.alpha).toBe(0.137);
  controller.choose({ view: "reliability" });
  expect(picture()).toMatchObject({
    view: "reliability",
    stops: [0.001, 0.05, 0.1, 0.2, 0.5],
    wanted: { alpha: 0.1 },
  });
  controller.setAlpha(0.17);
  expect(picture().wanted.alpha).toBe(0.2);
  controller.choose({ view: "roc" });
  controller.setAlpha(0.17);
  expect(picture()).toMatchObject({ stops: null, wanted: { alpha: 0.17 } });
  controller.undo();
  controller.undo();
  expect(picture()).toMatchObject({ view: "reliability", wanted: { alpha: 0.2 } });
});

test("a file without the reliability offers none", () => {
  start({ _static: true, view: "reliability", _data: rawEvaluation({ reliability: null }) });
  expect(picture()).toMatchObject({ view: "roc", offered: { reliability: false } });
});

test("with a kernel it is drawn once it is there, and between two stops with the kernel's own bounds", () => {
  start({ _data: rawEvaluation({ reliability: null }) });
  controller.choose({ view: "reliability" });
  expect(picture()).toMatchObject({ view: "roc", offered: { reliability: true }, stops: null });
  const own = rawReliability([0.05]);
  model.answer(model.last, { entries: [{ ...rawFrameEntry(), reliability: own }] });
  expect(picture()).toMatchObject({
    view: "reliability",
    frame: { reliability: { stops: [{ alpha: 0.05 }] } },
  });
  controller.setAlpha(0.06);
  expect(picture()).toMatchObject({ source: "preview", frame: { alpha: 0.06 } });
  expect(picture().frame.reliability?.stops[0].alpha).toBe(0.05);
});
