"""The figures of a classifier, each as an `Estimate` of the rows that it is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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

# Losses

#: If the relative standard error of a mean is larger than this, which it is with fewer than 20 rows
#: of equal loss among many without one, a few rows make most of it, and large samples are far.
LARGEST_ERROR = 20**-0.5
ACCURACY, BRIER_SCORE, LOG_LOSS = "accuracy", words("loss.brier_score"), words("loss.log_loss")
#: Names of methods.
CLOPPER_PEARSON = "Clopper-Pearson"
KORN_GRAUBARD = "exact limits of a share of as many rows as vary alike (Korn-Graubard)"


def accuracy(rows: Rows, threshold: float) -> Estimate:
    """Share of right calls."""
    right = (rows.scores >= threshold) == rows.positive
    return rows.mean(right.astype(float), "share")


def brier_score(rows: Rows) -> Estimate:
    """The mean square of score less label."""
    with np.errstate(under="ignore"):
        return rows.mean((rows.scores - rows.positive) ** 2)


def log_loss(rows: Rows) -> Estimate:
    """The mean of ``-log`` of the probability that the score gives the row's label."""
    with np.errstate(divide="ignore", under="ignore"):
        lost = np.where(rows.positive, -np.log(rows.scores), -np.log1p(-rows.scores))
    return rows.mean(lost, "log")


def loss_notes(name: str, loss: Estimate) -> tuple[str, ...]:
    """At most one sentence on limits that are none, or that few rows or a heavy tail make."""
    if math.isinf(loss.value):
        return (words("loss.infinite", name=name),)
    if not loss.variance:
        return (words("loss.no_variance", name=name),)
    error = math.sqrt(loss.variance) / loss.value
    if error > LARGEST_ERROR:
        return (words("loss.few", name=name, error=error),)
    return (words("loss.heavy", name=name, share=LARGEST_SHARE),) if loss.is_heavy else ()


def accuracy_interval_of(rows: Rows, threshold: float, alpha: float) -> SamplingInterval:
    """Share of right calls with its limits; they are exact if rows count alike."""
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
    """A mean loss with its limits."""
    return loss.interval(
        alpha,
        method=f"large samples on the {loss.scale} scale",
        target=target_of(name),
        notes=(*loss_notes(name, loss), *notes),
    )


def losses_at(
    rows: Rows, threshold: float, alpha: float, notes: tuple[str, ...]
) -> Mapping[str, SamplingInterval]:
    """Accuracy, Brier score and log loss; `notes` are those on scores that are no risks."""
    return {
        "accuracy": accuracy_interval_of(rows, threshold, alpha),
        "brier_score": loss_interval_of(BRIER_SCORE, brier_score(rows), alpha, notes),
        "log_loss": loss_interval_of(LOG_LOSS, log_loss(rows), alpha, notes),
    }


# Areas

#: This many thresholds are processed together. Their arrays fit into a core's cache.
BLOCK = 2**16
#: Why an area has no limits.
NO_AREA = "The area has no limits: a label has one row, or one person, or rows are in a table."


def area(rows: Rows, value: float | None = None) -> Estimate:
    """Area under the curve, ties half, with DeLong's variance; `value` is the area if known."""
    placed = rows.placed
    if value is None:
        value = float(np.average(placed[1], weights=rows.of_label(1).weights))
    if rows.fewest < 2:
        return Estimate(value)
    variance, _ = Parts.around(value, placed, rows).spread(rows)
    # If people have several rows, pairs are used only if all scores are in one order, or equal.
    alike = value in (0.0, 1.0) or rows.scores.min() == rows.scores.max()
    return Estimate(value, variance, pairs_of(rows) if alike or rows.owners is None else 0.0)


def area_of_counts(fp: Ints, tp: Ints, value: float) -> Estimate:
    """The area with its variance from unweighted rows; each label has at least two.

    From how many of each label reach each of the descending thresholds, from none to all: those at
    one threshold are tied.
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
    """Name of the method of an area's limits."""
    if rows.weights is not None:
        return "influences of rows with weights, on the logit scale"
    return f"{'DeLong' if rows.owners is None else 'Obuchowski'}, on the logit scale"


