import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { context } from "esbuild";

/** Every rule inside outranks a host's, which may style any element of ours; among themselves they stay as they are. */
const RANK = { banner: { css: ":not(#_){" }, footer: { css: "}" } };

/**
 * Hosts load the script anew for each widget and no browser forgets a module, so only the first one of a page runs it
 * and the others take over what that one has made. Another build is another script.
 */
const oncePerPage = {
  name: "once per page",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents, text } of outputFiles) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, path.endsWith(".js") ? shared(contents, text) : contents);
      }
    });
  },
};

function shared(contents, text) {
  const build = createHash("sha256").update(contents).digest("hex").slice(0, 16);
  return `export default globalThis[Symbol.for("conformal_roc_widget ${build}")]??=(()=>{${text}return made.default})();`;
}

/** One bundle for notebooks, and one that brings its own host, for any other page. Both share widget.css. */
const bundles = {
  widget: { format: "iife", globalName: "made", write: false, plugins: [oncePerPage] },
  standalone: { format: "esm", loader: { ".css": "empty" } },
};

for (const [name, options] of Object.entries(bundles)) {
  const bundle = await context({
    entryPoints: [`src/${name}.ts`],
    outfile: `../conformal_roc_widget/static/${name}.js`,
    bundle: true,
    ...RANK,
    ...options,
    target: "es2022",
    // Engines keep a script of ASCII in half the memory.
    charset: "ascii",
    minify: true,
    logLevel: "info",
  });
  if (process.argv.includes("--watch")) {
    await bundle.watch();
  } else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
