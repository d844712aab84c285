"""The learning gap: the variance of ``pi`` that more points would still reveal, given to draws.

All posteriors of the learned reference know too little as long as points are few: their draws vary
less than ``pi`` does. How much that is can be told before it can be learned, from learners of two
halves (`conformal_roc_widget.calibration.references.learned_scores`). Where the draws' own variance
falls short of that, every draw at every point gets normal noise on the logit, the same deviation
everywhere, until it does not. Draws are stretched before, so that the noise leaves a point's mean
probability where it was, and it is tilted by the point's own label, which tells which way ``pi`` is
likely to differ.

That variance is an estimate, and its error is not in the draws; nor does it tell how heavy the
tails of ``logit pi`` are. Both matter for a whole curve, the ideal model's own and the one of
``guarantee="curve"``: `with_uncertain_gap` gives them to its draws.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import map_coordinates
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri

from conformal_roc_widget.arrays import Floats, Ints

from .learned_scores import ExplainedVariance

#: The noise's quantiles are held at logits and at normal levels of these steps, and interpolated
#: with errors below a thousandth of the noise's deviation; levels end at `FARTHEST`, logits that
#: far from where a label can tell anything. Each comes from the masses of this many cells.
STEP_OF_LOGIT, STEP_OF_NORMAL, FARTHEST, FARTHEST_LOGIT, CELLS = 0.25, 0.1, 6.0, 8.0, 600
#: ``E expit(sqrt(1 + SHRINKAGE s^2) x + e)`` is ``expit(x)``, nearly, for normal e of deviation s.
SHRINKAGE = (16 * np.sqrt(3) / (15 * np.pi)) ** 2
#: Largest deviation of the noise on the logit.
MOST_NOISE = 4.0
#: The deviation of the noise is fitted to the variance of this many draws, evenly spaced.
DRAWS_FOR_NOISE = 30
#: Law of the true share ``Var(pi) / Var(y)`` given the share that learners explain, on the logit:
#: normal, with a mean of this many standard errors above the explained share, and a deviation of
#: this many standard errors and, independently, of `DEVIATION`. The numbers were fitted to the data
#: sets on which the method was developed, before it met those of the published study.
ERRORS_ABOVE, ERRORS_BESIDE, DEVIATION = 0.4, 1.1, 0.15
#: Deviation of the logarithm of a tail's weight, fitted to the same data sets; weight 1 leaves a
#: tail as the draw has it.
TAILS = 0.2
#: Noise is made for rows of about this many numbers at a time, which stay in a core's cache.
NUMBERS_AT_ONCE = 20_000
#: A scale between 1/8 and 8 is found from this many points, in this many steps of bisection.
POINTS_FOR_SCALE, MOST_SCALE, HALVINGS = 1_000, 8.0, 24


def noise_for(variance: float, draws: Floats, normal: Floats, y: Ints) -> float:
    """Deviation of the noise that gives the draws' probabilities the wanted variance."""

    def lacking(noise: float) -> float:
        return variance - float(expit(with_noise(draws, y, noise, normal)).var())

    if lacking(0.0) <= 0:
        return 0.0
    if lacking(MOST_NOISE) >= 0:
        return MOST_NOISE
    return float(brentq(lacking, 0.0, MOST_NOISE, xtol=1e-3))


def with_noise(draws: Floats, y: Ints, noise: float, normal: Floats) -> Floats:
    """Draws with noise of a deviation, and with the mean probabilities that they had."""
    moved: Floats = draws * np.sqrt(1 + SHRINKAGE * noise**2)
    moved += tilted_noise(moved, y, noise, normal)
    return moved


def with_uncertain_gap(draws: Floats, variance: ExplainedVariance, seed: int = 0) -> Floats:
    """Draws (n, s), with tails and a variance of ``pi`` that differ from draw to draw.

    The learning gap gives all draws one extrapolated variance, as if it were known, and one on the
    safe side. Here a draw is spread about its mean, on the logit, until its ``Var(pi)`` is one that
    the learners' halves leave possible, as a share of what labels of its mean vary. A variance does
    not tell the shape: before that, either tail gets a weight. Points keep their order. Where the
    halves explain nothing, the draws stay.
    """
    if variance.value == 0:
        return draws
    rng = np.random.default_rng([seed, 8])
    rows = np.sort(rng.permutation(len(draws))[:POINTS_FOR_SCALE])
    wanted = _possible_shares(variance, draws.shape[1], rng)
    means = draws.mean(axis=0)
    away = _with_tails(draws - means, means, rng)
    some = away[rows]
    low, high = np.full((2, wanted.size), np.log(MOST_SCALE)) * [[-1.0], [1.0]]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        pi = expit(means + np.exp(middle) * some)
        mean = pi.mean(axis=0)
        short = pi.var(axis=0) < wanted * mean * (1 - mean)
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    away *= np.exp((low + high) / 2)
    away += means
    return away


