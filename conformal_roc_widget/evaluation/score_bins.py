"""How often intervals hold ``pi_s = P(y = 1 | score)``, as shares of positives in bins have it.

A kernel on the score is smooth where ``pi_s`` may not be, and nothing in its residuals tells. Bins
of neighbouring scores do: about n^(1/3) of them with as many points each, so that their noise and
what ``pi_s`` varies within them are of one order, and no label decides which points share one. The
share of positives in a bin has Jeffreys' posterior, ``Beta(1/2 + k, 1/2 + m - k)``.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv, expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.logits import TIE, clipped, logit_of
from conformal_roc_widget.evaluation.score_runs import ScoreRuns

#: Quantiles of a bin's posterior that stand for draws.
DRAWS = 100


def bin_draws(logits: Floats, codes: Ints) -> Floats:
    """Candidates (n, `DRAWS`) for ``logit pi_s`` of each point, evenly spaced in its posterior."""
    scores = clipped(logits)
    bins = ScoreRuns.of(scores, codes == 1, TIE).joined(max(1, round(logits.size ** (1 / 3))))
    levels = (np.arange(DRAWS) + 0.5) / DRAWS
    positives, negatives = bins.positives, bins.points - bins.positives
    shares = betaincinv(0.5 + positives[:, None], 0.5 + negatives[:, None], levels)
    place = np.searchsorted(bins.scores, scores + TIE, side="right") - 1
    return np.asarray(logit_of(shares.astype(np.float64))[place])


def held_share(draws: Floats, lower: Floats, upper: Floats) -> float:
    """Share of the draws of all points that lie in the points' intervals of probabilities."""
    shares = expit(draws)
    return float(((expit(lower)[:, None] <= shares) & (shares <= expit(upper)[:, None])).mean())
