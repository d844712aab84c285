import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The file that is bundled, where Node would take one for developers, which warns.
  resolve: {
    alias: { "lit-html": fileURLToPath(new URL("node_modules/lit-html/lit-html.js", import.meta.url)) },
  },
  test: {
    // The time limit is there for what hangs, not for a busy machine.
    testTimeout: 120_000,
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/popover.ts"],
    restoreMocks: true,
    // Modules and jsdom are loaded once a process and not once a file: two fifths of the time.
    isolate: false,
  },
});
