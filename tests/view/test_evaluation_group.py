"""Groups and controls: kinds, keys, positions, and which labels a band is for."""

from fractions import Fraction

import numpy as np
import pytest
from data import evaluation_from_scores, logistic_sample, scored, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.view.controls import Controls, band_labels
from conformal_roc_widget.view.evaluation_group import Group

PAIR = np.arange(50) % 3 == 0, scored(np.random.default_rng(5), 50)[1]


def test_a_group_is_of_the_kind_that_its_test_sets_have_in_common():
    one, rounded = evaluation_from_scores(1), evaluation_from_scores(1, decimals=1)
    other = evaluation_from_scores(2, n_test=61)
    assert Group.of(one).kind == "single"
    assert Group.of({"a": one}).kind == "classifiers"
    assert Group.of({"a": one, "b": rounded}).kind == "classifiers"
    assert Group.of({"a": one, "b": one}).kind == "bands"
    assert Group.of({"a": one, "b": other}, "classes").kind == "classes"


def test_a_mapping_of_other_points_says_what_it_is_or_is_refused():
    women, men = evaluation_from_scores(1), evaluation_from_scores(2, n_test=61)
    both = {"women": women, "men": men}
    assert Group.of(both, "populations").kind == "populations"
    with pytest.raises(ValueError, match=r"neither classifiers .* expected kind='populations'"):
        Group.of(both)
    with pytest.raises(ValueError, match=r"kind: found 'classifiers' for .*different test points"):
        Group.of(both, "classifiers")
    with pytest.raises(ValueError, match="kind: found 'people'"):
        Group.of(both, "people")
    # As many rows each, and positives at the same places: not one class against the others.
    with pytest.raises(ValueError, match="kind='populations'"):
        Group.of({"a": women, "b": RocEvaluation.from_predictions(*PAIR, *PAIR)})


def test_classes_of_one_model_are_known_by_their_positives(rng):
    X, y = three_classes(rng, 400)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:200], y[:200])
    every = model.evaluate_all(X[200:], y[200:])
    assert Group.of(every).kind == "classes"
    assert Group.of({k: every[k] for k in (0, 2)}).kind == "classes"


def test_populations_know_what_they_are(rng):
    X, y, _ = logistic_sample(rng, 400)
    who = np.resize(["women", "men"], 400)
    model = ConformalROC(LogisticRegression(), random_state=0)
    found = model.fit(X[:300], y[:300], sensitive_features=who[:300])
    group = Group.of(found.evaluate_by(X[300:], y[300:], who[300:]))
    assert (group.kind, [group.name(label) for label in group.entries]) == (
        "populations",
        ["men", "women"],
    )
    with pytest.raises(ValueError, match="kind: found 'classes' for populations, expected None"):
        Group.of(found.evaluate_by(X[300:], y[300:], who[300:]), "classes")


def test_a_number_that_names_a_class_is_called_one():
    one, other = evaluation_from_scores(1), evaluation_from_scores(2, n_test=61)
    group = Group.of({2: one, "b": other}, "classes")
    assert [group.name(label) for label in group.entries] == ["class 2", "b"]
    assert Group.of({2: one}).name(2) == "2"


def test_labels_are_found_as_python_compares_keys():
    one, other = evaluation_from_scores(1), evaluation_from_scores(2, n_test=61)
    group = Group.of({1: one, "1": other}, "populations")
    assert group.find(np.int64(1)) == 1
    assert group.find(True) == 1
    assert group.find("1") == "1"
    assert group.find(None) is None
    with pytest.raises(ValueError, match=r"label: found 2, expected one of None, 1, '1'"):
        group.find(2)


@pytest.mark.parametrize(
    ("shown", "error", "message"),
    [
        (3, TypeError, "evaluation: found int, expected a RocEvaluation"),
        ({}, ValueError, "evaluation: found an empty mapping"),
        ({"a": 3}, TypeError, "evaluation: found int for label 'a'"),
    ],
)
def test_anything_else_is_refused(shown, error, message):
    with pytest.raises(error, match=message):
        Group.of(shown)


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (Fraction(1, 2), TypeError),
        ((1, 2), TypeError),
        (float("inf"), ValueError),
        (2**53 + 1, ValueError),
        ("\ud800", ValueError),
    ],
)
def test_a_key_that_json_cannot_carry_is_refused(key, error):
    with pytest.raises(error, match="evaluation: found the key"):
        Group.of({key: evaluation_from_scores(1)})


def test_a_band_is_for_its_labels_in_the_order_in_which_they_are_named():
    assert [band_labels(band) for band in ("sensitivity", "specificity", "both")] == [
        (1,),
        (0,),
        (1, 0),
    ]


def test_an_ideal_models_curve_is_a_band_over_the_false_positive_rate():
    assert band_labels("ideal") == (1,)


@pytest.mark.parametrize("band", ["vertical", "", None, 1])
def test_another_band_is_refused_by_name(band):
    with pytest.raises(ValueError, match=r"^band: found .*, expected one of 'sensitivity'"):
        band_labels(band)


def test_controls_start_where_the_widget_does():
    assert Controls() == (0.05, 0.5, "sensitivity", None, "size", "roc", None, None, None, None)
