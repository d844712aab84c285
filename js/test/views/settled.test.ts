import { expect, test } from "vitest";
import fixtures from "../../../tests/fixtures/numbers.json";
import {
  placesOf,
  settledAt,
  settledBenefit,
  settledPrecision,
  settledRate,
} from "../../src/evaluation/settled.ts";
import { csvText } from "../../src/views/csv.ts";
import { legendOf, marksOf, viewOf } from "../../src/views/views.ts";
import { pictureOf } from "../picture.ts";

const textOf = (runs: { text: string }[]) => runs.map(({ text }) => text).join("");

const settledOf = (more: object) => settledAt({ ...pictureOf().evaluation, ...more }, { fpr: 0, tpr: 0 }, 1);

test("by hand: one called rightly, and nobody called", () => {
  const one = settledOf({ weighted: false, nTest: [1, 1] });
  if (!one) throw new Error("rows that count alike tell their limits");
  // If one in three is positive instead of one in two, the odds 1 : 19 of the lower limit are halved.
  const called = { ...one, tpr: 1, ofCalled: 1 };
  expect(settledPrecision(called, 0.1, null)).toEqual([expect.closeTo(0.05, 12), 1]);
  expect(settledPrecision(called, 0.1, 1 / 3)).toEqual([expect.closeTo(1 / 39, 12), 1]);
  expect(settledPrecision(one, 0.1, 0.2)).toEqual([0, 1]);
  const [lower, upper] = settledBenefit(one, 0.1, 1, 0.5);
  expect([lower, upper]).toEqual([expect.closeTo(-0.475, 12), expect.closeTo(0.475, 12)]);
  // No row of two is called, for either label. With 95 %, at most .7764 of all rows are.
  expect(settledBenefit(one, 0.1, 1, null)[1]).toBeCloseTo(1 - 0.05 ** 0.5, 12);
});

test("rates, precision and net benefit have the limits that Python gives them", () => {
  for (const { n, rates, numbers: given, odds, alike, limits } of fixtures.settled) {
    const settled = Float64Array.from(given.flat());
    const { evaluation } = pictureOf();
    const nTest = [n["0"], n["1"]] as const;
    const [fpr, tpr] = rates.map(([rate]) => rate);
    const thresholds = Float64Array.from([1]);
    const found = settledAt({ ...evaluation, nTest, thresholds, weighted: !alike, settled }, { fpr, tpr }, 1);
    if (!found) throw new Error("these rows tell their limits");
    const mine = [
      ...([0, 1] as const).map((label) => settledRate(found, label, 0.1)),
      ...[null, 0.1].map((share) => settledPrecision(found, 0.1, share)),
      ...[null, 0.1].map((share) => settledBenefit(found, 0.1, odds, share)),
    ];
    mine.forEach((ends, i) => {
      ends.forEach((end, side) => {
        expect(end).toBeCloseTo(limits[i][side][0], 9);
      });
    });
  }
});

test("a curve of many vertices has limits at even steps", () => {
  expect(placesOf(1)).toEqual([0]);
  expect(placesOf(1001).slice(0, 3)).toEqual([0, 10, 20]);
  expect(placesOf(250)[99]).toBe(246);
  expect(placesOf(250)[100]).toBe(249);
});

test.each([
  ["precision_recall", "precision"],
  ["net_benefit", "net benefit"],
] as const)("%s says what holds of all rows like these, and draws no ideal model's limits", (view, noun) => {
  const shown = pictureOf({ view, band: "sampling" });
  const ids = marksOf(shown).map(({ id }) => id);
  expect(ids[0]).toBe("band-sampling");
  expect(ids.filter((id) => id.startsWith("range") || id === "arm")).toEqual([]);
  expect(textOf(viewOf(shown).answer(shown).lead)).toMatch(
    /, and .+ to .+ o[fn] all (called )?like these \(95 % sure\)\.$/,
  );
  expect(viewOf(shown).spoken(shown)).toContain(`; ${noun} `);
  expect(legendOf(shown).target).toContain(`${noun} of this classifier, cut at the same threshold`);
  expect(legendOf(shown).line.chosen).toBe("beforehand");
  const { columns, rows } = viewOf(shown).numbers(shown);
  expect(columns.slice(-2)).toEqual([
    `${view === "net_benefit" ? view : noun}_lower`,
    `${view === "net_benefit" ? view : noun}_upper`,
  ]);
  for (const row of rows) expect(row[3] <= row[2] + 1e-12 && row[2] <= row[4] + 1e-12).toBe(true);
  const method = view === "net_benefit" ? "Zou-Donner" : "Clopper-Pearson";
  expect(csvText(shown)).toContain(`# method=${method}, conformal_roc_widget`);
});

test("nobody called has no precision that could settle", () => {
  const shown = pictureOf({ view: "precision_recall", band: "sampling" });
  const frame = { ...shown.frame, point: { ...shown.frame.point, tp: 0, fp: 0 } };
  const nobody = { ...shown, frame };
  expect(textOf(viewOf(nobody).answer(nobody).lead)).toBe(
    "At threshold 0.50 none of these rows is called positive.",
  );
  for (const band of ["sampling", "sensitivity"] as const)
    expect(viewOf({ ...nobody, band }).spoken({ ...nobody, band })).toContain("precision undefined, ");
  const benefit = { ...nobody, view: "net_benefit" } as const;
  expect(textOf(viewOf(benefit).answer(benefit).lead)).toContain("on all like these");
});

test("limits are exact at the rows' own share of positives alone", () => {
  const own = legendOf(pictureOf({ view: "precision_recall", band: "sampling" }));
  expect(own.guarantee).toMatch(/^at least 95 % for every sample size/);
  const other = legendOf(pictureOf({ view: "precision_recall", band: "sampling", prevalence: 0.1 }));
  expect(other.guarantee).toMatch(/^95 % in large samples, .+; none for a finite one$/);
  expect(other.target).toContain("whose share of positives is taken as known");
});
