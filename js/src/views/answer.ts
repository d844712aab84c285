// The answer in two lines, of one evaluation or of it among others.

import { words } from "../base/words.ts";
import { type Gap, gapsAt } from "../evaluation/gaps.ts";
import { hasCuts } from "../shown/cuts.ts";
import type { Picture } from "../shown/picture.ts";
import { type Answer, given, nameInLine } from "../words/answer.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { gapText, rankingSentence } from "../words/ranking.ts";
import { plain, type Run, runs, strong } from "../words/runs.ts";
import { saysLittle } from "./roc.ts";
import { viewOf } from "./views.ts";

export function answerOf(picture: Picture): Answer {
  const { group } = picture;
  const answer = viewOf(picture).answer(picture);
  if (picture.shown === null || !hasCuts(group)) return answer;
  const lead = group.kind === "populations" ? gapRuns(picture) : rankingSentence(picture);
  if (lead.length === 0) return answer;
  const isLittle = picture.view === "roc" && saysLittle(picture.evaluation);
  const name = nameInLine(picture.evaluation.name);
  const whose = isLittle ? `The band of ${name} says little. ` : `${name}. `;
  return { lead, meaning: [strong(whose), ...answer.lead] };
}

/** The widest gap between the sensitivities of two populations. */
export function gapRuns(picture: Picture): Run[] {
  const { group, frames, wanted } = picture;
  const gaps = gapsAt(group, frames, wanted.alpha, wanted.threshold).tpr;
  if (gaps.length === 0) return [];
  const wide = ({ difference }: Gap) => Math.abs(difference);
  const widest = gaps.reduce((best, gap) => (wide(gap) > wide(best) ? gap : best));
  const [a, b] = widest.pair.map((i) => nameInLine(group.entries[i].name));
  const gap = wide(widest);
  const direction = words(widest.difference < 0 ? "gap.lower" : "gap.higher");
  const level = 1 - wanted.alpha;
  return [
    ...runs("gap.rate", { ...given(picture), rate: nounOf(1), gap, direction, a, b }),
    ...(widest.limits === null
      ? [plain(" what Populations.gap says.")]
      : [plain(" "), ...runs("gap.limits", { limits: gapText(widest.limits), level }, "label1")]),
  ];
}

/** The answer as one text. */
export function spokenAnswer(picture: Picture): string {
  const { lead, meaning } = answerOf(picture);
  return [lead, meaning].map((runs) => runs.map(({ text }) => text).join("")).join(" ");
}
