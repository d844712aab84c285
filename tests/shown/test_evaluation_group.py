"""Groups and controls: kinds, keys, positions, and which labels a band is for."""

from fractions import Fraction

import numpy as np
import pytest
from data import evaluation_from_scores, logistic_sample, scored, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.shown.controls import Controls, band_labels
from conformal_roc_widget.shown.evaluation_group import Group

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
    for kind in ("populations", "samples", "classes"):
        assert Group.of(both, kind).kind == kind
    difference = "'women' and 'men' differ in the number of rows, 50 and 61"
    with pytest.raises(ValueError, match=rf"not all of the same rows: {difference}.*populations'"):
        Group.of(both)
    with pytest.raises(ValueError, match=rf"found 'classifiers' for .*points.*{difference}"):
        Group.of(both, "classifiers")
    with pytest.raises(ValueError, match="kind: found 'people'"):
        Group.of(both, "people")
    # Equally many rows, with positives at the same places: these are not one class against the
    # others.
    with pytest.raises(ValueError, match="the labels of their rows"):
        Group.of({"a": women, "b": RocEvaluation.from_predictions(*PAIR)})


def rare(positives, n=500, pos_label=None):
    """Scores of rows. Those at the given positions are positive."""
    y = np.zeros(n, dtype=int)
    y[list(positives)] = 1
    return RocEvaluation.from_predictions(y, np.linspace(0.1, 0.9, n), pos_label=pos_label)


def test_rare_positives_of_two_populations_are_not_two_classes():
    women, men = rare([3, 40, 77, 400]), rare([5, 41, 90, 333])
    with pytest.raises(ValueError, match="'women' and 'men' differ in the order of their labels"):
        Group.of({"women": women, "men": men})
    assert Group.of({"women": women, "men": men}, kind="populations").kind == "populations"
    # If a row is positive in each of the two, they are not classes either
    for keys in (("women", "men"), (0, "1")):
        pair = dict(zip(keys, (rare(range(200)), rare(range(200, 500))), strict=True))
        with pytest.raises(ValueError, match="not all of the same rows"):
            Group.of(pair)


def test_a_classifier_with_the_other_positive_class_is_no_class_of_the_first():
    one, other = rare(range(200)), rare(range(200), pos_label=0)
    found = "'logistic' and 'forest' differ in the positive class, 1 and 0"
    for kind in (None, "classifiers"):
        with pytest.raises(ValueError, match=found):
            Group.of({"logistic": one, "forest": other}, kind)
    # if the names are those of the positive classes, the mapping equals that of evaluate_all
    assert Group.of({1: one, 0: other}).kind == "classes"


def test_classes_of_one_model_are_what_evaluate_all_gives(rng):
    X, y = three_classes(rng, 400)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:200], y[:200])
    every = model.evaluate_all(X[200:], y[200:])
    assert Group.of(every).kind == "classes"
    # without some of the classes, there are rows that are positive in none
    with pytest.raises(ValueError, match="0 and 2 differ in the positive class, 0 and 2"):
        Group.of({k: every[k] for k in (0, 2)})
    assert Group.of({k: every[k] for k in (0, 2)}, "classes").kind == "classes"
    # if the rows differ, they are not classes of one test set
    elsewhere = model.evaluate_all(X[100:300], y[100:300])
    with pytest.raises(ValueError, match="positive class"):
        Group.of(every | {1: elsewhere[1]})
    two = ConformalROC(LogisticRegression(), random_state=0).fit(X[:200], y[:200] == 1)
    assert Group.of(two.evaluate_all(X[200:], y[200:] == 1)).kind == "classes"


def test_a_kind_is_of_several_and_a_name_of_one():
    one = evaluation_from_scores(1)
    with pytest.raises(ValueError, match="kind: found 'populations' for one evaluation"):
        Group.of(one, "populations")
    assert Group.of(one, name="a\nforest").name(None) == "a forest"
    assert Group.of(one).name(None) == ""
    with pytest.raises(ValueError, match="name: found 'x' for several evaluations"):
        Group.of({"a": one}, name="x")
    with pytest.raises(TypeError, match="name: found int, expected a str"):
        Group.of(one, name=3)


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
    assert Group.of({2018: one, 2019: other}, "samples").name(2018) == "sample 2018"


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
    assert Controls() == (
        0.05,
        0.5,
        "sensitivity",
        None,
        "size",
        "roc",
        None,
        None,
        None,
        None,
        None,
        False,
        {"sensitivity": 0.9},
        "rows",
        "once",
    )
