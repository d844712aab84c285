// Draws a choice of one option: side by side, or as a drop-down list.

import { html, nothing, unbroken } from "./template.ts";

export interface Option {
  text: string;
  value?: string;
  /** Whether the option is offered. It is unless this is false. */
  isThere?: boolean;
  /** Why the option cannot be chosen now. Empty if it can. */
  why?: string;
  /** What stands before the text. */
  sample?: unknown;
}

interface Choice {
  options: readonly Option[];
  chosen: number;
  choose(index: number): void;
}

/** Draws options side by side, all of them visible. `labelledBy` is the id of their heading. */
export const radios = (labelledBy: string, look: string, { options, chosen, choose }: Choice) => html`
  <div class=${look || nothing} role="radiogroup" aria-labelledby=${labelledBy}>${options.map(
    ({ text, value = text, isThere = true, why = "", sample }, i) => html`
      <label title=${why || nothing} ?hidden=${!isThere}>
        <input type="radio" name="${labelledBy}-choice" value=${value} .checked=${i === chosen}
          ?disabled=${!isThere || why !== ""} title=${why || nothing} aria-description=${why || nothing}
          @change=${() => choose(i)}>
        ${sample}
        <span>${unbroken(text)}</span>
      </label>`,
  )}</div>`;

/** What else a list has: its name, a class, a test id, or why no option at all can be chosen. */
interface ListLook {
  label: string;
  look?: string;
  id?: string;
  isOff?: boolean;
  closed?: string | undefined;
}

/** Draws a drop-down list. It shows the reasons too, because pointers and screen readers hardly reach those of an option. */
export function list(
  { label, look, id, isOff = false, closed }: ListLook,
  { options, chosen, choose }: Choice,
) {
  const whys = options.flatMap(({ why }) => (why ? [why] : []));
  const reason = closed ?? ([...new Set(whys)].join("; ") || nothing);
  const change = ({ target }: Event) => choose((target as HTMLSelectElement).selectedIndex);
  return html`<select class=${look ?? nothing} data-testid=${id ?? nothing} aria-label=${label}
    title=${reason} aria-description=${reason} ?disabled=${isOff} @change=${change}>
    ${options.map(
      ({ text, value = text, isThere = true, why }, i) => html`
        <option value=${value} .selected=${i === chosen} ?hidden=${!isThere} ?disabled=${!isThere || Boolean(why)}
          title=${why || nothing} aria-description=${why || nothing}>${unbroken(text)}</option>`,
    )}
  </select>`;
}
