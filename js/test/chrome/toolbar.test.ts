// @vitest-environment jsdom
// The toolbar's buttons, and the files that they write.

import { expect, test, vi } from "vitest";
import { press } from "../keys.ts";
import { find, isSeen, measured, onPlot, open, pointer, prepareBrowser, root } from "../opened_view.ts";
import { drawn } from "../page.ts";
import { rawFrames, rawGroup } from "../sample.ts";

prepareBrowser();

test("Escape closes the list of files and gives the focus back", async () => {
  await open();
  const button = find<HTMLButtonElement>("toolbar-download");
  button.click();
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(document.activeElement).toBe(find("download-svg"));
  press(document.activeElement as Element, "ArrowUp");
  expect(document.activeElement).toBe(find("download-csv"));
  press(document.activeElement as Element, "Escape");
  expect(isSeen(find("download-svg"))).toBe(false);
  expect(document.activeElement).toBe(button);
});

test("a press elsewhere closes the list of files", async () => {
  await open();
  find("toolbar-download").click();
  pointer(find("plot"), "pointerdown", onPlot(0.5, 0.5));
  expect(isSeen(find("download-svg"))).toBe(false);
});

test("what is wanted seldom waits behind one button, in a narrow view all of it", async () => {
  await open();
  expect(["copy", "download", "help"].map((name) => isSeen(find(`toolbar-${name}`)))).toEqual([
    false,
    true,
    true,
  ]);
  find("toolbar-more").click();
  expect(isSeen(find("toolbar-copy"))).toBe(true);
  press(find("toolbar-copy"), "Escape");
  expect(isSeen(find("toolbar-copy"))).toBe(false);
  measured.width = 400;
  await open();
  expect(["copy", "download", "help"].map((name) => isSeen(find(`toolbar-${name}`)))).toEqual([
    false,
    false,
    false,
  ]);
  find("toolbar-more").click();
  expect(["copy", "download", "help"].map((name) => isSeen(find(`toolbar-${name}`)))).toEqual([
    true,
    true,
    true,
  ]);
});

test("a jump from the menu of a narrow view closes that one too and gives its button the focus", async () => {
  measured.width = 400;
  await open();
  find("toolbar-more").click();
  find("jump").click();
  expect([find("toolbar-copy"), document.activeElement as Element].map(isSeen)).toEqual([true, true]);
  expect(document.activeElement?.textContent).toContain("Youden");
  (document.activeElement as HTMLElement).click();
  expect(isSeen(find("toolbar-copy"))).toBe(false);
  expect(["toolbar-more", "jump"].map((name) => find(name).getAttribute("aria-expanded"))).toEqual([
    "false",
    "false",
  ]);
  expect(document.activeElement).toBe(find("toolbar-more"));
});

test("the file that is downloaded holds what is on the screen", async () => {
  await open();
  const blobs: Blob[] = [];
  const names: string[] = [];
  vi.stubGlobal("URL", {
    createObjectURL: (blob: Blob) => blobs.push(blob) && "blob:x",
    revokeObjectURL() {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  find("download-csv").click();
  find("download-svg").click();
  await drawn();
  expect(names).toEqual(["roc-alpha-0.05.csv", "roc-alpha-0.05.svg"]);
  const [csv, svg] = await Promise.all(blobs.map((blob) => textOf(blob)));
  expect(csv).toContain("# alpha=0.05");
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  expect(parsed.querySelector("title")?.textContent).toBe("ROC curve, 95 % limits");
  expect(JSON.parse(parsed.querySelector("metadata")?.textContent ?? "")).toMatchObject({ alpha: 0.05 });
  expect(svg).not.toMatch(/class=|data-testid|aria-|tabindex/);
});

test("hostile names make a valid SVG", async () => {
  const hostile = "</svg><script>alert(1)</script>\u0000\u2028&\"'";
  await open({ _data: rawGroup(hostile, "b"), _frame: rawFrames(2), label: hostile });
  const blobs: Blob[] = [];
  vi.stubGlobal("URL", {
    createObjectURL: (blob: Blob) => blobs.push(blob) && "blob:x",
    revokeObjectURL() {},
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  find("download-svg").click();
  await drawn();
  const parsed = new DOMParser().parseFromString(await textOf(blobs[0]), "image/svg+xml");
  expect(parsed.querySelector("parsererror, script")).toBeNull();
  expect(parsed.querySelector("title")?.textContent).toContain("</svg><script>");
});

function textOf(blob: Blob): Promise<string> {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsText(blob);
  });
}

test("the line of Python is copied and, where the page may not, shown to be copied by hand", async () => {
  await open();
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => copied.push(text) } });
  find("toolbar-more").click();
  find("toolbar-copy").click();
  await drawn();
  expect(copied).toEqual([
    "from conformal_roc_widget import ROCWidget; " +
      'ROCWidget(evaluation, alpha=0.05, threshold=0.5, band="sensitivity")  # with your own evaluation',
  ]);
  expect(find("toolbar-copy").textContent).toBe("Copied");
  vi.stubGlobal("navigator", {});
  find("toolbar-copy").click();
  await drawn();
  const field = root.querySelector(".crw-code") as HTMLInputElement;
  expect(isSeen(field)).toBe(true);
  expect(field.value).toBe(copied[0]);
  expect(document.activeElement).toBe(field);
  press(field, "Escape");
  expect(isSeen(field)).toBe(false);
  expect(document.activeElement).toBe(find("toolbar-copy"));
});

test("without a screen to fill, the whole page is filled, until Escape", async () => {
  await open();
  find("toolbar-fullscreen").click();
  await drawn();
  await drawn();
  expect(root.classList.contains("crw-overlay")).toBe(true);
  expect(find("toolbar-fullscreen").textContent).toBe("Leave full screen");
  press(root, "Escape");
  await drawn();
  expect(root.classList.contains("crw-overlay")).toBe(false);
});

test("where the document may not fill the screen, full screen is greyed and says why", async () => {
  Object.defineProperty(document, "fullscreenEnabled", { value: false, configurable: true });
  await open();
  const button = find("toolbar-fullscreen");
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(button.title).toBe("The page around this frame allows no full screen");
  button.click();
  await drawn();
  expect(root.classList.contains("crw-overlay")).toBe(false);
  Reflect.deleteProperty(document, "fullscreenEnabled");
});

test("reset goes back to how the page was opened", async () => {
  await open();
  press(find("threshold"), "End");
  await drawn();
  expect(find("toolbar-reset").title).toBe("Reset");
  find("toolbar-reset").click();
  await drawn();
  expect(find("threshold").getAttribute("aria-valuenow")).toBe("0.5");
  expect(find("toolbar-reset").title).toBe("Reset, undo");
  find("toolbar-reset").click();
  await drawn();
  expect(find("threshold").getAttribute("aria-valuenow")).toBe("1");
  expect(find("toolbar-reset").title).toBe("Reset");
});

test("Ctrl and Z on a control take back one setting after the other", async () => {
  await open();
  const thumb = find("threshold");
  const values = () => ["threshold", "alpha"].map((name) => find(name).getAttribute("aria-valuenow"));
  press(thumb, "End");
  await drawn();
  press(find("alpha"), "PageUp");
  await drawn();
  expect(values()).toEqual(["1", "0.1"]);
  for (const before of [
    ["1", "0.05"],
    ["0.5", "0.05"],
    ["0.5", "0.05"],
  ]) {
    press(thumb, "z", { ctrlKey: true });
    await drawn();
    expect(values()).toEqual(before);
  }
});
