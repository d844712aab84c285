"""Decides how much of an evaluation a message carries, and at which alphas."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.calibration.rank_envelope import RANKS
from conformal_roc_widget.shown.evaluation_group import Group

#: Every alpha that the page's slider can reach.
ALPHA_STOPS = tuple([i / 1000 for i in range(1, 101)] + [i / 1000 for i in range(105, 501, 5)])
#: Alphas at which a page without a kernel has the limits that it cannot compute.
FROZEN_STOPS = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1),
    *(0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
)
#: Alphas of the reliability if a widget has several evaluations, so that its state stays small.
FEW_STOPS = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)
#: Every threshold that the page's slider can reach, descending.
LAMBDAS = np.arange(1000, -1, -1) / 1000
#: If a label has more residuals than this, a widget gets some of them; so does a page, unless it
#: has all test points.
MOST_RESIDUALS = 2048
#: Bytes of numbers in the state of a widget; words, the script and the bounds of the reliability
#: (13 to 54 kB an evaluation) come on top of that.
LIVE = 100_000


class Budget(NamedTuple):
    """How much a message may carry."""

    #: Arrays of at most this many numbers a label are sent whole.
    whole: int
    #: Longer arrays are sent as this many numbers, at evenly spaced ranks.
    ranks: int = 1024
    #: At most this many bytes an entry for limits that the page cannot compute; None for any
    #: number.
    frozen: int | None = None
    #: Alphas at which the page gets those limits.
    stops: tuple[float, ...] = FROZEN_STOPS
    #: Alphas at which the page gets the bounds of the reliability.
    bounds: tuple[float, ...] = FROZEN_STOPS
    #: Whether rounded numbers are sent with as few digits as they need, so that they pack well.
    short: bool = False

    def of_residuals(self, n_test: tuple[int, int]) -> Budget:
        """The budget for the residuals of an evaluation with these numbers of test points."""
        if max(n_test) <= self.whole:
            return self
        return self._replace(whole=min(self.whole, MOST_RESIDUALS))


def export_budget(alpha: float = 0.05) -> Budget:
    """Budget of a page without a kernel whose slider starts at alpha."""
    stops = stops_with(alpha)
    return Budget(whole=16_384, stops=stops, bounds=stops, short=True)


def live_budget(group: Group) -> Budget:
    """Budget of a widget, whose state must stay small enough to be saved in a notebook.

    One evaluation is sent at 1024 ranks a label or more, so that a curve 1000 pixels wide is off by
    half a pixel at most. Of many large evaluations fewer ranks are sent.
    """
    # Bytes: 17 for a vertex (a threshold and six varints), 16 for a test point (centre and score).
    every = group.entries.values()
    vertices = sum(17 * each.display.vertices.thresholds.size for each in every)
    tests = [n for each in every for n in each.display.rows]
    residuals = [values.size for each in every for values in each.display.residuals]
    # Residuals at the ranks of an envelope, and how wide it is at each stop.
    envelopes = sum(each.envelope is not None for each in every)
    vertices += 2 * 8 * (RANKS + len(ALPHA_STOPS)) * envelopes
    for whole, ranks in ((MOST_RESIDUALS, 1024), (1024, 1024), (512, 512), (256, 256)):
        size = vertices + sum(12 * (n if n <= whole else ranks) for n in tests)
        size += sum(8 * n if n <= whole else 8 * ranks + 16 * len(ALPHA_STOPS) for n in residuals)
        frozen = max(0, min(75_000, LIVE - size)) // len(every)
        budget = Budget(whole, ranks, frozen)
        if size <= LIVE or (whole == ranks == 1024 and len(every) == 1):
            break
    return budget._replace(bounds=FEW_STOPS if len(every) > 1 else FROZEN_STOPS)


def stops_with(alpha: float) -> tuple[float, ...]:
    """`FROZEN_STOPS` and one more alpha, ascending."""
    return tuple(sorted({*FROZEN_STOPS, alpha}))
