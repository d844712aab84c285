// Makes the components of the page, and lists which of them are drawn in each frame, and in which order they stand.

import { html } from "./base/dom.ts";
import { createFullScreen } from "./base/fullscreen.ts";
import type { Width } from "./base/width.ts";
import { createAnnouncer } from "./chrome/announcer.ts";
import { createAnswer } from "./chrome/answer.ts";
import { createDataTable } from "./chrome/data_table.ts";
import { createGoal } from "./chrome/goal.ts";
import { createHeader } from "./chrome/header.ts";
import { createHelp } from "./chrome/help.ts";
import { createAlert, createNotes } from "./chrome/notes.ts";
import { createPicker } from "./chrome/picker.ts";
import { createPromise } from "./chrome/promise.ts";
import { createQuestion } from "./chrome/question.ts";
import { createShare } from "./chrome/share.ts";
import { createToolbar } from "./chrome/toolbar.ts";
import { createAnswers } from "./panels/answers/answers.ts";
import { createConfidence } from "./panels/confidence.ts";
import { createFigures } from "./panels/figures.ts";
import { createHorizon } from "./panels/horizon.ts";
import { createKey } from "./panels/key.ts";
import { createNumbers } from "./panels/numbers.ts";
import { createOverview } from "./panels/overview.ts";
import { createPlot } from "./panels/plot.ts";
import { createThreshold } from "./panels/threshold.ts";
import type { Component } from "./shown/picture.ts";
import type { Controller } from "./sync/controller.ts";

/** The title of a page that holds only this chart. */
export interface OwnPage {
  title: string;
}

/** Makes all components of the page. */
export function createParts(
  controller: Controller,
  root: HTMLElement,
  page: OwnPage | null,
  schedule: () => void,
  measure: () => void,
  signal: AbortSignal,
) {
  const threshold = createThreshold(controller, signal);
  const plot = createPlot(controller, root, signal);
  const help = createHelp(root, signal);
  const fullScreen = createFullScreen(root, measure, signal);
  const toolbar = createToolbar(
    controller,
    plot.drawing,
    fullScreen,
    help,
    threshold.jump,
    plot.corner,
    page !== null,
    signal,
  );
  return {
    head: createHeader(page?.title ?? ""),
    toolbar,
    question: createQuestion(controller),
    answer: createAnswer(),
    share: createShare(controller),
    goal: createGoal(controller),
    alert: createAlert(schedule),
    picker: createPicker(controller),
    key: createKey(controller),
    plot,
    horizon: createHorizon(controller, signal),
    confidence: createConfidence(controller, signal),
    threshold,
    overview: createOverview(controller, signal),
    numbers: createNumbers(controller),
    promise: createPromise(controller),
    answers: createAnswers(controller, signal),
    figures: createFigures(controller, schedule, signal),
    notes: createNotes(),
    table: createDataTable(signal),
    announcer: createAnnouncer(signal),
    help,
    fullScreen,
  };
}

export type Parts = ReturnType<typeof createParts>;

/**
 * Returns the components that are drawn in every frame: controls that follow the pointer, and numbers that
 * must agree with a slider.
 */
export const movingParts = (parts: Parts): Component[] => [
  ...[
    parts.picker,
    parts.key,
    parts.horizon,
    parts.confidence,
    parts.threshold,
    parts.overview,
    parts.answer,
    parts.share,
    parts.goal,
  ],
  ...[parts.numbers, parts.promise],
];

/** Returns the components with words and tables. During a drag they are drawn only a few times a second. */
export const readParts = (parts: Parts): Component[] => [
  ...[parts.head, parts.toolbar, parts.question, parts.alert, parts.promise.legend],
  ...[parts.answers, parts.figures, parts.notes, parts.table, parts.announcer, parts.help],
];

const box = (name: string, ...children: HTMLElement[]) => html("div", { class: name }, ...children);

/**
 * Returns the elements in the order in which they are read and reached by keys. The header comes first, then
 * the sentence and the goal.
 */
export function contentOf(parts: Parts, width: Width): HTMLElement[] {
  const { head, toolbar, question, answer, share, goal, alert, picker, key, plot, confidence } = parts;
  const { threshold, horizon } = parts;
  const { overview, numbers, promise, answers, figures: all, notes, table, announcer, help } = parts;
  const start = [
    box("crw-row crw-apart crw-header", head.element, toolbar.element),
    ...[answer.element, share.element, goal.element, alert.element],
  ];
  const end = [
    answers.element,
    box("crw-foot", promise.element, all.element),
    ...[notes, table, announcer, help].map(({ element }) => element),
  ];
  const figure = box("crw-figure", picker.element, key.element, plot.element);
  const settings = [
    horizon.element,
    box("crw-block", confidence.element, confidence.strips),
    box("crw-block", threshold.element, threshold.strips),
  ];
  const figures = [numbers.element, overview.element];
  if (width === "narrow") return [...start, figure, ...settings, ...figures, question.element, ...end];
  const isWide = width === "wide";
  const modules = box("crw-modules", ...settings, ...(isWide ? figures : []));
  return [
    ...[...start, question.element, box("crw-body", figure, modules)],
    ...[...(isWide ? [] : figures), ...end],
  ];
}
