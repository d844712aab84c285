"""How fluent a drag is in a real JupyterLab: frames, the kernel's answers, back-pressure.

All figures come from one run, on a stock server and in headless Chromium at 60 frames a second:

* Input to drawn: the time starts when the browser gets a pointer event, so that the wait for the
  next frame counts. It ends when the first frame is rendered that shows the handle at this event,
  or the band (or the point's intervals) for the event's value or a later one. The rival is an
  element that draws nothing, because no page can be quicker. Its figure is printed beside.
* Input to confirmed: the time from the pointer event until the frame is rendered that has the
  kernel's answer to it. The rival is a bare echo widget: the page sends each value as a custom
  message, the kernel sends it back, and the page writes it down. Rounds of the two alternate.
  "Paced" drags wait for the confirmation of each step before the next one. "Steady" drags make a
  step in each frame, and count only the steps that the page asked about. The rival of steady drags
  is an echo that holds requests back as the page does: at most two wait for an answer, and at most
  one is sent in 50 ms (or in 100 ms, if the page itself has already drawn the change).
* Back-pressure: 200 events a second for 10 s, while the kernel answers 20 ms late.
"""

import random
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from playwright.sync_api import Locator, sync_playwright
from table import Row, report, within

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests/browser"))

from chromium import CHROMIUM_FLAGS, find, help_text  # noqa: E402
from lab import Lab  # noqa: E402
from lab_server import Server  # noqa: E402
from view import Point, View  # noqa: E402

SIZES = (1_000, 1_000_000)
ROUNDS = 3  # the widget and the echo take turns
STEPS = 60  # steps of a drag
FRAME = 1 / 60
INPUT_LIMIT = 1.4
CONFIRMED_LIMIT = {"paced": 1.2, "steady": 1.5}
SLOW_KERNEL = 0.02
EVENTS_A_SECOND = 200
SECONDS = 10
SETTLE_LIMIT = 0.2
WAITING_LIMIT = 2

SETUP = f"""
import time
import anywidget
import numpy as np
import traitlets
from scipy.special import expit
from IPython.display import display
from conformal_roc_widget import ROCWidget
from conformal_roc_widget.wire import messages as wire

def scored(seed, n):
    rng = np.random.default_rng(seed)
    y = np.resize([0, 1], n)
    return y, expit(1.2 * (2 * y - 1) + 1.5 * rng.normal(size=n))

widgets = {{n: ROCWidget.from_predictions(*scored(0, 2_000), *scored(1, n), band="both")
           for n in {SIZES}}}

class Echo(anywidget.AnyWidget):
    name = traitlets.Unicode().tag(sync=True)
    most_waiting = traitlets.Float().tag(sync=True)
    pace_ms = traitlets.Float().tag(sync=True)
    _esm = '''
    export default {{
      render({{ model, el }}) {{
        const track = document.createElement("div");
        track.style = "width: 600px; height: 40px; background: silver; touch-action: none";
        el.append(track);
        Object.assign(el.dataset, {{ testid: model.get("name"), source: "kernel" }});
        track.dataset.testid = "bare-handle";
        let seq = 0;
        let wished = null;
        let answered = 0;
        let due = 0;
        let timer = null;
        const pump = () => {{
          if (wished === null || seq - answered >= model.get("most_waiting")) return;
          const wait = due - performance.now();
          if (wait > 0) {{
            timer ??= setTimeout(() => {{ timer = null; pump(); }}, wait);
            return;
          }}
          model.send({{ client: "echo", seq: ++seq, alpha: wished }});
          wished = null;
          due = performance.now() + model.get("pace_ms");
        }};
        track.addEventListener("pointermove", (event) => {{
          if (event.buttons === 0) return;
          const alpha = event.clientX - track.getBoundingClientRect().left;
          wished = alpha;
          pump();
          requestAnimationFrame(() => {{
            el.dataset.source = "preview";
            track.setAttribute("aria-valuenow", alpha);
          }});
        }});
        model.on("msg:custom", (answer) => {{
          answered = answer.seq;
          pump();
          requestAnimationFrame(() => {{
            el.dataset.alpha = answer.alpha;
            if (answer.seq === seq) el.dataset.source = "kernel";
          }});
        }});
      }},
    }};
    '''
    def __init__(self, name, most_waiting, pace_ms):
        super().__init__(name=name, most_waiting=most_waiting, pace_ms=pace_ms)
        self.on_msg(lambda _, content, __: self.send(content))

frame_message = wire.frame_message
def slow(*args, **options):
    time.sleep({SLOW_KERNEL})
    return frame_message(*args, **options)
"""
SHOW = """
display(widgets[{n}], Echo("echo", 1e9, 0), Echo("held-back-echo", 2, 50))
"""
ECHOES = ("echo", "held-back-echo")

