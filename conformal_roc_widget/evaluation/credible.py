"""``guarantee="credible"``: candidates for the ideal model's rates at one threshold.

Conformal limits hold whatever couples the classifier and the truth, and most of their width is the
worst such coupling. An ideal model's rates at a threshold do not contain the classifier. So the
candidates of `conformal_roc_widget.evaluation.ideal_curve`, test sets of posterior draws with
labels of their own, are read here at a threshold in place of a false positive rate.

The i-th smallest ``logit pi`` of a label differs from candidate to candidate. Two of its order
statistics are limits of it, and counting these limits above a threshold gives the same order
statistics of the rate there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

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

#: Candidates are read at this many ranks of a label at most.
MOST_RANKS = 1_000


def ordered_candidates(points: LabelledDraws, n_test: tuple[int, int]) -> tuple[Floats, Floats]:
    """Ordered ``logit pi`` of each label over all candidates, ascending at each rank (s, m)."""
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
    """An observed curve with candidates for an ideal model's rates.

    `made_from` is the curve with limits for a threshold drawn at random.
    """

    made_from: CalibratedCurve
    points: Callable[[], LabelledDraws]

    @classmethod
    def of(cls, curve: CalibratedCurve, points: Callable[[], LabelledDraws]) -> CredibleCurve:
        """A curve under this guarantee, with the points and residuals that it has."""
        own = curve.observed, curve.groups, curve.rule, candidate_rates(), curve.point_promise
        return cls(*own, made_from=curve, points=points)

    def at(self, alpha: float) -> CredibleAtAlpha:
        """Everything at one alpha."""
        return CredibleAtAlpha.of(self, alpha)

    def individually(self) -> CalibratedCurve:
        """See `CalibratedCurve.individually`."""
        return self.made_from

    @cached_property
    def candidates(self) -> tuple[Floats, Floats]:
        """See `ordered_candidates`."""
        return ordered_candidates(self.points(), self.observed.rows)

    @property
    def notes(self) -> tuple[Note, ...]:
        """None: no limit is missing."""
        return ()

    @property
    def vacuous_below(self) -> dict[int, float]:
        """0: there are limits at every alpha."""
        return {0: 0.0, 1: 0.0}

    @property
    def pooled(self) -> bool:
        """False: limits are not made of a centre and a quantile."""
        return False

    @property
    def group_sizes(self) -> None:
        """None: no group of residuals makes the limits."""
        return


@dataclass(frozen=True, eq=False)
class CredibleAtAlpha(OrderedAtAlpha):
    """A test set and candidates for an ideal model's rates at one significance level."""

    _curve: CredibleCurve

    @property
    def guaranteed(self) -> dict[int, float]:
        """Label -> share of the candidates between both limits."""
        return dict.fromkeys((0, 1), 1 - self.alpha)

    @cached_property
    def lower(self) -> Ends:
        """Lower limits of the ordered ``logit pi``."""
        return by_label(lambda k: Limits(self._ordered(k, 0)))

    @cached_property
    def upper(self) -> Ends:
        """Upper limits of the ordered ``logit pi``."""
        return by_label(lambda k: Limits(self._ordered(k, 1), 2 * TIE))

    def _ordered(self, label: int, side: int) -> SortedSample:
        limits = self._curve.candidates[label][places(CANDIDATES, self._alpha_as_given)[side]]
        n = self._curve.observed.sizes[label]
        return SortedSample(limits[np.arange(n) * limits.size // n])

    def _missing(self, label: int) -> NDArray[np.bool_]:
        """No limit is missing."""
        return np.zeros((2, 1), dtype=bool)
