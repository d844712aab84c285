"""An evaluation from known residuals, as in the line of Python that a page offers."""

import numpy as np
import pytest
from data import assert_same_curves, evaluation_from_scores

from conformal_roc_widget import RocEvaluation, ROCWidget


@pytest.mark.parametrize("rule", ["paper", "split"])
@pytest.mark.parametrize("names", [(0, 1), ("yes", "no")])
def test_residuals_and_test_points_give_the_same_numbers(rule, names):
    known = evaluation_from_scores(0, n_calibration=200, quantile_rule=rule)
    again = RocEvaluation.from_residuals(
        {names[k]: known.residuals[k][::-1] for k in (0, 1)},
        np.array(names)[known.labels],
        known.scores,
        quantile_rule=rule,
    )
    assert again.classes == names
    for alpha in (0.05, 0.3):
        assert_same_curves(again.band(alpha), known.band(alpha))
        assert again.ideal_auc_range(alpha) == known.ideal_auc_range(alpha)
    assert again.promise.kind == "individual"
    assert again.support.share == 0
    assert again.notes == ()
    assert again.no_ideal_curve
    assert ROCWidget(again)._frame["entries"][0]["quantiles"]


@pytest.mark.parametrize(
    ("residuals", "labels", "message"),
    [
        (
            [[0.0], [1.0]],
            [0, 1],
            r"^residuals: found \[\[0.0\], \[1.0\]\], expected a mapping of two labels",
        ),
        ({0: [0.0]}, [0, 1], "^residuals: found .* expected a mapping of two labels"),
        ({0: [0.0], 1: [np.nan]}, [0, 1], "^residuals: found 1 NaN, expected none"),
        (
            {0: [0.0], 2: [1.0]},
            [0, 1],
            r"^residuals: found labels \[0, 2\], expected those of y_test: 0, 1",
        ),
        (
            {3: [0.0], 1: [1.0]},
            [0, 1],
            r"^residuals: found labels \[3, 1\], expected those of y_test",
        ),
    ],
)
def test_what_is_none_is_refused(residuals, labels, message):
    with pytest.raises((TypeError, ValueError), match=message):
        RocEvaluation.from_residuals(residuals, labels, [0.2, 0.7])


def test_more_test_points_than_a_screen_looks_at_need_no_reference(rng):
    labels, scores = rng.random(3000) < 0.5, rng.random(3000)
    residuals = {False: rng.normal(size=50), True: rng.normal(size=50)}
    evaluation = RocEvaluation.from_residuals(residuals, labels, scores)
    assert not any("reference" in note for note in evaluation.notes)
    assert evaluation.display_support[0].share == 0


def test_a_page_writes_an_evaluation_from_residuals_only_where_it_was_made_from_them():
    residuals, y, score = {0: [-1, 0.5], 1: [-2.0, 0, 2]}, [1, 1, 0, 0], [0.9, 0.3, 0.5, 0.1]
    made = RocEvaluation.from_residuals(residuals, y, score)
    assert made.sources.remade
    other = RocEvaluation.from_predictions(y * 9, np.linspace(0.1, 0.9, 36), y, score)
    assert not other.sources.remade
