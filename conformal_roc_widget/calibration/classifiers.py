"""Asks scikit-learn classifiers for probabilities and their logits, and seeds them."""

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

#: A classifier has one of these methods.
SCORING = ("predict_proba", "decision_function")
#: Below this probability p, the float ``1 - p`` has lost digits: ``logit(1 - p)`` would have fewer
#: than ten correct ones.
EXTREME = 1e-6
#: If the largest decision value is the predicted class in less than this share of the rows, the
#: values are none of classes. Votes of three pairs agree in about a fourth.
AGREEMENT = 0.5


def has_scores(estimator: Any) -> bool:
    """Whether an estimator gives more than classes."""
    return any(hasattr(estimator, method) for method in SCORING) or _ends_in_logistic(estimator)


def _ends_in_logistic(estimator: Any) -> bool:
    """Whether the last model is the default of a stack: a logistic regression, fitted with it."""
    while isinstance(estimator, Pipeline) or hasattr(estimator, "estimator"):
        estimator = estimator[-1] if isinstance(estimator, Pipeline) else estimator.estimator
    return isinstance(estimator, StackingClassifier) and estimator.final_estimator is None


def has_tags(estimator: Any) -> bool:
    """Whether an estimator, frozen or not, is scikit-learn's kind: ``check_is_fitted`` asks it."""
    inner = estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator
    return hasattr(inner, "__sklearn_tags__")


def check_classifier(estimator: Any) -> None:
    """Refuses an estimator that gives only classes, without scores."""
    if isinstance(estimator, type):
        name = estimator.__name__
        raise TypeError(f"estimator: found the class {name}, expected an object of it: {name}()")
    if not has_scores(estimator):
        raise TypeError(
            f"estimator: found {type(estimator).__name__} with neither predict_proba nor "
            "decision_function, expected a classifier with one of them"
        )


def check_trainable(estimator: Any) -> None:
    """Refuses an estimator that scikit-learn cannot copy, for each training copies it."""
    if not hasattr(estimator, "get_params"):
        raise TypeError(
            f"estimator: found {type(estimator).__name__} without get_params, expected a "
            "scikit-learn classifier, which is copied and trained, or a fitted one as "
            "FrozenEstimator(classifier)"
        )


def check_frozen(estimator: Any, classes: NDArray[Any]) -> None:
    """Refuses a frozen classifier that was not fitted, or for other classes."""
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
    """Whether a classifier came fitted and is trained again; a frozen one is not trained."""
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
    """Class of a classifier, or of the last step of its pipeline."""
    while isinstance(estimator, FrozenEstimator | Pipeline):
        estimator = estimator.estimator if isinstance(estimator, FrozenEstimator) else estimator[-1]
    return type(estimator)


def seeded(estimator: Any, seed: int | None) -> Any:
    """A clone with the seed in each random state that is None; without a seed the object itself."""
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
    """Adds the argument's name, and columns that lack texts, to the error of an estimator.

    Only where it cannot take the user's table: estimators differ in how they fail on a gap.
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
        # A gap may have nothing to do with it: the estimator's own words come first.
        raise kind(f"{points.name}: {what}{error}{gaps and '; '}{gaps}") from error


def fit_to(estimator: Any, points: Points, labels: NDArray[Any], **fit_params: Any) -> Any:
    """The estimator, fitted to points as the user gave them."""
    with table_named(estimator, points):
        return estimator.fit(points.raw, labels, **fit_params)


def class_scores(estimator: Any, points: Points, classes: NDArray[Any]) -> tuple[Floats, Floats]:
    """Probabilities of the `classes` (n, k), and their one-vs-rest logits.

    The logits keep digits that probabilities near 0 and 1 have lost: where ``decision_function``
    is the log-odds (or softmax input) of ``predict_proba``, they come from it; rows with a
    probability near 0 or 1 ask ``predict_log_proba``; infinite ones are clipped. A classifier with
    ``decision_function`` alone has that number for its logit. With the features as numbers in
    `points`, equal rows have equal scores: those of the first of them, where the estimator's differ
    in the last digits, as BLAS's do at the edge of a block.
    """
    with table_named(estimator, points):
        probabilities, logits = _scores_as_given(estimator, points, classes)
    # Rows are compared by their numbers; if they have none, scores stay as they are.
    if not points.array.shape[1] or (source := _first_alike(points.array, logits)) is None:
        return probabilities, logits
    return probabilities[source], logits[source]


def _first_alike(rows: Floats, logits: Floats) -> Ints | None:
    """Index of each row's first equal row if their logits tie, else of the row itself.

    None if no two logits are so near: nothing has to be made equal.
    """
    doubtful = np.zeros(len(logits), dtype=bool)
    for column in logits.T:
        order = np.argsort(column, kind="stable")
        with np.errstate(invalid="ignore"):
            gaps = np.diff(column[order])
        # A stretch is a run of sorted logits in which neighbours tie; it is mixed if some of its
        # logits differ.
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
    """Probabilities and logits as the estimator returns them.

    They may differ a little between equal rows.
    """
    X, n = points.raw, len(points.array)
    known = np.asarray(estimator.classes_)
    order = np.argsort(known)  # a frozen classifier of somebody's own may have any order
    columns = order[np.searchsorted(known, classes, sorter=order)]
    decision = None
    if hasattr(estimator, "decision_function"):
        decision = _decision_logits(estimator.decision_function(X))
        if decision.shape[1] == len(estimator.classes_):
            decision = decision[:, columns]
        else:  # one-vs-one votes of more than two classes: no score of a class
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
            f"expected ({n}, {known.size}), a row a point and a column a class"
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
    """Refuses one-against-one votes: three classes have three pairs, so the shape tells nothing."""
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
    """One-vs-rest logits (n, k) of decision values that enter a sigmoid or a softmax."""
    decision = np.asarray(given, dtype=np.float64)
    if decision.ndim != 1:
        return finite_one_vs_rest(decision)
    if decision.size and np.isfinite(decision).all():  # whole numbers of any size keep their order
        decision = any_scores_of(given, "estimator.decision_function(X)")
    return np.column_stack([-decision, decision])


def _in_order(probabilities: Floats, margins: Floats) -> Floats:
    """Probabilities that rank as the margins: the nearest ones, where some came out equal."""
    distinct, place = np.unique(margins, return_inverse=True)
    nearest = np.empty(distinct.size)
    nearest[place] = probabilities
    if np.unique(nearest).size == distinct.size:
        return probabilities
    return rising(nearest, float(np.nextafter(1.0, 0.0)))[place]
