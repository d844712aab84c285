"""Centres of intervals: the classifier, the reference, or another model of the training part.

An interval is ``centre + residual quantile`` with residuals ``logit pi~ - centre``, so that its
target, the ideal model's probability, does not know the centre. Any function that has not seen the
calibration part gives intervals that hold as the classifier's own do; one that is nearer to ``pi``
gives shorter ones. What the classifier's own width covers by luck, noise hidden from every column
for instance, a nearer centre no longer covers.
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
#: Probabilities nearer to 0 or 1 than this are moved to this distance: a forest gives exactly 0 and
#: 1.
NEAREST = 1e-3


class LearnedCentre(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A stack of three learners for any table: a logistic regression of their out-of-fold logits.

    Parameters
    ----------
    encoder : transformer
        Makes numbers of the table, without labels.
    random_state : int or None
        Of folds and forest.
    """

    def __init__(self, encoder: Any = None, random_state: int | None = None) -> None:
        self.encoder = encoder
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Trains all learners on each fold's complement and on all rows."""
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
        # With little data their threads would only wait for each other.
        with threads_for(columns.size):
            self.stack_ = stack.fit(columns, y)
        self.classes_: NDArray[Any] = self.stack_.classes_
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes (n, k)."""
        columns = self.encoder_.transform(X)
        with threads_for(columns.size):
            return np.asarray(self.stack_.predict_proba(columns))

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class of each row."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])


def _logits(probabilities: Floats) -> Floats:
    return logit_of(np.clip(probabilities, NEAREST, 1 - NEAREST))


def check_center(center: Any) -> None:
    """Refuses what is neither a name nor a classifier that can be trained on a part."""
    if isinstance(center, FrozenEstimator):
        raise ValueError(
            "center: found a FrozenEstimator, expected a classifier that is trained on the "
            "training part alone"
        )
    if is_model(center):
        return
    one_of(center, "center", CENTERS, other="a scikit-learn classifier")


def is_model(center: Any) -> bool:
    """Whether a centre is a classifier of the user's."""
    return not isinstance(center, (str, type)) and hasattr(center, "fit") and has_scores(center)


def centre_model(center: Any, encoder: Any) -> Any:
    """The model that is to be trained as a centre.

    None if the classifier or the reference is the centre.
    """
    if isinstance(center, str):
        how = None if encoder is None or isinstance(encoder, str) else encoder
        return LearnedCentre(how) if center == LEARNED else None
    return center
