// Writes the main sentence of a picture that shows a single evaluation, or one of several.

import { points } from "../base/format.ts";
import { remembered } from "../base/remembered.ts";
import { words } from "../base/words.ts";
import { flipped, widestOf } from "../evaluation/gaps.ts";
import { cutsOf } from "../shown/cuts.ts";
import { gapsOf } from "../shown/gaps.ts";
import { isBare } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import {
  type Answer,
  given,
  labelAsked,
  nameInLine,
  ownerWords,
  sentence,
  trueSureWords,
} from "../words/answer.ts";
import { goalText } from "../words/goal.ts";
import { comparedRuns, gapText } from "../words/ranking.ts";
import { type Run, runs, SAMPLING_TONE, TONES } from "../words/runs.ts";
import { verdictWords } from "../words/verdict.ts";
import { showsConformal } from "./roc.ts";
import { viewOf } from "./views.ts";

/** Returns the main sentence and the text beside it. They are cached, because they are shown and spoken. */
export const answerOf = remembered((picture: Picture): Answer => {
  const { group, shown, view } = picture;
  const { lead: one, meaning } = viewOf(picture).answer(picture);
  const owner = sentence(ownerWords(picture));
  const answer = { lead: [...owner, ...one], meaning };
  if (shown === null || view !== "roc" || picture.band === "ideal" || isBare(picture)) return answer;
  const more = meaning.length > 0 ? [...owner, ...meaning] : [];
  if (group.kind === "populations") {
    const gap = gapRuns(picture);
    return gap.length > 0 ? { lead: gap, meaning: more } : answer;
  }
  if (group.kind !== "classifiers" || group.entries.length === 1) return answer;
  const label = labelAsked(picture);
  const rates = cutsOf(picture).map(({ point }) => (label === 1 ? point.tpr : 1 - point.fpr));
  const lead = comparedRuns(picture, rates, label);
  return showsConformal(picture)
    ? { lead, meaning: [...answer.lead, ...sentence(` ${verdictWords(picture)}`.trimEnd())] }
    : { lead, meaning: more };
});

/** Writes the largest difference of a rate between two populations, with the limits of the chosen band. */
export function gapRuns(picture: Picture): Run[] {
  const { group, frame } = picture;
  const label = labelAsked(picture);
  const widest = widestOf(label === 1 ? gapsOf(picture).tpr : gapsOf(picture).fpr.map(flipped));
  if (!widest) return [];
  const { limits, sides, difference: gap } = widest;
  const [a, b] = widest.pair.map((i) => nameInLine(group.entries[i].name));
  const sure = isSampled(picture) ? words("say.sure", { level: 1 - frame.alpha }) : trueSureWords(picture);
  const verbs = label === 1 ? { does: "it finds", do: "find" } : { does: "it clears", do: "clear" };
  const values = { ...given(picture), ...verbs, gap, a, b, sure };
  if (limits === null) return runs(isSampled(picture) ? "say.gap_here" : "say.true_gap_here", values);
  if (!sides[0] && !sides[1]) return runs("say.true_gap_none", values);
  const said = { ...values, limits: gapText(limits, sides, points) };
  return isSampled(picture) ? runs("say.gap", said, SAMPLING_TONE) : runs("say.true_gap", said, TONES[label]);
}

/** Returns the main sentence and the text beside it as one text. */
export function spokenAnswer(picture: Picture): string {
  const { lead, meaning } = answerOf(picture);
  return [lead, meaning].map(textOf).join(" ").trimEnd();
}

export const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");

/** Returns the text that screen readers announce when nothing moves: the main sentence, and the verdict on the goal. */
export const announced = (picture: Picture) => `${spokenAnswer(picture)} ${goalText(picture)}`.trimEnd();
