// The answer in two lines, of one evaluation or of it among others.

import { words } from "../base/words.ts";
import type { Gap } from "../evaluation/gaps.ts";
import { hasCuts } from "../shown/cuts.ts";
import { gapsOf } from "../shown/gaps.ts";
import type { Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import { type Answer, given, nameInLine } from "../words/answer.ts";
import { nounOf } from "../words/one_evaluation.ts";
import { gapText, rankingSentence } from "../words/ranking.ts";
import { type Run, runs, SAMPLING_TONE, strong } from "../words/runs.ts";
import { saysLittle, showsConformal } from "./roc.ts";
import { viewOf } from "./views.ts";

export function answerOf(picture: Picture): Answer {
  const { group } = picture;
  const answer = viewOf(picture).answer(picture);
  if (picture.shown === null || !hasCuts(group) || isBare(picture)) return answer;
  const lead = group.kind === "populations" ? gapRuns(picture) : rankingSentence(picture);
  if (lead.length === 0) return answer;
  // Few calibration points matter to the first question alone: the others' bands are not made of them.
  const isLittle = picture.view === "roc" && showsConformal(picture) && saysLittle(picture.evaluation);
  const name = nameInLine(picture.evaluation.name);
  const whose = isLittle ? `The band of ${name} says little. ` : `${name}. `;
  return { lead, meaning: [strong(whose), ...answer.lead] };
}

/** Whether a curve is shown to guess from: no limit may be said, of a difference neither. */
export const isBare = ({ shown, view, band }: Picture) => shown !== null && view === "roc" && band === "none";

/** Smaller differences are written as 0.00. */
const SEEN = 0.005;

/** The widest gap between the sensitivities of two populations, in the question that is asked. */
export function gapRuns(picture: Picture): Run[] {
  const { group, wanted } = picture;
  const gaps = gapsOf(picture).tpr;
  if (gaps.length === 0) return [];
  const wide = ({ difference }: Gap) => Math.abs(difference);
  const widest = gaps.reduce((best, gap) => (wide(gap) > wide(best) ? gap : best));
  const { difference, limits } = widest;
  const [a, b] = widest.pair.map((i) => nameInLine(group.entries[i].name));
  const gap = wide(widest);
  const isNone = gap < SEEN;
  const apart = words(isNone ? "gap.same" : difference < 0 ? "gap.lower" : "gap.higher", { gap });
  const than = words(isNone ? "gap.and" : "gap.than");
  const values = { ...given(picture), rate: nounOf(1), apart, than, a, b };
  const level = 1 - wanted.alpha;
  if (isSampled(picture)) {
    if (limits === null) return runs("gap.unseen", { ...values, what: words("gap.with_more_data") });
    return runs("gap.settles", { ...values, limits: gapText(limits), level }, SAMPLING_TONE);
  }
  if (limits === null) return runs("gap.unseen", { ...values, what: `${values.model}’s difference` });
  const isBounded = limits[0] > -1 || limits[1] < 1;
  return runs(
    isBounded ? "gap.ideal" : "gap.without",
    { ...values, limits: gapText(limits), level },
    "label1",
  );
}

/** The answer as one text. */
export function spokenAnswer(picture: Picture): string {
  const { lead, meaning } = answerOf(picture);
  return [lead, meaning].map(textOf).join(" ").trimEnd();
}

export const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");
