// Makes a still picture as data: the marks, the title and the sentences of the page. Python runs this file in
// a JavaScript engine without a page, with the same messages that a page gets. Python then draws the result
// as SVG, PNG or PDF, with Altair or with Matplotlib.

import { capital } from "./base/format.ts";
import { words } from "./base/words.ts";
import { hasReliability } from "./evaluation/calibration_band.ts";
import { withGuarantee } from "./evaluation/everywhere.ts";
import { withConfidence } from "./evaluation/guarantee.ts";
import type { Promised } from "./evaluation/types.ts";
import { jointSides, sidesOf } from "./evaluation/vacuous.ts";
import type { Line, Mark } from "./scene.ts";
import { isCompared, laidComparators, statementAt } from "./shown/comparators.ts";
import { hasCuts } from "./shown/cuts.ts";
import { isBare } from "./shown/goal.ts";
import type { Picture, Source } from "./shown/picture.ts";
import { indexOf } from "./sync/chosen_view.ts";
import { idealOf } from "./sync/ideal.ts";
import { savedModel } from "./sync/saved_model.ts";
import { answerOf, spokenAnswer, textOf } from "./views/answer.ts";
import { captionOf } from "./views/csv.ts";
import { axesOf, legendOf, marksOf, viewOf } from "./views/views.ts";
import { controlsOf, decodeControls } from "./wire/controls.ts";
import { decodeComparators, NO_COMPARATORS } from "./wire/decode_comparators.ts";
import { decodeGroup } from "./wire/decode_evaluation.ts";
import { decodeFrames } from "./wire/decode_frame.ts";
import type { Result } from "./wire/readers.ts";
import { nameInLine } from "./words/answer.ts";
import { notesOf } from "./words/notes_text.ts";
import { REPORT_STYLES, reportText } from "./words/report_styles.ts";
import { entryName, titleOf } from "./words/several_evaluations.ts";

/**
 * Returns the scene of a picture, or its report in a style, as JSON. The JSON input has the messages, and in `source`
 * who can still change the picture.
 */
function scene(text: string): string {
  const payload = JSON.parse(text);
  const picture = pictureOf(payload, payload.source);
  const style = REPORT_STYLES.find((each) => each === payload.report);
  if (style) return JSON.stringify(reportText(picture, style));
  const { across, up } = axesOf(picture);
  const marks = marksOf(picture).map((mark) =>
    mark.kind === "line" ? read(named(mark, picture), picture) : named(mark, picture),
  );
  const title = titleOf(picture);
  // If the band is "none", the page's sentence ends with where to choose a band. A still picture has no such
  // control, so only the first part of the sentence is kept.
  const lead = isBare(picture) ? textOf(answerOf(picture).lead) : spokenAnswer(picture);
  const promise = promiseLines(picture);
  const facts = factsOf(marks).map(closed);
  const about = [captionOf(picture).subtitle, ...costOf(picture)].map(closed);
  const others = othersOf(picture);
  const notes = [...bandNotes(picture), ...dataNotes(picture)].map(closed);
  return JSON.stringify(plain({ title, across, up, marks, lead, promise, facts, about, others, notes }));
}

/** The largest number of other curves that the key of a picture names. */
const MOST_NAMED = 12;

/**
 * If several curves are drawn, returns the mark with the name of its evaluation for the key. On a page the control that
 * chooses an evaluation has the names.
 */
function named<M extends Mark>(mark: M, { group, shown, evaluation }: Picture): M {
  if (shown === null || !(hasCuts(group) || group.kind === "samples" || group.kind === "bands")) return mark;
  if (mark.id === "curve") return { ...mark, key: nameInLine(entryName(group, evaluation)) };
  const [, at] = mark.id.match(/^(?:curve|other)-(\d+)$/) ?? [];
  return at && Number(at) < MOST_NAMED
    ? { ...mark, key: nameInLine(entryName(group, group.entries[Number(at)])) }
    : mark;
}

/**
 * Returns the curve. If users can still move the pointer over the picture, the curve includes the numbers to
 * show at each vertex.
 */
const read = (line: Line, picture: Picture) =>
  line.id === "curve" && picture.source !== "static"
    ? { ...line, readings: readingsOf(picture, line.points.x.length) }
    : line;

