"""The sharp reference, the guarantee for the curve, and their words, through `ConformalROC`."""

import numpy as np
import pytest
from data import KnownClassifier, fit_explicit, logistic_sample, three_classes
from pictures import svg_of
from scipy.special import expit, logit
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget, charts, conformal_quantiles, simulation
from conformal_roc_widget.calibration.curve_residuals import curve_residuals, individual_level
from conformal_roc_widget.calibration.references.posterior import fit_sharp, sharp_residuals
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group

BOTH = ("individual", "curve")


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n)[:2] for n in (150, 160, 120)]


def evaluations(parts, **options):
    model = fit_explicit(parts, **options)
    return model, {g: model.evaluate(*parts[2], guarantee=g) for g in BOTH}


def logits_of(model, X):
    return model.estimator_.decision_function(X)


def test_the_residuals_are_those_of_the_posterior_of_both_parts(parts):
    model = fit_explicit(parts, reference="sharp")
    (X, y), (X_calibration, y_calibration) = parts[:2]
    posterior = fit_sharp(np.vstack([X, X_calibration]), np.append(y, y_calibration))
    draws, own = posterior.draws(X_calibration), logits_of(model, X_calibration)
    for k in (0, 1):
        at = y_calibration == k
        expected = np.sort(sharp_residuals(draws[at], own[at]))
        np.testing.assert_allclose(model.residuals_[k], expected, atol=1e-12)
        assert model.n_calibration_[k] == at.sum()


def test_the_classifier_has_no_part_in_the_sharp_reference(parts):
    right, wrong = (
        fit_explicit(parts, KnownClassifier(weights), reference="sharp")
        for weights in ((1.0, -0.8, 0.5), (0.0, 0.0, 3.0))
    )
    points = parts[2][0]
    found = [
        split.reference.logits(split.points, split.class_logits)
        for model in (right, wrong)
        for split in model.splits_
    ]
    np.testing.assert_array_equal(*found)
    assert np.ptp(right.residuals_[1]) < np.ptp(wrong.residuals_[1])
    assert right.predict_interval(points, 1)[0].shape == (len(points),)


def test_the_diagnosed_slope_is_that_of_the_estimate_and_not_of_the_draws(rng):
    parts = [logistic_sample(rng, 500)[:2] for _ in range(3)]
    _, found = evaluations(parts, reference="sharp")
    for evaluation in found.values():
        slope, error = evaluation.support.reference_slope
        assert abs(slope - 1) < 2 * error + 0.1
        assert not any("π̃" in note for note in evaluation.notes)


def test_more_than_two_classes_have_a_posterior_each(rng):
    X, y = three_classes(rng, 400)
    halves = (X[:200], y[:200]), (X[200:], y[200:])
    model = fit_explicit(halves, reference="sharp")
    (split,) = model.splits_
    assert len(split.reference.posteriors.fits) == 3
    for l in range(3):
        fit = fit_sharp(X, (y == l).astype(int))
        at = split.codes == l
        own = split.class_logits[at, l]
        expected = np.sort(sharp_residuals(fit.draws(split.points.array)[at], own))
        np.testing.assert_allclose(model.residuals_[l][1], expected, atol=1e-12)


def test_the_first_class_of_two_is_the_mirror_of_the_second(parts):
    for reference in ("kernel", "sharp"):
        model = fit_explicit(parts, reference=reference)
        for guarantee in BOTH:
            one, zero = (
                model.evaluate(*parts[2], label=label, guarantee=guarantee).band(0.2)
                for label in (1, 0)
            )
            for k in (0, 1):
                lower, upper = zero.quantiles[1 - k]
                # draws of -logit pi, in reverse order: quantiles are mirrored, up to one rank
                np.testing.assert_allclose((-upper, -lower), one.quantiles[k], atol=0.35)


@pytest.mark.parametrize(
    "options",
    [{"neighbors": 60}, {"neighbors": 60, "recenter": True}, {"resplits": 2, "progress": False}],
    ids=str,
)
def test_the_sharp_reference_serves_the_other_algorithms_too(rng, options):
    X, y, _ = logistic_sample(rng, 240)
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0, **options)
    lower, upper = model.fit(X, y).evaluate(X[:80], y[:80]).intervals(0.2)
    assert (lower <= upper).all()
    assert (upper - lower).mean() < 0.9


