// @vitest-environment jsdom
// Dragging sliders and points, and moving them by keys.

import { expect, test, vi } from "vitest";
import { press } from "./keys.ts";
import { endings, find, model, open, paced, pointer, prepareBrowser, TRACK } from "./opened_widget.ts";
import { drawn } from "./page.ts";
import { rawFrame } from "./sample.ts";

prepareBrowser();

test("pressing on the alpha track moves the thumb there, and dragging goes on from it", async () => {
  const [root] = await open();
  const track = find(root, "alpha-track");
  pointer(track, "pointerdown", 100 + 344 * 0.7412);
  await drawn();
  expect(model.last.alpha).toBe(0.1);
  expect(root.dataset).toMatchObject({ source: "preview", alpha: "0.1" });
  expect(find(root, "alpha").getAttribute("aria-valuetext")).toBe("90 % confidence, α 0.10");
  await paced();
  pointer(track, "pointermove", 100 + 344);
  pointer(track, "pointerup", 100 + 344);
  expect(model.last.alpha).toBe(0.5);
  pointer(track, "pointermove", 100);
  expect(model.last.alpha).toBe(0.5);
  model.answer(model.last);
  await drawn();
  expect(root.dataset).toMatchObject({ source: "kernel", alpha: "0.5" });
});

test("a drag has at most two requests under way and ends with its last value", async () => {
  const [root] = await open();
  const track = find(root, "threshold-track");
  // The clock is fixed, so that the test does not depend on the speed of the machine.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  pointer(track, "pointerdown", 100);
  for (const x of [200, 300, 400, 444]) pointer(track, "pointermove", x);
  pointer(track, "pointerup", 444);
  expect(model.sent).toHaveLength(1);
  clock.mockRestore();
  await paced();
  expect(model.sent).toHaveLength(2);
  model.answer(model.last);
  expect(model.last.threshold).toBe(1);
});

test("in every frame of a drag sentence, slider and numbers are of one threshold; the table follows at its own pace", async () => {
  const [root] = await open();
  const track = find(root, "threshold-track");
  const said = () =>
    [".crw-summary", ".crw-threshold .crw-value"].map(
      (name) => /[\d.]+/.exec(root.querySelector(name)?.textContent ?? "")?.[0],
    );
  const rates = root.querySelector("[data-testid=metrics]");
  pointer(track, "pointerdown", 444);
  await drawn();
  expect(root.dataset.threshold).toBe("1");
  expect(said()).toEqual(["1.00", "1.00"]);
  expect(rates?.textContent).toContain("sensitivity 0");
  expect(root.dataset).toHaveProperty("wordsFollow");
  await vi.waitFor(() => expect(root.dataset).not.toHaveProperty("wordsFollow"));
  pointer(track, "pointermove", 100);
  pointer(track, "pointerup", 100);
  await drawn();
  expect(said()).toEqual(["0.00", "0.00"]);
  expect(rates?.textContent).toContain("sensitivity 100");
});

test("a move that the browser tells of before its frame is drawn at once, and its frame has nothing left to draw", async () => {
  const [root] = await open();
  const track = find(root, "threshold-track");
  pointer(track, "pointerdown", 100);
  await drawn();
  pointer(track, "pointerrawupdate", 100 + 344 / 2);
  expect(root.dataset.threshold).toBe("0.5");
  const frames = vi.spyOn(window, "requestAnimationFrame");
  pointer(track, "pointermove", 100 + 344 / 2);
  expect(frames).not.toHaveBeenCalled();
  // If several moves come in one frame, the first is drawn at once and the last in the next frame.
  for (const x of [444, 100, 200]) pointer(track, "pointerrawupdate", x);
  expect(root.dataset.threshold).toBe("1");
  pointer(track, "pointermove", 100);
  expect(root.dataset.threshold).toBe("1");
  await drawn();
  expect(root.dataset.threshold).toBe("0");
  frames.mockRestore();
});

test("a hand that moves several times a frame is followed once a frame, until it slows down", async () => {
  const [root] = await open();
  const track = find(root, "threshold-track");
  const frame = async (...places: number[]) => {
    for (const x of places) pointer(track, "pointerrawupdate", x);
    const { threshold } = root.dataset;
    pointer(track, "pointermove", places[places.length - 1]);
    await drawn();
    return [threshold, root.dataset.threshold];
  };
  pointer(track, "pointerdown", 100);
  await drawn();
  expect(await frame(444, 444, 100 + 344 / 2)).toEqual(["1", "0.5"]);
  expect(await frame(100, 444)).toEqual(["0.5", "1"]);
  expect(await frame(100)).toEqual(["1", "0"]);
  expect(await frame(444)).toEqual(["1", "1"]);
});

