import { context } from "esbuild";

const bundle = await context({
  entryPoints: ["src/widget.ts"],
  outfile: "../conformal_roc_widget/static/widget.js",
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  minify: true,
  logLevel: "info",
});

if (process.argv.includes("--watch")) {
  await bundle.watch();
} else {
  await bundle.rebuild();
  await bundle.dispose();
}
