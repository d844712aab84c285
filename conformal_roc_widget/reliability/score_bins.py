"""Checks intervals for ``P(y = 1 | score)`` against the shares of positives in bins of scores.

The estimate behind the intervals, a kernel on the score, is smooth, but ``P(y = 1 | score)`` may
have steps. The kernel's residuals do not show these, but bins of neighbouring scores do. There are
about n^(1/3) bins with equal numbers of points. They do not depend on labels. If a bin has m points
and k positives, the posterior of its share of positives is ``Beta(1/2 + k, 1/2 + m - k)``
(Jeffreys).
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, chdtrc, expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import TIE, clipped

from .score_runs import ScoreRuns

#: The posterior of a bin is represented by this many evenly spaced quantiles, instead of random
#: draws.
DRAWS = 100
#: At most this many points have their interval checked. They are at evenly spaced ranks.
LOOKED_AT = 2000
#: If there are fewer points than this, no note warns of a misfit, because bins would say little.
FEWEST_FOR_BINS = 100

# A note warns of a misfit if few draws are within the intervals, and if the estimate also misfits
# the labels or smooths a step away. Few draws alone are not enough: draws scatter with the noise of
# their bin. If ``P(y = 1 | score)`` is smooth, good intervals are narrower than this scatter.

#: Draws are few if less than this share of them is within intervals at a nominal .95. In our study,
#: intervals with the right coverage contain .85 to .95 of the draws.
HELD_TO_NOTE = 0.8
#: Misfit is tested with several numbers of bins: the usual number times each of these.
SHARES_OF_BINS = (0.5, 1.0, 2.0)
#: If the p-value of a test is below this, the estimate misfits. If the estimate was made from the
#: same labels, chance gives such a p-value even less often.
MISFIT = 0.1
#: If ``P(y = 1 | score)`` has a step, a smooth estimate expects too many positives on one side of
#: it and too few on the other. `contrast` compares two neighbouring ranges of scores, each with
#: this share of all points.
STRETCH = 0.25
#: If `contrast` is at least this, there is a step. For 300 to 3,000 points, it reaches this in at
#: most 4 of 100 samples if ``P(y = 1 | score)`` is smooth, and in 19 of 20 if it has a step.
CONTRAST = 2.6


def bin_draws(logits: Floats, codes: Ints, rows: Ints | slice = slice(None)) -> Floats:
    """Returns evenly spaced quantiles (n, `DRAWS`) of the posterior of each point's bin.

    `logits` are the scores of all points, and `codes` their labels. Results are for the points
    `rows`.
    """
    scores = clipped(logits)
    bins = ScoreRuns.of(scores, codes == 1, TIE).joined(max(1, round(logits.size ** (1 / 3))))
    levels = (np.arange(DRAWS) + 0.5) / DRAWS
    positives, negatives = bins.positives, bins.points - bins.positives
    shares = betaincinv(0.5 + positives[:, None], 0.5 + negatives[:, None], levels)
    place = np.searchsorted(bins.scores, scores[rows] + TIE, side="right") - 1
    return np.asarray(shares[place], dtype=np.float64)


def held_share(logits: Floats, codes: Ints, lower: Floats, upper: Floats) -> float:
    """Returns the share of the `bin_draws` that are within the intervals of their points.

    `lower` and `upper` are the limits of the intervals as logits.
    """
    n = logits.size
    rows = np.argsort(logits, kind="stable")
    if n > LOOKED_AT:
        rows = rows[np.arange(LOOKED_AT) * n // LOOKED_AT]
    shares = bin_draws(logits, codes, rows)
    low, up = expit(lower[rows])[:, None], expit(upper[rows])[:, None]
    return float(((low <= shares) & (shares <= up)).mean())


def misfit(logits: Floats, codes: Ints, reference: Floats) -> float:
    """Returns the smallest p-value of tests whether estimates (n,) fit the positives in bins.

    The tests use Pearson's statistic over bins of neighbouring scores, with a chi-square
    distribution. `reference` has the estimates as logits.
    """
    estimates, scores = expit(reference), clipped(logits)
    values = []
    for share in SHARES_OF_BINS:
        wanted = max(2, round(share * logits.size ** (1 / 3)))
        bins = ScoreRuns.of(scores, codes == 1, TIE).joined(wanted)
        place = np.searchsorted(bins.scores, scores + TIE, side="right") - 1
        gaps = np.bincount(place, codes - estimates)
        spread = np.bincount(place, estimates * (1 - estimates))
        known = spread > 0
        values.append(float(chdtrc(known.sum(), (gaps[known] ** 2 / spread[known]).sum())))
    return min(values)


def contrast(logits: Floats, codes: Ints, reference: Floats) -> float:
    """Returns the largest jump between positives and estimates, in standard deviations.

    For some points, let the gap be the number of positives minus the sum of the estimates. Between
    two different scores, the jump is the gap of the neighbours above minus the gap of as many
    below. `reference` has the estimates as logits. If there are nowhere enough points on both
    sides, the result is 0.
    """
    estimates, scores = expit(reference), clipped(logits)
    groups = ScoreRuns.of(scores, codes == 1, TIE)
    group = np.searchsorted(groups.scores, scores + TIE, side="right") - 1

    def summed(values: Floats) -> Floats:
        return np.concatenate([[0.0], np.cumsum(np.bincount(group, values))])

    gaps, spread = summed(codes - estimates), summed(estimates * (1 - estimates))
    after = np.concatenate([[0], np.cumsum(groups.points)])
    wanted = STRETCH * logits.size
    here = np.flatnonzero((after >= wanted) & (after <= logits.size - wanted))
    # Next to each place in `here` lie two ranges: one ends there and begins at `below`, the other
    # begins there and ends at `above`. All ends are between distinct scores, so the order of equal
    # scores has no effect.
    below = np.searchsorted(after, after[here] - wanted, side="right") - 1
    above = np.searchsorted(after, after[here] + wanted)
    known = spread[above] > spread[below]
    here, below, above = here[known], below[known], above[known]
    jumps = np.abs(gaps[above] - 2 * gaps[here] + gaps[below])
    return float((jumps / np.sqrt(spread[above] - spread[below])).max(initial=0.0))
