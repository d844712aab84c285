"""Ten live widgets and ten framed pages in a notebook of 200 cells, in a real JupyterLab.

The notebook is run first. Then the benchmark measures the seconds from scrolling to a cell until
its first drawing, the memory of the page with and without the charts, and the longest frames while
the whole notebook is scrolled. The memory is that of the scripts of the notebook's page. Framed
pages have processes of their own.
"""

import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright
from table import report, within

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests/browser"))

from chromium import CHROMIUM_FLAGS, find, help_text  # noqa: E402
from lab import WIDGET, Lab, collect_garbage, used_heap  # noqa: E402
from lab_server import Server  # noqa: E402

CELLS = 200
CHARTS = 10
SETUP = """
import numpy as np
from scipy.special import expit
from conformal_roc_widget import ROCWidget

def scored(seed, n):
    y = np.resize([0, 1], n)
    return y, expit(1.2 * (2 * y - 1) + 1.5 * np.random.default_rng(seed).normal(size=n))

def widget(seed):
    return ROCWidget.from_predictions(*scored(seed, 400), *scored(seed + 100, 1000))
"""
FRAME = "iframe[title='ROC curve with conformal bands']"
SCROLL = """async () => {
    const view = document.querySelector(".jp-WindowedPanel-outer");
    const frames = [];
    let last = performance.now();
    for (let top = 0; top < view.scrollHeight; top += 60) {
        view.scrollTop = top;
        await new Promise(requestAnimationFrame);
        frames.push(performance.now() - last);
        last = performance.now();
    }
    return frames.sort((a, b) => a - b);
}"""
DRAWN_LIMIT = 1.5  # seconds
MEMORY_LIMIT = 60  # megabytes


def notebook(live: int, framed: int) -> list[str]:
    """Cells of the notebook. The charts are evenly spaced among cells that print a line."""
    cells = [f"print({number})" for number in range(CELLS)]
    cells[0] = SETUP
    for number in range(live):
        cells[10 + 18 * number] = f"widget({number})"
    for number in range(framed):
        cells[19 + 18 * number] = f"widget({number}).as_html()"
    return cells


def scrolled_to(lab: Lab, index: int) -> None:
    lab._js("panel.content.scrollToItem(arg, 'start')", index)


def measure(
    lab: Lab, live: int, framed: int
) -> tuple[list[float], list[float], float, list[float]]:
    """Measures one notebook.

    Returns seconds to each live and each framed drawing, megabytes, and milliseconds of the frames.
    """
    lab.open(notebook(live, framed))
    lab.run_all()
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(live):
        start = time.perf_counter()
        scrolled_to(lab, 10 + 18 * number)
        lab.page.locator(WIDGET).nth(number).wait_for()
        times[0].append(time.perf_counter() - start)
    for number in range(framed):
        start = time.perf_counter()
        scrolled_to(lab, 19 + 18 * number)
        lab.page.frame_locator(FRAME).nth(number).locator(WIDGET).wait_for()
        times[1].append(time.perf_counter() - start)
    frames = lab.page.evaluate(SCROLL)
    devtools = lab.page.context.new_cdp_session(lab.page)
    collect_garbage(devtools)
    return *times, used_heap(devtools), frames


def main() -> int:
    browser_path = find()
    if browser_path is None:
        sys.exit(help_text())
    with (
        TemporaryDirectory(prefix="crw-") as folder,
        Server(Path(folder)) as server,
        sync_playwright() as p,
        p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS) as browser,
    ):
        results = []
        for live, framed in ((0, 0), (CHARTS, CHARTS)):
            with Lab(server, browser, apart=True) as lab:
                results.append(measure(lab, live, framed))
    (_, _, empty, plain), (live_times, framed_times, full, frames) = results
    print(
        f"frames while scrolling: half within {median(frames):.0f} ms, longest {frames[-1]:.0f} ms"
    )
    print(f"the same without charts: {median(plain):.0f} ms, longest {plain[-1]:.0f} ms")
    print(f"memory: {full:.0f} MB with the charts, {empty:.0f} MB without")
    return report(
        within("first drawing, live", live_times, DRAWN_LIMIT),
        within("first drawing, framed", framed_times, DRAWN_LIMIT),
        within("memory of the charts", full - empty, MEMORY_LIMIT, "MB"),
    )


if __name__ == "__main__":
    sys.exit(main())
