"""A notebook in long use: everything at once, in random order, while the kernel has trouble.

After each deed, page and kernel agree line by line. While there is no kernel, the page itself has
Python's numbers and says so. The memory of page and kernel must level off. This is checked after
ten minutes, `python benchmarks/soak.py 600`. `make bench` runs one minute.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import numpy as np
from playwright.sync_api import expect, sync_playwright

from conformal_roc_widget import ROCWidget

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / name) for name in ("browser", "")]

from agreement import assert_same  # noqa: E402
from chromium import CHROMIUM_FLAGS, find  # noqa: E402
from lab import Lab, collect_garbage, used_heap  # noqa: E402
from lab_server import Server  # noqa: E402
from page import Hand, known  # noqa: E402
from view import EXAMPLES, LOCAL, Point, View  # noqa: E402

#: After this many seconds, the figures must be level.
LEVEL_FROM = 600
SEED = int(os.environ.get("CRW_SOAK_SEED", "0"))

SETUP = (
    EXAMPLES
    + LOCAL
    + """
import gc, ipywidgets, psutil

def rounded(seed, n):
    y, score = scored(seed, n)
    return y, np.round(score, 2)

def resident():
    gc.collect()
    return psutil.Process().memory_info().rss / 1e6
"""
)
CELLS = (
    "widget = example(band='both')",
    "widget = example(60, 300, alpha=0.2)",
    "widget = ROCWidget.from_predictions(*rounded(0, 900), *rounded(1, 700), band='both')",
    "widget = ROCWidget(local(), alpha=0.2, band='both')",
)
SHOW = "\nbox = ipywidgets.VBox([])\nipywidgets.VBox([widget, box])"
VIEWPORTS = ((1500, 1100), (1280, 900), (1000, 800), (1700, 1300))


def in_python(cell: str) -> ROCWidget:
    """The widget of a cell, made in this process."""
    names: dict[str, Any] = {}
    exec(SETUP + cell, names)
    widget: ROCWidget = names["widget"]
    return widget


def assert_alone(view: View, widget: ROCWidget) -> dict[str, Any]:
    """Asserts that a drawing without a kernel has Python’s numbers, and that a line says who
    computes.
    """
    view.frames()
    drawn = view.drawing()
    assert drawn["source"] == "static"
    assert_same(drawn, known(widget, drawn))
    line = view.root.locator(".crw-static")
    expect(line).to_have_text(
        re.compile("^This page works on its own, without a kernel: it .+[.]$")
    )
    return drawn


def lose_kernel_in_a_drag(view: View, start: Point, *way: Point) -> None:
    """Kills the kernel while the mouse is down.

    The mouse moves on until the page knows that the kernel has gone.
    """
    view.grasp(start)
    half = len(way) // 2
    for stop in way[:half]:
        view.page.mouse.move(*stop, steps=3)
    view.lab.kill_kernel()
    view.wait("root.dataset.source === 'static'")
    for stop in way[half:]:
        view.page.mouse.move(*stop, steps=3)
        view.frames()
    view.page.mouse.up()
    view.page.locator(".jp-Dialog .jp-mod-accept").click()  # "the kernel appears to have died"


class Soak:
    """A notebook with one widget, and the deeds that may happen to it."""

    def __init__(self, lab: Lab, seed: int) -> None:
        self.lab, self.page = lab, lab.page
        self.rng = np.random.default_rng(seed)
        self.devtools = lab.page.context.new_cdp_session(lab.page)
        self.dark = False
        self.runs = 0
        self.widgets = 0  # widgets of the kernel that runs now
        self.sent_again = 0  # states of widgets that reconnecting has sent again
        self.warned = False
        lab.loses_replies = True
        lab.open([""])
        lab.stop_autosave()
        lab.execute(SETUP)
        self.show(0)

    def show(self, number: int) -> None:
        """Shows another evaluation in the cell, by its number."""
        self.cell = CELLS[number]
        self.reference = in_python(self.cell)
        self.lab.replace_cell(self.cell + SHOW)
        self.look_anew()

    def look_anew(self) -> None:
        self.runs += 1
        self.widgets += 1
        self.look()

    def look(self) -> None:
        """Finds the widget that the cell shows now, and waits until it rests."""
        self.view = View(self.lab, self.lab.wait_for_widget())
        self.view.rest()

    # ---- a reader's hands

    def drag_alpha(self) -> None:
        self.view.drag_slider("alpha", *self.alphas(2))

    def drag_threshold(self) -> None:
        self.view.drag_slider("threshold", *self.rng.uniform(0, 1, 2))

    def drag_point(self) -> None:
        way = [self.view.on_plot(*self.rng.uniform(0, 1, 2)) for _ in range(2)]
        self.view.drag(self.view.centre('[data-testid="operating-point"] .crw-point-dot'), *way)

    def pull_order_statistic(self) -> None:
        visible = [
            (label, side)
            for label in (0, 1)
            for side in ("lower", "upper")
            if self.view.handle(label, side).is_visible()
        ]
        if not visible:  # a localized evaluation has no pooled order statistics
            self.drag_alpha()
            return
        x, y = self.view.on_handle(*visible[self.rng.integers(len(visible))])
        self.view.drag((x, y), *((x + dx, y) for dx in self.rng.uniform(-60, 60, 2)))

    def press_keys(self) -> None:
        self.view.part(self.rng.choice(["alpha", "threshold", "operating-point"])).focus()
        for key in self.rng.choice(Hand.KEYS, self.rng.integers(1, 6)):
            self.page.keyboard.press(key)

    def choose_band(self) -> None:
        self.view.choose(self.rng.choice(["sensitivity", "specificity", "both"]))

    def switch_theme(self) -> None:
        self.dark = not self.dark
        self.lab.set_theme("dark" if self.dark else "light")

    def resize(self) -> None:
        width, height = VIEWPORTS[self.rng.integers(len(VIEWPORTS))]
        self.page.set_viewport_size({"width": width, "height": height})
        self.look()

    # ---- the notebook

    def run_again(self) -> None:
        self.lab.run_all()
        self.look_anew()

    def show_another(self) -> None:
        self.show(int(self.rng.integers(len(CELLS))))

    def open_second_view(self) -> None:
        """Opens a second view below the first, moves it, and closes it.

        Both views must agree with the kernel.
        """
        self.lab.execute("box.children = [widget]")
        second = View(self.lab, self.page.get_by_test_id("crw").nth(1))
        second.rest()
        second.drag_slider("alpha", *self.alphas(1))
        second.rest()
        second.assert_agrees()
        self.lab.execute("box.children = []")
        second.root.wait_for(state="detached")

    # ---- trouble

    def interrupt(self) -> None:
        self.lab.ask_of_kernel("interrupt")

    def interrupt_in_a_drag(self) -> None:
        self.in_a_drag(self.interrupt)

    def reconnect(self) -> None:
        self.sent_again += self.widgets
        self.lab.ask_of_kernel("reconnect")

    def reconnect_in_a_drag(self) -> None:
        self.in_a_drag(self.reconnect)

    def in_a_drag(self, happens: Callable[[], None]) -> None:
        start, middle, end = self.way(2)
        self.view.grasp(start)
        self.page.mouse.move(*middle, steps=5)
        happens()
        self.page.mouse.move(*end, steps=5)
        self.page.mouse.up()

    def drop_the_connection(self) -> None:
        """Drops the connection. The reader goes on while JupyterLab makes a new one by itself."""
        self.sent_again += self.widgets
        self.lab.drop_connection()
        self.drag_alpha()

    def lose_the_network(self) -> None:
        """Takes the network away until the page says that nobody answers.

        Then the reader asks for a new connection.
        """
        self.page.context.set_offline(True)
        self.lab.drop_connection()
        self.drag_alpha()
        silence = "The kernel no longer answers: It may be busy, or gone."
        expect(self.view.root.get_by_role("alert")).to_contain_text(silence)
        if not self.warned:
            dialog = self.page.locator(".jp-Dialog", has_text="Server Connection Error")
            dialog.get_by_role("checkbox").check()  # so that the dialog does not come again
            dialog.get_by_role("button", name="Close").click()
            self.warned = True
        self.drag_threshold()
        self.view.frames()
        drawn = self.view.drawing()
        if not drawn["waiting"]:
            assert drawn["source"] == "static"
            assert_same(drawn, known(self.reference, drawn))
        self.page.context.set_offline(False)
        self.reconnect()

    def restart(self) -> None:
        self.lab.ask_of_kernel("restart")
        self.view.wait("root.dataset.source === 'static'")
        assert_alone(self.view, self.reference)
        self.drag_alpha()
        self.pull_order_statistic()
        assert_alone(self.view, self.reference)
        self.begin_anew()

    def kill_in_a_drag(self) -> None:
        lose_kernel_in_a_drag(self.view, *self.way(3))
        assert_alone(self.view, self.reference)
        self.drag_threshold()
        assert_alone(self.view, self.reference)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Brings the view back, as a reader does who has lost the kernel's state."""
        self.widgets = 0
        self.lab.execute(SETUP)
        self.run_again()

    def assert_agreed(self) -> None:
        self.view.rest()
        self.view.assert_agrees()

    # ---- helpers

    def alphas(self, number: int) -> list[float]:
        return [0.001 * 500**share for share in self.rng.uniform(0, 1, number)]

    def way(self, stops: int) -> list[Point]:
        """Positions of the thumb of alpha: its own, and this many other ones."""
        places = [self.view.shown("alpha"), *self.alphas(stops)]
        return [self.view.on_track("alpha", alpha) for alpha in places]

    # ---- what is kept

    def sample(self) -> dict[str, float]:
        """Megabytes of the page's heap and of the kernel, and counts, after garbage collection."""
        collect_garbage(self.devtools)
        counts = self.devtools.send("Memory.getDOMCounters")
        return {
            "heap": round(used_heap(self.devtools), 1),
            "nodes": counts["nodes"],
            "listeners": counts["jsEventListeners"],
            "kernel": round(self.lab.kernel("resident()"), 1),
            "runs": self.runs,
            "sent again": self.sent_again,
        }


