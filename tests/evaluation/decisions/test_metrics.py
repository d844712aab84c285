"""Figures at a threshold against scikit-learn and over all counts; rules against all vertices."""

import math

import numpy as np
import pytest
from data import evaluation_from_scores
from hypothesis import given
from hypothesis import strategies as st
from oracles import expected_cost
from sklearn import metrics as sk

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.metrics import METRICS, least_cost


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1, n_calibration=400)


def by_counts(tp, fn, fp, tn):
    """A figure from counts by its textbook formula. NaN if it is undefined."""
    with np.errstate(all="ignore"):
        tp, fn, fp, tn = (np.float64(count) for count in (tp, fn, fp, tn))
        n = tp + fn + fp + tn
        sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
        return {
            "sensitivity": sensitivity,
            "specificity": specificity,
            "ppv": tp / (tp + fp),
            "npv": tn / (tn + fn),
            "accuracy": (tp + tn) / n,
            "balanced_accuracy": (sensitivity + specificity) / 2,
            "f1": 2 * tp / (2 * tp + fp + fn),
            "mcc": (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
            "youden": sensitivity + specificity - 1,
            "likelihood_ratio_positive": sensitivity / (1 - specificity) if fp else math.nan,
            "likelihood_ratio_negative": (1 - sensitivity) / specificity if tn else math.nan,
        }


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.7])
def test_the_figures_of_the_test_set_are_scikit_learns(evaluation, threshold):
    y, called = evaluation.labels, evaluation.scores >= threshold
    positive, negative = sk.class_likelihood_ratios(y, called)
    expected = {
        "sensitivity": sk.recall_score(y, called),
        "specificity": sk.recall_score(1 - y, ~called),
        "ppv": sk.precision_score(y, called),
        "npv": sk.precision_score(1 - y, ~called),
        "accuracy": sk.accuracy_score(y, called),
        "balanced_accuracy": sk.balanced_accuracy_score(y, called),
        "f1": sk.f1_score(y, called),
        "mcc": sk.matthews_corrcoef(y, called),
        "youden": sk.balanced_accuracy_score(y, called, adjusted=True),
        "likelihood_ratio_positive": positive,
        "likelihood_ratio_negative": negative,
    }
    found = evaluation.metrics(threshold)
    assert list(found) == list(expected) == list(METRICS)
    for name, value in expected.items():
        assert found[name].value == pytest.approx(value, abs=1e-12), name


@pytest.mark.parametrize("threshold", [0.3, 0.6])
def test_a_range_holds_the_extremes_over_all_counts_within_the_limits(threshold):
    evaluation = evaluation_from_scores(3, n_calibration=60)
    found = evaluation.metrics(threshold, 0.3)
    point = evaluation.operating_point(threshold, 0.3)
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    tables = [
        by_counts(tp, n1 - tp, fp, n0 - fp)
        for tp in range(round(point.tpr_lower * n1), round(point.tpr_upper * n1) + 1)
        for fp in range(round(point.fpr_lower * n0), round(point.fpr_upper * n0) + 1)
    ]
    assert len(tables) > 20
    for name, (_, lower, upper) in found.items():
        values = np.array([table[name] for table in tables])
        assert np.isfinite(values).all(), name
        assert lower == pytest.approx(values.min(), abs=1e-12), name
        assert upper == pytest.approx(values.max(), abs=1e-12), name


def test_four_positives_and_five_negatives_by_hand():
    """3 of 4 positives and 2 of 5 negatives are called.

    With a prevalence of .1 these are shares .075 and .36 of all rows.
    """
    y, scores = [1, 1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.95, 0.6, 0.3, 0.2, 0.1]
    calibration = [0, 1] * 10, np.linspace(0.1, 0.9, 20)
    found = RocEvaluation.from_predictions(*calibration, y, scores).metrics(0.5, prevalence=0.1)
    assert found["ppv"].value == pytest.approx(0.075 / (0.075 + 0.36))
    assert found["npv"].value == pytest.approx(0.54 / (0.54 + 0.025))
    assert found["accuracy"].value == pytest.approx(0.075 + 0.54)
    assert found["f1"].value == pytest.approx(0.15 / (0.15 + 0.36 + 0.025))
    assert found["likelihood_ratio_positive"].value == pytest.approx((3 / 4) / (2 / 5))


