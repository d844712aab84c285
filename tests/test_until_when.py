"""Outcomes with a time from input to result: accepted forms, results, and errors."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import traitlets
from followed_data import Exponential, Frames, RiskScore, drawn, naive_known, outcome, risk
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    calibration_band,
    comparators,
    simulation,
)
from conformal_roc_widget.evaluation.horizons import Horizons

X, Y = drawn(240, 1)
X_TEST, Y_TEST = drawn(120, 2)
T = (0.2, 0.6)


def fitted(estimator=None, X=X, y=Y, **options):
    given = {"horizons": T, "reference": risk, "random_state": 0} | options
    return ConformalROC(LogisticRegression() if estimator is None else estimator, **given).fit(X, y)


@pytest.fixture(scope="module")
def model():
    return fitted(reference="auto", time_unit="days")


def test_a_table_with_words_is_encoded(rng):
    words = pd.DataFrame({"number": X[:, 0], "word": rng.choice(["up", "down"], len(X))})
    columns = make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough")
    model = fitted(make_pipeline(columns, LogisticRegression()), X=words, reference="auto")
    area = model.evaluate(words, Y, horizon=T[0]).ideal_auc_range()
    assert 0 <= area.lower <= area.upper <= 1


def test_a_test_set_counts_by_the_censoring_of_the_training_part(model):
    X_train, y_train = X[:120], Y[:120]
    model = ConformalROC(Exponential(), horizons=T, reference=risk).fit(
        X_train, y_train, X_calibration=X[120:], y_calibration=Y[120:]
    )
    for t in T:
        evaluation = model.evaluate(X_TEST, Y_TEST, horizon=t)
        naive = naive_known(Y_TEST, y_train, t)
        known = [i for i, (label, _) in enumerate(naive) if label is not None]
        np.testing.assert_array_equal(evaluation.unknown, [label is None for label, _ in naive])
        np.testing.assert_array_equal(evaluation.labels, [naive[i][0] for i in known])
        weights = np.array([naive[i][1] for i in known])
        np.testing.assert_allclose(evaluation.sample_weight, weights, rtol=1e-12)
        scores = 1 - np.array([f(t) for f in model.estimator_.predict_survival_function(X_TEST)])
        np.testing.assert_allclose(evaluation.scores, scores[known], rtol=1e-12)
        band = evaluation.band(0.1)
        for k, rate in ((0, band.fpr), (1, band.tpr)):
            mine = evaluation.labels == k
            called = evaluation.scores[mine] >= band.thresholds[:, None]
            np.testing.assert_allclose(
                rate, called @ weights[mine] / weights[mine].sum(), atol=1e-12
            )
        assert evaluation.horizon == t


def test_residuals_are_evenly_spaced_weighted_quantiles():
    X_train, y_train, X_ca, y_ca = X[:120], Y[:120], X[120:], Y[120:]
    model = ConformalROC(Exponential(), horizons=0.5, reference=risk).fit(
        X_train, y_train, X_calibration=X_ca, y_calibration=y_ca
    )
    p = 1 - np.array([f(0.5) for f in model.estimator_.predict_survival_function(X_ca)])
    pi = risk(X_ca, 0.5)
    residual = np.log(pi / (1 - pi)) - np.log(p / (1 - p))
    naive = naive_known(y_ca, y_train, 0.5)
    for k in (0, 1):
        pairs = sorted((residual[i], w) for i, (label, w) in enumerate(naive) if label == k)
        weights = np.array([w for _, w in pairs])
        size = int(weights.sum() ** 2 / (weights**2).sum() + 1e-9)
        wanted, below = [], np.cumsum(weights)
        for i in range(size):
            share = (2 * i + 1) / (2 * size) * below[-1]
            wanted.append(pairs[int((below <= share).sum())][0])
        np.testing.assert_allclose(model.residuals_[k], wanted, rtol=1e-9)
        assert model.n_calibration_[k] == size
    assert model.reference_ == repr(risk)


def test_without_censoring_everything_is_that_of_plain_labels():
    (X, y), (X_test, y_test) = drawn(200, 3, lost=None), drawn(150, 4, lost=None)
    t = 0.5
    halves = {"X_calibration": X[100:], "y_calibration": y[100:]}
    model = ConformalROC(LogisticRegression(), horizons=t, reference=risk)
    model.fit(X[:100], y[:100], **halves)
    evaluation = model.evaluate(X_test, y_test)
    plain = ConformalROC(LogisticRegression(), reference=lambda X: risk(X, t))
    plain.fit(
        *(X[:100], y["time"][:100] <= t),
        X_calibration=X[100:],
        y_calibration=y["time"][100:] <= t,
    )
    expected = plain.evaluate(X_test, y_test["time"] <= t)
    assert evaluation.sample_weight is None
    assert not evaluation.unknown.any()
    np.testing.assert_array_equal(evaluation.scores, expected.scores)
    for k in (0, 1):
        np.testing.assert_array_equal(evaluation.residuals[k], expected.residuals[k])
    mine, theirs = evaluation.band(0.1).to_frame(), expected.band(0.1).to_frame()
    pd.testing.assert_frame_equal(mine, theirs, check_exact=True)
    fpr, tpr, _ = roc_curve(y_test["time"] <= t, evaluation.scores, drop_intermediate=False)
    np.testing.assert_array_equal(mine["fpr"], fpr)
    np.testing.assert_array_equal(mine["tpr"], tpr)
    assert evaluation.ideal_auc_range(0.1) == expected.ideal_auc_range(0.1)
    assert len(evaluation.reliability(0.1).score) > 1


def test_several_horizons_are_a_mapping(model):
    horizons = model.evaluate_all(X_TEST, Y_TEST)
    assert isinstance(horizons, Horizons)
    assert list(horizons) == list(T) == list(model.horizons_)
    table = horizons.auc(0.1)
    columns = ["horizon", "auc", "lower", "upper", "cases", "controls", "unknown"]
    assert list(table) == columns
    for line, (t, evaluation) in zip(table.to_dict("records"), horizons.items(), strict=True):
        assert line["horizon"] == t
        assert (line["auc"], line["lower"], line["upper"]) == tuple(evaluation.auc(0.1))
        assert line["unknown"] == evaluation.unknown.sum()
        assert (line["cases"], line["controls"]) == (evaluation.n_test[1], evaluation.n_test[0])
        assert line["cases"] + line["controls"] + line["unknown"] == 120
    again = model.evaluate(X_TEST, Y_TEST, T[0]).band(0.1).to_frame()
    pd.testing.assert_frame_equal(again, horizons[T[0]].band(0.1).to_frame())
    assert model.residuals_[T[1]][1].size == model.n_calibration_[T[1]][1]


def test_the_note_on_weights_has_the_numbers_of_residuals(model):
    for evaluation in model.evaluate_all(X_TEST, Y_TEST).values():
        (note,) = (note for note in evaluation.notes if "By their weights" in note)
        zeros, ones = evaluation.n_calibration.values()
        assert f"count like {zeros} of no event and {ones} of event: these are the n." in note


def test_intervals_of_new_points(model):
    lower, upper = model.predict_interval(X_TEST, 1, 0.1, horizon=T[0])
    evaluation = model.evaluate(X_TEST, Y_TEST, T[0])
    known = np.flatnonzero(~evaluation.unknown)
    cases = evaluation.labels == 1
    ends = evaluation.intervals(0.1)
    np.testing.assert_allclose(lower[known[cases]], ends.lower[cases], rtol=1e-12)
    np.testing.assert_allclose(upper[known[cases]], ends.upper[cases], rtol=1e-12)
    assert "P(T ≤ 0.2 days | x) of each test point" in ends.target


def test_what_is_promised_names_the_horizon(model):
    evaluation = model.evaluate(X_TEST, Y_TEST, T[1])
    assert evaluation.promise.target == (
        "sensitivity and specificity at 0.6 days of an ideal model on this test set; a row whose "
        "outcome is known counts 1 / P(still followed)"
    )
    assert "as the person-period reference assumes" in evaluation.promise.guarantee
    assert "for every sample size" not in evaluation.promise.guarantee
    for range_ in (evaluation.ideal_auc_range(0.1), evaluation.youden(0.1)):
        assert "at 0.6 days" in range_.target
        assert range_.promise.kind == "none"
    assert any("lost from sight before 0.6 days:" in note for note in evaluation.notes)
    assert model.reference_ == "person-period"


def test_everywhere_holds_what_it_says_between_its_thresholds(model):
    evaluation = model.evaluate(X_TEST, Y_TEST, T[1], guarantee="individual")
    everywhere = evaluation.with_guarantee("everywhere")
    assert everywhere.promise.kind == "everywhere"
    assert everywhere.promise.scope.startswith("every threshold from 0.005 to 0.995 at once")
    assert everywhere.with_guarantee("individual") is evaluation
    cuts = np.array([0.999, 0.996, 0.995, 0.5, 0.005, 0.004, 0.001])
    band = everywhere.band(0.1, thresholds=cuts)
    assert (band.tpr_lower[:2] == 0).all()
    assert (band.tpr_upper[:2] == band.tpr_upper[2]).all()
    assert (band.tpr_lower[5:] == band.tpr_lower[4]).all()
    assert (band.tpr_upper[5:] == 1).all()
    wider, own = everywhere.band(0.1), evaluation.band(0.1)
    assert (wider.tpr_upper - wider.tpr_lower).mean() > (own.tpr_upper - own.tpr_lower).mean()
    assert 0 < everywhere.undecided(0.3, 0.1).sum() <= everywhere.labels.size


# Forms of an outcome


@pytest.mark.parametrize(
    "of",
    [
        lambda y: pd.DataFrame({"event": y["event"].astype(int), "time": y["time"]}),
        lambda y: pl.DataFrame({"time": y["time"], "event": y["event"]}),
        lambda y: outcome(y["time"], y["event"], ("cens", "days")),
        lambda y: y.view(np.recarray),
        lambda y: np.array(
            list(zip(y["time"], y["event"], strict=True)), dtype=[("t", "f8"), ("e", "?")]
        ),
    ],
    ids=["pandas", "polars", "Surv", "recarray", "time first"],
)
def test_kinds_of_outcomes(of):
    expected = fitted().evaluate(X_TEST, Y_TEST, T[0]).band(0.1).to_frame()
    found = fitted(y=of(Y)).evaluate(X_TEST, of(Y_TEST), T[0]).band(0.1).to_frame()
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize(
    ("y", "said"),
    [
        (outcome(-Y["time"], Y["event"]), r"y \(times\): found -\S+, expected times of at least 0"),
        (outcome(np.where(Y["time"] > 1, np.nan, Y["time"]), Y["event"]), r"y \(times\): found"),
        (outcome(np.where(Y["time"] > 1, np.inf, Y["time"]), Y["event"]), "infinite"),
        (outcome(Y["time"], np.zeros(240)), "found no event in 240 rows, all of them censored"),
        (pd.DataFrame({"time": Y["time"], "event": 2 * Y["event"]}), "found 2.*competing events"),
        (pd.DataFrame({"time": Y["time"], "event": 3 - Y["event"]}), "found 2, 3, expected 0"),
        (pd.DataFrame({"start": 0, "stop": Y["time"], "event": Y["event"]}), "left truncation"),
        (
            np.array([(0.0, 1.0, True)] * 240, [("start", "f8"), ("time", "f8"), ("event", "?")]),
            "y: found the columns 'start', .*left truncation",
        ),
        (pd.DataFrame({"Entry": 0, "time": Y["time"], "event": Y["event"]}), "left truncation"),
        (
            pd.DataFrame({"time": Y["time"], "event": np.where(Y["event"], 1.0, np.nan)}),
            r"y \(events\): found \d+ NaN",
        ),
        (np.column_stack([Y["event"], Y["time"]]), "horizons: found .* with labels that have no t"),
        (pd.DataFrame({"entry": 0, "time": Y["time"], "event": Y["event"]}), "left truncation"),
        (pd.DataFrame({"time": Y["time"], "dead": Y["event"]}), "found the columns 'time', 'dead'"),
        (
            pd.DataFrame({"years": Y["time"], "died": Y["event"]}),
            "^y: found the columns 'years', 'died', expected 'time' and 'event'$",
        ),
        (Y[:50], "X has 240, y has 50 rows"),
        (Y["event"], "horizons: found .* with labels that have no time"),
    ],
)
def test_outcomes_that_are_refused(y, said):
    with pytest.raises(ValueError, match=said):
        fitted(y=y)


def test_events_in_words_are_quoted():
    words = np.where(Y["event"], "dead", "alive")
    for kind in (str, object, "string", "category"):
        y = pd.DataFrame({"time": Y["time"], "event": pd.Series(words).astype(kind)})
        with pytest.raises(
            TypeError,
            match=r"^y \(events\): found 'alive', 'dead', expected True or 1 if the event",
        ):
            fitted(y=y)


# Estimators


@pytest.mark.parametrize(
    "estimator",
    [
        Exponential(),
        Frames(0.8),
        lambda X, t: risk(X, t) ** 1.2,
        make_pipeline(StandardScaler(), LogisticRegression()),
        FrozenEstimator(Exponential().fit(X, Y)),
    ],
    ids=["functions", "frame", "callable", "pipeline", "frozen"],
)
def test_kinds_of_estimators(estimator):
    evaluation = fitted(estimator).evaluate(X_TEST, Y_TEST, T[1])
    assert 0.6 < evaluation.ideal_auc_range(0.1)[0] < 0.9


def test_a_classifier_is_trained_once_a_horizon_on_the_known_rows_with_their_weights():
    model = ConformalROC(LogisticRegression(), horizons=T, reference=risk).fit(
        X[:120], Y[:120], X_calibration=X[120:], y_calibration=Y[120:]
    )
    for t in T:
        naive = naive_known(Y[:120], Y[:120], t)
        rows = [i for i, (label, _) in enumerate(naive) if label is not None]
        own = LogisticRegression().fit(
            X[rows], [naive[i][0] for i in rows], sample_weight=[naive[i][1] for i in rows]
        )
        np.testing.assert_allclose(model.estimator_[t].coef_, own.coef_, rtol=1e-6)


def test_a_frozen_classifier_is_for_one_horizon():
    frozen = FrozenEstimator(LogisticRegression().fit(X, Y["time"] <= 0.4))
    assert fitted(frozen, horizons=0.4).estimator_ is frozen
    with pytest.raises(ValueError, match="found a frozen classifier for 2 horizons"):
        fitted(frozen)


class Asked(RiskScore):
    """A model whose survival functions are what `answer` makes of the features."""

    def __init__(self, answer=None):
        self.answer = answer

    def predict_survival_function(self, X):
        return self.answer(X)


class AskedForTimes(Asked):
    def predict_survival_function(self, X, times=None):
        return self.answer(X)


def functions(X):
    return [lambda t: np.exp(-t)] * len(X)


@pytest.mark.parametrize(
    ("model", "answer", "error", "said"),
    [
        (Asked, lambda X: np.full((len(X), 3), 0.5), TypeError, "ndarray, expected a function of"),
        (Asked, lambda X: pd.DataFrame({"a": [0.5]}), TypeError, "DataFrame, expected a function"),
        (Asked, lambda X: None, TypeError, "NoneType, expected a function of time for each row"),
        (Asked, lambda X: functions(X)[:3], ValueError, r"found shape \(3,\)"),
        (AskedForTimes, functions, TypeError, "list, expected a frame of numbers"),
        (AskedForTimes, lambda X: "half", ValueError, "could not convert string to float"),
        (AskedForTimes, lambda X: None, ValueError, "found 1 NaN"),
    ],
)
def test_survival_functions_of_another_form_are_refused_by_name(model, answer, error, said):
    with pytest.raises(error, match=rf"^estimator.predict_survival_function\(X\) at 0.2: .*{said}"):
        fitted(model(answer))


@pytest.mark.parametrize(
    ("estimator", "error", "said"),
    [
        (RiskScore(), TypeError, "RiskScore with predict alone, a risk score.*predict_survival_f"),
        (KNeighborsClassifier(), ValueError, "KNeighborsClassifier whose fit takes no sample_weig"),
        (LogisticRegression, TypeError, "found the class LogisticRegression"),
        (lambda X, t: np.full(len(X), 1.2), ValueError, r"estimator\(X, 0.2\): found values"),
        (lambda X, t: np.full(3, 0.2), ValueError, r"estimator\(X, 0.2\): found shape \(3,\)"),
    ],
)
def test_estimators_that_are_refused(estimator, error, said):
    with pytest.raises(error, match=said):
        fitted(estimator)


# Parameters


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"horizons": None}, ValueError, "horizons: found None with a time in y"),
        ({"horizons": 0}, ValueError, "horizons: found 0"),
        ({"horizons": [np.nan]}, ValueError, "horizons: found nan"),
        ({"horizons": 500}, ValueError, "horizons: found 500 .* without the event after 8.1568"),
        ({"horizons": [0.2, 500]}, ValueError, "horizons: found 500 beyond the last time of the t"),
        ({"horizons": -1}, ValueError, "horizons: found -1, expected one finite number above 0"),
        ({"horizons": []}, ValueError, r"horizons: found shape \(0,\)"),
        ({"horizons": "1"}, TypeError, "horizons: found '1'"),
        ({"horizons": 0.01}, ValueError, "rows with an event by 0.01 and .* expected at least 8"),
        ({"censoring": "km"}, ValueError, "censoring: found 'km'"),
        ({"censoring": 3}, TypeError, "censoring: found 3"),
        ({"censoring": lambda X, t: np.zeros(len(X))}, ValueError, r"censoring\(X, times\)"),
        ({"reference": "kernel"}, ValueError, "reference: found 'kernel' with a .*all known"),
        ({"reference": LogisticRegression()}, ValueError, "found 'LogisticRegression' with"),
        ({"neighbors": 5}, ValueError, "neighbors: found 5 with a time in y, expected None: "),
        ({"recenter": True}, ValueError, "recenter: found True with a time in y, expected False"),
        ({"resplits": 3}, ValueError, "resplits: found 3 with a time in y, expected 1: "),
        ({"calibration": "cross"}, ValueError, "found 'cross' with a .*, expected 'split': "),
        ({"center": "kernel"}, ValueError, "center: found 'kernel' .*, expected 'classifier': "),
    ],
)
def test_parameters_that_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        fitted(**options)


def test_rows_arguments_that_are_refused():
    weights = np.ones(240)
    for name in ("sample_weight", "sample_weight_calibration", "groups", "sensitive_features"):
        with pytest.raises(ValueError, match=f"{name}: found it with a time in y"):
            ConformalROC(Exponential(), horizons=T, reference=risk).fit(X, Y, **{name: weights})
    model = fitted()
    for name in ("sample_weight", "groups", "pos_label"):
        with pytest.raises(ValueError, match=f"{name}: found it with a time in y"):
            model.evaluate(X_TEST, Y_TEST, T[0], **{name: np.ones(120)})
    with pytest.raises(ValueError, match="expected None: an event by the horizon counts as pos"):
        model.evaluate(X_TEST, Y_TEST, T[0], pos_label=1)
    with pytest.raises(ValueError, match="horizon: found None for 2 horizons"):
        model.evaluate(X_TEST, Y_TEST)
    with pytest.raises(ValueError, match=r"horizon: found 0.3, expected one of 0.2, 0.6"):
        model.evaluate(X_TEST, Y_TEST, horizon=0.3)
    for guarantee in ("curve", "simultaneous"):
        said = f"guarantee: found '{guarantee}' with a time in y, .*: it counts independent rows"
        for call in (partial(model.evaluate, horizon=T[0]), model.evaluate_all):
            with pytest.raises(ValueError, match=said):
                call(X_TEST, Y_TEST, guarantee=guarantee)
    with pytest.raises(ValueError, match="y: found a time in the fit"):
        model.evaluate_by(X_TEST, Y_TEST, X_TEST[:, 0] > 0)
    with pytest.raises(ValueError, match="y_test: found values of type bool without a time"):
        model.evaluate(X_TEST, Y_TEST["event"], T[0])
    plain = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y["event"])
    with pytest.raises(ValueError, match=r"horizon: found 0.2 after a fit to labels"):
        plain.evaluate(X_TEST, Y_TEST["event"], horizon=0.2)
    with pytest.raises(ValueError, match="reliability: found test rows that stand for rows lost"):
        model.evaluate(X_TEST, Y_TEST, T[0]).reliability()
    with pytest.raises(ValueError, match="ideal_curve: with a time in y"):
        model.evaluate(X_TEST, Y_TEST, T[0]).ideal_curve()
    assert clone(model).get_params()["horizons"] == T


def test_censoring_that_looks_at_features():
    every = fitted(censoring="features").evaluate(X_TEST, Y_TEST, T[1])
    given = fitted(censoring=lambda X, times: np.exp(-times / 1.5)).evaluate(X_TEST, Y_TEST, T[1])
    u = Y_TEST["time"][~given.unknown]
    np.testing.assert_allclose(
        given.sample_weight, np.exp(np.where(given.labels == 1, u, T[1]) / 1.5), rtol=1e-12
    )
    assert np.corrcoef(every.sample_weight, given.sample_weight)[0, 1] > 0.8


# Scores alone


def test_from_predictions_at_a_horizon():
    p, p_test = risk(X, 0.5) ** 1.3, risk(X_TEST, 0.5) ** 1.3
    evaluation = RocEvaluation.from_predictions(Y, p, Y_TEST, p_test, horizon=0.5)
    naive = naive_known(Y_TEST, Y, 0.5)
    known = [i for i, (label, _) in enumerate(naive) if label is not None]
    np.testing.assert_allclose(evaluation.sample_weight, [naive[i][1] for i in known], rtol=1e-12)
    np.testing.assert_array_equal(evaluation.scores, p_test[known])
    assert evaluation.horizon == 0.5
    assert evaluation.promise.recalibrates
    for options, said in (
        ({"guarantee": "simultaneous"}, "guarantee: found 'simultaneous' with a time"),
        ({"guarantee": "everywhere"}, "guarantee: found 'everywhere'"),
        ({"pos_label": 1}, "pos_label: found it with a time"),
        ({"sample_weight_test": np.ones(120)}, "sample_weight_test: found it"),
        ({"groups_calibration": np.arange(240)}, "groups_calibration: found it"),
    ):
        with pytest.raises(ValueError, match=said):
            RocEvaluation.from_predictions(Y, p, Y_TEST, p_test, horizon=0.5, **options)
    with pytest.raises(ValueError, match="guarantee: found 'everywhere' for scores alone"):
        evaluation.with_guarantee("everywhere")


@pytest.mark.parametrize("horizon", [0, -1, np.nan, np.inf, "x", True, [0.2, 0.5]])
def test_one_horizon_is_a_finite_number_above_0(horizon):
    p = risk(X_TEST, 0.5)
    said = "horizon: found .*, expected one finite number above 0, in the unit of the times"
    for call in (
        lambda: RocEvaluation.from_predictions(Y, risk(X, 0.5), Y_TEST, p, horizon=horizon),
        lambda: comparators.bootstrap_band(Y_TEST, p, horizon=horizon),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            call()


def test_a_part_in_which_too_little_is_known_is_named():
    p = risk(X_TEST, 0.5)
    model = ConformalROC(LogisticRegression(), horizons=0.2, reference=risk)
    few = {"X_calibration": X[:8], "y_calibration": Y[:8]}
    lost = {"X_calibration": X, "y_calibration": outcome(Y["time"], np.zeros(240))}
    late = outcome(np.minimum(Y_TEST["time"], 0.4), Y_TEST["event"])
    for call, said in (
        (lambda: model.fit(X, Y, **few), "y_calibration: found 3 rows .* by 0.2 and 4 known to be"),
        (lambda: model.fit(X, Y, **lost), "y_calibration: found no event in 240 rows, all of them"),
        (lambda: fitted().evaluate(X_TEST, late, 0.6), "horizon: found 0.6 beyond .* of y_test"),
        (
            lambda: RocEvaluation.from_predictions(Y, risk(X, 0.5), late, p, horizon=0.5),
            "horizon: found 0.5 beyond the last time of y_test, expected at most 0.4",
        ),
        (
            lambda: comparators.bootstrap_band(Y_TEST, p, horizon=500),
            "horizon: found 500 beyond the last time of y, expected at most 4.83491",
        ),
        (
            lambda: RocEvaluation.from_predictions(Y_TEST, p, horizon=0.5),
            "horizon: found it without calibration rows, .* columns 'time' and 'event'",
        ),
    ):
        with pytest.raises(ValueError, match=said):
            call()


def test_an_event_at_time_0_is_a_case_and_a_censoring_at_0_is_unknown():
    y = outcome(np.r_[0, 0, Y_TEST["time"][2:]], np.r_[True, False, Y_TEST["event"][2:]])
    evaluation = fitted().evaluate(X_TEST, y, T[0])
    assert evaluation.labels[0] == 1
    np.testing.assert_array_equal(evaluation.unknown[:2], [False, True])
    # The periods of the reference start at 0.
    assert (
        fitted(y=outcome(np.r_[0, 0, Y["time"][2:]], Y["event"]), reference="auto").horizons_ == T
    )


def test_what_a_fit_gives_survives_pickling():
    evaluations = pickle.loads(pickle.dumps(fitted(Exponential()))).evaluate_all(X_TEST, Y_TEST)
    expected = fitted(Exponential()).evaluate_all(X_TEST, Y_TEST).auc(0.1)
    pd.testing.assert_frame_equal(evaluations.auc(0.1), expected)
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(evaluations)).auc(0.1), expected)


def test_the_widget_takes_a_horizon_from_its_traits_and_from_a_saved_state(model):
    evaluations = model.evaluate_all(X_TEST, Y_TEST)
    widget = ROCWidget(evaluations)
    assert widget.horizon == T[1]
    widget.horizon = T[0]
    widget.guarantee = "everywhere"
    again = ROCWidget(evaluations)
    again.set_state({name: getattr(widget, name) for name in ("horizon", "guarantee")})
    assert (again.horizon, again.guarantee) == (T[0], "everywhere")
    for wrong in (0.3, "x", np.nan):
        with pytest.raises(
            traitlets.TraitError, match=r"horizon: found .*, expected one of 0.2, 0.6"
        ):
            widget.horizon = wrong


def test_a_unit_has_no_s_at_one():
    evaluation = fitted(horizons=(1, 1.5), time_unit="years").evaluate(X_TEST, Y_TEST, 1)
    assert "at 1 year of an ideal model" in evaluation.promise.target
    assert "(T ≤ 1 year | x)" in evaluation.intervals(0.1).target
    model = fitted(horizons=(1, 1.5), time_unit="years")
    assert "(T ≤ 1.5 years | x)" in model.predict_interval(X_TEST, 1, horizon=1.5).target


# Comparators


def test_the_bootstrap_draws_people_and_makes_the_weights_anew():
    p = risk(X_TEST, 0.5)
    band = comparators.bootstrap_band(
        Y_TEST, p, 0.1, horizon=0.5, resamples=100, random_state=0, fpr=[0.1, 0.3, 0.7]
    )
    rng = np.random.default_rng(0)

    def curve(rows):
        y, score = Y_TEST[rows], p[rows]
        naive = naive_known(y, y, 0.5)
        known = [i for i, (label, _) in enumerate(naive) if label is not None]
        label, weight = (np.array([naive[i][j] for i in known]) for j in (0, 1))
        fpr, tpr, _ = roc_curve(label, score[known], sample_weight=weight, drop_intermediate=False)
        # On a vertical edge, the upper end is used.
        return [np.interp(g + 1e-12, fpr, tpr) for g in (0.1, 0.3, 0.7)]

    np.testing.assert_allclose(band.tpr, curve(np.arange(120)), atol=1e-9)
    drawn = np.array([curve(rng.integers(120, size=120)) for _ in range(100)])
    np.testing.assert_allclose(band.tpr_lower, np.quantile(drawn, 0.05, axis=0), atol=1e-9)
    np.testing.assert_allclose(band.tpr_upper, np.quantile(drawn, 0.95, axis=0), atol=1e-9)
    assert band.target == "population ROC of this classifier for an event by 0.5"


def test_all_other_comparators_refuse_a_time():
    p = risk(X_TEST, 0.5)
    for call in (
        lambda: comparators.simultaneous_band(Y_TEST, p),
        lambda: comparators.ks_band(Y_TEST, p),
        lambda: comparators.working_hotelling_band(Y_TEST, p),
        lambda: comparators.clopper_pearson_box(Y_TEST, p, 0.5),
        lambda: comparators.delong_interval(Y_TEST, p),
        lambda: comparators.delong_test(Y_TEST, p, p),
        lambda: comparators.delong_difference(Y_TEST, p, p),
        lambda: comparators.average_precision_interval(Y_TEST, p),
        lambda: comparators.bootstrap_band(Y_TEST, p),
        lambda: comparators.delong_differences(Y_TEST, {"a": p, "b": p}),
        lambda: comparators.sensitivity_difference(Y_TEST, p, p, 0.5),
        lambda: comparators.net_benefit_difference(Y_TEST, p, p, 0.5),
        lambda: comparators.brier_score_interval(Y_TEST, p),
        lambda: comparators.log_loss_interval(Y_TEST, p),
        lambda: comparators.accuracy_interval(Y_TEST, p, 0.5),
        lambda: calibration_band(Y_TEST, p),
        lambda: RocEvaluation.from_predictions(Y_TEST, p, Y_TEST, p),
    ):
        with pytest.raises(ValueError, match="found outcomes with a time, expected labels"):
            call()
    with pytest.raises(ValueError, match="y: found values of type int64 without a time"):
        comparators.bootstrap_band([0, 1], [0.1, 0.2], horizon=1)
    with pytest.raises(ValueError, match="groups: found it with a time"):
        comparators.bootstrap_band(Y_TEST, p, horizon=1, groups=np.arange(120))


def test_a_draw_of_a_time_tells_the_true_risk():
    _, y, logit_pi = simulation.draw("survival", 20_000, 0, value=0.7)
    pi = 1 / (1 + np.exp(-logit_pi))
    # Weighted by the inverse probability of still being followed, which is exponential with mean 3.
    cases = y["event"] & (y["time"] <= 0.7)
    assert abs((cases * np.exp(y["time"] / 3)).mean() - pi.mean()) < 0.01
    assert simulation.draw("survival", 5, 0, shifted=True).X.shape == (5, 3)
    with pytest.raises(ValueError, match="value: found 0"):
        simulation.draw("survival", 5, 0, value=0)
