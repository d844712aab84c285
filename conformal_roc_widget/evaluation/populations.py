"""Evaluates one classifier in several populations, and computes differences of their rates."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from conformal_roc_widget.arrays import MOST_CLASSES, Floats, as_given
from conformal_roc_widget.calibration.fit import Calibration
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, yes_or_no
from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold
from conformal_roc_widget.names import lists
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
from conformal_roc_widget.text import counted, with_class_names

from .band import Named
from .decided import SureWishes
from .estimate import SamplingInterval
from .from_features import evaluations_of
from .notes import no_rows_of
from .roc_evaluation import RocEvaluation

if TYPE_CHECKING:
    import pandas as pd

#: The rate of a label is the share of its rows that are predicted positive. These are the names of
#: the rates.
RATES = {1: "tpr", 0: "fpr"}


class Gap(NamedTuple):
    """The difference of a rate between two populations, `group_a` minus `group_b`, with limits."""

    rate: str
    group_a: Any
    group_b: Any
    difference: float
    lower: float
    upper: float


class _Cell(NamedTuple):
    """A rate in one population, with its limits."""

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
    """Evaluates the test points of each population with the residuals of that population only.

    `names` are the populations and `weights` the weights of the test points. `overall` is the
    evaluation of all test points together.
    """
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
    """If the names are many numbers, which are hardly populations, returns advice for an error."""
    if len(names) <= MOST_CLASSES or not all(isinstance(name, int | float) for name in names):
        return ""
    return f". {len(names):,} distinct values: is this a number? pandas.cut makes ranges of it"


@dataclass(frozen=True, eq=False, repr=False)
class Populations(Named[Any, RocEvaluation]):
    """The evaluations of populations, each with its own calibration residuals.

    `ConformalROC.evaluate_by` makes it. It is a mapping from the names of the populations to
    evaluations. A population's limits use only its own residuals. If these are too few, it has no
    limits.

    Attributes
    ----------
    overall : RocEvaluation
        The evaluation of all test points together, with the residuals of all.
    """

    _items: Mapping[Any, RocEvaluation]
    overall: RocEvaluation

    def __new__(cls, *given: Any, **_fields: Any) -> Self:
        """Makes populations from the fields, for this package. Leads a user to `evaluate_by`."""
        if given and len(given) + len(_fields) != len(fields(cls)):
            raise TypeError(
                f"Populations: found {counted(len(given), 'value')}, expected that "
                "`ConformalROC.evaluate_by(X_test, y_test, sensitive_features)` makes them"
            )
        return super().__new__(cls)

    def __repr__(self) -> str:
        """Returns a short text with names and numbers of test points."""
        sizes = ", ".join(f"{name!r}: {sum(e.n_test.values())}" for name, e in self.items())
        return f"Populations({sizes})"

    def gap(self, alpha: float = 0.05, threshold: float = 0.5) -> pd.DataFrame:
        """Returns differences of the rates of two populations, with conformal limits.

        Each rate has the limits of its population's `operating_point`, at ``alpha`` divided by the
        number of rates (two for each population). The lower limit of a difference is the lower
        limit of the first rate minus the upper limit of the second, and the upper limit is the
        reverse. If the limits of all rates hold, so do those of all differences.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1). It is divided among all rates.
        threshold : float
            Rows that score at least this are predicted positive.

        Returns
        -------
        pandas.DataFrame
            A row for each rate and each pair of populations: ``rate`` (``"tpr"`` or ``"fpr"``),
            ``group_a``, ``group_b``, ``difference`` (observed, a minus b), ``lower``, ``upper``;
            ``attrs`` hold ``alpha``, ``threshold``, ``target``, ``scope`` and ``guarantee``. If a
            population has too few residuals for its part of alpha, its rates count with the limits
            0 and 1, and the list ``attrs["notes"]`` says why.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or if the threshold is NaN or not a number.
        """
        level = _each(alpha, self)
        any_point = next(iter(self.values())).operating_point(threshold, level)
        return _table(
            conformal_gaps(self, alpha, threshold),
            alpha=float(alpha),
            threshold=as_given(threshold),
            **for_gaps(any_point.promise, 2 * len(self), level, float(alpha)).words,
            notes=self._without_limits(level),
        )

    def _without_limits(self, alpha: float) -> list[str]:
        """Returns a note on each label of a population that lacks limits at `alpha`."""
        return [
            f"{name}: {with_class_names(reason, evaluation.classes)}"
            for name, evaluation in self.items()
            for reason in evaluation.at(alpha).vacuous.values()
            if reason is not None
        ]

    @lists(SureWishes, RocEvaluation.threshold_for)
    def threshold_for(self, **wishes: Any) -> dict[Any, float | PopulationThreshold]:
        """Finds a threshold for each population, from its own test points.

        Parameters
        ----------
        sensitivity, specificity, precision, npv, accuracy, cost_ratio, prevalence
            See `RocEvaluation.threshold_for`. The default prevalence is each population's own.
        confidence : float, optional
            Probability in (0, 1) that the wanted rates hold in a population. It is for each
            population by itself. In all k populations together they hold with probability at least
            ``1 - k (1 - confidence)``.

        Returns
        -------
        dict of population to float or PopulationThreshold
            The result of `RocEvaluation.threshold_for` for each population.

        Raises
        ------
        TypeError, ValueError
            As in `RocEvaluation.threshold_for`. The message names the population.
        """
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
        """Returns differences of this classifier's rates between populations, at any sample size.

        The limits of `gap` are for ideal models. These limits are for this classifier's own rates
        in each population. Each rate has the exact binomial limits of Clopper and Pearson (1934),
        at ``alpha`` divided by the number of rates.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1), for all differences together.
        threshold : float
            Rows that score at least this are predicted positive. It must be fixed in advance,
            unless `every_threshold` is set.
        every_threshold : bool
            Whether limits hold at all thresholds at once, so that the threshold may be chosen by
            looking (Dvoretzky, Kiefer and Wolfowitz 1956, with Massart's constant).

        Returns
        -------
        pandas.DataFrame
            See `gap`.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above, if test points have weights, or if several
            belong to one person.
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
            threshold=as_given(threshold),
            **promise.at(alpha).words,
        )

    def equalized_odds(
        self, alpha: float = 0.05, threshold: float = 0.5, *, every_threshold: bool = False
    ) -> SamplingInterval:
        """Returns the largest difference of either rate between two populations, as in fairlearn.

        Parameters
        ----------
        alpha, threshold, every_threshold
            See `sampling_gap`.

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
    number(threshold, "threshold")
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
            called = int((e.scores[e.labels == k] >= e._observed.cut(threshold)).sum())
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
    """Computes the rows of `Populations.gap` for any mapping of populations to evaluations."""
    level = _each(alpha, evaluations)
    points = {name: e.operating_point(threshold, level) for name, e in evaluations.items()}
    tpr = {name: _Cell(p.tpr, p.tpr_lower, p.tpr_upper) for name, p in points.items()}
    fpr = {name: _Cell(p.fpr, p.fpr_lower, p.fpr_upper) for name, p in points.items()}
    return _gaps({"tpr": tpr, "fpr": fpr})


def _each(alpha: float, evaluations: Mapping[Any, RocEvaluation]) -> float:
    """The alpha of one rate if all rates, two for each population, together have `alpha`."""
    return float(exact_alpha(alpha) / (2 * len(evaluations)))


def _gaps(cells: Mapping[str, Mapping[Any, _Cell]]) -> list[Gap]:
    return [
        Gap(rate, a, b, one.value - other.value, one.lower - other.upper, one.upper - other.lower)
        for rate, of in cells.items()
        for (a, one), (b, other) in itertools.combinations(of.items(), 2)
    ]


def _table(gaps: list[Gap], **about: Any) -> pd.DataFrame:
    """Makes a data frame with a row for each difference. `about` becomes its ``attrs``."""
    import pandas as pd

    frame = pd.DataFrame(gaps, columns=list(Gap._fields))
    frame.attrs |= about
    return frame
