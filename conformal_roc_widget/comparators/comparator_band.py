"""What every comparator takes and gives: two samples of scores, and a frozen band."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    codes_of,
    labels_of,
    numbers_of,
    same_length,
    two_classes_of,
)
from conformal_roc_widget.evaluation.band import locked
from conformal_roc_widget.evaluation.sorted_sample import Limits, Ordered, share_ranked_above

if TYPE_CHECKING:
    import pandas as pd

TARGET = "population ROC of this classifier"
POINTWISE = "pointwise: one false positive rate at a time, not the whole curve"
SIMULTANEOUS = "simultaneous: the whole curve at once"

#: Points of a label below which large-sample methods are told to be doubtful.
FEW = 20
#: Share of pairs of a positive and a negative with equal scores from which ties are worth a word.
TIED_SHARE = 0.01
#: Fewest bootstrap replicates that have tails.
FEWEST_RESAMPLES = 100

#: Stretches of false positive rates that a sentence lists.
STRETCHES = 4

#: What is called with the replicates done and their total; True is a tqdm bar, False is nothing.
Progress = bool | Callable[[int, int], object]


@dataclass(frozen=True, eq=False)
class ComparatorBand:
    """Sampling band of a ROC curve, one entry a false positive rate.

    Arrays are read-only.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates there.
    tpr_lower, tpr_upper : ndarray of shape (m,)
        Limits in [0, 1], lower <= upper.
    alpha : float
        Significance level.
    method : str
        How it was made.
    target, scope, guarantee : str
        What the band covers, where, and what is promised.
    notes : tuple of str
        Where the method says less than it seems to, on these data.
    """

    fpr: Floats
    tpr: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    alpha: float
    method: str
    scope: str
    guarantee: str
    target: str = TARGET
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Lock the arrays."""
        lock(self, "fpr", "tpr", "tpr_lower", "tpr_upper")

    def to_frame(self) -> pd.DataFrame:
        """Band as a table, one row a false positive rate.

        Returns
        -------
        pandas.DataFrame
            Columns ``fpr``, ``tpr``, ``tpr_lower``, ``tpr_upper``; ``attrs`` holds ``alpha``,
            ``method``, ``target``, ``scope`` and ``guarantee``.
        """
        import pandas as pd

        names = ("fpr", "tpr", "tpr_lower", "tpr_upper")
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        told = ("alpha", "method", "target", "scope", "guarantee")
        frame.attrs |= {name: getattr(self, name) for name in told}
        return frame

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        return f"ComparatorBand({self.method}, alpha={self.alpha:g}, {self.fpr.size} points)"


def lock(record: object, *names: str) -> None:
    """Make arrays of a frozen record read-only.

    Parameters
    ----------
    record : object
        A frozen dataclass.
    *names : str
        Its arrays.
    """
    for name in names:
        object.__setattr__(record, name, locked(getattr(record, name)))


class TwoSamples(NamedTuple):
    """Scores of both labels, each ascending."""

    negatives: Floats
    positives: Floats

    @property
    def auc(self) -> float:
        """Mann-Whitney area, ties half."""
        positives, negatives = Ordered(self.positives), Ordered(self.negatives)
        return share_ranked_above(Limits(positives), Limits(negatives))

    def tied_share(self) -> float:
        """Share of the pairs of a positive and a negative whose scores are equal.

        Returns
        -------
        float
            From 0 to 1.
        """
        first, last = (
            np.searchsorted(self.negatives, self.positives, side=side) for side in ("left", "right")
        )
        return float((last - first).sum() / (self.negatives.size * self.positives.size))

    def tpr_at(self, fpr: Floats) -> Floats:
        """Observed curve, read as the bootstrap's replicates are.

        Parameters
        ----------
        fpr : ndarray of shape (m,)
            False positive rates.

        Returns
        -------
        ndarray of shape (m,)
            Height of the polygon through the vertices of ``sklearn.metrics.roc_curve``, at a
            vertical edge its top.
        """
        places = Places.of(fpr, self.negatives.size)
        at = self.negatives[self.negatives.size - 1 - places.above]
        (fp, fp_level), (tp, tp_level) = (strictly_above_and_at(scores, at) for scores in self)
        share = (places.exact - fp) / fp_level
        tpr = (tp + share * tp_level) / self.positives.size
        return np.where(places.end, 1.0, tpr)


