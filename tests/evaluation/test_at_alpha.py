"""Results at one alpha: they share parts, each alpha has one object, and each result has its
promise.
"""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from data import assert_same_curves, evaluation_from_scores, limits_of, logistic_sample
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, average_bands
from conformal_roc_widget.evaluation.at_alpha import AtAlpha


@pytest.fixture
def evaluation():
    return evaluation_from_scores()


def local(neighbors, n=60, **options):
    X, y, _ = logistic_sample(np.random.default_rng(0), 2 * n)
    fitted = ConformalROC(LogisticRegression(), neighbors=neighbors, random_state=0, **options)
    X_test, y_test, _ = logistic_sample(np.random.default_rng(1), n)
    return fitted.fit(X, y).evaluate(X_test, y_test)


def test_the_evaluations_own_methods_are_those_of_its_alpha(evaluation):
    at = evaluation.at(0.1)
    assert isinstance(at, AtAlpha)
    assert evaluation.at(0.1) is at
    for found, expected in (
        (evaluation.band(0.1), at.band()),
        (evaluation.band(0.1, [0.2, 0.4]), at.band([0.2, 0.4])),
    ):
        assert_same_curves(found, expected)
        assert (found.quantiles, found.vacuous) == (at.quantiles, at.vacuous)
        assert found.guarantee == expected.guarantee == at.guarantee
    assert evaluation.operating_point(0.3, 0.1) == at.operating_point(0.3)
    assert evaluation.ideal_auc_range(0.1) == at.ideal_auc_range()
    assert evaluation.youden(0.1) == at.youden()
    for found, expected in zip(evaluation.intervals(0.1), at.intervals(), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert evaluation.at(0.1) is at


def test_only_the_last_alpha_is_kept(evaluation):
    at = evaluation.at(0.1)
    assert evaluation.at(0.2).alpha == 0.2
    assert evaluation.at(0.1) is not at


def test_an_alpha_is_the_decimal_that_was_written(evaluation):
    single = evaluation.at(np.float32(0.1))
    assert single.alpha == float(np.float32(0.1))
    assert single.quantiles == evaluation.at(0.1).quantiles
    assert evaluation.at(0.1).alpha == 0.1


def test_it_is_frozen_and_may_be_pickled(evaluation):
    at = evaluation.at(0.1)
    with pytest.raises(FrozenInstanceError):
        at.alpha = 0.2
    for changed in (at.vacuous, at.quantiles, at.vacuous_share):
        changed[0] = "changed"
    assert at.vacuous == {0: None, 1: None}
    assert at.vacuous_share == {0: 0, 1: 0}
    again = pickle.loads(pickle.dumps(at))
    assert again.ideal_auc_range() == at.ideal_auc_range()
    assert (
        pickle.loads(pickle.dumps(at.ideal_auc_range())).guarantee == at.ideal_auc_range().guarantee
    )
    assert pickle.loads(pickle.dumps(at.intervals())).guarantee == at.intervals().guarantee


# A label without limits, and the share of its points that have none


VACUOUS = {
    "all of a localized band": (lambda: local(neighbors=8), 0.05, 1),
    "some of a localized band": (lambda: local(neighbors=38), 0.05, None),
    "all of a pooled band": (lambda: evaluation_from_scores(0, 20, 30), 0.05, 1),
    "none of a pooled band": (lambda: evaluation_from_scores(0, 20, 30), 0.3, 0),
}


@pytest.mark.parametrize("which", VACUOUS)
def test_a_label_has_no_limits_if_all_of_its_points_are_vacuous(which):
    make, alpha, share = VACUOUS[which]
    evaluation = make()
    band = evaluation.band(alpha)
    shares = evaluation.at(alpha).vacuous_share
    lower, upper = evaluation.intervals(alpha)
    inside = band.thresholds < 1
    for k in (0, 1):
        everything = ((lower == 0) & (upper == 1))[evaluation.labels == k]
        assert shares[k] == everything.mean()
        assert band.without_limits(k) == everything.all()
        assert (band.vacuous[k] is not None) == everything.any()
        if share == 1:
            assert (limits_of(band)[k][1][inside] == 0).all()
            assert (limits_of(band)[k][2][inside] == 1).all()
    assert shares[0] == share if share is not None else 0 < shares[0] < 1


def test_an_average_calls_labels_without_limits_only_those_that_have_none():
    none, some = local(neighbors=8), local(neighbors=38)
    assert some.band(0.05).vacuous[1] is not None
    mixed = average_bands({"none": none, "some": some}, 0.05)
    assert mixed.vacuous[1] == (
        "The bands of 'none' have no limits: they enter the average as 0 to 1."
    )
    assert not mixed.without_limits(1)
    both = average_bands({"none": none, "none too": none}, 0.05)
    assert both.without_limits(1)
    assert average_bands({"some": some}, 0.05).vacuous[1] is None
