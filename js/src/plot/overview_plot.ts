import { setAttributes, setVisible, svg } from "../base/dom.ts";
import { percent, range, rate, thresholdText } from "../base/format.ts";
import { onGrip } from "../base/grip.ts";
import { remembered } from "../base/remembered.ts";
import { clamp, thresholdSteps } from "../base/scale.ts";
import type { Average } from "../evaluation/average.ts";
import { type Edges, edgesOf, steps } from "../evaluation/curve_lines.ts";
import { type Line, observedCurve } from "../evaluation/observed_curve.ts";
import type { Evaluation, Folds, Frame, Group } from "../evaluation/types.ts";
import { BOTH, sidesOf } from "../evaluation/vacuous.ts";
import type { Controller } from "../sync/controller.ts";
import { cutsOf, hasCuts, leadOf } from "../sync/cuts.ts";
import { averageAuc, averageOf, readAt, readingOf, thresholdFor } from "../sync/overview_numbers.ts";
import type { Picture } from "../sync/view_model.ts";
import { overviewKey } from "../words/plot_key.ts";
import { plain, strong } from "../words/runs.ts";
import { entryName } from "../words/several_evaluations.ts";
import { createAnnotations } from "./annotations.ts";
import { createBandShape } from "./band_shape.ts";
import { type CaptionPlaces, createCaptionPlaces } from "./caption_places.ts";
import { createErrorBars } from "./error_bars.ts";
import { fromX, pathOf, type Square, toX, toY } from "./geometry.ts";
import { createHover, type Hit, vertexHit } from "./hover.ts";
import { createPlotKey } from "./key.ts";
import { placeAverageAnnotations } from "./place_annotations.ts";
import { createPlotFrame } from "./plot_frame.ts";
import { handleElement } from "./point_handle.ts";
import type { Plot } from "./roc_plot.ts";
import { LINE_HEIGHT } from "./text_boxes.ts";

/** Curves of several evaluations in one plot: the classes' average among them, or each classifier with its band. */
export function createOverviewPlot(controller: Controller, signal: AbortSignal): Plot {
  const curves = svg("g");
  const average = createAverage(controller, signal);
  const pooled = createPooled();
  const texts = createAnnotations();
  const places = createCaptionPlaces();
  const key = createPlotKey();
  const names = svg("g");
  const points = svg("g", { "data-testid": "cut-points" });
  const hover = createHover(signal, (hit) => {
    if (hit?.entry !== undefined) lookAt(hit.entry);
  });
  /** Its band has a fill and its name is strong, the others have edges alone. */
  function lookAt(entry: number) {
    entries.forEach(({ element, name }, i) => {
      element.classList.toggle("crw-looked-at", i === entry);
      name.classList.toggle("crw-strong", i === entry);
    });
  }
  const plotFrame = createPlotFrame(
    "ROC curves",
    [average.under, curves, pooled.element],
    [average.over, texts.element, names, points, hover.mark, average.handle],
  );
  hover.listen(plotFrame);
  plotFrame.element.append(key.element);
  let drawnGroup: Group | null = null;
  let entries: ReturnType<typeof createEntry>[] = [];

  /** Where each classifier is cut; filled for the one whose threshold is set. */
  function drawPoints(picture: Picture) {
    const lead = leadOf(picture);
    cutsOf(picture).forEach(({ point }, i) => {
      const circle = points.children[i];
      setAttributes(circle, {
        cx: toX(plotFrame.square, point.fpr),
        cy: toY(plotFrame.square, point.tpr),
      });
      circle.classList.toggle("crw-lead", i === lead);
    });
  }

  return {
    element: plotFrame.element,
    drawing: plotFrame.drawing,
    draw(picture, size) {
      const { group, held } = picture;
      const isResized = plotFrame.resize(size);
      if (isResized || group !== drawnGroup) {
        drawnGroup = group;
        entries = group.entries.map((entry, i) => createEntry(group, entry, i, plotFrame.square));
        curves.replaceChildren(...entries.map(({ element }) => element));
        const named =
          group.kind === "classes" ? [] : group.folds ? pooled.draw(group.folds, plotFrame.square) : entries;
        setVisible(pooled.element, group.folds !== null);
        curves.classList.toggle("crw-crossing", hasCuts(group) || group.kind === "bands");
        names.replaceChildren(...named.flatMap(({ sample, name }) => [sample, name]));
        points.replaceChildren(
          ...(hasCuts(group)
            ? group.entries.map((_, i) => svg("circle", { class: `crw-cut crw-series${i % SERIES}`, r: 5 }))
            : []),
        );
        lookAt(0);
      }
      const isAveraged = group.kind === "classes";
      key.draw(size.hasKey ? overviewKey(isAveraged) : null);
      const averaged = [average.under, average.over, average.handle, texts.element];
      for (const element of averaged) setVisible(element, isAveraged);
      if (isAveraged) {
        const lines = averageLines(averageOf(picture));
        average.draw(picture, lines, plotFrame.square);
        places.begin(plotFrame.square, held);
        texts.draw(averageTexts(picture, lines, plotFrame.square, size.hasKey, places));
        hover.draw(held, (fpr) => averageHit(picture, fpr));
        return;
      }
      entries.forEach((entry, i) => {
        entry.draw(picture.frames[i], held);
      });
      if (hasCuts(group)) drawPoints(picture);
      hover.draw(held, (fpr, tpr) => nearestHit(picture, entries, fpr, tpr));
    },
  };
}

