// Draws a choice of one option: side by side, or as a drop-down list.

import { html, nothing, unbroken } from "./template.ts";

export interface Option {
  text: string;
  value?: string;
  /** Whether the option is offered. If this is missing, the option is offered. */
  isThere?: boolean;
  /** Why the option cannot be chosen now. Empty if it can. */
  why?: string;
  /** A template that is drawn before the text, such as a line in the colour of an evaluation. */
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

/**
 * The name of a list (`label`), its class (`look`) and its test id. If `isOff`, no option can be chosen.
 * `closed` then says why.
 */
interface ListLook {
  label: string;
  look?: string;
  id?: string;
  isOff?: boolean;
  closed?: string | undefined;
}

/**
 * Draws a drop-down list. The reasons of all options are the title of the list too, because pointers and
 * screen readers hardly reach the title of an option.
 */
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
