// A tampered saved page gives a picture or a sentence, never an exception.

import { expect, test } from "vitest";
import messages from "../../../tests/fixtures/messages.json";
import { operatingPointAt } from "../../src/evaluation/at_alpha.ts";
import { averageBands } from "../../src/evaluation/average.ts";
import type { Group, Note } from "../../src/evaluation/types.ts";
import { Controller } from "../../src/sync/controller.ts";
import { controlsOf, decodeControls, FIRST } from "../../src/wire/controls.ts";
import { decodeComparators } from "../../src/wire/decode_comparators.ts";
import { decodeGroup } from "../../src/wire/decode_evaluation.ts";
import { decodeFrames } from "../../src/wire/decode_frame.ts";
import { decodeFailure } from "../../src/wire/messages.ts";
import type { Result } from "../../src/wire/readers.ts";
import { VERSION } from "../../src/wire/readers.ts";
import { arrived } from "../arrived.ts";
import { FakeClock } from "../clock.ts";
import { MockModel } from "../mock_model.ts";

type Random = (below: number) => number;
type Saved = Record<string, unknown>;

/** Random numbers that are the same in every run. */
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

/** A copy with one random change at a random place. */
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

const NO_MESSAGES = ["scales", "texts"];
const saved = Object.entries(messages).filter(([name]) => !NO_MESSAGES.includes(name));

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

/** Every message of the fixtures with the function that reads it. */
const READERS = Object.entries(messages).flatMap(([name, kept]): [string, unknown, Reader][] => {
  if (NO_MESSAGES.includes(name)) return [];
  if (name === "comparators") return [[name, arrived(kept), decodeComparators]];
  const { data, frame } = arrived(kept) as { data: unknown; frame: unknown };
  const group = decodeGroup(data) as { value: Group };
  return [
    [`data of “${name}”`, data, decodeGroup],
    [`frame of “${name}”`, frame, (raw) => decodeFrames(raw, group.value)],
  ];
});
type Reader = (raw: unknown) => Result<unknown>;

/** Checks that a message is read completely, or gives a sentence. */
function expectReadOrRefused(result: Result<unknown>): boolean {
  if (!result.ok) expect(result.problem).toMatch(/\S+ \S+/);
  return result.ok;
}

test.each(READERS)("the %s, damaged in many ways, is read or refused with a sentence", (_, raw, read) => {
  const random = randomOf(11);
  const outcomes = Array.from({ length: 250 }, () => expectReadOrRefused(read(damaged(raw, random))));
  expect(outcomes).toContain(false);
});

/** A copy with changed bytes in one of its arrays. */
function withBytes(value: unknown, random: Random, change: (bytes: Uint8Array) => Uint8Array): unknown {
  if (value instanceof DataView) {
    const bytes = new Uint8Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
    return new DataView(change(bytes).buffer);
  }
  const holders = Object.entries(value as Saved).filter(([, inside]) => hasBytes(inside));
  const [name, inside] = holders[random(holders.length)];
  const changed = withBytes(inside, random, change);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as Saved), [name]: changed };
}

function hasBytes(value: unknown): boolean {
  if (value instanceof DataView) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasBytes);
}

test.each(READERS)("the %s with a bit that flipped is read or refused with a sentence", (_, raw, read) => {
  const random = randomOf(13);
  for (let i = 0; i < 100; i++) {
    const flipped = withBytes(raw, random, (bytes) => {
      if (bytes.length > 0) bytes[random(bytes.length)] ^= 1 << random(8);
      return bytes;
    });
    expectReadOrRefused(read(flipped));
  }
});

test.each(READERS)(
  "the %s with an array of another length is read or refused with a sentence",
  (_, raw, read) => {
    const random = randomOf(17);
    for (let i = 0; i < 100; i++) {
      const cut = withBytes(raw, random, (bytes) => {
        const length = random(bytes.length + 17);
        return length <= bytes.length
          ? bytes.slice(0, length)
          : Uint8Array.from({ length }, (_, at) => bytes[at]);
      });
      expectReadOrRefused(read(cut));
    }
  },
);

/** A copy in which every record has an unknown field. */
function withUnknown(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof DataView) return value;
  if (Array.isArray(value)) return value.map(withUnknown);
  const fields = Object.entries(value).map(([name, inside]) => [name, withUnknown(inside)]);
  return { ...Object.fromEntries(fields), "of a later version": [Number.NaN, { deep: null }] };
}

test.each(READERS)("fields that this page does not know change nothing in the %s", (_, raw, read) => {
  const plain = read(raw);
  expect(plain.ok).toBe(true);
  expect(read(withUnknown(raw))).toEqual(plain);
});

