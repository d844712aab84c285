// @vitest-environment jsdom
import { expect, test } from "vitest";
import { type Theme, themeOf } from "../../src/base/host_theme.ts";

function page(html: Record<string, string>, body: Record<string, string>): Document {
  const made = document.implementation.createHTMLDocument();
  for (const [name, value] of Object.entries(html)) made.documentElement.setAttribute(name, value);
  for (const [name, value] of Object.entries(body)) made.body.setAttribute(name, value);
  return made;
}

test.each<[string, Theme, Document]>([
  ["JupyterLab, dark", "dark", page({}, { "data-jp-theme-light": "false" })],
  ["JupyterLab, light", "light", page({}, { "data-jp-theme-light": "true" })],
  ["VS Code, dark", "dark", page({}, { class: "vscode-dark" })],
  ["VS Code, high contrast", "dark", page({}, { class: "vscode-high-contrast" })],
  [
    "VS Code, high contrast light",
    "light",
    page({}, { class: "vscode-high-contrast vscode-high-contrast-light" }),
  ],
  ["marimo, dark", "dark", page({ class: "dark" }, {})],
  ["Colab, dark", "dark", page({ theme: "dark" }, {})],
])("%s is seen as %s whatever the system says", (_, theme, document) => {
  expect(themeOf(document, theme === "light")).toBe(theme);
});

test("the system decides where the page says nothing", () => {
  expect(themeOf(page({}, {}), true)).toBe("dark");
  expect(themeOf(page({}, {}), false)).toBe("light");
});
