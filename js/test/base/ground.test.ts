// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import themes from "../../../conformal_roc_widget/shown/theme.json";
import { colourFrom, laidOver, luminance, NONE } from "../../src/base/colour.ts";
import { DARK_TO, followGround, LIGHT_FROM, lookOn } from "../../src/base/ground.ts";

const grey = (value: number) => [value, value, value, 1] as const;

/** Puts the root into a host page with this HTML, at the root's place in it. */
function hosted(html: string) {
  document.body.innerHTML = html;
  const root = document.createElement("div");
  (document.querySelector("#place") ?? document.body).append(root);
  const ending = new AbortController();
  followGround(root, ending.signal);
  return { root, end: () => ending.abort() };
}

function query(media: string) {
  return Object.assign(new EventTarget(), { matches: media === "print" && isPaper });
}

let isPaper = false;
vi.stubGlobal("matchMedia", query);

afterEach(() => {
  isPaper = false;
  document.body.removeAttribute("style");
  vi.useRealTimers();
});

test.each([
  ["rgb(1, 2, 3)", [1, 2, 3, 1]],
  ["rgba(1, 2, 3, 0.5)", [1, 2, 3, 0.5]],
  ["color(srgb 1 0.2 0 / 0.25)", [255, 51, 0, 0.25]],
  ["color(srgb 1e-1 0 0)", [25.5, 0, 0, 1]],
  ["oklch(0.5 0.1 20)", null],
  ["", null],
])("%s is read", (text, colour) => {
  expect(colourFrom(text)).toEqual(colour);
});

test("half of white over black is grey", () => {
  const seen = [[255, 255, 255, 0.5] as const, grey(0)].reduce(laidOver, NONE);
  expect(seen).toEqual(grey(127.5));
});

test.each([
  ["#fff", 0, "light"],
  ["#f4f4f4", 244, "light"],
  ["#111", 17, "dark"],
  ["#222", 34, "dark"],
])("on %s letters are read as they are", (_, value, theme) => {
  const ground = value || 255;
  expect(lookOn(grey(ground))).toEqual({ theme, ground: `rgb(${ground}, ${ground}, ${ground})` });
});

test.each([
  [100, "dark"],
  [130, "light"],
  [200, "light"],
])("a grey of %i gets a ground of our own", (value, theme) => {
  expect(lookOn(grey(value))).toEqual({ theme, ground: null });
});

test("so does a picture, whose colour nobody tells", () => {
  expect(lookOn(grey(17), false)).toEqual({ theme: "dark", ground: null });
});

test("every text has a contrast of 4.5 on the ends of both ranges", () => {
  const hex = (text: string) =>
    luminance([...[1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)), 1] as never);
  for (const [name, ground] of [
    ["light", LIGHT_FROM],
    ["dark", DARK_TO],
  ] as const) {
    const { ink, muted, warn, label_texts, comparators } = themes[name];
    for (const colour of [ink, muted, warn, ...label_texts, ...Object.values(comparators)]) {
      const [low, high] = [hex(colour), ground].sort((a, b) => a - b);
      expect((high + 0.05) / (low + 0.05), `${colour} on ${ground}`).toBeGreaterThan(4.5);
    }
  }
});

test("the nearest opaque background decides, whatever the host calls its theme", () => {
  const dark = '<main style="background: #111"><div id="place"></div></main>';
  document.body.style.background = "white";
  expect(hosted(dark).root.dataset.theme).toBe("dark");
  document.body.className = "dark";
  const { root } = hosted('<main style="background: #fff"><div id="place"></div></main>');
  document.body.className = "";
  expect(root.dataset.theme).toBe("light");
  expect(root.style.getPropertyValue("--crw-ground")).toBe("rgb(255, 255, 255)");
});

test("a page that says nothing is white, whatever the system is set to", () => {
  expect(hosted("").root.dataset.theme).toBe("light");
});

test("it follows the host, at once where an attribute changes, and soon where nothing tells", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { root, end } = hosted('<style></style><main style="background: #111"><div id="place"></div></main>');
  (document.querySelector("main") as HTMLElement).style.background = "#fff";
  await Promise.resolve();
  expect(root.dataset.theme).toBe("light");
  (document.querySelector("main") as HTMLElement).removeAttribute("style");
  (document.querySelector("style") as HTMLElement).textContent = "main { background: #222 }";
  vi.advanceTimersByTime(1000);
  expect(root.dataset.theme).toBe("dark");
  end();
  (document.querySelector("style") as HTMLElement).textContent = "";
  vi.advanceTimersByTime(1000);
  expect(root.dataset.theme).toBe("dark");
});

test("paper is white", () => {
  const dark = '<main style="background: #111"><div id="place"></div></main>';
  const { root } = hosted(dark);
  window.dispatchEvent(new Event("beforeprint"));
  expect(root.dataset.theme).toBe("light");
  window.dispatchEvent(new Event("afterprint"));
  expect(root.dataset.theme).toBe("dark");
  isPaper = true;
  expect(hosted(dark).root.dataset.theme).toBe("light");
});
