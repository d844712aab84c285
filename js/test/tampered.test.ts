// A saved page that someone has tampered with: whatever was changed, a picture or a sentence, and no exception.

import { expect, test } from "vitest";
import messages from "../../tests/fixtures/messages.json";
import { operatingPointAt } from "../src/band.ts";
import { Controller } from "../src/controller.ts";
import { averageBands } from "../src/multiclass.ts";
import { arrived } from "./arrived.ts";
import { FakeClock } from "./clock.ts";
import { MockModel } from "./mock_model.ts";

type Random = (below: number) => number;
type Saved = Record<string, unknown>;

/** The same numbers in every run. */
function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const JUNK = [
  null,
  undefined,
  true,
  -1,
  0,
  0.5,
  1e308,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  "\u2028</script>",
  [],
  [[], []],
  {},
  new DataView(new ArrayBuffer(0)),
  new DataView(new ArrayBuffer(7)),
  new DataView(new Uint8Array(64).fill(255).buffer),
];

function damagedBytes(view: DataView, random: Random): DataView {
  const bytes = new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
  if (random(2) === 0 || bytes.length === 0)
    return new DataView(bytes.slice(0, random(bytes.length + 1)).buffer);
  for (let i = 0; i < 3; i++) bytes[random(bytes.length)] = random(256);
  return new DataView(bytes.buffer);
}

/** A copy with one thing changed, somewhere. */
function damaged(value: unknown, random: Random): unknown {
  if (random(6) === 0) return JUNK[random(JUNK.length)];
  if (value instanceof DataView) return damagedBytes(value, random);
  if (Array.isArray(value) && value.length > 0) {
    const i = random(value.length);
    if (random(8) === 0) return value.toSpliced(i, 1);
    return value.with(i, damaged(value[i], random));
  }
  if (typeof value === "object" && value !== null) {
    const names = Object.keys(value);
    const name = names[random(names.length)];
    return { ...value, [name]: damaged((value as Saved)[name], random) };
  }
  return JUNK[random(JUNK.length)];
}

function useEverything(controller: Controller): boolean {
  const look = () => {
    const picture = controller.picture();
    if (!picture.ok) {
      expect(picture.problem).toMatch(/./);
      return false;
    }
    const { group, frames, evaluation, frame } = picture.value;
    for (const { point, limits } of frames) {
      expect(point.tpr).not.toBeNaN();
      expect(limits.tprLower.some((rate) => Number.isNaN(rate))).toBe(false);
    }
    averageBands(group.entries, frames, "size");
    operatingPointAt(evaluation, frame, 0.3);
    return true;
  };
  const works = look();
  for (const alpha of [0.001, 0.055, 0.5]) {
    controller.setAlpha(alpha);
    controller.setThreshold(alpha);
    look();
  }
  controller.show(0);
  look();
  controller.show(null);
  controller.reset();
  look();
  return works;
}

const saved = Object.entries(messages).filter(([name]) => name !== "scales");

test.each(saved)("%s, damaged in some place, is a picture or a sentence", (_, kept) => {
  const { data, frame } = kept as { data: unknown; frame: unknown };
  const whole = { _data: arrived(data), _frame: arrived(frame), alpha: 0.05, threshold: 0.5 };
  const random = randomOf(7);
  const outcomes = Array.from({ length: 100 }, (_, i) => {
    const traits = damaged(whole, random);
    const model = new MockModel({ ...(traits as object), _static: i % 2 === 0 });
    const controller = new Controller(model.asModel(), new FakeClock());
    const works = useEverything(controller);
    controller.close();
    return works;
  });
  expect(outcomes).toContain(true);
  expect(outcomes).toContain(false);
});
