"""An observed curve with the parts that its intervals are made of: centres and residuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.weighted_residuals import Residuals, WeightedResiduals
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.promise import Promise


@dataclass(frozen=True, eq=False)
class CalibratedCurve:
    """Scores, labels and residuals, sorted once for every alpha.

    `groups` serve the band and `individual` the intervals of single points, each by label;
    `n_calibration` counts the residuals of each label; `promise` and `point_promise` have a
    place for the ``{confidence}``; `centres` are None where they are the curve's own logits.
    """

    curve: ObservedCurve
    groups: tuple[Residuals, Residuals]
    individual: tuple[Residuals, Residuals]
    n_calibration: Mapping[int, int]
    rule: str
    promise: Promise
    point_promise: Promise
    neighbour_noun: str
    centres: Floats | None = None

    @property
    def pooled(self) -> bool:
        """Whether one pair of order statistics serves all test points of a label."""
        return all(groups.points is None for groups in self.groups)

    @property
    def weighted(self) -> bool:
        """Whether residuals have weights, so that their number does not tell the ranks."""
        return any(isinstance(groups, WeightedResiduals) for groups in self.groups)

    @property
    def centre_logits(self) -> Floats:
        """Centres of the intervals in the order of the test set."""
        return self.curve.logits if self.centres is None else self.centres

    @cached_property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample]:
        """Centres by label: ascending, or in the order of the residual groups that serve them."""
        zeros, ones = (self._sorted_centres_of(k) for k in (0, 1))
        return zeros, ones

    def _sorted_centres_of(self, label: int) -> SortedSample:
        points = self.groups[label].points
        if points is None and self.centres is None:
            # Logits hardly ever fall as scores rise, but a clipped one may.
            before = self.curve.sorted_scores[label].before
            counts = None if before is None else np.diff(before)
            return SortedSample.of(self.curve.sorted_logits[label], counts)
        centres = self.centre_logits[self.curve.labels == label]
        return SortedSample.of(centres) if points is None else SortedSample(centres[points])

    def centres_at_ranks(self, ranks: int) -> tuple[SortedSample, SortedSample]:
        """Pooled centres at evenly spaced ranks of a label that has more."""
        if (centres := self._centres_at_ranks.get(ranks)) is None:
            zeros, ones = (SortedSample(s.at_even_ranks(ranks)) for s in self.sorted_centres)
            centres = self._centres_at_ranks[ranks] = zeros, ones
        return centres

    @cached_property
    def _centres_at_ranks(self) -> dict[int, tuple[SortedSample, SortedSample]]:
        """`centres_at_ranks` by the number of ranks."""
        return {}
