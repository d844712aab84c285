"""One widget on the page: seen as a reader sees it, handled with a real mouse and keyboard."""

import math
import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from lab import Lab
from playwright.sync_api import Locator

Point = tuple[float, float]
Slider = Literal["alpha", "threshold"]

# Everything that the kernel knows of a widget, at the thresholds that are drawn.
KERNEL = """(lambda w, np: (lambda band, point, drawn: {
    "alpha": w.alpha, "threshold": w.threshold, "band": w.band,
    "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
    "point": {name: getattr(point, name) for name in (
        "tp", "fp", "tn", "fn", "tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper")},
    **{name: getattr(band, name)[np.isin(band.thresholds, drawn)] for name in (
        "thresholds", "fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper")},
})(w.current_band, w.operating_point, np.frombuffer(w._data["thresholds"])))(
    %s, __import__("numpy"))"""


def step_line(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """From each vertex first to the next x, then to the next y."""
    line = [(x[0], y[0])]
    for i in range(1, len(x)):
        line += [(x[i], y[i - 1]), (x[i], y[i])]
    return line


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

    def shown(self, name: str) -> float:
        """What is drawn now: alpha or threshold, as the root says it."""
        return float(self.root.get_attribute(f"data-{name}") or "nan")

    def valuenow(self, slider: str) -> float:
        return float(self.part(slider).get_attribute("aria-valuenow") or "nan")

    @property
    def source(self) -> str | None:
        return self.root.get_attribute("data-source")

    def kernel(self) -> dict[str, Any]:
        return self.lab.kernel(KERNEL % self.name)

    def square(self) -> tuple[float, float, float]:
        plot = self.part("plot")
        x0, y0, size = (float(plot.get_attribute(f"data-{name}")) for name in ("x0", "y0", "size"))
        return x0, y0, size

    def path(self, testid: str) -> np.ndarray:
        """Vertices of a path in pixels of the plot."""
        numbers = re.findall(r"-?[\d.]+", self.part(testid).get_attribute("d"))
        return np.array(numbers, dtype=float).reshape(-1, 2)

    def area(self, testid: str) -> float:
        """Share of the unit square that a closed path covers."""
        x, y = self.path(testid).T
        return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2 / self.square()[2] ** 2

    def counts(self) -> dict[str, int]:
        cells = self.root.locator(".crw-counts td").all_inner_texts()
        return {name: int(n.replace(",", "")) for name, n in (cell.split() for cell in cells)}

    def words(self, selector: str) -> str:
        return " ".join(" ".join(self.root.locator(selector).all_text_contents()).split())

    def centre(self, selector: str) -> Point:
        box = self.root.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    # ---- waiting

    def frames(self) -> None:
        """Let the page draw what has happened so far."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def rest(self) -> None:
        """Wait until what the reader did is drawn and answered."""
        self.frames()
        self.wait("root.dataset.source === 'kernel'")

    def wait_for(self, **shown: float) -> None:
        """Wait until the kernel's answer with these values is drawn."""
        conditions = [f"root.dataset.{name} === '{value}'" for name, value in shown.items()]
        self.wait(" && ".join(["root.dataset.source === 'kernel'", *conditions]))

    def wait(self, condition: str) -> None:
        self.page.wait_for_function(
            f"(root) => {condition}", arg=self.root.element_handle(), timeout=20_000
        )

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
        box = locator.bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def choose(self, band: str) -> None:
        self.click(self.root.locator(f".crw-segments label:has([value={band}])"))

    def set_width(self, width: int) -> None:
        """Make the page as wide as the widget needs to be this wide."""
        page = self.page.viewport_size
        around = page["width"] - self.root.evaluate("(root) => root.clientWidth")
        self.page.set_viewport_size(page | {"width": around + width})
        self.wait(f"root.clientWidth === {width}")
        self.frames()

    # ---- both sides of the wire

    def assert_agrees(self) -> dict[str, Any]:
        """The page at rest shows what the kernel says, in lines, numbers and words."""
        kernel = self.kernel()
        point, band = kernel["point"], kernel["band"]
        assert self.source == "kernel"
        for name in ("alpha", "threshold"):
            assert self.shown(name) == self.valuenow(name) == kernel[name]
        assert self.root.locator(":checked").input_value() == band

        self.assert_path("roc", list(zip(kernel["fpr"], kernel["tpr"], strict=True)))
        limits = [
            kernel["quantiles"] is None or any(map(math.isfinite, kernel["quantiles"][label]))
            for label in (0, 1)
        ]
        whole = [(0, 1), (1, 1), (1, 0), (0, 0)]
        outlines = {
            "sensitivity": step_line(kernel["fpr"], kernel["tpr_upper"])
            + step_line(kernel["fpr"], kernel["tpr_lower"])[::-1],
            "specificity": step_line(kernel["fpr_lower"], kernel["tpr"])
            + step_line(kernel["fpr_upper"], kernel["tpr"])[::-1],
        }
        for label, (kind, outline) in enumerate(reversed(outlines.items())):
            drawn = self.part(f"band-{kind}")
            assert drawn.is_visible() == (band in (kind, "both"))
            if not drawn.is_visible():
                continue
            drawn_class = f"crw-band crw-label{label}" if limits[label] else "crw-no-limits"
            assert drawn.get_attribute("class") == drawn_class
            self.assert_path(f"band-{kind}", outline if limits[label] else whole)

        x0, y0, size = self.square()
        expected = self.on_plot(point["fpr"], point["tpr"])
        np.testing.assert_allclose(self.centre(".crw-point-dot"), expected, atol=0.1)
        assert self.counts() == {name.upper(): point[name] for name in ("tp", "fn", "fp", "tn")}
        sentence = self.words(".crw-summary")
        plot = self.words(".crw-plot .crw-label")
        spoken = self.part("operating-point").get_attribute("aria-valuetext")
        assert f"At threshold {kernel['threshold']:.2f}" in sentence
        for label, name, noun in ((1, "tpr", "sensitivity"), (0, "fpr", "specificity")):
            low, high = point[f"{name}_lower"], point[f"{name}_upper"]
            assert f"{low:.2f} to {high:.2f}" in spoken
            if limits[label]:
                assert f"{low:.2f}" in plot
                assert f"{high:.2f}" in plot
                arm = self.root.locator(f".crw-arm.crw-label{label}").get_attribute("d")
                ends = re.fullmatch(r"M(\S+) (\S+)[HV](\S+)", arm)
                along = [float(ends[3]), float(ends[2] if label else ends[1])]
                ends_of = (
                    (lambda rate: y0 - rate * size) if label else (lambda rate: x0 + rate * size)
                )
                expected = [ends_of(high), ends_of(low)]
                np.testing.assert_allclose(along, expected, atol=0.01)
            if band in (noun, "both"):
                if label == 0:
                    low, high = 1 - high, 1 - low
                limit = f"between {low:.2f} and {high:.2f}" if limits[label] else "no limits"
                assert limit in sentence
        return kernel

    def assert_path(self, testid: str, expected: list[Point]) -> None:
        x0, y0, size = self.square()
        pixels = [x0, y0] + np.array(expected) * [size, -size]
        drawn = self.path(testid)
        assert drawn.shape == pixels.shape
        np.testing.assert_allclose(drawn, pixels, rtol=0, atol=0.01)