@pytest.mark.parametrize("reference", ["kernel", "sharp"])
def test_the_limits_for_the_curve_are_order_statistics_of_curve_residuals(parts, reference):
    model, found = evaluations(parts, reference=reference)
    (X, y), (X_calibration, y_calibration), (X_test, y_test) = parts
    posterior = fit_sharp(np.vstack([X, X_calibration]), np.append(y, y_calibration))
    draws, own = posterior.draws(X_calibration), logits_of(model, X_calibration)
    band = found["curve"].band(0.1)
    for k in (0, 1):
        at, there = y_calibration == k, y_test == k
        residuals = curve_residuals(draws[at], own[at], int(there.sum()))
        np.testing.assert_allclose(found["curve"].residuals[k], residuals, atol=1e-12)
        pair = conformal_quantiles(residuals, 0.1)
        np.testing.assert_allclose(band.quantiles[k], pair, atol=1e-12)
        scores = logits_of(model, X_test)[there]
        limits = (band.tpr_lower, band.fpr_lower)[1 - k], (band.tpr_upper, band.fpr_upper)[1 - k]
        for q, rates in zip(pair, limits, strict=True):
            with np.errstate(divide="ignore"):
                thresholds = logit(np.clip(band.thresholds, 0, 1))
            expected = [(scores + q > t).mean() for t in thresholds]
            np.testing.assert_allclose(rates, expected, atol=1.5 / there.sum())


def test_a_given_truth_is_taken_as_the_one_candidate(parts):
    weights = np.array([1.0, -0.8, 0.5])

    def truth(X):
        return expit(0.3 + X @ weights)

    model, found = evaluations(parts, reference=truth)
    X, y = parts[1]
    at = y == 1
    expected = curve_residuals(
        (0.3 + X[at] @ weights)[:, None], logits_of(model, X)[at], int(parts[2][1].sum())
    )
    np.testing.assert_allclose(found["curve"].residuals[1], expected, atol=1e-9)
    assert "if the given reference is the true π" in found["curve"].band().guarantee


def test_each_guarantee_is_named_and_intervals_are_for_each_point_under_both(parts):
    _, found = evaluations(parts)
    assert {g: evaluation.guarantee for g, evaluation in found.items()} == {g: g for g in BOTH}
    for alpha in (0.05, 0.3):
        np.testing.assert_array_equal(
            found["curve"].intervals(alpha), found["individual"].intervals(alpha)
        )
    said = {g: evaluation.band(0.1).guarantee for g, evaluation in found.items()}
    assert "for the curve, not for single points: 90 %" in said["curve"]
    assert "smooth" in said["curve"]
    assert "curve" not in said["individual"]
    assert found["curve"].band(0.1).scope == found["individual"].band(0.1).scope


def test_a_band_for_the_curve_is_narrower_and_so_are_its_point_area_and_index(rng):
    parts = [logistic_sample(rng, 400)[:2] for _ in range(3)]
    _, found = evaluations(parts)

    def widths(evaluation):
        band, point = evaluation.band(0.1), evaluation.operating_point(0.5, 0.1)
        _, low, high = evaluation.ideal_auc_range(0.1)
        index, low_index, high_index, _ = evaluation.youden(0.1)
        assert low_index <= index <= high_index
        return [
            (band.tpr_upper - band.tpr_lower).mean(),
            (band.fpr_upper - band.fpr_lower).mean(),
            point.tpr_upper - point.tpr_lower,
            high - low,
            high_index - low_index,
        ]

    narrow, wide = widths(found["curve"]), widths(found["individual"])
    assert all(a < b for a, b in zip(narrow, wide, strict=True))


def test_a_note_tells_how_many_single_points_the_curves_limits_hold(parts):
    _, found = evaluations(parts)
    one, other = found["individual"], found["curve"]
    (note,) = set(other.notes) - set(one.notes)
    shares = [
        100 * (1 - individual_level(one.residuals[k], *other.band(0.05).quantiles[k]))
        for k in (0, 1)
    ]
    assert note.endswith(
        f"hold {shares[0]:.0f} % of the individual residuals of label 0 and {shares[1]:.0f} % of "
        "those of label 1."
    )


def test_recentring_moves_the_curve_by_the_individual_residuals_and_not_the_limits(parts):
    plain, moved = (evaluations(parts, recenter=moved)[1] for moved in (False, True))
    assert plain["curve"].band(0.1).quantiles == moved["curve"].band(0.1).quantiles
    np.testing.assert_array_equal(moved["curve"].scores, moved["individual"].scores)
    assert (moved["curve"].scores != plain["curve"].scores).any()


