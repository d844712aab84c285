"""Computes figures of a classifier (losses, areas, mean rates) from labelled rows.

Each figure is an `Estimate`, which has limits for the population.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.promise import EVERY_SAMPLE_SIZE, FIXED_THRESHOLD, LARGE_SAMPLES
from conformal_roc_widget.words import words

from .estimate import (
    LARGEST_SHARE,
    Estimate,
    Parts,
    Rows,
    SamplingInterval,
    pairs_of,
    rows_of_share,
    squares,
    target_of,
    told,
    unbiased,
)

# ---- mean losses

#: If the standard error of a mean loss exceeds this share of the mean, most of the mean comes from
#: few rows. Large-sample limits are then poor, and a note says so. For example, if all losses are 0
#: or 1, the share is exceeded if fewer than about 20 rows have the loss 1.
LARGEST_ERROR = 20**-0.5
ACCURACY, BRIER_SCORE, LOG_LOSS = "accuracy", words("loss.brier_score"), words("loss.log_loss")
#: The names of the methods of limits, as results report them.
CLOPPER_PEARSON = "Clopper-Pearson"
KORN_GRAUBARD = "exact limits of a share of as many rows as vary alike (Korn-Graubard)"


def accuracy(rows: Rows, threshold: float) -> Estimate:
    """Computes the share of rows that are predicted correctly at `threshold`."""
    right = (rows.scores >= threshold) == rows.positive
    return rows.mean(right.astype(float), "share")


def brier_score(rows: Rows) -> Estimate:
    """Computes the mean of ``(score - label)^2``."""
    with np.errstate(under="ignore"):
        zeros, ones = rows.scores**2, (rows.scores - 1) ** 2
        return rows.mean_loss(*_of_labels(rows, zeros, ones))


def log_loss(rows: Rows) -> Estimate:
    """Computes the mean of ``-log(q)``. q is the probability that a score gives to the label."""
    with np.errstate(divide="ignore", under="ignore"):
        zeros, ones = -np.log1p(-rows.scores), -np.log(rows.scores)
    return rows.mean_loss(*_of_labels(rows, zeros, ones), "log")


def _of_labels(rows: Rows, zeros: Floats, ones: Floats) -> tuple[Floats, Floats]:
    """Returns for each row the loss with its own label, and the loss with the other label.

    `zeros` and `ones` are the losses if every row had label 0, and if every row had label 1.
    """
    return np.where(rows.positive, ones, zeros), np.where(rows.positive, zeros, ones)


def loss_notes(name: str, loss: Estimate) -> tuple[str, ...]:
    """Returns at most one sentence on the limits of the loss `name`.

    The sentence says that there are no limits, or that they depend on few rows or on a heavy tail.
    """
    if math.isinf(loss.value):
        return (words("loss.infinite", name=name),)
    if not loss.variance:
        return (words("loss.no_variance", name=name),)
    error = math.sqrt(loss.variance) / loss.value
    if error > LARGEST_ERROR:
        return (words("loss.few", name=name, error=error),)
    return (words("loss.heavy", name=name, share=LARGEST_SHARE),) if loss.is_heavy else ()


def accuracy_interval_of(rows: Rows, threshold: float, alpha: float) -> SamplingInterval:
    """The accuracy at `threshold` with limits. Without weights and groups they are exact."""
    return accuracy(rows, threshold).interval(
        alpha,
        method=CLOPPER_PEARSON if rows.plain else KORN_GRAUBARD,
        target=target_of(ACCURACY),
        scope=FIXED_THRESHOLD,
        guarantee=EVERY_SAMPLE_SIZE if rows.plain else LARGE_SAMPLES,
    )


def loss_interval_of(
    name: str, loss: Estimate, alpha: float, notes: tuple[str, ...] = ()
) -> SamplingInterval:
    """Returns the mean loss `name` with its limits. `notes` come after those on the loss."""
    return loss.interval(
        alpha,
        method=f"large samples on the {loss.scale} scale",
        target=target_of(name),
        notes=(*loss_notes(name, loss), *notes),
    )


def losses_at(
    rows: Rows, threshold: float, alpha: float, notes: tuple[str, ...]
) -> Mapping[str, SamplingInterval]:
    """Returns accuracy, Brier score and log loss by name. `notes` are added to both losses."""
    return {
        "accuracy": accuracy_interval_of(rows, threshold, alpha),
        "brier_score": loss_interval_of(BRIER_SCORE, brier_score(rows), alpha, notes),
        "log_loss": loss_interval_of(LOG_LOSS, log_loss(rows), alpha, notes),
    }


# ---- areas under the ROC curve

#: Thresholds are processed in blocks of this many, so that arrays fit into a core's cache.
BLOCK = 2**16
#: The note on an area that has no limits.
NO_AREA = "The area has no limits: a label has one row, or one person, or rows are in a table."


def area(rows: Rows, value: float) -> Estimate:
    """The known area `value` under the curve with DeLong's variance. Ties count half."""
    if rows.fewest < 2:
        return Estimate(value)
    variance, _ = Parts.around(value, rows.placed, rows).spread(rows)
    # If the variance is 0, limits come from the number of independent pairs. If people have several
    # rows, this is valid only if the area is 0 or 1, or if all scores are equal. Otherwise the
    # number is set to 0.
    alike = value in (0.0, 1.0) or rows.scores.min() == rows.scores.max()
    return Estimate(value, variance, pairs_of(rows) if alike or rows.owners is None else 0.0)


