// Shows the goal (a rate and the smallest value that the user accepts), its verdict, and a button that sets a threshold
// which reaches it.

import { html as element, setVisible } from "../base/dom.ts";
import { html, nothing, render, unbroken } from "../base/template.ts";
import { words } from "../base/words.ts";
import { GOAL_RATES, type GoalRate } from "../evaluation/types.ts";
import { goalOf } from "../shown/goal.ts";
import type { Component, Picture } from "../shown/picture.ts";
import type { Controller } from "../sync/controller.ts";
import type { Goal } from "../wire/controls.ts";
import { goalPercent, goalWords } from "../words/goal.ts";

const VERBS: Record<GoalRate, string> = {
  sensitivity: words("goal.find"),
  specificity: words("goal.clear"),
  precision: words("goal.precision"),
  npv: words("goal.npv"),
  accuracy: words("goal.accuracy"),
};

/** Makes the field of the goal, and the verdict on it. If the field is empty, there is no goal. */
export function createGoal(controller: Controller): Component {
  const goal = element("p", { class: "crw-goal", "data-testid": "goal" });
  let rate: GoalRate = "sensitivity";
  /** The number in the field. A number that cannot be a percentage is replaced by it. */
  let shown = "";
  const choose = (least: number | null) =>
    controller.choose({ goal: least === null ? null : ({ [rate]: least } as Goal) });

  function onNumber(event: Event) {
    const field = event.target as HTMLInputElement;
    const { value, valueAsNumber } = field;
    if (value.trim() === "") choose(null);
    else if (valueAsNumber >= 0 && valueAsNumber <= 100) choose(Number((valueAsNumber / 100).toFixed(6)));
    else field.value = shown;
  }

  /** Keeps arrow keys in the field, where they change the number. Otherwise they would move a slider. */
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") event.stopPropagation();
  };

  function content(picture: Picture) {
    const set = goalOf(picture);
    rate = set?.rate ?? rate;
    shown = set === null ? "" : goalPercent(set.least);
    const { before, at, after } = goalWords(picture);
    const onRate = (event: Event) => {
      rate = GOAL_RATES[(event.target as HTMLSelectElement).selectedIndex];
      choose(goalOf(picture)?.least ?? null);
    };
    const jump =
      at &&
      html`<button type="button" class="crw-link crw-goal-jump" data-testid="goal-jump"
      @click=${() => controller.jumpTo({ threshold: at.threshold })}>${at.text}</button>`;
    return html`${words("goal.goal")} <select aria-label="Rate of the goal" data-testid="goal-rate" @change=${onRate}>
        ${GOAL_RATES.map((each) => html`<option .selected=${each === rate} title=${each}>${VERBS[each]}</option>`)}
      </select> ${words("goal.at_least")} <span class="crw-goal-least crw-box"><input type="number" inputmode="decimal"
        min="0" max="100" step="1" aria-label="The least that is enough, in percent" data-testid="goal-least"
        .value=${shown} @change=${onNumber} @keydown=${onKey}> %</span>.
      ${unbroken(before)}${jump ?? nothing}${unbroken(after)}`;
  }

  return {
    element: goal,
    draw(picture) {
      // If several evaluations are shown together, there is no goal. If the band is "none", the user is to
      // guess first, so the goal is hidden too.
      const isThere = picture.shown !== null && picture.band !== "none";
      setVisible(goal, isThere);
      if (!isThere) return;
      const hasFocus = goal.querySelector(".crw-goal-jump")?.matches(":focus");
      render(content(picture), goal);
      // At its threshold the goal needs no button. The focus must not go with it to the top of the page. It does not
      // go to the number, because a phone would open its keyboard.
      if (hasFocus && !goal.querySelector(".crw-goal-jump"))
        goal.querySelector("select")?.focus({ preventScroll: true });
    },
  };
}
