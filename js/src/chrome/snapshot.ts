import { svg } from "../base/dom.ts";
import { type Fact, xmlText } from "../words/csv.ts";

/** How a mark looks: on the screen the style sheet says it, in the file its own attributes. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linejoin",
  "paint-order",
  "font-size",
  "font-weight",
];
/** Marks that belong to the hand and not to the picture. */
const FOR_HANDS = ".crw-point-target, .crw-point-halo, .crw-point-ring, .crw-hover-mark, [hidden]";
const MARGIN = 12;

export interface Caption {
  title: string;
  description: string;
  /** Drawn below the title, and below the plot. */
  subtitle: string;
  foot: string;
  facts: readonly Fact[];
}

/** The drawing as it is on the screen, as a file that needs nothing else. */
export function svgText(drawing: SVGSVGElement, background: string, caption: Caption): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const shown = [drawing, ...drawing.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  copies.forEach((element, i) => {
    fixLooks(element, getComputedStyle(shown[i]));
  });
  for (const element of copy.querySelectorAll(FOR_HANDS)) element.remove();
  for (const element of [copy, ...copy.querySelectorAll("*")]) stripNames(element);

  const width = Number(drawing.getAttribute("width"));
  const { color } = getComputedStyle(drawing);
  const key = keyOf(drawing);
  const bottom = key.reduce(
    (most, item) => Math.max(most, item.bottom),
    Number(drawing.getAttribute("height")),
  );
  const head = [
    ...wrapped(caption.title, drawing, width, true),
    ...wrapped(caption.subtitle, drawing, width),
  ];
  const foot = wrapped(caption.foot, drawing, width);
  const above = MARGIN + head.length * LINE;
  copy.append(
    ...key.map(({ element }) => element),
    ...head.map((line, i) => lineOf(line, LINE * (i - head.length + 0.7), color)),
    ...foot.map((line, i) => lineOf(line, bottom + LINE * (i + 1), color)),
  );
  const height = above + bottom + foot.length * LINE + MARGIN;
  const box = [-MARGIN, -above, width + 2 * MARGIN, height];
  copy.setAttribute("viewBox", box.join(" "));
  copy.setAttribute("width", String(box[2]));
  copy.setAttribute("height", String(box[3]));
  copy.setAttribute("font-family", "system-ui, Helvetica, Arial, sans-serif");
  copy.setAttribute("role", "img");
  copy.prepend(
    svg("title", {}, caption.title),
    svg("desc", {}, caption.description),
    svg("metadata", {}, JSON.stringify(Object.fromEntries(caption.facts), null, 1)),
    svg("rect", { x: box[0], y: box[1], width: box[2], height: box[3], fill: background }),
  );
  return xmlText(new XMLSerializer().serializeToString(copy));
}

interface TextLine {
  text: string;
  isStrong: boolean;
}

const LINE = 18;
/** Fonts of other machines are wider. */
const SLACK = 0.93;

/** A text in lines that fit below each other beside the drawing, which measures them. */
function wrapped(text: string, drawing: SVGSVGElement, width: number, isStrong = false): TextLine[] {
  const probe = lineOf({ text: "", isStrong }, 0, "none");
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
    // A word that is longer than a line is broken where it has to be.
    for (const character of word) {
      const end = lines.length - 1;
      if (fits(lines[end] + character)) lines[end] += character;
      else lines.push(character);
    }
  }
  probe.remove();
  return lines.filter((line) => line !== "").map((line) => ({ text: line, isStrong }));
}

const lineOf = ({ text, isStrong }: TextLine, y: number, fill: string) =>
  svg("text", { y, fill, "font-size": 12, "font-weight": isStrong ? 600 : 400 }, text);

/** The key below a small plot, as pieces of the drawing above it. */
function keyOf(drawing: SVGSVGElement): { element: SVGElement; bottom: number }[] {
  const from = drawing.getBoundingClientRect();
  const items = drawing.parentElement?.querySelectorAll(".crw-key:not([hidden]) > span") ?? [];
  return [...items].map((item) => {
    const { left, top, bottom } = item.getBoundingClientRect();
    const swatch = item.querySelector("svg") as SVGSVGElement;
    const marks = [...swatch.children].map((mark) => {
      const copy = mark.cloneNode() as Element;
      fixLooks(copy, getComputedStyle(mark));
      stripNames(copy);
      return copy;
    });
    const words = lineOf({ text: item.textContent ?? "", isStrong: false }, 10, getComputedStyle(item).color);
    words.setAttribute("x", String(Number(swatch.getAttribute("width")) + 6));
    const place = `translate(${left - from.left} ${top - from.top + 2})`;
    return { element: svg("g", { transform: place }, ...marks, words), bottom: bottom - from.top };
  });
}

function fixLooks(element: Element, style: CSSStyleDeclaration) {
  for (const name of LOOKS) {
    const value = style.getPropertyValue(name);
    // A paint server is named by the attribute that is there already.
    if (value && !value.startsWith("url(")) element.setAttribute(name, value);
  }
}

function stripNames(element: Element) {
  for (const { name } of [...element.attributes]) {
    if (/^(class|role|tabindex|style|data-.*|aria-.*)$/.test(name)) element.removeAttribute(name);
  }
}

/** The colour that lies behind an element: that of the nearest ancestor that has one. */
export function backgroundOf(element: Element, isDark: boolean): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour && !/^transparent$|, 0\)$/.test(colour)) return colour;
  }
  return isDark ? "#111" : "#fff";
}

const SHARPNESS = 2;

/** A drawing in text form as the bytes of a PNG, at twice its size. */
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
