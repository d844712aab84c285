// @vitest-environment jsdom

import { expect, test, vi } from "vitest";
import packed from "../../tests/fixtures/packed.json";
import standalone, { mount, mountAll } from "../src/standalone.ts";
import { unpacked } from "../src/sync/saved_model.ts";
import { VERSION } from "../src/wire/readers.ts";
import { drawn, payload, STATE, standInForTheBrowser } from "./page.ts";

standInForTheBrowser();

const bytesIn = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer, byteOffset, byteLength);

const widgets = (root: ParentNode = document) => [
  ...root.querySelectorAll<HTMLElement>('[data-testid="crw"]'),
];

function script(content: string, attributes: Record<string, string> = {}): HTMLScriptElement {
  const element = document.createElement("script");
  element.type = "application/json";
  element.dataset.conformalRoc = "";
  Object.assign(element.dataset, attributes);
  element.textContent = content;
  document.body.append(element);
  return element;
}

test("each payload of a page becomes a widget right after it, or in the element it names, once", async () => {
  const [first, second] = [script(JSON.stringify(payload())), script(JSON.stringify(payload()))];
  const place = document.body.appendChild(document.createElement("section"));
  place.id = "elsewhere";
  script(JSON.stringify(payload()), { target: "elsewhere" });
  mountAll();
  mountAll();
  await drawn();
  expect(widgets()).toHaveLength(3);
  expect(widgets(first.nextElementSibling as Element)).toHaveLength(1);
  expect(widgets(second.nextElementSibling as Element)).toHaveLength(1);
  expect(widgets(place)).toHaveLength(1);
  expect(widgets(place)[0].dataset).toMatchObject({ source: "static", alpha: "0.05", threshold: "0.42" });
});

test("a packed payload is what Python packed, byte for byte; a cut or changed one is none", async () => {
  const { plain, letters } = packed;
  const bytes = (value: unknown) =>
    JSON.stringify(value, (_, item) =>
      item instanceof DataView ? { base64: btoa(String.fromCharCode(...bytesIn(item))) } : item,
    );
  expect(bytes(await unpacked(letters))).toBe(JSON.stringify(plain));
  for (const damaged of ["", "null", letters.slice(0, 80), `${letters.slice(0, 40)}ab${letters.slice(42)}`]) {
    expect(await unpacked(damaged)).toBeNull();
  }
  const element = script(letters.slice(0, 100));
  element.type = "text/plain";
  mountAll();
  await vi.waitFor(() => expect(widgets()).toHaveLength(1));
  expect(widgets()[0].textContent).toContain("the file was cut short or changed");
});

test("a script that is no payload is left alone", () => {
  script(JSON.stringify(payload())).type = "text/html";
  mountAll();
  expect(widgets()).toHaveLength(0);
});

test("two widgets on a page do not meddle", async () => {
  const [one, other] = [0, 1].map(() => document.body.appendChild(document.createElement("div")));
  mount(one, payload());
  mount(other, payload());
  await drawn();
  const slider = one.querySelector<HTMLElement>(
    '[data-testid="alpha"] [role="slider"], [data-testid="alpha"]',
  );
  slider?.dispatchEvent(new KeyboardEvent("keydown", { key: "Home", bubbles: true }));
  await drawn();
  expect(widgets(one)[0].dataset.alpha).toBe("0.001");
  expect(widgets(other)[0].dataset.alpha).toBe("0.05");
});

test("a widget that is taken away leaves nothing", async () => {
  const place = document.body.appendChild(document.createElement("div"));
  const takeAway = mount(place, payload());
  await drawn();
  takeAway();
  expect(place.childElementCount).toBe(0);
});

test.each([
  ["text that is no JSON", "{"],
  ["another thing", "[]"],
  ["no state", JSON.stringify(payload({ state: null }))],
  ["bytes that are not base64", JSON.stringify(payload({ data: { base64: "%" } }))],
  ["no data", JSON.stringify(payload({ data: null }))],
  ["a truncated frame", JSON.stringify(payload({ frame: { version: VERSION } }))],
  ["nesting without end", `${'{"state":{},"data":'}${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ["a state that means nothing", JSON.stringify(payload({ state: { ...STATE, alpha: "<img onerror>" } }))],
])("%s is a sentence, and the others on the page work", async (_, content) => {
  script(content);
  script(JSON.stringify(payload()));
  mountAll();
  await drawn();
  const [broken, whole] = widgets();
  expect(broken.textContent).toMatch(/could not read .*[^.]\.$/);
  expect(broken.querySelector("img")).toBeNull();
  expect(whole.dataset.ready).toBe("1");
});

test("a file that was cut short says so, without the details", () => {
  script(JSON.stringify(payload()).slice(0, 3000));
  mountAll();
  expect(widgets()[0].textContent).toBe(
    "The page could not read the data of this chart: the file was cut short or changed.",
  );
});

test("a file tells what it is of, if its maker has said so, and what made it", async () => {
  script(JSON.stringify(payload({ title: "Breast <cancer>" })));
  script(JSON.stringify(payload()));
  mountAll();
  await drawn();
  const [titled, plain] = widgets();
  const words = (root: HTMLElement, name: string) => root.querySelector(name)?.textContent;
  expect(words(titled, "h2")).toBe(`Breast <cancer>${words(plain, "h2")}`);
  expect(words(plain, ".crw-static")).toMatch(
    /^This page works on its own, .*\. Made with conformal_roc_widget\.$/,
  );
});

test("a host of anywidgets renders the module with a model that holds a payload, and takes it away", async () => {
  const held: Record<string, unknown> = payload();
  const el = document.createElement("div");
  document.body.append(el);
  const takeAway = standalone.render({ model: { get: (name) => held[name] }, el });
  await drawn();
  expect(widgets(el)[0].dataset.source).toBe("static");
  takeAway();
  expect(widgets(el)).toEqual([]);
});

test("a model that holds no chart gives a sentence", async () => {
  const el = document.createElement("div");
  standalone.render({ model: { get: () => undefined }, el });
  await drawn();
  expect(el.textContent).toContain("could not read");
});
