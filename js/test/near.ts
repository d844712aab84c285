// Compares numbers up to rounding.

import { expect } from "vitest";

const NEAR = 1e-9;

export function expectNear(made: readonly number[], wanted: readonly number[], where: string, near = NEAR) {
  expect(made.length, where).toBe(wanted.length);
  made.forEach((value, i) => {
    if (!(Math.abs(value - wanted[i]) <= near)) expect(value, `${where}[${i}]`).toBe(wanted[i]);
  });
}
