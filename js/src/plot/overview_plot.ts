import { setAttributes, setVisible, svg } from "../base/dom.ts";
import { range, rate, thresholdText } from "../base/format.ts";
import { onGrip } from "../base/grip.ts";
import { remembered } from "../base/remembered.ts";
import { clamp, thresholdSteps } from "../base/scale.ts";
import type { Average } from "../evaluation/average.ts";
import { type Edges, steps } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import type { Group } from "../evaluation/types.ts";
import { BOTH } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import { averageOf, readAt, readingOf, thresholdFor } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { calloutOf, cornerOf } from "../words/plot_words.ts";
import { axes, chanceLine, ROC_TITLES, UNIT } from "./axes.ts";
import { createBandShape } from "./band_shape.ts";
import { createCallout } from "./callout.ts";
import { createErrorBars } from "./error_bars.ts";
import { fromX, pathOf, type Square, toX, toY } from "./geometry.ts";
import { createHover, type Hit } from "./hover.ts";
import { createPlotFrame } from "./plot_frame.ts";
import { handleElement } from "./point_handle.ts";
import type { Plot } from "./roc_plot.ts";

/** The averaged curve of classes with its band, or the pooled one of folds, over the thin curves of each. */
export function createOverviewPlot(controller: Controller, signal: AbortSignal): Plot {
  const curves = svg("g");
  const chance = svg("g");
  const average = createAverage(controller, signal);
  const pooled = svg("path", { class: "crw-curve", "data-testid": "pooled" });
  const callout = createCallout();
  const hover = createHover(signal);
  const plotFrame = createPlotFrame(
    "ROC curves",
    [average.under, curves, chance, pooled, average.over, callout.element, hover.mark, average.handle],
    (square) => axes(square, ROC_TITLES, { across: UNIT, up: UNIT }),
  );
  hover.listen(plotFrame);
  let drawn: Group | null = null;

  return {
    element: plotFrame.element,
    drawing: plotFrame.drawing,
    draw(picture, size) {
      const { group, held } = picture;
      const isResized = plotFrame.resize(size);
      const { square } = plotFrame;
      const isOther = group !== drawn;
      if (isResized || isOther) {
        drawn = group;
        chance.replaceChildren(chanceLine(square));
        curves.replaceChildren(
          ...group.entries.map((entry, i) =>
            svg("path", {
              class: "crw-curve crw-thin",
              "data-testid": `curve-${i}`,
              d: pathOf(observedCurve(entry), square),
            }),
          ),
        );
      }
      if (isResized || isOther)
        setAttributes(pooled, { d: group.folds ? pathOf(group.folds.pooled, square) : "" });
      callout.drawCorner(square, cornerOf(picture));
      for (const part of [average.under, average.over, average.handle, callout.words]) {
        setVisible(part, group.folds === null);
      }
      if (group.folds) return hover.draw(held, () => null);
      const lines = averageLines(averageOf(picture));
      average.draw(picture, lines, square);
      const { fpr, tpr } = readingOf(picture);
      const at = { x: toX(square, fpr), y: toY(square, tpr) };
      callout.draw(square, at, calloutOf(picture), [lines.edges.lower]);
      hover.draw(held, (wish) => averageHit(picture, wish));
    },
  };
}

function averageHit(picture: Picture, wish: number): Hit {
  const { fpr, tpr, tprLower, tprUpper } = readAt(averageOf(picture), wish);
  return {
    fpr,
    tpr,
    title: `FPR ${rate(fpr)}`,
    rows: [{ text: `mean TPR ${rate(tpr)}`, limits: range(tprLower, tprUpper), tone: "label1" }],
  };
}

/** The averaged curve with its band, and the handle that reads it. */
function createAverage(controller: Controller, signal: AbortSignal) {
  const band = createBandShape("crw-label1", "averaged-band");
  const path = svg("path", { class: "crw-curve", "data-testid": "averaged" });
  const line = svg("path", { class: "crw-reading" });
  const cross = createErrorBars();
  const handle = handleElement("Mean false positive rate of the classes, set by their threshold");
  setAttributes(handle, { "aria-valuemin": 0, "aria-valuemax": 1 });
  let picture: Picture;
  let square: Square;
  let drawn: { curve: Line; square: Square } | null = null;

  const setThreshold = (value: number) => controller.setThreshold(clamp(value, 0, 1));
  onGrip(
    handle,
    {
      move({ clientX }) {
        const { left } = (handle.ownerSVGElement ?? handle).getBoundingClientRect();
        const wish = clamp(fromX(square, clientX - left), 0, 1);
        setThreshold(thresholdFor(picture.group.entries, averageOf(picture).weights, wish));
      },
      arrow: (sign) => setThreshold(thresholdSteps.arrow(picture.wanted.threshold, sign > 0 ? -1 : 1)),
      page: (sign) => setThreshold(thresholdSteps.page(picture.wanted.threshold, sign > 0 ? -1 : 1)),
      home: () => setThreshold(1),
      end: () => setThreshold(0),
    },
    controller,
    signal,
  );

  return {
    under: band.element,
    over: svg("g", {}, path, line, cross.element),
    handle,
    draw(newPicture: Picture, { curve, edges }: AverageLines, newSquare: Square) {
      picture = newPicture;
      square = newSquare;
      band.draw(edges, BOTH, square, picture.held);
      if (drawn?.curve !== curve || drawn.square !== square) path.setAttribute("d", pathOf(curve, square));
      drawn = { curve, square };
      const reading = readingOf(picture);
      const x = toX(square, reading.fpr);
      setAttributes(line, { d: `M${x} ${square.y0}V${square.y0 - square.size}` });
      cross.draw(square, { ...reading, fprLower: reading.fpr, fprUpper: reading.fpr }, [BOTH, BOTH], [1]);
      setAttributes(handle, {
        transform: `translate(${x} ${toY(square, reading.tpr)})`,
        "aria-valuenow": reading.fpr,
        "aria-valuetext": `threshold ${thresholdText(picture.frame.threshold)}; mean false positive rate ${rate(
          reading.fpr,
        )}; mean true positive rate ${rate(reading.tpr)}, ${range(reading.tprLower, reading.tprUpper)}`,
      });
    },
  };
}

interface AverageLines {
  curve: Line;
  edges: Edges;
}

const averageLines = remembered(
  ({ fpr: x, tpr, tprUpper, tprLower }: Average): AverageLines => ({
    curve: steps({ x, y: tpr }),
    edges: { upper: steps({ x, y: tprUpper }), lower: steps({ x, y: tprLower }) },
  }),
);
