"""Computes the risk of an event by a time from the user's model, which is trained if needed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from conformal_roc_widget.arrays import Floats, in_unit_range, numbers_of
from conformal_roc_widget.calibration.classifiers import (
    class_scores,
    fit_to,
    has_scores,
    seeded,
    table_named,
)
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.tables.event_times import EventTimes
from conformal_roc_widget.tables.points import Points

from .known import Known

#: Models with this method return survival functions.
SURVIVAL = "predict_survival_function"
#: The labels at a horizon: 1 if the event has happened by then, otherwise 0.
LABELS = np.array([0, 1])


class Risks(Protocol):
    """A trained model that gives the risk of an event by each horizon of the fit."""

    @property
    def estimator(self) -> Any:
        """The trained estimator, for the user."""
        ...

    def at(self, points: Points, horizon: float) -> tuple[Floats, Floats]:
        """Returns ``P(T <= horizon | x)`` (n,) of the `points`, and its logit (n,)."""
        ...


def check_risk_model(estimator: Any, horizons: tuple[float, ...]) -> None:
    """Raises if an estimator gives no risk of an event by a time."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise TypeError(f"estimator: found the class {name}, expected an object of it: {name}()")
    kind = type(estimator).__name__
    if hasattr(estimator, SURVIVAL) or _is_function(estimator):
        return
    if not has_scores(estimator):
        score = " with predict alone, a risk score," if hasattr(estimator, "predict") else ""
        raise TypeError(
            f"estimator: found {kind}{score} for outcomes with a time, expected one with "
            f"{SURVIVAL} or predict_proba, or a callable (X, t) -> P(T <= t | x): limits are for "
            "the probability of an event by a time"
        )
    if isinstance(estimator, FrozenEstimator) and len(horizons) > 1:
        raise ValueError(
            f"estimator: found a frozen classifier for {len(horizons)} horizons, expected one "
            f"horizon, one with {SURVIVAL} or a callable (X, t)"
        )


def _is_function(estimator: Any) -> bool:
    return callable(estimator) and not hasattr(estimator, "fit")


def trained_risks(
    estimator: Any,
    training: Points,
    outcome: EventTimes,
    known: Mapping[float, Known],
    seed: int | None,
    fit_params: Mapping[str, Any],
) -> Risks:
    """Returns the estimator as `Risks`. If it is not fitted, a clone is trained on `training`.

    `outcome` has the outcomes of the training points, and `known` the known ones at each horizon.
    """
    if _is_function(estimator):
        if fit_params:
            raise TypeError(f"fit: found {', '.join(fit_params)} for a callable, expected nothing")
        return FromFunction(estimator)
    if hasattr(estimator, SURVIVAL):
        # If a model is not frozen and has `get_params`, a clone of it is trained. Any other model
        # must be trained already.
        fitted = estimator
        if not isinstance(estimator, FrozenEstimator) and hasattr(estimator, "get_params"):
            with table_named(estimator, training):
                fitted = clone(seeded(estimator, seed)).fit(
                    training.raw, outcome.structured, **fit_params
                )
        return FromSurvival(fitted)
    if isinstance(estimator, FrozenEstimator):
        return FromClassifiers(dict.fromkeys(known, estimator))
    return FromClassifiers(
        {t: _at_horizon(estimator, training, each, seed, fit_params) for t, each in known.items()}
    )


def _at_horizon(
    estimator: Any, training: Points, known: Known, seed: int | None, fit_params: Mapping[str, Any]
) -> Any:
    """Trains a classifier for the event by a horizon, on the `known` rows with their weights."""
    model, weights = clone(seeded(estimator, seed)), known.weights
    arguments = dict(fit_params)
    if not (weights == 1).all():
        arguments[_weight_name(model)] = weights
    rows = training.rows(known.rows)
    return fit_to(model, rows, known.labels.astype(np.intp), **arguments)


def _weight_name(model: Any) -> str:
    """Returns the name of the argument for weights in the ``fit`` of `model`."""
    if isinstance(model, Pipeline):
        last, step = model.steps[-1]
        if has_fit_parameter(step, "sample_weight"):
            return (
                "sample_weight"
                if get_config()["enable_metadata_routing"]
                else (f"{last}__sample_weight")
            )
    elif has_fit_parameter(model, "sample_weight"):
        return "sample_weight"
    raise ValueError(
        f"estimator: found {type(model).__name__} whose fit takes no sample_weight, expected one "
        "that does: rows that are still followed represent lost rows"
    )


@dataclass(frozen=True)
class FromFunction:
    """`Risks` from a callable ``(X, t) -> P(T <= t | x)``."""

    estimator: Callable[[Any, float], Any]
    name: str = "estimator"

    def at(self, points: Points, horizon: float) -> tuple[Floats, Floats]:
        """See `Risks.at`."""
        call = f"{self.name}(X, {horizon:g})"
        return _checked(self.estimator(points.raw, horizon), call, len(points.array))


def _checked(values: Any, call: str, n: int) -> tuple[Floats, Floats]:
    """Checks that `values` has a probability for each of n points. Returns them and their logits.

    Errors name `call` as the source of the values.
    """
    found = numbers_of(values, call, ndim=1)
    if found.shape != (n,):
        raise ValueError(f"{call}: found shape {found.shape}, expected {(n,)}")
    risk = in_unit_range(found, call, "probabilities in [0, 1]")
    return risk, logit_of(risk)


@dataclass(frozen=True)
class FromSurvival:
    """`Risks` from a model with ``predict_survival_function``.

    This method returns functions of time, or a frame.
    """

    estimator: Any

    def at(self, points: Points, horizon: float) -> tuple[Floats, Floats]:
        """See `Risks.at`."""
        call = f"estimator.{SURVIVAL}(X) at {horizon:g}"
        with table_named(self.estimator, points):
            survival = self._survival(points.raw, horizon, call)
        values = numbers_of(survival, call, ndim=1)
        # Rounding may raise a survival function slightly above 1.
        return _checked(
            1 - np.where(values <= 1 + 1e-9, np.minimum(values, 1), values), call, len(points.array)
        )

    def _survival(self, X: Any, horizon: float, call: str) -> Any:
        ask = getattr(self.estimator, SURVIVAL)
        takes_times = "times" in inspect.signature(ask).parameters
        found = ask(X, times=[horizon]) if takes_times else ask(X)
        try:
            if takes_times:
                return np.asarray(found, dtype=np.float64).reshape(-1)
            return [float(of_row(horizon)) for of_row in found]
        except ValueError as error:
            raise ValueError(f"{call}: {error}") from error
        except TypeError as error:
            expected = "a frame of numbers" if takes_times else "a function of time for each row"
            raise TypeError(
                f"{call}: found {type(found).__name__}, expected {expected}: {error}"
            ) from error


@dataclass(frozen=True)
class FromClassifiers:
    """`Risks` from one classifier for each horizon."""

    by_horizon: Mapping[float, Any]

    @property
    def estimator(self) -> Any:
        """The classifier of the only horizon, or a dict with one classifier for each horizon."""
        if len(self.by_horizon) == 1:
            return next(iter(self.by_horizon.values()))
        return dict(self.by_horizon)

    def at(self, points: Points, horizon: float) -> tuple[Floats, Floats]:
        """See `Risks.at`."""
        model = self.by_horizon[horizon]
        classes = np.sort(np.asarray(model.classes_))
        if classes.size != 2:
            raise ValueError(
                f"estimator: found a classifier of {classes.size} classes, expected two: an event "
                "by the horizon, and none"
            )
        probabilities, logits = class_scores(model, points, classes)
        return probabilities[:, 1], logits[:, 1]
