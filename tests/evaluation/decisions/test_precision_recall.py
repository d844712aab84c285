import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from data import evaluation_from_scores
from sklearn.metrics import average_precision_score, precision_recall_curve

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.precision_recall import precision_limits


def naive_limits(tp, fp, n1, n0, prevalence):
    """Smallest and largest precision over all pairs of counts that the intervals allow."""
    values = [
        t / n1 * prevalence / (t / n1 * prevalence + f / n0 * (1 - prevalence))
        for t, f in itertools.product(range(tp[0], tp[1] + 1), range(fp[0], fp[1] + 1))
        if t + f > 0
    ]
    return (min(values), max(values)) if values else (0, 1)


@pytest.mark.parametrize("seed", range(4))
def test_reversed_it_is_scikit_learns_curve(seed):
    evaluation = evaluation_from_scores(seed, n_test=150)
    found = evaluation.precision_recall(0.1)
    precision, recall, thresholds = precision_recall_curve(evaluation.labels, evaluation.scores)
    np.testing.assert_allclose(found.precision[::-1], precision, rtol=1e-13)
    np.testing.assert_allclose(found.recall[::-1], recall, rtol=1e-13)
    np.testing.assert_array_equal(found.thresholds[:0:-1], thresholds)
    assert found.average_precision == pytest.approx(
        average_precision_score(evaluation.labels, evaluation.scores), rel=1e-12
    )


@pytest.mark.parametrize("prevalence", [None, 0.02, 0.7])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_limits_are_the_extremes_over_all_counts_in_both_intervals(alpha, prevalence):
    evaluation = evaluation_from_scores(5, n_calibration=60, n_test=40)
    found = evaluation.precision_recall(alpha, prevalence=prevalence)
    band = evaluation.band(alpha)
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    share = n1 / (n0 + n1) if prevalence is None else prevalence
    tp, fp = (
        np.rint(np.column_stack([low, high]) * n).astype(int)
        for low, high, n in (
            (band.tpr_lower, band.tpr_upper, n1),
            (band.fpr_lower, band.fpr_upper, n0),
        )
    )
    naive = [naive_limits(t, f, n1, n0, share) for t, f in zip(tp, fp, strict=True)]
    np.testing.assert_allclose(
        np.column_stack([found.precision_lower, found.precision_upper]), naive, rtol=1e-12
    )
    np.testing.assert_array_equal(found.recall_lower, band.tpr_lower)
    np.testing.assert_array_equal(found.recall_upper, band.tpr_upper)


def test_limits_of_few_rows_are_those_of_every_pair_of_intervals():
    """Also if nobody is called positive at one limit, or at any."""
    n1, n0, prevalence = 2, 3, 0.3
    ends = [list(itertools.combinations_with_replacement(range(n + 1), 2)) for n in (n1, n0)]
    pairs = list(itertools.product(*ends))
    tp, fp = (np.array([pair[k] for pair in pairs]) / n for k, n in ((0, n1), (1, n0)))
    names = ("tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper")
    band = SimpleNamespace(**dict(zip(names, [*tp.T, *fp.T], strict=True)))
    naive = [naive_limits(*pair, n1, n0, prevalence) for pair in pairs]
    np.testing.assert_allclose(np.column_stack(precision_limits(band, prevalence)), naive)


def test_by_hand():
    y, score = [0, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]
    evaluation = RocEvaluation.from_predictions([0, 0, 1, 1], score, y, score)
    found = evaluation.precision_recall(0.05)
    assert found.thresholds.tolist() == [np.inf, 0.8, 0.6, 0.4, 0.1]
    assert found.precision.tolist() == pytest.approx([1, 1, 1 / 2, 2 / 3, 1 / 2])
    assert found.recall.tolist() == [0, 0.5, 0.5, 1, 1]
    # With two calibration points per label there are no limits, so any precision is possible.
    assert found.precision_lower[1:].tolist() == [0] * 4
    assert found.precision_upper[1:].tolist() == [1] * 4
    # With one person in ten ill, the same rates mostly call healthy people: .5 * .1 / .55.
    rare = evaluation.precision_recall(0.05, prevalence=0.1)
    assert rare.precision[4] == pytest.approx(0.1)
    assert rare.precision[2] == pytest.approx(0.05 / (0.05 + 0.45))


def test_the_table_has_the_arrays_and_the_record_says_what_it_is():
    found = evaluation_from_scores(1).precision_recall(0.05)
    frame = found.to_frame()
    assert list(frame)[:3] == ["threshold", "precision", "recall"]
    np.testing.assert_array_equal(frame["precision_upper"], found.precision_upper)
    assert frame.attrs["average_precision"] == found.average_precision
    assert "same threshold" in found.target
    assert "computed from both limits together" in found.guarantee
    assert "95 %" in found.guarantee
    with pytest.raises(ValueError, match="read-only"):
        found.precision[0] = 0


@pytest.mark.parametrize("prevalence", [0, 1, -0.5, float("nan"), "half", True])
def test_a_prevalence_that_is_no_share_is_refused(prevalence):
    with pytest.raises((TypeError, ValueError), match="prevalence: found"):
        evaluation_from_scores(1).precision_recall(prevalence=prevalence)
