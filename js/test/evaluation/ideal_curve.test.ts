import { expect, test } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { type IdealTable, idealAt, idealLimits, idealMedian } from "../../src/evaluation/ideal_curve.ts";
import { decodeIdeal } from "../../src/wire/decode_ideal.ts";
import { VERSION } from "../../src/wire/readers.ts";
import { IDEAL_WORDS } from "../sample.ts";

/** Counts encoded as LEB128: the first count, then the differences. */
function varints(counts: number[]): DataView {
  const bytes: number[] = [];
  counts.forEach((count, i) => {
    let rest = count - (counts[i - 1] ?? 0);
    while (rest > 127) {
      bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  });
  return new DataView(Uint8Array.from(bytes).buffer);
}

const floats = (values: number[]) => new DataView(Float64Array.from(values).buffer);
const shorts = (values: number[]) => new DataView(Float32Array.from(values).buffer);

/**
 * A table of ten positives, three rates and two alphas. Rows are shifted by 11, and upper limits are in reverse order.
 */
const message = (changes: object = {}) => ({
  version: VERSION,
  label: null,
  absence: "",
  n: 10,
  fpr: floats([0, 0.5, 1]),
  alphas: floats([0.1, 0.4]),
  lower: varints([1, 2, 11 + 5, 11 + 6, 22 + 10, 22 + 10]),
  upper: varints([4, 6, 11 + 8, 11 + 9, 22 + 10, 22 + 10]),
  median: varints([3, 7, 10]),
  auc: shorts([0.52, 0.58, 0.88, 0.82]),
  gain: shorts([-0.08, -0.02, 0.28, 0.22]),
  words: IDEAL_WORDS,
  ...changes,
});

function tableOf(raw: object): IdealTable {
  const decoded = decodeIdeal(raw);
  if (!decoded.ok || decoded.value === null || typeof decoded.value.found === "string") {
    throw new Error("no table");
  }
  return decoded.value.found;
}

test("limits, median and intervals at an alpha by hand", () => {
  const narrow = idealAt(tableOf(message()), 0.4);
  expect([...narrow.lower.y]).toEqual([0.2, 0.6, 1]);
  expect([...narrow.upper.y]).toEqual([0.4, 0.8, 1]);
  expect([...narrow.median.y]).toEqual([0.3, 0.7, 1]);
  expect(narrow.auc[0]).toBeCloseTo(0.58, 6);
  expect(narrow.auc[1]).toBeCloseTo(0.82, 6);
  const wide = idealAt(tableOf(message()), 0.1);
  expect([...wide.lower.y]).toEqual([0.1, 0.5, 1]);
  expect([...wide.upper.y]).toEqual([0.6, 0.9, 1]);
  expect(wide.gain[0]).toBeCloseTo(-0.08, 6);
  expect(wide.gain[1]).toBeCloseTo(0.28, 6);
});

const BYTES = ["fpr", "alphas", "lower", "upper", "median", "auc", "gain"];
const bytesOf = (text: unknown) =>
  new DataView(Uint8Array.from(atob(String(text)), (c) => c.charCodeAt(0)).buffer);

test("limits, medians and intervals are Python’s", () => {
  const fields = Object.entries(numbers.ideal.table).map(([name, value]) => [
    name,
    BYTES.includes(name) ? bytesOf(value) : value,
  ]);
  const table = tableOf(message(Object.fromEntries(fields)));
  const close = (found: ArrayLike<number>, kept: number[], within: number) => {
    expect(found.length).toBe(kept.length);
    kept.forEach((value, i) => {
      expect(Math.abs(found[i] - value)).toBeLessThan(within);
    });
  };
  for (const kept of numbers.ideal.curves) {
    const curve = idealAt(table, kept.alpha);
    close(curve.lower.y, kept.tpr_lower, 1e-12);
    close(curve.upper.y, kept.tpr_upper, 1e-12);
    close(curve.median.y, kept.tpr_median, 1e-12);
    // Each area is sent in four bytes.
    close(curve.auc, kept.auc.slice(1), 1e-7);
    close(curve.gain, kept.gain.slice(1), 1e-7);
  }
});

test("limits at a rate are those of the largest rate of the grid that is not above it", () => {
  const curve = idealAt(tableOf(message()), 0.4);
  expect(idealLimits(curve, 0.49)).toEqual([0.2, 0.4]);
  expect(idealLimits(curve, 0.5)).toEqual([0.6, 0.8]);
  expect(idealLimits(curve, 1)).toEqual([1, 1]);
  expect([0.49, 0.5, 1].map((fpr) => idealMedian(curve, fpr))).toEqual([0.3, 0.7, 1]);
});

test("nothing sent is nothing, a reason is a reason, and nonsense is refused", () => {
  expect(decodeIdeal({})).toEqual({ ok: true, value: null });
  expect(decodeIdeal({ version: VERSION, label: "a", absence: "one estimate" })).toEqual({
    ok: true,
    value: { entry: "a", found: "one estimate" },
  });
  const broken = [
    { version: 1 },
    { n: 0 },
    { alphas: floats([]) },
    { auc: shorts([]) },
    { auc: shorts([0.5, 0.6, 0.7]) },
    { gain: shorts([0.5, 0.9, 0.4, 0.3]) },
    { median: varints([3, 7, 11]) },
    { lower: varints([1, 2, 11 + 5, 11 + 6, 22 + 10]) },
    { lower: varints([1, 13, 11 + 5, 11 + 6, 22 + 10, 22 + 10]) },
    { words: null },
  ];
  for (const changes of broken) expect(decodeIdeal(message(changes)).ok).toBe(false);
});
