// Checks the answer to Python's request: the scene of a page with the same messages, as JSON.

import { expect, test } from "vitest";
import "../src/still.ts";
import type { Line, Mark } from "../src/scene.ts";
import { spokenAnswer } from "../src/views/answer.ts";
import { legendOf, marksOf } from "../src/views/views.ts";
import { FIRST } from "../src/wire/controls.ts";
import { titleOf } from "../src/words/several_evaluations.ts";
import { pictureOf } from "./picture.ts";
import { rawEvaluation, rawFrames } from "./sample.ts";

const { scene } = globalThis as unknown as { scene: (text: string) => string };

/** Bytes in a form that JSON can hold. */
const sendable = (_: string, value: unknown) =>
  value instanceof DataView
    ? {
        base64: btoa(
          String.fromCharCode(...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
        ),
      }
    : value;

function asked(state: object = {}, source = "kernel") {
  const payload = { source, state: { ...FIRST, ...state }, data: rawEvaluation(), frame: rawFrames(1) };
  return JSON.parse(scene(JSON.stringify(payload, sendable)));
}

test("marks, title, sentence and promise are those of the page with the same messages", () => {
  for (const band of ["sensitivity", "both", "sampling"] as const) {
    const picture = pictureOf({ band, offered: { ideal: false, sampling: false, reliability: false } });
    const found = asked({ band });
    const { target, scope, guarantee } = legendOf(picture);
    expect(found.title).toBe(titleOf(picture));
    expect(found.lead).toBe(spokenAnswer(picture));
    if (target)
      expect(found.promise.slice(0, 3)).toEqual([
        `Target: ${target}`,
        `Scope: ${scope}`,
        `Guarantee: ${guarantee}`,
      ]);
    expect(found.marks.map(({ id }: Mark) => id)).toEqual(marksOf(picture).map(({ id }) => id));
    const curve = marksOf(picture).find(({ id }) => id === "curve") as Line;
    const made = found.marks.find(({ id }: Mark) => id === "curve");
    expect(made.points).toEqual({ ...curve.points, x: [...curve.points.x], y: [...curve.points.y] });
  }
});

test("a curve is read at its points, and a number that is not finite has a name", () => {
  const { readings } = asked().marks.find(({ id }: Mark) => id === "curve");
  expect(readings[0].title).toBe("threshold");
  expect(readings[0].values[0]).toBe("Infinity");
  expect(readings.map(({ title }: { title: string }) => title)).toContain("tpr_lower");
  expect(asked({}, "static").marks.some((mark: Mark) => "readings" in mark)).toBe(false);
});

test("of a curve to guess from nothing is promised and no limit is said", () => {
  const views = [
    ["roc", "ROC curve"],
    ["precision_recall", "Precision-recall"],
    ["net_benefit", "Net benefit"],
  ] as const;
  for (const [view, name] of views) {
    const { title, lead, promise, marks } = asked({ view, band: "none" });
    expect([title, promise]).toEqual([name, []]);
    expect(lead).not.toMatch(/ to \d|between|at least|sure/);
    expect(marks.filter(({ id }: Mark) => /^(band|arm|range|missing|own|goal)/.test(id))).toEqual([]);
    for (const { readings = [] } of marks)
      expect(readings.filter(({ title }: { title: string }) => /_(lower|upper)$/.test(title))).toEqual([]);
  }
});
