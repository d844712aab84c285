"""Implements ``fit`` for outcomes with a time: from table and parameters to a calibration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, same_length
from conformal_roc_widget.calibration.classifiers import seeded
from conformal_roc_widget.calibration.fit import RowFacts, seed_of
from conformal_roc_widget.calibration.parameters import Parameters
from conformal_roc_widget.calibration.quantiles import check_rule
from conformal_roc_widget.calibration.references.kernel import KernelReference, fit_kernel
from conformal_roc_widget.calibration.resplits import check_resplits, random_parts
from conformal_roc_widget.calibration.split import fitted_encoder, params_of_rows, random_state_of
from conformal_roc_widget.tables.encoder import TableEncoder, check_encoder, encode_of
from conformal_roc_widget.tables.event_times import EventTimes
from conformal_roc_widget.tables.points import Columns, Points

from .censoring import Censoring, censoring_of
from .known import Known, check_known, chosen_horizon, horizons_of
from .learned_risk import LearnedRisk
from .residuals import residuals_of
from .risks import FromFunction, Risks, check_risk_model, trained_risks

#: Name of the reference (the estimate of the true risk) that is learned here.
PERSON_PERIOD = "person-period"


class TimedRows(NamedTuple):
    """Points and their outcomes, each of which has a time."""

    points: Points
    outcome: EventTimes

    @classmethod
    def of(cls, X: Any, y: Any, suffix: str, like: Columns | None, encode: Any) -> TimedRows:
        """Checks features `X` and outcomes `y`. In errors, `suffix` is added to these names."""
        points = Points.of(X, f"X{suffix}", like, encode)
        outcome = EventTimes.of(y, f"y{suffix}")
        same_length(**{f"X{suffix}": points.array, f"y{suffix}": outcome.times})
        return cls(points, outcome)

    def rows(self, rows: Any) -> TimedRows:
        """The rows with the indices `rows`, in this order."""
        return TimedRows(self.points.rows(rows), self.outcome.rows(rows))


class AtHorizon(NamedTuple):
    """The calibration at one horizon.

    `known` are the calibration rows whose outcome at the horizon is known. `residuals` has the
    ascending residuals of the negative label, then those of the positive label.
    """

    known: Known
    residuals: tuple[Floats, Floats]


class TimedCalibration(NamedTuple):
    """The result of a fit to outcomes with a time.

    `horizons` has the calibration at each horizon. `kernel`, fitted to the training features, is
    for the diagnostics. It is None if features were not converted to numbers. `true_reference`
    tells whether the user gave the true risk.
    """

    parameters: Parameters
    columns: Columns
    encoder: Any
    censoring: Censoring
    risks: Risks
    kernel: KernelReference | None
    calibrating: Points
    horizons: Mapping[float, AtHorizon]
    reference_text: str
    true_reference: bool

    def chosen(self, horizon: Any) -> float:
        """The fit's horizon that equals `horizon`. If it is None, returns the only horizon."""
        return chosen_horizon(horizon, list(self.horizons))

    def points(self, X: Any, name: str) -> Points:
        """Checks new points with the features `X`. If the fit has an encoder, encodes them."""
        points = Points.of(X, name, self.columns, encode_of(self.parameters.encoder))
        return points if self.encoder is None else points.encoded(self.encoder)

    def test_rows(self, X: Any, y: Any) -> TimedRows:
        """Test points with the features `X` and the outcomes `y`."""
        points, outcome = self.points(X, "X_test"), EventTimes.of(y, "y_test")
        same_length(X_test=points.array, y_test=outcome.times)
        return TimedRows(points, outcome)

    def known(self, rows: TimedRows, horizon: float) -> Known:
        """Returns the rows whose outcome at `horizon` is known.

        There must be rows with and without the event.
        """
        check_known(rows.outcome, horizon, "y_test", fewest=1)
        return Known.of(rows.outcome, horizon, self.censoring, rows.points)

    def with_parameters(self, now: Parameters) -> TimedCalibration:
        """Returns the calibration with the quantile rule of `now`. The rest is that of the fit."""
        check_rule(now.quantile_rule, "quantile_rule")
        return self._replace(parameters=replace(self.parameters, quantile_rule=now.quantile_rule))


def check_parameters(wanted: Parameters) -> None:
    """Raises for parameters that have no meaning, or no theory, for outcomes with a time."""
    reference = wanted.reference
    named = reference if isinstance(reference, str) else type(reference).__name__
    a_truth = callable(reference) and not hasattr(reference, "fit")
    one_moment = (
        "it estimates P(y = 1 | x) of labels that are all known; expected 'auto', which learns "
        "from rows that were lost from sight too, or a callable (X, t), the truth"
    )
    found = vars(wanted) | {"reference": "auto" if a_truth else named}
    only: dict[str, tuple[Any, str]] = {
        "reference": ("auto", one_moment),
        "neighbors": (None, "neighbourhoods have no theory for weights"),
        "center": ("classifier", "intervals stand around the risk that the model says"),
        "recenter": (False, "medians have no theory for weights"),
        "resplits": (1, "one split calibrates"),
        "calibration": ("split", "the part that trains tells who is followed"),
    }
    for name, (usual, reason) in only.items():
        if found[name] != usual:
            what = f"found {found[name]!r} with a time in y, expected {usual!r}"
            raise ValueError(f"{name}: {what}: {reason}")
    check_rule(wanted.quantile_rule, "quantile_rule")


