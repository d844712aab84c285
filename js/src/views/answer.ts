// The sentence of a picture, for one evaluation alone or among others.

import { share } from "../base/format.ts";
import { words } from "../base/words.ts";
import type { Gap } from "../evaluation/gaps.ts";
import { cutsOf } from "../shown/cuts.ts";
import { gapsOf } from "../shown/gaps.ts";
import { isBare } from "../shown/goal.ts";
import type { Picture } from "../shown/picture.ts";
import { isSampled } from "../shown/sampled_area.ts";
import { type Answer, given, labelAsked, nameInLine, sentence, trueSureWords } from "../words/answer.ts";
import { goalText } from "../words/goal.ts";
import { comparedRuns, gapText } from "../words/ranking.ts";
import { type Run, runs, SAMPLING_TONE, TONES } from "../words/runs.ts";
import { verdictWords } from "../words/verdict.ts";
import { showsConformal } from "./roc.ts";
import { viewOf } from "./views.ts";

export function answerOf(picture: Picture): Answer {
  const { group, shown, view } = picture;
  const answer = viewOf(picture).answer(picture);
  if (shown === null || view !== "roc" || picture.band === "ideal" || isBare(picture)) return answer;
  if (group.kind === "populations") {
    const gap = gapRuns(picture);
    return gap.length > 0 ? { ...answer, lead: gap } : answer;
  }
  if (group.kind !== "classifiers" || group.entries.length === 1) return answer;
  const label = labelAsked(picture);
  const rates = cutsOf(picture).map(({ point }) => (label === 1 ? point.tpr : 1 - point.fpr));
  const lead = comparedRuns(picture, rates, label);
  return showsConformal(picture)
    ? { lead, meaning: [...answer.lead, ...sentence(` ${verdictWords(picture)}`.trimEnd())] }
    : { ...answer, lead };
}

/** The widest gap between a rate of two populations, in the question that is asked. */
export function gapRuns(picture: Picture): Run[] {
  const { group, frame } = picture;
  const label = labelAsked(picture);
  const gaps = label === 1 ? gapsOf(picture).tpr : gapsOf(picture).fpr.map(ofSpecificity);
  if (gaps.length === 0) return [];
  const wide = ({ difference }: Gap) => Math.abs(difference);
  const widest = gaps.reduce((best, gap) => (wide(gap) > wide(best) ? gap : best));
  const isTurned = widest.difference < 0;
  const [a, b] = (isTurned ? [...widest.pair].reverse() : widest.pair).map((i) =>
    nameInLine(group.entries[i].name),
  );
  const { limits, sides } = isTurned ? turned(widest) : widest;
  const sure = isSampled(picture) ? words("say.sure", { level: 1 - frame.alpha }) : trueSureWords(picture);
  const verbs = label === 1 ? { does: "it finds", do: "find" } : { does: "it clears", do: "clear" };
  const values = { ...given(picture), ...verbs, gap: wide(widest), a, b, sure };
  if (limits === null) return runs("say.gap_here", values);
  if (!sides[0] && !sides[1]) return runs("say.true_gap_none", values);
  const said = { ...values, limits: gapText(limits, sides, share) };
  return isSampled(picture) ? runs("say.gap", said, SAMPLING_TONE) : runs("say.true_gap", said, TONES[label]);
}

/** The gap between the specificities, from that between the false positive rates. */
const ofSpecificity = (gap: Gap): Gap => ({ ...turned(gap), difference: -gap.difference });

/** The same gap with the other population first. */
const turned = ({ limits, sides: [low, high], ...gap }: Gap): Gap => ({
  ...gap,
  limits: limits && [-limits[1], -limits[0]],
  sides: [high, low],
});

/** The sentence with what stands beside it, as one text. */
export function spokenAnswer(picture: Picture): string {
  const { lead, meaning } = answerOf(picture);
  return [lead, meaning].map(textOf).join(" ").trimEnd();
}

export const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join("");

/** What is announced once nothing moves: the sentence, and the verdict on the goal. */
export const announced = (picture: Picture) => `${spokenAnswer(picture)} ${goalText(picture)}`.trimEnd();
