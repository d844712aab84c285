"""Precision and net benefit of rows with weights, of people and with a time, drawn again."""

import re

import numpy as np
import pytest
from cases import group_of

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.comparators.redrawn_figures import (
    NET_BENEFIT,
    PRECISION,
    RedrawnFigures,
    thresholds_of,
)
from conformal_roc_widget.comparators.redraws import Redraws
from conformal_roc_widget.text import number_text
from conformal_roc_widget.wire.messages import comparators_message

NAMES = ("test groups", "weights on both sides", "two arrays, weighted, of people")


def redrawn_by_hand(evaluation, times, seed):
    """People are drawn within their kind, each with all rows and their weights; a loop a redraw."""
    rng = np.random.default_rng(seed)
    order = np.argsort(-evaluation.scores, kind="stable")
    labels, scores = evaluation.labels[order], evaluation.scores[order]
    weights = evaluation.sample_weight
    weights = np.ones(labels.size) if weights is None else weights[order]
    owners = evaluation.groups
    owners = (
        np.arange(labels.size)
        if owners is None
        else np.unique(owners, return_inverse=True)[1][order]
    )
    kinds = {}
    for owner in range(owners.max() + 1):
        kinds.setdefault(frozenset(labels[owners == owner].tolist()), []).append(owner)
    in_order = (frozenset({0}), frozenset({1}), frozenset({0, 1}))
    thresholds, rates = thresholds_of(evaluation), []
    for _ in range(times):
        drawn = np.zeros(owners.max() + 1)
        for kind in in_order:
            of = kinds.get(kind, [])
            for place in rng.integers(len(of), size=len(of)) if of else ():
                drawn[of[place]] += 1
        mass = weights * drawn[owners]
        rates.append(
            [
                [
                    mass[(labels == k) & (scores >= t)].sum() / mass[labels == k].sum()
                    for t in thresholds
                ]
                for k in (0, 1)
            ]
        )
    return np.moveaxis(np.array(rates), 1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_limits_are_percentiles_of_what_redraws_call(name):
    evaluation = group_of(name).entries[None]
    found = Redraws.of(evaluation, 100, 3).figures
    fpr, tpr = redrawn_by_hand(evaluation, 100, 3)
    own = evaluation.own_prevalence
    for j, threshold in enumerate(thresholds_of(evaluation)):
        f, t = fpr[:, j], tpr[:, j]
        if {f.min(), f.max()} in ({0.0}, {1.0}) or {t.min(), t.max()} in ({0.0}, {1.0}):
            continue  # what all agree on is widened
        called = own * t + (1 - own) * f
        for end, share, none in ((0, 0.1, 0.0), (1, 0.9, 1.0)):
            precision = [own * a / b if b > 0 else none for a, b in zip(t, called, strict=True)]
            wanted = np.quantile(precision, share)
            assert found.limits(PRECISION, 0.2)[end][j] == pytest.approx(wanted)
            if threshold < 1:
                benefit = own * t - (1 - own) * f * threshold / (1 - threshold)
                wanted = np.quantile(benefit, share)
                assert found.limits(NET_BENEFIT, 0.2)[end][j] == pytest.approx(wanted)


def test_what_no_redraw_calls_is_as_open_as_so_many_people_leave_it():
    """Twenty people with two rows each, parted by the score: binomial limits of ten people."""
    y, score = np.repeat([0, 1], 20), np.repeat([0.2, 0.8], 20)
    evaluation = RocEvaluation.from_predictions(y, score, groups_test=np.arange(40) // 2)
    figures = Redraws.of(evaluation, 4000, 0).figures
    at = int(np.flatnonzero(thresholds_of(evaluation) == 0.8)[0])
    low, high = figures.limits(PRECISION, 0.1)
    # Of ten people a label all are called, and none: shares that Clopper and Pearson's limits have.
    rng = np.random.default_rng(1)
    hits, alarms = 1 - rng.beta(1, 10, 200_000), rng.beta(1, 10, 200_000)
    wanted = np.quantile(hits / (hits + alarms), [0.05, 0.95])
    np.testing.assert_allclose([low[at], high[at]], wanted, atol=0.01)


def test_rows_that_count_alike_need_no_redraws_for_them():
    assert Redraws.of(group_of("scores").entries[None], 100, 0).figures is None


@pytest.mark.parametrize("name", NAMES)
def test_page_and_pictures_have_the_same_limits(name, tmp_path):
    widget = ROCWidget(group_of(name).entries[None], band="sampling", view="precision_recall")
    widget.wait()
    figures = widget._worker.overlaid(None, widget.alpha).redraws.figures
    (sent,) = widget._comparators["redraws"]["figures"]["limits"]
    np.testing.assert_allclose(
        np.frombuffer(sent["precision"], "<f4"),
        np.concatenate(figures.limits(PRECISION, widget.alpha)),
        rtol=1e-6,
    )
    vertices = widget.evaluation.display_vertices.thresholds
    # The last vertex that is not below the threshold calls what the threshold calls.
    vertex = int((vertices >= widget.threshold).sum()) - 1
    limits = figures.limits(PRECISION, widget.alpha)
    low, high = (number_text(np.interp(vertex, figures.places, each)) for each in limits)
    picture = " ".join(
        re.sub("<[^>]+>", " ", widget.to_svg(tmp_path / "a.svg").read_text()).split()
    )
    assert f"would settle between {low} and {high} (95 %)" in picture.replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_a_page_without_a_kernel_has_them_at_every_stop():
    widget = ROCWidget(group_of("test groups").entries[None])
    overlaid = widget._page("arrays").overlaid
    sent = comparators_message(overlaid)["redraws"]["figures"]["limits"]
    stops = {band.alpha for band in overlaid.items[0].stops}
    assert {each["alpha"] for each in sent} == stops | {widget.alpha}
    places = RedrawnFigures.limits(overlaid.redraws.figures, PRECISION, 0.05)[0].size
    assert {len(each["net_benefit"]) for each in sent} == {2 * 4 * places}


@pytest.mark.slow
@pytest.mark.parametrize("threshold", [0.4, 0.6])
def test_limits_of_people_hold_as_often_as_they_say(threshold):
    """Eighty people with three rows around a mark of their own; labels follow the mark."""
    rng, alpha = np.random.default_rng(2), 0.1

    def rows(people):
        mark = rng.normal(size=people)
        positive = rng.random(people) < 1 / (1 + np.exp(1 - 1.5 * mark))
        scores = 1 / (1 + np.exp(1 - 1.5 * (mark[:, None] + 0.5 * rng.normal(size=(people, 3)))))
        return np.repeat(positive, 3).astype(int), scores.ravel(), np.repeat(np.arange(people), 3)

    y, score, _ = rows(400_000)
    tpr, fpr = ((score >= threshold)[y == k].mean() for k in (1, 0))
    held, odds = np.zeros(2), threshold / (1 - threshold)
    for seed in range(300):
        y, score, people = rows(80)
        evaluation = RocEvaluation.from_predictions(y, score, groups_test=people)
        figures, own = Redraws.of(evaluation, 400, seed).figures, evaluation.own_prevalence
        vertex = int((evaluation.display_vertices.thresholds >= threshold).sum()) - 1
        truth = {
            PRECISION: own * tpr / (own * tpr + (1 - own) * fpr),
            NET_BENEFIT: own * tpr - (1 - own) * odds * fpr,
        }
        for i, (name, value) in enumerate(truth.items()):
            ends = (np.interp(vertex, figures.places, e) for e in figures.limits(name, alpha))
            low, high = ends
            held[i] += low <= value <= high
    assert (held / 300 >= 0.85).all(), held / 300