# How often each deed is done, in a hundred deeds.
DEEDS: dict[Callable[[Soak], None], float] = {
    Soak.drag_alpha: 12,
    Soak.drag_threshold: 12,
    Soak.drag_point: 12,
    Soak.pull_order_statistic: 12,
    Soak.press_keys: 12,
    Soak.choose_band: 6,
    Soak.switch_theme: 5,
    Soak.resize: 6,
    Soak.run_again: 5,
    Soak.show_another: 3,
    Soak.open_second_view: 3,
    Soak.interrupt: 2,
    Soak.interrupt_in_a_drag: 2,
    Soak.reconnect: 1.5,
    Soak.reconnect_in_a_drag: 1.5,
    Soak.drop_the_connection: 2,
    Soak.lose_the_network: 1,
    Soak.restart: 1,
    Soak.kill_in_a_drag: 1,
}
# Messages that JupyterLab and the browser write if the connection is lost.
HOSTS_COMPLAINT = re.compile("net::ERR_INTERNET_DISCONNECTED|Canceled future for ")
# By how much the median of the last third may exceed that of the second third: at most the first
# number, plus the second for each run of the cell in between, plus the third for each state that
# was sent again. ipywidgets keeps the widgets of former runs on both sides, their script and style
# among the traits; a browser never forgets a script that it has loaded, and anywidget loads one for
# each widget; JupyterLab keeps whatever a kernel sends when it connects to it anew.
MAY_RISE = {
    "heap": (4, 0.6, 0.35),
    "nodes": (1200, 20, 0),  # a thousand nodes of the view before may still be there
    "listeners": (100, 20, 0),
    "kernel": (4, 0.5, 0),
}


