"""Precision and net benefit with more test data, for rows of equal weight: limits and coverage."""

import numpy as np
import pytest
from cases import group_of
from oracles import derivatives
from page_limits import moved, net_benefit_limits, precision_limits
from said import is_said
from scipy.special import expit, ndtr
from scipy.stats import binomtest

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.settled import (
    places_of,
    settled_counts,
    settled_rows,
)
from conformal_roc_widget.evaluation.estimate import Rows
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


def binomial_limits(k, n, alpha):
    return binomtest(int(k), n).proportion_ci(1 - alpha, "exact")


def naive_precision(tp, fp, alpha, own, share):
    """Precision from reweighted true and false positives, for another prevalence."""
    ends = (0.0, 1.0) if tp + fp == 0 else binomial_limits(tp, tp + fp, alpha)
    return [
        end * share / own / (end * share / own + (1 - end) * (1 - share) / (1 - own))
        for end in ends
    ]


def naive_benefit(fp, tp, n0, n1, alpha, odds, share=None):
    """Limits of the true positives minus the cost of false alarms, both as shares.

    For the lower limit, each share is at its worse limit, and for the upper limit at its better
    one. If no share of positives is given, they are shares of all rows, which exclude each other.
    """
    if share is None:
        (f, t), (f0, f1), (t0, t1) = (
            (fp / (n0 + n1), tp / (n0 + n1)),
            binomial_limits(fp, n0 + n1, alpha),
            binomial_limits(tp, n0 + n1, alpha),
        )
        hit, cost, r = 1.0, odds, -((f * t / ((1 - f) * (1 - t))) ** 0.5)
    else:
        (f, t), (f0, f1), (t0, t1) = (
            (fp / n0, tp / n1),
            binomial_limits(fp, n0, alpha),
            binomial_limits(tp, n1, alpha),
        )
        hit, cost, r = share, odds * (1 - share), 0.0

    def far(a, b):
        # Variance of a difference: the sum of both variances minus twice their covariance.
        return (a * a + b * b - 2 * r * abs(a) * abs(b)) ** 0.5

    value = hit * t - cost * f
    worse = far(hit * (t0 - t), cost * (f1 - f))
    better = far(hit * (t1 - t), cost * (f0 - f))
    return [value - worse, value + better]


def settled(fp, tp, n0, n1):
    return settled_counts([fp], [tp], (n0, n1))


def one(limits):
    return [float(end[0]) for end in limits]


@pytest.mark.parametrize(("tp", "fp"), [(0, 0), (0, 4), (3, 0), (7, 2), (20, 30)])
@pytest.mark.parametrize("share", [None, 0.4, 0.05])
def test_limits_are_those_of_a_naive_computation(tp, fp, share):
    of = settled(fp, tp, 30, 20)
    found, wanted = (
        precision_limits(of, 0.1, share),
        naive_precision(tp, fp, 0.1, 0.4, share or 0.4),
    )
    np.testing.assert_allclose(one(found), wanted, atol=1e-9)
    wanted = naive_benefit(fp, tp, 30, 20, 0.1, 0.7, share)
    np.testing.assert_allclose(one(net_benefit_limits(of, 0.1, 0.7, share)), wanted, atol=1e-9)
    for ends, k, n in zip(of.rates(0.1), (fp, tp), (30, 20), strict=True):
        np.testing.assert_allclose(one(ends), binomial_limits(k, n, 0.1), atol=1e-9)


def test_by_hand():
    # One row is called, correctly: with 90 %, p is at least .05. If one in three is positive
    # instead of one in two, the odds 1 : 19 are halved.
    np.testing.assert_allclose(one(precision_limits(settled(0, 1, 1, 1), 0.1, None)), [0.05, 1])
    np.testing.assert_allclose(one(precision_limits(settled(0, 1, 1, 1), 0.1, 1 / 3)), [1 / 39, 1])
    # No row is called, so precision is unknown and the benefit is 0. Further rows of each label may
    # still be called.
    np.testing.assert_allclose(one(precision_limits(settled(0, 0, 1, 1), 0.1, 0.2)), [0, 1])
    found = one(net_benefit_limits(settled(0, 0, 1, 1), 0.1, 1.0, 0.5))
    np.testing.assert_allclose(found, [-0.475, 0.475])
    assert moved(0.25, 0.5, 0.5) == 0.25


def test_where_all_are_called_and_no_alarm_costs_the_net_benefit_is_the_share_of_positives():
    """71 of 500 rows are positive. Their share has exact limits, because it is random too."""
    found = one(net_benefit_limits(settled(429, 71, 429, 71), 0.05, 0.0, None))
    np.testing.assert_allclose(found, binomial_limits(71, 500, 0.05), atol=1e-9)
    # A given prevalence has no error.
    assert one(net_benefit_limits(settled(429, 71, 429, 71), 0.05, 0.0, 0.142))[1] == pytest.approx(
        0.142
    )