Recording = dict[str, Any]


class Bench:
    """A widget above two echo widgets, and the drags on each of them."""

    def __init__(self, lab: Lab, n: int) -> None:
        self.page = lab.page
        self.lab = lab
        lab.open([SETUP, SHOW.format(n=n)])
        lab.run_all()
        self.view = View(lab, lab.wait_for_widget(), f"widgets[{n}]")
        self.view.rest()
        for name in ECHOES:
            self.page.get_by_test_id(name).wait_for()
        self.page.add_script_tag(content=(HERE / "fluency.js").read_text())

    # ---- where a drag goes

    def way_of(self, control: str) -> list[Point]:
        if control in ECHOES:
            box = self.page.get_by_test_id(control).locator("div").bounding_box()
            y = box["y"] + box["height"] / 2
            return [(box["x"] + 10 + 500 * share, y) for share in np.linspace(0, 1, STEPS)]
        if control == "alpha":
            return [self.view.on_track("alpha", a) for a in np.geomspace(0.02, 0.4, STEPS)]
        if control == "threshold":
            return [self.view.on_track("threshold", t) for t in np.linspace(0.05, 0.95, STEPS)]
        kernel = self.view.kernel()
        vertices = np.searchsorted(kernel["fpr"], np.linspace(0.02, 0.7, STEPS))
        return [self.view.on_plot(kernel["fpr"][i], kernel["tpr"][i]) for i in vertices]

    def bring(self, control: str) -> Locator:
        is_echo = control in ECHOES
        part = self.page.get_by_test_id(control) if is_echo else self.view.part(control)
        part.scroll_into_view_if_needed()
        return part

    def grasp(self, control: str, way: Sequence[Point]) -> None:
        start = way[0]
        if control == "operating-point":
            start = self.view.centre('[data-testid="operating-point"] .crw-point-dot')
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*way[0])
        time.sleep(0.3)

    # ---- recording

    def record(self, control: str) -> None:
        is_echo = control in ECHOES
        root = self.page.get_by_test_id(control) if is_echo else self.view.root
        name = "threshold" if control in ("threshold", "operating-point") else "alpha"
        handle = "bare-handle" if is_echo else control
        arguments = [root.element_handle(), handle, name]
        self.page.evaluate("(given) => startRecording(...given)", arguments)

    def stop(self) -> Recording:
        return self.page.evaluate("stopRecording()")

    def steady_drag(self, control: str) -> Recording:
        """Drags there and back, with one step in each frame."""
        self.bring(control)
        way = self.way_of(control)
        self.grasp(control, way)
        self.record(control)
        due = time.perf_counter()
        for stop in (*way[1:], *way[-2::-1]):
            due = max(due + FRAME, time.perf_counter() + random.uniform(0, FRAME / 4))
            self.page.mouse.move(*stop)
            time.sleep(max(0, due - time.perf_counter()))
        time.sleep(0.5)
        recording = self.stop()
        self.page.mouse.up()
        time.sleep(0.3)
        return recording

    def paced_drag(self, control: str) -> list[tuple[float, float, float]]:
        """For each step, the seconds to the request, from there to the answer, and from there to
        the frame.
        """
        self.bring(control)
        way = self.way_of(control)[::2]
        self.grasp(control, way)
        taken = []
        for stop in way[1:]:
            time.sleep(random.uniform(0.02, 0.06))
            self.record(control)
            self.page.mouse.move(*stop)
            total = self.page.evaluate("confirmed()") / 1000
            recording = self.stop()
            asked, answered = recording["sent"][0], recording["received"][0]
            to_request = (asked["time"] - asked["event"]) / 1000
            to_answer = (answered["time"] - asked["time"]) / 1000
            taken.append((to_request, to_answer, total - to_request - to_answer))
        self.page.mouse.up()
        time.sleep(0.3)
        return taken

    def press_on(self) -> tuple[Recording, float]:
        """Drags too quickly for a slow kernel. Returns the last value of the drag too."""
        self.lab.execute("wire.frame_message = slow")
        self.bring("alpha")
        goal = 0.45  # the drag ends at this alpha
        n = EVENTS_A_SECOND * SECONDS
        alphas = [*(0.02 * 20 ** (0.5 + 0.5 * np.sin(np.arange(n - 1) / 40))), goal]
        left, y = self.view.on_track("alpha", 0.001)
        width = self.view.on_track("alpha", 0.5)[0] - left
        shares = np.log(np.array(alphas) / 0.001) / np.log(500)
        points = [(float(left + width * share), y) for share in shares]
        self.grasp("alpha", [self.view.on_track("alpha", 0.05)])
        self.record("alpha")
        track = self.view.part("alpha-track").element_handle()
        took = self.page.evaluate(
            "(given) => moveQuickly(...given)", [track, points, EVENTS_A_SECOND]
        )
        self.page.wait_for_timeout(3000)
        recording = self.stop()
        self.page.mouse.up()
        self.view.rest()
        self.lab.execute("wire.frame_message = frame_message")
        print(f"{n / took * 1000:.0f} events a second for {took / 1000:.1f} s")
        return recording, goal


