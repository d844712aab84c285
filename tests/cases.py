"""One table with every kind of evaluation, and every way to show several.

Tests run over the whole table. `tests/test_cases.py` fails if a public constructor, one of its
parameters or one of their values has no case. No random generator can change a case, and all cases
are small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from data import by_kernel
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.evaluation.folds import Folds
from conformal_roc_widget.evaluation.from_classifier import own_evaluations
from conformal_roc_widget.shown.evaluation_group import Group

Shown = RocEvaluation | Mapping[Any, RocEvaluation]


class Case(NamedTuple):
    """A function that makes the evaluation or mapping anew, and the controls with which a widget
    opens.
    """

    make: Callable[[], Shown]
    alpha: float = 0.1
    threshold: float = 0.42
    kind: str | None = None
    #: Further keywords of the widget.
    keywords: Mapping[str, Any] = {}


# Rows


def scored(
    zeros: int, ones: int, digits: int = 3, skip: int = 0, apart: float = 0.2
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores. Scores of label 1 are higher by `apart`."""
    y = np.repeat([0, 1], [zeros, ones])
    place = np.arange(zeros + ones) + skip
    return y, (0.05 + (0.9 - apart) * (place * 0.381966 % 1) + apart * y).round(digits)


def rising(n: int, digits: int, sign: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Labels that are 1 more often at high scores, or at low scores."""
    place = np.arange(n)
    p = (place * 0.381966 % 1).round(digits)
    return (place * 0.7548777 % 1 < (p if sign > 0 else 1 - p)).astype(int), p


def marker(n: int, skip: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels and a marker in its own unit, with negative values, that increases with the risk."""
    y, p = rising(n + skip, 2)
    return y[skip:], (300 * p - 60)[skip:]


def marker_of_many_digits(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and a marker with nine digits before the point, which increases with the risk."""
    y, values = marker(n)
    return y, values - 123456789.25


def stamps(n: int, skip: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels and whole numbers between which no float lies. They increase with the risk."""
    y, p = rising(n + skip, 2)
    return y[skip:], FAR + (100 * p[skip:]).round().astype(np.int64)


#: Floats are 1,024 apart above this number.
FAR = 2**62


def table(zeros: int, ones: int, digits: int = 3, skip: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A table of two features, of which the first is the classifier's probability, and labels."""
    y, p = scored(zeros, ones, digits, skip)
    return np.column_stack([p, (p * 7.3) % 1]), y


class FirstFeature(ClassifierMixin, BaseEstimator):
    """A classifier whose probability is the first feature, independent of its training data."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float)[:, 0]
        rest = (1 - p) / (self.classes_.size - 1)
        return np.column_stack([*[rest] * (self.classes_.size - 1), p])

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class FirstMargin(FirstFeature):
    """A classifier with margins instead of probabilities: the first feature minus one half."""

    predict_proba = property()

    def decision_function(self, X):
        return 6 * (np.asarray(X, dtype=float)[:, 0] - 0.5)

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class Turns(FirstFeature):
    """A classifier of many classes. The first feature is an angle in turns, which determines the
    class.
    """

    def predict_proba(self, X):
        centres = np.arange(self.classes_.size) / self.classes_.size
        near = np.exp(3 * np.cos(2 * np.pi * (np.asarray(X)[:, :1] - centres)))
        return near / near.sum(axis=1, keepdims=True)


def turns(n: int, k: int, skip: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows for `Turns`.

    Most rows are within a tenth of a turn of their class. Every seventh row is anywhere.
    """
    place = np.arange(n) + skip
    y = place % k
    off = np.where(place % 7 == 0, place * 0.7548777 % 1, 0.2 * (place * 0.381966 % 1) - 0.1)
    return np.column_stack([(y / k + off) % 1, place * 0.5698403 % 1]).round(3), y


def known_pi(X: Any) -> np.ndarray:
    """True probabilities that suit the rows of both classifiers."""
    return 0.1 + 0.8 * np.asarray(X)[:, 0] ** 2


CALIBRATION, TEST = (90, 110), (16, 19)
#: Numbers of rows of label 0 and 1. They are enough for limits at every threshold at once, and for
#: a learned reference.
MANY = (60, 60)


def of_scores(
    calibration: tuple[int, int] = CALIBRATION, test: tuple[int, int] = TEST, **options: Any
) -> RocEvaluation:
    return by_kernel(*scored(*calibration), *scored(*test), **options)


def model(sizes: tuple[int, int] = MANY, fit: Mapping[str, Any] = {}, **options: Any) -> Any:
    """A model whose training and calibration rows come from one distribution."""
    estimator = options.pop("estimator", FirstFeature())
    given = {"reference": known_pi} | options
    X, y = table(*sizes)
    held = table(*sizes, skip=500)
    return ConformalROC(estimator, progress=False, random_state=0, **given).fit(
        X, y, X_calibration=held[0], y_calibration=held[1], **fit
    )


def of_features(
    sizes: tuple[int, int] = MANY,
    test: tuple[int, int] = TEST,
    evaluate: Mapping[str, Any] = {},
    **options: Any,
) -> RocEvaluation:
    return model(sizes, **options).evaluate(*table(*test), **evaluate)


def people(n: int, rows: int = 3, start: int = 0) -> np.ndarray:
    """The person of each of n rows, with this many rows per person."""
    return start + np.arange(n) // rows


def weights(n: int, period: float = 7.3) -> np.ndarray:
    """Weights from .3 to 2, none a multiple of another."""
    return (0.3 + 1.7 * (np.arange(n) * 0.5698403 * period % 1)).round(3)


def told_of_rows(told: str, n: int) -> dict[str, Any]:
    """Arguments for n rows: weights, people with three rows each, "both" or "nothing"."""
    given: dict[str, Any] = {}
    if told in ("weights", "both"):
        given["sample_weight_test"] = weights(n)
    if told in ("groups", "both"):
        given["groups_test"] = people(n, 3)
    return given


def ratio(points: Any) -> np.ndarray:
    """A likelihood ratio as a function of scores or of rows."""
    values = np.asarray(points, dtype=float)
    return np.exp(0.5 * (values if values.ndim == 1 else values[:, 0]))


def of_table(n: tuple[int, int] = TEST, skip: int = 0, **options: Any) -> RocEvaluation:
    y, p = scored(*n, skip=skip)
    frame = pd.DataFrame({"y": y, "p": p, "w": weights(y.size)})
    known = dict(zip(("y_calibration", "score_calibration"), scored(*CALIBRATION), strict=True))
    return RocEvaluation.from_table(frame, score="p", label="y", **known, **options)


def split(n: int, rows_each: int = 1, **options: Any) -> ConformalROC:
    """A model that splits its rows itself."""
    X, y = table(n, n)
    fit = options.pop("fit", {})
    given = {"reference": "kernel", "estimator": FirstFeature()} | options
    return ConformalROC(given.pop("estimator"), progress=False, random_state=0, **given).fit(
        X, y, **fit
    )


def folds(groups: bool = False, **options: Any) -> Folds:
    """Three folds in the form of `cross_validate`."""
    y, p = scored(36, 39)
    X, place = np.column_stack([p, p]), np.arange(y.size)
    belong = place // 3 % 25
    at = belong % 3 if groups else place % 3
    tests = [np.flatnonzero(at == k) for k in range(3)]
    results = {
        "estimator": [FirstFeature().fit(X, y) for _ in tests],
        "indices": {"test": tests, "train": [np.flatnonzero(at != k) for k in range(3)]},
    }
    if groups:
        options |= {"groups": belong}
    return RocEvaluation.from_cv_results(results, X, y, **options)


def classifiers(*apart: float) -> dict[str, RocEvaluation]:
    """Classifiers on the same test points. A larger gap between the labels' scores is better."""
    names = ["logistic", "forest", "boosting", "neighbours", "naive Bayes"]
    return {
        name: by_kernel(
            *scored(90, 110, skip=7 * i, apart=each), *scored(40, 45, skip=31 * i, apart=each)
        )
        for i, (name, each) in enumerate(zip(names, apart, strict=False))
    }


def classes_alone(*sizes: int, **rows: Any) -> dict[int, RocEvaluation]:
    """Three classes from scores alone, on the same sixty rows or on the given numbers of rows."""
    found = {}
    for label, n in enumerate(sizes or (60, 60, 60)):
        X, y = turns(n, 3, 200)
        score = Turns().fit(X, y).predict_proba(X)[:, label]
        found[label] = by_kernel(y == label, score, pos_label=True, **rows)
    return found


def three_classes() -> dict[str, RocEvaluation]:
    """Three classes, each against the rest. One class is rare."""
    made = {}
    for i, (name, ones) in enumerate({"ant": 19, "bee": 8, "cat": 3}.items()):
        y, p = scored(30 - ones, ones)
        made[name] = by_kernel(*scored(60 + 7 * i, 41 - 10 * i), y, (p + 0.013 * i).round(3))
    return made


def of_classes(n: int, k: int, **options: Any) -> ConformalROC:
    """A model of k classes with this many calibration rows."""
    X, y = turns(n, k, skip=500)
    given = {"reference": partial(shares, k=k), "progress": False} | options
    return ConformalROC(Turns(), **given).fit(*turns(n, k), X_calibration=X, y_calibration=y)


def shares(X: Any, k: int) -> np.ndarray:
    """True probabilities of the k classes of `Turns`, blurred."""
    return 0.8 * Turns().fit(X, np.arange(k)).predict_proba(X) + 0.2 / k


def populations(sizes: tuple[int, int] = MANY, fit: Mapping[str, Any] = {}, **evaluate: Any) -> Any:
    """Women and men with separate calibration and test rows. There are fewer men."""

    def of(n: tuple[int, int]) -> np.ndarray:
        return np.where(np.arange(sum(n)) % 3 == 0, "men", "women")

    fitted = model(
        sizes,
        fit={"sensitive_features": of(sizes), "sensitive_features_calibration": of(sizes), **fit},
    )
    X, y = table(*TEST)
    return fitted.evaluate_by(X, y, of(TEST), **evaluate)


def bands() -> dict[str, RocEvaluation]:
    """One curve with bands of several guarantees and references."""
    test = scored(*TEST)
    given = {"kernel": {}, "sharp": {"reference": "sharp"}}
    made = {
        name: by_kernel(*scored(*CALIBRATION), *test, **options) for name, options in given.items()
    }
    return made | {"simultaneous": by_kernel(*rising(60, 2), *test, guarantee="simultaneous")}


def thinned() -> RocEvaluation:
    """Many points and few vertices, some of them less than half a pixel apart."""
    zeros, ones = (3000 + 2 * np.arange(25) for _ in range(2))
    y = np.repeat([0, 1], [zeros.size + 4000, ones.size + 5000])
    place = np.arange(y.size)
    crowd = (0.1 + 0.6 * (place * 0.381966 % 1) + 0.2 * y).round(1)
    alone = (place % 50 + 0.5) / 51
    lonely = (place < zeros.size) | (place >= y.size - ones.size)
    return by_kernel(*scored(700, 650, 5), y, np.where(lonely, alone, crowd))


def named(names: tuple[str, str], digits: int = 2, **options: Any) -> RocEvaluation:
    """Classes named by strings, and scores with ties."""
    (y0, p0), (y, p) = scored(*CALIBRATION, digits), scored(16, 21, digits=1)
    return by_kernel(*(np.array(names)[y0], p0, np.array(names)[y], p), **options)


def zeros_and_ones() -> RocEvaluation:
    y, p = scored(*TEST)
    ends = np.select([p < 0.2, p > 0.85], [0.0, 1.0], p)
    return by_kernel(*scored(*CALIBRATION), y, ends)


LONG = "adenocarcinoma of the oesophagogastric junction, Siewert type II"


def texts() -> RocEvaluation:
    """A table that needs an encoder, because it has a column of texts beside the score."""
    frames = []
    for zeros, ones, skip in ((60, 60, 0), (60, 60, 500), (*TEST, 0)):
        X, y = table(zeros, ones, skip=skip)
        where = np.array(["ward", "clinic", "home"])[(X[:, 1] * 3).astype(int)]
        frames.append((pd.DataFrame({"p": X[:, 0], "where": where}), y))
    (X, y), held, test = frames
    fitted = ConformalROC(_FirstColumn(), reference="kernel", encoder="auto", progress=False).fit(
        X, y, X_calibration=held[0], y_calibration=held[1]
    )
    return fitted.evaluate(*test)


class _FirstColumn(FirstFeature):
    """Like `FirstFeature`, for a frame with any columns."""

    def predict_proba(self, X):
        return super().predict_proba(X[["p"]])


def weighted(**options: Any) -> RocEvaluation:
    """Test and calibration rows with weights."""
    (y0, p0), (y, p) = scored(*CALIBRATION), scored(*TEST)
    given = {"sample_weight_calibration": weights(y0.size), "sample_weight_test": weights(y.size)}
    return by_kernel(y0, p0, y, p, **(given | options))


def followed(n: int, skip: int = 0, lost: bool = True) -> tuple[np.ndarray, pd.DataFrame]:
    """Outcomes with a time. A third of the rows is lost before the horizon, or none."""
    X, _ = table(n // 2, n - n // 2, skip=skip)
    place = np.arange(n) + skip
    times = -np.log(1 - place * 0.7548777 % 1) * np.exp(1.5 - 3 * X[:, 0])
    until = 6 * (place * 0.5698403 % 1) if lost else np.full(n, np.inf)
    outcome = {"time": np.minimum(times, until).round(3) + 0.001, "event": times <= until}
    return X, pd.DataFrame(outcome)


def known_risk(X: Any, t: float) -> np.ndarray:
    """``P(T <= t | x)`` of the rows of `followed`."""
    return -np.expm1(-t * np.exp(3 * np.asarray(X)[:, 0] - 1.5))


def blurred_risk(X: Any, t: float) -> np.ndarray:
    """A model of these rows that is overconfident at middle risks."""
    return 0.15 + 0.7 * known_risk(X, t)


def at_horizons(**options: Any) -> ConformalROC:
    """A model of outcomes with a time. Given risks need no fit."""
    given = {"reference": known_risk, "estimator": blurred_risk, "horizons": (0.5, 1, 2.5)}
    given |= options
    lost = given.pop("lost", True)
    (X, y), held = followed(120, lost=lost), followed(120, 500, lost)
    return ConformalROC(given.pop("estimator"), progress=False, random_state=0, **given).fit(
        X, y, X_calibration=held[0], y_calibration=held[1]
    )


def scores_at(horizon: float) -> RocEvaluation:
    (X0, y0), (X, y) = followed(160), followed(40, 700)
    return by_kernel(
        *(y0, blurred_risk(X0, horizon), y, blurred_risk(X, horizon)),
        horizon=horizon,
        time_unit="days",
    )


N_CALIBRATION, N_TEST = sum(CALIBRATION), sum(TEST)


def unlabelled(n: int = 40, came: int = 0, **options: Any) -> RocEvaluation:
    """New rows with scores only. Some of their labels have come."""
    y, p = rising(n, 2)
    if came:
        options["y"] = np.where(np.arange(n) < came, y, np.nan)
    return by_kernel(*rising(90, 2)).unlabelled(p, **options)


#: Cases by name: first scores alone, then features, then several evaluations together.
CASES: dict[str, Case] = {
    # scores alone
    "scores": Case(of_scores, 0.05),
    "scores, by name": Case(
        lambda: of_scores(guarantee="individual"), keywords={"name": "<logistic> & co"}
    ),
    "two arrays": Case(lambda: by_kernel(*rising(90, 2)), keywords={"band": "sampling"}),
    "two arrays, weighted, of people": Case(
        lambda: by_kernel(*rising(90, 2), sample_weight_test=weights(90), groups_test=people(90)),
        keywords={"band": "sampling"},
    ),
    "two arrays, weighted as metrics are": Case(
        lambda: by_kernel(*rising(90, 2), sample_weight=weights(90)),
        keywords={"band": "sampling"},
    ),
    "two arrays of a marker": Case(
        lambda: by_kernel(*marker(90)),
        threshold=95.5,
        keywords={"band": "sampling"},
    ),
    "four arrays of a marker": Case(
        lambda: by_kernel(*marker(120), *marker(40, skip=7)), threshold=-20.0
    ),
    "two arrays of whole numbers that floats do not hold": Case(
        lambda: by_kernel(*stamps(90)), threshold=FAR + 42, keywords={"band": "sampling"}
    ),
    "four arrays of whole numbers that floats do not hold": Case(
        lambda: by_kernel(*stamps(120), *stamps(40, skip=7)), threshold=FAR + 42
    ),
    "a marker of many digits": Case(
        lambda: by_kernel(*marker_of_many_digits(90)),
        threshold=-123456789.25,
        keywords={"band": "sampling"},
    ),
    "one positive": Case(lambda: of_scores(test=(16, 1)), threshold=0.7),
    "one positive, two arrays": Case(
        lambda: by_kernel(*scored(16, 1)), threshold=0.7, keywords={"band": "sampling"}
    ),
    "a fitted classifier": Case(
        lambda: own_evaluations(FirstFeature().fit(*table(3, 3)), *table(*TEST))
    ),
    "a fitted classifier of margins": Case(
        lambda: own_evaluations(FirstMargin().fit(*table(3, 3)), *table(*TEST))
    ),
    "margins": Case(lambda: of_features(estimator=FirstMargin())),
    "scores, sharp": Case(lambda: of_scores(reference="sharp")),
    "scores, simultaneous": Case(
        lambda: by_kernel(*rising(60, 2), *scored(16, 21, digits=1), guarantee="simultaneous")
    ),
    "scores, simultaneous, refuted": Case(
        lambda: by_kernel(*rising(250, 7, -1), *scored(*TEST), guarantee="simultaneous"),
        0.05,
    ),
    "scores, split rule": Case(lambda: of_scores(quantile_rule="split", bandwidth=0.6)),
    "ties, and names": Case(lambda: named(("<benign>", "malign")), 0.2, 0.6),
    "a long name, and the first class positive": Case(
        lambda: named((LONG, "no finding"), pos_label=LONG)
    ),
    "zeros and ones": Case(zeros_and_ones, 0.1, 0.0),
    "an infinite end": Case(lambda: of_scores((60, 70)), 0.05),
    "one label without limits": Case(lambda: of_scores((12, 80)), 0.05, 1.0),
    "no limits": Case(lambda: of_scores((9, 11)), 0.05, 0.3),
    "limits at larger alphas alone": Case(lambda: of_scores((30, 28)), 0.02),
    "from a table": Case(of_table),
    "from a table, weighted": Case(lambda: of_table(weight="w")),
    "from a table, simultaneous": Case(
        lambda: of_table(guarantee="simultaneous", pos_label=1, quantile_rule="split")
    ),
    "from a table, sharp": Case(lambda: of_table(reference="sharp", bandwidth="scott")),
    "merged": Case(lambda: of_table().merged(of_table((9, 11), skip=40))),
    "from residuals": Case(
        lambda: RocEvaluation.from_residuals(of_scores().residuals, *scored(*TEST))
    ),
    "from residuals, split rule": Case(
        lambda: RocEvaluation.from_residuals(
            of_scores().residuals, *scored(*TEST), quantile_rule="split"
        )
    ),
    "thinned": Case(thinned, 0.05, 0.5),
    # rows without labels
    "without labels": Case(unlabelled),
    "without labels, of a told share": Case(
        lambda: unlabelled(prevalence=0.3).with_prevalence(prevalence=0.4), 0.05, 0.3
    ),
    "some without labels": Case(lambda: unlabelled(60, came=20)),
    "features without labels": Case(
        lambda: of_features(reference="kernel").unlabelled(table(20, 25, skip=90)[0])
    ),
    "a table without labels": Case(
        lambda: by_kernel(*rising(90, 2)).unlabelled(
            pd.DataFrame({"p": scored(40, 30)[1]}), score="p"
        )
    ),
    "a marker without labels": Case(
        lambda: by_kernel(*marker(90)).unlabelled(marker(40, skip=7)[1]), threshold=95.5
    ),
    # rows with weights or groups
    "calibration weights": Case(
        lambda: of_scores(sample_weight_calibration=weights(N_CALIBRATION))
    ),
    "calibration weights of a function": Case(lambda: of_scores(sample_weight_calibration=ratio)),
    "equal calibration weights": Case(
        lambda: of_scores(sample_weight_calibration=np.full(N_CALIBRATION, 2.0))
    ),
    "whole calibration weights": Case(
        lambda: of_scores(sample_weight_calibration=1 + np.arange(N_CALIBRATION) % 3)
    ),
    "calibration weights without limits": Case(
        lambda: of_scores((12, 80), sample_weight_calibration=weights(92))
    ),
    "groups that calibrate": Case(lambda: of_scores(groups_calibration=people(N_CALIBRATION))),
    "few groups that calibrate": Case(
        lambda: of_scores(groups_calibration=people(N_CALIBRATION, 10))
    ),
    "groups on both sides": Case(
        lambda: of_scores(
            groups_calibration=people(N_CALIBRATION), groups_test=people(N_TEST, 2, 900)
        )
    ),
    "test weights": Case(lambda: of_scores(sample_weight_test=1 + np.arange(N_TEST) % 3)),
    "fractional test weights": Case(lambda: of_scores(sample_weight_test=weights(N_TEST))),
    "test groups": Case(lambda: of_scores(groups_test=people(N_TEST))),
    "weights on both sides": Case(weighted),
    "weights of a function on both sides": Case(lambda: weighted(sample_weight_calibration=ratio)),
    "groups that calibrate, test weights": Case(
        lambda: weighted(sample_weight_calibration=None, groups_calibration=people(N_CALIBRATION))
    ),
    # features
    "features, kernel": Case(lambda: of_features(reference="kernel", bandwidth="scott")),
    "features, score": Case(lambda: of_features(reference="score", encoder=None)),
    "features, sharp": Case(lambda: of_features(reference="sharp")),
    "features, learned": Case(lambda: of_features(reference="learned", n_jobs=1)),
    "features, a classifier": Case(lambda: of_features(reference=LogisticRegression())),
    "features, auto": Case(
        lambda: of_features(reference="auto", evaluate={"guarantee": "individual"})
    ),
    "true pi": Case(of_features, 0.1, 0.35),
    "texts": Case(texts),
    "every threshold": Case(
        lambda: of_features((90, 57), evaluate={"guarantee": "everywhere"}), 0.1, 0.35
    ),
    "every threshold, few rows": Case(
        lambda: of_features((3, 9), evaluate={"guarantee": "everywhere"}), 0.05, 0.5
    ),
    "switched to every threshold": Case(lambda: of_features().with_guarantee("everywhere")),
    "switched back to one threshold": Case(
        lambda: of_features(evaluate={"guarantee": "everywhere"}).with_guarantee("individual")
    ),
    "candidate rates": Case(
        lambda: of_features(reference="sharp", evaluate={"guarantee": "credible"})
    ),
    "switched to candidate rates": Case(
        lambda: of_features(reference="sharp"), keywords={"guarantee": "credible"}
    ),
    "the curve": Case(lambda: of_features(evaluate={"guarantee": "curve"})),
    "the curve, kernel": Case(
        lambda: of_features(reference="kernel", bandwidth="cv", evaluate={"guarantee": "curve"})
    ),
    "features, simultaneous": Case(
        lambda: of_features(reference="score", evaluate={"guarantee": "simultaneous"})
    ),
    "cross": Case(lambda: split(60, calibration="cross").evaluate(*table(*TEST))),
    "cross, the curve": Case(
        lambda: split(60, calibration="cross").evaluate(*table(*TEST), guarantee="curve")
    ),
    "frozen": Case(
        lambda: of_features(estimator=FrozenEstimator(FirstFeature().fit(*table(3, 3))))
    ),
    # outcomes with a time
    "by a time": Case(
        lambda: at_horizons(time_unit="days").evaluate(*followed(40, 700), horizon=1), 0.1, 0.4
    ),
    "by a time, at every threshold": Case(
        lambda: at_horizons(censoring="features").evaluate(
            *followed(40, 700), horizon=1, guarantee="everywhere"
        )
    ),
    "by a time, person-period": Case(
        lambda: at_horizons(
            estimator=FirstFeature(), reference="auto", censoring="marginal", horizons=1.0
        ).evaluate(*followed(40, 700))
    ),
    "by a time, scores alone": Case(lambda: scores_at(1.0), keywords={"band": "sampling"}),
    "resplits": Case(lambda: split(70, resplits=3, calibration_size=0.6).evaluate(*table(*TEST))),
    "a split for each point": Case(
        lambda: split(30, resplits="per-instance").evaluate(*table(5, 6))
    ),
    "neighbours": Case(lambda: of_features(neighbors=40, distance="score"), 0.1, 0.35),
    "neighbours by features, around the kernel": Case(
        lambda: of_features(reference="kernel", neighbors=60, center="kernel")
    ),
    "neighbours along a line": Case(
        lambda: of_features(neighbors=50, distance=np.array([1.0, 0.5]))
    ),
    "around the kernel": Case(lambda: of_features(reference="kernel", center="kernel")),
    "around a learned centre": Case(lambda: of_features(reference="kernel", center="learned")),
    "around a classifier": Case(lambda: of_features(center=LogisticRegression())),
    "recentred": Case(lambda: of_features(recenter=True, quantile_rule="split"), 0.1, 0.35),
    "neighbours, recentred": Case(lambda: of_features(neighbors=40, recenter=True)),
    "features, calibration weights": Case(
        lambda: of_features(fit={"sample_weight_calibration": weights(120)})
    ),
    "features, weights of a function": Case(
        lambda: of_features(
            fit={"sample_weight_calibration": ratio, "sample_weight": weights(120)},
            evaluate={"sample_weight": weights(N_TEST)},
        )
    ),
    "features, groups": Case(
        lambda: of_features(
            fit={"groups": people(120), "groups_calibration": people(120, start=500)},
            evaluate={"groups": people(N_TEST, 2, 900)},
        )
    ),
    "features, groups that are split": Case(
        lambda: split(60, fit={"groups": people(120, 2)}).evaluate(*table(*TEST), pos_label=0)
    ),
    "the model's own positive label": Case(lambda: split(60, pos_label=0).evaluate(*table(*TEST))),
    "one class of three": Case(lambda: of_classes(90, 3).evaluate(*turns(40, 3, 200), label=2)),
    "comparators laid over": Case(
        of_scores, keywords={"comparators": ("ks", "bootstrap"), "band": "sampling"}
    ),
    "true pi laid over": Case(
        of_features, keywords={"truth": known_pi(table(*TEST)[0]), "comparators": ("ks",)}
    ),
    # several together
    "folds": Case(folds),
    "folds, sharp, with groups": Case(
        lambda: folds(groups=True, reference="sharp", pos_label=1), 0.2
    ),
    "folds, weighted": Case(lambda: folds(sample_weight=weights(75)), 0.2),
    "folds, simultaneous": Case(lambda: folds(guarantee="simultaneous"), 0.2),
    "one classifier": Case(lambda: {"alone": of_scores()}),
    "two classifiers": Case(lambda: classifiers(0.2, 0.3)),
    "five classifiers": Case(lambda: classifiers(0.32, 0.31, 0.3, 0.29, 0.12)),
    "classifiers, a class each": Case(
        lambda: {"a": of_scores(), "b": of_scores((12, 80))}, kind="classifiers"
    ),
    "three classes": Case(three_classes, 0.1, 0.35, "classes"),
    "three classes, one without limits": Case(three_classes, 0.04, 0.35, "classes"),
    "three classes, weighted, of people": Case(
        lambda: classes_alone(sample_weight_test=weights(60), groups_test=people(60, 3)),
        *(0.2, 0.35, "classes"),
    ),
    "three classes, each of other rows": Case(
        lambda: classes_alone(60, 62, 64), 0.2, 0.35, "classes"
    ),
    "ten classes without limits": Case(
        lambda: of_classes(100, 10).evaluate_all(*turns(80, 10, 200)), 0.05
    ),
    "ten classes": Case(
        lambda: of_classes(600, 10).evaluate_all(*turns(80, 10, 200), guarantee="individual"),
        0.2,
        0.2,
    ),
    "every class at every threshold": Case(
        lambda: of_classes(90, 3).evaluate_all(*turns(40, 3, 200), guarantee="everywhere")
    ),
    "the curves of three classes": Case(
        lambda: of_classes(90, 3).evaluate_all(*turns(40, 3, 200), guarantee="curve")
    ),
    "candidate rates of three classes": Case(
        lambda: of_classes(90, 3, reference="sharp").evaluate_all(
            *turns(40, 3, 200), guarantee="credible"
        )
    ),
    "recalibrations of three classes": Case(
        lambda: of_classes(90, 3, reference="score").evaluate_all(
            *turns(40, 3, 200), guarantee="simultaneous"
        )
    ),
    "two populations": Case(populations, 0.2, 0.35),
    "two populations, one without limits": Case(populations, 0.03, 0.35),
    "two populations, weighted": Case(
        lambda: populations(label=1, sample_weight=weights(N_TEST)), 0.2, 0.35
    ),
    "two populations of people": Case(
        lambda: populations(
            fit={"groups": people(120), "groups_calibration": people(120, start=500)},
            pos_label=0,
            groups=people(N_TEST, 2, 900),
        ),
        0.3,
    ),
    "populations by kind": Case(
        lambda: {"women": of_scores((80, 90)), "men": of_scores((50, 40), (8, 10))},
        0.2,
        0.35,
        "populations",
    ),
    "a fitted classifier of three classes": Case(
        lambda: own_evaluations(Turns().fit(*turns(9, 3)), *turns(40, 3, 200))
    ),
    "samples": Case(
        lambda: {
            2018: of_scores(),
            2019: of_scores((12, 80), (18, 15)),
            "draw": by_kernel(*rising(60, 2)),
        },
        kind="samples",
    ),
    "bands around one curve": Case(bands),
}
#: Cases for `make test`, one or two of each kind. `make test-thorough` runs all.
QUICK = {
    *("scores", "two arrays", "two arrays, weighted, of people", "margins", "ties, and names"),
    *("two arrays of a marker", "two arrays of whole numbers that floats do not hold"),
    *("a marker of many digits", "one positive, two arrays"),
    *("scores, simultaneous, refuted", "a long name, and the first class positive", "thinned"),
    *("candidate rates", "candidate rates of three classes"),
    *("one label without limits", "no limits", "from a table, weighted", "test weights"),
    *("from residuals", "without labels", "some without labels"),
    *("features, learned", "every threshold", "the curve", "neighbours", "around the kernel"),
    *("by a time", "by a time, at every threshold", "by a time, scores alone"),
    *("comparators laid over", "true pi laid over", "bands around one curve", "samples"),
    "groups on both sides",
    *("folds", "folds, weighted", "folds, simultaneous", "two classifiers", "five classifiers"),
    *("three classes", "three classes, weighted, of people", "ten classes without limits"),
    "every class at every threshold",
    *("the curves of three classes", "a fitted classifier of three classes"),
    *("two populations", "two populations, weighted"),
}


@cache
def shown(name: str) -> Shown:
    """The evaluation or mapping of a case, cached."""
    return CASES[name].make()


@cache
def group_of(name: str) -> Group:
    """The evaluations of a case, cached."""
    case = CASES[name]
    return Group.of(shown(name), case.kind, case.keywords.get("name"))
