import { context } from "esbuild";

/** One bundle for notebooks, and one that brings its own host, for any other page. Both share widget.css. */
const loaders = { widget: {}, standalone: { ".css": "empty" } };
const bundles = await Promise.all(
  Object.entries(loaders).map(([name, loader]) =>
    context({
      entryPoints: [`src/${name}.ts`],
      outfile: `../conformal_roc_widget/static/${name}.js`,
      bundle: true,
      loader,
      format: "esm",
      target: "es2022",
      charset: "utf8",
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
