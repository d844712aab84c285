"""One widget on the page, read like a reader does and operated with a real mouse and keyboard."""

import json
import math
from typing import Any, Literal

import numpy as np
from agreement import assert_same, centre, vertices
from lab import Lab
from lab_server import TIMEOUT
from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

Point = tuple[float, float]
Slider = Literal["alpha", "threshold"]
Side = Literal["lower", "upper"]

# This code reads all results of one evaluation in the kernel, at the drawn thresholds. Its
# arguments are the widget, and optionally another alpha and threshold.
KERNEL = """(lambda w, alpha=None, threshold=None: (lambda np, e, band, point: {
    "alpha": w.alpha if alpha is None else alpha,
    "threshold": w.threshold if threshold is None else threshold,
    "band": w.band,
    "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
    "n_test": [e.n_test[0], e.n_test[1]],
    "n_calibration": [band.n_calibration[0], band.n_calibration[1]],
    "words": [band.target, band.scope, band.guarantee],
    "without_limits": [band.vacuous_share[0], band.vacuous_share[1]],
    "sides": [band.has_limits(0), band.has_limits(1)],
    "point": {name: getattr(point, name) for name in (
        "tp", "fp", "tn", "fn", "tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper",
        "precision", "youden")},
    **{name: getattr(band, name)[np.isin(band.thresholds, e.sampled.screen_vertices.thresholds)] for name in (
        "thresholds", "fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper")},
})(__import__("numpy"), w.evaluation,
   w.current_band if alpha is None else w.evaluation.band(alpha),
   w.operating_point if alpha is None else w.evaluation.operating_point(threshold, alpha)))(%s)"""

# While a control is held, texts are updated more slowly than lines. A jump is animated.
IS_ALL_THERE = "root.dataset.wordsFollow === undefined && root.dataset.easing === undefined"
# A choice changes no number, so the page draws it as an answer of the kernel before the kernel gets
# it.
IS_ANSWERED = "root.dataset.source === 'kernel' && root.dataset.asking === undefined"

# Reads everything that is drawn for one evaluation at one moment.
DRAWING = """(root) => {
    const part = (testid) => root.querySelector(`[data-testid="${testid}"]`);
    const texts = (selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);
    const seen = (e) => e.getClientRects().length > 0;
    const place = (e) => { const { x, y, width, height } = e.getBoundingClientRect();
        return { x, y, width, height }; };
    const path = (testid) => ({ visible: part(testid) !== null && seen(part(testid)),
        ...Object.fromEntries(["class", "fill", "d"].map((name) => [name, part(testid)?.getAttribute(name)])) });
    const now = (testid) => Number(part(testid).getAttribute("aria-valuenow"));
    const handle = (e) => ({ visible: seen(e), text: e.getAttribute("aria-valuetext"),
        now: Number(e.getAttribute("aria-valuenow")), place: place(e),
        ends: ["min", "max"].map((end) => Number(e.getAttribute(`aria-value${end}`))) });
    const { dataset } = root, plot = part("plot");
    return {
        source: dataset.source, alpha: Number(dataset.alpha), threshold: Number(dataset.threshold),
        waiting: root.hasAttribute("data-waiting"),
        sliders: { alpha: now("alpha"), threshold: now("threshold") },
        band: dataset.band,
        square: [plot.dataset.x0, plot.dataset.y0, plot.dataset.size].map(Number),
        plot: place(plot), dot: place(root.querySelector(".crw-point-dot")),
        roc: path("roc"), sensitivity: path("band-sensitivity"), specificity: path("band-specificity"),
        arms: [0, 1].map((label) => part(`arm-${label}`)?.getAttribute("d")),
        spoken: part("operating-point").getAttribute("aria-valuetext"),
        legend: texts(".crw-legend dd").slice(0, 3),
        counts: [...root.querySelectorAll(".crw-counts .crw-count b")].filter(seen).map((e) => e.textContent),
        rates: [...root.querySelectorAll(".crw-counts tbody tr")].filter(seen).map((row) =>
            [row.querySelector(".crw-rate b"), ...[...row.querySelectorAll(".crw-limits")].slice(-1)]
                .map((e) => e.textContent)),
        handles: [0, 1].map((label) => ["lower", "upper"].map((side) =>
            handle(part(`residual-handle-${label}-${side}`)))),
    };
}"""


