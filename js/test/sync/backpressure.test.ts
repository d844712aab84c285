import { beforeEach, expect, test } from "vitest";
import { type Backpressure, createBackpressure } from "../../src/sync/backpressure.ts";
import { FakeClock } from "../clock.ts";

let sent: [number, string][];
let clock: FakeClock;
let gate: Backpressure;

let wanted = "";

function wish(text: string) {
  wanted = text;
  gate.wish(false);
}

beforeEach(() => {
  sent = [];
  clock = new FakeClock();
  gate = createBackpressure((seq) => void sent.push([seq, wanted]), clock, 10);
});

test("the first wish is sent at once, numbered after the last frame", () => {
  wish("a");
  expect(sent).toEqual([[11, "a"]]);
  expect(gate.idle).toBe(false);
});

/** Sends requests one after the other, at the rate that the page allows. */
function wishSlowly(wishes: Iterable<string>) {
  for (const each of wishes) {
    wish(each);
    clock.advance(50);
  }
}

test("two requests wait at most, and of the wishes behind them only the latest is kept", () => {
  wishSlowly("abcde");
  expect(sent).toEqual([
    [11, "a"],
    [12, "b"],
  ]);
  gate.answered(11);
  expect(sent.slice(2)).toEqual([[13, "e"]]);
});

test("requests go out at most every 50 ms, the first at once and the latest wish in the end", () => {
  for (let ms = 0; ms < 100; ms += 10) {
    wish(String(ms));
    gate.answered(sent[sent.length - 1][0]);
    clock.advance(10);
  }
  expect(sent.map(([, wish]) => wish)).toEqual(["0", "40", "90"]);
  expect(sent[sent.length - 1]).toEqual([13, "90"]);
  gate.answered(13);
  expect(gate.idle).toBe(true);
  expect(clock.pending).toBe(0);
});

test("while a hand moves what the page draws ahead, requests go out half as often, and after a rest at once", () => {
  function step(text: string, ms: number) {
    wanted = text;
    gate.wish(true);
    gate.answered(sent[sent.length - 1][0]);
    clock.advance(ms);
  }
  for (let ms = 0; ms < 300; ms += 20) step(String(ms), 20);
  expect(sent.map(([, wish]) => wish)).toEqual(["0", "80", "180", "280"]);
  step("in between", 60);
  step("after a rest", 60);
  step("after another", 20);
  step("let go", 30);
  expect(sent.slice(4).map(([, wish]) => wish)).toEqual(["after a rest", "after another"]);
  gate.rest();
  expect(sent[6][1]).toBe("let go");
});

test("a request that waits for its time is forgotten with the rest", () => {
  wish("a");
  wish("b");
  gate.clear();
  clock.advance(60_000);
  expect(sent).toEqual([[11, "a"]]);
  expect(clock.pending).toBe(0);
});

test("the last wish is always sent", () => {
  for (let i = 0; i < 1000; i++) {
    wish(String(i));
    if (i % 7 === 0) gate.answered(sent[0][0] + Math.floor(i / 7));
    clock.advance(5);
  }
  for (let i = 0; i < 3; i++) {
    gate.answered(sent[sent.length - 1][0]);
    clock.advance(50);
  }
  expect(gate.idle).toBe(true);
  expect(sent[sent.length - 1][1]).toBe("999");
});

test("answers older than the newest are no news", () => {
  wishSlowly("ab");
  expect(gate.answered(12)).toBe(true);
  expect(gate.answered(11)).toBe(false);
  expect(gate.idle).toBe(true);
});

test("a later answer stands for the earlier ones", () => {
  wishSlowly("abc");
  gate.answered(12);
  gate.answered(13);
  expect(gate.idle).toBe(true);
});

test("after a lost answer the last value is sent again", () => {
  wish("a");
  clock.advance(1499);
  expect(sent).toHaveLength(1);
  clock.advance(1);
  expect(sent).toEqual([
    [11, "a"],
    [12, "a"],
  ]);
  expect(gate.answered(12)).toBe(true);
  expect(gate.idle).toBe(true);
  expect(clock.pending).toBe(0);
});

test("after a lost answer the latest wish goes first", () => {
  wishSlowly("abc");
  clock.advance(1500 - 150);
  expect(sent.slice(2)).toEqual([[13, "c"]]);
});

test("an answer that was given up is still drawn if it comes first", () => {
  wish("a");
  clock.advance(1500);
  expect(gate.answered(11)).toBe(true);
  expect(gate.idle).toBe(false);
  expect(gate.answered(12)).toBe(true);
  expect(gate.idle).toBe(true);
});

test("a busy kernel is asked more and more rarely, and at the old pace once it answers", () => {
  wish("a");
  clock.advance(60_000);
  expect(sent).toHaveLength(6);
  gate.answered(sent[5][0]);
  wish("b");
  clock.advance(1500);
  expect(sent.slice(6).map(([, value]) => value)).toEqual(["b", "b"]);
});

test("a cleared gate sends nothing more", () => {
  wishSlowly("abc");
  gate.clear();
  clock.advance(60_000);
  expect(sent).toHaveLength(2);
  expect(clock.pending).toBe(0);
});

test("how often nothing came in time is counted until something comes", () => {
  wish("a");
  clock.advance(1500 + 3000 + 6000);
  expect(gate.lost).toBe(3);
  gate.answered(sent[sent.length - 1][0]);
  expect(gate.lost).toBe(0);
});

test.each([
  { kernel: 20, waiting: 1 },
  { kernel: 60, waiting: 2 },
])(
  "200 wishes a second, a kernel of $kernel ms: $waiting at most, the end at once",
  ({ kernel, waiting }) => {
    const queue: number[] = [];
    let most = 0;
    let isBusy = false;
    let settledAt = 0;
    const work = () => {
      const seq = queue.shift();
      isBusy = seq !== undefined;
      if (seq === undefined) return;
      clock.setTimeout(() => {
        isBusy = false;
        gate.answered(seq);
        if (gate.idle) settledAt = clock.now();
        if (!isBusy) work();
      }, kernel);
    };
    gate = createBackpressure(
      (seq) => {
        sent.push([seq, wanted]);
        queue.push(seq);
        most = Math.max(most, queue.length + (isBusy ? 1 : 0));
        if (!isBusy) work();
      },
      clock,
      0,
    );
    for (let i = 0; i < 2000; i++) {
      wish(String(i));
      clock.advance(5);
    }
    clock.advance(1000);
    expect(most).toBe(waiting);
    expect(sent[sent.length - 1][1]).toBe("1999");
    expect(gate.idle).toBe(true);
    expect(settledAt).toBeLessThanOrEqual(1999 * 5 + 200);
  },
);