# ---- figures of a recording, in seconds


def input_to_handle(recording: Recording) -> list[float]:
    return [
        (frame["painted"] - event) / 1000
        for frame in recording["frames"]
        for event in frame["events"]
    ]


def input_to_band(recording: Recording) -> list[float]:
    """For each event, the time until the band of its value, or of a later one, is on the screen."""
    frames = recording["frames"]
    taken = []
    for i, frame in enumerate(frames):
        later: set[float] = set()
        for after in frames[i:]:
            later.add(after["wanted"])
            if after["shown"] in later:
                taken += [(after["painted"] - event) / 1000 for event in frame["events"]]
                break
    return taken


def input_to_answer(recording: Recording, control: str) -> list[float]:
    """For each request, the time from its event until its answer is on the screen."""
    painted = {a["seq"]: a["painted"] for a in recording["received"] if "painted" in a}
    wanted = "handle" if control in ECHOES else "wanted"
    taken = []
    for request in recording["sent"]:
        if control == "echo":  # this widget sends at once
            asked = request["event"]
        else:  # the request may have waited for its turn
            asked = max(
                (
                    event
                    for frame in recording["frames"]
                    if frame[wanted] == request["value"]
                    for event in frame["events"]
                    if event <= request["time"]
                ),
                default=None,
            )
        if asked is not None and request["seq"] in painted:
            taken.append((painted[request["seq"]] - asked) / 1000)
    return taken


def most_waiting(recording: Recording) -> int:
    """The largest number of requests that waited at once.

    A request waits until it, or a later one, is answered.
    """
    answered_until = 0
    waiting: set[int] = set()
    most = 0
    both = [(m["time"], "sent", m["seq"]) for m in recording["sent"]]
    both += [(m["time"], "received", m["seq"]) for m in recording["received"]]
    for _, kind, seq in sorted(both):
        if kind == "sent":
            waiting.add(seq)
            most = max(most, len(waiting))
        else:
            answered_until = max(answered_until, seq)
            waiting = {s for s in waiting if s > answered_until}
    return most


