"""Checks and seeds scikit-learn classifiers, and computes their probabilities and logits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.base import clone
from sklearn.ensemble import StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    any_scores_of,
    numbers_of,
    rising,
    scores_of,
    shortened,
)
from conformal_roc_widget.logits import TIE, finite_one_vs_rest, logit_of
from conformal_roc_widget.tables.columns import missing_texts, repeats_names
from conformal_roc_widget.tables.points import Points

#: A classifier needs one of these methods, which return scores.
SCORING = ("predict_proba", "decision_function")
#: If a probability p is below this, the float ``1 - p`` has lost digits: ``logit(1 - p)`` would
#: have fewer than ten correct digits.
EXTREME = 1e-6
#: With three classes there are also three pairs of classes, so a `decision_function` with three
#: columns may give values of classes or of pairs. If its largest value belongs to the predicted
#: class in a smaller share of the rows than this, its columns are pairs. For pairs this share is
#: about 1/4.
AGREEMENT = 0.5


def has_scores(estimator: Any) -> bool:
    """Whether an estimator returns scores, and not only predicted classes."""
    return any(hasattr(estimator, method) for method in SCORING) or _ends_in_logistic(estimator)


def _ends_in_logistic(estimator: Any) -> bool:
    """Whether an estimator is a stack whose final model is the default, a logistic regression.

    Before a stack is fitted, it does not show the methods of this model.
    """
    while isinstance(estimator, Pipeline) or hasattr(estimator, "estimator"):
        estimator = estimator[-1] if isinstance(estimator, Pipeline) else estimator.estimator
    return isinstance(estimator, StackingClassifier) and estimator.final_estimator is None


def has_tags(estimator: Any) -> bool:
    """Whether an estimator has scikit-learn's tags, without which ``check_is_fitted`` fails."""
    inner = estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator
    return hasattr(inner, "__sklearn_tags__")


def check_classifier(estimator: Any) -> None:
    """Raises if an estimator gives only predicted classes, without scores."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise TypeError(f"estimator: found the class {name}, expected an object of it: {name}()")
    if not has_scores(estimator):
        raise TypeError(
            f"estimator: found {type(estimator).__name__} with neither predict_proba nor "
            "decision_function, expected a classifier with one of them"
        )


def check_trainable(estimator: Any) -> None:
    """Raises if scikit-learn cannot clone an estimator. Each training starts from a clone."""
    if not hasattr(estimator, "get_params"):
        raise TypeError(
            f"estimator: found {type(estimator).__name__} without get_params, expected a "
            "scikit-learn classifier, which is copied and trained, or a fitted one as "
            "FrozenEstimator(classifier)"
        )


def check_frozen(estimator: Any, classes: NDArray[Any]) -> None:
    """Raises if a frozen classifier is not fitted, or if its classes are not `classes`."""
    if not isinstance(estimator, FrozenEstimator):
        return
    try:
        known = np.asarray(estimator.classes_).tolist()
    except AttributeError:
        raise NotFittedError(
            f"estimator: found a frozen {kind_of(estimator).__name__} that is not fitted (it has "
            "no classes_), expected FrozenEstimator(classifier.fit(X, y))"
        ) from None
    if sorted(known) != classes.tolist():
        raise ValueError(
            f"estimator: found a frozen classifier of classes {shortened(known)}, "
            f"expected those of y: {shortened(classes.tolist())}"
        )


def was_fitted(estimator: Any) -> bool:
    """Whether an estimator is fitted already, but will be trained again.

    A frozen estimator is never trained again, so for it the result is False.
    """
    if isinstance(estimator, FrozenEstimator):
        return False
    if not has_tags(estimator):
        return hasattr(estimator, "classes_")
    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError):
        return False
    return True


def kind_of(estimator: Any) -> type:
    """Returns the type of a classifier inside a frozen wrapper, or of a pipeline's last step."""
    while isinstance(estimator, FrozenEstimator | Pipeline):
        estimator = estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator[-1]
    return type(estimator)


