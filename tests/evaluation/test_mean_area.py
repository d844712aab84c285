"""Mean area of classes that share rows, and of weighted folds: limits and coverage."""

import numpy as np
import pytest
from cases import classes_alone, folds, told_of_rows, weights
from data import evaluation_from_scores
from oracles import auc, derivatives
from said import area_digits, is_said

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import delong_interval
from conformal_roc_widget.evaluation import figures
from conformal_roc_widget.evaluation.average import class_shares
from conformal_roc_widget.evaluation.folds import METHODS
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.words import words


def mean_area_of_classes(evaluations, shares):
    each = list(evaluations.values())
    areas, of = (np.array([of[k] for k in evaluations]) for of in (areas_of(evaluations), shares))
    return figures.mean_area_of_classes([e.sampled.sample for e in each], areas, of)


def areas_of(evaluations):
    return {k: e.observed_auc for k, e in evaluations.items()}


@pytest.mark.parametrize("how", ["size", "uniform"])
@pytest.mark.parametrize("told", ["nothing", "weights", "groups", "both"])
def test_the_variance_is_that_of_the_infinitesimal_jackknife(told, how):
    """Numerical derivatives of the mean by each row's weight, summed by person."""
    given = told_of_rows(told, 60)
    evaluations = classes_alone(**given)
    shares = class_shares(evaluations, how)
    weight = given.get("sample_weight_test", np.ones(60))

    def mean(weight):
        return sum(shares[k] * auc(e.scores, e.labels, weight) for k, e in evaluations.items())

    owners = given.get("groups_test", np.arange(60))
    wanted = (derivatives(mean, weight, owners) ** 2).sum()
    found = mean_area_of_classes(evaluations, shares)
    assert found.value == pytest.approx(mean(weight))
    # The variance within a sample is too small by one in this number of people per label.
    most = np.unique(owners).size / 4
    assert wanted < found.variance < wanted * most / (most - 1)


def test_one_class_alone_has_the_limits_of_delong():
    evaluation = evaluation_from_scores(1)
    y, score = evaluation.labels, evaluation.scores
    other = RocEvaluation.from_predictions(1 - y, 1 - score)
    both = {1: evaluation, 0: other}
    for shares in ({1: 1.0, 0: 0.0}, {1: 0.5, 0: 0.5}):
        area = mean_area_of_classes(both, shares)
        np.testing.assert_allclose((area.value, *area.limits(0.1)), delong_interval(y, score, 0.1))


def test_of_areas_of_1_the_class_with_the_fewest_pairs_tells_the_limit():
    y = np.repeat([0, 1, 2], [20, 8, 5])
    apart = {
        k: RocEvaluation.from_predictions((y == k).astype(int), np.where(y == k, 0.9, 0.1))
        for k in range(3)
    }
    area = mean_area_of_classes(apart, class_shares(apart, "uniform"))
    assert (area.value, area.variance, area.rows) == (1.0, 0.0, 5)
    np.testing.assert_allclose(area.limits(0.1), [0.05 ** (1 / 5), 1])


def test_classes_that_do_not_share_their_rows_have_no_limits_of_the_mean():
    evaluations = {k: evaluation_from_scores(k) for k in (1, 2)}
    assert Group.of(evaluations, "classes").mean_areas == {}
    (lead,) = scene_of(Group.of(evaluations, "classes"), Controls(0.1, band="sampling")).lead
    assert is_said("say.classes_here", lead, why=words("say.not_known"))


@pytest.mark.parametrize("how", ["size", "uniform"])
def test_the_picture_says_them_in_its_corner(how):
    group = Group.of(classes_alone(), "classes")
    limits = group.mean_areas[how].limits(0.1)
    scene = scene_of(group, Controls(0.1, 0.4, band="sampling", weights=how))
    texts = {mark.id: mark.text for mark in scene.panels[0].marks if hasattr(mark, "text")}
    digits = area_digits([group.mean_areas[how].value, *limits])
    lower, upper = (f"{limit:.{digits}f}" for limit in limits)
    assert texts["corner-limits"] == f"90 %: {lower} to {upper}"
    other = scene_of(group, Controls(0.1, 0.4, weights=how))
    texts = {mark.id: mark.text for mark in other.panels[0].marks if hasattr(mark, "text")}
    assert texts["corner-limits"] == f"90 %: {lower} to {upper}"


def test_what_limits_of_all_together_promise_is_said_in_pictures_and_texts():
    shown = {
        "classes": (
            Group.of(classes_alone(), "classes"),
            "the influences of each row, or person, on all classes together: DeLong’s",
        ),
        "folds": (Group.of(folds()), METHODS["delong"]),
        "weights": (Group.of(folds(sample_weight=weights(75))), f"{METHODS['delong']}, rows by"),
    }
    for group, method in shown.values():
        promise = group.together.at(0.1)
        controls = Controls(0.1, 0.4, band="sampling")
        scene = scene_of(group, controls)
        for text in ("\n".join(scene.notes), scene.description):
            assert promise.target in text
            assert promise.scope in text
            assert promise.guarantee in text
        assert (promise.kind, promise.model) == ("sampling", "classifier")
        assert (
            "90 % in large samples, if more data come from the same source; " in promise.guarantee
        )
        assert f"by {method}" in promise.guarantee
        what = "the mean AUC" if group.folds is not None else "one mean"
        assert str(promise.line).startswith(f"about 90 % for {what} in large samples, if ")
        if group.folds is not None:
            assert group.folds.mean_auc(0.1).promise == promise
            assert "another training set would change them is left out" in str(promise.line)
    # Here each class has its own mean instead of a common one.
    alone = Group.of({k: evaluation_from_scores(k) for k in (1, 2)}, "classes").together
    assert alone.scope == "one class at a time"


def test_folds_with_weights_have_a_mean_area():
    weight = weights(75)
    made = folds(sample_weight=weight)
    mean = np.mean([auc(e.scores, e.labels, e.sample_weight) for e in made.values()])
    found = made.mean_auc(0.1)
    assert found.estimate == pytest.approx(mean)
    assert found.lower < mean < found.upper
    assert "weights" in found.method
    # With nearly equal weights, limits are nearly those without weights.
    nearly = folds(sample_weight=1 + 1e-9 * np.arange(75)).mean_auc(0.1)
    np.testing.assert_allclose(nearly, folds().mean_auc(0.1), rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("n", [60, 200])
def test_limits_of_classes_hold_as_often_as_they_say(n):
    """Three normal classes in a plane, scored by one classifier.

    Areas in the population come from a million rows.
    """
    rng, alpha = np.random.default_rng(3), 0.1
    centres = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.0]])

    def evaluations(y):
        x = centres[y] + rng.normal(size=(y.size, 2))
        near = np.exp(-((x[:, None] - centres) ** 2).sum(axis=2) / 2)
        p = near / near.sum(axis=1, keepdims=True)
        return {k: RocEvaluation.from_predictions((y == k).astype(int), p[:, k]) for k in range(3)}

    shares = {0: 0.2, 1: 0.3, 2: 0.5}
    truth = sum(shares[k] * e.observed_auc for k, e in evaluations(rng.choice(3, 200_000)).items())
    held = 0
    for _ in range(500):
        y = rng.choice(3, n, p=[0.2, 0.3, 0.5])
        lower, upper = mean_area_of_classes(evaluations(y), shares).limits(alpha)
        held += lower <= truth <= upper
    assert held / 500 >= 1 - alpha - 0.03
