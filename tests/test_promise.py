"""A promise is a value: every result carries one, and its words are those of the result."""

import numpy as np
import pytest
from data import evaluation_from_scores, logistic_sample, scored
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    Promise,
    RocEvaluation,
    average_bands,
    calibration_band,
    comparators,
)
from conformal_roc_widget.promise import KINDS


def results_of(evaluation, alpha=0.1):
    """Every result of an evaluation by name."""
    at = evaluation.at(alpha)
    return {
        "at": at,
        "band": at.band(),
        "point": at.operating_point(0.4),
        "auc": at.auc(),
        "youden": at.youden(),
        "intervals": at.intervals(),
        "precision and recall": evaluation.precision_recall(alpha),
        "net benefit": evaluation.net_benefit(alpha),
        "reliability": evaluation.reliability(alpha),
        "metrics": evaluation.metrics(0.4, alpha),
    }


def kinds_of(results):
    return {name: result.promise.kind for name, result in results.items()}


def assert_words_are_the_promises(results):
    for name, result in results.items():
        promise = result.promise
        assert isinstance(promise, Promise), name
        assert promise.kind in KINDS
        words = (result.target, result.scope, result.guarantee)
        assert words == (promise.target, promise.scope, promise.guarantee), name
        assert all(words), name
        assert "{" not in " ".join(words), name


def test_limits_of_single_points_promise_no_area_and_no_index(rng):
    X, y, _ = logistic_sample(rng, 300)
    evaluation = ConformalROC(LogisticRegression(), random_state=0).fit(X, y).evaluate(X, y)
    found = results_of(evaluation)
    assert_words_are_the_promises(found)
    assert kinds_of(found) == dict.fromkeys(found, "individual") | {
        "auc": "none",
        "youden": "none",
        "net benefit": "none",
        "reliability": "simultaneous",
        "metrics": "none",
    }
    assert {result.promise.model for name, result in found.items() if name != "reliability"} == {
        "ideal_model"
    }


def test_limits_of_the_curve_keep_those_of_single_points(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0).fit(X, y)
    evaluation = model.evaluate(X, y, guarantee="curve")
    found = results_of(evaluation) | {"ideal curve": evaluation.ideal_curve(0.1)}
    assert_words_are_the_promises(found)
    kinds = kinds_of(found)
    assert kinds["band"] == kinds["point"] == "curve"
    assert kinds["intervals"] == "individual"
    assert kinds["ideal curve"] == "credible"


def test_a_centre_that_does_not_cover_promises_nothing(rng):
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(LogisticRegression(), neighbors=50, center="kernel", random_state=0)
    found = results_of(model.fit(X, y).evaluate(X, y))
    assert_words_are_the_promises(found)
    del found["reliability"]
    assert set(kinds_of(found).values()) == {"none"}


def test_simultaneous_limits_promise_everything_at_once(rng):
    found = results_of(
        RocEvaluation.from_predictions(*scored(rng, 80), *scored(rng, 40), guarantee="simultaneous")
    )
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"simultaneous"}
    assert all(result.promise.every_threshold for result in found.values())
    assert {result.promise.model for result in found.values()} == {"recalibration"}


def test_other_peoples_limits_are_for_more_test_data(rng):
    y, score = scored(rng, 80)
    found = {
        "bootstrap": comparators.bootstrap_band(y, score, resamples=100, random_state=0),
        "ks": comparators.ks_band(y, score),
        "box": comparators.clopper_pearson_box(y, score, 0.5),
    }
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"sampling"}


def test_an_average_promises_nothing_and_a_calibration_band_everything(rng):
    evaluation = evaluation_from_scores(3)
    found = {
        "average": average_bands({"a": evaluation, "b": evaluation}, 0.1),
        "calibration": calibration_band(*scored(rng, 80)),
    }
    assert_words_are_the_promises(found)
    assert kinds_of(found) == {"average": "none", "calibration": "simultaneous"}


def test_a_promise_is_frozen_and_equal_by_its_fields():
    promise = Promise("curve", "a", "b", "{confidence} of c")
    assert promise == Promise("curve", "a", "b", "{confidence} of c")
    assert hash(promise.at(0.1)) == hash(Promise("curve", "a", "b", "90 % of c"))
    assert promise.at(None).guarantee == "1 − α of c"
    with pytest.raises(AttributeError):
        promise.kind = "none"
    with pytest.raises(ValueError, match=r"^kind: found 'sure', expected one of 'individual'"):
        Promise("sure", "a", "b", "c")


def test_numbers_with_a_promise_unpack_as_before(rng):
    evaluation = evaluation_from_scores(3)
    area, lower, upper = evaluation.auc(0.1)
    assert lower <= area <= upper
    low, high = evaluation.intervals(0.1)
    assert np.all(low <= high)


def test_intervals_and_differences_for_the_population_carry_one_too(rng):
    y, score = scored(rng, 80)
    other = np.clip(score + rng.normal(size=80) / 10, 0, 1)
    found = {
        "area": comparators.delong_interval(y, score),
        "average precision": comparators.average_precision_interval(y, score),
        "difference of areas": comparators.delong_difference(y, score, other),
        "difference of sensitivities": comparators.sensitivity_difference(y, score, other, 0.5),
        "mean area": comparators.mean_auc_interval([(y[:40], score[:40]), (y[40:], score[40:])]),
    }
    assert_words_are_the_promises(found)
    assert set(kinds_of(found).values()) == {"sampling"}
    assert {result.promise.model for result in found.values()} == {"classifier"}
