"""How often intervals hold ``P(y = 1 | score)``, as shares of positives in bins have it.

A kernel on the score is smooth where that probability may not be, and nothing in its residuals
tells. Bins of neighbouring scores do: about n^(1/3) of them with as many points each, and no label
decides which points share one. The share of positives in a bin has Jeffreys' posterior,
``Beta(1/2 + k, 1/2 + m - k)``.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, chdtrc, expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.logits import TIE, clipped

from .score_runs import ScoreRuns

#: Number of evenly spaced quantiles that are used in place of draws from a bin's posterior.
DRAWS = 100
#: At most this many intervals are checked: those of points at evenly spaced ranks.
LOOKED_AT = 2000
#: With fewer points than this there is no note: bins would say little.
FEWEST_FOR_BINS = 100

# A note needs two findings: few draws lie within the intervals, and the estimate misfits the
# labels. The first alone is not enough, for draws have the noise of their bin, which the intervals
# of a smooth law rightly do not.

#: "Few draws" means: less than this share of them lies within intervals at a nominal .95. In our
#: study intervals that cover hold .85 to .95 of the draws.
HELD_TO_NOTE = 0.8
#: A misfit in bins is looked for with these multiples of their usual number.
SHARES_OF_BINS = (0.5, 1.0, 2.0)
#: A misfit counts if its p-value is below this. If the estimate was made from the same labels,
#: chance produces one even more rarely.
MISFIT = 0.1
#: A misfit at a step, which a smooth estimate passes: too few positives on one side of a place and
#: too many on the other, each of this share of all points.
STRETCH = 0.25
#: A step counts from this many standard deviations on. Of samples of 300 to 3,000 points at most 4
#: in 100 differ by as much if the law is smooth, and 19 in 20 if it has a step.
CONTRAST = 2.6


def bin_draws(logits: Floats, codes: Ints, rows: Ints | slice = slice(None)) -> Floats:
    """Evenly spaced quantiles (n, `DRAWS`) of the posterior of each point's bin."""
    scores = clipped(logits)
    bins = ScoreRuns.of(scores, codes == 1, TIE).joined(max(1, round(logits.size ** (1 / 3))))
    levels = (np.arange(DRAWS) + 0.5) / DRAWS
    positives, negatives = bins.positives, bins.points - bins.positives
    shares = betaincinv(0.5 + positives[:, None], 0.5 + negatives[:, None], levels)
    place = np.searchsorted(bins.scores, scores[rows] + TIE, side="right") - 1
    return np.asarray(shares[place], dtype=np.float64)


def held_share(logits: Floats, codes: Ints, lower: Floats, upper: Floats) -> float:
    """Share of the candidates that lie in the intervals of their points, given as logits."""
    n = logits.size
    rows = np.argsort(logits, kind="stable")
    if n > LOOKED_AT:
        rows = rows[np.arange(LOOKED_AT) * n // LOOKED_AT]
    shares = bin_draws(logits, codes, rows)
    low, up = expit(lower[rows])[:, None], expit(upper[rows])[:, None]
    return float(((low <= shares) & (shares <= up)).mean())


def misfit(logits: Floats, codes: Ints, reference: Floats) -> float:
    """Smallest p-value of a test that the estimates (n,) fit the positives in bins of scores.

    Pearson's statistic over bins of neighbouring scores, with chi-square limits; `reference` are
    the estimates as logits.
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
    """Largest jump of the gap between positives and estimates, in standard deviations.

    At each place between different scores, the gap of the neighbours above less that of as many
    below; `reference` are the estimates as logits. 0 where no place has enough on both sides.
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
    # Equal scores are taken together, so that their order does not matter.
    below = np.searchsorted(after, after[here] - wanted, side="right") - 1
    above = np.searchsorted(after, after[here] + wanted)
    known = spread[above] > spread[below]
    here, below, above = here[known], below[known], above[known]
    jumps = np.abs(gaps[above] - 2 * gaps[here] + gaps[below])
    return float((jumps / np.sqrt(spread[above] - spread[below])).max(initial=0.0))
