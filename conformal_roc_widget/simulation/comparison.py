"""Coverage and width of every band over many samples, from laws of scores whose curve is known.

The sampling bands are asked whether they hold the population ROC of the score. The conformal bands
are asked whether they hold the curve of the true probabilities on their own test set, at thresholds
drawn from them (Theorem 3.2).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import expit, logit, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget.arrays import Floats, Ints, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators import (
    ComparatorBand,
    bootstrap_band,
    ks_band,
    simultaneous_band,
    working_hotelling_band,
)
from conformal_roc_widget.comparators.comparator_band import TARGET
from conformal_roc_widget.comparators.resampling import resamples_of
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.parallel import gather
from conformal_roc_widget.simulation.replicate import is_count
from conformal_roc_widget.simulation.results_file import KEY, check_path, save

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BANDS", "CONFORMAL", "LAWS", "Law", "Mixture", "run"]

#: What the numbers mean. To be raised with every change to the package that would change them.
VERSION = 1
#: Replicates that travel together.
CHUNK = 5
SIZES = (30, 200, 1000)
FIGURES = ("pointwise", "simultaneous", "width")
CONFORMAL_TARGET = "curve of the true probabilities on the test set"


class Distribution(Protocol):
    """What a law needs of a distribution; those of `scipy.stats` have it."""

    def rvs(self, size: int, random_state: np.random.Generator) -> Any:
        """Random numbers."""

    def sf(self, x: Any) -> Any:
        """Survival function."""

    def isf(self, q: Any) -> Any:
        """Inverse of the survival function."""

    def logpdf(self, x: Any) -> Any:
        """Logarithm of the density."""


@dataclass(frozen=True)
class Mixture:
    """Mixture of distributions.

    Parameters
    ----------
    weights : tuple of float
        Positive, of sum 1.
    parts : tuple of Distribution
        As many.
    """

    weights: tuple[float, ...]
    parts: tuple[Distribution, ...]

    def rvs(self, size: int, random_state: np.random.Generator) -> Floats:
        """Random numbers.

        Parameters
        ----------
        size : int
            How many.
        random_state : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of shape (size,)
            In random order.
        """
        chosen = random_state.choice(len(self.parts), size, p=self.weights)
        drawn = np.array([part.rvs(size, random_state=random_state) for part in self.parts])
        return np.asarray(drawn[chosen, np.arange(size)])

    def sf(self, x: Any) -> Floats:
        """Survival function.

        Parameters
        ----------
        x : array_like
            Points.

        Returns
        -------
        ndarray
            Of the same shape.
        """
        pairs = zip(self.weights, self.parts, strict=True)
        return np.asarray(sum(weight * part.sf(x) for weight, part in pairs))

    def isf(self, q: Any) -> Floats:
        """Inverse of the survival function, by bisection between those of the parts.

        Parameters
        ----------
        q : array_like
            Probabilities in (0, 1).

        Returns
        -------
        ndarray
            Of the same shape.
        """
        ends = np.array([part.isf(q) for part in self.parts])
        low, high = ends.min(axis=0), ends.max(axis=0)
        for _ in range(100):
            middle = (low + high) / 2
            above = self.sf(middle) > q
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray((low + high) / 2)

    def logpdf(self, x: Any) -> Floats:
        """Logarithm of the density.

        Parameters
        ----------
        x : array_like
            Points.

        Returns
        -------
        ndarray
            Of the same shape.
        """
        logs = [part.logpdf(x) for part in self.parts]
        weights = np.array(self.weights).reshape(-1, *np.ones(np.ndim(x), dtype=int))
        return np.asarray(logsumexp(logs, axis=0, b=weights))


@dataclass(frozen=True)
class Law:
    """Law of a score for both labels, and the classifier that reports it as a probability.

    Parameters
    ----------
    title : str
        For tables.
    negative, positive : Distribution
        Of the score x given the label; both labels are equally frequent.
    classifier : callable
        x -> logit of the probability that the classifier reports; increasing, so that its ROC
        curve is that of x, and not calibrated.
    """

    title: str
    negative: Distribution
    positive: Distribution
    classifier: Callable[[Floats], Floats]

    def roc(self, fpr: Floats) -> Floats:
        """Population ROC curve of the score, and so of the classifier.

        Parameters
        ----------
        fpr : ndarray of shape (m,)
            False positive rates in (0, 1).

        Returns
        -------
        ndarray of shape (m,)
            True positive rates.
        """
        return np.asarray(self.positive.sf(self.negative.isf(fpr)))

    def logit_pi(self, x: Floats) -> Floats:
        """Logit of the true probability of the positive label.

        Parameters
        ----------
        x : ndarray of shape (n,)
            Scores.

        Returns
        -------
        ndarray of shape (n,)
            Logarithm of the likelihood ratio.
        """
        return np.asarray(self.positive.logpdf(x) - self.negative.logpdf(x))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
        """Random scores, as many of each label.

        Parameters
        ----------
        n : int
            Points of each label.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        y : ndarray of shape (2 n,)
            Labels 0 and 1.
        x : ndarray of shape (2 n,)
            Scores.
        """
        parts = [law.rvs(n, random_state=rng) for law in (self.negative, self.positive)]
        return np.repeat([0, 1], n), np.concatenate(parts)


#: Name -> law. A law of your own is one more entry.
LAWS: dict[str, Law] = {
    "binormal_equal": Law(
        "normal, equal variances",
        stats.norm(0, 1),
        stats.norm(1.2, 1),
        lambda x: 0.8 * x - 0.2,
    ),
    "binormal_unequal": Law(
        "normal, unequal variances",
        stats.norm(0, 1),
        stats.norm(1.2, 1.6),
        lambda x: 0.8 * x - 0.2,
    ),
    "lognormal": Law(
        "lognormal",
        stats.lognorm(1.0),
        stats.lognorm(0.7, scale=np.exp(1.2)),
        lambda x: np.log(x) - 0.3,
    ),
    "beta": Law(
        "beta",
        stats.beta(2, 4),
        stats.beta(4, 2.5),
        logit,
    ),
    "student": Law(
        "Student t, 3 degrees of freedom",
        stats.t(3),
        stats.t(3, loc=1.5),
        lambda x: 0.6 * x - 0.2,
    ),
    "gamma": Law(
        "gamma",
        stats.gamma(2),
        stats.gamma(4),
        lambda x: 1.4 * np.log(x) - 1.2,
    ),
    "bimodal": Law(
        "bimodal negatives",
        Mixture((0.7, 0.3), (stats.norm(-1, 0.6), stats.norm(1.5, 0.6))),
        stats.norm(1.2, 0.8),
        lambda x: x - 0.3,
    ),
    "exponential": Law(
        "exponential",
        stats.expon(),
        stats.expon(scale=3),
        lambda x: 0.45 * x - 0.5,
    ),
}

#: ``(labels, scores, alpha, resamples, source of randomness)`` -> band.
Maker = Callable[[Ints, Floats, float, int, np.random.Generator], ComparatorBand]
#: Name -> sampling band.
BANDS: dict[str, Maker] = {
    "bootstrap": lambda y, x, alpha, resamples, rng: bootstrap_band(
        y, x, alpha, resamples=resamples, random_state=rng
    ),
    "simultaneous": lambda y, x, alpha, resamples, rng: simultaneous_band(
        y, x, alpha, resamples=resamples, random_state=rng, n_threads=1
    ),
    "ks": lambda y, x, alpha, resamples, rng: ks_band(y, x, alpha),
    "working_hotelling": lambda y, x, alpha, resamples, rng: working_hotelling_band(y, x, alpha),
}

#: Bands with a target of their own: with the kernel on the score as reference, as users have it,
#: and with the true probability as reference (Proposition 2.1).
CONFORMAL = ("conformal", "conformal_true_reference")

#: ``(law, n, replicate)`` -> figures of shape (bands, 3).
Done = dict[tuple[str, int, int], Floats]


def run(
    laws: Mapping[str, Law] | None = None,
    sizes: Sequence[int] = SIZES,
    replicates: int = 200,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: int | None = None,
    progress: bool = True,
    *,
    bands: Sequence[str] = (*BANDS, *CONFORMAL),
    resamples: int = 2000,
    path: str | os.PathLike[str] | None = None,
    each: bool = False,
) -> pd.DataFrame:
    """Coverage and width of bands over many test sets of every law and size.

    Every replicate draws a test set with n points of each label. The sampling bands see its labels
    and scores. The conformal bands see a calibration set of the same size besides, and in place of
    the scores the probabilities of a classifier that ranks as they do, but is not calibrated
    (`Law.classifier`). ``"conformal"`` is `RocEvaluation.from_predictions`;
    ``"conformal_true_reference"`` knows the true probability of each calibration point.

    Interrupting (Ctrl-C, or the notebook's stop button) returns what is done, with a warning.

    Parameters
    ----------
    laws : mapping of str to Law, optional
        By default `LAWS`.
    sizes : sequence of int
        Points of each label, at least 5.
    replicates : int
        Test sets of each law and size.
    alpha : float
        Significance level in (0, 1).
    n_jobs : int or None
        Processes, as joblib counts them.
    random_state : int or None
        Seed. None takes a new one, or that of the file at `path`. A replicate depends on the seed,
        the law's name, the size and its own number only.
    progress : bool
        Whether to show a progress bar.
    bands : sequence of str
        Keys of `BANDS`, and `CONFORMAL`.
    resamples : int
        Bootstrap replicates of a band.
    path : path-like, optional
        Parquet file for the figures of every replicate. What it holds already is not computed
        again; it is written from time to time and at the end, also after an interruption.
    each : bool
        Return one row a replicate, in place of means.

    Returns
    -------
    DataFrame
        One row for each ``law``, ``n`` and ``band``, with its ``target`` and the means over
        replicates of

        * ``pointwise``: share of the places where the limits hold the target. Places are the false
          positive rates of the band's grid between 0 and 1 (the ends are trivial), and for a
          conformal band the thresholds ``pi(x_s)`` of all positive test points;
        * ``simultaneous``: whether they do so at all places;
        * ``width``: mean distance of the limits over the places,

        each followed by its Monte-Carlo standard error (``*_se``), and the number of
        ``replicates``. With `each`, one row for each ``law``, ``n``, ``replicate`` and ``band``.

    Raises
    ------
    ImportError
        If rocci is wanted and not installed.
    TypeError, ValueError
        If an argument is not of the form above, or the file at `path` is damaged or of another
        run (it is then left as it is).
    """
    chosen = LAWS if laws is None else laws
    _check(chosen, sizes, replicates, bands, random_state)
    chosen = dict(chosen)
    level = float(exact_alpha(alpha))
    description: dict[str, Any] = {
        "version": VERSION,
        "setting": "comparison",
        "alpha": level,
        "bands": list(bands),
        "resamples": resamples_of(resamples),
        "random_state": None if random_state is None else int(random_state),
    }
    place, done = None, Done()
    if path is not None:
        place = check_path(path)
        if place.exists():
            done, description["random_state"] = _load(place, description)
    if description["random_state"] is None:
        description["random_state"] = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    asked = [(law, int(n), i) for law in chosen for n in sizes for i in range(int(replicates))]
    pending = [key for key in asked if key not in done]
    chunks = [pending[i : i + CHUNK] for i in range(0, len(pending), CHUNK)]
    tasks = (
        delayed(_measure_some)({key: chosen[key[0]] for key in chunk}, description)
        for chunk in chunks
    )

    def write() -> None:
        if place is not None:
            save(place, _to_frame(done, bands), description)

    if pending:
        gather(
            tasks,
            done,
            len(pending),
            write,
            title="comparison",
            n_jobs=n_jobs,
            progress=progress,
        )
    table = _to_frame({key: done[key] for key in asked if key in done}, bands)
    table = table if each else _summary(table)
    table.attrs |= {"alpha": level}
    return table


def _check(
    laws: Mapping[str, Law],
    sizes: Sequence[int],
    replicates: int,
    bands: Sequence[str],
    random_state: int | None,
) -> None:
    """Refuse what is not of the form that `run` states."""
    if not isinstance(laws, Mapping):
        raise TypeError(f"laws: found {type(laws).__name__}, expected a mapping of names to Law")
    for name, given in (("sizes", sizes), ("bands", bands)):
        if not isinstance(given, Iterable):
            raise TypeError(f"{name}: found {given!r}, expected a sequence")
    if not laws or not all(isinstance(law, Law) for law in laws.values()):
        raise ValueError(f"laws: found {shortened(list(laws))}, expected at least one Law by name")
    if not len(sizes) or not all(is_count(n, 5) for n in sizes):
        raise ValueError(f"sizes: found {sizes!r}, expected whole numbers of at least 5")
    if not is_count(replicates, 1):
        raise ValueError(f"replicates: found {replicates!r}, expected a whole number of at least 1")
    known = [*BANDS, *CONFORMAL]
    if isinstance(bands, str) or not len(bands) or not set(bands) <= set(known):
        raise ValueError(f"bands: found {bands!r}, expected some of {shortened(known)}")
    if random_state is not None and not is_count(random_state, 0):
        raise ValueError(f"random_state: found {random_state!r}, expected a whole number or None")


def _measure_some(
    tasks: Mapping[tuple[str, int, int], Law], description: Mapping[str, Any]
) -> Done:
    """Some replicates, in whatever process this is."""
    alpha, resamples = description["alpha"], description["resamples"]
    done = Done()
    for (name, n, i), law in tasks.items():
        key = int.from_bytes(name.encode(), "little")
        seed = np.random.SeedSequence(description["random_state"], spawn_key=(key, n, i))
        data, random = (np.random.default_rng(child) for child in seed.spawn(2))
        y, x = law.draw(n, data)
        calibration = law.draw(n, data)
        done[name, n, i] = np.array(
            [
                _conformal(law, _evaluation(law, band, calibration, (y, x)), (y, x), alpha)
                if band in CONFORMAL
                else _sampling(law, BANDS[band](y, x, alpha, resamples, random))
                for band in description["bands"]
            ]
        )
    return done


def _sampling(law: Law, band: ComparatorBand) -> tuple[float, float, float]:
    """`FIGURES` of a sampling band between the ends of its grid."""
    inside = (band.fpr > 0) & (band.fpr < 1)
    truth = law.roc(band.fpr[inside])
    return _figures(band.tpr_lower[inside], truth, band.tpr_upper[inside])


def _evaluation(
    law: Law, band: str, calibration: tuple[Ints, Floats], test: tuple[Ints, Floats]
) -> RocEvaluation:
    """Evaluation of the law's classifier."""
    (y_calibration, x_calibration), (y, x) = calibration, test
    if band == "conformal":
        given, shown = (expit(law.classifier(scores)) for scores in (x_calibration, x))
        return RocEvaluation.from_predictions(y_calibration, given, y, shown)
    frozen = FrozenEstimator(Reported(law).fit())
    model = ConformalROC(frozen, reference=lambda X: expit(law.logit_pi(X[:, 0])))
    points = x_calibration[:, None]
    # Neither the frozen classifier nor the reference learns anything: the training part is idle.
    model.fit(points, y_calibration, X_calibration=points, y_calibration=y_calibration)
    return model.evaluate(x[:, None], y)


def _conformal(
    law: Law, evaluation: RocEvaluation, test: tuple[Ints, Floats], alpha: float
) -> tuple[float, float, float]:
    """`FIGURES` of a conformal band at the true probabilities of the positives."""
    y, x = test
    pi = np.sort(expit(law.logit_pi(x[y == 1])))
    band = evaluation.band(alpha, thresholds=pi)
    # The band's thresholds descend.
    truth = (pi.size - np.searchsorted(pi, band.thresholds, side="left")) / pi.size
    return _figures(band.tpr_lower, truth, band.tpr_upper)


class Reported(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The classifier of a law, for one feature, the score.

    Parameters
    ----------
    law : Law
        The law.
    """

    def __init__(self, law: Law) -> None:
        self.law = law

    def fit(self, X: ArrayLike | None = None, y: ArrayLike | None = None) -> Reported:
        """There is nothing to learn.

        Parameters
        ----------
        X, y : object
            Not looked at.

        Returns
        -------
        Reported
            Itself.
        """
        self.classes_ = np.array([0, 1])
        return self

    def decision_function(self, X: ArrayLike) -> Floats:
        """Logit of the probability that the classifier reports.

        Parameters
        ----------
        X : array_like of shape (n, 1)
            Scores.

        Returns
        -------
        ndarray of shape (n,)
            Logits.
        """
        return self.law.classifier(np.asarray(X, dtype=np.float64)[:, 0])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Probabilities of both labels.

        Parameters
        ----------
        X : array_like of shape (n, 1)
            Scores.

        Returns
        -------
        ndarray of shape (n, 2)
            Probabilities.
        """
        reported = expit(self.decision_function(X))
        return np.column_stack([1 - reported, reported])


def _figures(lower: Floats, truth: Floats, upper: Floats) -> tuple[float, float, float]:
    # Counts over the same n agree to rounding.
    holds = (lower <= truth + 1e-12) & (truth <= upper + 1e-12)
    return float(holds.mean()), float(holds.all()), float((upper - lower).mean())


def _to_frame(done: Done, bands: Sequence[str]) -> pd.DataFrame:
    """One row for each law, size, replicate and band."""
    import pandas as pd

    keys = sorted(done)
    figures = np.array([done[key] for key in keys]).reshape(-1, len(FIGURES))
    index = [(*key, band) for key in keys for band in bands]
    frame = pd.DataFrame(index, columns=["law", "n", "replicate", "band"])
    for j, name in enumerate(FIGURES):
        frame[name] = figures[:, j]
    return frame


def _summary(frame: pd.DataFrame) -> pd.DataFrame:
    """Means and standard errors over replicates."""
    groups = frame.groupby(["law", "n", "band"], sort=False)[list(FIGURES)]
    means, errors, sizes = groups.mean(), groups.std(ddof=1), groups.size()
    table = means.index.to_frame(index=False)
    table["target"] = np.where(table["band"].isin(CONFORMAL), CONFORMAL_TARGET, TARGET)
    for name in FIGURES:
        table[name] = means[name].to_numpy()
        table[f"{name}_se"] = errors[name].to_numpy() / np.sqrt(sizes.to_numpy())
    table["replicates"] = sizes.to_numpy()
    return table


def _load(path: Path, description: Mapping[str, Any]) -> tuple[Done, int]:
    """Read a result file and its seed, or refuse it by name."""
    import pandas as pd

    try:
        frame = pd.read_parquet(path, engine="pyarrow", page_checksum_verification=True)
        found: dict[str, Any] = json.loads(frame.attrs[KEY])
        keys = frame[["law", "n", "replicate"]].itertuples(index=False, name=None)
        bands = found["bands"]
        figures = frame[list(FIGURES)].to_numpy().reshape(-1, len(bands), len(FIGURES))
    except Exception as error:
        raise ValueError(
            f"path: {path} is not a whole result file of comparison.run ({error}); "
            "expected one, or a new name"
        ) from None
    for name, wanted in description.items():
        if found.get(name) != wanted and wanted is not None:
            raise ValueError(
                f"path: {path} was made with {name} = {found.get(name)!r}, expected {wanted!r}, "
                "or a new name"
            )
    done = dict(zip(list(keys)[:: len(bands)], figures, strict=True))
    return done, int(found["random_state"])
