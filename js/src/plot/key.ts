import { decoration, html, setVisible, svg } from "../base/dom.ts";
import { isSameValue } from "../base/equal.ts";
import type { KeyEntry } from "../words/plot_key.ts";
import type { Tone } from "../words/runs.ts";

const WIDTH = 24;
const HEIGHT = 12;

/** The names of lines and bands in a row below the plot. */
export function createPlotKey() {
  const element = html("div", { class: "crw-key", "data-testid": "key", role: "list" });
  let drawn: KeyEntry[] | null = null;
  return {
    element,
    /** null hides it. */
    draw(entries: KeyEntry[] | null) {
      setVisible(element, entries !== null);
      if (entries === null || isSameValue(entries, drawn)) return;
      drawn = entries;
      element.replaceChildren(
        ...entries.map(({ mark, tone, text }) =>
          html(
            "span",
            { class: `crw-text-${tone}`, role: "listitem" },
            decoration({ width: WIDTH, height: HEIGHT }, ...swatch(mark, tone)),
            text,
          ),
        ),
      );
    },
  };
}

function swatch(mark: KeyEntry["mark"], tone: Tone): SVGElement[] {
  const flat = `M0 ${HEIGHT / 2}H${WIDTH}`;
  const line = (name: string, d: string) => svg("path", { class: name, d });
  const both = `M0 1H${WIDTH}M0 ${HEIGHT - 1}H${WIDTH}`;
  const neutral = tone === "muted" ? "neutral" : tone;
  switch (mark) {
    case "curve":
      return [line("crw-curve", flat)];
    case "thin":
      return [line("crw-curve crw-thin", flat)];
    case "chance":
      return [line("crw-chance", flat)];
    case "edges":
      return [line(`crw-limits-line crw-${tone}`, flat)];
    case "hatch":
      return [0, 8, 16].map((x) => line(`crw-hatch-line crw-${tone}`, `M${x} 0L${x + 8} ${HEIGHT}`));
    case "band":
      return [
        svg("rect", { class: `crw-band crw-${neutral}`, width: WIDTH, height: HEIGHT }),
        line(`crw-edge crw-${neutral}`, both),
      ];
  }
}
