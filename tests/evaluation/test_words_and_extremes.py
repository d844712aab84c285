"""Singular nouns, and extreme numbers without warnings."""

from itertools import product

import numpy as np
import pytest
from data import scored
from parts import with_quick
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    calibration_band,
    kernel_logit,
)
from conformal_roc_widget.arrays import deviation
from conformal_roc_widget.comparators import bootstrap_band
from conformal_roc_widget.evaluation.notes import vacuous_reason
from conformal_roc_widget.text import counted


@pytest.mark.parametrize(
    ("n", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1234567, "1,234,567 rows")]
)
def test_one_row_is_no_rows(n, said):
    assert counted(n, "row") == said


def test_one_point_of_several_has_no_limits():
    told = {"n": 19, "noun": "neighbours"}
    one = vacuous_reason(1, 0.05, "paper", few=(1, 200), **told)
    assert one.startswith("1 of the 200 test points of label 1 has fewer than 19 neighbours of")
    assert one.endswith("for 95 %: it has no limits.")
    two = vacuous_reason(1, 0.05, "paper", few=(2, 200), **told)
    assert "2 of the 200 test points of label 1 have fewer" in two
    assert two.endswith("they have no limits.")
    none = vacuous_reason(0, 0.5, "paper", n=0, noun="calibration points", few=None)
    assert "takes 1 point, two take" in none


def test_a_band_of_one_point_says_the_one_label():
    band = calibration_band([1], [0.5])
    assert repr(band).startswith("CalibrationBand(alpha=0.05, 1 point at 1 score")
    assert any(note.startswith("The one label is") for note in band.notes)


def test_one_person_with_all_rows_of_a_label_gives_no_limits_and_no_warning(rng):
    (y, p), (y0, p0) = scored(rng, 120), scored(rng, 120)
    who = np.where(y0 == 1, 0, np.arange(120) + 1)
    made = RocEvaluation.from_predictions(y0, p0, y, p, groups_calibration=who)
    assert made.n_calibration == {0: (y0 == 0).sum(), 1: 1}
    assert tuple(made.ideal_auc_range())[1:] == (0.0, 1.0)
    assert "1 person" in made.band().vacuous[1]
    assert [str(note) for note in made.notes if "1 person" in note]
    assert made.notes[0].startswith("Calibration rows are grouped by person")
    assert ROCWidget(made).alpha == 0.05


def test_one_person_is_told_by_every_other_door(rng):
    y, p = scored(rng, 120)
    with pytest.raises(
        ValueError, match="groups: found 1 group of 120 rows, expected at least 10 people"
    ):
        bootstrap_band(y, p, groups=np.zeros(120))
    with pytest.raises(ValueError, match="found 1 group"):
        ConformalROC(LogisticRegression()).fit(p[:, None], y, groups=np.zeros(120))


@pytest.mark.parametrize("scale", [1e-100, 1e-160, 1e-200, 1e-290])
def test_a_deviation_is_the_one_of_larger_numbers_scaled(rng, scale):
    X = rng.normal(size=(50, 3)) + [0, 1, 0] * np.ones((50, 3))
    X[:, 2] = 0
    for ddof in (0, 1):
        np.testing.assert_allclose(deviation(X * scale, ddof), X.std(axis=0, ddof=ddof) * scale)
    assert deviation(X * 5e-324).tolist() == [0, 0, 0]


SCALES = [5e-324, 1e-310, 1e-200, 1e-160]


@pytest.mark.parametrize(
    ("scale", "reference"),
    with_quick(
        product(SCALES, ["kernel", "sharp", "learned"]),
        [*product(SCALES, ["kernel", "sharp"]), (SCALES[0], "learned")],
    ),
)
def test_features_may_be_the_smallest_numbers(rng, reference, scale):
    X, (y, _) = rng.normal(size=(200, 2)), scored(rng, 200)
    model = ConformalROC(LogisticRegression(), reference=reference, random_state=0)
    made = model.fit(X[:150] * scale, y[:150]).evaluate(X[150:] * scale, y[150:])
    assert made.observed_auc == 0.5  # such features do not move the classifier's coefficients
    assert np.isfinite(model.residuals_[0]).all()


@pytest.mark.parametrize("scale", [1e-200, 1e-160])
def test_the_kernel_has_the_same_estimate_for_features_in_another_unit(rng, scale):
    X = rng.normal(size=(200, 2))
    y = (rng.random(200) < 1 / (1 + np.exp(-2 * X[:, 0]))).astype(int)
    other = kernel_logit(X * scale, y, X * scale)
    np.testing.assert_allclose(other, kernel_logit(X, y, X), rtol=1e-9)


@pytest.mark.parametrize("prevalence", [5e-324, 1e-16, 0.3, 1 - 1e-12, 1 - 1e-16])
def test_net_benefit_is_that_of_odds_at_every_prevalence(rng, prevalence):
    (y, p), (y0, p0) = scored(rng, 120), scored(rng, 120)
    made = RocEvaluation.from_predictions(y0, p0, y, p)
    cuts = np.array([0.0, 0.25, 0.5, 0.99])
    found = made.net_benefit(prevalence=prevalence, thresholds=cuts)
    own = y.mean()
    for cut, benefit, every in zip(cuts, found.net_benefit, found.treat_all, strict=True):
        tpr, fpr = (p[y == 1] >= cut).mean(), (p[y == 0] >= cut).mean()
        lost = cut / (1 - cut) * prevalence * (1 - own) / own
        assert benefit == pytest.approx(tpr * prevalence - fpr * lost, rel=1e-9, abs=1e-12)
        assert every == pytest.approx(prevalence - lost, rel=1e-9, abs=1e-12)
    assert np.isfinite(found.net_benefit_lower).all()
