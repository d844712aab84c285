import { defineConfig } from "vitest/config";

export default defineConfig({
  // The time limit is there for what hangs, not for a busy machine.
  test: { testTimeout: 120_000, include: ["test/**/*.test.ts"], restoreMocks: true },
});
