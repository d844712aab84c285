import numpy as np
import pytest
from data import evaluation_from_scores
from scipy.special import expit, logit

from conformal_roc_widget import RocEvaluation


def naive_net_benefit(y, score, cut, prevalence, risk):
    """Net benefit by counting people one by one."""
    tp = sum(s >= cut for s, label in zip(score, y, strict=True) if label)
    fp = sum(s >= cut for s, label in zip(score, y, strict=True) if not label)
    n1 = sum(y)
    rates = tp / n1, fp / (len(y) - n1)
    return rates[0] * prevalence - rates[1] * (1 - prevalence) * risk / (1 - risk)


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_it_is_the_formula_over_counts(prevalence):
    evaluation = evaluation_from_scores(2, n_test=80)
    own = evaluation.n_test[1] / 80
    share = own if prevalence is None else prevalence
    cuts = [0.5, 0.1, 0.1, 0.9, 0.33]
    found = evaluation.net_benefit(0.1, prevalence=prevalence, thresholds=cuts)
    assert found.thresholds.tolist() == cuts
    for i, cut in enumerate(cuts):
        risk = cut if prevalence is None else expit(logit(cut) + logit(share) - logit(own))
        assert found.risk[i] == pytest.approx(risk, rel=1e-12)
        wanted = naive_net_benefit(evaluation.labels, evaluation.scores, cut, share, risk)
        assert found.net_benefit[i] == pytest.approx(wanted, abs=1e-14)
        assert found.treat_all[i] == pytest.approx(share - (1 - share) * risk / (1 - risk))
        point = evaluation.operating_point(cut, 0.1)
        weight = (1 - share) * risk / (1 - risk)
        assert found.net_benefit_lower[i] == pytest.approx(
            point.tpr_lower * share - point.fpr_upper * weight, abs=1e-14
        )
        assert found.net_benefit_upper[i] == pytest.approx(
            point.tpr_upper * share - point.fpr_lower * weight, abs=1e-14
        )


def test_by_hand():
    y, score = [0, 0, 0, 1], [0.1, 0.2, 0.6, 0.7]
    evaluation = RocEvaluation.from_predictions(y * 2, score * 2, y, score)
    found = evaluation.net_benefit(thresholds=[0, 0.5, 0.65, 0.75])
    # One in four is positive. At a risk of one half, a false alarm costs as much as a miss.
    assert found.net_benefit.tolist() == pytest.approx([0.25, 0.25 - 0.25, 0.25, 0])
    assert found.treat_all.tolist() == pytest.approx([0.25, 0.25 - 0.75, 0.25 - 0.75 * 13 / 7, -2])


def test_a_cut_is_moved_by_the_difference_of_the_log_odds_before_it_is_a_risk():
    y = np.repeat([1, 0], [30, 70])
    scores = np.linspace(0.05, 0.95, 100)
    evaluation = RocEvaluation.from_predictions(1 - y, scores, y, scores)
    assert evaluation.own_prevalence == 0.3
    moved = evaluation.net_benefit(0.1, prevalence=0.12, thresholds=[0.42])
    assert round(float(moved.risk[0]), 2) == 0.19
    odds = (0.42 / 0.58) * (0.12 / 0.88) / (0.3 / 0.7)
    np.testing.assert_allclose(moved.risk, odds / (1 + odds), rtol=1e-12)
    kept = evaluation.net_benefit(0.1, prevalence=0.3, thresholds=[0.42])
    np.testing.assert_allclose(kept.risk, 0.42, rtol=1e-12)


def test_the_default_is_every_percent_and_the_table_has_the_arrays():
    found = evaluation_from_scores(1).net_benefit()
    assert found.thresholds.tolist() == [i / 100 for i in range(100)]
    frame = found.to_frame()
    assert list(frame) == [
        *("threshold", "risk", "net_benefit"),
        *("net_benefit_lower", "net_benefit_upper", "treat_all"),
    ]
    assert (frame["net_benefit_lower"] <= frame["net_benefit_upper"]).all()
    assert "computed from both limits together" in found.guarantee


@pytest.mark.parametrize("thresholds", [[1.0], [-0.1], [float("nan")], ["a"], [[0.5]], []])
def test_cuts_without_a_finite_weight_are_refused(thresholds):
    with pytest.raises((TypeError, ValueError), match=r"thresholds: (found|expected)"):
        evaluation_from_scores(1).net_benefit(thresholds=thresholds)
