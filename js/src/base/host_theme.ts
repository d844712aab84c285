// Theme of the host, light or dark.

import { listen } from "./dom.ts";

export type Theme = "light" | "dark";

const ATTRIBUTES = ["class", "data-jp-theme-light", "data-theme", "theme", "data-vscode-theme-kind"];

/** The theme of the notebook around us: each host says it in its own way, and the system decides where none does. */
export function themeOf({ body, documentElement }: Document, systemIsDark: boolean): Theme {
  const jupyterIsLight = body.getAttribute("data-jp-theme-light");
  if (jupyterIsLight !== null) return jupyterIsLight === "true" ? "light" : "dark";
  if (body.matches(".vscode-dark, .vscode-high-contrast:not(.vscode-high-contrast-light)")) return "dark";
  if (body.matches(".vscode-light, .vscode-high-contrast-light")) return "light";
  for (const element of [documentElement, body]) {
    if (element.matches(".dark, .dark-theme, [theme=dark], [data-theme=dark]")) return "dark";
    if (element.matches(".light, .light-theme, [theme=light], [data-theme=light]")) return "light";
  }
  return systemIsDark ? "dark" : "light";
}

/** Keeps `data-theme` of the root in step with the notebook until the signal aborts. */
export function followTheme(root: HTMLElement, signal: AbortSignal) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const update = () => root.setAttribute("data-theme", themeOf(document, system.matches));
  const observer = new MutationObserver(update);
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true, attributeFilter: ATTRIBUTES });
  }
  listen(system, "change", signal, update);
  signal.addEventListener("abort", () => observer.disconnect());
  update();
}