def timed_calibration(
    parameters: Parameters,
    table: tuple[Any, ArrayLike],
    given: tuple[Any, ArrayLike | None],
    facts: RowFacts,
) -> TimedCalibration:
    """Trains models on the training part. Takes residuals on the other part at each horizon.

    `table` is ``X, y``. `given` is the calibration set, or a pair of None if it is to be split off
    the table. `facts` are the other arguments with one value per row.
    """
    wanted = parameters
    facts.refuse_with_time()
    if wanted.horizons is None:
        raise ValueError(
            "horizons: found None with a time in y, expected one number above 0 or several: "
            "the times by which an event counts"
        )
    horizons = horizons_of(wanted.horizons)
    check_parameters(wanted)
    check_risk_model(wanted.estimator, horizons)
    check_encoder(wanted.encoder)
    check_resplits(1, wanted.calibration_size)
    data = TimedRows.of(*table, "", None, encode_of(wanted.encoder))
    seeds = np.random.SeedSequence(seed_of(wanted.random_state)).spawn(2)
    arguments = dict(facts.fit_params)
    names = "the training part of y", "the calibration part of y"
    if (given[0] is None) != (given[1] is None):
        raise ValueError("X_calibration, y_calibration: found one of them, expected both")
    if given[0] is None:
        n = data.outcome.times.size
        parts = random_parts(np.arange(n), wanted.calibration_size, seeds[0])
        training, calibration = map(data.rows, parts)
        arguments = params_of_rows(arguments, n, parts[0])
    else:
        names = "y", "y_calibration"
        training = data
        calibration = TimedRows.of(*given, "_calibration", data.points.columns, "needed")
    for horizon in horizons:
        for name, part in zip(names, (training, calibration), strict=True):
            check_known(part.outcome, horizon, name, argument="horizons")
    number = random_state_of(seeds[0])
    seed = number if wanted.random_state is not None else None
    return _calibrated(wanted, horizons, training, calibration, seed, arguments)


def _calibrated(
    wanted: Parameters,
    horizons: tuple[float, ...],
    training: TimedRows,
    calibration: TimedRows,
    seed: int | None,
    arguments: Mapping[str, Any],
) -> TimedCalibration:
    a_truth = wanted.reference != "auto"
    encoder = None
    raw_training = training.points
    if training.points.columns.encoded and not (a_truth and wanted.censoring == "marginal"):
        made = TableEncoder() if isinstance(wanted.encoder, str) else wanted.encoder
        encoder, points = fitted_encoder(seeded(made, seed), raw_training)
        training = training._replace(points=points)
        calibration = calibration._replace(points=calibration.points.encoded(encoder))
    censoring = censoring_of(wanted.censoring, training.outcome, training.points)
    known = {t: Known.of(training.outcome, t, censoring, training.points) for t in horizons}
    risks = trained_risks(
        *(wanted.estimator, training.points, training.outcome, known, seed, arguments)
    )
    draws = _draws(wanted.reference, horizons, training, calibration)
    at = {}
    for t in horizons:
        there = Known.of(calibration.outcome, t, censoring, calibration.points)
        _, logits = risks.at(calibration.points, t)
        at[t] = AtHorizon(there, residuals_of(there, draws(t), logits))
    array = training.points.array
    nothing = np.zeros(len(array), dtype=np.intp)
    return TimedCalibration(
        parameters=wanted,
        columns=raw_training.columns,
        encoder=encoder,
        censoring=censoring,
        risks=risks,
        kernel=fit_kernel(array, nothing) if array.shape[1] else None,
        calibrating=calibration.points,
        horizons=at,
        reference_text=repr(wanted.reference) if a_truth else PERSON_PERIOD,
        true_reference=a_truth,
    )


def _draws(
    reference: Any, horizons: tuple[float, ...], training: TimedRows, calibration: TimedRows
) -> Callable[[float], Sequence[Floats]]:
    """Returns a function from a horizon to draws of the risk's logit at the calibration points.

    The draws are a list with an array (n_ca, n_draws) for each posterior. If the user gave the true
    risk, the list has a single array with one column.
    """
    if reference != "auto":
        truth = FromFunction(reference, "reference")
        return lambda t: [truth.at(calibration.points, t)[1][:, None]]
    X = np.concatenate([training.points.array, calibration.points.array])
    learned = LearnedRisk.of(X, training.outcome.joined(calibration.outcome), horizons)
    return learned.risk_logits(calibration.points.array, horizons).__getitem__