def _possible_shares(variance: ExplainedVariance, n: int, rng: np.random.Generator) -> Floats:
    """Shares of the labels' variance that ``pi`` may have, one a draw."""
    share = min(variance.value, variance.most) / variance.of_labels
    error = variance.error / variance.of_labels / (share * (1 - share))
    deviation = np.hypot(ERRORS_BESIDE * error, DEVIATION)
    return np.asarray(
        expit(logit(share) + ERRORS_ABOVE * error + deviation * rng.standard_normal(n))
    )


def _with_tails(away: Floats, means: Floats, rng: np.random.Generator) -> Floats:
    """Differences (n, s) from means, made larger or smaller far out, on each side independently."""
    spread = away.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    inner, outer = np.exp(TAILS * rng.standard_normal((2, away.shape[1])))
    weighted = np.empty(away.shape)
    step = max(NUMBERS_AT_ONCE // away.shape[1], 1)
    for row in range(0, len(away), step):
        some = away[row : row + step]
        # The inner tail is the one towards even odds, whichever label is 1.
        weight = np.where(some * means < 0, inner, outer)
        weighted[row : row + step] = spread * np.sinh(weight * np.arcsinh(some / spread))
    weighted -= weighted.mean(axis=0)
    return weighted


def tilted_noise(logits: Floats, y: Ints, noise: float, normal: Floats) -> Floats:
    """Draws of ``e`` from ``N(0, noise^2)`` times the likelihood of the label at ``logits + e``.

    Each is a quantile of that law, at the level that its number in `normal` has in its own.
    """
    if noise == 0:
        return np.zeros(logits.shape)
    found, sign = np.empty(logits.shape), np.where(y == 1, 1.0, -1.0)[:, None]
    first, lifts = _lifts(noise)
    step = max(NUMBERS_AT_ONCE // logits.shape[1], 1)
    for row in range(0, y.size, step):
        rows = slice(row, row + step)
        leaning, level = sign[rows] * logits[rows], sign[rows] * normal[rows]
        places = [(leaning - first) / STEP_OF_LOGIT, (level + FARTHEST) / STEP_OF_NORMAL]
        lift = map_coordinates(lifts, places, order=1, mode="nearest")
        found[rows] = sign[rows] * noise * (level + noise * lift)
    return found


def _lifts(noise: float) -> tuple[float, Floats]:
    """By how much label 1 lifts the noise, as a share of ``noise^2``, and the first row's logit.

    A row a logit, a column a normal number z: the quantile of the noise at z's level is ``noise z``
    plus ``noise^2`` times a share. Far above, the label is no news, and the share 0; far below, its
    likelihood is ``exp(e)``, which shifts the noise, and the share 1. The ends serve beyond them.
    """
    normal = np.arange(-FARTHEST, FARTHEST + STEP_OF_NORMAL / 2, STEP_OF_NORMAL)
    reach = noise * FARTHEST + FARTHEST_LOGIT
    logits = np.arange(-(noise**2) - reach, reach + STEP_OF_LOGIT, STEP_OF_LOGIT)
    ends = noise * (FARTHEST + 2)
    bounds, width = np.linspace(-ends, noise**2 + ends, CELLS + 1, retstep=True)
    e = bounds[:-1] + width / 2
    # Against the likelihood without noise, so that nothing is too small for a number.
    tilt = np.logaddexp(0, -logits)[:, None] - np.logaddexp(0, -(logits[:, None] + e))
    mass = np.exp(tilt - 0.5 * np.square(e / noise))
    mass /= mass.sum(axis=1, keepdims=True)
    below = mass.cumsum(axis=1)[:, :-1]
    above = mass[:, :0:-1].cumsum(axis=1)[:, ::-1]
    # The smaller chance tells a level without loss of digits.
    levels = np.where(below < above, ndtri(below), -ndtri(above))
    quantiles = np.array([np.interp(normal, row, bounds[1:-1]) for row in levels])
    return float(logits[0]), (quantiles - noise * normal) / noise**2
