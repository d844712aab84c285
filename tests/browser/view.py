"""One widget on the page: seen as a reader sees it, handled with a real mouse and keyboard."""

import json
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from lab import Lab
from playwright.sync_api import Locator

Point = tuple[float, float]
Slider = Literal["alpha", "threshold"]
Side = Literal["lower", "upper"]

# Everything that the kernel knows of one evaluation, at the thresholds that are drawn. To be filled in is the
# widget, and after it the alpha and the threshold, if they are not the widget's own.
KERNEL = """(lambda w, alpha=None, threshold=None: (lambda np, e, band, point, entry: {
    "alpha": w.alpha if alpha is None else alpha,
    "threshold": w.threshold if threshold is None else threshold,
    "band": w.band,
    "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
    "rule": e.quantile_rule,
    "n_test": [e.n_test[0], e.n_test[1]],
    "n_calibration": [band.n_calibration[0], band.n_calibration[1]],
    "guaranteed": [band.guaranteed[0], band.guaranteed[1]],
    "auc": list(e.at(band.alpha).display_auc()),
    "words": [band.target, band.scope, band.guarantee],
    "without_limits": [band.vacuous_share[0], band.vacuous_share[1]],
    "sides": [band.has_limits(0), band.has_limits(1)],
    "point": {name: getattr(point, name) for name in (
        "tp", "fp", "tn", "fn", "tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper",
        "precision", "youden")},
    **{name: getattr(band, name)[np.isin(band.thresholds, np.frombuffer(entry["thresholds"]))] for name in (
        "thresholds", "fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper")},
})(__import__("numpy"), w.evaluation,
   w.current_band if alpha is None else w.evaluation.band(alpha),
   w.operating_point if alpha is None else w.evaluation.operating_point(threshold, alpha),
   next(e for e in w._data["entries"] if e["label"] == w.label)))(%s)"""

# While a hand holds a control, words follow what is drawn at their own pace; a jump is seen on its way.
IS_ALL_THERE = "root.dataset.wordsFollow === undefined && root.dataset.easing === undefined"

# Everything that is drawn of one evaluation, read at one moment.
DRAWING = """(root) => {
    const part = (testid) => root.querySelector(`[data-testid="${testid}"]`);
    const texts = (selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);
    const seen = (e) => e.getClientRects().length > 0;
    const place = (e) => { const { x, y, width, height } = e.getBoundingClientRect();
        return { x, y, width, height }; };
    const path = (testid) => ({ visible: seen(part(testid)),
        class: part(testid).getAttribute("class"), d: part(testid).getAttribute("d") });
    const now = (testid) => Number(part(testid).getAttribute("aria-valuenow"));
    const handle = (e) => ({ visible: seen(e), text: e.getAttribute("aria-valuetext"),
        now: Number(e.getAttribute("aria-valuenow")), place: place(e),
        ends: ["min", "max"].map((end) => Number(e.getAttribute(`aria-value${end}`))) });
    const { dataset } = root, plot = part("plot");
    return {
        source: dataset.source, alpha: Number(dataset.alpha), threshold: Number(dataset.threshold),
        waiting: root.hasAttribute("data-waiting"),
        sliders: { alpha: now("alpha"), threshold: now("threshold") },
        band: root.querySelector(".crw-choice:not(.crw-picker) :checked").value,
        square: [plot.dataset.x0, plot.dataset.y0, plot.dataset.size].map(Number),
        plot: place(plot), dot: place(root.querySelector(".crw-point-dot")),
        roc: path("roc"), sensitivity: path("band-sensitivity"), specificity: path("band-specificity"),
        arms: [0, 1].map((label) => root.querySelector(`.crw-arm.crw-label${label}`)?.getAttribute("d")),
        title: texts("h2")[0], sentence: texts(".crw-summary").join(""), labels: texts(".crw-plot .crw-label").join(" "),
        spoken: part("operating-point").getAttribute("aria-valuetext"),
        legend: texts(".crw-legend dd").slice(0, 3),
        counts: texts(".crw-counts td"),
        metrics: [...part("metrics").tBodies[0].rows].map((row) => ({
            visible: seen(row),
            observed: row.querySelector(".crw-observed").textContent,
            ideal: row.querySelector(".crw-ideal").textContent,
            whisker: row.querySelector(".crw-bar:not(.crw-bar-caps)").getAttribute("d"),
        })),
        facts: [0, 1].map((label) => texts(`.crw-significance .crw-gutter-label${label} .crw-gutter-facts span`)),
        tested: [0, 1].map((label) => texts(`.crw-threshold .crw-gutter-label${label} .crw-gutter-facts span`)),
        handles: [0, 1].map((label) => ["lower", "upper"].map((side) =>
            handle(part(`residual-handle-${label}-${side}`)))),
    };
}"""