class View:
    """A view of the widget that has this ``name`` in the kernel."""

    SOURCE = "kernel"

    def __init__(self, lab: Lab, root: Locator, name: str = "widget") -> None:
        self.lab = lab
        self.page = lab.page
        self.root = root
        self.name = name

    # ---- parts of the view

    def part(self, testid: str) -> Locator:
        return self.root.get_by_test_id(testid)

    def handle(self, label: int, side: Side) -> Locator:
        return self.part(f"residual-handle-{label}-{side}")

    def shown(self, name: str) -> float:
        """The drawn alpha or threshold, from the root's attribute."""
        return float(self.root.get_attribute(f"data-{name}") or "nan")

    def valuenow(self, slider: str) -> float:
        return float(self.part(slider).get_attribute("aria-valuenow") or "nan")

    @property
    def source(self) -> str | None:
        return self.root.get_attribute("data-source")

    @property
    def band(self) -> str:
        return self.root.get_attribute("data-band") or ""

    def kernel(self, alpha: float | None = None, threshold: float | None = None) -> dict[str, Any]:
        """The kernel's numbers for the widget, at its own values or at these."""
        at = "" if alpha is None else f", {alpha!r}, {threshold!r}"
        return self.lab.kernel(KERNEL % (self.name + at))

    def drawing(self) -> dict[str, Any]:
        """Everything on the screen, after texts have been updated and jumps have ended.

        A no-break space counts as a space.
        """
        self.wait(IS_ALL_THERE)
        drawn = json.dumps(self.root.evaluate(DRAWING), ensure_ascii=False)
        return json.loads(drawn.replace("\u00a0", " "))

    def square(self) -> tuple[float, float, float]:
        plot = self.part("plot")
        x0, y0, size = (float(plot.get_attribute(f"data-{name}")) for name in ("x0", "y0", "size"))
        return x0, y0, size

    def path(self, testid: str) -> np.ndarray:
        """Vertices of a path in pixels of the plot."""
        return vertices(self.part(testid).get_attribute("d"))

    def area(self, testid: str) -> float:
        """Area of a closed path, as a share of the unit square."""
        x, y = self.path(testid).T
        return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2 / self.square()[2] ** 2

    def words(self, selector: str) -> str:
        return " ".join(" ".join(self.root.locator(selector).all_text_contents()).split())

    def centre(self, selector: str) -> Point:
        return centre(self.root.locator(selector).bounding_box())

    # ---- waiting

    def frames(self) -> None:
        """Waits for frames, so that the page draws all earlier changes."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def rest(self) -> None:
        """Waits until the reader's changes are drawn and the kernel has answered."""
        self.frames()
        self.wait(f"{IS_ANSWERED} && {IS_ALL_THERE}")

    def settle(self) -> None:
        """Waits until the reader's changes are drawn, on a page without a kernel."""
        self.frames()
        self.wait(IS_ALL_THERE)

    def wait_for(self, **shown: float) -> None:
        """Wait until the kernel's answer with these values is drawn."""
        conditions = [f"root.dataset.{name} === '{value}'" for name, value in shown.items()]
        self.wait(" && ".join([IS_ANSWERED, IS_ALL_THERE, *conditions]))

    def wait_for_band(self, band: str) -> None:
        self.wait(f"root.dataset.band === '{band}'")

    def wait(self, condition: str) -> None:
        """Waits until a condition on the element ``root`` holds, in the frame that has the chart."""
        root = self.root.element_handle()
        frame = root.owner_frame()
        try:
            frame.wait_for_function(f"(root) => {condition}", arg=root, timeout=1000 * TIMEOUT)
        except PlaywrightTimeout:
            seen = root.evaluate("(root) => JSON.stringify(root.dataset) + ' ' + root.innerText")
            raise AssertionError(
                f"not in {TIMEOUT:.0f} s: {condition}; seen last: {seen}"
            ) from None
        root.dispose()  # a handle that is not disposed would keep a removed view in memory

    # ---- pressing and dragging

    def on_track(self, slider: Slider, value: float) -> Point:
        """Position of a slider's value on the page."""
        track = self.part(f"{slider}-track")
        track.scroll_into_view_if_needed()
        box = track.bounding_box()
        fraction = value if slider == "threshold" else math.log(value / 0.001, 500)
        return box["x"] + fraction * box["width"], box["y"] + box["height"] / 2

    def on_plot(self, fpr: float, tpr: float) -> Point:
        """Position of a point of the plot on the page."""
        plot = self.part("plot")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        x0, y0, size = self.square()
        return box["x"] + x0 + fpr * size, box["y"] + y0 - tpr * size

    def on_handle(self, label: int, side: Side) -> Point:
        """Position of an order statistic's handle on the page."""
        handle = self.handle(label, side)
        handle.scroll_into_view_if_needed()
        return centre(handle.bounding_box())

    def grasp(self, start: Point) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()

    def drag(self, start: Point, *way: Point, steps: int = 5) -> None:
        self.grasp(start)
        for stop in way:
            self.page.mouse.move(*stop, steps=steps)
        self.page.mouse.up()

    def drag_slider(self, slider: Slider, *values: float, steps: int = 5) -> None:
        """Drags the slider from its position through these values, and releases it at the last one."""
        way = [self.on_track(slider, value) for value in (self.valuenow(slider), *values)]
        self.drag(*way, steps=steps)

    def click(self, locator: Locator) -> None:
        locator.scroll_into_view_if_needed()
        self.page.mouse.click(*centre(locator.bounding_box()))

    def choose(self, band: str) -> None:
        """Chooses the band's question, and ticks its bands in the key."""
        question = self.part("question")
        asked = band if band in ("ideal", "sampling") else "same-threshold"
        if asked != "same-threshold" or self.band in ("ideal", "sampling"):
            if question.locator("select").is_visible():
                question.locator("select").select_option(asked)
            else:
                self.click(question.locator(f"label:has([value={asked}])"))
            self.frames()
        if asked == "same-threshold":
            names = ("sensitivity", "specificity")
            wanted = names if band == "both" else (band,)
            for name in sorted(names, key=lambda each: each not in wanted):
                box = self.part("key").locator(f"[value={name}]")
                if box.is_checked() != (name in wanted):
                    self.click(box)
                    self.frames()

    def pick(self, name: str) -> None:
        """Selects this class or classifier, or all of them."""
        self.click(self.part("picker").locator("label").filter(has_text=name))

    def set_width(self, width: int) -> None:
        """Changes the width of the page until the widget has this width."""
        found = self._steady_width()
        for _ in range(5):  # on a narrow page JupyterLab may take room for itself, or give it back
            if found == width:
                break
            page = self.page.viewport_size
            self.page.set_viewport_size(page | {"width": page["width"] + width - found})
            self.wait(f"root.clientWidth !== {found}")  # JupyterLab changes its layout with a delay
            found = self._steady_width()
        assert found == width

    def _steady_width(self) -> int:
        """Width of the widget, after it has been constant for a few frames."""
        return self.root.evaluate(
            """async (root) => {
                let width, same = 0;
                while (same < 5) {
                    same = root.clientWidth === width ? same + 1 : 0;
                    width = root.clientWidth;
                    await new Promise(requestAnimationFrame);
                }
                return width;
            }"""
        )

    # ---- values in the page and in the kernel

    def assert_agrees(self) -> dict[str, Any]:
        """Asserts that the page shows the kernel's results, in lines, numbers and words."""
        kernel = self.kernel()
        drawn = self.drawing()
        assert drawn["source"] == self.SOURCE
        assert_same(drawn, kernel)
        return kernel