class Places(NamedTuple):
    """Where false positive rates stand among the negatives in descending order.

    A rate of g lies between the ``floor(g n)``-th largest negative and the next one.

    Parameters
    ----------
    exact : ndarray of shape (m,)
        ``g n``, rounded where it misses a whole number by rounding alone.
    above : ndarray of shape (m,)
        ``floor(g n)``, at most n - 1.
    end : ndarray of bool of shape (m,)
        Whether the rate is 1, where every curve ends in 1.
    """

    exact: Floats
    above: Ints
    end: Any

    @classmethod
    def of(cls, fpr: Floats, n: int) -> Places:
        """Find the places.

        Parameters
        ----------
        fpr : ndarray of shape (m,)
            False positive rates in [0, 1].
        n : int
            Number of negatives.

        Returns
        -------
        Places
            The places.
        """
        exact = fpr * n
        whole = np.rint(exact)
        # 0.29 * 100 is 28.999999999999996: the caller means the 29th.
        exact = np.where(np.abs(exact - whole) <= 4 * np.finfo(float).eps * n, whole, exact)
        above = np.minimum(np.floor(exact).astype(np.intp), n - 1)
        return cls(exact, above, exact >= n)


def strictly_above_and_at(scores: Floats, values: Floats) -> tuple[Ints, Ints]:
    """How many scores lie above values, and how many are equal to them.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        Ascending.
    values : ndarray of shape (m,)
        Anything.

    Returns
    -------
    above, at : ndarray of shape (m,)
        Counts.
    """
    beyond = np.searchsorted(scores, values, side="right")
    return scores.size - beyond, beyond - np.searchsorted(scores, values, side="left")


def two_samples(y: ArrayLike, score: ArrayLike, name: str = "score") -> TwoSamples:
    """Scores of both labels.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class.
    name : str
        Name of `score` in an error.

    Returns
    -------
    TwoSamples
        The scores.

    Raises
    ------
    TypeError, ValueError
        If the labels are not two classes, or the scores are not as many finite numbers.
    """
    labels = labels_of(y, "y")
    scores = numbers_of(score, name, ndim=1)
    same_length(**{"y": labels, name: scores})
    positive = codes_of(labels, two_classes_of(labels, "y"), "y").astype(bool)
    return TwoSamples(np.sort(scores[~positive]), np.sort(scores[positive]))


def grid_of(fpr: ArrayLike | None) -> Floats:
    """Check false positive rates at which a band is wanted.

    Parameters
    ----------
    fpr : array_like of shape (m,) or None
        None is ``linspace(0, 1, 101)``.

    Returns
    -------
    ndarray of shape (m,)
        Ascending, each once.

    Raises
    ------
    TypeError, ValueError
        If they are not numbers in [0, 1].
    """
    if fpr is None:
        return np.linspace(0, 1, 101)
    grid = np.unique(numbers_of(fpr, "fpr", ndim=1))
    if grid[0] < 0 or grid[-1] > 1:
        raise ValueError(
            f"fpr: found values from {grid[0]:g} to {grid[-1]:g}, expected rates in [0, 1]"
        )
    return grid


def resamples_of(resamples: int) -> int:
    """Check a number of bootstrap replicates.

    Parameters
    ----------
    resamples : int
        At least `FEWEST_RESAMPLES`.

    Returns
    -------
    int
        The same.

    Raises
    ------
    TypeError, ValueError
        If it is not a whole number, or too small for tails.
    """
    if isinstance(resamples, (bool, np.bool_)) or not isinstance(resamples, numbers.Integral):
        raise TypeError(f"resamples: found {resamples!r}, expected a whole number")
    if resamples < FEWEST_RESAMPLES:
        raise ValueError(f"resamples: found {resamples!r}, expected at least {FEWEST_RESAMPLES}")
    return int(resamples)


