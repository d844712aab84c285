"""Evaluations of one classifier by population, and how far their rates are apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from conformal_roc_widget.arrays import MOST_CLASSES, Floats
from conformal_roc_widget.calibration.fit import Calibration
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, yes_or_no
from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold
from conformal_roc_widget.promise import (
    ALL_THRESHOLDS,
    EVERY_SAMPLE_SIZE,
    FIXED_THRESHOLD,
    FOR_ALL_DIFFERENCES,
    SAME_SOURCE,
    Guarantee,
    Scope,
    for_gaps,
    sampling,
)
from conformal_roc_widget.reliability.binomial_limits import exact_limits
from conformal_roc_widget.tables.points import Labelled
from conformal_roc_widget.text import counted

from .band import Named
from .estimate import SamplingInterval
from .from_features import evaluations_of
from .notes import no_rows_of
from .roc_evaluation import RocEvaluation

if TYPE_CHECKING:
    import pandas as pd

#: The rate of each label: specificity is a share of label 0, sensitivity of label 1.
RATES = {1: "tpr", 0: "fpr"}


class Gap(NamedTuple):
    """Difference of a rate between two populations, with its limits."""

    rate: str
    group_a: Any
    group_b: Any
    difference: float
    lower: float
    upper: float


class _Cell(NamedTuple):
    """Rate of one label in one population, with its limits."""

    value: float
    lower: float
    upper: float


def by_population(
    made: Calibration,
    test: Labelled,
    names: Sequence[Any],
    weights: Floats | None,
    overall: RocEvaluation,
) -> Populations:
    """Evaluates each population of the test points with calibration residuals of its own."""
    assert made.populations is not None
    column = made.classes.tolist().index(overall.classes[1])
    calibrating = made.splits.fitted[0].reference.calibration
    known: Any = calibrating.populations
    evaluations = {}
    for place, name in enumerate(names):
        rows = np.flatnonzero(test.populations == place)
        labels = (test.codes[rows] == column).astype(np.int8)
        if not 0 < labels.sum() < labels.size:
            raise ValueError(
                f"sensitive_features: found {counted(labels.size, 'test point')} of {name!r} "
                "without both labels, expected each population to have both"
                f"{_hint_from_names(names)}"
            )
        is_known = name in made.populations
        own = made.populations.index(name) if is_known else -1
        (evaluations[name],) = evaluations_of(
            made,
            test.points.rows(rows),
            {column: labels},
            sample_weight=None if weights is None else weights[rows],
            people=None if test.people is None else test.people[rows],
            stands_for=calibrating.stands_for._replace(within=np.asarray(known == own)),
            remark=None if is_known else no_rows_of(name, made.populations),
        )
    return Populations(evaluations, overall)


def _hint_from_names(names: Sequence[Any]) -> str:
    """The end of an error: advice if numbers are no populations."""
    if len(names) <= MOST_CLASSES or not all(isinstance(name, int | float) for name in names):
        return ""
    return f". {len(names):,} distinct values: is this a number? pandas.cut makes ranges of it"


@dataclass(frozen=True, eq=False, repr=False)
class Populations(Named[Any, RocEvaluation]):
    """One evaluation a population, each with calibration residuals of its own.

    Made by `ConformalROC.evaluate_by`. A mapping of the populations' names to evaluations; no
    population borrows residuals from another, so one with too few has no limits.

    Attributes
    ----------
    overall : RocEvaluation
        All test points together, with the residuals of all.
    """

    _items: Mapping[Any, RocEvaluation]
    overall: RocEvaluation

    def __repr__(self) -> str:
        """Short text: names and numbers of test points."""
        sizes = ", ".join(f"{name!r}: {sum(e.n_test.values())}" for name, e in self.items())
        return f"Populations({sizes})"

    def gap(self, alpha: float = 0.05, threshold: float = 0.5) -> pd.DataFrame:
        """Differences of the rates of two populations, with conformal limits.

        Each rate has the limits of its population's `operating_point` at ``alpha`` over the number
        of rates (two a population), and a difference lies between the lower limit of the one less
        the upper limit of the other and the reverse: where all limits hold, so do all differences.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), shared out over all rates.
        threshold : float
            Scores of at least this are called positive.

        Returns
        -------
        pandas.DataFrame
            A row for each rate and two populations: ``rate`` (``"tpr"`` or ``"fpr"``), ``group_a``,
            ``group_b``, ``difference`` (observed, a less b), ``lower``, ``upper``; ``attrs`` hold
            ``alpha``, ``threshold``, ``target``, ``scope`` and ``guarantee``.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or the threshold is NaN or not a number.
        """
        level = _each(alpha, self)
        any_point = next(iter(self.values())).operating_point(threshold, level)
        return _table(
            conformal_gaps(self, alpha, threshold),
            alpha=float(alpha),
            threshold=float(threshold),
            **for_gaps(any_point.promise, 2 * len(self), level, float(alpha)).words,
        )

    def threshold_for(
        self,
        *,
        sensitivity: float | None = None,
        specificity: float | None = None,
        precision: float | None = None,
        npv: float | None = None,
        accuracy: float | None = None,
        cost_ratio: float | None = None,
        prevalence: float | None = None,
        confidence: float | None = None,
    ) -> dict[Any, float | PopulationThreshold]:
        """A threshold for each population, from its own test points.

        Parameters
        ----------
        sensitivity, specificity, precision, npv, accuracy, cost_ratio, prevalence
            As in `RocEvaluation.threshold_for`; by default each population's own prevalence.
        confidence : float, optional
            In (0, 1): probability that a population keeps its wishes, of each by itself. All of k
            keep them with at least ``1 - k (1 - confidence)``.

        Returns
        -------
        dict of population to float or PopulationThreshold
            What `RocEvaluation.threshold_for` gives for each.

        Raises
        ------
        TypeError, ValueError
            As that method, with the population's name.
        """
        wishes = {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "precision": precision,
            "npv": npv,
            "accuracy": accuracy,
            "cost_ratio": cost_ratio,
            "prevalence": prevalence,
            "confidence": confidence,
        }
        found: dict[Any, float | PopulationThreshold] = {}
        for name, evaluation in self.items():
            try:
                found[name] = evaluation.threshold_for(**wishes)
            except ValueError as error:
                raise ValueError(f"{error} (population {name!r})") from None
        return found

    def sampling_gap(
        self, alpha: float = 0.05, threshold: float = 0.5, *, every_threshold: bool = False
    ) -> pd.DataFrame:
        """Differences of the classifier's own rates in the populations, for every sample size.

        The twin of `gap` for this classifier, were there ever more test points: each rate has the
        exact binomial limits of Clopper and Pearson (1934) at ``alpha`` over the number of rates.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), of all differences together.
        threshold : float
            Scores of at least this are called positive; fixed in advance, or with
            `every_threshold` any.
        every_threshold : bool
            Take limits that hold at all thresholds at once (Dvoretzky, Kiefer and Wolfowitz 1956,
            with Massart's constant), so that the threshold may be chosen by looking.

        Returns
        -------
        pandas.DataFrame
            As `gap`.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, or test points have weights or several belong
            to one person.
        """
        cells = _sampling_cells(self, alpha, threshold, every_threshold=every_threshold)
        promise = sampling(
            _scope(every_threshold),
            Guarantee(FOR_ALL_DIFFERENCES, (SAME_SOURCE,)),
            "differences between populations of this classifier's rates",
        )
        return _table(
            _gaps(cells),
            alpha=float(alpha),
            threshold=float(threshold),
            **promise.at(alpha).words,
        )

    def equalized_odds(
        self, alpha: float = 0.05, threshold: float = 0.5, *, every_threshold: bool = False
    ) -> SamplingInterval:
        """The largest gap of either rate between two populations, as fairlearn defines it.

        Parameters
        ----------
        alpha, threshold, every_threshold
            As in `sampling_gap`.

        Returns
        -------
        SamplingInterval
            Unpacks into the observed equalized-odds difference and its limits in [0, 1].

        Raises
        ------
        TypeError, ValueError
            As in `sampling_gap`.
        """
        gaps = _gaps(_sampling_cells(self, alpha, threshold, every_threshold=every_threshold))
        value = max([0.0, *(abs(gap.difference) for gap in gaps)])
        lower = max([0.0, *(max(gap.lower, -gap.upper) for gap in gaps)])
        upper = max([0.0, *(max(gap.upper, -gap.lower) for gap in gaps)])
        return SamplingInterval.of(
            (value, lower, min(upper, 1.0)),
            alpha=alpha,
            method="Dvoretzky-Kiefer-Wolfowitz" if every_threshold else "Clopper-Pearson",
            target="equalized-odds difference of this classifier between these populations",
            scope=_scope(every_threshold),
            guarantee=EVERY_SAMPLE_SIZE,
        )


def _sampling_cells(
    evaluations: Mapping[Any, RocEvaluation],
    alpha: float,
    threshold: float,
    *,
    every_threshold: bool = False,
) -> dict[str, dict[Any, _Cell]]:
    each = _each(alpha, evaluations)
    cut = number(threshold, "threshold")
    yes_or_no(every_threshold, "every_threshold")
    if any(e.sample_weight is not None for e in evaluations.values()):
        raise ValueError(
            "sampling_gap: found test points with weights, expected none: binomial and "
            "Dvoretzky-Kiefer-Wolfowitz limits count rows"
        )
    if any(e.groups is not None for e in evaluations.values()):
        raise ValueError(
            "sampling_gap: found several test rows of one person, expected none: binomial and "
            "Dvoretzky-Kiefer-Wolfowitz limits count independent rows"
        )
    cells: dict[str, dict[Any, _Cell]] = {rate: {} for rate in RATES.values()}
    for name, e in evaluations.items():
        for k, rate in RATES.items():
            n = e.n_test[k]
            called = int((e.scores[e.labels == k] >= cut).sum())
            if every_threshold:
                far = math.sqrt(math.log(2 / each) / (2 * n))
                limits = max(called / n - far, 0.0), min(called / n + far, 1.0)
            else:
                limits = exact_limits(called, n, each)
            cells[rate][name] = _Cell(called / n, *limits)
    return cells


def _scope(every_threshold: bool) -> Scope:
    return ALL_THRESHOLDS if every_threshold else FIXED_THRESHOLD


def conformal_gaps(
    evaluations: Mapping[Any, RocEvaluation], alpha: float, threshold: float
) -> list[Gap]:
    """The rows of `Populations.gap`, for any mapping of populations."""
    level = _each(alpha, evaluations)
    points = {name: e.operating_point(threshold, level) for name, e in evaluations.items()}
    tpr = {name: _Cell(p.tpr, p.tpr_lower, p.tpr_upper) for name, p in points.items()}
    fpr = {name: _Cell(p.fpr, p.fpr_lower, p.fpr_upper) for name, p in points.items()}
    return _gaps({"tpr": tpr, "fpr": fpr})


def _each(alpha: float, evaluations: Mapping[Any, RocEvaluation]) -> float:
    """The share of alpha that each rate gets; a population has two rates."""
    return float(exact_alpha(alpha) / (2 * len(evaluations)))


def _gaps(cells: Mapping[str, Mapping[Any, _Cell]]) -> list[Gap]:
    return [
        Gap(rate, a, b, one.value - other.value, one.lower - other.upper, one.upper - other.lower)
        for rate, of in cells.items()
        for (a, one), (b, other) in itertools.combinations(of.items(), 2)
    ]


def _table(gaps: list[Gap], **about: Any) -> pd.DataFrame:
    """The table of gaps, a row for each rate and pair of populations."""
    import pandas as pd

    frame = pd.DataFrame(gaps, columns=list(Gap._fields))
    frame.attrs |= about
    return frame
