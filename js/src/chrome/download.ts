// Offers the picture as a file to download: SVG, PNG or CSV.

import { html, listen } from "../base/dom.ts";
import type { Picture } from "../shown/picture.ts";
import { spokenAnswer } from "../views/answer.ts";
import { captionOf, csvText, factsOf, fileName } from "../views/csv.ts";
import { keyOf } from "../views/key.ts";
import { titleOf } from "../words/several_evaluations.ts";
import { withText } from "./png.ts";
import { backgroundOf, pngBytes, svgText } from "./snapshot.ts";

const KINDS = [
  { extension: "svg", text: "SVG", remark: "the plot, sharp at any size" },
  { extension: "png", text: "PNG", remark: "the plot, for slides" },
  { extension: "csv", text: "CSV", remark: "the numbers behind it" },
] as const;
type Extension = (typeof KINDS)[number]["extension"];

/** Makes the menu with a button for each file to download. */
export function createDownloads(
  picture: () => Picture,
  plot: SVGSVGElement,
  done: () => void,
  signal: AbortSignal,
): HTMLElement {
  const failure = html("p", { class: "crw-failure", role: "alert" }, savingIn(window));
  const items = KINDS.map(({ extension, text, remark }) => {
    const item = html(
      "button",
      { "data-testid": `download-${extension}` },
      html("b", {}, text),
      html("span", {}, remark),
    );
    listen(item, "click", signal, async () => {
      try {
        const blob = await fileOf(extension, picture(), plot);
        save(blob, fileName(picture(), extension));
        failure.replaceChildren(savingIn(window));
        done();
      } catch (error) {
        failure.replaceChildren(`The file could not be made: ${String(error)}`);
      }
    });
    return item;
  });
  return html("div", { class: "crw-panel crw-box" }, ...items, failure);
}

async function fileOf(extension: Extension, picture: Picture, plot: SVGSVGElement): Promise<Blob> {
  if (extension === "csv") return new Blob([csvText(picture)], { type: "text/csv;charset=utf-8" });
  const facts = factsOf(picture);
  const isDark = plot.closest("[data-theme=dark]") !== null;
  const text = svgText(plot, backgroundOf(plot, isDark), {
    title: titleOf(picture),
    description: spokenAnswer(picture),
    ...captionOf(picture),
    facts,
    key: keyOf(picture),
  });
  if (extension === "svg") return new Blob([text], { type: "image/svg+xml;charset=utf-8" });
  const described = facts.map(([name, value]) => `${name}=${value}`).join("\n");
  return new Blob([withText(await pngBytes(text), "Description", described)], { type: "image/png" });
}

/** Returns a hint if the page around a frame may forbid downloads. Otherwise it is empty. */
function savingIn({ frameElement, origin, location }: Window): string {
  const sandbox = frameElement?.getAttribute("sandbox");
  if (typeof sandbox === "string") return sandbox.includes("allow-downloads") ? "" : `${NOTHING}.`;
  // If a frame is sandboxed, its origin is "null", and downloads may be forbidden. A page opened from a file
  // also has the origin "null", but it may download.
  const isShut = window.parent !== window && origin === "null" && location.protocol !== "file:";
  return isShut ? `If no file comes: ${NOTHING.toLowerCase()}.` : "";
}

const NOTHING = "The page around this frame allows no downloads";

const KEPT_MS = 10_000;

function save(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = html("a", { href: url, download: name });
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
