// Checks in which direction the folders of src import each other. Imports of types count.

/// <reference types="vite/client" />
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Each folder imports only from itself and from folders of earlier rows. Folders of one row do not import each other. */
const ROWS = [
  ["base"],
  ["evaluation"],
  ["wire"],
  ["shown"],
  ["sync"],
  ["words"],
  ["scene"],
  ["draw"],
  ["views"],
  ["panels", "chrome"],
  ["layout", "room", "contents", "redraw", "view"],
  ["widget", "standalone", "still"],
];

const IMPORT = /(?:^|[\s;}])(?:import|export)\b[^"';]*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;

/** The text of each file, by its path from src. */
type Sources = Record<string, string>;

const byName = (files: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name.replace("../src/", ""), text]),
  ) as Sources;

const FILES = byName(
  import.meta.glob(["../src/**/*.ts", "!../src/**/*.d.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
const SHEETS = Object.keys(byName(import.meta.glob("../src/**/*.css")));

/** The row of a file: by its folder or, for files at the top, by its name. */
function rowOf(file: string): [row: number, name: string] {
  const name = file.includes("/") ? file.split("/")[0] : file.replace(/\.ts$/, "");
  return [ROWS.findIndex((row) => row.includes(name)), name];
}

const importsOf = (file: string, text: string) =>
  [...text.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2])
    .filter((path) => path.startsWith("."))
    .map((path) => new URL(path, `file:///${file}`).pathname.slice(1));

function wrongImports(files: Sources): string[] {
  return Object.entries(files).flatMap(([file, text]) => {
    const [row, name] = rowOf(file);
    if (row < 0) return [`${file}: its folder has no place in the order`];
    return importsOf(file, text)
      .filter((imported) => {
        if (/\.(css|json)$/.test(imported)) return false;
        const [from, other] = rowOf(imported);
        const isTop = !file.includes("/");
        return from < 0 || from > row || (from === row && other !== name && !isTop);
      })
      .map((imported) => `${file} imports ${imported}`);
  });
}

/** The first circular import that is found, as a path from a file to itself. Empty if there is none. */
function circle(files: Sources): string[] {
  const done = new Set<string>();
  function visit(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file) || !(file in files)) return [];
    for (const imported of importsOf(file, files[file])) {
      const found = visit(imported, [...path, file]);
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  }
  for (const file of Object.keys(files)) {
    const found = visit(file, []);
    if (found.length > 0) return found;
  }
  return [];
}

test("no file imports from a later folder, and no imports go round", () => {
  expect(Object.keys(FILES).length).toBeGreaterThan(60);
  expect(wrongImports(FILES)).toEqual([]);
  expect(circle(FILES)).toEqual([]);
});

test.each([
  ["a value", "evaluation/types.ts", 'import { createView } from "../view.ts";'],
  ["a type", "base/format.ts", 'import type { Picture } from "../shown/picture.ts";'],
  ["a type in an annotation", "words/csv.ts", 'type Part = import("../chrome/notes.ts").Note;'],
  ["lazily", "wire/readers.ts", 'const late = () => import("../widget.ts");'],
  ["a name passed on", "base/dom.ts", 'export { percent } from "../evaluation/at_alpha.ts";'],
  ["over several lines", "sync/kernel.ts", 'import {\n  plain,\n} from "../words/runs.ts";'],
  ["between panels and chrome", "panels/slider.ts", 'import { createNotes } from "../chrome/notes.ts";'],
  ["in a folder without a place", "drawer/utils.ts", ""],
])("a wrong import is refused: %s", (_, file, line) => {
  expect(wrongImports({ ...FILES, [file]: `${line}\n${FILES[file] ?? ""}` })).toHaveLength(1);
});

test("a circle within a folder is refused", () => {
  const line = 'import type { Frame } from "./at_alpha.ts";';
  const planted = { ...FILES, "evaluation/types.ts": `${line}\n${FILES["evaluation/types.ts"]}` };
  expect(wrongImports(planted)).toEqual([]);
  expect(circle(planted)).toContain("evaluation/types.ts");
});

test("style.css imports every style sheet, and nothing else does", () => {
  const style = readFileSync(new URL("../src/style.css", import.meta.url), "utf8");
  const imported = [...style.matchAll(/@import "\.\/(.*?)";/g)].map(([, name]) => name);
  expect(imported.sort()).toEqual(SHEETS.filter((name) => name !== "style.css").sort());
  expect(Object.keys(FILES).filter((file) => FILES[file].includes('.css"'))).toEqual(["widget.ts"]);
});

// build.mjs keeps those rows of words.json whose keys stand in the code between quotation marks.
test("no key of words.json is put together, so that the build finds it", () => {
  const made = Object.entries(FILES).filter(([, text]) => text.includes("words(`"));
  expect(made.map(([file]) => file)).toEqual([]);
});

test("every file begins with a comment, which says its subject", () => {
  expect(Object.keys(FILES).filter((file) => !/^(\/\/|\/\*\*) \S/.test(FILES[file]))).toEqual([]);
});
