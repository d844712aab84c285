"""Valid data, ways to damage them, and a check that a call raises an error that names the argument."""

import numpy as np
import pandas as pd
import pytest
from data import evaluation_from_scores, logistic_sample, scored, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC

RNG = np.random.default_rng(99)
X, Y, _ = logistic_sample(RNG, 60)
X3, Y3 = three_classes(RNG, 90)
POINTS = RNG.normal(size=(5, 3))
Y_CAL, S_CAL = scored(RNG, 40)
Y_TEST, S_TEST = scored(RNG, 30)
CONTINUOUS = RNG.normal(size=60)
NAN, INF = float("nan"), float("inf")
WRONG = (ValueError, TypeError)

TABLE = {
    "source": pd.DataFrame({"p": S_TEST, "y": Y_TEST}),
    "score": "p",
    "label": "y",
    "y_calibration": Y_CAL,
    "score_calibration": S_CAL,
}
FIT = {"X": X, "y": Y}
EXPLICIT = {**FIT, "X_calibration": X[::-1], "y_calibration": Y[::-1]}
SHOWN = evaluation_from_scores()


def model3():
    return ConformalROC(LogisticRegression(), random_state=0).fit(X3, Y3)


def spoiled(array, value, at=3):
    array = np.array(array, dtype=float)
    array[(at,) * array.ndim if array.ndim == 1 else (at, 0)] = value
    return array


def refused(call, kind, pattern):
    with pytest.raises(kind, match=pattern) as caught:
        call()
    return str(caught.value)
