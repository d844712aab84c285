"""A page without kernel or network, on which a reader uses controls in random order."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from agreement import plain, step_line, vertices
from lab import WIDGET
from playwright.sync_api import Browser, Dialog, Download, Locator, Request
from said import share_limits, share_text
from view import EXAMPLES, KERNEL, View
from watched import Watched

from conformal_roc_widget import ROCWidget, average_bands
from conformal_roc_widget.text import threshold_text

CURVES = ("thresholds", "fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")

# Finds the positions of everything that can be dragged.
SPOTS = """(root) => {
    const place = (e) => { const { x, y, width, height } = e.getBoundingClientRect();
        return { x, y, width, height }; };
    const part = (testid) => place(root.querySelector(`[data-testid="${testid}"]`));
    const handles = [...root.querySelectorAll('[data-testid^="residual-handle-"]')]
        .filter((e) => e.checkVisibility());
    const strip = root.querySelector('[data-testid^="residual-strip-"]');
    return {
        alpha: part("alpha"), threshold: part("threshold"),
        "alpha-track": part("alpha-track"), "threshold-track": part("threshold-track"),
        point: place(root.querySelector(".crw-point-dot")), plot: part("plot"),
        handles: handles.map(place), strip: place(strip),
    };
}"""

# Reads everything that is drawn for several evaluations together.
OVERVIEW = """(root) => {
    const part = (testid) => root.querySelector(`[data-testid="${testid}"]`);
    const { dataset } = root, plot = part("plot");
    const d = (e) => e?.getAttribute("d");
    return {
        source: dataset.source, alpha: Number(dataset.alpha), threshold: Number(dataset.threshold),
        waiting: root.hasAttribute("data-waiting"),
        square: [plot.dataset.x0, plot.dataset.y0, plot.dataset.size].map(Number),
        averaged: d(part("averaged")), band: d(part("averaged-band")),
        spoken: part("operating-point").getAttribute("aria-valuetext"),
        rows: [...root.querySelector(".crw-classes").rows].map((row) =>
            [...row.cells].map((cell) => cell.textContent)),
    };
}"""


class Opened(Watched):
    """A browser page that shows one local file without a network."""

    def __init__(self, browser: Browser, file: Path, **options: Any) -> None:
        super().__init__(browser, **options)
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.files: list[str] = []
        self._context.set_offline(True)
        self.page.on("request", self._count)
        self.page.on("dialog", self._refuse)
        self.open(file)

    def open(self, file: Path) -> None:
        """Shows another file."""
        self.files.append(file.as_uri())
        self.page.goto(file.as_uri())

    def assert_alone(self) -> None:
        """Asserts that the page showed no dialog and loaded only its own files."""
        assert self.dialogs == []
        assert self.requests == self.files, "nothing but the file is asked for"

    def _count(self, request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")):
            self.requests.append(request.url)

    def _refuse(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def view(self, widget: ROCWidget | None = None) -> "Alone":
        """The chart, after it is drawn."""
        root = self.page.locator(WIDGET)
        root.wait_for()
        view = Alone(self, root, widget)
        assert view.source == "static"
        return view


class Alone(View):
    """A chart in a page without a kernel, and the widget from which the page was made."""

    SOURCE = "static"

    def __init__(self, opened: Opened, root: Locator, widget: ROCWidget | None) -> None:
        super().__init__(opened, root)
        self.widget = widget

    def kernel(self, alpha: float | None = None, threshold: float | None = None) -> dict[str, Any]:
        """Python’s numbers for the widget, at the page's setting or at these values."""
        at = {"alpha": alpha, "threshold": threshold}
        shown = {name: self.shown(name) if at[name] is None else at[name] for name in at}
        return known(self.widget, shown | {"band": self.band})

    def rest(self) -> None:
        self.settle()

    def set_width(self, width: int) -> None:
        self.page.set_viewport_size(self.page.viewport_size | {"width": width})
        assert self._steady_width() == width

    def set(self, alpha: float, threshold: float) -> None:
        """Sets values as another script of the page does."""
        self.root.evaluate(
            """(root, [alpha, threshold]) => {
                const chart = root.parentElement.conformalRoc;
                chart.setAlpha(alpha);
                chart.setThreshold(threshold);
            }""",
            [alpha, threshold],
        )
        self.settle()


#: The type of the fixture `alone` of conftest.py.
Open = Callable[..., Alone]


def made(code: str) -> ROCWidget:
    """The ``widget`` of a notebook's cell, made in the test process."""
    names: dict[str, Any] = {}
    exec(EXAMPLES + code, names)
    widget: ROCWidget = names["widget"]
    return widget


