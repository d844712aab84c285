"""Makes the expected ROC curve of rows without labels.

A row with the estimated risk r counts as r rows of label 1 and as 1 - r rows of label 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import Floats, Ints, WholeScores
from conformal_roc_widget.logits import logit_of

from .observed_curve import ObservedCurve, Vertices
from .sorted_sample import SortedSample

#: If a method needs labels, its error calls the rows by these words.
UNLABELLED = "rows without labels"
#: A row without a label is divided into this many equal parts, so that counts are integers. If its
#: probability of label 1 is .3, then .3 of its parts count for label 1, and the others for label 0.
#: All rows together have at most `MOST_PARTS` parts, so that also the sum of two such counts is
#: exact in JavaScript, whose integers are exact up to 2^53.
PARTS, MOST_PARTS = 1_000_000, 2**52


def needs_labels(what: str) -> str:
    """Returns the error that the method `what` needs labels, which the rows do not have."""
    return f"{what}: found {UNLABELLED}, expected each row with its label"


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedCurve(ObservedCurve):
    """The expected curve of rows without labels. Where no label is known yet, `labels` are -1.

    `distinct_scores` ascend. For label 0 and label 1, `before` has the number of parts of rows (of
    the weight `unit`) below each distinct score, and at last the number of all parts.
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
        whole: WholeScores | None = None,
    ) -> ExpectedCurve:
        """Makes the curve from expected numbers of negative and positive rows at distinct scores.

        `same` has, for each distinct score, the expected number of (negative, positive) pairs of a
        row with itself. They are left out of the AUC.
        """
        parts = min(PARTS, MOST_PARTS // int(np.ceil(negative.sum() + positive.sum())))
        masses = [np.rint(each * parts).astype(np.intp) for each in (negative, positive)]
        zeros, ones = (np.append(0, np.cumsum(each)) for each in masses)
        below = np.append(0, np.cumsum(negative))[:-1] + negative / 2
        # `same` counts pairs of a row with itself. A row has only one label, so such pairs do not
        # exist and are subtracted.
        pairs = negative.sum() * positive.sum() - same.sum()
        return cls(
            scores,
            labels,
            counts=counts,
            unit=1 / parts,
            any_size=any_size,
            whole=whole,
            distinct_scores=distinct,
            before=(zeros, ones),
            expected_auc=float((positive @ below - same.sum() / 2) / pairs),
        )

    @property
    def sizes(self) -> tuple[int, int]:
        """The denominators of the rates of label 0 and of label 1, in parts of rows."""
        return int(self.before[0][-1]), int(self.before[1][-1])

    @cached_property
    def rows(self) -> tuple[int, int]:
        """The expected numbers of rows of label 0 and of label 1, rounded."""
        n = self.scores.size if self.counts is None else int(self.counts.sum())
        ones = round(self.sizes[1] * self.unit)
        return n - ones, ones

    @cached_property
    def dependence(self) -> str:
        """Why rows are not plain labelled rows, as words of an error."""
        return UNLABELLED

    @property
    def no_losses(self) -> str:
        """Why losses of these rows cannot be computed, as words of an error."""
        return UNLABELLED

    @property
    def sample(self) -> None:
        """None, because no row has a label."""
        return

    @cached_property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """The distinct scores for label 0 and for label 1, each with its number of parts."""
        zeros, ones = (SortedSample(self.distinct_scores, each) for each in self.before)
        return zeros, ones

    @cached_property
    def auc(self) -> float:
        """Expected share of (negative, positive) pairs of two rows that the score ranks correctly.

        Ties count half.
        """
        return self.expected_auc

    def at(self, thresholds: ArrayLike) -> Vertices:
        """See `ObservedCurve.at`. At a threshold of 1, limits count scores of exactly 1 too."""
        return self._with_one(super().at(thresholds))

    def _with_logits(self, thresholds: Floats, fp: Ints, tp: Ints) -> Vertices:
        return self._with_one(super()._with_logits(thresholds, fp, tp))

    def _with_one(self, at: Vertices) -> Vertices:
        if self.any_size:
            return at
        return at._replace(logits=np.where(at.thresholds == 1, logit_of(np.ones(1)), at.logits))
