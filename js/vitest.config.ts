import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const lit = (path: string) => fileURLToPath(new URL(`node_modules/lit-html/${path}`, import.meta.url));

export default defineConfig({
  // The files that are bundled, where Node would take those for developers, which warn.
  resolve: {
    alias: {
      "lit-html/directives": lit("directives"),
      "lit-html": lit("lit-html.js"),
    },
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
