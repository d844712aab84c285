"""Adds noise to draws of ``logit pi`` that vary too little.

If there are few points, the probabilities that the learned reference draws vary less than the true
probability ``pi`` does. Learners that are trained on two halves of the points give an estimate of
the variance of ``pi`` (`conformal_roc_widget.calibration.references.learned_scores`). If the draws
vary less than this estimate, noise is added to each draw at each point, on the logit. The noise has
the same standard deviation everywhere, just large enough to add the missing variance. Noise alone
would pull a point's mean probability towards 1/2, so the draws are first multiplied by a factor
above 1. The noise is normal, but the label of the point tilts it, because the label tells in which
direction ``pi`` probably differs.

The estimate has an error, which these draws do not contain. The estimate also does not tell how
heavy the tails of ``logit pi`` are. Both matter for a whole curve (the ideal model's own, and that
of ``guarantee="curve"``). So `with_uncertain_gap` varies the variance and the tails from draw to
draw.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.ndimage import map_coordinates
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri

from conformal_roc_widget.arrays import Floats, Ints

from .learned_scores import ExplainedVariance

#: `_lifts` makes a table with these steps: one on the logit, and one on standard normal numbers.
#: Interpolation in the table has errors below a thousandth of the noise's deviation. The table ends
#: at `FARTHEST` normal deviations and at `FARTHEST_LOGIT`, where a label no longer tells anything.
#: Each of its quantiles comes from the probabilities of `CELLS` cells.
STEP_OF_LOGIT, STEP_OF_NORMAL, FARTHEST, FARTHEST_LOGIT, CELLS = 0.25, 0.1, 6.0, 8.0, 600
#: If e is normal with deviation s, ``E expit(sqrt(1 + SHRINKAGE s^2) x + e)`` is nearly
#: ``expit(x)``.
SHRINKAGE = (16 * np.sqrt(3) / (15 * np.pi)) ** 2
#: The noise on the logit has at most this standard deviation.
MOST_NOISE = 4.0
#: `noise_for` finds the standard deviation of noise with which ``pi`` has the wanted variance. It
#: gets about this many of the draws, evenly spaced.
DRAWS_FOR_NOISE = 30
#: With these numbers, `_possible_shares` draws the true share ``Var(pi) / Var(y)`` if the share
#: that learners explain is known. The logit of the true share is normal. Its mean is `ERRORS_ABOVE`
#: standard errors above the explained share. Its deviation combines `ERRORS_BESIDE` standard errors
#: with `DEVIATION`, as if they were independent. The numbers were fitted to the data sets on which
#: the method was developed, before those of the published study were used.
ERRORS_ABOVE, ERRORS_BESIDE, DEVIATION = 0.4, 1.1, 0.15
#: `_with_tails` draws a weight for each tail. The logarithm of the weight is normal with this
#: deviation, which was fitted to the same data sets as `DEVIATION`. If the weight is 1, the tail
#: does not change.
TAILS = 0.2
#: Noise is computed for blocks of rows. A block has about this many numbers, which fit into a
#: core's cache.
NUMBERS_AT_ONCE = 20_000
#: `with_uncertain_gap` multiplies the spread of each draw by a factor. It finds the factor by
#: bisection in `HALVINGS` steps, from `POINTS_FOR_SCALE` points. The factor is at least
#: ``1 / MOST_SCALE`` and at most `MOST_SCALE`.
POINTS_FOR_SCALE, MOST_SCALE, HALVINGS = 1_000, 8.0, 24


def noise_for(variance: float, draws: Floats, normal: Floats, y: Ints) -> float:
    """Returns the standard deviation of noise with which the drawn ``pi`` has the given variance.

    If the draws have at least this variance without noise, returns 0. Returns at most `MOST_NOISE`,
    even if more noise would be needed. `normal` has a standard normal number for each draw at each
    point, and `y` has the labels.
    """

    def lacking(noise: float) -> float:
        return variance - float(expit(with_noise(draws, y, noise, normal)).var())

    if lacking(0.0) <= 0:
        return 0.0
    if lacking(MOST_NOISE) >= 0:
        return MOST_NOISE
    return float(brentq(lacking, 0.0, MOST_NOISE, xtol=1e-3))


def with_noise(draws: Floats, y: Ints, noise: float, normal: Floats) -> Floats:
    """Adds noise of deviation `noise` to the draws. Their mean probabilities stay the same.

    See `noise_for` for the other arguments.
    """
    moved: Floats = draws * np.sqrt(1 + SHRINKAGE * noise**2)
    moved += tilted_noise(moved, y, noise, normal)
    return moved


def with_uncertain_gap(draws: Floats, variance: ExplainedVariance, seed: int = 0) -> Floats:
    """Gives draws (n, s) tails and a variance of ``pi`` that differ from draw to draw.

    In `with_noise`, all draws have the same extrapolated variance, which is chosen large enough to
    be safe. Here each draw gets a random variance among those that the learners' halves allow. It
    is chosen as a share of ``m (1 - m)``, where m is the mean of the draw's probabilities. The draw
    is then spread around its mean, on the logit, until its ``Var(pi)`` has this value. The variance
    does not determine the shape, so each tail first gets a random weight. Points keep their order.
    If the halves explain nothing, the draws stay as they are.
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
    """Draws, n times, a share of the labels' variance that ``pi`` may have."""
    share = min(variance.value, variance.most) / variance.of_labels
    error = variance.error / variance.of_labels / (share * (1 - share))
    deviation = np.hypot(ERRORS_BESIDE * error, DEVIATION)
    return np.asarray(
        expit(logit(share) + ERRORS_ABOVE * error + deviation * rng.standard_normal(n))
    )


