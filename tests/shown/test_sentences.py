"""Titles, promises and numbers in words, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from cases import CASES, group_of
from data import evaluation_from_scores, scored
from scipy import stats
from scipy.special import expit, logit
from sklearn.metrics import roc_auc_score

from conformal_roc_widget import Promise, RocEvaluation
from conformal_roc_widget.comparators import delong_difference
from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.evaluation.notes import outside_limits
from conformal_roc_widget.evaluation.populations import conformal_gaps, sampling_gaps
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.sentences import between, comparisons, level_text, promise_lines
from conformal_roc_widget.text import number_text
from conformal_roc_widget.views.scenes import scene_of, summary


@pytest.fixture(scope="module")
def groups():
    one, rounded = evaluation_from_scores(1), evaluation_from_scores(1, decimals=1)
    other = evaluation_from_scores(2, n_test=61)
    return {
        "single": Group.of(one),
        "classes": Group.of({"a": one, "b": other}, "classes"),
        "populations": Group.of({"a": one, "b": other}, "populations"),
        "classifiers": Group.of({"a": one, "b": rounded}),
        "bands": Group.of({"a": one, "b": one}),
    }


def test_populations_have_the_widest_gap_of_each_rate(groups):
    of = groups["populations"]
    lines = summary(of, Controls(alpha=0.4, threshold=0.5)).split("\n")
    tpr, fpr = (line for line in lines if "for a than for b" in line)
    rows = conformal_gaps(of.entries, 0.4, 0.5)
    for said, noun, gap in ((tpr, "sensitivity", rows[0]), (fpr, "false positive rate", rows[1])):
        assert said.startswith(f"At threshold 0.50, {noun} is {abs(gap.difference):.2f} ")
        way = "lower" if gap.difference < 0 else "higher"
        assert f" {way} for a than for b; an ideal recalibration’s difference would be " in said
        assert f"{abs(gap.upper):.2f} (60 % for all gaps together)." in said
    assert "against the rest" not in summary(of, Controls())
    assert "verage" not in summary(of, Controls())


def test_a_gap_that_is_written_as_nothing_has_no_direction(groups):
    of = Group.of(groups["bands"].entries, "populations")
    said = between(of, Controls(alpha=0.4, threshold=0.5))
    assert len(said) == 2
    for each, noun in zip(said, ("sensitivity", "false positive rate"), strict=True):
        assert each.startswith(f"At threshold 0.50, {noun} is about the same for a and for b; an ")


def test_gaps_of_rows_with_weights_have_no_limits_with_more_test_data():
    case = CASES["two populations, weighted"]
    controls = Controls(alpha=case.alpha, threshold=case.threshold, band="sampling")
    said = between(group_of("two populations, weighted"), controls)
    assert len(said) == 2
    for each in said:
        assert each.endswith("; there are no limits of the difference with more test data here.")


def test_with_more_test_data_the_gaps_are_the_classifiers_own(groups):
    of = groups["populations"]
    said = summary(of, Controls(alpha=0.1, threshold=0.5, band="sampling"))
    tpr, _ = (line for line in said.split("\n") if "for a than for b" in line)
    gap = sampling_gaps(of.entries, 0.1, 0.5)[0]
    both = of.entries["a"], of.entries["b"]
    a, b = (rate.proportion_ci(1 - 0.1 / 4, method="exact") for rate in _rates(both))
    assert (gap.lower, gap.upper) == pytest.approx((a.low - b.high, a.high - b.low))
    limits = f"{number_text(gap.lower)} to {number_text(gap.upper)}"
    assert f"would settle within {limits} (90 % for all gaps together)." in tpr
    assert "ideal" not in tpr
    scene = scene_of(of, Controls(alpha=0.1, threshold=0.5, band="sampling"))
    assert not any(mark.id.startswith("band-") for each in scene.panels for mark in each.marks)


def _rates(evaluations):
    """The sensitivities at threshold 0.5 as binomial tests."""
    return [
        stats.binomtest(int((e.scores[e.labels == 1] >= 0.5).sum()), e.n_test[1])
        for e in evaluations
    ]


def test_a_gap_without_limits_says_so(groups):
    said = summary(groups["populations"], Controls(alpha=0.001, threshold=0.5))
    assert "an ideal recalibration’s difference has no limits (99.9 % for all" in said


def ranked(*scores, y=None):
    rng = np.random.default_rng(0)
    y = np.resize([0, 1], 300) if y is None else y
    calibration = scored(rng, 60)
    made = {
        name: RocEvaluation.from_predictions(*calibration, y, score)
        for name, score in zip("abcd", scores, strict=False)
    }
    return Group.of(made, "classifiers")


def test_classifiers_lead_with_who_ranks_better_and_by_how_much(rng):
    y, best = scored(rng, 300)
    near, far = (expit(logit(best) + noise * rng.normal(size=300)) for noise in (0.1, 3.0))
    first, *_ = between(ranked(far, best, y=y), Controls(alpha=0.1))
    _, lower, upper = delong_difference(y, best, far, 0.1)
    areas = [roc_auc_score(y, each) for each in (best, far)]
    assert first == (
        f"b ranks better: AUC {areas[0]:.2f} against {areas[1]:.2f} for a (difference "
        f"{lower:.3f} to {upper:.3f}, 90 %)."
    )
    first, *_ = between(ranked(best, near, y=y), Controls(alpha=0.05))
    assert first.startswith("AUC does not tell ")
    assert "−" in first
    first, *_ = between(ranked(best, near, far, y=y), Controls(alpha=0.05))
    assert "for all 3 at once)" in first


def test_a_difference_without_variance_has_no_limits():
    y = np.resize([0, 1], 40)
    first, *_ = between(ranked(0 * y + 0.5, 0.2 + 0.6 * y, y=y), Controls())
    assert first == (
        "b ranks better: AUC 1.00 against 0.50 for a; the difference has no limits on these points."
    )


def test_two_that_separate_the_labels_are_not_told_apart():
    y = np.resize([0, 1], 40)
    first, *_ = between(ranked(0.2 + 0.6 * y, 0.1 * y + 0.02 * np.arange(40), y=y), Controls())
    assert "(difference " in first
    noise = np.random.default_rng(0).random(40)
    first, *_ = between(ranked(0.2 + 0.6 * y, 0.1 * noise + 0.6 * y, y=y), Controls())
    assert first == "AUC does not tell a and b apart: 1.00 for both on these points."


def test_a_promise_that_all_share_is_made_once():
    one = {"target": "t", "scope": "s", "guarantee": "g"}
    assert promise_lines([("a", one), ("b", one)]) == ["Target: t", "Scope: s", "Guarantee: g"]
    assert promise_lines([("a", one), ("b", one | {"guarantee": "h"})]) == [
        "Target: t",
        "Scope: s",
        "Guarantee, a: g",
        "Guarantee, b: h",
    ]


def test_comparators_stand_under_a_question_of_their_own(groups):
    items = (Overlay(COMPARATORS["ks"]),)
    lines = comparisons(Overlaid(None, 0.05, items))
    assert lines[0].startswith("Another question: ")
    assert lines[1].startswith("DKW rectangles: population ROC of this classifier; simultaneous")
    assert lines[-1] == "Neither answer replaces the other."
    assert comparisons(None) == comparisons(Overlaid(None, 0.05)) == []
    assert summary(groups["single"], Controls(), Overlaid(None, 0.05, items)).endswith(lines[-1])


def summarized(evaluation, **controls):
    """Sentence and summary at alpha = 0.1 and threshold 0.5, and the point that they speak of."""
    group, at = Group.of(evaluation), Controls(alpha=0.1, **controls)
    return (*scene_of(group, at).lead, summary(group, at), evaluation.operating_point(0.5, 0.1))


def test_the_text_has_both_rates_and_the_range_of_the_area():
    evaluation = evaluation_from_scores(0, n_calibration=200)
    sentence, text, point = summarized(evaluation, band="both")
    assert sentence.startswith(
        f"At threshold 0.50, sensitivity is {point.tpr:.2f}; an ideal recalibration’s would lie "
        f"between {point.tpr_lower:.2f} and {point.tpr_upper:.2f} (90 %). An ideal recalibration knows"
    )
    assert (
        f"At threshold 0.50, sensitivity is {point.tpr:.2f} (ideal recalibration "
        f"{point.tpr_lower:.2f} to {point.tpr_upper:.2f}); specificity is {1 - point.fpr:.2f} (ideal "
        f"recalibration {1 - point.fpr_upper:.2f} to {1 - point.fpr_lower:.2f})."
    ) in text
    _, lower, upper = evaluation.auc(0.1)
    assert f"range that the intervals allow: {lower:.2f} to {upper:.2f} (no confidence" in text
    assert "own limits" not in text


def test_limits_that_leave_everything_possible_have_a_reason():
    y, score = np.resize([0, 1], 200), np.resize([0.2, 0.8, 0.8, 0.2], 200)
    undecided = RocEvaluation.from_predictions(y, score, [0, 1, 1], [0.5, 0.5, 0.6])
    controls = Controls(alpha=0.1, band="both")
    reason = (
        "All intervals of class {} cross this threshold: the limits of the {} say nothing here."
    )
    point = undecided.operating_point(0.5, 0.1)
    assert (point.tpr_lower, point.tpr_upper, point.fpr_lower, point.fpr_upper) == (0, 1, 0, 1)
    text = summary(Group.of(undecided), controls)
    drawn = scene_of(Group.of(undecided), controls).notes
    for said in (reason.format(1, "sensitivity"), reason.format(0, "specificity")):
        assert said in text
        assert said in drawn


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        ("individual", "95 %, for a threshold picked blindly"),
        ("curve", "95 % on average, for a threshold picked blindly"),
        ("none", "no level is promised"),
        ("simultaneous", "95 %, at every threshold at once"),
        ("everywhere", "95 %, at every threshold at once"),
    ],
)
def test_the_level_agrees_with_the_guarantee(kind, level):
    band = SimpleNamespace(alpha=0.05, promise=Promise(kind, "", "", ""))
    assert level_text(band) == level


@pytest.mark.parametrize(
    ("label", "observed", "said"),
    [
        (1, 0.9, "sensitivity at this threshold is above its own limits: the scores of label 1 are too high"),
        (1, 0.1, "sensitivity at this threshold is below its own limits: the scores of label 1 are too low"),
        (0, 0.9, "specificity at this threshold is below its own limits: the scores of label 0 are too high"),
        (0, 0.1, "specificity at this threshold is above its own limits: the scores of label 0 are too low"),
    ],
)  # fmt: skip
def test_a_rate_outside_its_limits_says_why(label, observed, said):
    assert said in (outside_limits(label, observed, 0.2, 0.8) or "")
    assert outside_limits(label, 0.2, 0.2, 0.8) is None
