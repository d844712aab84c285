import { setAttributes, svg } from "../base/dom.ts";
import { onGrip } from "../base/grip.ts";
import { clamp } from "../base/scale.ts";
import { type Line, nearestVertex, settableThreshold, vertexAt } from "../evaluation/observed_curve.ts";
import type { Evaluation, OperatingPoint } from "../evaluation/types.ts";
import type { Controller } from "../sync/controller.ts";
import type { Picture } from "../sync/view_model.ts";
import { pointValueText } from "../words/one_evaluation.ts";
import { fromX, fromY, type Square, toX, toY } from "./geometry.ts";

const PAGES = 20;

/** Where the point stands, in fractions of the plot. */
export interface Place {
  x: number;
  y: number;
  text: string;
}

/** The operating point as a handle: it runs along the observed curve, from vertex to vertex. */
export interface PointHandle {
  element: SVGElement;
  /** Of a curve that is not the ROC, with the place of the point and its words. */
  draw(square: Square, curve: Line, picture: Picture, point: OperatingPoint, at?: Place): void;
}

const RADII = { halo: 16, ring: 13, dot: 8, target: 22 };

/** The dot, what shows hover, drag and focus around it, and the place where it can be grasped. */
export const handleElement = (label: string) =>
  svg(
    "g",
    {
      class: "crw-point",
      "data-testid": "operating-point",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
    },
    ...Object.entries(RADII).map(([name, r]) => svg("circle", { class: `crw-point-${name}`, r })),
  );

const rocPlace = ({ frame }: Picture, point: OperatingPoint): Place => ({
  x: point.fpr,
  y: point.tpr,
  text: pointValueText(frame),
});

export function createPointHandle(controller: Controller, signal: AbortSignal): PointHandle {
  const element = handleElement("Operating point");
  let evaluation: Evaluation;
  let square: Square;
  let curve: Line;
  let vertex = 0;

  function goTo(wish: number) {
    const { thresholds } = evaluation;
    controller.setThreshold(settableThreshold(thresholds, clamp(wish, 0, thresholds.length - 1)));
  }

  function moveTo(event: PointerEvent) {
    const { left, top } = (element.ownerSVGElement ?? element).getBoundingClientRect();
    const fpr = fromX(square, event.clientX - left);
    const tpr = fromY(square, event.clientY - top);
    goTo(nearestVertex(curve, fpr, tpr));
  }

  const page = () => Math.max(1, Math.round(evaluation.thresholds.length / PAGES));
  onGrip(
    element,
    {
      move: moveTo,
      arrow: (sign) => goTo(vertex + sign),
      page: (sign) => goTo(vertex + sign * page()),
      home: () => goTo(0),
      end: () => goTo(evaluation.thresholds.length - 1),
    },
    controller,
    signal,
  );

  return {
    element,
    draw(drawnSquare, drawnCurve, picture, point, at = rocPlace(picture, point)) {
      square = drawnSquare;
      curve = drawnCurve;
      evaluation = picture.evaluation;
      vertex = vertexAt(evaluation.thresholds, picture.wanted.threshold);
      setAttributes(element, {
        transform: `translate(${toX(square, at.x)} ${toY(square, at.y)})`,
        "aria-valuemin": 0,
        "aria-valuemax": evaluation.thresholds.length - 1,
        "aria-valuenow": vertex,
        "aria-valuetext": at.text,
      });
    },
  };
}