def soaked(lab: Lab, seconds: float) -> dict[str, float]:
    """Does random deeds for this time. Page and kernel must agree after each deed.

    Returns by how much each figure has risen.
    """
    soak = Soak(lab, SEED)
    deeds, weights = list(DEEDS), np.array(list(DEEDS.values()))
    done: list[str] = []
    samples: list[dict[str, float]] = []
    end = monotonic() + seconds
    while monotonic() < end:
        if len(done) % 10 == 0:
            samples.append(soak.sample())
            print(f"after {len(done)} deeds: {samples[-1]}", flush=True)
        deed = deeds[soak.rng.choice(len(deeds), p=weights / weights.sum())]
        done.append(deed.__name__)
        try:
            # After any deed, the next action must work.
            for act in (deed, Soak.drag_alpha):
                act(soak)
                soak.assert_agreed()
            assert [error for error in lab.errors if not HOSTS_COMPLAINT.search(error)] == []
        except BaseException as error:
            error.add_note(f"seed {SEED}, deed {len(done)}: {', '.join(done[-5:])}")
            raise
        lab.errors.clear()
    print(Counter(done))
    return {name: rise([sample[name] for sample in samples]) for name in samples[0]}


def rise(values: list[float]) -> float:
    if len(values) < 3:
        return 0.0
    _, second, last = map(np.median, np.array_split(values, 3))
    return float(last - second)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    with (
        TemporaryDirectory(prefix="crw-") as folder,
        Server(Path(folder)) as server,
        sync_playwright() as p,
    ):
        browser = p.chromium.launch(executable_path=find(), args=CHROMIUM_FLAGS)
        with Lab(server, browser, apart=True, viewport={"width": 1500, "height": 1300}) as lab:
            risen = soaked(lab, seconds)
        browser.close()
    if seconds < LEVEL_FROM:
        return
    print(f"risen by {risen}")
    risks = {
        name: risen[name]
        for name, (in_all, a_run, a_state) in MAY_RISE.items()
        if risen[name] > in_all + a_run * risen["runs"] + a_state * risen["sent again"]
    }
    if risks:
        sys.exit(f"still rising: {risks}")


if __name__ == "__main__":
    main()