def seeded(estimator: Any, seed: int | None) -> Any:
    """Returns a clone of an estimator in which each random state that is None gets `seed`.

    If there is no seed, or no such random state, returns the estimator itself.
    """
    if (
        seed is None
        or isinstance(estimator, FrozenEstimator)
        or not hasattr(estimator, "get_params")
    ):
        return estimator
    unset = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    ]
    return clone(estimator).set_params(**dict.fromkeys(unset, seed)) if unset else estimator


@contextmanager
def table_named(estimator: Any, points: Points) -> Iterator[None]:
    """Adds the argument's name and a likely cause to an error of `estimator` on a user's table.

    Only errors about this table are changed. Estimators fail in different ways on missing values,
    so the names of text columns with missing values are added.
    """
    try:
        yield
    except (TypeError, ValueError, AttributeError) as error:
        gaps = missing_texts(points.raw) if points.columns.encoded else ""
        at_fault = points.columns.encoded or repeats_names(points.raw)
        if not at_fault or (isinstance(error, AttributeError) and not gaps):
            raise
        kind = TypeError if isinstance(error, TypeError) else ValueError
        what = f"{type(estimator).__name__} does not take this table as it is: "
        # `gaps` describes the missing values of the table. They may not be the cause of the error,
        # so the estimator's own message comes first.
        raise kind(f"{points.name}: {what}{error}{gaps and '; '}{gaps}") from error


def fit_to(estimator: Any, points: Points, labels: NDArray[Any], **fit_params: Any) -> Any:
    """Fits the estimator to the features of `points` in the form that the user gave them."""
    with table_named(estimator, points):
        return estimator.fit(points.raw, labels, **fit_params)


def class_scores(estimator: Any, points: Points, classes: NDArray[Any]) -> tuple[Floats, Floats]:
    """Returns the probabilities of the `classes` (n, k) and their one-vs-rest logits (n, k).

    A probability near 0 or 1 has lost digits that a logit can keep. So if ``decision_function``
    returns the log-odds (or the input of the softmax), they become the logits. Otherwise
    ``predict_log_proba`` gives the logits of rows with a probability near 0 or 1. Infinite logits
    are clipped. If a classifier has only ``decision_function``, its value is the logit.

    If `points` has numeric features, equal rows get equal scores. The estimator's scores of equal
    rows may differ in the last digits, because BLAS computes the edges of blocks differently.
    """
    with table_named(estimator, points):
        probabilities, logits = _scores_as_given(estimator, points, classes)
    # If there are no numeric features, equal rows cannot be found. If no logits tie, there is
    # nothing to make equal. In both cases the scores stay as they are.
    if not points.array.shape[1] or (source := _first_alike(points.array, logits)) is None:
        return probabilities, logits
    return probabilities[source], logits[source]


def _first_alike(rows: Floats, logits: Floats) -> Ints | None:
    """Returns for each row the index of the row whose scores it gets.

    This is the first equal row with a tied logit, or the row itself if there is none. If no two
    logits tie, returns None: each row keeps its scores. `logits` (n, k) has a column for each
    class.
    """
    doubtful = np.zeros(len(logits), dtype=bool)
    for column in logits.T:
        order = np.argsort(column, kind="stable")
        with np.errstate(invalid="ignore"):
            gaps = np.diff(column[order])
        # A stretch is a run of sorted logits in which each neighbour differs by at most `TIE`. A
        # stretch is mixed if its logits are not all identical.
        stretch = np.cumsum(np.append(True, ~(gaps <= TIE))) - 1
        mixed = np.zeros(len(logits), dtype=bool)
        mixed[stretch[1:][(gaps > 0) & (gaps <= TIE)]] = True
        doubtful[order[mixed[stretch]]] = True
    if not doubtful.any():
        return None
    some = np.flatnonzero(doubtful)
    _, first, place = np.unique(rows[some], axis=0, return_index=True, return_inverse=True)
    alike = some[first[place.ravel()]]
    near = (np.abs(logits[alike] - logits[some]) <= TIE).all(axis=1)
    source = np.arange(len(logits))
    source[some[near]] = alike[near]
    return source


