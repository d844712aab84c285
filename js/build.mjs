import { context } from "esbuild";

/** Every rule inside outranks a host's, which may style any element of ours; among themselves they stay as they are. */
const RANK = { banner: { css: ":not(#_){" }, footer: { css: "}" } };

/** One bundle for notebooks, and one that brings its own host, for any other page. Both share widget.css. */
const loaders = { widget: {}, standalone: { ".css": "empty" } };
const bundles = await Promise.all(
  Object.entries(loaders).map(([name, loader]) =>
    context({
      entryPoints: [`src/${name}.ts`],
      outfile: `../conformal_roc_widget/static/${name}.js`,
      bundle: true,
      loader,
      ...RANK,
      format: "esm",
      target: "es2022",
      // Engines keep a script of ASCII in half the memory.
      charset: "ascii",
      minify: true,
      logLevel: "info",
    }),
  ),
);

for (const bundle of bundles) {
  if (process.argv.includes("--watch")) {
    await bundle.watch();
  } else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