def test_what_is_undefined_is_nan_and_nothing_else(evaluation):
    found = evaluation.metrics(1.0)
    assert math.isnan(found["ppv"].value)
    assert math.isnan(found["mcc"].value)
    assert math.isnan(found["likelihood_ratio_positive"].value)
    assert found["accuracy"].value == pytest.approx((evaluation.labels == 0).mean())


def test_the_table_says_where_it_is_from(evaluation):
    found = evaluation.metrics(0.4, 0.1, prevalence=0.2)
    frame = found.to_frame()
    assert frame.loc["ppv"].tolist() == list(found["ppv"])
    assert frame.attrs["threshold"] == 0.4
    assert frame.attrs["prevalence"] == 0.2
    assert frame.attrs["guarantee"] == found.guarantee
    assert found.promise.kind == "none"
    assert "90 %" in found.guarantee
    assert repr(found) == "Metrics(threshold=0.4, 11 figures)"


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), min_size=4, max_size=30),
    st.integers(0, 10),
    st.sampled_from([0.2, 1.0, 7.0]),
)
def test_a_rule_chooses_what_a_look_at_every_threshold_does(rows, tenths, cost):
    labels, scores = [0, 1, *(label for label, _ in rows)], [0.5, 0.5, *(s / 8 for _, s in rows)]
    y, s = np.array(labels), np.array(scores)
    evaluation = RocEvaluation.from_predictions([0, 1] * 10, np.linspace(0.1, 0.9, 20), y, s)
    wanted, share = tenths / 10, y.mean()
    # In descending order: the threshold above all scores can be written as 1 only if no score is 1.
    cuts = [*([] if (s == 1).any() else [math.inf]), *np.unique(s)[::-1]]
    tp, fp = ([int((s[y == k] >= cut).sum()) for cut in cuts] for k in (1, 0))
    n1, n0 = int(y.sum()), int((1 - y).sum())
    sensitive = [cut for cut, hits in zip(cuts, tp, strict=True) if hits / n1 >= wanted]
    specific = [cut for cut, alarms in zip(cuts, fp, strict=True) if (n0 - alarms) / n0 >= wanted]
    assert evaluation.threshold_for(sensitivity=wanted) == max(sensitive)
    assert evaluation.threshold_for(specificity=wanted) == min(specific, default=math.inf)
    costs = [expected_cost(f / n0, t / n1, share, cost) for f, t in zip(fp, tp, strict=True)]
    found = evaluation.threshold_for(cost_ratio=cost)
    assert costs[cuts.index(found)] == pytest.approx(min(costs), abs=1e-12)
    assert evaluation.threshold_for() == evaluation.youden().threshold


@pytest.mark.parametrize(
    ("wish", "kind", "found"),
    [
        ({"sensitivity": 1.1}, ValueError, "sensitivity: found 1.1"),
        ({"specificity": "high"}, TypeError, "specificity: found 'high'"),
        ({"cost_ratio": 0}, ValueError, "cost_ratio: found 0"),
        ({"prevalence": 1}, ValueError, "prevalence: found 1"),
        ({"sensitivity": 0.9, "specificity": 0.9}, ValueError, "sensitivity, specificity: found 2"),
    ],
    ids=str,
)
def test_a_wish_that_is_none_is_refused_by_name(evaluation, wish, kind, found):
    with pytest.raises(kind, match=f"^{found}"):
        evaluation.threshold_for(**wish)


def test_the_mean_width_is_the_area_between_the_limits(evaluation):
    band = evaluation.band(0.1)
    area = sum(
        (band.fpr[i + 1] - band.fpr[i]) * (band.tpr_upper[i] - band.tpr_lower[i])
        for i in range(len(band.fpr) - 1)
    )
    assert band.mean_width == pytest.approx(area, abs=1e-12)
    assert 0 < band.mean_width < 1
    few = evaluation_from_scores(2, n_calibration=20).band(0.001)
    assert math.isnan(few.mean_width)


@pytest.mark.parametrize(("share", "cost"), [(0.12, 8.0), (0.5, 1.0), (0.01, 0.2), (0.99, 100.0)])
def test_no_vertex_costs_less(evaluation, share, cost):
    band = evaluation.band(0.1)
    at = least_cost(band, share, cost)
    all_costs = [
        expected_cost(fpr, tpr, share, cost) for fpr, tpr in zip(band.fpr, band.tpr, strict=True)
    ]
    assert all_costs[at] == min(all_costs)
    assert at == all_costs.index(min(all_costs)), "of equals the highest threshold"
