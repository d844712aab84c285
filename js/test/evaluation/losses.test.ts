import { expect, it } from "vitest";
import numbers from "../../../tests/fixtures/numbers.json";
import { lossLimits, lossNote } from "../../src/evaluation/losses.ts";

it("losses have the limits and sentences that Python gives them, at every confidence", () => {
  for (const { name, notes, heavy, numbers: given } of numbers.losses) {
    const [value, variance, most] = given.slice(0, 3).map(Number);
    const loss = { name, value, variance, isHeavy: heavy, most };
    expect(lossNote(loss)).toBe(notes.join(" "));
    for (const row of given.slice(3)) {
      const [alpha, ...limits] = [row].flat().map(Number);
      lossLimits(loss, alpha).forEach((limit, i) => {
        if (Number.isFinite(limits[i])) expect(limit).toBeCloseTo(limits[i], 9);
        else expect(limit).toBe(limits[i]);
      });
    }
  }
});
