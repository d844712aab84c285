"""Properties of every public interval and band.

They are found by name, so new ones are tested too.
"""

import numpy as np
import pytest
from page_limits import net_benefit_limits, precision_limits

from conformal_roc_widget import RocEvaluation, comparators

N = 160
PLACE = np.arange(N)
Y = (PLACE * 0.7548777 % 1 < 0.4).astype(int)
SCORE = (0.05 + 0.6 * (PLACE * 0.381966 % 1) + 0.3 * Y).round(3)
OTHER = (0.05 + 0.7 * (PLACE * 0.5698403 % 1) + 0.2 * Y).round(3)
FOLDS = [(Y[k == PLACE % 4], SCORE[k == PLACE % 4]) for k in range(4)]
FLIPPED = [(y, 1 - s) for y, s in FOLDS]
DRAWN = {"random_state": 0, "resamples": 200}


def alone(function, **more):
    return lambda y, s, _, **given: getattr(comparators, function)(y, s, **more, **given)


def paired(function, **more):
    return lambda y, s, o, **given: getattr(comparators, function)(y, s, o, **more, **given)


#: Calls by name, each a function of labels, scores and other scores.
EVERY = {
    "accuracy_interval": alone("accuracy_interval", threshold=0.5),
    "average_precision_interval": alone("average_precision_interval"),
    "bootstrap_band": alone("bootstrap_band", **DRAWN),
    "brier_score_interval": alone("brier_score_interval"),
    "clopper_pearson_box": alone("clopper_pearson_box", threshold=0.5),
    "delong_difference": paired("delong_difference"),
    "delong_interval": alone("delong_interval"),
    "ks_band": alone("ks_band"),
    "log_loss_interval": alone("log_loss_interval"),
    "net_benefit_difference": paired("net_benefit_difference", threshold=0.5),
    "sensitivity_difference": paired("sensitivity_difference", threshold=0.5),
    "simultaneous_band": alone("simultaneous_band", **DRAWN),
    "working_hotelling_band": alone("working_hotelling_band"),
}
#: Functions without labels and scores, or without limits.
OTHERS = {
    "delong_differences",
    "delong_test",
    "mean_auc_interval",
    "one_row_per_group",
    "bootstrap_replicates",
}


def ends(found):
    """Lower and upper limits as arrays."""
    if hasattr(found, "estimate"):
        return np.array([found.lower]), np.array([found.upper])
    names = ("fpr", "tpr") if hasattr(found, "fpr_lower") else ("tpr",)
    return tuple(
        np.concatenate([np.atleast_1d(getattr(found, f"{name}_{side}")) for name in names])
        for side in ("lower", "upper")
    )


def test_the_table_has_every_public_function_with_limits():
    functions = {name for name in comparators.__all__ if name[0].islower()}
    assert functions - OTHERS == set(EVERY)


@pytest.mark.parametrize("name", EVERY)
def test_a_larger_alpha_is_never_wider(name):
    narrower = None
    for alpha in (0.5, 0.2, 0.05, 0.01):
        low, high = ends(EVERY[name](Y, SCORE, OTHER, alpha=alpha))
        assert (low <= high).all()
        if narrower is not None:
            assert (low <= narrower[0] + 1e-12).all()
            assert (high >= narrower[1] - 1e-12).all()
            assert (low < narrower[0]).any()
            assert (high > narrower[1]).any()
        narrower = low, high


@pytest.mark.parametrize("name", EVERY)
def test_the_other_label_with_its_own_score_is_the_positive_one(name):
    """If labels are swapped and named, the same rows give the same limits."""
    plain = EVERY[name](Y, SCORE, OTHER)
    turned = EVERY[name](1 - Y, SCORE, OTHER, pos_label=0)
    for one, other in zip(ends(plain), ends(turned), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    if name in {"delong_interval", "brier_score_interval", "log_loss_interval"}:
        against = EVERY[name](Y, 1 - SCORE, 1 - OTHER, pos_label=0)
        for one, other in zip(ends(plain), ends(against), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-9)
    with_other = EVERY[name](Y, SCORE, OTHER, pos_label=0)
    pairs = zip(ends(plain), ends(with_other), strict=True)
    same = [one.shape == other.shape and np.allclose(one, other) for one, other in pairs]
    assert not all(same), "pos_label is taken"
    with pytest.raises(ValueError, match="pos_label: found 'ill', expected one of 0, 1"):
        EVERY[name](Y, SCORE, OTHER, pos_label="ill")


def test_a_test_of_two_scores_takes_the_positive_label():
    # the positive class is not the last one in sorted order
    names = np.where(Y == 1, "benign", "malignant")
    found = comparators.delong_test(names, SCORE, OTHER, pos_label="benign")
    assert found == comparators.delong_test(Y, SCORE, OTHER)
    with pytest.raises(ValueError, match="pos_label: found 'ill', expected one of 0, 1"):
        comparators.delong_test(Y, SCORE, OTHER, pos_label="ill")


@pytest.mark.parametrize("name", EVERY)
def test_limits_hold_the_figure_itself(name):
    for alpha in (0.05, 0.5, 0.9):
        found = EVERY[name](Y, SCORE, OTHER, alpha=alpha)
        if hasattr(found, "estimate"):
            assert found.lower <= found.estimate <= found.upper


def test_means_of_folds_follow_alpha_and_the_positive_label():
    wide, narrow = (comparators.mean_auc_interval(FOLDS, alpha) for alpha in (0.01, 0.3))
    assert wide.lower < narrow.lower < narrow.upper < wide.upper
    np.testing.assert_allclose(
        comparators.mean_auc_interval(FLIPPED, 0.3, pos_label=0), narrow, atol=1e-12
    )


def test_figures_of_an_evaluation_hold_themselves():
    for more in ({}, {"sample_weight_test": 1 + PLACE % 3}, {"groups_test": PLACE // 2}):
        evaluation = RocEvaluation.from_predictions(Y, SCORE, **more)
        for alpha in (0.001, 0.05, 0.5):
            area = evaluation.auc(alpha)
            assert area.lower <= area.estimate <= area.upper
            for loss in evaluation.losses(alpha=alpha).values():
                assert loss.lower <= loss.estimate <= loss.upper
            ap = evaluation.sampled.average_precision
            low, high = ap.limits(alpha)
            assert low <= ap.value <= high
            for threshold in (0.0, 0.2, 0.5, 0.8, 0.95):
                at = evaluation.sampled.settled_over(np.array([threshold]))
                own = at.own
                value = own * at.tpr / np.maximum(own * at.tpr + (1 - own) * at.fpr, 1e-300)
                low, high = precision_limits(at, alpha, None)
                if at.tpr + at.fpr > 0:
                    assert (low - 1e-12 <= value).all()
                    assert (value <= high + 1e-12).all()
                benefit = own * at.tpr - (1 - own) * at.fpr * threshold / (1 - threshold)
                low, high = net_benefit_limits(at, alpha, threshold / (1 - threshold), None)
                assert (low <= benefit).all()
                assert (benefit <= high).all()