def rows_of(n=90):
    place = np.arange(n)
    y = place * 0.7548777 % 1 < 0.4
    return y, (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(2)


@pytest.mark.parametrize("told", ["weights", "people", "both"])
@pytest.mark.parametrize("threshold", [0.4, 0.5, 0.6])
def test_rows_that_vary_alike_are_those_of_the_infinitesimal_jackknife(told, threshold):
    y, score = rows_of()
    place = np.arange(y.size)
    weights = 1 + place % 3 / 2 if told != "people" else np.ones(y.size)
    people = place if told == "weights" else place // 2
    owners = None if told == "weights" else people
    found = settled_rows(Rows(y, score, weights, owners), np.array([threshold]))
    called = score >= threshold
    of_rates, of_all, shares = [], [], []
    for k in (0, 1):
        for every, into in ((y == k, of_rates), (np.ones(y.size, bool), of_all)):

            def share(w, k=k, every=every):
                return w[called & (y == k)].sum() / w[every].sum()

            value, moved_by = share(weights), derivatives(share, weights, people)
            shares.append(moved_by)
            # The effective number is at most the number of rows: of the label, or of all rows with
            # their weights.
            own = weights[y == k]
            most = weights[every].sum() * own.sum() / (own @ own)
            into.append(min(value * (1 - value) / (moved_by @ moved_by), most))

    def log_odds(w):
        return np.log(w[called & y].sum() / w[called & ~y].sum())

    spread = derivatives(log_odds, weights, people)
    hits, alarms = weights[called & y], weights[called & ~y]
    n1, n0 = (each.sum() ** 2 / (each @ each) for each in (hits, alarms))
    right = n1 / (n1 + n0)
    of_called = min(1 / (right * (1 - right) * (spread @ spread)), n1 + n0)
    ratio = hits.sum() / n1 * n0 / alarms.sum()
    together = [
        np.corrcoef(a, b)[0, 1] for a, b in ((shares[0], shares[2]), (shares[1], shares[3]))
    ]
    wanted = [*of_rates, *of_all, of_called, ratio, *together]
    np.testing.assert_allclose(found.numbers[:, 0], wanted, rtol=1e-4, atol=2e-2)


NEARLY = {
    "weights": lambda n: {
        "weights": np.linspace(0.999, 1.001, n)[np.random.default_rng(0).permutation(n)]
    },
    "equal weights": lambda n: {"weights": np.full(n, 7.5)},
    "people": lambda n: {"owners": np.random.default_rng(1).permutation(n)},
}


@pytest.mark.parametrize("nearly", NEARLY)
def test_rows_that_nearly_count_alike_have_nearly_the_limits_of_plain_ones(nearly):
    y, score = rows_of(400)
    at = np.array([1.0, 0.95, 0.8, 0.5, 0.2, 0.05])
    n = int((~y).sum()), int(y.sum())
    plain = settled_counts(
        *(((score >= t[:, None]) & mine).sum(axis=1) for t, mine in ((at, ~y), (at, y))), n
    )
    other = settled_rows(Rows(y, score, **NEARLY[nearly](400)), at)
    for of in (
        lambda each: each.rates(0.05)[0],
        lambda each: each.rates(0.05)[1],
        lambda each: precision_limits(each, 0.05, None),
        lambda each: precision_limits(each, 0.05, 0.1),
        lambda each: net_benefit_limits(each, 0.05, 0.3, None),
        lambda each: net_benefit_limits(each, 0.05, 0.3, 0.1),
    ):
        np.testing.assert_allclose(of(other), of(plain), atol=2e-4 if nearly == "weights" else 1e-9)


def test_weights_by_the_label_have_the_exact_limits_of_the_rows_moved_to_their_share():
    """Negatives with weight ten: the correct calls are one share of rows, with shifted odds."""
    y, score = rows_of(200)
    at = np.array([0.95, 0.8, 0.5, 0.05])
    weighed = Rows(y, score, np.where(y, 1.0, 10.0))
    found = precision_limits(settled_rows(weighed, at), 0.05, None)
    for i, t in enumerate(at):
        tp, fp = int(((score >= t) & y).sum()), int(((score >= t) & ~y).sum())
        ends = (0.0, 1.0) if tp + fp == 0 else binomial_limits(tp, tp + fp, 0.05)
        wanted = [end / (end + 10 * (1 - end)) for end in ends]
        np.testing.assert_allclose([end[i] for end in found], wanted, atol=1e-9)


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
        wanted = naive_precision(here.tp, here.fp, 0.1, share, share)
    elif threshold < 1:
        odds = threshold / (1 - threshold)
        wanted = naive_benefit(here.fp, here.tp, n0, n1, 0.1, odds)
    else:
        wanted = [0.0, 0.0]
    scene = scene_of(Group.of(evaluation), controls)
    (panel,), (lead,) = scene.panels, scene.lead
    low, high = panel.up.ends
    arm = next(mark for mark in panel.marks if mark.id == "arm-1")
    np.testing.assert_allclose(arm.points.y, np.clip(wanted, low, high), atol=1e-9)
    if view == "precision_recall" and here.tp + here.fp == 0:
        assert is_said("say.calls_none", lead)
        return
    if threshold == 1:
        assert is_said("say.benefit_at_one", lead)
        return
    if view == "precision_recall":
        lower, upper = (f"{100 * limit:.0f}" for limit in wanted)
        assert is_said("say.precision", lead, limits=f"{lower} to {upper} %", sure="90 % sure")
        return
    lower, upper = (f"{limit:.3f}".replace("-", "\N{MINUS SIGN}") for limit in wanted)
    assert is_said("say.benefit", lead, limits=f"{lower} to {upper}", sure="90 % sure")


@pytest.mark.parametrize("view", ["precision_recall", "net_benefit"])
def test_another_share_of_positives_moves_limits_and_figure_alike(view):
    """At another prevalence, each limit is the figure at the rates that reach that limit."""
    evaluation = group_of("scores").entries[None]
    marks = {}
    for share in (None, 0.1):
        controls = Controls(0.1, 0.42, "sampling", view=view, prevalence=share)
        panel = scene_of(Group.of(evaluation), controls).panels[0]
        marks[share] = {mark.id: mark for mark in panel.marks}
    band = marks[0.1]["band-sampling"]
    at = evaluation.sampled.settled_over(evaluation.sampled.screen_vertices.thresholds)
    if view == "precision_recall":
        wanted = precision_limits(at, 0.1, 0.1)
    else:
        cuts = evaluation.sampled.screen_vertices.thresholds[1:]
        odds = cuts / (1 - cuts) * 0.1 / 0.9 * (1 - at.own) / at.own
        wanted = net_benefit_limits(at, 0.1, np.append(0.0, odds), 0.1)
        wanted = [each[1:] for each in wanted]
    for edge, each in zip((band.lower, band.upper), wanted, strict=True):
        np.testing.assert_allclose(edge.y, each)


def coverage(draw, truths, n, times, alpha=0.05):
    """Coverage of the limits of precision and net benefit, at the sample's prevalence and at a
    given one.
    """
    held = np.zeros(len(truths))
    for _ in range(times):
        at, odds, share = draw(n)
        found = [
            precision_limits(at, alpha, None),
            precision_limits(at, alpha, share),
            net_benefit_limits(at, alpha, odds, None),
            net_benefit_limits(at, alpha, odds, share),
        ]
        held += [low[0] <= true <= high[0] for (low, high), true in zip(found, truths, strict=True)]
    return held / times


def logistic_law(rng, n, people=1):
    """Calibrated scores. Rows of one person share an effect."""
    mark = np.repeat(rng.normal(size=n // people), people)
    own = np.sqrt(0.5) * mark + np.sqrt(0.5) * rng.normal(size=mark.size) if people > 1 else mark
    score = 1 / (1 + np.exp(2 - own))
    return rng.random(mark.size) < score, score


LAWS = ("rows", "weights", "label", "people")


def law(kind, rng, n):
    """Rows of a distribution, with weights from .5 to 1.5, or with two rows per person."""
    y, score = logistic_law(rng, n, 2 if kind == "people" else 1)
    if kind == "label":  # a tenth of the negatives, each with weight ten
        there = y | (rng.random(n) < 0.1)
        y, score = y[there], score[there]
        return Rows(y, score, np.where(y, 1.0, 10.0))
    weights = rng.uniform(0.5, 1.5, n) if kind == "weights" else None
    return Rows(y, score, weights, np.arange(n) // 2 if kind == "people" else None)


@pytest.mark.parametrize("threshold", [0.1, 0.42, 0.7])
@pytest.mark.parametrize("kind", ["rows", "weights", "people"])
def test_many_rows_have_the_net_benefit_of_their_gains(kind, threshold):
    """The gain of each row, summed by person. The limits match the variance of its mean."""
    rng, n, odds = np.random.default_rng(3), 60_000, threshold / (1 - threshold)
    score = expit(1.2 * rng.normal(size=n))
    positive = rng.random(n) < score
    weights = rng.uniform(0.5, 1.5, n) if kind == "weights" else None
    rows = Rows(positive, score, weights, np.arange(n) // 3 if kind == "people" else None)
    gain = (score >= threshold) * np.where(positive, 1.0, -odds)
    mean = np.average(gain, weights=weights)
    moved = (np.ones(n) if weights is None else weights) * (gain - mean)
    if kind == "people":
        moved = moved.reshape(-1, 3).sum(axis=1)
    half = 1.96 * np.sqrt((moved**2).sum()) / (n if weights is None else weights.sum())
    found = net_benefit_limits(settled_rows(rows, np.array([threshold])), 0.05, odds, None)
    np.testing.assert_allclose(np.ravel(found), [mean - half, mean + half], atol=0.02 * half)


@pytest.mark.parametrize("n", [40, 200])
def test_the_net_benefit_of_few_rows_holds_where_both_labels_are_common(n):
    """4,000 tables of calibrated scores, half of them positive, at threshold 0.42 and level .95."""
    rng, odds = np.random.default_rng(4), 0.42 / 0.58
    score = expit(1.2 * rng.normal(size=1_000_000))
    positive, called = rng.random(score.size) < score, score >= 0.42
    shares = [(positive & called).mean(), (~positive & called).mean(), (positive & ~called).mean()]
    true = shares[0] - odds * shares[1]
    tables = rng.multinomial(n, [*shares, 1 - sum(shares)], size=4000)
    held = [
        low <= true <= high
        for tp, fp, fn, tn in tables
        for low, high in [net_benefit_limits(settled(fp, tp, fp + tn, tp + fn), 0.05, odds, None)]
    ]
    assert np.mean(held) >= 0.95 - 3 * (0.05 * 0.95 / 4000) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", LAWS)
@pytest.mark.parametrize("threshold", [0.05, 0.1, 0.2, 0.5])
def test_limits_hold_as_often_as_they_say(kind, threshold):
    """500 samples of 500 rows (and as many positives in a thinned table).

    The bound is three deviations below the level.
    """
    rng = np.random.default_rng(11)
    y, score = logistic_law(rng, 4_000_000)
    share, odds = float(y.mean()), threshold / (1 - threshold)
    tpr, fpr = ((score >= threshold)[mine].mean() for mine in (y, ~y))
    precision = share * tpr / (share * tpr + (1 - share) * fpr)
    benefit = share * tpr - (1 - share) * odds * fpr

    def draw(n):
        rows = law(kind, rng, n)
        while not 0 < rows.positive.sum() < rows.positive.size:
            rows = law(kind, rng, n)
        return settled_rows(rows, np.array([threshold])), odds, share

    found = coverage(
        draw, [precision, precision, benefit, benefit], 3000 if kind == "label" else 500, 500
    )
    assert (found >= 0.95 - 0.029).all(), found


def beta_law(rng, n):
    """Scores that are no risks. Three rows in a hundred are positive."""
    y = rng.random(n) < 0.03
    return y, np.where(y, rng.beta(2.5, 3, n), rng.beta(1, 9, n))


def probit_law(rng, n):
    """Calibrated scores. About a fifth of the rows is positive."""
    score = ndtr(1.2 * rng.normal(size=n) - 1.3)
    return rng.random(n) < score, score


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 30, 50, 100])
@pytest.mark.parametrize("kind", ["rows", "weights", "people"])
@pytest.mark.parametrize("made", [beta_law, probit_law])
def test_the_net_benefit_of_few_rows_and_few_positives_holds(made, kind, n):
    """500 samples at five thresholds, with the share of positives drawn, and given."""
    rng, thresholds = np.random.default_rng(12), np.array([0.5, 0.2, 0.1, 0.05, 0.02])
    odds, (y, score) = thresholds / (1 - thresholds), made(rng, 2_000_000)
    called = score >= thresholds[:, None]
    true = (called & y).mean(axis=1) - odds * (called & ~y).mean(axis=1)
    held = np.zeros((2, thresholds.size))
    for _ in range(500):
        y_test, score_test = made(rng, n)
        while not 0 < y_test.sum() < n:
            y_test, score_test = made(rng, n)
        weights = rng.uniform(0.5, 1.5, n) if kind == "weights" else None
        people = np.arange(n) // 2 if kind == "people" else None
        at = settled_rows(Rows(y_test, score_test, weights, people), thresholds)
        found = [net_benefit_limits(at, 0.05, odds, share) for share in (None, y.mean())]
        held += [(low <= true) & (true <= high) for low, high in found]
    assert (held / 500 >= 0.93).all(), held / 500


def test_scores_that_part_the_labels_leave_the_precision_open():
    evaluation = RocEvaluation.from_predictions([0] * 30 + [1] * 30, [0.2] * 30 + [0.8] * 30)
    controls = Controls(0.05, 0.5, "sampling", view="precision_recall")
    marks = scene_of(Group.of(evaluation), controls).panels[0].marks
    arm = next(mark for mark in marks if mark.id == "arm-1")
    np.testing.assert_allclose(arm.points.y, [0.025 ** (1 / 30), 1])
