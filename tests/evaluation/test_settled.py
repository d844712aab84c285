"""Precision and net benefit with more test data, of rows that count alike: limits and coverage."""

import numpy as np
import pytest
from cases import group_of
from scipy.optimize import brentq
from scipy.stats import binom

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.settled import (
    moved,
    places_of,
    settled_benefit,
    settled_precision,
)
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


def binomial_limits(k, n, alpha):
    """Shares under which so many or more, and so many or fewer, have alpha / 2: by root finding."""
    low = 0.0 if k == 0 else brentq(lambda p: binom.sf(k - 1, n, p) - alpha / 2, 0, 1, xtol=1e-14)
    high = 1.0 if k == n else brentq(lambda p: binom.cdf(k, n, p) - alpha / 2, 0, 1, xtol=1e-14)
    return low, high


def naive_precision(tp, fp, alpha, own, share):
    """Weighs hits and false alarms of a table in which the share of positives is another one."""
    ends = (0.0, 1.0) if tp + fp == 0 else binomial_limits(tp, tp + fp, alpha)
    return [
        end * share / own / (end * share / own + (1 - end) * (1 - share) / (1 - own))
        for end in ends
    ]


def naive_benefit(fp, tp, n0, n1, alpha, odds, share):
    """A hit less what false alarms cost; both go to the limit that is worse, or better, for it."""
    (f, t), (f0, f1), (t0, t1) = (
        (fp / n0, tp / n1),
        binomial_limits(fp, n0, alpha),
        binomial_limits(tp, n1, alpha),
    )
    cost = odds * (1 - share)
    value = share * t - cost * f
    worse = ((share * (t - t0)) ** 2 + (cost * (f1 - f)) ** 2) ** 0.5
    better = ((share * (t1 - t)) ** 2 + (cost * (f - f0)) ** 2) ** 0.5
    return [value - worse, value + better]


@pytest.mark.parametrize(("tp", "fp"), [(0, 0), (0, 4), (3, 0), (7, 2), (20, 30)])
@pytest.mark.parametrize("share", [0.4, 0.05])
def test_limits_are_those_of_a_naive_computation(tp, fp, share):
    found = settled_precision(fp, tp, 0.1, 0.4, share)
    np.testing.assert_allclose(found, naive_precision(tp, fp, 0.1, 0.4, share), atol=1e-9)
    found = settled_benefit((fp, tp), (30, 20), 0.1, 0.7, share)
    np.testing.assert_allclose(found, naive_benefit(fp, tp, 30, 20, 0.1, 0.7, share), atol=1e-9)


def test_by_hand():
    # One is called, rightly: p >= .05 with 90 %. Where one in three is positive instead of one in
    # two, the odds 1 : 19 are halved.
    np.testing.assert_allclose(settled_precision(0, 1, 0.1, 0.5, 0.5), [0.05, 1])
    np.testing.assert_allclose(settled_precision(0, 1, 0.1, 0.5, 1 / 3), [1 / 39, 1])
    # Nobody is called: nothing is known, and nothing gained; one of each label may still be.
    np.testing.assert_allclose(settled_precision(0, 0, 0.1, 0.5, 0.2), [0, 1])
    np.testing.assert_allclose(settled_benefit((0, 0), (1, 1), 0.1, 1.0, 0.5), [-0.475, 0.475])
    assert moved(0.25, 0.5, 0.5) == 0.25


def test_a_curve_of_many_vertices_has_limits_at_even_steps():
    assert places_of(1).tolist() == [0]
    assert places_of(101).tolist() == list(range(101))
    assert places_of(1001).tolist() == list(range(0, 1001, 10))
    assert places_of(250)[[0, 1, 99, 100]].tolist() == [0, 2, 246, 249]


