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
  const height = Number(drawing.getAttribute("height"));
  const box = [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
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
