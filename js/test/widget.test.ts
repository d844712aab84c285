// @vitest-environment jsdom
// The widget as anywidget starts it: its drawing, its texts, and what is left after closing.

import { expect, test, vi } from "vitest";
import messages from "../../tests/fixtures/messages.json";
import { arrived } from "./arrived.ts";
import { press } from "./keys.ts";
import { endings, find, model, observed, open, paced, prepareBrowser } from "./opened_widget.ts";
import { drawn } from "./page.ts";
import { rawEvaluation, rawFrame, WITHOUT_LIMITS_0 } from "./sample.ts";

prepareBrowser();

test("the first drawing shows the frame that came with the model", async () => {
  const [root] = await open();
  expect(root.dataset).toMatchObject({
    ready: "1",
    alpha: "0.05",
    threshold: "0.5",
    source: "kernel",
    theme: "light",
  });
  expect(root.querySelector("h2")?.textContent).toBe("9 test rows");
  expect(root.textContent).toContain("325th of 199+2.43, at least 95");
  expect(root.textContent).toContain("at least 95.2\u00a0%");
  expect(root.textContent).toContain("pointwise");
});

test("the curve can be read back from its path", async () => {
  const [root] = await open();
  const { x0, y0, size } = find(root, "plot").dataset;
  const pixels =
    find(root, "roc")
      .getAttribute("d")
      ?.match(/[\d.]+/g)
      ?.map(Number) ?? [];
  const fractions = pixels.map((value, i) =>
    i % 2 ? (Number(y0) - value) / Number(size) : (value - Number(x0)) / Number(size),
  );
  [0, 0, 0, 0.5, 0.2, 0.5, 0.4, 0.75, 0.6, 1, 1, 1].forEach((value, i) => {
    expect(fractions[i]).toBeCloseTo(value, 5);
  });
});

test("only the chosen bands are drawn", async () => {
  const [root] = await open();
  const isHidden = (name: string) => find(root, `band-${name}`) === null;
  expect([isHidden("sensitivity"), isHidden("specificity")]).toEqual([false, true]);
  const press = async (name: string) => {
    root.querySelector<HTMLInputElement>(`input[value="${name}"]`)?.click();
    await drawn();
  };
  await press("sensitivity");
  expect(model.sent).toEqual([]);
  await press("specificity");
  expect(model.last.band).toBe("both");
  await press("sensitivity");
  await paced();
  expect(model.last.band).toBe("specificity");
  expect([isHidden("sensitivity"), isHidden("specificity")]).toEqual([true, false]);
});

test("an answer that only confirms the drawing is not drawn again", async () => {
  const { data, frame } = arrived(messages["limits everywhere"]) as { data: object; frame: object };
  const [root] = await open({ _data: data, _frame: frame });
  press(find(root, "threshold"), "ArrowRight");
  await drawn();
  const band = root.querySelector(".crw-edge") as Element;
  const label = root.querySelector(".crw-plot .crw-callout-line") as Element;
  const drawings = vi.spyOn(band, "setAttribute");
  const { client, seq, threshold } = model.last;
  model.answer(model.last, { ...frame, client, seq, threshold });
  await drawn();
  expect(root.dataset.source).toBe("kernel");
  expect(drawings).not.toHaveBeenCalled();
  expect(root.querySelector(".crw-plot .crw-callout-line")).toBe(label);
});

test("two views of one model stay in step", async () => {
  const [one, other] = await open({}, 2);
  press(find(one, "alpha"), "End");
  await drawn();
  expect(find(other, "alpha").getAttribute("aria-valuenow")).toBe("0.5");
  expect(model.sent).toHaveLength(1);
  model.answer(model.last);
  await drawn();
  expect([one.dataset.alpha, other.dataset.alpha]).toEqual(["0.5", "0.5"]);
});

test("many frames between two animation frames make one drawing, of the newest", async () => {
  const [root] = await open();
  const curve = find(root, "band-sensitivity");
  const drawings = vi.spyOn(curve, "setAttribute");
  for (let k = 1; k <= 50; k++) model.set("_frame", rawFrame({ alpha: k / 1000, client: "other", seq: k }));
  await drawn();
  expect(root.dataset.alpha).toBe("0.05");
  expect(drawings.mock.calls.length).toBeLessThanOrEqual(1);
});

test("a failure is a sentence without markup, and the next good frame clears it", async () => {
  const [root] = await open();
  const alert = root.querySelector(".crw-alert") as HTMLElement;
  press(find(root, "alpha"), "End");
  model.fail(model.last, "<img src=x onerror=alert(1)> broke");
  await drawn();
  expect(alert.textContent).toBe(
    "The kernel could not compute this band: <img src=x onerror=alert(1)> broke. The picture shows the last answer, α = 0.05.",
  );
  expect(alert.querySelector("img")).toBeNull();
  expect(root.textContent).toContain("Error");
  await paced();
  press(find(root, "alpha"), "Home");
  model.answer(model.last);
  await drawn();
  expect(alert.textContent).toBe("");
});

test("class names are text, whatever they hold", async () => {
  const [root] = await open({ _data: rawEvaluation({ classes: ["<b>no</b>", "yes"] }) });
  expect(root.textContent).toContain("<b>no</b>");
});