def _scores_as_given(
    estimator: Any, points: Points, classes: NDArray[Any]
) -> tuple[Floats, Floats]:
    """Returns probabilities and logits (n, k) of the `classes` as the estimator computes them.

    The values of equal rows may differ a little.
    """
    X, n = points.raw, len(points.array)
    known = np.asarray(estimator.classes_)
    order = np.argsort(known)  # a user's own frozen classifier may list its classes in any order
    columns = order[np.searchsorted(known, classes, sorter=order)]
    decision = None
    if hasattr(estimator, "decision_function"):
        decision = _decision_logits(estimator.decision_function(X))
        if decision.shape[1] == len(estimator.classes_):
            decision = decision[:, columns]
        else:  # the columns are pairs of classes
            decision = None
    if not hasattr(estimator, "predict_proba"):
        if decision is None:
            raise TypeError(
                f"estimator: found {type(estimator).__name__} without predict_proba and without a "
                "decision_function of one value per class, expected one of them"
            )
        numbers_of(decision, "estimator.decision_function(X)", ndim=2)
        _refuse_votes(estimator, X, decision, classes)
        return np.column_stack([_in_order(expit(of), of) for of in decision.T]), decision
    probabilities = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    if probabilities.shape != (n, known.size):
        raise ValueError(
            f"estimator.predict_proba(X): found shape {probabilities.shape}, "
            f"expected ({n}, {known.size}), a row for each point and a column for each class"
        )
    probabilities = probabilities[:, columns]
    scores_of(probabilities.ravel(), "estimator.predict_proba(X)")
    if decision is not None and np.allclose(expit(decision), probabilities, rtol=1e-9, atol=1e-12):
        return probabilities, decision
    extreme = probabilities.min(axis=1) < EXTREME
    if not extreme.any() or not hasattr(estimator, "predict_log_proba"):
        return probabilities, logit_of(probabilities)
    with np.errstate(divide="ignore"):
        logs = np.asarray(estimator.predict_log_proba(X), dtype=np.float64)[:, columns]
    return probabilities, np.where(
        extreme[:, None], finite_one_vs_rest(logs), logit_of(probabilities)
    )


def _refuse_votes(estimator: Any, X: Any, decision: Floats, classes: NDArray[Any]) -> None:
    """Raises if decision values are votes between pairs of classes, not one value per class.

    With three classes there are three pairs, so the shape cannot tell votes from values of classes.
    """
    if classes.size < 3:
        return
    params: Mapping[str, Any] = getattr(estimator, "get_params", dict)()
    pairs = any(
        name.endswith("decision_function_shape") and value == "ovo"
        for name, value in params.items()
    )
    agree = 1.0
    if not pairs and len(decision) and hasattr(estimator, "predict"):
        agree = float(np.mean(classes[decision.argmax(axis=1)] == np.asarray(estimator.predict(X))))
    if pairs or agree < AGREEMENT:
        found = "'ovo'" if pairs else f"values whose largest is the predicted class in {agree:.0%}"
        raise ValueError(
            f"estimator.decision_function(X): found {found}, votes of one class against another, "
            "expected a value per class, of which predict takes the largest "
            "(decision_function_shape='ovr')"
        )


def _decision_logits(given: Any) -> Floats:
    """Turns decision values that enter a sigmoid or a softmax into one-vs-rest logits (n, k)."""
    decision = np.asarray(given, dtype=np.float64)
    if decision.ndim != 1:
        return finite_one_vs_rest(decision)
    # If the decision values are integers too large for floats, `any_scores_of` keeps their order.
    if decision.size and np.isfinite(decision).all():
        decision = any_scores_of(given, "estimator.decision_function(X)")
    return np.column_stack([-decision, decision])


def _in_order(probabilities: Floats, margins: Floats) -> Floats:
    """Makes probabilities have the same order as `margins`, their decision values.

    If two different margins have equal probabilities, these are moved by the smallest possible
    amount.
    """
    distinct, place = np.unique(margins, return_inverse=True)
    nearest = np.empty(distinct.size)
    nearest[place] = probabilities
    if np.unique(nearest).size == distinct.size:
        return probabilities
    return rising(nearest, float(np.nextafter(1.0, 0.0)))[place]
