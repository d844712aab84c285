"""The paper's limits from a score alone: their target is an ideal recalibration of that score.

With the score as the only feature, ``pi(x)`` is out of reach: a reference that is made from the
score estimates ``P(y = 1 | score)``, and so residuals and intervals are for that.
"""

from __future__ import annotations

from dataclasses import dataclass

from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import AucRange, PointIntervals
from conformal_roc_widget.evaluation.youden import YoudenRange

_IDEAL = "an ideal recalibration of this score knows P(y = 1 | score)"
TARGET = (
    "an ideal recalibration's sensitivity and specificity, at the same threshold, on this test "
    f"set; {_IDEAL}"
)
_RANGE_TARGET = (
    "of an ideal recalibration on this test set, if its sensitivity and specificity are within the "
    f"limits at every threshold; {_IDEAL}"
)
POINT_TARGET = "P(y = 1 | score) of each test point, given its label"


class ScoreAuc(AucRange):
    """Area under the observed curve, and the range that the intervals of the score allow."""

    @property
    def target(self) -> str:
        """The area that the range is for."""
        return f"the area under the curve {_RANGE_TARGET}"


class ScoreYouden(YoudenRange):
    """Youden's index of the observed curve, and the range that the intervals of the score allow."""

    @property
    def target(self) -> str:
        """The index that the range is for."""
        return f"Youden's index {_RANGE_TARGET}"


@dataclass(frozen=True, eq=False)
class ScoreAtAlpha(AtAlpha):
    """A test set and residuals against a reference made from the score alone, at one alpha."""

    @property
    def target(self) -> str:
        """The rates that the limits are for."""
        return TARGET

    def auc(self) -> ScoreAuc:
        """Area under the observed curve, and the range that the intervals allow; see `AtAlpha.auc`.

        Returns
        -------
        ScoreAuc
            Unpacks into the observed area and the two ends of the range.
        """
        return ScoreAuc(*super().auc())

    def youden(self) -> ScoreYouden:
        """Youden's index and the range that the intervals allow; see `AtAlpha.youden`.

        Returns
        -------
        ScoreYouden
            Unpacks into the index, the two ends of the range, and the threshold.
        """
        return ScoreYouden(*super().youden())

    def intervals(self) -> PointIntervals:
        """Interval of every test point for ``P(y = 1 | score)``, given its label.

        Returns
        -------
        PointIntervals
            Unpacks into probabilities of shape (n_test,), in the order of the test set.
        """
        found = super().intervals()
        return PointIntervals.of(*found, found.guarantee, POINT_TARGET)
