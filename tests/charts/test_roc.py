"""ROC charts: their numbers are exactly the band's, drawn as step lines."""

import re

import altair as alt
import numpy as np
import pandas as pd
import pytest
from chart_cases import BANDS, averaged, curve_of, localized, records, svg_of, words
from data import evaluation_from_scores, logistic_sample, scored
from said import is_said
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, charts
from conformal_roc_widget.charts.residuals import BINS


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=200, decimals=2)


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_numbers_are_the_bands_to_the_last_digit(evaluation, alpha, band):
    drawn = curve_of(charts.roc(evaluation, alpha, band=band))
    names = ["fpr", "tpr", *(f"{rate}_{end}" for rate in BANDS[band] for end in ("lower", "upper"))]
    assert sorted(drawn) == sorted(names)
    expected = evaluation.band(alpha)
    assert {len(values) for values in drawn.values()} == {expected.fpr.size}
    for name in names:
        np.testing.assert_array_equal(drawn[name], getattr(expected, name))


@pytest.mark.parametrize("options", [{}, {"recenter": True}, {"neighbors": 60}, {"resplits": 3}])
def test_display_vertices_have_the_limits_of_the_default_thresholds(options):
    rng = np.random.default_rng(6)
    X, y, _ = logistic_sample(rng, 300)
    evaluation = (
        ConformalROC(LogisticRegression(), random_state=0, **options)
        .fit(X, y)
        .evaluate(*logistic_sample(rng, 3000)[:2])
    )
    band = evaluation.band(0.1)
    rows = np.isin(band.thresholds, evaluation.sampled.screen_vertices.thresholds)
    drawn = curve_of(charts.roc(evaluation, 0.1, band="both"))
    for name in drawn:
        np.testing.assert_array_equal(drawn[name], getattr(band, name)[rows])


def path_of(element):
    return [
        tuple(map(float, pair.split(","))) for pair in re.findall(r"[^MLHVZ]+", element.get("d"))
    ]


def corners(points):
    """A path without repeated points and without points inside straight segments."""
    kept = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        while len(kept) > 1 and any(kept[-2][i] == kept[-1][i] == point[i] for i in (0, 1)):
            kept.pop()
        kept.append(point)
    return kept


@pytest.mark.parametrize(("band", "rate"), [("sensitivity", "tpr"), ("specificity", "fpr")])
def test_edges_go_first_across_then_up_and_the_curve_is_straight_between_vertices(
    evaluation, band, rate
):
    made = evaluation.band(0.05)
    lines = {}
    for element in svg_of(charts.roc(evaluation, band=band, size=400)).iter(
        "{http://www.w3.org/2000/svg}path"
    ):
        stroke = element.get("stroke")
        if stroke in ("#1a1a1a", "#0072B2", "#D55E00") and "L" in element.get("d", ""):
            lines.setdefault(stroke, []).append(path_of(element))

    def at(x, y):
        return [(400 * a, 400 * (1 - b)) for a, b in zip(x, y, strict=True)]

    curve = max(lines["#1a1a1a"], key=len)
    np.testing.assert_allclose(curve, at(made.fpr, made.tpr), atol=1e-2)
    drawn = sorted(lines["#0072B2" if rate == "tpr" else "#D55E00"], key=len)[-2:]
    for end in ("lower", "upper"):
        limit = getattr(made, f"{rate}_{end}")
        x, y = (made.fpr, limit) if rate == "tpr" else (limit, made.tpr)
        steps = [(x[0], y[0])]
        for i in range(1, x.size):
            steps += [(x[i], y[i - 1]), (x[i], y[i])]
        expected = corners(at(*zip(*steps, strict=True)))
        assert any(
            len(corners(path)) == len(expected) and np.allclose(corners(path), expected, atol=1e-2)
            for path in drawn
        )


