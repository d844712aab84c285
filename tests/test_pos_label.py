"""The positive class can be chosen, as with scikit-learn's `pos_label`."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from summaries import frame, summarized

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(240, 2))
    ill = rng.random(240) < 1 / (1 + np.exp(-1.5 * X[:, 0]))
    return X, np.where(ill, "ill", "well")


@pytest.fixture(scope="module")
def model(data):
    X, y = data
    return ConformalROC(LogisticRegression(), random_state=0).fit(X[:160], y[:160])


def test_scores_are_the_probabilities_of_the_positive_class(data, model):
    X, y = data
    evaluation = model.evaluate(X[160:], y[160:], pos_label="ill")
    assert evaluation.classes == ("well", "ill")
    np.testing.assert_array_equal(evaluation.labels, y[160:] == "ill")
    np.testing.assert_array_equal(evaluation.scores, model.estimator_.predict_proba(X[160:])[:, 0])
    same = model.evaluate(X[160:], y[160:], "ill")
    np.testing.assert_array_equal(evaluation.band().tpr_lower, same.band().tpr_lower)


def test_the_other_class_mirrors_rates_and_limits(data):
    X, y = data
    # The paper's pair of order statistics is not symmetric. That of the split rule is.
    model = ConformalROC(LogisticRegression(), quantile_rule="split", random_state=0)
    model.fit(X[:160], y[:160])
    ill = model.evaluate(X[160:], y[160:], pos_label="ill").operating_point(0.3, 0.2)
    well = model.evaluate(X[160:], y[160:]).operating_point(0.7, 0.2)
    assert (ill.tp, ill.fn) == (well.tn, well.fp)
    # Both count an interval end at the threshold as below it. No end is at a threshold here.
    assert (ill.tpr_lower, ill.tpr_upper) == pytest.approx((1 - well.fpr_upper, 1 - well.fpr_lower))


def test_a_class_that_is_none_is_refused_with_those_that_are(data, model):
    X, y = data
    score = model.estimator_.predict_proba(X)[:, 0]
    for call in (
        lambda: model.evaluate(X[160:], y[160:], pos_label="sick"),
        lambda: RocEvaluation.from_predictions(y, score, y, score, pos_label="sick"),
    ):
        with pytest.raises(ValueError, match="pos_label: found 'sick', expected one of 'ill', 'w"):
            call()
    with pytest.raises(
        ValueError, match="pos_label: found 'ill', expected the same as label, 'well'"
    ):
        model.evaluate(X[160:], y[160:], "well", pos_label="ill")
    fitted = LogisticRegression().fit(X, y)

    def shown(**asked):
        return ROCWidget.from_estimator(fitted, X, y, **asked).evaluation

    assert shown(label="ill", pos_label="ill").classes == shown(label="ill").classes
    for asked, found in (
        (
            {"label": "well", "pos_label": "ill"},
            "pos_label: found 'ill', expected the same as label",
        ),
        ({"label": "sick"}, "^label: found 'sick'"),
        ({"pos_label": "sick"}, "^pos_label: found 'sick'"),
    ):
        with pytest.raises(ValueError, match=found):
            shown(**asked)


@pytest.fixture(scope="module")
def scored():
    rng = np.random.default_rng(3)
    score = rng.random(300)
    return np.where(rng.random(300) < score, "ill", "well"), score


def test_scores_alone_are_those_of_the_positive_class(scored):
    y, score = scored
    sets = y[:200], score[:200], y[200:], score[200:]
    evaluation = RocEvaluation.from_predictions(*sets, pos_label="ill")
    codes = (y == "ill").astype(int)
    same = RocEvaluation.from_predictions(codes[:200], score[:200], codes[200:], score[200:])
    assert evaluation.classes == ("well", "ill")
    np.testing.assert_array_equal(evaluation.labels, codes[200:])
    for k in (0, 1):
        np.testing.assert_array_equal(evaluation.residuals[k], same.residuals[k])
    np.testing.assert_array_equal(evaluation.band(0.1).tpr_lower, same.band(0.1).tpr_lower)
    assert ROCWidget.from_predictions(*sets, pos_label="ill").evaluation.classes == ("well", "ill")
    # The default is the last class in sorted order, so naming it changes nothing.
    default = RocEvaluation.from_predictions(*sets)
    named = RocEvaluation.from_predictions(*sets, pos_label="well")
    np.testing.assert_array_equal(default.labels, named.labels)
    assert default.classes == named.classes == ("ill", "well")


def test_a_table_counts_the_positive_class(scored):
    y, score = scored
    calibration = y[:200], score[:200]
    evaluation = summarized(frame(y[200:], score[200:]), calibration, pos_label="ill")
    assert evaluation.n_test == {
        0: int((y[200:] == "well").sum()),
        1: int((y[200:] == "ill").sum()),
    }
    sets = y[:200], score[:200], y[200:], score[200:]
    whole = RocEvaluation.from_predictions(*sets, pos_label="ill")
    assert evaluation.ideal_auc_range(0.1)[0] == pytest.approx(whole.ideal_auc_range(0.1)[0])