def mean_area_of_classes(each: Sequence[Rows], areas: Floats, shares: Floats) -> Estimate | None:
    """Mean area of classes that share their rows, weighed by shares that are given.

    A row moves the area of its own class as a positive and the others as a negative; all of this is
    added up before it is squared. None if a label of a class has one person.
    """
    if min(rows.fewest for rows in each) < 2:
        return None
    value, influences = float(shares @ areas), np.zeros(each[0].scores.size)
    for rows, of_class, share in zip(each, areas, shares, strict=True):
        parts = Parts.around(of_class, rows.placed, rows)
        for label, part in enumerate((parts.zeros, parts.ones)):
            many = rows.of_label(label).people
            influences[rows.positive == label] += share * math.sqrt(unbiased(many)) * part
    # Areas that are all 0 or all 1 have no variance: limits come from pairs, the fewest of a class.
    pairs = min(map(pairs_of, each)) if value in (0.0, 1.0) else 0.0
    return Estimate(value, told(squares(each[0].by_person(influences))), pairs)


#: LeDell's variance takes each fold's area for the truth. If a fold has fewer rows of a label than
#: this, that is too rough: with one row a fold its limits at 95 % held in 34 %.
FEW_IN_A_FOLD = 10


def mean_area_of_folds(folds: Sequence[Rows], owners: Sequence[Ints] | None) -> Estimate | None:
    """Mean area of folds; `owners` are the people of their rows.

    LeDell, Petersen and van der Laan's (2015), where each fold's area is known well enough; else
    influences are around the mean of all folds, added up by person. None if a label has one.
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
    # Limits from pairs alone take the same number of pairs from each fold, that of the smallest. If
    # people have several rows, these limits need all pairs in one order.
    alike = np.unique(np.concatenate([zeros, ones])).size == 1
    pairs = len(folds) * min(map(pairs_of, folds))
    return Estimate(mean, variance, pairs if alike or every.owners is None else 0.0, df=df)


def _joined(folds: Sequence[Rows]) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Labels, scores and weights of all folds."""
    positive, scores, weights = (
        np.concatenate(of)
        for of in zip(*((rows.positive, rows.scores, rows.masses) for rows in folds), strict=True)
    )
    return positive, scores, weights


def _ledell(
    folds: Sequence[Rows], placed: Sequence[tuple[Floats, Floats]], means: Sequence[float]
) -> float:
    """Mean over folds of the mean square of influences, each around its own fold's area."""
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


# Average precision


def average_precision(rows: Rows) -> Estimate:
    """Average precision, from the influences of the rows, added up by person.

    It is a mean over the positives, so that these are its degrees of freedom; and it is never
    taken to vary less than a share of all rows does, for near 1 a lucky sample seems to.
    """
    rows = rows.in_order
    value, influences = average_precision_influences(rows.positive, rows.scores, rows.masses)
    variance = squares(rows.by_person(influences))
    return _average_precision(value, variance, rows.alike, rows.of_label(1).alike)


def average_precision_of_counts(fp: Ints, tp: Ints) -> Estimate:
    """Average precision of unweighted rows; see `area_of_counts`."""
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
    """Average precision, and the influence of each row (n,); influences sum to 0.

    With ``Q(s)`` the share of the weight that scores at least s and ``P(s)`` the precision there, a
    row of label y and score s adds, times its own share of the weight, ``y (P(s) - AP) /
    prevalence`` for its own place, and the mean over the positives with ``s' <= s`` of ``(y -
    P(s')) / Q(s')`` for all that it lies above.
    """
    masses = weights / weights.sum()
    levels, place = np.unique(scores, return_inverse=True)
    of_level = np.bincount(place, positive * masses, minlength=levels.size)
    reached = np.bincount(place, masses, minlength=levels.size)[::-1].cumsum()[::-1]
    value, (zeros, ones) = _precision_moves(np.asarray(of_level, dtype=float), reached)
    found: Floats = masses * np.where(positive, ones[place], zeros[place])
    return value, found