def area_of_counts(fp: Ints, tp: Ints, value: float) -> Estimate:
    """Computes DeLong's variance of the known area `value` from counts of unweighted rows.

    `fp` and `tp` are the numbers of rows of each label that score at least each of the descending
    thresholds, from none to all. Each label has at least two rows.
    """
    n, squared = (float(fp[-1]), float(tp[-1])), np.zeros(2)
    for start in range(0, fp.size - 1, BLOCK):
        here = [counts[start : start + BLOCK + 1] for counts in (fp, tp)]
        (below0, above1), (at0, at1) = (
            [(counts[1:] + counts[:-1]) / (2 * many) for counts, many in zip(here, n, strict=True)],
            map(np.diff, here),
        )
        squared += at0 @ (above1 - value) ** 2, at1 @ (1 - below0 - value) ** 2
    shares = [unbiased(many) * float(sums) / many**2 for many, sums in zip(n, squared, strict=True)]
    return Estimate(value, told(sum(shares)), min(n))


def area_method(rows: Rows) -> str:
    """Returns the name of the method of the limits for an area of these rows."""
    if rows.weights is not None:
        return "influences of rows with weights, on the logit scale"
    return f"{'DeLong' if rows.owners is None else 'Obuchowski'}, on the logit scale"


def mean_area_of_classes(each: Sequence[Rows], areas: Floats, shares: Floats) -> Estimate | None:
    """Computes the mean of the one-vs-rest areas of several classes, weighted by `shares`.

    `each` has the same rows for each class. A row influences the area of its own class as a
    positive, and the areas of all other classes as a negative. These influences are added up before
    squaring. If a label of a class has only one row or person, returns None.
    """
    if min(rows.fewest for rows in each) < 2:
        return None
    value, influences = float(shares @ areas), np.zeros(each[0].scores.size)
    for rows, of_class, share in zip(each, areas, shares, strict=True):
        parts = Parts.around(of_class, rows.placed, rows)
        for label, part in enumerate((parts.zeros, parts.ones)):
            many = rows.of_label(label).people
            influences[rows.positive == label] += share * math.sqrt(unbiased(many)) * part
    # If the mean area is 0 or 1, the variance is 0. Limits then come from the smallest number of
    # independent pairs of any class.
    pairs = min(map(pairs_of, each)) if value in (0.0, 1.0) else 0.0
    return Estimate(value, told(squares(each[0].by_person(influences))), pairs)


#: LeDell's variance measures influences from the area of each row's own fold. If a fold has fewer
#: rows of a label than this, its area is too inexact: with one row in each fold, nominal 95 %
#: limits covered 34 %.
FEW_IN_A_FOLD = 10


def mean_area_of_folds(folds: Sequence[Rows], owners: Sequence[Ints] | None) -> Estimate | None:
    """Computes the mean of the areas of several folds. `owners` are the codes of their people.

    If nobody has two rows, and each fold has at least `FEW_IN_A_FOLD` rows of each label, the
    variance is that of LeDell, Petersen and van der Laan (2015). Otherwise influences are measured
    from the mean over all folds, and added up by person. If a label has only one row or person,
    returns None.
    """
    every = Rows.of(*_joined(folds), None if owners is None else np.concatenate(owners))
    if every.owners is not None and owners is not None:
        folds = [rows._replace(owners=of) for rows, of in zip(folds, owners, strict=True)]
    if every.fewest < 2:
        return None
    placed = [rows.placed for rows in folds]
    means = [
        float(np.average(ones, weights=rows.of_label(1).weights))
        for rows, (_, ones) in zip(folds, placed, strict=True)
    ]
    mean = float(np.mean(means))
    fewest = min(part.size for parts in placed for part in parts)
    is_known = every.owners is None and fewest >= FEW_IN_A_FOLD
    if is_known and (variance := _ledell(folds, placed, means)):
        return Estimate(mean, variance, scale="delong")
    zeros, ones = (np.concatenate(of) for of in zip(*placed, strict=True))
    variance, df = Parts.around(mean, (zeros, ones), every).spread(every)
    # If the variance is 0, limits come from the number of independent pairs of rows. Every fold
    # counts as many pairs as the smallest fold has. If people have several rows, this number is
    # valid only if all pairs are ranked alike. Otherwise it is set to 0.
    alike = np.unique(np.concatenate([zeros, ones])).size == 1
    pairs = len(folds) * min(map(pairs_of, folds))
    return Estimate(mean, variance, pairs if alike or every.owners is None else 0.0, df=df)


