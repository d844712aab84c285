import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import zopfli from "@gfx/zopfli";
import { build, context } from "esbuild";
import { minify } from "terser";
import { themeSheet } from "./theme.mjs";

/** The theme: a style sheet that imports it gets rules, a script what stands there. */
const theme = {
  name: "theme",
  setup(build) {
    build.onResolve({ filter: /theme\.json$/ }, ({ path, resolveDir, kind }) =>
      kind === "import-rule" ? { path: resolve(resolveDir, path), namespace: "sheet" } : undefined,
    );
    build.onLoad({ filter: /theme\.json$/, namespace: "sheet" }, async ({ path }) => ({
      contents: themeSheet(JSON.parse(await readFile(path, "utf8"))),
      loader: "css",
      watchFiles: [path],
    }));
  },
};

/** The rows of promises.json and words.json that the page's code names: the others are said by Python alone. */
const promises = {
  name: "promises",
  setup({ onLoad }) {
    onLoad({ filter: /\/(promises|words)\.json$/ }, async ({ path }) => {
      const files = (await readdir("src", { recursive: true })).filter((file) => file.endsWith(".ts"));
      const code = await Promise.all(files.map((file) => readFile(`src/${file}`, "utf8")));
      const rows = JSON.parse(await readFile(path, "utf8"));
      if (path.endsWith("words.json")) {
        const templates = Object.entries(rows).filter(([key]) => code.join().includes(`"${key}"`));
        return { contents: JSON.stringify(Object.fromEntries(templates)), loader: "json" };
      }
      const named = new Set(code.join().match(/\w+/g));
      // A kind and a model are looked up by what a message says.
      const isKept = (table, row) => ["kinds", "models"].includes(table) || named.has(row);
      const tables = Object.entries(rows).map(([table, rows]) => [
        table,
        Object.fromEntries(Object.entries(rows).filter(([row]) => isKept(table, row))),
      ]);
      return { contents: JSON.stringify(Object.fromEntries(tables)), loader: "json" };
    });
  },
};

/** Every rule inside outranks a host's, which may style any element of ours; among themselves they stay as they are. */
const RANK = { banner: { css: ":not(#_){" }, footer: { css: "}" } };
const STYLE = { bundle: true, write: false, target: "es2022", minify: true, plugins: [theme], ...RANK };

const STATIC = "../conformal_roc_widget/static";
const isWatching = process.argv.includes("--watch");

/** Files as they are shipped. terser's script is four percent smaller than esbuild's once it is packed. */
function written(finish, then) {
  return {
    name: "written",
    setup(build) {
      build.onEnd(async ({ outputFiles = [] }) => {
        for (const { path, text } of outputFiles) {
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, path.endsWith(".js") ? await finish(await smaller(text)) : text);
        }
        if (then) await then();
      });
    },
  };
}

async function smaller(script) {
  const { code } = await minify(script, {
    module: true,
    ecma: 2022,
    compress: {
      // A fourth pass puts more functions in line, and the packed script grows by one percent.
      passes: 3,
      keep_fargs: false,
      lhs_constants: false,
      if_return: false,
      conditionals: false,
      inline: 1,
      unsafe_arrows: true,
      // It writes String(x) as x + "" and 2 * Math.PI as a number. That is unsafe for symbols and for a changed Math.
      unsafe: true,
      // No property of ours, or of the page's, is read for what the reading does.
      pure_getters: true,
    },
    // These names are lit-html's own.
    mangle: { properties: { regex: /^_\$/ } },
    // Engines keep a script of ASCII in half the memory.
    format: { ascii_only: true },
  });
  // What is left over as new lines is the indentation of templates.
  return code.replace(/\n\s+/g, "\n").replaceAll(">\n<", "><");
}

/** The style sheet as a text within a script, with which it is packed: a notebook keeps a copy of both. */
const styleAsText = {
  name: "style as text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles, metafile } = await build({ ...STYLE, entryPoints: [path], metafile: true });
      const watchFiles = Object.keys(metafile.inputs).map((file) => resolve(file));
      return { contents: outputFiles[0].text.trim(), loader: "text", watchFiles };
    });
  },
};