def generator_of(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Source of randomness.

    Parameters
    ----------
    random_state : int, numpy.random.Generator or None
        Seed, a generator to go on with, or a new seed.

    Returns
    -------
    numpy.random.Generator
        The source.

    Raises
    ------
    TypeError, ValueError
        If it is none of these.
    """
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.default_rng(random_state)
    if isinstance(random_state, (bool, np.bool_)) or not isinstance(random_state, numbers.Integral):
        raise TypeError(
            f"random_state: found {random_state!r}, expected a whole number, a "
            "numpy.random.Generator or None"
        )
    if random_state < 0:
        raise ValueError(f"random_state: found {random_state!r}, expected at least 0")
    return np.random.default_rng(int(random_state))


def small_labels(samples: TwoSamples) -> list[str]:
    """Sentences on labels with few points.

    Parameters
    ----------
    samples : TwoSamples
        Scores.

    Returns
    -------
    list of str
        One for each such label.
    """
    names = ("negative", "positive")
    return [
        f"Only {scores.size} {name}{'s' * (scores.size != 1)}: from fewer than {FEW} points of a "
        "label this method's coverage may be far below what it is asked for."
        for name, scores in zip(names, samples, strict=True)
        if scores.size < FEW
    ]


def separated_labels(samples: TwoSamples) -> list[str]:
    """Sentence on scores that tell the labels apart without an error, or not at all.

    Parameters
    ----------
    samples : TwoSamples
        Scores.

    Returns
    -------
    list of str
        One sentence, or none.
    """
    low, high = (scores[0] for scores in samples), (scores[-1] for scores in samples)
    if min(low) == max(high):
        return ["All scores are equal: they say nothing of the labels, and nothing varies."]
    if (auc := samples.auc) in (0.0, 1.0):
        sentence = (
            f"The scores separate the labels (AUC {auc:.0f}): another sample may well overlap, "
            "which these points cannot show."
        )
        return [sentence]
    return []


def ties(samples: TwoSamples, consequence: str) -> list[str]:
    """Sentence on scores that both labels share.

    Parameters
    ----------
    samples : TwoSamples
        Scores.
    consequence : str
        What they do to the method.

    Returns
    -------
    list of str
        One sentence, or none.
    """
    share = samples.tied_share()
    if share < TIED_SHARE:
        return []
    pairs = f"In {share:.1%} of the pairs of a positive and a negative both have the same score"
    return [f"{pairs}: {consequence}"]


def stretches(fpr: Floats, flat: Any) -> str:
    """False positive rates for which something holds, as text.

    Parameters
    ----------
    fpr : ndarray of shape (m,)
        Rates, ascending.
    flat : ndarray of bool of shape (m,)
        For which it holds.

    Returns
    -------
    str
        ``"0.4 to 0.99"``; several stretches with commas.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flat, [False]]).astype(int)))
    pairs = [(fpr[a], fpr[b - 1]) for a, b in edges.reshape(-1, 2)]
    texts = [f"{a:.3g}" if a == b else f"{a:.3g} to {b:.3g}" for a, b in pairs]
    return ", ".join(texts if len(texts) <= STRETCHES else [*texts[:STRETCHES], "…"])


@contextmanager
def reporting(progress: Progress, total: int, what: str) -> Iterator[Callable[[int], object]]:
    """Tell of replicates done: a bar, a callable, or nothing.

    Parameters
    ----------
    progress : bool or callable
        True is a bar; a callable gets the number done and the total.
    total : int
        All replicates.
    what : str
        Name of the bar.

    Yields
    ------
    callable
        To be told how many are done.

    Raises
    ------
    TypeError
        If `progress` is neither.
    """
    if callable(progress):
        tell = progress
        yield lambda done: tell(done, total)
        return
    if not isinstance(progress, bool):
        raise TypeError(
            f"progress: found {progress!r}, expected True, False or a callable of the replicates "
            "done and their total"
        )
    from tqdm.auto import tqdm

    with tqdm(total=total, desc=what, unit="replicate", disable=not progress) as bar:
        yield lambda done: bar.update(done - bar.n)
