"""Individual intervals ``L + q`` of Algorithms 1 and 2, and how many lie above a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from conformal_roc_widget.quantiles import guaranteed_coverage, order_statistic, ranks
from conformal_roc_widget.validation import Floats, Ints


@dataclass(frozen=True)
class GroupedResiduals:
    """Sorted calibration residuals of one label, in one group or in several.

    Algorithm 1 has one group that serves every test point. Algorithm 2 has one a test point (its
    neighbourhood), repeated splits have one a split.

    Parameters
    ----------
    values : ndarray of shape (total,)
        Residuals, group after group, ascending within each.
    starts : ndarray of shape (g + 1,)
        Group i is ``values[starts[i] : starts[i + 1]]``.
    group : ndarray of shape (n,) or None
        Group of each test point of this label; None where there is only one group.
    """

    values: Floats
    starts: Ints
    group: Ints | None = None

    @classmethod
    def pooled(cls, residuals: Floats) -> GroupedResiduals:
        """All residuals in one group.

        Parameters
        ----------
        residuals : ndarray of shape (n,)
            In any order.

        Returns
        -------
        GroupedResiduals
            With the residuals sorted.
        """
        return cls(np.sort(residuals), np.array([0, residuals.size]))

    @classmethod
    def merged(cls, parts: Sequence[tuple[GroupedResiduals, Ints]], n: int) -> GroupedResiduals:
        """Groups of several parts of the test points as one.

        Parameters
        ----------
        parts : sequence of (GroupedResiduals, ndarray)
            Groups, and which test points of the label they serve.
        n : int
            Number of test points of the label.

        Returns
        -------
        GroupedResiduals
            With the groups of all parts, one after the other.
        """
        if len(parts) == 1:
            return parts[0][0]
        group = np.empty(n, dtype=np.intp)
        sizes, first = [], 0
        for local, points in parts:
            group[points] = first + (0 if local.group is None else local.group)
            sizes.append(local.sizes)
            first += local.sizes.size
        starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
        return cls(np.concatenate([local.values for local, _ in parts]), starts, group)

    @property
    def sizes(self) -> Ints:
        """Number of residuals in each group (g,)."""
        return np.diff(self.starts)

    def quantiles(self, alpha: float, rule: str) -> tuple[Floats, Floats]:
        """Both order statistics of every group.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        rule : str
            Quantile rule.

        Returns
        -------
        lower, upper : ndarray of shape (g,)
            Infinite where a group is too small for a limit.
        """
        lower, upper = np.empty(self.sizes.size), np.empty(self.sizes.size)
        if self.group is None:
            low, high = ranks(self.values.size, alpha, rule)
            lower[0] = order_statistic(self.values, low)
            upper[0] = order_statistic(self.values, high)
            return lower, upper
        for size in np.unique(self.sizes):
            low, high = ranks(int(size), alpha, rule)
            groups = np.flatnonzero(self.sizes == size)
            first = self.starts[groups]
            lower[groups] = self.values[first + low - 1] if low >= 1 else -np.inf
            upper[groups] = self.values[first + high - 1] if high <= size else np.inf
        return lower, upper

    def guaranteed(self, alpha: float, rule: str) -> float:
        """Smallest coverage guarantee among the test points' groups.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        rule : str
            Quantile rule.

        Returns
        -------
        float
            See `conformal_roc_widget.guaranteed_coverage`.
        """
        return min(guaranteed_coverage(int(n), alpha, rule) for n in np.unique(self.sizes))


@dataclass(frozen=True)
class Limits:
    """One end of the intervals of all test points of a label, on the logit scale.

    The limits are ``values + shift``, kept apart so that a new alpha costs a look-up and no pass
    over the points.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Ascending.
    shift : float
        Added to every value; may be infinite.
    """

    values: Floats
    shift: float = 0.0

    def count_above(self, logit_thresholds: Floats) -> Ints:
        """How many limits lie strictly above each threshold.

        Parameters
        ----------
        logit_thresholds : ndarray of shape (m,)
            Logits of the thresholds, in any order; may be infinite.

        Returns
        -------
        ndarray of shape (m,)
            Counts of ``values + shift > threshold``, decided on the rounded sum.
        """
        n = self.values.size
        if np.isinf(self.shift):
            return np.where(self.shift > logit_thresholds, n, 0)
        first = np.searchsorted(self.values, logit_thresholds - self.shift, side="right")
        # The key above is rounded differently from values + shift, so the search may stop beside a
        # tie. Step over whole groups of equal values until the sum itself agrees.
        while True:
            beyond = first > 0
            beyond[beyond] = self.values[first[beyond] - 1] + self.shift > logit_thresholds[beyond]
            short = first < n
            short[short] = self.values[first[short]] + self.shift <= logit_thresholds[short]
            if not (beyond.any() or short.any()):
                return n - first
            first[beyond] = np.searchsorted(self.values, self.values[first[beyond] - 1], "left")
            first[short] = np.searchsorted(self.values, self.values[first[short]], "right")

    def ascending(self) -> Floats:
        """All limits.

        Returns
        -------
        ndarray of shape (n,)
            ``values + shift``.
        """
        return self.values + self.shift

    def thinned(self, most: int) -> Limits:
        """Limits at evenly spaced ranks.

        Parameters
        ----------
        most : int
            How many to keep at most.

        Returns
        -------
        Limits
            These limits themselves where they are few enough.
        """
        n = self.values.size
        if n <= most:
            return self
        return Limits(self.values[((np.arange(most) + 0.5) * n / most).astype(np.intp)], self.shift)


def share_ranked_above(upper: Floats, lower: Floats) -> float:
    """Mann-Whitney share of pairs with the first above the second, ties half.

    Parameters
    ----------
    upper, lower : ndarray
        Values to compare; `lower` ascending.

    Returns
    -------
    float
        ``P(upper > lower) + P(upper = lower) / 2`` over all pairs.
    """
    below = np.searchsorted(lower, upper, side="left").sum()
    up_to = np.searchsorted(lower, upper, side="right").sum()
    return float((int(below) + int(up_to)) / (2 * upper.size * lower.size))
