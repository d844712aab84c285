"""Finds candidates for the ideal model's rates at one threshold, for ``guarantee="credible"``.

Conformal limits hold for every joint distribution of the classifier's scores and the true
probabilities ``pi``, and most of their width is due to the worst one. But the ideal model's rates
at a threshold do not depend on the classifier. So they have the same candidates as in
`conformal_roc_widget.evaluation.ideal_curve`: test sets with a posterior draw of ``logit pi`` and
labels drawn from it. Here their rates are read at a threshold instead of a false positive rate.

For each label and each i, the i-th smallest ``logit pi`` differs between candidates, and two order
statistics of it are its limits. Counting these limits above a threshold gives the same two order
statistics of the count there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, by_label
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.promise import candidate_rates
from conformal_roc_widget.text import Note

from .at_alpha import CalibratedCurve, Ends
from .everywhere import OrderedAtAlpha
from .ideal_curve import CANDIDATES, LabelledDraws, candidate_samples, places
from .sorted_sample import Limits, SortedSample, even_ranks

#: A candidate is a possible ``logit pi``. At most this many of its values are stored for each
#: label, at evenly spaced ranks.
MOST_RANKS = 1_000


def ordered_candidates(points: LabelledDraws, n_test: tuple[int, int]) -> tuple[Floats, Floats]:
    """Returns for label 0 and label 1 the ``logit pi`` (s, m) of s candidates at m ranks.

    `points` are posterior draws at labelled points, and `n_test` the numbers of test points by
    label. Each column belongs to one rank, and is sorted over the candidates.
    """
    samples, sizes = candidate_samples(points, n_test)
    ranks = [even_ranks(size, min(size, MOST_RANKS)) for size in sizes]
    found = tuple(np.empty((CANDIDATES, each.size)) for each in ranks)
    for s, drawn, *counts in samples:
        logits = points.draws[drawn.order[drawn.starts], s % points.draws.shape[1]]
        for of_label, upto, each in zip(found, counts, ranks, strict=True):
            of_label[s] = logits[upto.searchsorted(each, side="right")]
    zeros, ones = found
    return np.sort(zeros, axis=0), np.sort(ones, axis=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class CredibleCurve(CalibratedCurve):
    """An observed curve whose limits come from candidates for the ideal model's rates.

    `made_from` is the same curve under ``guarantee="individual"``. `points` returns the posterior
    draws that candidates are sampled from.
    """

    made_from: CalibratedCurve
    points: Callable[[], LabelledDraws]
    is_shifted: ClassVar[bool] = False

    @classmethod
    def of(cls, curve: CalibratedCurve, points: Callable[[], LabelledDraws]) -> CredibleCurve:
        """Returns `curve` under ``guarantee="credible"``."""
        own = curve.observed, curve.groups, curve.rule, candidate_rates(), curve.point_promise
        return cls(*own, made_from=curve, points=points)

    def at(self, alpha: float) -> CredibleAtAlpha:
        """Computes all results at the significance level `alpha`."""
        return CredibleAtAlpha.of(self, alpha)

    def individually(self) -> CalibratedCurve:
        """See `CalibratedCurve.individually`."""
        return self.made_from

    @cached_property
    def candidates(self) -> tuple[Floats, Floats]:
        """The candidates for label 0 and for label 1. See `ordered_candidates`."""
        return ordered_candidates(self.points(), self.observed.rows)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Empty, because every label has limits at every alpha."""
        return ()

    @property
    def vacuous_below(self) -> dict[int, float]:
        """0 for both labels, because there are limits at every alpha."""
        return {0: 0.0, 1: 0.0}


@dataclass(frozen=True, eq=False)
class CredibleAtAlpha(OrderedAtAlpha):
    """The results at one significance level under ``guarantee="credible"``."""

    _curve: CredibleCurve

    @cached_property
    def lower(self) -> Ends:
        """For each label and all i, the lower limit of its i-th smallest ``logit pi``."""
        return by_label(lambda k: Limits(self._ordered(k, 0)))

    @cached_property
    def upper(self) -> Ends:
        """For each label and all i, the upper limit of its i-th smallest ``logit pi``."""
        return by_label(lambda k: Limits(self._ordered(k, 1), 2 * TIE))

    def _ordered(self, label: int, side: int) -> SortedSample:
        limits = self._curve.candidates[label][places(CANDIDATES, self._alpha_as_given)[side]]
        n = self._curve.observed.sizes[label]
        return SortedSample(limits[np.arange(n) * limits.size // n])

    def _missing(self, label: int) -> NDArray[np.bool_]:
        """Returns False for both sides, because no limit is missing."""
        return np.zeros((2, 1), dtype=bool)
