"""The first picture of twelve fits to scikit-learn's own data: what it promises, and how tightly.

The table has the guarantee that the widget opens with. Beside it stands the guarantee for a
threshold that is picked blindly, which was the only default before the default depended on the
numbers of rows. This study has no limit. ``any_threshold.py`` and ``scores_alone.py`` measure on
known laws how often such bands hold.
"""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conformal_roc_widget import ConformalBand, RocEvaluation, ROCWidget

FPR = np.linspace(0, 1, 201)
CLASSIFIERS: dict[str, BaseEstimator] = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "forest": RandomForestClassifier(200, random_state=0),
}


def tables() -> Iterator[tuple[str, Any, Any]]:
    """Yields six questions: the name, the features, and whether a row is positive."""
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer, 2 features", X[:, :2], y == 0
    yield "breast cancer, 30 features", X, y == 0
    X, y = load_digits(return_X_y=True)
    yield "digits, an 8", X, y == 8
    yield "digits, a 3", X, y == 3
    X, y = load_wine(return_X_y=True)
    yield "wine, the first kind", X, y == 0
    yield "wine, the second kind", X, y == 1


def mean_width(band: ConformalBand) -> float:
    """Mean over the false positive rates of the distance between the limits of the sensitivity."""
    place = np.searchsorted(band.fpr, FPR, side="right") - 1
    return float(np.mean((band.tpr_upper - band.tpr_lower)[place]))


def only(widget: ROCWidget) -> RocEvaluation:
    made = widget.evaluation
    assert isinstance(made, RocEvaluation)
    return made


def told(made: RocEvaluation) -> str:
    band, point = made.band(), made.operating_point(0.5)
    return f"{point.tpr_lower:.2f} to {point.tpr_upper:.2f}, width {mean_width(band):.2f}"


def main() -> None:
    print(f"{'':44}{'threshold picked blindly':26}opens with")
    for name, X, y in tables():
        X_fit, X_test, y_fit, y_test = train_test_split(
            X, y, test_size=0.35, stratify=y, random_state=0
        )
        for kind, classifier in CLASSIFIERS.items():
            make = partial(
                ROCWidget.from_estimator, classifier, X_fit, y_fit, X_test, y_test, random_state=0
            )
            blind, first = only(make(guarantee="individual")), only(make())
            promise = first.band().promise.kind
            print(f"{name + ', ' + kind:44}{told(blind):26}{told(first)} ({promise})", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
