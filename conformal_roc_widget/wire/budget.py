"""Decides how many numbers of an evaluation a message contains, and for which alphas.

A page without a kernel is an HTML file.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from conformal_roc_widget.calibration.rank_envelope import RANKS
from conformal_roc_widget.shown.evaluation_group import Group

#: All alphas of the page's slider.
ALPHA_STOPS = tuple([i / 1000 for i in range(1, 101)] + [i / 1000 for i in range(105, 501, 5)])
#: A page without a kernel cannot compute some kinds of limits. It gets them for these alphas, and
#: its slider stops only at these.
FROZEN_STOPS = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1),
    *(0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
)
#: If a widget has several evaluations, it gets the bounds of the reliability view for these alphas
#: only, so that its state stays small.
FEW_STOPS = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)
#: All thresholds of the page's slider in descending order.
LAMBDAS = np.arange(1000, -1, -1) / 1000
#: If a label has more residuals than this, a widget gets only those at some ranks. A page without a
#: kernel gets all of them if it gets all test points.
MOST_RESIDUALS = 2048
#: The numbers in the state of a widget take at most about this many bytes. Words, the script and
#: the bounds of the reliability view (13 to 54 kB for an evaluation) are not counted.
LIVE = 100_000


class Budget(NamedTuple):
    """How many numbers a message may contain, and at which alphas it has limits."""

    #: If a label has at most this many numbers in an array, the array is sent whole.
    whole: int
    #: Longer arrays are sent as this many numbers, at evenly spaced ranks.
    ranks: int = 1024
    #: An evaluation may use this many bytes for limits that the page cannot compute. If the page
    #: has no kernel, it is None, which means any number.
    frozen: int | None = None
    #: The alphas for which the page gets limits that it cannot compute.
    stops: tuple[float, ...] = FROZEN_STOPS
    #: The alphas for which the page gets the bounds of the reliability view.
    bounds: tuple[float, ...] = FROZEN_STOPS
    #: Some numbers may be rounded. If `short` is set, they get few digits, so that they compress
    #: well.
    short: bool = False
    #: Whether there are several evaluations. If there are, thresholds get few digits. `opening` is
    #: the threshold with which the page opens.
    several: bool = False
    opening: float = 0.5

    def of_residuals(self, n_test: tuple[int, int]) -> Budget:
        """Returns the budget for residuals of an evaluation with these numbers of test points."""
        if max(n_test) <= self.whole:
            return self
        return self._replace(whole=min(self.whole, MOST_RESIDUALS))


def export_budget(alpha: float = 0.05, threshold: float = 0.5, *, several: bool = False) -> Budget:
    """The budget of a page without a kernel, whose sliders start at `alpha` and `threshold`.

    `several` tells whether the page shows several evaluations.
    """
    stops = stops_with(alpha)
    first = Budget(whole=16_384, stops=stops, bounds=stops, short=True)
    return first._replace(several=several, opening=threshold)


def live_budget(group: Group) -> Budget:
    """Returns the budget of a widget, whose state must be small enough to be saved in a notebook.

    For a single evaluation, 1024 or more ranks of each label are sent, so that a curve 1000 pixels
    wide is off by at most half a pixel. If there are many large evaluations, fewer ranks are sent.
    """
    # A vertex takes about 17 bytes: a threshold, and six counts as varints.
    every = group.entries.values()
    vertices = sum(17 * each.sampled.screen_vertices.thresholds.size for each in every)
    tests = [n for each in every for n in each.sampled.rows]
    residuals = [values.size for each in every for values in each.page_residuals]
    # The envelope of a label takes 8 bytes for each of its residuals, and 8 for its width at each
    # alpha of the slider.
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
    """Returns `FROZEN_STOPS` with `alpha`, ascending."""
    return tuple(sorted({*FROZEN_STOPS, alpha}))