/** How many colours and dashes there are for classifiers; a ninth begins again. */
export const SERIES = 8;

function createEntry({ kind, entries }: Group, entry: Evaluation, i: number, square: Square) {
  const curve = observedCurve(entry);
  const series = kind === "classes" || kind === "folds" ? "crw-thin" : `crw-series crw-series${i % SERIES}`;
  const path = svg("path", { class: `crw-curve ${series}`, d: pathOf(curve, square) });
  const band = createBandShape(series, `band-${i}`);
  return {
    curve,
    ...nameOfCurve(entry, series, entries.length - 1 - i, square),
    element: svg("g", { "data-testid": `curve-${i}` }, band.element, path),
    draw(frame: Frame, held: boolean) {
      band.draw(edgesOf(1, frame, curve), sidesOf(frame, 1), square, held);
    },
  };
}

/** The curve of all folds' scores, and what the lines stand for. */
function createPooled() {
  const path = svg("path", { class: "crw-curve", "data-testid": "pooled" });
  return {
    element: path,
    draw({ pooled: curve }: Folds, square: Square) {
      setAttributes(path, { d: pathOf(curve, square) });
      return [
        nameOfCurve({ name: "a fold" }, "crw-thin", 1, square),
        nameOfCurve({ name: "pooled scores" }, "", 0, square),
      ];
    },
  };
}

const MOST_CHARACTERS = 24;

/** At the bottom right, where a curve seldom comes, so many lines from below: the name beside a piece of the curve. */
function nameOfCurve(
  { name }: Pick<Evaluation, "name">,
  series: string,
  line: number,
  { x0, y0, size }: Square,
) {
  const right = x0 + size - 4;
  const y = y0 - 14 - line * LINE_HEIGHT;
  const short = name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS - 1)}…` : name;
  return {
    sample: svg("path", { class: `crw-curve ${series}`, d: `M${right - 30} ${y - 4}H${right}` }),
    name: svg(
      "text",
      { class: "crw-label crw-halo crw-text-ink", "text-anchor": "end", x: right - 36, y },
      short,
    ),
  };
}

function nearestHit({ group, frames }: Picture, entries: { curve: Line }[], fpr: number, tpr: number): Hit {
  const hits = entries.map(({ curve }, i) => {
    const hit = vertexHit(group.entries[i], frames[i], curve, fpr, tpr);
    return { ...hit, entry: i, title: `${group.entries[i].name}, ${hit.title}` };
  });
  const away = (hit: Hit) => Math.hypot(hit.fpr - fpr, hit.tpr - tpr);
  return hits.reduce((best, hit) => (away(hit) < away(best) ? hit : best));
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
      cross.drawUpright(square, reading);
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

function averageTexts(
  picture: Picture,
  { curve, edges }: AverageLines,
  square: Square,
  hasKey: boolean,
  places: CaptionPlaces,
) {
  const { group, frame } = picture;
  const reading = readingOf(picture);
  const { auc } = averageAuc(picture);
  const names = group.entries.map((entry) => entryName(group, entry)).join(", ");
  const scene = {
    hasKey,
    square,
    curve,
    edges,
    reading,
    callout: [
      [strong(rate(reading.tpr)), plain(` at FPR ${rate(reading.fpr)}`)],
      [strong(range(reading.tprLower, reading.tprUpper), "label1")],
    ],
    caption: [
      [strong(`${percent(1 - frame.alpha)} limits, averaged`, "label1")],
      [plain(names.length <= 30 ? `thin: ${names}` : "thin: the classes", "muted")],
    ],
    corner: [[strong(`mean AUC ${rate(auc)}`)]],
  };
  return placeAverageAnnotations(scene, places);
}
