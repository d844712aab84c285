"""Makes the centres of intervals: logits of the classifier, the reference, or another model.

The reference is the estimate ``pi~`` of the true probability ``pi``. A residual is ``logit pi~ -
centre``. The interval for ``logit pi`` goes from the centre plus a low quantile of the residuals to
the centre plus a high one. Any function can be the centre if it has not seen the calibration part:
the intervals remain valid. The nearer it is to ``logit pi``, the shorter they are. Intervals around
the classifier's logit are wider. So they may also cover a ``pi`` with noise that no column shows,
although this is not guaranteed. Shorter intervals do not cover it.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import StackingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.references.learned_scores import (
    BOOSTED,
    FOLDS,
    FOREST,
    LINEAR,
    threads_for,
)
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.tables.encoder import TableEncoder

from .classifiers import has_scores

CLASSIFIER, KERNEL, LEARNED = "classifier", "kernel", "learned"
CENTERS = (CLASSIFIER, KERNEL, LEARNED)
#: Probabilities are clipped to this distance from 0 and 1. A forest returns exactly 0 and 1, which
#: have no finite logit.
NEAREST = 1e-3


class LearnedCentre(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier for any table: a logistic regression combines the logits of three learners.

    The logistic regression is fitted to out-of-fold logits of the learners.

    Parameters
    ----------
    encoder : transformer
        Turns the table into numbers, without using labels. If None, it is a new `TableEncoder`.
    random_state : int or None
        Seed of the folds and of the forest.
    """

    def __init__(self, encoder: Any = None, random_state: int | None = None) -> None:
        self.encoder = encoder
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Trains the three learners and the logistic regression.

        Each learner is trained once for each fold without the fold, and once on all rows.
        """
        fewest = int(np.unique(y, return_counts=True)[1].min())
        if fewest < 2:
            raise ValueError(
                "y: found a label once in the training part, expected every label at least twice "
                "for center='learned'"
            )
        seed = self.random_state
        learners = [
            ("linear", clone(LINEAR)),
            ("boosted", clone(BOOSTED)),
            ("forest", clone(FOREST).set_params(random_state=seed)),
        ]
        stack = StackingClassifier(
            learners,
            make_pipeline(FunctionTransformer(_logits), LogisticRegression()),
            cv=StratifiedKFold(min(FOLDS, fewest), shuffle=True, random_state=seed),
            stack_method="predict_proba",
        )
        encoder = TableEncoder() if self.encoder is None else clone(self.encoder)
        self.encoder_ = encoder.fit(X)
        columns = self.encoder_.transform(X)
        # If a table is small, training uses one thread, because starting further threads would take
        # longer than they save.
        with threads_for(columns.size):
            self.stack_ = stack.fit(columns, y)
        self.classes_: NDArray[Any] = self.stack_.classes_
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the k classes for each row (n, k)."""
        columns = self.encoder_.transform(X)
        with threads_for(columns.size):
            return np.asarray(self.stack_.predict_proba(columns))

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def _logits(probabilities: Floats) -> Floats:
    return logit_of(np.clip(probabilities, NEAREST, 1 - NEAREST))


def check_center(center: Any) -> None:
    """Raises if a centre is neither a known name nor a classifier that can be trained."""
    if isinstance(center, FrozenEstimator):
        raise ValueError(
            "center: found a FrozenEstimator, expected a classifier that is trained on the "
            "training part alone"
        )
    if is_model(center):
        return
    one_of(center, "center", CENTERS, other="a scikit-learn classifier")


def is_model(center: Any) -> bool:
    """Whether `center` is the user's own classifier, and not a name."""
    return not isinstance(center, (str, type)) and hasattr(center, "fit") and has_scores(center)


def centre_model(center: Any, encoder: Any) -> Any:
    """Returns the model to train for the centres of the intervals.

    Returns None if the centre is the classifier or the reference, which are trained anyway.
    `encoder` is the user's argument of that name.
    """
    if isinstance(center, str):
        how = None if encoder is None or isinstance(encoder, str) else encoder
        return LearnedCentre(how) if center == LEARNED else None
    return center