# Each test notebook starts with these evaluations.
EXAMPLES = """
import numpy as np
from scipy.special import expit
from IPython.display import display
from conformal_roc_widget import ConformalROC, ROCWidget, RocEvaluation, average_bands
from conformal_roc_widget.wire import messages as wire

def scored(seed, n, names=(0, 1)):
    rng = np.random.default_rng(seed)
    y = np.resize([0, 1], n)
    return np.array(names)[y], expit(1.2 * (2 * y - 1) + 1.5 * rng.normal(size=n))

def evaluated(n_calibration=400, n_test=200, seed=0):
    return RocEvaluation.from_predictions(*scored(seed, n_calibration), *scored(seed + 1, n_test))

def example(n_calibration=400, n_test=200, **options):
    return ROCWidget(evaluated(n_calibration, n_test), **options)
"""
# Some tests add an evaluation with an interval for each test point.
LOCAL = """
from sklearn.linear_model import LogisticRegression

def local():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 2))
    y = (rng.random(900) < expit(X[:, 0])).astype(int)
    model = ConformalROC(LogisticRegression(), neighbors=40, random_state=0)
    return model.fit(X[:700], y[:700]).evaluate(X[700:], y[700:])
"""

# Some tests add several classes and several classifiers.
SEVERAL = """
from sklearn.linear_model import LogisticRegression

def trees():
    rng = np.random.default_rng(0)
    names, centres = np.array(["ash", "birch", "cedar"]), np.array([(0, 0), (1.5, 0), (1, 2)])
    drawn = rng.choice(3, size=900, p=[0.5, 0.35, 0.15])
    X = centres[drawn] + rng.normal(size=(900, 2))
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:600], names[drawn[:600]])
    return model.evaluate_all(X[600:], names[drawn[600:]])

classes = trees()
classifiers = {"logistic": evaluated(), "forest": evaluated(300, seed=7)}
"""


def show(lab: Lab, code: str) -> View:
    """Runs code that makes and shows ``widget`` as the first cell of the notebook."""
    lab.replace_cell(code)
    view = View(lab, lab.wait_for_widget())
    view.rest()
    return view