# Contrast of every text with what lies behind it, as WCAG counts it; colours are read off a canvas.
CONTRASTS = """(root) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const luminance = (colours) => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const worst = {};
    for (const element of root.querySelectorAll('*')) {
        const text = [...element.childNodes].filter((n) => n.nodeType === 3 && n.data.trim());
        if (text.length === 0 || element.closest('[hidden]')) continue;
        const style = getComputedStyle(element);
        const behind = [];
        for (let e = element; e; e = e.parentElement) behind.unshift(getComputedStyle(e).backgroundColor);
        const back = luminance(behind);
        const front = luminance([element instanceof SVGElement ? style.fill : style.color]);
        const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        worst[text[0].data.trim()] = Math.round(contrast * 10) / 10;
    }
    return worst;
}"""


def step_line(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """From each vertex first to the next x, then to the next y."""
    line = [(x[0], y[0])]
    for i in range(1, len(x)):
        line += [(x[i], y[i - 1]), (x[i], y[i])]
    return line


def vertices(path: str) -> np.ndarray:
    """Of a path, in pixels of the plot."""
    return np.array(re.findall(r"-?[\d.]+", path), dtype=float).reshape(-1, 2)


def rate(value: float) -> str:
    """As the page writes it."""
    return fixed(value, 2)


def fixed(value: float, digits: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    # JavaScript rounds the exact binary value, halves away from zero; Python's format halves to even.
    exact, unit = Fraction(abs(value)), 10**digits
    text = f"{math.floor(exact * unit + Fraction(1, 2)) / unit:.{digits}f}"
    return f"−{text}" if value < 0 and float(text) != 0 else text


def signed(value: float) -> str:
    return f"+{rate(value)}" if value > 0 else rate(value)


def between(low: float, high: float) -> str:
    return f"{rate(low)} to {rate(high)}"


def percent(share: float) -> str:
    return fixed(100 * share, 1).removesuffix(".0") + " %"


def threshold_text(threshold: float) -> str:
    """Two decimals, three where two do not name it, and more next to 0 and 1."""
    tail = min(threshold, 1 - threshold)
    if 0 < tail < 0.0005:
        return fixed(threshold, min(-math.floor(math.log10(tail)), 12))
    three = fixed(threshold, 3)
    return three[:-1] if three.endswith("0") else three


def significance(alpha: float) -> str:
    three = f"{alpha:.3f}"
    return three[:-1] if alpha >= 0.02 and three.endswith("0") else three


def paper_ranks(n: int, alpha: float) -> tuple[int, int]:
    """Numbers of the two order statistics, as the paper counts them for this decimal."""
    exact = Fraction(str(alpha))
    return math.floor(exact * (n + 1) / 2) - 1, math.floor((1 - exact / 2) * (n + 1))


def split_ranks(n: int, alpha: float) -> tuple[int, int]:
    """The same as split conformal prediction counts them."""
    exact = Fraction(str(alpha))
    return math.floor(exact * (n + 1) / 2), math.ceil((1 - exact / 2) * (n + 1))


RANKS = {"paper": paper_ranks, "split": split_ranks}


class View:
    """A view of the widget that the kernel calls ``name``."""

    def __init__(self, lab: Lab, root: Locator, name: str = "widget") -> None:
        self.lab = lab
        self.page = lab.page
        self.root = root
        self.name = name

    # ---- what there is

    def part(self, testid: str) -> Locator:
        return self.root.get_by_test_id(testid)

    def handle(self, label: int, side: Side) -> Locator:
        return self.part(f"residual-handle-{label}-{side}")

    def shown(self, name: str) -> float:
        """What is drawn now: alpha or threshold, as the root says it."""
        return float(self.root.get_attribute(f"data-{name}") or "nan")

    def valuenow(self, slider: str) -> float:
        return float(self.part(slider).get_attribute("aria-valuenow") or "nan")

    @property
    def source(self) -> str | None:
        return self.root.get_attribute("data-source")

    @property
    def band(self) -> str:
        return self.root.locator(".crw-choice:not(.crw-picker) :checked").input_value()

    def kernel(self, alpha: float | None = None, threshold: float | None = None) -> dict[str, Any]:
        """What the kernel knows of the widget as it is, or at these values."""
        at = "" if alpha is None else f", {alpha!r}, {threshold!r}"
        return self.lab.kernel(KERNEL % (self.name + at))

    def drawing(self) -> dict[str, Any]:
        """What is on the screen, once the words have followed and jumps have arrived.

        A space is a space, whether a line may end there or not.
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
        """Share of the unit square that a closed path covers."""
        x, y = self.path(testid).T
        return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2 / self.square()[2] ** 2

    def words(self, selector: str) -> str:
        return " ".join(" ".join(self.root.locator(selector).all_text_contents()).split())

    def centre(self, selector: str) -> Point:
        return centre(self.root.locator(selector).bounding_box())

    # ---- waiting

    def frames(self) -> None:
        """Let the page draw what has happened so far."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def rest(self) -> None:
        """Wait until what the reader did is drawn and answered."""
        self.frames()
        self.wait(f"root.dataset.source === 'kernel' && {IS_ALL_THERE}")

    def wait_for(self, **shown: float) -> None:
        """Wait until the kernel's answer with these values is drawn."""
        conditions = [f"root.dataset.{name} === '{value}'" for name, value in shown.items()]
        self.wait(" && ".join(["root.dataset.source === 'kernel'", IS_ALL_THERE, *conditions]))

    def wait_for_band(self, band: str) -> None:
        self.wait(f"root.querySelector(':checked[value={band}]') !== null")

    def wait(self, condition: str) -> None:
        root = self.root.element_handle()
        self.page.wait_for_function(f"(root) => {condition}", arg=root, timeout=20_000)
        root.dispose()  # it would keep a view that is gone

    # ---- hands

    def on_track(self, slider: Slider, value: float) -> Point:
        """Where on the page a slider's value lies."""
        track = self.part(f"{slider}-track")
        track.scroll_into_view_if_needed()
        box = track.bounding_box()
        fraction = value if slider == "threshold" else math.log(value / 0.001, 500)
        return box["x"] + fraction * box["width"], box["y"] + box["height"] / 2

    def on_plot(self, fpr: float, tpr: float) -> Point:
        """Where on the page a point of the plot lies."""
        plot = self.part("plot")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        x0, y0, size = self.square()
        return box["x"] + x0 + fpr * size, box["y"] + y0 - tpr * size

    def on_handle(self, label: int, side: Side) -> Point:
        """Where on the page an order statistic can be taken hold of."""
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
        """Drag from where the slider stands, through these values, to the last of them."""
        way = [self.on_track(slider, value) for value in (self.valuenow(slider), *values)]
        self.drag(*way, steps=steps)

    def click(self, locator: Locator) -> None:
        locator.scroll_into_view_if_needed()
        self.page.mouse.click(*centre(locator.bounding_box()))

    def choose(self, band: str) -> None:
        self.click(self.root.locator(f".crw-segments label:has([value={band}])"))

    def pick(self, name: str) -> None:
        """Look at this class or classifier, or at all of them."""
        self.click(self.part("picker").locator("label").filter(has_text=name))

    def set_width(self, width: int) -> None:
        """Make the page as wide as the widget needs to be this wide."""
        for _ in range(3):  # on a narrow page JupyterLab takes room for itself, or gives some back
            page = self.page.viewport_size
            missing = width - self.root.evaluate("(root) => root.clientWidth")
            if missing == 0:
                break
            self.page.set_viewport_size(page | {"width": page["width"] + missing})
            self.frames()
        self.wait(f"root.clientWidth === {width}")
        self.frames()

    # ---- both sides of the wire

    def assert_agrees(self) -> dict[str, Any]:
        """The page at rest shows what the kernel says, in lines, numbers and words."""
        kernel = self.kernel()
        drawn = self.drawing()
        assert drawn["source"] == "kernel"
        assert_same(drawn, kernel)
        return kernel


def centre(box: dict[str, float]) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def assert_same(drawn: dict[str, Any], kernel: dict[str, Any]) -> None:
    """What was drawn is what the kernel says, whoever computed it."""
    assert not drawn["waiting"]
    for name in ("alpha", "threshold"):
        assert drawn[name] == drawn["sliders"][name] == kernel[name]
    assert drawn["band"] == kernel["band"]
    limits = [tuple(sides) for sides in kernel["sides"]]
    _assert_lines(drawn, kernel, limits)
    _assert_point(drawn, kernel, limits)
    _assert_words(drawn, kernel, limits)
    _assert_order_statistics(drawn, kernel, limits)
    _assert_results(drawn, kernel, limits)


def _assert_lines(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    square = drawn["square"]
    _assert_path(drawn["roc"]["d"], list(zip(kernel["fpr"], kernel["tpr"], strict=True)), square)
    whole = [(0, 1), (1, 1), (1, 0), (0, 0)]
    outlines = {
        "specificity": step_line(kernel["fpr_lower"], kernel["tpr"])
        + step_line(kernel["fpr_upper"], kernel["tpr"])[::-1],
        "sensitivity": step_line(kernel["fpr"], kernel["tpr_upper"])
        + step_line(kernel["fpr"], kernel["tpr_lower"])[::-1],
    }
    for label, (kind, outline) in enumerate(outlines.items()):
        band = drawn[kind]
        assert band["visible"] == (kernel["band"] in (kind, "both"))
        if band["visible"]:
            limited = f"crw-band crw-label{label}"
            assert band["class"] == (limited if all(limits[label]) else "crw-no-limits")
            _assert_path(band["d"], outline if any(limits[label]) else whole, square)


def _assert_path(path: str, expected: list[Point], square: list[float]) -> None:
    x0, y0, size = square
    pixels = [x0, y0] + np.array(expected) * [size, -size]
    found = vertices(path)
    assert found.shape == pixels.shape
    np.testing.assert_allclose(found, pixels, rtol=0, atol=0.01)


def _assert_point(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    x0, y0, size = drawn["square"]
    point, plot = kernel["point"], drawn["plot"]
    at = x0 + point["fpr"] * size, y0 - point["tpr"] * size
    np.testing.assert_allclose(
        centre(drawn["dot"]), [plot["x"] + at[0], plot["y"] + at[1]], atol=0.1
    )
    for label, name in enumerate(("fpr", "tpr")):
        if not any(limits[label]):
            assert not drawn["arms"][label]
            continue
        start_x, start_y, end = map(
            float, re.fullmatch(r"M(\S+) (\S+)[HV](\S+)", drawn["arms"][label]).groups()
        )
        # Towards a missing limit the arm ends at the point.
        low, high = (
            point[f"{name}_{end}" if there else name]
            for end, there in zip(("lower", "upper"), limits[label], strict=True)
        )
        if label == 1:
            expected = [at[0], y0 - low * size, y0 - high * size]
        else:
            expected = [at[1], x0 + low * size, x0 + high * size]
        across, along = (start_x, start_y) if label == 1 else (start_y, start_x)
        np.testing.assert_allclose(
            [across, *sorted([along, end])], [expected[0], *sorted(expected[1:])], atol=0.01
        )


def _assert_words(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    point, band = kernel["point"], kernel["band"]
    assert percent(1 - kernel["alpha"]) in drawn["title"]
    assert f"At threshold {threshold_text(kernel['threshold'])}, " in drawn["sentence"]
    assert drawn["legend"] == kernel["words"]
    for label, name, noun in ((1, "tpr", "sensitivity"), (0, "fpr", "specificity")):
        low, high = point[f"{name}_lower"], point[f"{name}_upper"]
        lower, upper = limits[label]
        assert f"{rate(point[name])}, {limit_text(low, high, (lower, upper))}" in drawn["spoken"]
        for value, there in ((low, lower), (high, upper)):
            assert not there or rate(value) in drawn["labels"]
        if band in (noun, "both"):
            if label == 0:
                (low, high), (lower, upper) = (1 - high, 1 - low), (upper, lower)
            limit = limit_words(low, high, (lower, upper))
            assert limit in drawn["sentence"]
            if lower or upper:
                assert f"({percent(1 - kernel['alpha'])}" in drawn["sentence"]


def _assert_order_statistics(
    drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]
) -> None:
    alpha = kernel["alpha"]
    for label in (0, 1):
        n, facts = kernel["n_calibration"][label], drawn["facts"][label]
        if kernel["quantiles"] is None:
            assert not any(handle["visible"] for handle in drawn["handles"][label])
            continue
        assert facts[0] == f"n = {n:,}"
        at_least = math.floor(1000 * kernel["guaranteed"][label] + 1e-9) / 10
        too_few = f"too few for {percent(1 - alpha)}"
        few = "one limit" if any(limits[label]) else too_few
        assert facts[1] == (f"at least {at_least:.1f} %" if all(limits[label]) else few)
        pair = zip(
            drawn["handles"][label], kernel["quantiles"][label], ("lower", "upper"), strict=True
        )
        for side, (handle, residual, name) in enumerate(pair):
            assert handle["visible"]
            if math.isinf(residual):
                words = f"no {name} limit"
            else:
                words = f"{ordinal(RANKS[kernel['rule']](n, alpha)[side])} of {n:,}"
                # A residual beyond the strip stands at its end.
                np.testing.assert_allclose(
                    handle["now"], np.clip(residual, *handle["ends"]), rtol=1e-12
                )
            confidence = f"{percent(1 - alpha)} confidence, α {significance(alpha)}"
            assert handle["text"] == f"{words}, {signed(residual)}; {confidence}"


def _assert_results(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    point = kernel["point"]
    assert [" ".join(cell.split()) for cell in drawn["counts"]] == [
        f"{name.upper()} {point[name]:,}" for name in ("tp", "fn", "fp", "tn")
    ]
    for label, names in enumerate((("fp", "tn"), ("tp", "fn"))):
        assert drawn["tested"][label] == [f"{name.upper()} {point[name]:,}" for name in names]
    precision = point["precision"]
    (low0, high0), (low1, high1) = limits
    joint = joint_sides(limits)
    precisions = precision_range(kernel)
    auc, *areas = kernel["auc"]
    expected = [
        (rate(point["tpr"]), (point["tpr_lower"], point["tpr_upper"]), (low1, high1), 0),
        (
            rate(1 - point["fpr"]),
            (1 - point["fpr_upper"], 1 - point["fpr_lower"]),
            (high0, low0),
            0,
        ),
        (
            "none called positive" if math.isnan(precision) else rate(precision),
            precisions or (0, 1),
            joint if precisions else (False, False),
            0,
        ),
        (
            rate(point["youden"]),
            (point["tpr_lower"] - point["fpr_upper"], point["tpr_upper"] - point["fpr_lower"]),
            joint,
            -1,
        ),
        (rate(auc), areas, joint, 0),
    ]
    for row, (observed, ends, sides, least) in zip(drawn["metrics"], expected, strict=True):
        assert row["visible"]
        assert row["observed"] == observed
        assert row["ideal"] == limit_text(*ends, telling(ends, sides, least))


def joint_sides(limits: Sequence[Sequence[bool]]) -> tuple[bool, bool]:
    """Which ends are limits of something that grows with both rates, as both labels have them."""
    (low0, high0), (low1, high1) = limits
    return low1 and high0, high1 and low0


def telling(ends: Sequence[float], sides: tuple[bool, bool], least: float = 0) -> tuple[bool, bool]:
    """A single limit at the end of what is possible says nothing."""
    empty = sides[0] != sides[1] and (ends[0] == least if sides[0] else ends[1] == 1)
    return (False, False) if empty else sides


def limit_words(low: float, high: float, sides: tuple[bool, bool]) -> str:
    """The limits that there are, in the words of the sentence."""
    if all(sides):
        return f"between {rate(low)} and {rate(high)}"
    if not any(sides):
        return "anything"
    return f"at least {rate(low)}" if sides[0] else f"at most {rate(high)}"


def limit_text(low: float, high: float, sides: tuple[bool, bool]) -> str:
    """The same in a cell of the table."""
    if all(sides):
        return between(low, high)
    return "no limits" if not any(sides) else limit_words(low, high, sides)


def precision_range(kernel: dict[str, Any]) -> tuple[float, float] | None:
    """Smallest and largest precision over all counts that both intervals allow at once, tried one by one."""
    point, (n0, n1) = kernel["point"], kernel["n_test"]
    low0, high0, low1, high1 = (
        round(n * point[name])
        for n, name in ((n0, "fpr_lower"), (n0, "fpr_upper"), (n1, "tpr_lower"), (n1, "tpr_upper"))
    )
    fp = np.unique(np.linspace(low0, high0, 400).round())
    tp = np.unique(np.linspace(low1, high1, 400).round())[:, None]
    called = tp + fp
    if not called.any():
        return None
    precision = (tp / np.where(called > 0, called, np.nan))[called > 0]
    return float(precision.min()), float(precision.max())


def ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{suffix}"


# Evaluations to show; each notebook of the tests begins with this.
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
# Test points with intervals of their own; goes with the examples.
LOCAL = """
from sklearn.linear_model import LogisticRegression

def local():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 2))
    y = (rng.random(900) < expit(X[:, 0])).astype(int)
    model = ConformalROC(LogisticRegression(), neighbors=40, random_state=0)
    return model.fit(X[:700], y[:700]).evaluate(X[700:], y[700:])
"""


def show(lab: Lab, code: str) -> View:
    """Run code that makes ``widget`` and shows it as the first cell of the notebook."""
    lab.replace_cell(code)
    view = View(lab, lab.wait_for_widget())
    view.rest()
    return view


# Every piece of text that can be seen, with where it is; and what sticks out of its container.
LAYOUT = """(root) => {
    const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
;
    const unseen = (e) => e.closest(".crw-hidden, .crw-unseen") !== null
        || getComputedStyle(e).clipPath !== "none" || getComputedStyle(e).clip !== "auto";
    const visiblePart = ({ left, right, top, bottom }, element) => {
        for (let e = element; e !== root; e = e.parentElement) {
            if (e instanceof SVGElement || getComputedStyle(e).overflowX === "visible") continue;
            const box = e.getBoundingClientRect();
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }
        return { left, right, top, bottom };
    };
    let node_number = 0;
    const texts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        node_number++;
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || !parent || !shown(parent) || unseen(parent) || parent.closest("option, defs")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            const { left, right, top, bottom } = visiblePart(box, parent);
            if (right - left > 1 && bottom - top > 1) texts.push({ node: node_number, text: node.data.trim(), left, right, top, bottom });
        }
    }
    const bounds = root.getBoundingClientRect(), outside = [], clipped = [];
    const within = ({ left, right }) => left >= bounds.left - 0.5 && right <= bounds.right + 0.5;
    for (const e of root.querySelectorAll("*")) {
        // A finger may take hold of the point beyond what is drawn of it.
        if (!shown(e) || e.closest("defs, .crw-point, .crw-hidden")) continue;
        const box = e.getBoundingClientRect();
        if (box.width > 0 && !within(box)) outside.push(e.outerHTML.slice(0, 90));
        if (e instanceof HTMLElement && e.tagName !== "INPUT" && e.clientWidth > 1
            && !e.classList.contains("crw-class-name") && getComputedStyle(e).overflowX !== "visible"
            && e.scrollWidth > e.clientWidth + 1) clipped.push(e.outerHTML.slice(0, 90));
    }
    for (const text of texts) if (!within(text)) outside.push(text.text);
    return { texts, outside, clipped, scroll: root.scrollWidth - root.clientWidth };
}"""


def overlaps(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes, two pixels smaller on each side, share some of the page."""
    slack = 2
    found = []
    for i, one in enumerate(texts):
        for other in texts[i + 1 :]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            if one["node"] != other["node"] and across > 2 * slack and down > 2 * slack:
                found.append((one["text"], other["text"]))
    return found


def misfits_of(view: View, texts: int = 40) -> dict[str, Any]:
    """Texts on top of each other, and what sticks out of the widget or is cut off in it."""
    layout = view.root.evaluate(LAYOUT)
    assert len(layout["texts"]) > texts, "it has looked"
    found = {name: layout[name] for name in ("outside", "clipped", "scroll")}
    found["overlaps"] = overlaps(layout["texts"])
    return {name: fault for name, fault in found.items() if fault}


def assert_fits(view: View) -> None:
    assert misfits_of(view) == {}
