"""Logits and residuals ``R~ = logit pi~ - logit p``; the only file that clips."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from conformal_roc_widget.arrays import Floats, numbers_of, scores_of

#: What a probability of exactly 0 becomes before its logit is taken; 1 becomes 1 minus this.
SMALLEST_PROBABILITY = 2.0**-53

#: With a probability below this, the logit of the opposite one is no longer known to ten digits.
EXTREME = 1e-6


def logit_of(probabilities: Floats) -> Floats:
    """Logit of probabilities, finite also at exactly 0 and 1.

    Parameters
    ----------
    probabilities : ndarray
        Probabilities in [0, 1].

    Returns
    -------
    ndarray
        ``log(p / (1 - p))``; exact zeros count as ``2**-53`` and exact ones as ``1 - 2**-53``.
    """
    logits: Floats = np.asarray(logit(probabilities), dtype=np.float64)
    if np.isinf(logits).any():
        limit = logit(SMALLEST_PROBABILITY)
        logits[np.isneginf(logits)] = limit
        logits[np.isposinf(logits)] = -limit
    return logits


def is_clipped(logits: Floats) -> NDArray[np.bool_]:
    """Whether logits are those of a probability of exactly 0 or 1.

    Parameters
    ----------
    logits : ndarray
        Logits as `logit_of` returns them.

    Returns
    -------
    ndarray of bool
        Same shape.
    """
    clipped: NDArray[np.bool_] = np.abs(logits) == -logit(SMALLEST_PROBABILITY)
    return clipped


def class_scores(estimator: Any, X: Any, classes: NDArray[Any]) -> tuple[Floats, Floats]:
    """Probabilities ``p_{n,l}`` of a fitted classifier, and their one-vs-rest logits.

    The logits keep digits that probabilities near 0 and 1 have lost: where ``decision_function``
    is the log-odds (or softmax input) of ``predict_proba``, they come from it; rows with a
    probability near 0 or 1 ask ``predict_log_proba``; what is infinite then is clipped.

    Parameters
    ----------
    estimator : object
        Fitted classifier. With ``decision_function`` alone, that number is taken for the logit
        (of the softmax, for more than two classes).
    X : array_like of shape (n, d)
        Features, passed on as they are.
    classes : ndarray of shape (k,)
        Sorted classes; the columns of the result follow them.

    Returns
    -------
    probabilities, logits : ndarray of shape (n, k)
        Column l holds ``p_l`` and ``logit p_l``.

    Raises
    ------
    TypeError
        If the estimator has neither method.
    ValueError
        If it gives NaN, or probabilities outside [0, 1].
    """
    columns = np.searchsorted(estimator.classes_, classes)
    decision = None
    if hasattr(estimator, "decision_function"):
        decision = _decision_logits(np.asarray(estimator.decision_function(X), dtype=np.float64))
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
        return expit(decision), decision
    probabilities = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, columns]
    scores_of(probabilities.ravel(), "estimator.predict_proba(X)")
    if decision is not None and np.allclose(expit(decision), probabilities, rtol=1e-9, atol=1e-12):
        return probabilities, decision
    extreme = probabilities.min(axis=1) < EXTREME
    if not extreme.any() or not hasattr(estimator, "predict_log_proba"):
        return probabilities, logit_of(probabilities)
    with np.errstate(divide="ignore"):
        logs = np.asarray(estimator.predict_log_proba(X), dtype=np.float64)[:, columns]
    return probabilities, np.where(extreme[:, None], _odds(logs), logit_of(probabilities))


def _decision_logits(decision: Floats) -> Floats:
    """One-vs-rest logits (n, k) of decision values that enter a sigmoid or a softmax."""
    if decision.ndim == 1:
        return np.column_stack([-decision, decision])
    return _odds(decision)


def one_vs_rest(logs: Floats) -> Floats:
    """Logit of each class against the others, from logs of unnormalised weights.

    Parameters
    ----------
    logs : ndarray of shape (n, k)
        One column a class; ``-inf`` for a class without weight.

    Returns
    -------
    ndarray of shape (n, k)
        ``logs[:, l] - log sum_{m != l} exp(logs[:, m])``.
    """
    if logs.shape[1] == 2:
        odds = logs[:, 1] - logs[:, 0]
        return np.column_stack([-odds, odds])
    rest = [np.logaddexp.reduce(np.delete(logs, l, axis=1), axis=1) for l in range(logs.shape[1])]
    return np.asarray(logs - np.column_stack(rest))


def _odds(logs: Floats) -> Floats:
    """`one_vs_rest`, clipped where it is infinite."""
    limit = -logit(SMALLEST_PROBABILITY)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(one_vs_rest(logs), nan=0.0, posinf=limit, neginf=-limit)