def settled_after(recording: Recording, goal: float) -> float:
    """The time from the last event until the screen rests on the kernel's answer to it."""
    frames = recording["frames"]
    resting = len(frames)
    while resting > 0 and (frames[resting - 1]["shown"], frames[resting - 1]["source"]) == (
        goal,
        "kernel",
    ):
        resting -= 1
    if resting == len(frames):
        raise AssertionError("the screen never came to rest on the kernel's last answer")
    return (frames[resting]["painted"] - recording["lastEvent"]) / 1000


def p95(times: Sequence[float]) -> float:
    return float(np.percentile(times, 95))


def summary(what: str, times: Sequence[float]) -> str:
    middle, high = 1000 * np.percentile(times, [50, 95])
    return f"{what}: p50 {middle:.1f} ms, p95 {high:.1f} ms ({len(times)})"


def drags(bench: Bench, n: int) -> list[Row]:
    rows = []
    points = f"{n:,} points"
    for control in ("alpha", "threshold", "operating-point"):
        recordings, bare = [], []
        for _ in range(ROUNDS):
            recordings.append(bench.steady_drag(control))
            bare.append(input_to_handle(bench.steady_drag("echo")))
        print(summary("input to frame of an element that draws nothing", [*chain(*bare)]))
        least = [p95(times) for times in bare]
        for part, measure in (("handle", input_to_handle), ("band", input_to_band)):
            rounds = [measure(recording) for recording in recordings]
            what = f"input to {part} drawn, {control}, {points}"
            print(summary(what, [*chain(*rounds)]))
            high = [p95(times) for times in rounds]
            rows.append(Row(f"{what}, p95", high, "draws nothing", least, INPUT_LIMIT))
    parts: dict[str, list[list[tuple[float, float, float]]]] = {"alpha": [], "echo": []}
    steady: dict[str, list[list[float]]] = {"alpha": [], "held-back-echo": []}
    for _ in range(ROUNDS):
        for control, rounds in parts.items():
            rounds.append(bench.paced_drag(control))
        for control, rounds in steady.items():
            rounds.append(input_to_answer(bench.steady_drag(control), control))
    paced = {
        control: [[sum(step) for step in steps] for steps in rounds]
        for control, rounds in parts.items()
    }
    for control, rounds in parts.items():
        steps = [*chain(*rounds)]
        medians = " + ".join(f"{1000 * value:.1f}" for value in np.median(steps, axis=0))
        print(f"paced, {control}: to request + to answer + to frame: {medians} ms (p50)")
    for pace, times in (("paced", paced), ("steady", steady)):
        for control, rounds in times.items():
            print(summary(f"confirmed, {pace}, {control}, {points}", [*chain(*rounds)]))
        rival_name = [*times][1]
        for name, of in (("p50", np.median), ("p95", p95)):
            what = f"input to confirmed, {pace}, {points}, {name}"
            ours, rival = ([float(of(one)) for one in rounds] for rounds in times.values())
            rows.append(Row(what, ours, f"{rival_name}, {pace}", rival, CONFIRMED_LIMIT[pace]))
    return rows


def pressure(bench: Bench) -> list[Row]:
    """The time until the screen rests, and the number of requests that waited."""
    recording, goal = bench.press_on()
    print(f"{len(recording['sent'])} requests, {len(recording['received'])} answers")
    settled, waiting = settled_after(recording, goal), most_waiting(recording)
    return [
        within("drag: last event to rest, kernel 20 ms slow", settled, SETTLE_LIMIT, "s"),
        within("drag: most requests waiting at once", waiting, WAITING_LIMIT, "requests"),
    ]


def main() -> int:
    browser_path = find()
    if browser_path is None:
        sys.exit(help_text())
    random.seed(0)
    rows: list[Row] = []
    with (
        TemporaryDirectory(prefix="crw-") as folder,
        Server(Path(folder)) as server,
        sync_playwright() as p,
        p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS) as browser,
    ):
        for n in SIZES:
            with Lab(server, browser, apart=True, viewport={"width": 1500, "height": 1300}) as lab:
                bench = Bench(lab, n)
                rows += drags(bench, n)
                if n == SIZES[0]:
                    rows += pressure(bench)
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main())
