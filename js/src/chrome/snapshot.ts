// Makes SVG and PNG files of the plot.

import { setAttributes, svg } from "../base/dom.ts";
import { colourOf } from "../draw/colour.ts";
import { sample } from "../draw/sample.ts";
import { type Fact, xmlText } from "../views/csv.ts";
import type { Entry } from "../views/key.ts";

/** Selector of the marks that only help the pointer. They are not in the files. */
const FOR_HANDS = ".crw-point-halo, .crw-point-ring, .crw-hover-mark, [hidden]";
const MARGIN = 12;

export interface Caption {
  title: string;
  description: string;
  /** The text below the title. `foot` is the text below the plot. */
  subtitle: string;
  foot: string;
  facts: readonly Fact[];
  key: readonly Entry[];
}

/** Returns an SVG file of the drawing on the screen and its key. The file needs no style sheet. */
export function svgText(drawing: SVGSVGElement, background: string, caption: Caption): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  for (const element of copy.querySelectorAll(FOR_HANDS)) element.remove();
  for (const element of [copy, ...copy.querySelectorAll("*")]) stripNames(element);

  const width = Number(drawing.getAttribute("width"));
  const bottom = Number(drawing.getAttribute("height"));
  const head = [
    ...wrapped(caption.title, drawing, width, true),
    ...wrapped(caption.subtitle, drawing, width),
  ];
  const foot = wrapped(caption.foot, drawing, width);
  const above = MARGIN + head.length * LINE;
  const key = keyRows(caption.key, drawing, width);
  const below = bottom + key.length * LINE;
  copy.append(
    ...head.map((line, i) => lineOf(line, LINE * (i - head.length + 0.7))),
    ...key.flatMap((row, i) =>
      row.map(({ x, parts }) => svg("g", { transform: `translate(${x} ${bottom + LINE * i})` }, ...parts)),
    ),
    ...foot.map((line, i) => lineOf(line, below + LINE * (i + 1))),
  );
  const height = above + below + foot.length * LINE + MARGIN;
  const box = [-MARGIN, -above, width + 2 * MARGIN, height];
  const [x, y, wide, high] = box;
  setAttributes(copy, {
    ...{ viewBox: box.join(" "), width: wide, height: high, role: "img" },
    "font-family": "system-ui, Helvetica, Arial, sans-serif",
  });
  copy.prepend(
    svg("title", {}, caption.title),
    svg("desc", {}, caption.description),
    svg("metadata", {}, JSON.stringify(Object.fromEntries(caption.facts), null, 1)),
    svg("rect", { x, y, width: wide, height: high, fill: background }),
  );
  return xmlText(lookedUp(new XMLSerializer().serializeToString(copy), drawing));
}

/** Returns the text with each CSS variable of a colour replaced by its value. */
function lookedUp(text: string, drawing: SVGSVGElement): string {
  const probe = drawing.appendChild(svg("g"));
  const style = getComputedStyle(probe);
  const known = new Map<string, string>();
  const result = text.replace(NAME, (name) => {
    if (!known.has(name)) {
      probe.setAttribute(name === FILL ? "fill-opacity" : "fill", name);
      known.set(name, name === FILL ? style.fillOpacity : style.fill);
    }
    return known.get(name) as string;
  });
  probe.remove();
  return result;
}

const FILL = "var(--crw-fill)";
const NAME = /var\(--crw-[\w-]+(?:, var\(--crw-[\w-]+\))?\)/g;

interface TextLine {
  text: string;
  isStrong: boolean;
}

const LINE = 18;
/** Lines are wrapped at this share of the width, because another machine's font may be wider. */
const SLACK = 0.93;

/** Returns the text in lines of at most `width` pixels. The browser measures them in `drawing`. */
function wrapped(text: string, drawing: SVGSVGElement, width: number, isStrong = false): TextLine[] {
  const probe = lineOf({ text: "", isStrong }, 0);
  drawing.append(probe);
  const fits = (words: string) => {
    probe.textContent = words;
    return probe.getComputedTextLength() <= SLACK * width;
  };
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${word}`.trimStart();
    if (fits(longer)) {
      lines[last] = longer;
      continue;
    }
    lines.push("");
    // If a word is longer than a line, it is broken between two characters.
    for (const character of word) {
      const end = lines.length - 1;
      if (fits(lines[end] + character)) lines[end] += character;
      else lines.push(character);
    }
  }
  probe.remove();
  return lines.filter((line) => line !== "").map((line) => ({ text: line, isStrong }));
}

const lineOf = ({ text, isStrong }: TextLine, y: number) =>
  svg("text", { y, fill: colourOf("ink"), "font-size": 12, "font-weight": isStrong ? 600 : 400 }, text);

const SAMPLE = 24;
const GAP = 16;

/** Returns the entries of the key with their samples, in as many rows as they need. */
function keyRows(entries: readonly Entry[], drawing: SVGSVGElement, width: number) {
  const rows: { x: number; parts: SVGElement[] }[][] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const { look, text } of entries) {
    if (!look) continue;
    const words = drawing.appendChild(lineOf({ text, isStrong: false }, 11));
    const room = SAMPLE + words.getComputedTextLength() / SLACK;
    words.setAttribute("x", String(SAMPLE));
    if (end + room > width) {
      rows.push([]);
      end = 0;
    }
    rows[rows.length - 1].push({ x: end, parts: [...sample(look), words] });
    end += room + GAP;
  }
  return rows;
}

function stripNames(element: Element) {
  for (const { name } of [...element.attributes]) {
    if (/^(class|role|tabindex|style|data-.*|aria-.*)$/.test(name)) element.removeAttribute(name);
  }
}

/** Returns the background colour of the nearest ancestor that has one. */
export function backgroundOf(element: Element, isDark: boolean): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && !/^transparent$|, 0\)$/.test(colour)) return colour;
  }
  return isDark ? "#111" : "#fff";
}

const SHARPNESS = 2;

/** Returns a PNG of a drawing at twice its size. `text` is the drawing's SVG. */
export async function pngBytes(text: string): Promise<Uint8Array> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARPNESS * image.width;
  canvas.height = SHARPNESS * image.height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) throw new Error("the browser made no picture");
  return new Uint8Array(await blob.arrayBuffer());
}