/**
 * Hosts load the script anew for each widget and no browser forgets a module, so only the first one of a page runs it
 * and the others take over what that one has made. Another build is another script. Each notebook keeps a copy, some for
 * each of its widgets, so it is packed, three percent smaller than zlib can.
 */
async function shared(contents) {
  const build = createHash("sha256").update(contents).digest("hex").slice(0, 16);
  const bytes = await zopfli.gzipAsync(Buffer.from(contents), { numiterations: 15 });
  const packed = letters(bytes);
  return `export default await (globalThis[Symbol.for("conformal_roc_widget ${build}")]??=(${unpacked})('${packed}'));`;
}

/**
 * Script and style of a page of its own, as a file holds them. Packed once and here, which is smaller than Python can,
 * where a file is written.
 */
async function packPage() {
  const parts = ["standalone.js", "widget.css"].map((name) => readFile(`${STATIC}/${name}`, "utf8"));
  const text = (await Promise.all(parts)).join("\0");
  await writeFile(
    `${STATIC}/standalone.gz`,
    await zopfli.gzipAsync(Buffer.from(text), { numiterations: 60 }),
  );
}

/** Digits of base 91 that neither a script's text nor, but for one, JSON escapes. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_`{|}~ ":[]>';

/** Text of base 91, two letters for 13 bits: an eleventh shorter than base64. Six bits that are left over take one. */
function letters(bytes) {
  const two = (value) => DIGITS[value % 91] + DIGITS[Math.floor(value / 91)];
  let [text, bits, many] = ["", 0, 0];
  for (const byte of bytes) {
    bits |= byte << many;
    many += 8;
    if (many < 13) continue;
    text += two(bits % 8192);
    bits >>= 13;
    many -= 13;
  }
  return many ? text + two(bits).slice(0, many > 6 ? 2 : 1) : text;
}

/** Stands in the bundle as text: a module from its packed script. Hosts load the bundle itself from such an address. */
const unpacked = `async(packed)=>{
if(!globalThis.DecompressionStream)throw Error("conformal_roc_widget needs a browser of 2023 or later");
const value=Object.fromEntries([...'${DIGITS}'].map((letter,i)=>[letter,i])),n=packed.length;
const bytes=new Uint8Array(Math.floor((13*(n>>1)+6*(n%2))/8));
for(let i=0,at=0,bits=0,many=0;i<n;i+=2){bits+=value[packed[i]]+91*(value[packed[i+1]]??0)<<many;
for(many+=13;many>7;many-=8,bits>>=8)bytes[at++]=bits}
const text=await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
const url=URL.createObjectURL(new Blob([text],{type:"text/javascript"}));
try{return(await import(url)).default}finally{URL.revokeObjectURL(url)}}`.replaceAll("\n", "");

/** One script for notebooks, one that brings its own host, for any other page, and that one's style sheet; and what Python runs. */
const bundles = {
  "widget.js": { entry: "widget.ts", plugins: [promises, styleAsText, written(shared)] },
  "standalone.js": {
    entry: "standalone.ts",
    plugins: [promises, written((script) => script, isWatching && packPage)],
  },
  "still.js": { entry: "still.ts", plugins: [promises, written((script) => script)], format: "iife" },
  "widget.css": { entry: "style.css", plugins: [theme, written(undefined, isWatching && packPage)] },
};

for (const [name, { entry, plugins, ...form }] of Object.entries(bundles)) {
  const bundle = await context({
    ...STYLE,
    entryPoints: [`src/${entry}`],
    outfile: `${STATIC}/${name}`,
    format: "esm",
    ...form,
    plugins,
    logLevel: "info",
  });
  if (isWatching) {
    await bundle.watch();
  } else {
    await bundle.rebuild();
    await bundle.dispose();
  }
}
if (!isWatching) await packPage();