def test_many_test_points_stay_small():
    rng = np.random.default_rng(8)
    evaluation = RocEvaluation.from_predictions(*scored(rng, 500), *scored(rng, 200_000))
    for drawn in (evaluation, evaluation.band(0.05)):
        chart = charts.roc(drawn, band="both", threshold=0.5 if drawn is evaluation else None)
        with alt.data_transformers.enable("default", max_rows=100):
            assert max(map(len, records(chart))) < 5000
    for rows in records(charts.residuals(evaluation)):
        assert len(rows) <= 2 * BINS


def test_a_long_band_is_thinned_by_less_than_half_a_pixel():
    evaluation = evaluation_from_scores(n_test=20_000)
    band = evaluation.band(0.05)
    drawn = curve_of(charts.roc(band))
    assert len(drawn["fpr"]) < band.fpr.size / 2
    place = {vertex: i for i, vertex in enumerate(zip(band.fpr, band.tpr, strict=True))}
    kept = np.array([place[vertex] for vertex in zip(drawn["fpr"], drawn["tpr"], strict=True)])
    for name in drawn:
        np.testing.assert_array_equal(drawn[name], getattr(band, name)[kept])
    assert kept[0] == 0
    assert kept[-1] == band.fpr.size - 1
    skipped = np.diff(kept) > 1
    for rate in (band.fpr, band.tpr):
        assert np.diff(rate[kept])[skipped].max() < 0.0005


def test_target_scope_and_guarantee_are_said(evaluation):
    band = evaluation.band(0.1)
    said = words(charts.roc(evaluation, 0.1))
    assert "ROC curve, 90 % limits" in said
    for promise in (band.target, band.scope, band.guarantee):
        assert promise in said
    assert "simultaneous" not in said
    auc, lower, upper = evaluation.ideal_auc_range(0.1)
    assert f"AUC {auc:.2f}" in said
    assert f"{lower:.2f} to {upper:.2f}" not in said
    average = averaged()
    said = words(charts.roc(average))
    for promise in (average.target, average.guarantee):
        assert promise in said


def test_an_operating_point_is_marked_and_said(evaluation):
    point = evaluation.operating_point(0.4, 0.05)
    chart = charts.roc(evaluation, threshold=0.4)
    assert [{"x": point.fpr, "y": point.tpr}] in records(chart)
    limits = f"{100 * point.tpr_lower:.0f} to {100 * point.tpr_upper:.0f} %"
    assert is_said("say.true_finds", words(chart), limits=limits, sure="95 % sure")


def test_a_threshold_for_the_population_is_a_threshold(evaluation):
    kept = evaluation.threshold_for(sensitivity=0.3, confidence=0.9)
    found = [charts.roc(evaluation, 0.1, threshold=each).to_json() for each in (kept, float(kept))]
    assert found[0] == found[1]


def test_a_grid_has_a_plot_a_cell_and_says_what_holds_once(evaluation):
    other = evaluation_from_scores(seed=9)
    local = localized()
    chart = charts.roc_grid(
        {
            ("M1", "iid"): evaluation,
            ("M2", "iid"): other,
            ("M1", "shifted"): local,
            ("M2", "shifted"): local,
        },
        0.1,
    )
    spec = chart.to_dict()
    assert [" ".join(each["title"]["text"]) for each in spec["concat"]] == [
        "M1, iid",
        "M2, iid",
        "M1, shifted",
        "M2, shifted",
    ]
    assert spec["columns"] == 2
    said = words(chart)
    assert said.count("Scope:") == 1
    assert f"Target, iid: {evaluation.band(0.1).target}" in said
    assert f"Target, shifted: {local.band(0.1).target}" in said
    assert f"Guarantee, iid: {evaluation.band(0.1).guarantee}" in said
    assert f"Guarantee, shifted: {local.band(0.1).guarantee}" in said
    assert said.count("classifier") == 1
    held = records(chart)
    for item in (evaluation, other, local):
        expected = curve_of(charts.roc(item, 0.1))
        rows = pd.DataFrame({"x": expected["fpr"], "y": expected["tpr"]}).to_dict("records")
        assert rows in held