def test_all_classes_at_once_and_each_alone_are_the_same(rng):
    X, y = three_classes(rng, 360)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:240], y[:240])
    every = model.evaluate_all(X[240:], y[240:], guarantee="curve")
    for label, evaluation in every.items():
        assert evaluation.guarantee == "curve"
        alone = model.evaluate(X[240:], y[240:], label, guarantee="curve")
        assert alone.band(0.2).quantiles == evaluation.band(0.2).quantiles
    assert model.evaluate_all(X[240:], y[240:])[0].guarantee == "individual"


def test_clipped_scores_do_no_harm(rng):
    X, y, _ = logistic_sample(rng, 300)
    forest = RandomForestClassifier(20, random_state=0)
    model = ConformalROC(forest, reference="sharp", random_state=0).fit(X[:200], y[:200])
    for guarantee in BOTH:
        band = model.evaluate(X[200:], y[200:], guarantee=guarantee).band(0.1)
        assert np.isfinite(list(band.quantiles.values())).all()


@pytest.mark.parametrize(
    ("value", "kind"),
    [("pointwise", ValueError), ("", ValueError), (1, TypeError), (["curve"], TypeError)],
    ids=repr,
)
def test_an_unknown_guarantee_is_refused_by_name(parts, value, kind):
    model = fit_explicit(parts)
    for ask in (model.evaluate, model.evaluate_all):
        with pytest.raises(kind, match=r"guarantee: found .* expected one of 'individual'"):
            ask(*parts[2], guarantee=value)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"neighbors": 30}, "neighbors=30"),
        ({"resplits": 2, "progress": False}, "resplits=2"),
        ({"resplits": "per-instance"}, "resplits='per-instance'"),
        ({"center": "kernel"}, "center='kernel'"),
        ({"reference": "score"}, "reference='score'"),
        ({"reference": LogisticRegression()}, r"reference=LogisticRegression\(...\)"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_model_that_cannot_cover_the_curve_says_why(rng, options, found):
    X, y, _ = logistic_sample(rng, 120)
    model = ConformalROC(LogisticRegression(), random_state=0, **options).fit(X, y)
    with pytest.raises(ValueError, match=f"guarantee: found 'curve' with {found}, expected 'indiv"):
        model.evaluate(X, y, guarantee="curve")


def test_a_note_warns_of_the_sharp_reference_among_neighbours(rng):
    X, y, _ = logistic_sample(rng, 160)
    for reference, warned in (("sharp", True), ("kernel", False)):
        model = ConformalROC(
            LogisticRegression(), reference=reference, neighbors=40, random_state=0
        )
        notes = model.fit(X, y).evaluate(X, y).notes
        assert any("For shifted data prefer 'kernel'" in note for note in notes) == warned


def test_a_posterior_is_no_centre(rng):
    X, y, _ = logistic_sample(rng, 60)
    model = ConformalROC(LogisticRegression(), reference="sharp", center="kernel")
    with pytest.raises(ValueError, match="center: found 'kernel' with reference='sharp'"):
        model.fit(X, y)
    with pytest.raises(ValueError, match="center: found 'kernel' with reference='sharp'"):
        simulation.run("sample_size", [100], 1, reference="sharp", center="kernel", progress=False)


def test_both_guarantees_side_by_side_are_one_curve(parts):
    _, found = evaluations(parts)
    group = Group.of({"each point": found["individual"], "the curve": found["curve"]})
    assert group.kind == "bands"
    assert scene_of(group, Controls()).title == "Two bands: ROC curve, 95 % limits"
    drawn = svg_of(scene_of(group, Controls()))
    assert "Guarantee: at least 95" in drawn
    assert ">each point<" in drawn
    assert ">the curve<" in drawn
    own = scene_of(group, Controls(label="the curve"))
    assert "Guarantee: for the curve, not for single points: 95" in "\n".join(own.notes)
    assert Group.of({"alone": found["curve"]}).kind == "classifiers"
    widget = ROCWidget({"each point": found["individual"], "the curve": found["curve"]})
    bands = widget.current_band
    assert bands["the curve"].guarantee != bands["each point"].guarantee


def test_a_chart_of_residuals_says_whose_they_are(parts):
    _, found = evaluations(parts)
    said = {g: str(charts.residuals(each, 0.1).to_dict()["title"]) for g, each in found.items()}
    assert "Residuals of the curve" in said["curve"]
    assert "Residuals of the curve" not in said["individual"]