def _precision_moves(of_level: Floats, reached: Floats) -> tuple[float, tuple[Floats, Floats]]:
    """Average precision, and how far a row of either label moves it by its share of the weight.

    By ascending score, from the share of the weight that is positive there, and that scores as much
    or more.
    """
    precision = of_level[::-1].cumsum()[::-1] / reached
    prevalence = float(of_level.sum())
    share = of_level / prevalence
    value = float(share @ precision)
    # Sums over the positives with this score or a lower one.
    plain, weighted = (share / reached).cumsum(), (share * precision / reached).cumsum()
    return value, (-weighted, (precision - value) / prevalence + plain - weighted)


def trusted(rows: float, df: float, n: float) -> float:
    """The effective rows, lowered if the variance behind them has few degrees of freedom.

    As fewer as Student's t, whose variance is roughly ``(df + 2) / df``, is wider than that of all
    n rows: one rate of n rows keeps its n.
    """
    return rows * df / (df + 2) * (n + 1) / (n - 1) if n > 1 else 0.0


# Mean rates of classes

#: Thresholds at which the effective rows of a mean rate are computed; between two of them they are
#: interpolated.
THRESHOLDS = np.arange(101) / 100
#: If there are more independent rows than this, the variance comes from this many of them.
MOST_ROWS = 20_000


class MeanRates(NamedTuple):
    """By label, a row each: of how many rows the classes' mean rate is, at each of `THRESHOLDS`.

    Label 1 is the mean sensitivity, label 0 the mean specificity.
    """

    rows: Floats

    def limits(
        self, label: int, threshold: float, value: float, alpha: float
    ) -> tuple[float, float]:
        """Limits of the mean rate at a threshold that was fixed beforehand."""
        rows = float(np.interp(threshold, THRESHOLDS, self.rows[label]))
        return Estimate(value, rows=rows, scale="share").limits(alpha)


def mean_rates_of_classes(each: Sequence[Rows], shares: Floats) -> MeanRates:
    """Mean rates of classes by given shares; each row has one class.

    A row counts in the sensitivity of its own class and in the specificity of every other, so that
    classes vary together.
    """
    steps = -(-each[0].scores.size // MOST_ROWS) if each[0].owners is None else 1
    return MeanRates(np.array([_rows_of(label, each, shares, steps) for label in (0, 1)]))


def _rows_of(label: int, each: Sequence[Rows], shares: Floats, steps: int) -> Floats:
    """Effective number of rows of the classes' mean rate of a label, at each of `THRESHOLDS`."""
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
        # If scores add up to 1, each row may have the same number of false alarms, and the mean
        # nearly no variance. It is taken to vary at least as much as if classes erred
        # independently.
        least = float((shares**2 * rates * (1 - rates) / n_rows).sum())
        found[i] = _rows_of_mean(rates, n, shares, max(variance, least))
    return found


def _rows_of_mean(rates: Floats, n: Floats, shares: Floats, variance: float) -> float:
    """Rows that a mean of rates is as good as.

    A class without an error on n rows has not a variance of 0: each rate is taken as if one more
    row (or person) of each kind had been seen. How the variance of the mean compares with that of
    rates of n rows each is taken from `variance`.
    """
    apart = float((shares**2 * rates * (1 - rates) / n).sum())
    ratio = variance / apart if told(apart) else 1.0
    seen = (rates * n + 1) / (n + 2)
    each = shares**2 * seen * (1 - seen) / n
    # Satterthwaite (1946). If a class has one row, almost no degree of freedom is left.
    df = float(each.sum() ** 2 / (each**2 / np.maximum(n - 1, 0.5)).sum())
    mean = float(shares @ seen)
    return trusted(mean * (1 - mean) / (ratio * float(each.sum())), df, float(n[shares > 0].sum()))