test("an answer to a drag is drawn before the next frame, and none of a view that has gone", async () => {
  const [first, second] = await open({}, 2);
  const track = find(first, "threshold-track");
  pointer(track, "pointerdown", 100 + 344 / 4);
  await drawn();
  expect([first.dataset.source, second.dataset.source]).toEqual(["preview", "preview"]);
  const frames = vi.spyOn(window, "requestAnimationFrame").mockReturnValue(1);
  model.answer(model.last);
  await new Promise((over) => setTimeout(over, 10));
  expect([first.dataset.source, second.dataset.source]).toEqual(["kernel", "preview"]);
  pointer(track, "pointermove", 100);
  endings[1]();
  await new Promise((over) => setTimeout(over, 10));
  expect(first.dataset.threshold).toBe("0.25");
  frames.mockRestore();
});

test("keys move a slider and go no further", async () => {
  const [root] = await open();
  const heard = vi.fn();
  document.body.addEventListener("keydown", heard);
  const thumb = find(root, "threshold");
  const event = press(thumb, "ArrowRight");
  expect(event.defaultPrevented).toBe(true);
  expect(heard).not.toHaveBeenCalled();
  press(thumb, "Tab");
  expect(heard).toHaveBeenCalledOnce();
  document.body.removeEventListener("keydown", heard);
  expect(model.last.threshold).toBe(0.51);
  await drawn();
  for (const [key, value] of [
    ["PageDown", 0.5],
    ["End", 1],
    ["Home", 0],
  ] as const) {
    press(thumb, key);
    await drawn();
    expect(thumb.getAttribute("aria-valuenow")).toBe(String(value));
  }
});

const HASTE: [string, string[]][] = [
  ["threshold", ["ArrowRight", "ArrowRight", "ArrowRight", "PageUp"]],
  ["alpha", ["ArrowRight", "ArrowRight", "PageUp"]],
  ["operating-point", ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"]],
  ["residual-handle-1-upper", ["ArrowLeft", "ArrowLeft", "ArrowLeft"]],
];

test.each(HASTE)("keys on %s that come between two drawings count each", async (name, keys) => {
  const settingAfter = async (pressed: string[], isSlow: boolean) => {
    const [root] = await open();
    for (const key of pressed) {
      press(find(root, name), key);
      if (isSlow) await drawn();
    }
    await drawn();
    return ["alpha", "threshold"].map((each) => find(root, each).getAttribute("aria-valuenow"));
  };
  const slowly = await settingAfter(keys, true);
  expect(await settingAfter(keys, false)).toEqual(slowly);
  expect(await settingAfter(keys.slice(0, 1), true)).not.toEqual(slowly);
});

test("the operating point follows the pointer along the curve", async () => {
  const [root] = await open();
  const { x0, y0, size } = find(root, "plot").dataset;
  const point = find(root, "operating-point");
  const at = (fpr: number, tpr: number) =>
    [TRACK.left + Number(x0) + fpr * Number(size), TRACK.top + Number(y0) - tpr * Number(size)] as const;
  pointer(point, "pointerdown", ...at(0.21, 0.45));
  await drawn();
  expect(model.last.threshold).toBe(0.7);
  expect(point.getAttribute("aria-valuetext")).toContain("threshold 0.70; true positive rate 0.50");
  await paced();
  pointer(point, "pointermove", ...at(-1, -1));
  pointer(point, "pointerup", ...at(-1, -1));
  expect(model.last.threshold).toBe(1);
});

test("arrow keys take the operating point from vertex to vertex", async () => {
  const [root] = await open();
  const point = find(root, "operating-point");
  press(point, "ArrowRight");
  await paced();
  press(point, "ArrowRight");
  expect(model.sent.map(({ threshold }) => threshold)).toEqual([0.3, 0.1]);
});

test("a view closed in the middle of a drag lets go of the control", async () => {
  const [root] = await open({}, 2);
  pointer(find(root, "alpha-track"), "pointerdown", 444);
  model.answer(model.last);
  endings.splice(1, 1)[0]();
  model.setAtOnce([
    ["alpha", 0.2],
    ["_frame", rawFrame({ alpha: 0.2, client: "other", seq: 9 })],
  ]);
  await drawn();
  expect(find(document.body, "alpha").getAttribute("aria-valuenow")).toBe("0.2");
});