/** Returns the picture that a page would draw from these messages. */
function pictureOf(payload: unknown, source: Source): Picture {
  const model = savedModel(payload);
  const controls = ok(decodeControls(controlsOf((name) => model.get(name))));
  const group = withGuarantee(ok(decodeGroup(model.get("_data"))), controls.guarantee);
  const { frames } = ok(decodeFrames(model.get("_frame"), group));
  const comparators = model.get("_comparators")
    ? ok(decodeComparators(model.get("_comparators")))
    : NO_COMPARATORS;
  const shown = indexOf(group, controls);
  const [evaluation, frame] = [group.entries[shown ?? 0], frames[shown ?? 0]];
  const isRoc = shown === null || (controls.view === "reliability" && !hasReliability(evaluation, frame));
  const view = isRoc ? "roc" : controls.view;
  return {
    ...{ ...controls, group, shown, evaluation, frame, frames, view, source, comparators, wanted: controls },
    ideal:
      view === "roc" && shown !== null
        ? idealOf(model, controls.band, evaluation, controls.alpha, false)
        : null,
    ...{
      stops: null,
      problem: null,
      isLost: false,
      waiting: false,
      picked: false,
      held: false,
      easing: false,
      asking: false,
    },
    ...{ isReset: false, offered: { ideal: false, sampling: false, reliability: false } },
  };
}

function ok<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

const TERMS = ["target", "scope", "guarantee", "reach"] as const;

/** Returns target, scope and guarantee of the limits, each in a line. Empty if there is no guarantee. */
function promiseLines(picture: Picture): string[] {
  const legend = legendOf(picture);
  return TERMS.filter((name) => legend[name] !== "").map(
    (name) => `${name[0].toUpperCase()}${name.slice(1)}: ${legend[name]}`,
  );
}

/** Returns the texts inside the plot: the area, and which limits do not exist. */
const factsOf = (marks: readonly Mark[]) =>
  marks.flatMap((mark) => {
    if (mark.kind === "text" && ["corner", "corner-limits"].includes(mark.id)) return [capital(mark.text)];
    return mark.kind === "area" && mark.key !== "" && !mark.sides.every(Boolean) ? [capital(mark.key)] : [];
  });

/**
 * Returns the names and guarantees of the comparators that are drawn over the band. A comparator that is
 * still being computed is included.
 */
function othersOf(picture: Picture): string[] {
  const laid = isCompared(picture) ? picture.comparators.items.filter(({ isLaid }) => isLaid) : [];
  const lines = laid.map((item) => {
    const { target, scope } = withConfidence<Promised>(item, picture.frame.alpha);
    return `${item.name}: ${target}; ${scope}.`;
  });
  return lines.length > 0 && picture.band !== "none" ? [words("key.other_question"), ...lines] : [];
}

/** Returns the notes on the comparators that are drawn over the conformal band. */
const bandNotes = (picture: Picture) =>
  laidComparators(picture).flatMap(({ item, lines }) => statementAt(item, lines).notes);

const costOf = ({ cost_ratio: cost, view }: Picture) =>
  cost === null || view !== "roc" ? [] : [`A miss counts as ${cost} false alarms; the diamond costs least`];

/** The largest number of notes on the data in a picture. */
const MOST_NOTES = 4;

function dataNotes(picture: Picture): string[] {
  const notes = notesOf(picture).map(({ fact, reason, remedy }) => [fact, reason, remedy].join(" ").trim());
  const more = notes.length - MOST_NOTES;
  return more < 2 ? notes : [...notes.slice(0, MOST_NOTES), `${more} more notes are on the page`];
}

const closed = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * Returns the view's numbers at each point of the drawn curve, without limits that do not exist. If the
 * view's numbers are for other points, returns an empty list.
 */
function readingsOf(picture: Picture, points: number) {
  const { columns, rows } = viewOf(picture).numbers(picture);
  if (rows.length !== points) return [];
  return columns.flatMap((title, i) =>
    isThere(picture, title) ? [{ title, values: rows.map((row) => row[i]) }] : [],
  );
}

/**
 * Whether a column is shown. A column of limits is shown only if the limits exist. A missing limit is 0 or 1
 * in the numbers, and would look like a limit.
 */
function isThere({ frame, band }: Picture, column: string): boolean {
  const [, figure, side] = column.match(/^(.*)_(lower|upper)$/) ?? [];
  if (!side || band === "sampling" || band === "ideal") return true;
  const sides =
    figure === "fpr" ? sidesOf(frame, 0) : figure === "tpr" ? sidesOf(frame, 1) : jointSides(frame);
  return sides[side === "upper" ? 1 : 0];
}

/** Replaces arrays of numbers by lists, and numbers that are not finite by their names, because JSON has neither. */
function plain(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Float64Array && value.every(Number.isFinite)) return Array.from(value);
  if (Array.isArray(value) || value instanceof Float64Array) return Array.from<unknown>(value).map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

Object.assign(globalThis, { scene });
