"""The curve of rows without labels: each counts for both labels, by its risk."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import logit_of

from .observed_curve import ObservedCurve, Vertices
from .sorted_sample import SortedSample

#: If labels are needed, an error says that this was found.
UNLABELLED = "rows without labels"
#: Parts in which a row counts for either label, and the most of all rows: a page holds whole
#: numbers up to 2^53.
PARTS, MOST_PARTS = 1_000_000, 2**52


def needs_labels(what: str) -> str:
    """The error if rows without labels are asked for a figure that needs labels."""
    return f"{what}: found {UNLABELLED}, expected each row with its label"


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedCurve(ObservedCurve):
    """Rows whose labels are expected: `labels` are -1 where none has come.

    At each of the ascending `distinct_scores` rows count as much as `before` tells for label 0 and
    for label 1, in units.
    """

    distinct_scores: Floats
    before: tuple[Ints, Ints]
    expected_auc: float

    @classmethod
    def of_masses(
        cls,
        scores: Floats,
        labels: NDArray[np.int8],
        distinct: Floats,
        negative: Floats,
        positive: Floats,
        same: Floats,
        counts: Ints | None,
        *,
        any_size: bool,
    ) -> ExpectedCurve:
        """The curve of expected rows at distinct scores; `same` are pairs of a row with itself."""
        parts = min(PARTS, MOST_PARTS // int(np.ceil(negative.sum() + positive.sum())))
        masses = [np.rint(each * parts).astype(np.intp) for each in (negative, positive)]
        zeros, ones = (np.append(0, np.cumsum(each)) for each in masses)
        below = np.append(0, np.cumsum(negative))[:-1] + negative / 2
        # A row is never both labels at once, so that it is no pair with itself.
        pairs = negative.sum() * positive.sum() - same.sum()
        return cls(
            scores,
            labels,
            counts=counts,
            unit=1 / parts,
            any_size=any_size,
            distinct_scores=distinct,
            before=(zeros, ones),
            expected_auc=float((positive @ below - same.sum() / 2) / pairs),
        )

    @property
    def sizes(self) -> tuple[int, int]:
        """The denominators of the rates, by label, in units of the expected rows."""
        return int(self.before[0][-1]), int(self.before[1][-1])

    @property
    def rows(self) -> tuple[int, int]:
        """Rows by label, as expected."""
        n = self.scores.size if self.counts is None else int(self.counts.sum())
        ones = round(self.sizes[1] * self.unit)
        return n - ones, ones

    @property
    def dependence(self) -> str:
        """What an error names."""
        return UNLABELLED

    @property
    def no_losses(self) -> str:
        """Why there are no losses."""
        return UNLABELLED

    @property
    def sample(self) -> None:
        """None: no row has a label to be counted by."""
        return

    @cached_property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores, as often as they count for label 0 and for label 1."""
        zeros, ones = (SortedSample(self.distinct_scores, each) for each in self.before)
        return zeros, ones

    @property
    def auc(self) -> float:
        """Expected pairs in the right order, of all expected pairs of two rows; ties half."""
        return self.expected_auc

    def at(self, thresholds: ArrayLike) -> Vertices:
        """See `ObservedCurve.at`; a score of exactly 1 reaches a threshold of 1."""
        return self._with_one(super().at(thresholds))

    def _with_logits(self, thresholds: Floats, fp: Ints, tp: Ints) -> Vertices:
        return self._with_one(super()._with_logits(thresholds, fp, tp))

    def _with_one(self, at: Vertices) -> Vertices:
        if self.any_size:
            return at
        return at._replace(logits=np.where(at.thresholds == 1, logit_of(np.ones(1)), at.logits))
