"""Limits against a reference from the score alone: the same numbers, another target."""

import dataclasses

import numpy as np
from data import (
    assert_same_curves,
    scored,
)
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
)
from conformal_roc_widget.evaluation.at_alpha import AtAlpha


def test_a_score_as_reference_has_the_target_of_the_score():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    y = (rng.random(400) < expit(X[:, 0])).astype(int)
    model = ConformalROC(LogisticRegression(), reference="score", random_state=0).fit(X, y)
    assert "P(y = 1 | score)" in model.evaluate(X, y).at(0.1).target


def test_every_result_is_for_an_ideal_recalibration_of_the_score(rng):
    evaluation = RocEvaluation.from_predictions(*scored(rng, 80), *scored(rng, 40))
    at = evaluation.at(0.1)
    for found in (at, at.band(), at.operating_point(0.4), at.auc(), at.youden(), at.intervals()):
        assert "P(y = 1 | score)" in found.target
        assert "π(x)" not in found.target
    assert at.auc().target.startswith("the area under the curve of an ideal recalibration")
    assert at.youden().target.startswith("Youden's index of an ideal recalibration")
    assert at.intervals().guarantee == at.guarantee


def fields_of(at):
    return {field.name: getattr(at, field.name) for field in dataclasses.fields(at) if field.init}


def test_the_numbers_are_those_of_algorithm_1(rng):
    evaluation = RocEvaluation.from_predictions(*scored(rng, 80), *scored(rng, 40))
    score, features = evaluation.at(0.1), AtAlpha(**fields_of(evaluation.at(0.1)))
    assert tuple(score.auc()) == tuple(features.auc())
    assert tuple(score.youden()) == tuple(features.youden())
    assert_same_curves(score.band(), features.band())
    for found, expected in zip(score.intervals(), features.intervals(), strict=True):
        np.testing.assert_array_equal(found, expected)
