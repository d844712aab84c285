"""Curve of each view: scikit-learn's steps, the calibration band, net benefit; and lines that are cut."""

import numpy as np
import pytest
from data import evaluation_from_scores
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_curve

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.view_curves import Line, score_counts, view_curve


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=120, decimals=2)


def height(line: Line, x: float) -> set[float]:
    """Heights at which a line of steps stands at x."""
    return {float(y) for x0, y in zip(line.x, line.y, strict=True) if x0 == x}


def test_precision_and_recall_are_scikit_learns_steps(evaluation):
    shown = view_curve(evaluation, Controls(0.1, 0.5, view="precision_recall"))
    precision, recall, _ = precision_recall_curve(evaluation.labels, evaluation.scores)
    # Theirs fall, and end where nobody is called.
    np.testing.assert_allclose(shown.line.x[::2], recall[::-1], rtol=1e-12)
    np.testing.assert_allclose(shown.line.y[::2], precision[::-1], rtol=1e-12)
    average = average_precision_score(evaluation.labels, evaluation.scores)
    assert shown.average == pytest.approx(average, rel=1e-12)
    assert (np.diff(shown.line.x[::2]) >= 0).all()
    assert np.array_equal(shown.line.y[1:-1:2], shown.line.y[2::2]), "along x at one height"
    share = evaluation.own_prevalence
    assert shown.baseline.y.tolist() == [share, share]


def test_the_point_of_precision_and_recall_counts_by_hand(evaluation):
    shown = view_curve(evaluation, Controls(0.1, 0.5, view="precision_recall", prevalence=0.2))
    point = evaluation.operating_point(0.5, 0.1)

    def precision(tpr, fpr):
        return 0.2 * tpr / (0.2 * tpr + 0.8 * fpr)

    expected = (
        point.tpr,
        precision(point.tpr, point.fpr),
        precision(point.tpr_lower, point.fpr_upper),
        precision(point.tpr_upper, point.fpr_lower),
    )
    np.testing.assert_allclose(shown.point[:4], expected, rtol=1e-12)
    assert shown.point.across == (point.tpr_lower, point.tpr_upper)
    upright = Controls(0.1, 0.5, "specificity", view="precision_recall")
    assert view_curve(evaluation, upright).point.across is None


def test_reliability_is_the_calibration_band(evaluation):
    shown = view_curve(evaluation, Controls(0.1, 0.5, view="reliability"))
    band = evaluation.reliability(0.1)
    lower, upper = band.at(band.score)
    for i, score in enumerate(band.score):
        assert lower[i] in height(shown.lower, score)
        assert upper[i] in height(shown.upper, score)
        assert band.isotonic[i] in height(shown.line, score)
    between = (band.score[3] + band.score[4]) / 2
    low, high = (float(ends[0]) for ends in band.at([between]))
    assert shown.lower.y[np.searchsorted(shown.lower.x, between) - 1] == low
    assert shown.upper.y[np.searchsorted(shown.upper.x, between)] == high
    at = view_curve(evaluation, Controls(0.1, float(between), view="reliability")).point
    assert at[:4] == (between, band.isotonic[3], low, high)


def test_counts_along_the_score_are_counted_by_hand():
    scores = [0.1, 0.1, 0.3, 0.5, 0.7, 0.3, 0.5, 0.9, 1.0, 0.99]
    labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    calibration = [0, 0, 1, 1], [0.2, 0.4, 0.6, 0.8]
    line = score_counts(RocEvaluation.from_predictions(*calibration, labels, scores))
    bins = np.zeros(40)
    bins[[4, 12, 20, 28, 36, 39]] = [2, 2, 2, 1, 1, 2]  # of the width 1/40; 1 is in the last one
    assert line.x.tolist() == np.repeat(np.arange(41) / 40, 2).tolist()
    assert line.y[0] == line.y[-1] == 0
    np.testing.assert_allclose(line.y[1:-1], np.repeat(bins, 2) * 0.06 / 2, rtol=0, atol=1e-15)


@pytest.mark.parametrize("prevalence", [None, 0.07])
def test_net_benefit_is_by_hand(evaluation, prevalence):
    controls = Controls(0.1, 0.3, view="net_benefit", prevalence=prevalence)
    shown = view_curve(evaluation, controls)
    own = evaluation.own_prevalence
    share = own if prevalence is None else prevalence
    odds = 0.3 / 0.7 * share / (1 - share) * (1 - own) / own
    point = evaluation.operating_point(0.3, 0.1)

    def benefit(tpr, fpr):
        return tpr * share - fpr * (1 - share) * odds

    expected = (
        odds / (1 + odds),
        benefit(point.tpr, point.fpr),
        benefit(point.tpr_lower, point.fpr_upper),
        benefit(point.tpr_upper, point.fpr_lower),
    )
    np.testing.assert_allclose(shown.point[:4], expected, rtol=1e-12)
    assert shown.up == (-share / 6, share)
    assert shown.baseline.y[0] == share
    end = view_curve(evaluation, controls._replace(threshold=1.0)).point
    assert end[:4] == (1, 0, 0, 0)


def test_a_line_is_cut_where_it_leaves_the_axis():
    line = Line.of([0, 1, 2, 3], [0, 2, -2, 0.5])
    first, second, third = line.within(-1, 1)
    assert [*zip(*first, strict=True)] == [(0, 0), (0.5, 1)]
    assert [*zip(*second, strict=True)] == [(1.25, 1), (1.75, -1)]
    assert [*zip(*third, strict=True)] == [(pytest.approx(2.4), pytest.approx(-1)), (3, 0.5)]
    assert line.within(5, 6) == []


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=12))
def test_pieces_hold_what_is_inside_and_nothing_else(heights):
    line = Line.of(np.arange(len(heights)), heights)
    pieces = line.within(-1, 1)
    for piece in pieces:
        assert piece.y.min() >= -1 - 1e-9
        assert piece.y.max() <= 1 + 1e-9
        np.testing.assert_allclose(np.interp(piece.x, *line), piece.y, atol=1e-9)
    dense = np.linspace(0, len(heights) - 1, 997)
    at = np.interp(dense, *line)
    drawn = np.zeros(dense.size, dtype=bool)
    for piece in pieces:
        drawn |= (dense >= piece.x[0] - 1e-9) & (dense <= piece.x[-1] + 1e-9)
    assert drawn[np.abs(at) < 1 - 1e-6].all()
    assert not drawn[np.abs(at) > 1 + 1e-6].any()
