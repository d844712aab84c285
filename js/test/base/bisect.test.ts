import { expect, test } from "vitest";
import { partitionPoint } from "../../src/base/bisect.ts";

test("the partition point is the length of the start that a walk finds", () => {
  for (let n = 0; n <= 33; n++) {
    for (let length = 0; length <= n; length++) {
      const walked = Array.from({ length: n }, (_, i) => i).filter((i) => i < length).length;
      expect(partitionPoint(n, (i) => i < length)).toBe(walked);
    }
  }
});

test("a million places take twenty looks, all of them inside", () => {
  const looks: number[] = [];
  const found = partitionPoint(1_000_000, (i) => {
    looks.push(i);
    return i < 765_432;
  });
  expect(found).toBe(765_432);
  expect(looks.length).toBeLessThanOrEqual(20);
  expect(looks.every((i) => i >= 0 && i < 1_000_000)).toBe(true);
});
