import { setAttributes, setText, setVisible, svg } from "../base/dom.ts";
import type { Run } from "../words/runs.ts";
import { type Leader, LINE_HEIGHT, type PlacedText } from "./text_boxes.ts";

/** The words on a plot, each where it has been placed. */
export interface PlotTexts {
  element: SVGElement;
  draw(placed: PlacedText[]): void;
}

/** An unchanged text is left alone: to lay it out costs more than the lines of the plot. */
export function createAnnotations(): PlotTexts {
  const element = svg("g");
  let texts: ReturnType<typeof createText>[] = [];
  return {
    element,
    draw(placed) {
      const free = texts;
      texts = placed.map((text) => {
        const at = free.findIndex(({ form }) => form === formOf(text));
        if (at >= 0) return free.splice(at, 1)[0];
        const added = createText(text);
        element.append(added.element);
        return added;
      });
      for (const unused of free) unused.element.remove();
      placed.forEach((text, i) => {
        texts[i].draw(text);
      });
    },
  };
}

/** Texts of one form differ in what they say and in where they stand. */
function formOf({ anchor, lines, leader }: PlacedText): string {
  const runs = lines.map((line) => line.map(({ tone, strong }) => `${tone}${strong ? "!" : ""}`).join());
  return [anchor, leader?.tone ?? "", ...runs].join("|");
}

function createText(placed: PlacedText) {
  const { anchor, lines, leader } = placed;
  const line = svg("line", { class: `crw-leader crw-leader-${leader?.tone}` });
  const dot = svg("circle", { class: `crw-leader crw-leader-${leader?.tone}`, r: 2.5 });
  const spans = lines.map((runs) => runs.map(createSpan));
  const words = svg(
    "g",
    {},
    ...spans.map((row, i) =>
      svg(
        "text",
        { class: "crw-label crw-halo", "text-anchor": anchor, y: (i + 0.75) * LINE_HEIGHT },
        ...row,
      ),
    ),
  );

  function drawLeader({ x, from, to }: Leader) {
    for (const mark of [line, dot]) setVisible(mark, from !== to);
    setAttributes(line, { x1: x, y1: from, x2: x, y2: to });
    setAttributes(dot, { cx: x, cy: from });
  }

  return {
    form: formOf(placed),
    element: svg("g", {}, ...(leader ? [line, dot] : []), words),
    draw(text: PlacedText) {
      if (text.leader) drawLeader(text.leader);
      const { left, right, top } = text.box;
      const x = { start: left, middle: (left + right) / 2, end: right }[anchor];
      setAttributes(words, { transform: `translate(${x} ${top})` });
      spans.forEach((row, i) => {
        row.forEach((span, k) => {
          setText(span, text.lines[i][k].text);
        });
      });
    },
  };
}

const createSpan = ({ tone, strong }: Run) =>
  svg("tspan", { class: `crw-text-${tone}${strong ? " crw-strong" : ""}` });
