// Makes the menu of rules that choose a threshold.

import { createChanges } from "../base/changes.ts";
import { decoration, html as element, svg } from "../base/dom.ts";
import { rate as rateText, thresholdText } from "../base/format.ts";
import { createMenu } from "../base/menu.ts";
import { html, nothing, render } from "../base/template.ts";
import {
  costTarget,
  type RuledThreshold,
  sensitivityTarget,
  specificityTarget,
  youdenTarget,
} from "../evaluation/threshold_rules.ts";
import type { Evaluation } from "../evaluation/types.ts";
import { leastCost } from "../evaluation/use_metrics.ts";

/** The number in a rule, which the user can change. */
interface Figure {
  value: number;
  max: number;
  step: number;
  after: string;
}

interface Rule {
  name: string;
  figure?: Figure;
  target(evaluation: Evaluation, figure: number): RuledThreshold | null;
}

const RULES: Rule[] = [
  { name: "Youden’s optimum", target: youdenTarget },
  {
    name: "Sensitivity at least",
    figure: { value: 0.9, max: 1, step: 0.01, after: "" },
    target: sensitivityTarget,
  },
  {
    name: "Specificity at least",
    figure: { value: 0.9, max: 1, step: 0.01, after: "" },
    target: specificityTarget,
  },
  { name: "Cost of FN to FP", figure: { value: 1, max: 1e6, step: 1, after: ": 1" }, target: costTarget },
];

/** Warns that limits for a threshold drawn at random do not hold for one that was picked from the curve. */
export const NOTE =
  "The limits are promised for a threshold drawn at random. One picked from these test points is optimistic.";

/**
 * The values that the rules need. `cost` is the cost of a miss. `share` is the prevalence where the
 * classifier will be used.
 */
interface Looked {
  evaluation: Evaluation;
  cost: number | null;
  share: number;
}

/** Makes the menu: rules that choose a threshold on the observed curve, each with its threshold. */
export function createThresholdMenu(setThreshold: (threshold: number) => void, signal: AbortSignal) {
  const isNews = createChanges();
  const figures = RULES.map(({ figure }) => figure?.value ?? 0);
  let looked: Looked | null = null;
  let isLeaving = true;
  const button = element(
    "button",
    { class: "crw-jump", "data-testid": "jump", "aria-haspopup": "dialog" },
    element("span", {}, "Jump to"),
    decoration(
      { class: "crw-icon", width: 8, height: 8, viewBox: "0 0 8 8" },
      svg("path", { d: "M1 2.5l3 3 3-3" }),
    ),
  );
  const panel = element("div", {
    class: "crw-panel crw-box crw-jump-panel",
    role: "dialog",
    "aria-label": "Jump to a threshold",
  });
  const menu = createMenu(button, panel, signal);

  function go(target: Target) {
    if (target === null) return;
    setThreshold(target.threshold);
    menu.close();
  }

  function draw() {
    if (looked) render(rowsOf(looked), panel);
  }

  function rowsOf(at: Looked) {
    const { evaluation, cost, share } = at;
    const cheapest = cost === null ? null : leastCost(evaluation, share, cost);
    return html`
      ${cheapest ? html`<div class="crw-jump-row">${jumpButton("Least cost", cheapest, go)}</div>` : nothing}
      ${RULES.map((rule, i) => ruleRow(rule, i, at))}
      <p class="crw-small crw-text-muted" ?hidden=${!isLeaving}>${NOTE}</p>
    `;
  }

  function ruleRow({ name, figure, target: targetOf }: Rule, i: number, at: Looked) {
    const value = figures[i];
    const isFigure = !figure || (value >= 0 && value <= figure.max);
    const target = isFigure ? targetOf(at.evaluation, value) : null;
    const change = (next: number) => {
      figures[i] = next;
      draw();
    };
    return html`<div class="crw-jump-row">
      ${jumpButton(name, target, go)}
      ${figure ? figureInput(name, figure, change, () => go(target)) : nothing}
    </div>`;
  }

  return {
    element: menu.element,
    /**
     * Draws the menu. During a drag it is closed. If `leaves`, it warns that no guarantee holds for a threshold picked
     * from the curve.
     */
    draw(at: Looked, leaves: boolean, isHeld: boolean) {
      if (isHeld || !isNews(at.evaluation, at.cost, at.share, leaves)) return;
      looked = at;
      isLeaving = leaves;
      draw();
    },
  };
}

type Target = RuledThreshold | null;

const jumpButton = (name: string, target: Target, go: (target: Target) => void) =>
  html`<button type="button" aria-disabled=${target === null} @click=${() => go(target)}>
    <span>${name}</span>
    <span class="crw-jump-place crw-text-muted">${placeText(target)}</span>
  </button>`;

/** Makes the field for the number in a rule. The Enter key applies the rule. */
function figureInput(
  name: string,
  { value, max, step, after }: Figure,
  change: (next: number) => void,
  jump: () => void,
) {
  const press = (event: KeyboardEvent) => {
    // Arrow keys change the number, and must not move the focus in the menu. So only Escape reaches the menu.
    if (event.key !== "Escape") event.stopPropagation();
    if (event.key !== "Enter") return;
    // `jump` moves the focus to the menu's button. Without this line, the browser would use the same key to
    // press the button.
    event.preventDefault();
    jump();
  };
  const first = step < 1 ? rateText(value) : value;
  return html`<span class="crw-jump-figure crw-row">
    <input class="crw-box" type="number" inputmode="decimal" aria-label=${name} min="0" max=${max} step=${step}
      value=${first} @input=${(event: Event) => change((event.target as HTMLInputElement).valueAsNumber)} @keydown=${press}>
    <span>${after}</span>
  </span>`;
}

const placeText = (target: Target) => (target === null ? "none" : `at ${thresholdText(target.threshold)}`);
