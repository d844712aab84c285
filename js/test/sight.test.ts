// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Mounted, mount } from "../src/standalone.ts";
import { FakeIntersectionObserver } from "./observers.ts";
import { drawn, payload, standInForTheBrowser } from "./page.ts";

standInForTheBrowser();
beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", FakeIntersectionObserver);
});

// If nothing stops it, the table would be filled after the test's page is gone.
let takeAway = () => {};
afterEach(() => takeAway());

/** A chart that was drawn once and is out of view now. */
async function outOfSight() {
  const place = document.body.appendChild(document.createElement("div")) as Mounted;
  takeAway = mount(place, payload());
  await drawn();
  const root = place.querySelector<HTMLElement>(".crw");
  if (!place.conformalRoc || !root) throw new Error("no chart");
  FakeIntersectionObserver.show(root, false);
  return { root, chart: place.conformalRoc };
}

function watch(root: Element) {
  const drawings = vi.fn();
  new MutationObserver(drawings).observe(root, { attributes: true, childList: true, subtree: true });
  return drawings;
}

test("a view out of sight is not drawn while anything moves, and says what is drawn", async () => {
  const { root, chart } = await outOfSight();
  const drawings = watch(root);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const alpha of [0.1, 0.2, 0.3]) {
    chart.setAlpha(alpha);
    await drawn();
    vi.advanceTimersByTime(499);
  }
  await drawn();
  expect(drawings).not.toHaveBeenCalled();
  expect(root.dataset.alpha).toBe("0.05");
  expect(chart.getState()?.alpha).toBe(0.3);
  vi.useRealTimers();
});

test("once it has rested one drawing makes it true", async () => {
  const { root, chart } = await outOfSight();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const alpha of [0.1, 0.2]) {
    chart.setAlpha(alpha);
    await drawn();
  }
  vi.advanceTimersByTime(500);
  expect(root.dataset.alpha).toBe("0.2");
  vi.useRealTimers();
  const frames = vi.spyOn(window, "requestAnimationFrame");
  FakeIntersectionObserver.show(root, true);
  expect(frames).not.toHaveBeenCalled();
});

test("once in sight it is drawn as it stands", async () => {
  const { root, chart } = await outOfSight();
  for (const alpha of [0.1, 0.3, 0.2]) chart.setAlpha(alpha);
  await drawn();
  FakeIntersectionObserver.show(root, true);
  await drawn();
  expect(root.dataset.alpha).toBe("0.2");
  chart.setAlpha(0.4);
  await drawn();
  expect(root.dataset.alpha).toBe("0.4");
});

test("where nothing has changed, coming into sight draws nothing", async () => {
  const { root } = await outOfSight();
  const frames = vi.spyOn(window, "requestAnimationFrame");
  FakeIntersectionObserver.show(root, true);
  expect(frames).not.toHaveBeenCalled();
});

test("of several crossings told at once the last one counts", async () => {
  const { root, chart } = await outOfSight();
  const drawings = watch(root);
  FakeIntersectionObserver.show(root, true, false);
  chart.setAlpha(0.2);
  await drawn();
  expect(drawings).not.toHaveBeenCalled();
});

test("keys pressed out of sight are drawn, for a screen reader reads the slider", async () => {
  const { root, chart } = await outOfSight();
  const thumb = root.querySelector<HTMLElement>('[data-testid="alpha"]');
  thumb?.focus();
  chart.setAlpha(0.2);
  await drawn();
  expect(thumb?.getAttribute("aria-valuenow")).toBe("0.2");
});

test("on paper it stands as it was set", async () => {
  const { root, chart } = await outOfSight();
  chart.setAlpha(0.2);
  await drawn();
  window.dispatchEvent(new Event("beforeprint"));
  expect(root.dataset.alpha).toBe("0.2");
});

test("a change of size is drawn, so that what lies below has its place", async () => {
  const { root, chart } = await outOfSight();
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(640);
  chart.setAlpha(0.2);
  window.dispatchEvent(new Event("resize"));
  await drawn();
  expect(root.dataset).toMatchObject({ width: "medium", alpha: "0.2" });
  vi.restoreAllMocks();
});

test("a view that is taken away is watched no longer", async () => {
  const { root } = await outOfSight();
  expect(FakeIntersectionObserver.observing.has(root)).toBe(true);
  takeAway();
  expect(FakeIntersectionObserver.observing.has(root)).toBe(false);
});
