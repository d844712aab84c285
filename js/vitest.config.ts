import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // The time limit is there for what hangs, not for a busy machine.
    testTimeout: 120_000,
    include: ["test/**/*.test.ts"],
    restoreMocks: true,
    // Modules and jsdom are loaded once a process and not once a file: two fifths of the time.
    isolate: false,
  },
});