def _joined(folds: Sequence[Rows]) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Joins labels, scores and weights of all folds, one fold after the other."""
    positive, scores, weights = (
        np.concatenate(of)
        for of in zip(*((rows.positive, rows.scores, rows.masses) for rows in folds), strict=True)
    )
    return positive, scores, weights


def _ledell(
    folds: Sequence[Rows], placed: Sequence[tuple[Floats, Floats]], means: Sequence[float]
) -> float:
    """LeDell's variance, in which influences are measured from the area of each row's fold."""
    masses = [[np.sort(rows.of_label(k).masses).sum() for k in (0, 1)] for rows in folds]
    of_label = np.sum(masses, axis=0)
    found = []
    for rows, parts, mean, mass in zip(folds, placed, means, masses, strict=True):
        moves = [
            squares(rows.of_label(k).masses * (part - mean) / of_label[k])
            for k, part in enumerate(parts)
        ]
        found.append(sum(moves) * of_label.sum() / sum(mass))
    return told(float(np.mean(found)))


# ---- average precision


def average_precision(rows: Rows) -> Estimate:
    """Computes the average precision, and its variance from the rows' influences.

    A person's influences are added up. The figure is a mean over the positives, so their number
    gives the degrees of freedom. If the figure is near 1, influences may be too small by chance, so
    the variance is at least that of a share of all rows.
    """
    rows = rows.in_order
    value, influences = average_precision_influences(rows.positive, rows.scores, rows.masses)
    variance = squares(rows.by_person(influences))
    return _average_precision(value, variance, rows.alike, rows.of_label(1).alike)


def average_precision_of_counts(fp: Ints, tp: Ints) -> Estimate:
    """Computes the average precision from counts of unweighted rows. See `area_of_counts`."""
    ones, zeros = (np.diff(counts)[::-1] for counts in (tp, fp))
    n, positives = float(fp[-1] + tp[-1]), float(tp[-1])
    value, moves = _precision_moves(ones / n, (fp[1:] + tp[1:])[::-1] / n)
    variance = float(zeros @ moves[0] ** 2 + ones @ moves[1] ** 2) / n**2
    return _average_precision(value, variance, n, positives)


def _average_precision(value: float, variance: float, n: float, positives: float) -> Estimate:
    found = rows_of_share(value, variance, n, positives)
    return Estimate(value, rows=trusted(found, max(positives - 1, 0.0), n), scale="share")


def average_precision_influences(
    positive: NDArray[np.bool_], scores: Floats, weights: Floats
) -> tuple[float, Floats]:
    """Returns the average precision AP, and each row's influence on it (n,). These sum to 0.

    Let ``Q(s)`` be the share of the weight with a score of at least s, and ``P(s)`` the precision
    at the threshold s. The influence of a row with label y and score s is its share of the weight,
    times the sum of two terms. The first, ``y (P(s) - AP) / prevalence``, is due to its own
    precision. The second is due to the positives with scores ``s' <= s``. It is a mean over all
    positives: of ``(y - P(s')) / Q(s')`` if ``s' <= s``, and of 0 otherwise.
    """
    masses = weights / weights.sum()
    levels, place = np.unique(scores, return_inverse=True)
    of_level = np.bincount(place, positive * masses, minlength=levels.size)
    reached = np.bincount(place, masses, minlength=levels.size)[::-1].cumsum()[::-1]
    value, (zeros, ones) = _precision_moves(np.asarray(of_level, dtype=float), reached)
    found: Floats = masses * np.where(positive, ones[place], zeros[place])
    return value, found


def _precision_moves(of_level: Floats, reached: Floats) -> tuple[float, tuple[Floats, Floats]]:
    """Returns the average precision, and influences of rows of both labels by ascending score.

    The influences are divided by the row's share of the weight. `of_level` is the share of the
    weight that is positive and has this score. `reached` is the share with at least this score.
    """
    precision = of_level[::-1].cumsum()[::-1] / reached
    prevalence = float(of_level.sum())
    share = of_level / prevalence
    value = float(share @ precision)
    # A row's influence contains sums over the positives whose scores are not above its own. `plain`
    # and `weighted` are these sums.
    plain, weighted = (share / reached).cumsum(), (share * precision / reached).cumsum()
    return value, (-weighted, (precision - value) / prevalence + plain - weighted)


def trusted(rows: float, df: float, n: float) -> float:
    """Reduces the effective sample size `rows` if its variance has few degrees of freedom `df`.

    Student's t has a variance of about ``(df + 2) / df``. The reduction is relative to the one at
    ``df = n - 1``, so that a single rate of n equal rows keeps its n.
    """
    return rows * df / (df + 2) * (n + 1) / (n - 1) if n > 1 else 0.0


# ---- mean rates of several classes

#: The thresholds at which the effective sample size of a mean rate is computed. Between them it is
#: interpolated.
THRESHOLDS = np.arange(101) / 100
#: If there are more independent rows than this, the variance of a mean rate is computed from about
#: this many of them.
MOST_ROWS = 20_000


def mean_rates_of_classes(each: Sequence[Rows], shares: Floats) -> Floats:
    """The effective sample sizes (2, m) of the classes' mean rates at each of `THRESHOLDS`.

    Row 0 is for the mean specificity, and row 1 for the mean sensitivity. Both are weighted by
    `shares`.

    `each` has the same rows for each class, and each row has one class. A row counts in the
    sensitivity of its own class and in the specificity of every other class. So the rates of
    different classes are dependent.
    """
    steps = -(-each[0].scores.size // MOST_ROWS) if each[0].owners is None else 1
    return np.array([_rows_of(label, each, shares, steps) for label in (0, 1)])


def _rows_of(label: int, each: Sequence[Rows], shares: Floats, steps: int) -> Floats:
    """Computes the effective sample size of a label's mean rate at each of `THRESHOLDS`.

    The variance is computed from every `steps`-th row.
    """
    some = [rows.at(slice(None, None, steps)) for rows in each]
    there = np.array([rows.positive == label for rows in some])
    scores, weights = np.array([rows.scores for rows in some]), some[0].masses * there
    masses = weights.sum(axis=1, keepdims=True)
    if not masses.all():
        return np.zeros(THRESHOLDS.size)
    n = steps * np.array([rows.of_label(label).alike for rows in some])
    n_rows = steps * masses[:, 0] ** 2 / (weights**2).sum(axis=1)
    influence = shares[:, None] * weights / masses
    found = np.empty(THRESHOLDS.size)
    for i, threshold in enumerate(THRESHOLDS):
        right = (scores >= threshold) if label else (scores < threshold)
        rates = (right * weights).sum(axis=1) / masses[:, 0]
        together = ((right - rates[:, None]) * influence).sum(axis=0)
        variance = squares(some[0].by_person(together)) / steps
        # If a row's scores sum to 1 over the classes, each row may have the same number of false
        # positives. The mean rate then hardly varies in this sample. So the variance is raised to
        # at least `least`, that of independent errors of the classes.
        least = float((shares**2 * rates * (1 - rates) / n_rows).sum())
        found[i] = _rows_of_mean(rates, n, shares, max(variance, least))
    return found


def _rows_of_mean(rates: Floats, n: Floats, shares: Floats, variance: float) -> float:
    """Returns the effective sample size of the weighted mean of `rates`, each of `n` rows.

    If a class has no error, its estimated variance is 0, which is too small. So each rate is
    computed with one more correct and one more wrong row (or person). The result is then corrected
    by the ratio of the mean's `variance` to that of independent rates.
    """
    apart = float((shares**2 * rates * (1 - rates) / n).sum())
    ratio = variance / apart if told(apart) else 1.0
    seen = (rates * n + 1) / (n + 2)
    each = shares**2 * seen * (1 - seen) / n
    # The degrees of freedom by Satterthwaite (1946). A class with a single row counts with 0.5, to
    # avoid a division by 0.
    df = float(each.sum() ** 2 / (each**2 / np.maximum(n - 1, 0.5)).sum())
    mean = float(shares @ seen)
    return trusted(mean * (1 - mean) / (ratio * float(each.sum())), df, float(n[shares > 0].sum()))
