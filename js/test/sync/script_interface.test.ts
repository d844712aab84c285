// @vitest-environment jsdom
import { expect, test } from "vitest";
import { type Mounted, mount, READY } from "../../src/standalone.ts";
import widget from "../../src/widget.ts";
import { MockModel } from "../mock_model.ts";
import { payload, standInForTheBrowser } from "../page.ts";

standInForTheBrowser();

function chart() {
  const place = document.body.appendChild(document.createElement("div")) as Mounted;
  const takeAway = mount(place, payload());
  if (!place.conformalRoc) throw new Error("no exports");
  return { place, takeAway, exports: place.conformalRoc };
}

test("the setting is read and set", () => {
  const { exports } = chart();
  expect(exports.getState()).toEqual({ alpha: 0.05, threshold: 0.42 });
  exports.setAlpha(0.2);
  exports.setThreshold(0.9);
  expect(exports.getState()).toEqual({ alpha: 0.2, threshold: 0.9 });
});

test("a listener hears each change once, until it ends that", () => {
  const { exports } = chart();
  const heard: unknown[] = [];
  const end = exports.onChange((state) => heard.push(state));
  exports.setAlpha(0.1);
  exports.setAlpha(0.1);
  end();
  exports.setAlpha(0.3);
  expect(heard).toEqual([{ alpha: 0.1, threshold: 0.42 }]);
});

test("two charts that follow each other come to rest at one threshold", () => {
  const [one, other] = [chart().exports, chart().exports];
  one.onChange(({ threshold }) => other.setThreshold(threshold));
  other.onChange(({ threshold }) => one.setThreshold(threshold));
  one.setThreshold(0.7);
  expect(other.getState()?.threshold).toBe(0.7);
  other.setThreshold(0.2);
  expect(one.getState()?.threshold).toBe(0.2);
});

test("an element tells the page around it once its chart can be moved, and hands over the exports", () => {
  const heard: unknown[] = [];
  const listen = ({ detail }: CustomEventInit) => heard.push(detail);
  window.addEventListener(READY, listen);
  const { exports } = chart();
  window.removeEventListener(READY, listen);
  expect(heard).toEqual([exports]);
});

test.each([Number.NaN, 0, 0.6, "0.1", null])("an alpha of %s is refused", (alpha) => {
  const { exports } = chart();
  expect(() => exports.setAlpha(alpha as number)).toThrow("alpha: found");
  expect(exports.getState()?.alpha).toBe(0.05);
});

test("a chart that is taken away leaves no exports", () => {
  const { place, takeAway } = chart();
  takeAway();
  expect(place.conformalRoc).toBeUndefined();
});

async function initialized(signal?: AbortSignal) {
  const model = new MockModel({});
  const loaded = typeof widget === "function" ? await widget() : widget;
  // biome-ignore lint/suspicious/noExplicitAny: anywidget's types know no signal yet
  const made = await loaded.initialize?.({ model, signal } as any);
  return { model, made: made as unknown };
}

test("an anywidget that passes a signal gets exports, and the signal cleans up", async () => {
  const ending = new AbortController();
  const { made } = await initialized(ending.signal);
  expect(made).toMatchObject({ getState: expect.any(Function), onChange: expect.any(Function) });
  ending.abort();
});

test("an older anywidget gets a function that cleans up", async () => {
  const { made } = await initialized();
  expect(made).toBeTypeOf("function");
});