test("a label without limits is hatched, explained, and has no arm", async () => {
  const [root] = await open({
    band: "both",
    _data: rawEvaluation({ n_calibration: [12, 199] }),
    _frame: rawFrame(WITHOUT_LIMITS_0),
  });
  expect(find(root, "band-specificity").getAttribute("fill")).toMatch(/^url\(#/);
  for (const side of ["lower", "upper"]) {
    expect(find(root, `missing-0-${side}`).getAttribute("d")).toMatch(/^M/);
    expect(find(root, `missing-1-${side}`)).toBeNull();
  }
  expect([find(root, "arm-0"), find(root, "arm-1") === null]).toEqual([null, false]);
  expect(find(root, "metrics").textContent).toContain("no limits");
});

test("notes are shown, each with its fact in bold", async () => {
  const note = { fact: "This is so, e. g. here:", reason: "it matters.", remedy: "Mind it." };
  const [root] = await open({ _data: rawEvaluation({ notes: [note] }) });
  expect(root.querySelector(".crw-note")?.textContent).toBe("This is so, e. g. here: it matters. Mind it.");
  expect(root.querySelector(".crw-note b")?.textContent).toBe("This is so, e. g. here:");
});

test("where every test point has its own order statistics, the table says so", async () => {
  const [root] = await open({
    _frame: rawFrame({ quantiles: null, ranks: null }),
  });
  expect(root.textContent).toContain("a pair for each test point");
  expect(root.querySelector('[data-testid^="missing-"]')).toBeNull();
});

test("data that cannot be read are a sentence in place of the widget", async () => {
  const [root] = await open({ _data: { version: 99 } });
  expect(root.textContent).toContain("The widget could not read its data:");
  model.set("_data", rawEvaluation());
  await drawn();
  expect(root.dataset.ready).toBe("1");
});

test("a result is announced once it has rested, the first one is not", async () => {
  const [root] = await open();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const announcer = root.querySelector('[aria-live="polite"]') as HTMLElement;
  model.setAtOnce([
    ["alpha", 0.1],
    ["_frame", rawFrame({ alpha: 0.1, client: "other", seq: 1 })],
  ]);
  await drawn();
  vi.advanceTimersByTime(499);
  expect(announcer.textContent).toBe("");
  vi.advanceTimersByTime(1);
  expect(announcer.textContent).toContain("(90\u00a0% sure)");
  const lines = [...root.querySelectorAll(".crw-answer p")].map(({ textContent }) => textContent);
  expect(announcer.textContent).toContain(lines.join(" "));
  expect(announcer.textContent).toContain("No threshold can promise that");
  vi.useRealTimers();
});

test("the theme follows the host's ground", async () => {
  const [root] = await open();
  document.body.style.background = "#111";
  await new Promise((resolve) => setTimeout(resolve));
  expect(root.dataset.theme).toBe("dark");
  document.body.removeAttribute("style");
});

test("views and models that are closed leave nothing behind", async () => {
  await open({}, 3);
  expect(model.listenerCount).toBeGreaterThan(10);
  for (const end of endings.reverse()) end();
  endings.length = 0;
  expect(model.listenerCount).toBe(0);
  expect(observed).toBe(0);
  expect(document.querySelector(".crw")).toBeNull();
});

test("two widgets, each with its own copy of the module, share no id and no radio group", async () => {
  const [one] = await open();
  vi.resetModules();
  const [other] = await open({}, 1, (await import("../src/widget.ts")).default);
  const names = (root: Element) =>
    [...root.querySelectorAll("[id], [name]")].map((e) => e.id || e.getAttribute("name"));
  expect(names(one)).not.toHaveLength(0);
  expect(names(one).filter((name) => names(other).includes(name))).toEqual([]);
  // One question and one band are checked.
  for (const root of [one, other]) expect(root.querySelectorAll("input:checked")).toHaveLength(2);
});

test("without a kernel a change of alpha changes every level that is told", async () => {
  const data = rawEvaluation({ support: null, selectable: true, area: [0.01, 0] });
  const [root] = await open({ _static: true, band: "sampling", _data: data });
  const texts = () =>
    [".crw-summary", ".crw-confidence .crw-value", "[data-testid=metrics]"].map(
      (place) => root.querySelector(place)?.textContent?.replaceAll("\u00a0", " ") ?? "",
    );
  for (const text of texts()) expect(text).toContain("95 %");
  for (const [alpha, percent] of [
    [0.0125, "98.75 %"],
    [0.2, "80 %"],
  ] as const) {
    model.set("alpha", alpha);
    await vi.waitFor(
      () => {
        for (const text of texts()) {
          expect(text).toContain(percent);
          expect(text).not.toMatch(/\b95 %/);
        }
      },
      { timeout: 20_000 },
    );
  }
});

test("a cell of the confusion table asks the kernel for its rows, where there is one that knows them", async () => {
  const [root] = await open({ _data: rawEvaluation({ selectable: true }) });
  root.querySelector<HTMLElement>("[data-testid=select-fp]")?.click();
  expect(model.sent.at(-1)).toEqual({ type: "select", cell: "fp", threshold: 0.5 });
  for (const changes of [{ _static: true, _data: rawEvaluation({ selectable: true }) }, {}]) {
    const [alone] = await open(changes);
    expect(alone.querySelector("[data-testid^=select-]")).toBeNull();
  }
});

test("rows with weights have no reliability: it is not offered, and a state that asks for it shows the curve", async () => {
  for (const weighted of [false, true]) {
    const [root] = await open({
      view: "reliability",
      _data: rawEvaluation({ weighted, ...(weighted ? { reliability: null } : {}) }),
    });
    const option = root.querySelector<HTMLOptionElement>("[data-testid=views] option[value=reliability]");
    expect([option?.hidden, option?.disabled]).toEqual([weighted, weighted]);
    expect(root.querySelector("[data-testid=roc]") !== null).toBe(weighted);
  }
});