test.each(READERS)(
  "the %s of an older or a newer version is refused with a sentence that says so",
  (_, raw, read) => {
    for (const version of [
      0,
      1,
      2,
      99,
      -1,
      2.5,
      "3",
      "",
      null,
      undefined,
      Number.NaN,
      [3],
      {},
      { toString: 1, valueOf: 1 },
    ]) {
      const result = read({ ...(raw as Saved), version });
      expect(result).toEqual({
        ok: false,
        problem: expect.stringMatching(new RegExp(`format version .+, this page reads ${VERSION}`)),
      });
    }
  },
);

test("the reader of a message says a sentence, whatever arrives in its place", () => {
  const random = randomOf(19);
  for (let i = 0; i < 2000; i++) {
    const thing = damaged({ version: 10, a: [JUNK[random(JUNK.length)]] }, random);
    for (const [, , read] of READERS.slice(-3)) expectReadOrRefused(read(thing));
    expectReadOrRefused(decodeControls((thing ?? {}) as Parameters<typeof decodeControls>[0]));
    const failure = decodeFailure(thing);
    expect(failure).toBe(null);
  }
});

const comparison = () => arrived(messages.comparators) as { items: Saved[]; pairs: Saved[] | null };
const evaluation = () => arrived(messages["split rule"].data) as { entries: Saved[] };

/** The payload with this many copies of an item in one of its lists. */
const NOTE: Note = { fact: "x", reason: "", remedy: "" };

const LISTS: [string, (n: number) => Result<unknown>][] = [
  ["bands", (n) => decodeComparators({ ...comparison(), items: Array(n).fill(comparison().items[0]) })],
  [
    "pairs",
    (n) =>
      decodeComparators({
        ...comparison(),
        pairs: Array(n).fill({ a: "a", b: "b", difference: 0, z: 0, p: 1 }),
      }),
  ],
  [
    "evaluations",
    (n) => decodeGroup({ ...evaluation(), kind: "classes", entries: Array(n).fill(evaluation().entries[0]) }),
  ],
  [
    "notes",
    (n) =>
      decodeGroup({ ...evaluation(), entries: [{ ...evaluation().entries[0], notes: Array(n).fill(NOTE) }] }),
  ],
  [
    "labels",
    (n) =>
      decodeGroup({ ...evaluation(), entries: [{ ...evaluation().entries[0], label: Array(n).fill("x") }] }),
  ],
  ["hidden bands", (n) => decodeControls({ ...FIRST, page: { hidden: Array(n).fill("x") } })],
];

test.each(LISTS)("a list of %s has a bound, above which the page has a sentence at once", (_, read) => {
  expect(read(2)).toMatchObject({ ok: true });
  expect(read(2000)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/at most \d+ can be read|no label/),
  });
});

test.each([
  [{}],
  [{ recall: 0.9 }],
  [{ npv: 2 }],
  [{ npv: "1" }],
  [{ npv: 0.5, precision: 0.5 }],
  [[0.5]],
  [0.9],
])("the goal %j is no goal", (goal) => {
  const read = decodeControls({ ...FIRST, goal });
  expect(read).toMatchObject({ ok: false, problem: expect.stringContaining("goal") });
});

test("a goal may be none, and an older file has the first one", () => {
  const older: Record<string, unknown> = { ...FIRST };
  delete older.goal;
  expect(controlsOf((name) => older[name]).goal).toEqual({ sensitivity: 0.9 });
  expect(controlsOf((name) => ({ ...FIRST, goal: null })[name]).goal).toBeNull();
  expect(decodeControls({ ...FIRST, goal: null })).toMatchObject({ ok: true, value: { goal: null } });
});

test("a name is cut, also in the middle of a pair of units, and marks on one letter are few", () => {
  const named = (name: string) => {
    const read = decodeGroup({
      ...evaluation(),
      entries: [{ ...evaluation().entries[0], name, classes: [name, "b"] }],
    });
    if (!read.ok) throw new Error(read.problem);
    const [entry] = read.value.entries;
    expect(entry.classes[0]).toBe(entry.name);
    return entry.name;
  };
  expect(named("x".repeat(200))).toBe("x".repeat(200));
  expect(named("x".repeat(5000))).toBe(`${"x".repeat(199)}…`);
  expect(named("😀".repeat(300))).toBe(`${"😀".repeat(199)}…`);
  expect(named(`a${"\u0301".repeat(500)}b`)).toBe(`a${"\u0301".repeat(8)}b`);
  expect(named("नि\u0301שָׁ")).toBe("नि\u0301שָׁ");
});

test("a text of a book's length is a sentence, and keeps no more marks on a letter than any script has", () => {
  const noted = (note: string) =>
    decodeGroup({
      ...evaluation(),
      entries: [{ ...evaluation().entries[0], notes: [{ ...NOTE, reason: note }] }],
    });
  expect(noted("x".repeat(20_000))).toEqual({ ok: false, problem: expect.stringContaining("letters") });
  expect(noted(`a${"\u0301".repeat(500)}`)).toMatchObject({
    value: { entries: [{ notes: [{ reason: `a${"\u0301".repeat(8)}` }] }] },
  });
});
