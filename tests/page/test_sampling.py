"""This classifier with more test data: exact limits of both rates at the threshold, in pictures."""

import numpy as np
import pytest
from data import evaluation_from_scores, scored
from pictures import marks
from said import is_said

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import clopper_pearson_box
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5, 1.0])
def test_the_cross_has_the_exact_limits_of_clopper_and_pearson(threshold):
    evaluation = evaluation_from_scores(1)
    found = marks(scene_of(Group.of(evaluation), Controls(0.1, threshold, "sampling", goal=None)))
    box = clopper_pearson_box(evaluation.labels, evaluation.scores, threshold, 0.1)
    np.testing.assert_allclose(found["arm-0"].points.x, (box.fpr_lower, box.fpr_upper), atol=1e-12)
    np.testing.assert_allclose(found["arm-1"].points.y, (box.tpr_lower, box.tpr_upper), atol=1e-12)


def test_the_sentence_has_them_before_the_band_is_made():
    evaluation = evaluation_from_scores(1)
    scene = scene_of(Group.of(evaluation), Controls(0.1, 0.5, "sampling"))
    box = clopper_pearson_box(evaluation.labels, evaluation.scores, 0.5, 0.1)
    (lead,) = scene.lead
    limits = f"{100 * box.tpr_lower:.0f} to {100 * box.tpr_upper:.0f} %"
    assert is_said("say.finds", lead, limits=limits, rows="positives", sure="90 % sure")


def test_rows_of_people_have_the_limits_of_as_many_rows_as_vary_alike(rng):
    """If each person has two equal rows, limits are those of half as many rows."""
    y, score = scored(rng, 60)
    twice = np.repeat(y, 2), np.repeat(score, 2)
    evaluation = RocEvaluation.from_predictions(*twice, groups_test=np.arange(120) // 2)
    controls = Controls(0.1, 0.5, "sampling")
    scene, once = (
        scene_of(Group.of(each), controls)
        for each in (evaluation, RocEvaluation.from_predictions(y, score))
    )
    for name in ("arm-0", "arm-1"):
        of_people, of_rows = (marks(each)[name].points for each in (scene, once))
        np.testing.assert_allclose(of_people.x, of_rows.x)
        np.testing.assert_allclose(of_people.y, of_rows.y)
    found = clopper_pearson_box(y, score, 0.5, 0.1)
    limits = f"{100 * found.tpr_lower:.0f} to {100 * found.tpr_upper:.0f} %"
    assert is_said("say.finds", scene.lead[0], limits=limits, rows="positives")
