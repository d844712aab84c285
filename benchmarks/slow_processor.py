"""A saved page on a processor slowed four times: its first drawn curve, and steps of the sliders.

Chromium slows its main thread. A step is a real press of an arrow key: from the moment at which the
browser got it to the end of rendering of the frame that it changes. A press that begins a session
is cold, and counts like the others. Busy cores slow the page further, so the load is printed.
"""

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from scipy.special import expit
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from table import Row, report, within

from conformal_roc_widget import ROCWidget

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/browser"))

from chromium import CHROMIUM_FLAGS, find, help_text

SLOWER, ROUNDS, STEPS = 4, 3, 15
#: Milliseconds at most.
FIRST_CURVE, STEP = 1500, 40
CHART = "[data-testid=crw][data-ready]"
#: Notes when the chart is first rendered, and how long each key takes until it is. A task of the
#: highest priority that is asked for in a frame runs after its style, layout and paint.
NOTES = """
const whenRendered = (note) =>
  requestAnimationFrame(() => scheduler.postTask(note, { priority: "user-blocking" }));
window.steps = [];
const look = () => {
  if (!document.querySelector("%s")) return requestAnimationFrame(look);
  scheduler.postTask(() => { window.first = performance.now(); }, { priority: "user-blocking" });
};
requestAnimationFrame(look);
window.addEventListener("keydown", ({ timeStamp }) =>
  whenRendered(() => window.steps.push(performance.now() - timeStamp)), true);
"""
#: Resolves when the page has been idle for a moment after a frame.
IDLE = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))"


def quickstart() -> ROCWidget:
    """The widget of the quickstart."""
    tumours = load_breast_cancer(as_frame=True)
    X = tumours.data[["mean radius", "mean texture"]]
    y = tumours.target_names[tumours.target]
    X, X_test, y, y_test = train_test_split(X, y, test_size=200, random_state=0)
    classifier = LogisticRegression(max_iter=1000).fit(X, y)
    return ROCWidget.from_estimator(classifier, X_test, y_test, noun="tumours")


def four_arrays(n: int = 1_000) -> ROCWidget:
    """A widget of the labels and scores of `n` calibration and `n` test rows."""
    rng, y = np.random.default_rng(0), np.resize([0, 1], n)
    calibration, test = (expit(1.2 * (2 * y - 1) + 1.5 * rng.normal(size=n)) for _ in range(2))
    return ROCWidget.from_predictions(y, calibration, y, test)


def steps_of(page: Page, slider: str) -> list[float]:
    """Milliseconds of steps of a slider."""
    page.locator(f'[data-testid="{slider}"]').focus()
    page.evaluate("window.steps = []")
    for i in range(STEPS):
        page.keyboard.press("ArrowLeft" if i % 3 == 2 else "ArrowRight")
        page.evaluate(IDLE)
    found: list[float] = page.evaluate("window.steps")
    return found


def measured(browser: Browser, file: Path) -> dict[str, list[float]]:
    """Milliseconds of one visit of a page."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.add_init_script(NOTES % CHART)
        settings = {"rate": SLOWER}
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", settings)
        page.goto(file.as_uri())
        page.locator(CHART).wait_for()
        time.sleep(2)
        found = {"first curve": [page.evaluate("window.first")]}
        return found | {f"step of {name}": steps_of(page, name) for name in ("alpha", "threshold")}


def main() -> int:
    browser_path = find()
    if browser_path is None:
        sys.exit(help_text())
    pages = {"quickstart": quickstart(), "four arrays": four_arrays()}
    found: dict[str, list[float]] = {}
    with (
        TemporaryDirectory(prefix="crw-") as folder,
        sync_playwright() as p,
        p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS) as browser,
    ):
        for _ in range(ROUNDS):
            for name, widget in pages.items():
                file = widget.save(Path(folder) / f"{name}.html")
                for what, times in measured(browser, Path(file)).items():
                    found.setdefault(f"{what}, {name}", []).extend(times)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    rows: list[Row] = []
    for what, times in found.items():
        limit = FIRST_CURVE if what.startswith("first") else STEP
        rows.append(within(f"slowed four times: {what}", times, limit, "ms"))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main())
