"""Coverage and width of every band over many samples, from laws of scores whose curve is known.

The sampling bands are asked whether they hold the population ROC of the score. The conformal bands
are asked whether they hold an ideal model's sensitivity, at the same threshold, on their own test
set, at thresholds drawn from the true probabilities (Theorem 3.2).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit
from score_laws import LAWS, Law
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget.arrays import Floats, Ints, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, whole_number
from conformal_roc_widget.comparators import ComparatorBand
from conformal_roc_widget.comparators.registry import COMPARATORS, Resampling
from conformal_roc_widget.comparators.resampling import FEWEST_RESAMPLES
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import POPULATION_CURVE
from conformal_roc_widget.simulation.classifiers import KnownLogit
from conformal_roc_widget.simulation.results_file import Layout, means, to_frame
from conformal_roc_widget.simulation.runner import replicate_seed, run_replicates

if TYPE_CHECKING:
    import pandas as pd

SIZES = (30, 200, 1000)
FIGURES = ("pointwise", "simultaneous", "width")
CONFORMAL_TARGET = "an ideal model's sensitivity, at the same threshold, on the test set"

#: ``(labels, scores, alpha, resamples, source of randomness)`` -> band.
BandFunction = Callable[[Ints, Floats, float, int, np.random.Generator], ComparatorBand]


def _sampling_band(
    key: str, y: Ints, x: Floats, alpha: float, resamples: int, rng: np.random.Generator
) -> ComparatorBand:
    """Band of a comparator of the registry, from the scores as they stand."""
    return COMPARATORS[key].family(y, x, Resampling(resamples, rng, n_threads=1)).band(alpha)


#: Name -> sampling band.
BANDS: dict[str, BandFunction] = {key: partial(_sampling_band, key) for key in COMPARATORS}

#: The conformal bands, which have another target than the sampling bands. The first has the kernel
#: on the score as its reference, as in the paper. The second has the true probability (Proposition
#: 2.1).
CONFORMAL = ("conformal", "conformal_true_reference")


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
    (`Law.classifier`). ``"conformal"`` is `RocEvaluation.from_predictions` with the kernel;
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
        Parquet file for the figures of every replicate. Those that it holds already are not
        computed again; it is written from time to time and at the end, also after an interruption.
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
    chosen = dict(LAWS) if laws is None else _laws(laws)
    for name, given in (("sizes", sizes), ("bands", bands)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise TypeError(f"{name}: found {given!r}, expected a sequence")
        if not len(given):
            raise ValueError(f"{name}: found none, expected at least one")
    points = [whole_number(n, "sizes", 5, from_floats=True) for n in sizes]
    total = whole_number(replicates, "replicates", 1, from_floats=True)
    known = [*BANDS, *CONFORMAL]
    if not all(band in known for band in bands):
        raise ValueError(f"bands: found {bands!r}, expected some of {shortened(known)}")
    seed = random_state
    if seed is not None:
        seed = whole_number(seed, "random_state", 0, other="None", from_floats=True)
    description = {
        "setting": "comparison",
        "alpha": float(exact_alpha(alpha)),
        "bands": list(bands),
        "resamples": whole_number(resamples, "resamples", FEWEST_RESAMPLES),
        "random_state": seed,
    }
    layout = Layout(
        maker="comparison.run",
        replicate=("law", "n", "replicate"),
        row=("band",),
        rows=tuple((band,) for band in bands),
        figures=FIGURES,
        types={"n": "int64", "replicate": "int64"},
    )
    done = run_replicates(
        [(law, n, i) for law in chosen for n in points for i in range(total)],
        partial(_measure, chosen, description),
        description,
        layout,
        path=path,
        title="comparison",
        n_jobs=n_jobs,
        progress=progress,
    )
    if each:
        table = to_frame(done, layout)
    else:
        table = means(dict(sorted(done.items())), layout, ("law", "n", "band"))
        targets = [
            CONFORMAL_TARGET if band in CONFORMAL else POPULATION_CURVE for band in table["band"]
        ]
        table.insert(3, "target", targets)
    table.attrs |= {"alpha": description["alpha"]}
    return table


def _laws(laws: Any) -> dict[str, Law]:
    """Returns the laws by name. Raises an error if they are not valid."""
    instance_of(laws, "laws", Mapping, "a mapping of names to Law")
    for name, law in laws.items():
        instance_of(law, f"laws[{name!r:.40}]", Law, "a Law")
    if not laws:
        raise ValueError("laws: found none, expected at least one Law by name")
    return dict(laws)


def _measure(
    laws: Mapping[str, Law],
    description: Mapping[str, Any],
    key: tuple[str, int, int],
    random_state: int,
) -> Floats:
    """`FIGURES` of a replicate, a row for each band."""
    alpha, resamples = description["alpha"], description["resamples"]
    law, n = laws[key[0]], key[1]
    seed = replicate_seed(random_state, *key)
    data, random = (np.random.default_rng(child) for child in seed.spawn(2))
    test = y, x = law.draw(n, data)
    calibration = law.draw(n, data)
    return np.array(
        [
            _conformal(law, _evaluation(law, band, calibration, test), test, alpha)
            if band in CONFORMAL
            else _sampling(law, BANDS[band](y, x, alpha, resamples, random))
            for band in description["bands"]
        ]
    )


def _sampling(law: Law, band: ComparatorBand) -> tuple[float, float, float]:
    """`FIGURES` of a sampling band between the ends of its grid."""
    inside = (band.fpr > 0) & (band.fpr < 1)
    truth = law.roc(band.fpr[inside])
    return _figures(band.tpr_lower[inside], truth, band.tpr_upper[inside])


def _evaluation(
    law: Law, band: str, calibration: tuple[Ints, Floats], test: tuple[Ints, Floats]
) -> RocEvaluation:
    """An evaluation of the law's classifier, with the reference that the band names."""
    (y_calibration, x_calibration), (y, x) = calibration, test
    if band == "conformal":
        given, shown = (expit(law.classifier(scores)) for scores in (x_calibration, x))
        return RocEvaluation.from_predictions(y_calibration, given, y, shown, reference="kernel")
    classifier = FrozenEstimator(KnownLogit(lambda X: law.classifier(X[:, 0])).fit())
    model = ConformalROC(classifier, reference=lambda X: expit(law.logit_pi(X[:, 0])))
    points = x_calibration[:, None]
    # Neither classifier nor reference learns here: the training part is not used.
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


def _figures(lower: Floats, truth: Floats, upper: Floats) -> tuple[float, float, float]:
    # Shares of the same n may differ by rounding.
    holds = (lower <= truth + 1e-12) & (truth <= upper + 1e-12)
    return float(holds.mean()), float(holds.all()), float((upper - lower).mean())
