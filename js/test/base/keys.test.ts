// @vitest-environment jsdom
import { expect, test } from "vitest";
import { keepKeys } from "../../src/base/keys.ts";

const root = document.createElement("div");
root.innerHTML = '<button></button><input type="number"><select></select>';
document.body.append(root);
keepKeys(root, new AbortController().signal);

/** Whether the notebook would react to a key: as in JupyterLab from 4.1 on, then as in the older Lumino. */
function isHeard(tag: string, key: string, modifiers: KeyboardEventInit = {}): boolean {
  const element = root.querySelector(tag) as HTMLElement;
  const heard = [false, false];
  const ending = new AbortController();
  const { signal } = ending;
  document.addEventListener("keydown", () => (heard[0] = true), { signal });
  const early = () => (heard[1] = !element.hasAttribute("data-lm-suppress-shortcuts"));
  document.addEventListener("keydown", early, { signal, capture: true });
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, ...modifiers }));
  ending.abort();
  expect(heard[0]).toBe(heard[1]);
  return heard[0];
}

const CTRL = { ctrlKey: true };
const SHIFT = { shiftKey: true };

test.each([
  ..."abdzx0 ",
  "ArrowUp",
  "ArrowLeft",
  "Enter",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "Delete",
  "Backspace",
])("%s stays in the widget", (key) => {
  expect(isHeard("button", key)).toBe(false);
  if (key !== "Enter") expect(isHeard("button", key, SHIFT)).toBe(false);
});

test.each<[string, KeyboardEventInit]>([
  ["s", CTRL],
  ["s", { metaKey: true }],
  ["b", CTRL],
  ["C", { ...CTRL, ...SHIFT }],
  ["Enter", CTRL],
  ["Enter", SHIFT],
  ["Enter", { altKey: true }],
  ["ArrowDown", CTRL],
  ["F11", {}],
  ["Escape", {}],
  ["Tab", {}],
])("%s with %o goes on to the notebook", (key, modifiers) => {
  expect(isHeard("button", key, modifiers)).toBe(true);
  expect(isHeard("select", key, modifiers)).toBe(key !== "Escape");
});

test("undo is ours, and in a field so is what edits it", () => {
  expect(isHeard("button", "z", CTRL)).toBe(false);
  expect(isHeard("button", "a", CTRL)).toBe(true);
  for (const key of "acvxyz") expect(isHeard("input", key, CTRL), key).toBe(false);
  expect(isHeard("input", "s", CTRL)).toBe(true);
  expect(isHeard("input", "ArrowLeft", CTRL)).toBe(false);
});

test("a letter that is typed with AltGr is a letter", () => {
  const altGraph = { ctrlKey: true, altKey: true, modifierAltGraph: true };
  expect(isHeard("input", "@", altGraph)).toBe(false);
});
