"""Seconds against the size of the test set. If a file name is given, a picture is drawn too."""

import re
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.metrics import roc_curve
from table import in_turn, scored, shown

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
THRESHOLDS = np.linspace(0, 1, 1_001)
DECADES = [10.0**k for k in range(-6, 2)]
#: These colours can be told apart on white and on the dark ground.
COLOURS = ["#808080", "#d55e00", "#2a7fc9", "#8a7d00", "#009e73", "#8466d6", "#c45a93"]
#: If the reader's theme is dark, the picture has the page's dark background and colours.
DARK = """<style>@media (prefers-color-scheme: dark) {
.ground { fill: #1e2129 } text { fill: #e6edf3 } line { stroke: #57606a }
}</style>"""


def measured(n: int) -> dict[str, float]:
    rng = np.random.default_rng(0)
    calibration, (y, score) = scored(rng, 2_000), scored(rng, n)
    alphas = cycle(np.linspace(0.01, 0.4, 1_001).round(5).tolist())

    def make() -> RocEvaluation:
        return RocEvaluation.from_predictions(*calibration, y, score)

    made = make()
    group = Group.of(made)
    wire.data_message(group)
    calls: dict[str, Callable[[], object]] = {
        "roc_curve (scikit-learn)": lambda: roc_curve(y, score),
        "from_predictions and a first band": lambda: make().band(0.05, THRESHOLDS),
        "from_predictions": make,
        "np.sort of the scores": lambda: np.sort(score),
        "exact AUC range, new alpha": lambda: made.ideal_auc_range(next(alphas)),
        "frame of the widget, new alpha": lambda: wire.frame_message(
            group, next(alphas), 0.5, "", 0
        ),
        "exact band at 1001 thresholds, new alpha": lambda: made.band(next(alphas), THRESHOLDS),
    }
    for call in calls.values():
        call()
    taken = in_turn(*calls.values(), runs=5 if n > 1_000_000 else 15)
    return dict(zip(calls, map(median, taken), strict=True))


def draw(table: dict[int, dict[str, float]], path: str) -> None:
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(
        [
            {"test points": n, "seconds": taken, "what": name}
            for n, row in table.items()
            for name, taken in row.items()
        ]
    )
    names = list(table[SIZES[0]])
    chart = alt.Chart(frame, width=360, height=300, background="#ffffff").mark_line(point=True)
    chart = chart.encode(
        x=alt.X("test points").scale(type="log").axis(format="~s", values=SIZES),
        y=alt.Y("seconds").scale(type="log").axis(format="~g", values=DECADES),
        color=alt.Color("what").sort(names).scale(range=COLOURS).title(None),
    ).configure_legend(labelLimit=300, symbolType="stroke")
    chart.save(path)
    if path.endswith(".svg"):
        drawn = re.sub(r' (aria|role)[\w-]*="[^"]*"', "", Path(path).read_text())
        head, start, rest = drawn.partition("<rect ")
        Path(path).write_text(f'{head}{DARK}{start}class="ground" {rest}\n')


def main(path: str | None = None) -> int:
    table = {n: measured(n) for n in SIZES}
    names = list(table[SIZES[0]])
    width = max(map(len, names))
    print(" " * width, *(f"{n:>12,}" for n in SIZES))
    for name in names:
        print(name.ljust(width), *(f"{shown(table[n][name]):>12}" for n in SIZES))
    if path is not None:
        draw(table, path)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