def _with_tails(away: Floats, means: Floats, rng: np.random.Generator) -> Floats:
    """Makes both tails of the draws' differences (n, s) from their means heavier or lighter.

    Each tail of each draw gets a random weight of its own.
    """
    spread = away.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    inner, outer = np.exp(TAILS * rng.standard_normal((2, away.shape[1])))
    weighted = np.empty(away.shape)
    step = max(NUMBERS_AT_ONCE // away.shape[1], 1)
    for row in range(0, len(away), step):
        some = away[row : row + step]
        # `some` are the differences of draws from their means. A difference towards log-odds 0 gets
        # the weight `inner`, and any other the weight `outer`.
        weight = np.where(some * means < 0, inner, outer)
        weighted[row : row + step] = spread * np.sinh(weight * np.arcsinh(some / spread))
    weighted -= weighted.mean(axis=0)
    return weighted


def tilted_noise(logits: Floats, y: Ints, noise: float, normal: Floats) -> Floats:
    """Returns noise ``e`` for each draw: ``N(0, noise^2)``, tilted by the point's own label.

    Its density is that of the normal times the likelihood of the label at ``logits + e``. Each
    value is a quantile of this distribution. The level of the quantile is given by the number in
    `normal`, as a standard normal quantile.
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


@lru_cache(maxsize=8)
def _lifts(noise: float) -> tuple[float, Floats]:
    """Returns a table of how much label 1 raises the noise, as a share of ``noise^2``.

    Rows are logits, of which the first is returned too. Columns are standard normal numbers z. At
    the level of z, the quantile of the noise is ``noise z`` plus ``noise^2`` times the share. At
    large logits label 1 is no surprise, and the share is 0. At very low logits the likelihood is
    ``exp(e)``, which shifts the noise, and the share is 1. Beyond the table, the values at its ends
    are used.
    """
    normal = np.arange(-FARTHEST, FARTHEST + STEP_OF_NORMAL / 2, STEP_OF_NORMAL)
    reach = noise * FARTHEST + FARTHEST_LOGIT
    logits = np.arange(-(noise**2) - reach, reach + STEP_OF_LOGIT, STEP_OF_LOGIT)
    ends = noise * (FARTHEST + 2)
    bounds, width = np.linspace(-ends, noise**2 + ends, CELLS + 1, retstep=True)
    e = bounds[:-1] + width / 2
    # The smallest likelihood is about 1e-35, so none underflows.
    mass = expit(logits[:, None] + e) * np.exp(-0.5 * np.square(e / noise))
    mass /= mass.sum(axis=1, keepdims=True)
    below = mass.cumsum(axis=1)[:, :-1]
    above = mass[:, :0:-1].cumsum(axis=1)[:, ::-1]
    # A probability near 1 has lost digits as a float, one near 0 has not. So the smaller one of
    # both tails is used.
    levels = np.where(below < above, 1.0, -1.0) * ndtri(np.minimum(below, above))
    quantiles = np.array([np.interp(normal, row, bounds[1:-1]) for row in levels])
    return float(logits[0]), (quantiles - noise * normal) / noise**2