@pytest.mark.parametrize("view", ["precision_recall", "net_benefit"])
@pytest.mark.parametrize("threshold", [0.0, 0.42, 1.0])
def test_the_band_at_the_threshold_is_what_the_sentence_says(view, threshold):
    evaluation = group_of("scores").entries[None]
    controls = Controls(0.1, threshold, "sampling", view=view)
    here = evaluation.operating_point(threshold)
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    share = evaluation.own_prevalence
    if view == "precision_recall":
        wanted, digits = naive_precision(here.tp, here.fp, 0.1, share, share), 2
    elif threshold < 1:
        odds = threshold / (1 - threshold)
        wanted, digits = naive_benefit(here.fp, here.tp, n0, n1, 0.1, odds, share), 3
    else:
        wanted, digits = [0.0, 0.0], 3
    scene = scene_of(Group.of(evaluation), controls)
    (panel,), (lead,) = scene.panels, scene.lead
    low, high = panel.up.ends
    arm = next(mark for mark in panel.marks if mark.id == "arm-1")
    np.testing.assert_allclose(arm.points.y, np.clip(wanted, low, high), atol=1e-9)
    if view == "precision_recall" and here.tp + here.fp == 0:
        assert lead.startswith("At threshold 1.00, precision is undefined: no test point is called")
        return
    if threshold == 1:
        assert lead.startswith("At threshold 1.00, net benefit is 0.000 for any model.")
        return
    lower, upper = (f"{limit:.{digits}f}".replace("-", "\N{MINUS SIGN}") for limit in wanted)
    assert f"would settle between {lower} and {upper} (90 %)." in lead


@pytest.mark.parametrize("view", ["precision_recall", "net_benefit"])
def test_another_share_of_positives_moves_limits_and_figure_alike(view):
    """At a share all limits stand where the figure of rates that reach them would."""
    evaluation = group_of("scores").entries[None]
    marks = {}
    for share in (None, 0.1):
        controls = Controls(0.1, 0.42, "sampling", view=view, prevalence=share)
        panel = scene_of(Group.of(evaluation), controls).panels[0]
        marks[share] = {mark.id: mark for mark in panel.marks}
    own, band, there = evaluation.own_prevalence, *(marks[s]["band-sampling"] for s in (None, 0.1))
    for one, other in ((band.lower, there.lower), (band.upper, there.upper)):
        wanted = moved(one.y, own, 0.1) if view == "precision_recall" else one.y * 0.1 / own
        np.testing.assert_allclose(other.y, wanted)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "threshold"), [(60, 0.5), (300, 0.5), (300, 0.9), (60, 0.85)])
def test_limits_hold_as_often_as_they_say(n, threshold):
    """Scores of a known law: a positive's is the larger of two uniform ones, 30 % are positive."""
    rng, alpha, share = np.random.default_rng(5), 0.1, 0.3
    tpr, fpr = 1 - threshold**2, 1 - threshold
    precision = share * tpr / (share * tpr + (1 - share) * fpr)
    odds, held = threshold / (1 - threshold), np.zeros(3)
    for _ in range(2000):
        positive = rng.random(n) < share
        score = np.where(positive, rng.random((2, n)).max(axis=0), rng.random(n))
        (fp, tp), (n0, n1) = (
            (((score >= threshold) & mine).sum() for mine in (~positive, positive)),
            ((~positive).sum(), positive.sum()),
        )
        low, high = settled_precision(fp, tp, alpha, n1 / n, n1 / n)
        held[0] += low <= precision <= high
        low, high = settled_precision(fp, tp, alpha, n1 / n, share)
        held[1] += low <= precision <= high
        low, high = settled_benefit((fp, tp), (n0, n1), alpha, odds, share)
        held[2] += low <= share * tpr - (1 - share) * odds * fpr <= high
    assert (held / 2000 >= 1 - alpha - 0.015).all(), held / 2000
    assert held[0] / 2000 >= 1 - alpha


def test_scores_that_part_the_labels_leave_the_precision_open():
    evaluation = RocEvaluation.from_predictions([0] * 30 + [1] * 30, [0.2] * 30 + [0.8] * 30)
    controls = Controls(0.05, 0.5, "sampling", view="precision_recall")
    marks = scene_of(Group.of(evaluation), controls).panels[0].marks
    arm = next(mark for mark in marks if mark.id == "arm-1")
    np.testing.assert_allclose(arm.points.y, [0.025 ** (1 / 30), 1])