class Hand:
    """Makes random moves of everything that can be moved."""

    KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End")

    def __init__(self, view: View, seed: int = 0) -> None:
        self.view, self.page = view, view.page
        self.rng = np.random.default_rng(seed)

    def moves(self, number: int) -> list[Callable[[], None]]:
        """This many random moves, of each kind equally many."""
        kinds = [self.press_keys, self.drag_alpha, self.drag_threshold, self.pull, self.drag_point]
        order = np.resize(np.arange(len(kinds)), number)
        return [kinds[i] for i in self.rng.permutation(order)]

    def press_keys(self) -> None:
        name = self.rng.choice(["alpha", "threshold", "operating-point"])
        self.view.part(name).focus()
        for key in self.rng.choice(self.KEYS, self.rng.integers(1, 5)):
            self.page.keyboard.press(key)

    def drag_alpha(self) -> None:
        self._drag_thumb("alpha")

    def drag_threshold(self) -> None:
        self._drag_thumb("threshold")

    def pull(self) -> None:
        """Moves an order statistic on its strip. If there is none, moves the slider of alpha."""
        spots = self._spots()
        if not spots["handles"]:
            self._drag_thumb("alpha")
            return
        handle = spots["handles"][self.rng.integers(len(spots["handles"]))]
        strip = spots["strip"]
        self._drag(handle, strip["x"] + self.rng.random() * strip["width"], handle["y"] + 3)

    def drag_point(self) -> None:
        spots = self._spots()
        plot = spots["plot"]
        x, y = self.rng.random(2)
        self._drag(spots["point"], plot["x"] + x * plot["width"], plot["y"] + y * plot["height"])

    def _drag_thumb(self, name: str) -> None:
        spots = self._spots()
        track = spots[f"{name}-track"]
        x = track["x"] + self.rng.uniform(-0.05, 1.05) * track["width"]
        self._drag(spots[name], x, track["y"] + track["height"] / 2)

    def _drag(self, spot: dict[str, float], x: float, y: float) -> None:
        mouse = self.page.mouse
        mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
        mouse.down()
        mouse.move(x, y, steps=2)
        mouse.up()

    def _spots(self) -> dict[str, Any]:
        spots: dict[str, Any] = self.view.root.evaluate(SPOTS)
        return spots


def known(widget: ROCWidget, drawn: dict[str, Any]) -> dict[str, Any]:
    """Python’s numbers for the selected evaluation, at the page's setting."""
    widget.band = drawn["band"]
    code = KERNEL % "widget, alpha, threshold"
    names = {"widget": widget, "alpha": drawn["alpha"], "threshold": drawn["threshold"]}
    told: dict[str, Any] = eval(code, names)
    return told


def overview(view: View) -> dict[str, Any]:
    """Everything that is drawn for several evaluations together."""
    drawn: dict[str, Any] = view.root.evaluate(OVERVIEW)
    return drawn


def pixels(square: list[float], x: Any, y: Any) -> np.ndarray:
    """Pixels at which the page draws these points of the unit square."""
    x0, y0, size = square
    return np.column_stack([x0 + np.asarray(x) * size, y0 - np.asarray(y) * size])


def outline(square: list[float], x: Any, lower: Any, upper: Any) -> np.ndarray:
    """Closed outline of a band of sensitivities."""
    line = step_line(x, upper) + step_line(x, lower)[::-1]
    return pixels(square, *np.array(line).T)


def assert_near(path: str, expected: np.ndarray, within: float = 0.01) -> None:
    """Asserts that each vertex of the path is drawn within this many pixels of its place."""
    found = vertices(path)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=within)


def average_text(evaluations: Any, alpha: float, lower: float, upper: float) -> str:
    """Text for the limits of an average. A limit that every class lacks is missing."""
    sides = [e.band(alpha).has_limits(1) for e in evaluations.values()]
    has_lower, has_upper = np.any(sides, axis=0)
    if has_lower and has_upper:
        return share_limits(lower, upper, (True, True))
    if has_upper and upper < 1:
        return f"at most {share_text(upper)}"
    return f"at least {share_text(lower)}" if has_lower and lower > 0 else "no limits"


def assert_average(drawn: dict[str, Any], widget: ROCWidget, weights: str) -> None:
    """Asserts that the classes together are drawn as `average_bands` computes them, with numbers at
    their mean FPR.
    """
    alpha, threshold, square = drawn["alpha"], drawn["threshold"], drawn["square"]
    evaluations = widget.evaluation
    band = average_bands(evaluations, alpha, weights)
    assert_near(drawn["averaged"], pixels(square, *np.array(step_line(band.fpr, band.tpr)).T))
    assert_near(drawn["band"], outline(square, band.fpr, band.tpr_lower, band.tpr_upper))
    points = {k: e.operating_point(threshold, alpha) for k, e in evaluations.items()}
    sizes = {k: e.n_test[1] if weights == "size" else 1 for k, e in evaluations.items()}
    mean = sum(sizes[k] / sum(sizes.values()) * points[k].fpr for k in points)
    i = int(np.floor(1000 * mean + 0.5))
    assert drawn["spoken"] == plain(
        f"threshold {threshold_text(threshold)}; mean false positive rate "
        f"{share_text(band.fpr[i])}; mean true positive rate {share_text(band.tpr[i])}, "
        f"{average_text(evaluations, alpha, band.tpr_lower[i], band.tpr_upper[i])}"
    )


def download(view: View, extension: str) -> Download:
    """The file that the toolbar's button for this kind downloads."""
    view.part("toolbar-download").click()
    with view.page.expect_download() as waiting:
        view.part(f"download-{extension}").click()
    return waiting.value


def table(text: str) -> dict[str, np.ndarray]:
    """Columns of a CSV file of numbers, in which lines with a hash are comments."""
    head, *rows = [line for line in text.splitlines() if not line.startswith("#")]
    columns = np.array([[float(cell) for cell in row.split(",")] for row in rows]).T
    return dict(zip(head.split(","), columns, strict=True))


def assert_numbers(text: str, expected: dict[str, Any], names: dict[str, str]) -> None:
    """Asserts that a CSV file has these columns, to twelve digits."""
    found = table(text)
    for column, name in names.items():
        np.testing.assert_allclose(found[column], expected[name], rtol=1e-12, atol=1e-12)


def pasted(text: str, **names: Any) -> Any:
    """The value of a cell of Python, run in a fresh namespace with only these names."""
    *first, last = ast.parse(text).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(first, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
