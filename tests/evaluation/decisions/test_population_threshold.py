"""Thresholds for the population against loops in fractions, by hand, and in samples from known
distributions.
"""

import math
import pickle
import zlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from data import assert_same_curves, evaluation_from_scores
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from conformal_roc_widget import RocEvaluation, ROCWidget, comparators
from conformal_roc_widget.evaluation.decisions import population_threshold
from conformal_roc_widget.evaluation.decisions.population_threshold import (
    FEW_STARTS,
    RANKED,
    STARTS,
    goal_of,
)

CALIBRATION = [0, 1] * 20, np.linspace(0.1, 0.9, 40)
RATES = ("sensitivity", "specificity", "precision", "npv", "accuracy")


def evaluation_of(y, scores, **more):
    return RocEvaluation.from_predictions(*CALIBRATION, y, scores, **more)


def tail(k, n, p):
    """P(Bin(n, p) >= k) in fractions."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def counts(name, y, s, cut):
    """Successes and trials of a rate at a threshold."""
    called = [(label, score >= cut) for label, score in zip(y, s, strict=True)]
    kept = {
        "sensitivity": [c for label, c in called if label],
        "specificity": [not c for label, c in called if not label],
        "precision": [label == 1 for label, c in called if c],
        "npv": [label == 0 for label, c in called if not c],
        "accuracy": [(label == 1) == c for label, c in called],
    }[name]
    return sum(kept), len(kept)


def walk(name, y, s, wish, level, starts, up):
    """Scores that pass the tests, in chains: at a start, at each score, and between two scores."""
    passed, carried = set(), Fraction(0)
    ordered = sorted(starts, reverse=not up)
    for start, end in zip(ordered, [*ordered[1:], None], strict=True):
        carried += level / len(starts)
        if start == end and not up:
            continue  # no threshold is between them
        within = [
            score
            for score in sorted(set(s), reverse=not up)
            if (score >= start if up else score <= start)
            and (end is None or (score < end if up else score > end))
        ]
        # The counts at every threshold of the chain are those at one of these cuts.
        cuts = [start, *within]
        if up:
            cuts += [math.nextafter(score, math.inf) for score in within]
            cuts.sort()
        else:
            # Between the last score of the chain and its end, counts are those at that score.
            cuts += [] if within or end is None else [math.nextafter(end, math.inf)]
        whole = True
        for cut in cuts:
            k, n = counts(name, y, s, cut)
            if up and cut > max(s):
                continue  # nobody is called positive, so there is no threshold to report
            if not (k and tail(k, n, wish) <= carried):
                whole = False
                break
            if cut in within:
                passed.add(cut)
        if not whole:
            carried = Fraction(0)
    return passed


def naive(name, y, s, wish, level):
    """Scores that keep a rate, by the rules in the module's docstring."""
    if name == "sensitivity":
        return walk(name, y, s, wish, level, [0.0], True)
    if name == "specificity":
        return walk(name, y, s, wish, level, [1.0], False)
    if name == "precision":
        return walk(name, y, s, wish, level, STARTS, False)
    if name == "npv":
        return walk(name, y, s, wish, level, STARTS, True)
    return walk(name, y, s, wish, level / 2, FEW_STARTS, True) | walk(
        name, y, s, wish, level / 2, FEW_STARTS, False
    )


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 20)), min_size=2, max_size=40),
    st.sampled_from(RATES),
    st.integers(1, 19),
    st.sampled_from([0.1, 0.5, 0.8, 0.95]),
)
def test_the_threshold_is_that_of_a_loop_over_all_thresholds(rows, name, twentieths, confidence):
    y = [0, 1, *(label for label, _ in rows)]
    s = [0.35, 0.65, *(place / 20 for _, place in rows)]
    wish, level = Fraction(twentieths, 20), 1 - Fraction(str(confidence))
    found = evaluation_of(y, s).threshold_for(**{name: float(wish)}, confidence=confidence)
    kept = naive(name, y, s, wish, level)
    if not kept:
        assert found.threshold is None
        return
    if name == "accuracy":
        assert found.threshold in kept
        assert counts(name, y, s, found.threshold)[0] == max(counts(name, y, s, c)[0] for c in kept)
    else:
        assert found.threshold == (max if name in ("sensitivity", "npv") else min)(kept)
    if name in ("sensitivity", "specificity"):
        # Between two scores, counts are those at the upper one.
        upper = {i / 20: min((x for x in s if x >= i / 20), default=2) for i in range(21)}
        is_up = name == "sensitivity"
        for at, score in upper.items():
            below = score <= found.threshold if is_up else score >= found.threshold
            assert found.keeps_at(at) == below


def ranked(s, up):
    """Scores at which chains begin that leave k twentieths of the rows, by loops over all cuts."""
    cuts, starts = [*sorted(set(s)), math.inf], []
    for k in range(1, RANKED + 1):
        most = k * len(s) // RANKED
        if up:
            starts.append(next(cut for cut in cuts if sum(x >= cut for x in s) <= most))
        else:
            starts.append(next(c for c in reversed(cuts) if sum(x < c for x in s) <= most))
    return starts


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 20)), min_size=2, max_size=60),
    st.sampled_from(["precision", "npv"]),
    st.integers(1, 19),
    st.sampled_from([0.1, 0.5, 0.8]),
)
def test_chains_of_scores_in_their_own_unit_begin_at_ranks(rows, name, twentieths, confidence):
    y = [0, 1, *(label for label, _ in rows)]
    s = [-70.5, 300.0, *(15.0 * place - 60 for _, place in rows)]
    wish, level = Fraction(twentieths, 20), 1 - Fraction(str(confidence))
    found = evaluation_of(y, s).threshold_for(**{name: float(wish)}, confidence=confidence)
    up = name == "precision"
    kept = walk(name, y, s, wish, level, ranked(s, up), up)
    assert found.threshold == ((min if up else max)(kept) if kept else None)


@pytest.mark.parametrize("unit", [lambda s: 80 + 10 * s, lambda s: -np.exp(-s), lambda s: 1e9 * s])
@pytest.mark.parametrize("name", ["precision", "npv", "sensitivity", "specificity"])
def test_a_rising_function_of_a_marker_moves_the_threshold_with_the_rows(rng, name, unit):
    s = rng.normal(size=300)
    y = (rng.random(300) < 1 / (1 + np.exp(-2 * s))).astype(int)
    one = evaluation_of(y, s).threshold_for(**{name: 0.6}, confidence=0.9)
    other = evaluation_of(y, unit(s)).threshold_for(**{name: 0.6}, confidence=0.9)
    assert other.threshold == unit(one.threshold)
    assert other.most == one.most
    turned = {"precision": "npv", "npv": "precision", "sensitivity": "specificity"}
    back = turned.get(name, "sensitivity")
    assert one.most[name] == pytest.approx(
        evaluation_of(1 - y, -s).threshold_for(**{back: 0.6}, confidence=0.9).most[back], abs=1e-8
    )


@pytest.mark.parametrize("name", ["precision", "npv"])
def test_the_rate_of_a_marker_is_missed_in_the_population_at_most_as_often_as_said(name):
    """Risks are 0.1 in one part of the scores and 0.9 in the other, so that the rate at each
    threshold is known. The wish is a rate that only a few thresholds have.
    """
    rng, missed, kept = np.random.default_rng(4), 0, 0
    for _ in range(200):
        s = rng.uniform(100, 200, 150)
        y = (rng.random(150) < np.where(s < 160, 0.1, 0.9)).astype(int)
        found = evaluation_of(y, s).threshold_for(**{name: 0.8}, confidence=0.5)
        if not found:
            continue
        kept += 1
        beyond = 200 - float(found) if name == "precision" else float(found) - 100
        right = min(1, (40 if name == "precision" else 60) / beyond)
        missed += 0.9 * right + 0.1 * (1 - right) < 0.8
    assert kept > 50
    assert missed <= stats.binom.isf(1e-6, 200, 0.5)


@pytest.fixture(scope="module")
def mirrored():
    """Rows in which pairs of thresholds have equal accuracy and equal Youden's index."""
    rng = np.random.default_rng(3)
    place = rng.integers(8, 21, 70)
    return [1] * 70 + [0] * 70, [*(place / 20).tolist(), *((21 - place) / 20).tolist()]


def best(name, y, s, kept):
    """The best threshold among those that keep a rate. Of equal ones, the highest."""
    if name in ("sensitivity", "npv"):
        return max(kept)
    if name in ("specificity", "precision"):
        return min(kept)
    return max(kept, key=lambda cut: (counts("accuracy", y, s, cut)[0], cut))


@pytest.mark.parametrize("name", RATES)
def test_of_several_cuts_that_keep_a_wish_the_best_is_taken(mirrored, name):
    y, s = mirrored
    found = evaluation_of(y, s).threshold_for(**{name: 0.55}, confidence=0.9)
    kept = naive(name, y, s, Fraction("0.55"), Fraction("0.1"))
    assert len(kept) > 2
    assert found.threshold == best(name, y, s, kept)
    for cut in sorted(set(s)):
        assert found.keeps_at(cut) == (cut in kept)


@pytest.mark.parametrize("rows", [140, 110])
def test_of_several_cuts_that_keep_all_wishes_the_largest_index_is_taken(mirrored, rows):
    y, s = (each[:rows] for each in mirrored)
    wishes = ("sensitivity", "specificity")
    found = evaluation_of(y, s).threshold_for(**dict.fromkeys(wishes, 0.3), confidence=0.9)
    each = [naive(name, y, s, Fraction("0.3"), Fraction("0.05")) for name in wishes]
    kept = set.intersection(*each)

    def index(cut):
        return sum(Fraction(*counts(name, y, s, cut)) for name in wishes), cut

    assert found.threshold == max(kept, key=index)
    assert min(kept) < found.threshold < max(kept)


def test_where_all_or_none_are_called_a_rate_holds_only_if_it_must():
    """At the lowest score everybody is called, and above the highest nobody."""
    y, s = [0, 1] * 30, np.repeat(np.linspace(0.2, 0.8, 30), 2)
    evaluation = evaluation_of(y, s)
    some = {"sensitivity": (True, False), "specificity": (False, True)}
    for name, (lowest, above) in some.items():
        found = evaluation.threshold_for(**{name: 1e-6}, confidence=0.9)
        assert found.rows == (30, 30)
        assert (found.keeps_at(0.2), found.keeps_at(0.9)) == (lowest, above)
        assert found.keeps_at(0.21)
        assert found.keeps_at(0.8)


@pytest.mark.parametrize("starts", [STARTS, FEW_STARTS])
def test_chains_begin_at_scores_that_are_the_same_for_turned_labels(starts):
    assert starts[0] > 0
    assert starts == tuple(round(1 - start, 2) for start in reversed(starts))


def test_the_negative_predictive_value_is_the_precision_of_turned_labels(rng):
    s = rng.random(120)
    y = (rng.random(120) < s).astype(int)
    for one, other in (("precision", "npv"), ("sensitivity", "specificity")):
        for confidence in (0.5, 0.95):
            found = evaluation_of(y, s).threshold_for(**{one: 0.5}, confidence=confidence)
            turned = evaluation_of(1 - y, 1 - s).threshold_for(
                **{other: 0.5}, confidence=confidence
            )
            assert found.most[one] == pytest.approx(turned.most[other], abs=1e-8)


@pytest.mark.parametrize("name", RATES)
def test_a_chain_is_tested_to_its_first_failure_in_blocks_of_any_size(name, mirrored, monkeypatch):
    def found():
        kept = evaluation_of(*mirrored).threshold_for(**{name: 0.55}, confidence=0.9)
        return kept.threshold, kept.within, kept.most

    whole = found()
    monkeypatch.setattr(population_threshold, "BLOCK", 1)
    assert found() == whole


def test_cuts_that_keep_a_wish_may_be_apart():
    """Accuracy is 115 of 130 rows at .4 and .8, and 100 of 130 between them."""
    place = [(0.2, 0, 50), (0.4, 1, 15), (0.6, 0, 15), (0.8, 1, 50)]
    s = np.repeat([score for score, _, _ in place], [n for *_, n in place])
    y = np.repeat([label for _, label, _ in place], [n for *_, n in place])
    found = evaluation_of(y, s).threshold_for(accuracy=0.8, confidence=0.9)
    kept = naive("accuracy", y.tolist(), s.tolist(), Fraction("0.8"), Fraction("0.1"))
    assert kept == {0.4, 0.8}
    assert found.threshold == 0.8
    assert found.within == ((0.2, 0.4), (0.6, 0.8))
    for cut, keeps in ((0.2, False), (0.3, True), (0.4, True), (0.5, False), (0.8, True)):
        assert found.keeps_at(cut) == keeps
        moved = found.moved_to(cut)
        assert (None if moved is None else moved.threshold) == (cut if keeps else None)


def test_each_of_two_wishes_has_half_the_level(mirrored):
    evaluation = evaluation_of(*mirrored)
    both = evaluation.threshold_for(sensitivity=0.99, specificity=0.3, confidence=0.9)
    for name, most in both.most.items():
        assert most == evaluation.threshold_for(**{name: 0.3}, confidence=0.95).most[name]
    assert both.threshold is None
    assert "sensitivity" in both.reason
    assert "sensitivity" not in evaluation.threshold_for(sensitivity=0.99, confidence=0.9).reason
    alone = replace(both, wishes=dict(both.most))
    assert alone.reason == "no threshold can promise all wishes together"


@pytest.mark.parametrize("goal", [{}, {"npv": 0.9, "precision": 0.9}, {"recall": 0.9}])
def test_a_goal_is_one_known_rate(goal):
    with pytest.raises(ValueError, match="goal: found"):
        goal_of(goal)


def test_a_goal_is_a_share():
    for share in (0, 0.5, 1):
        assert goal_of({"npv": share}) == {"npv": share}
    for none in (-0.01, 1.01):
        with pytest.raises(ValueError, match="npv"):
            goal_of({"npv": none})


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 30)), min_size=20, max_size=60),
    st.sampled_from(RATES),
    st.sampled_from([0.5, 0.8, 0.95]),
)
def test_the_most_is_the_largest_wish_that_some_threshold_keeps(rows, name, confidence):
    y = [0, 1, *(label for label, _ in rows)]
    s = [0.35, 0.65, *(place / 30 for _, place in rows)]
    evaluation = evaluation_of(y, s)
    most = evaluation.threshold_for(**{name: 0.5}, confidence=confidence).most[name]
    for wish, is_kept in ((most - 1e-6, True), (most + 1e-6, False)):
        if 0 < wish < 1:
            found = evaluation.threshold_for(**{name: wish}, confidence=confidence)
            assert (found.threshold is not None) == is_kept


def test_forty_positives_promise_ninety_three_percent_at_most():
    """At the lowest score all 40 are called: .05 ** (1 / 40) is .928."""
    y, s = [0] * 10 + [1] * 40, np.linspace(0.1, 0.9, 50)
    found = evaluation_of(y, s).threshold_for(sensitivity=0.95, confidence=0.95)
    assert found.threshold is None
    assert found.most["sensitivity"] == pytest.approx(0.05 ** (1 / 40), abs=1e-8)
    assert found.reason == "with 40 positives the most that a threshold can promise is 0.92"
    with pytest.raises(ValueError, match=r"with 40 positives the most that a threshold"):
        float(found)


def test_sensitivity_by_hand():
    """P(Bin(10, .5) >= k) is 56/1024 for 8, 11/1024 for 9 and 1/1024 for 10."""
    y, s = [1] * 10 + [0, 0], [*(np.arange(1, 11) / 10), 0.05, 0.15]
    for confidence, threshold in ((0.94, 0.3), (0.95, 0.2), (0.98, 0.2), (0.99, 0.1)):
        found = evaluation_of(y, s).threshold_for(sensitivity=0.5, confidence=confidence)
        assert float(found) == found.threshold == pytest.approx(threshold)
    # 1 - .995 ** 10 is .0489, so one of ten called is enough.
    assert evaluation_of(y, s).threshold_for(sensitivity=0.005, confidence=0.95).threshold == 1


def test_a_tail_that_equals_the_level_passes():
    found = evaluation_of([0, 0, 1], [0.2, 0.8, 0.6]).threshold_for(sensitivity=0.5, confidence=0.5)
    assert found.threshold == 0.6


def test_the_record_says_what_it_promises():
    y, s = [0] * 60 + [1] * 60, np.linspace(0.01, 0.99, 120)
    found = evaluation_of(y, s).threshold_for(sensitivity=0.8, specificity=0.7, confidence=0.9)
    assert found.promise.kind == "population"
    assert "90 % for every sample size" in found.guarantee
    assert "sensitivity and specificity" in found.target
    assert found.rows == (60, 60)
    assert list(found.most) == ["sensitivity", "specificity"]
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found)
    assert "sensitivity at least 0.8, specificity at least 0.7" in repr(found)
    with pytest.raises(AttributeError):
        found.threshold = 0.2


def test_without_a_confidence_each_rate_is_kept_on_these_rows():
    rng = np.random.default_rng(5)
    s = rng.random(80).round(2)
    y = (rng.random(80) < s).astype(int)
    evaluation = evaluation_of(y, s)
    cuts = np.unique(s)
    for name, best in (("precision", min), ("npv", max)):
        kept = [c for c in cuts if (k := counts(name, y, s, c))[1] and k[0] / k[1] >= 0.7]
        assert evaluation.threshold_for(**{name: 0.7}) == best(kept)
    right = {c: counts("accuracy", y, s, c)[0] for c in cuts}
    assert right[evaluation.threshold_for(accuracy=0.5)] == max(right.values())
    assert evaluation.threshold_for(precision=1) == math.inf or y[s.argmax()] == 1
    with pytest.raises(ValueError, match=r"^accuracy: found 1, expected at most 0\."):
        evaluation.threshold_for(accuracy=1)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.8])
def test_a_prevalence_is_that_of_the_wanted_rate(share, weighted):
    """Each rate by Bayes' rule, row by row, and as `metrics` has it at the same threshold."""
    rng = np.random.default_rng(6)
    s = rng.random(70).round(2)
    y = (rng.random(70) < s).astype(int)
    w = rng.exponential(size=70) if weighted else np.ones(70)
    evaluation = RocEvaluation.from_predictions(y, s, sample_weight=w)

    def rate(name, cut):
        tpr, fpr = (w[(y == k) & (s >= cut)].sum() / w[y == k].sum() for k in (1, 0))
        joint = share * tpr, (1 - share) * fpr, share * (1 - tpr), (1 - share) * (1 - fpr)
        tp, fp, fn, tn = joint
        return {
            "sensitivity": lambda: tpr,
            "specificity": lambda: 1 - fpr,
            "precision": lambda: tp / (tp + fp),
            "npv": lambda: tn / (tn + fn) if tn + fn else 0,
            "accuracy": lambda: tp + tn,
        }[name]()

    cuts = np.unique(s)
    for name, best in {
        "sensitivity": max,
        "specificity": min,
        "precision": min,
        "npv": max,
    }.items():
        reached = sorted(rate(name, cut) for cut in cuts)
        wish = (reached[len(reached) // 2] + reached[len(reached) // 2 + 1]) / 2
        found = evaluation.threshold_for(**{name: wish}, prevalence=share)
        assert found == best(cut for cut in cuts if rate(name, cut) >= wish), name
        said = evaluation.metrics(found, prevalence=share)
        assert said["ppv" if name == "precision" else name].value >= wish
    right = {cut: rate("accuracy", cut) for cut in cuts} | {math.inf: 1 - share}
    most = max(right.values())
    found = evaluation.threshold_for(accuracy=most - 1e-9, prevalence=share)
    assert right[found] == pytest.approx(most)


@pytest.mark.parametrize(
    ("wish", "kind", "found"),
    [
        ({"confidence": 0.95}, ValueError, "confidence: found 0.95 without a rate"),
        ({"sensitivity": 0.9, "confidence": 95}, ValueError, "confidence: found 95"),
        ({"sensitivity": 0.9, "confidence": "sure"}, TypeError, "confidence: found 'sure'"),
        ({"npv": 1.5, "confidence": 0.9}, ValueError, "npv: found 1.5"),
        ({"cost_ratio": 5, "confidence": 0.9}, ValueError, "cost_ratio: found 5 with a confidence"),
        ({"npv": 0.9, "prevalence": 0.1, "confidence": 0.9}, ValueError, "prevalence: found 0.1"),
        ({"precision": 0.9, "npv": 0.9}, ValueError, "precision, npv: found 2 rules"),
    ],
    ids=str,
)
def test_a_wish_that_is_none_is_refused_by_name(wish, kind, found):
    y, s = [0] * 30 + [1] * 30, np.linspace(0.01, 0.99, 60)
    with pytest.raises(kind, match=f"^{found}"):
        evaluation_of(y, s).threshold_for(**wish)


@pytest.mark.parametrize("rows", [{"sample_weight_test": True}, {"groups_test": True}])
def test_rows_that_are_not_independent_and_alike_are_refused(rows):
    y, s = np.repeat([0, 1], 30), np.linspace(0.01, 0.99, 60)
    given = {name: np.arange(60) // 2 + 1 for name in rows}
    evaluation = evaluation_of(y, s, **given)
    assert evaluation.threshold_for(sensitivity=0.5) > 0
    with pytest.raises(ValueError, match=r"^confidence: found "):
        evaluation.threshold_for(sensitivity=0.5, confidence=0.9)


def shifted(rng, n, prevalence, decimals):
    """Uncalibrated scores from two normal distributions. Rounded scores have ties."""
    y = (rng.random(n) < prevalence).astype(int)
    s = 1 / (1 + np.exp(-(rng.normal(1.4 * y - 1, 1))))
    return y, s if decimals is None else s.round(decimals)


def zigzag(rng, n, prevalence, decimals):
    """A probability that rises, falls and rises again, so that precision does too."""
    s = rng.random(n)
    p = np.clip(prevalence * (0.4 + 1.2 * s + 0.8 * np.sin(12 * s)), 0, 1)
    y = (rng.random(n) < p).astype(int)
    return y, s if decimals is None else s.round(decimals)


def in_population(law, prevalence, decimals, name, cuts):
    """Rates in the population at thresholds, from a million rows."""
    y, s = law(np.random.default_rng(99), 1_000_000, prevalence, decimals)
    order = np.argsort(s)
    ones = np.append(0, np.cumsum(y[order]))
    below = np.searchsorted(s[order], cuts)
    tp, fn = ones[-1] - ones[below], ones[below]
    tn = below - fn
    fp = y.size - ones[-1] - tn
    with np.errstate(invalid="ignore"):
        return {
            "sensitivity": tp / (tp + fn),
            "specificity": tn / (tn + fp),
            "precision": tp / (tp + fp),
            "npv": tn / (tn + fn),
            "accuracy": (tp + tn) / y.size,
        }[name]


def held(law, name, wish, confidence, n, prevalence, decimals, samples):
    """Share of samples whose threshold keeps the rate in the population, and share without a
    threshold.
    """
    rng = np.random.default_rng(zlib.crc32(f"{name} {n} {prevalence}".encode()))
    found = []
    for _ in range(samples):
        y, s = law(rng, n, prevalence, decimals)
        if 0 < y.sum() < n:
            threshold = (
                evaluation_of(y, s).threshold_for(**{name: wish}, confidence=confidence).threshold
            )
            found.append(math.nan if threshold is None else threshold)
    cuts = np.array(found)
    rates = in_population(law, prevalence, decimals, name, cuts[~np.isnan(cuts)])
    return 1 - (rates < wish - 5e-4).sum() / cuts.size, np.isnan(cuts).mean()


def least(confidence, samples):
    """A bound that an exact rule violates once in ten thousand runs."""
    return stats.binom.ppf(1e-4, samples, confidence) / samples


@pytest.mark.parametrize(
    ("law", "name", "wish"),
    [
        (shifted, "sensitivity", 0.8),
        (shifted, "specificity", 0.8),
        (zigzag, "precision", 0.55),
        (zigzag, "npv", 0.5),
        (shifted, "accuracy", 0.7),
    ],
)
def test_wishes_hold_in_the_population(law, name, wish):
    found, none = held(law, name, wish, 0.8, 200, 0.5, 2, 150)
    assert found >= least(0.8, 150)
    assert none < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("prevalence", [0.5, 0.1, 0.02])
@pytest.mark.parametrize("n", [50, 200, 1000])
@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("law", [shifted, zigzag])
def test_wishes_hold_in_the_population_in_every_cell(
    law, name, n, prevalence, confidence, decimals
):
    wish = {
        "sensitivity": 0.8,
        "specificity": 0.8,
        "precision": 0.9 * prevalence,
        "npv": 1 - 0.9 * prevalence,
        "accuracy": max(prevalence, 1 - prevalence) - 0.05,
    }[name]
    found, _ = held(law, name, wish, confidence, n, prevalence, decimals, 2000)
    assert found >= least(confidence, 2000)


def test_it_goes_wherever_a_threshold_does():
    rng = np.random.default_rng(5)
    y = np.resize([0, 1], 400)
    score = 1 / (1 + np.exp(-1.5 * (2 * y - 1) - rng.normal(size=400)))
    first = RocEvaluation.from_predictions(y[:200], score[:200])
    other = RocEvaluation.from_predictions(y[200:], score[200:])
    kept = first.threshold_for(sensitivity=0.8, confidence=0.9)
    cut = kept.threshold
    assert other.operating_point(kept) == other.operating_point(cut)
    assert dict(other.metrics(kept)) == dict(other.metrics(cut))
    assert other.losses(kept) == other.losses(cut)
    assert (other.undecided(kept) == other.undecided(cut)).all()
    assert (other.rows_of("tp", kept) == other.rows_of("tp", cut)).all()
    for at in ([kept], [kept, 0.5]):
        known = [float(each) for each in at]
        assert_same_curves(other.band(thresholds=at), other.band(thresholds=known))
    assert ROCWidget(other, threshold=kept).threshold == cut
    for function in (comparators.clopper_pearson_box, comparators.accuracy_interval):
        assert function(y, score, kept) == function(y, score, cut)
    for function in (comparators.sensitivity_difference, comparators.net_benefit_difference):
        assert function(y, score, score**2, kept) == function(y, score, score**2, cut)
    assert ((score >= kept) == (score >= cut)).all()
    assert ((kept <= score) == (cut <= score)).all()
    assert (kept > 0.0, kept < 0.0, f"{kept:.3f}") == (True, False, f"{cut:.3f}")
    assert (kept > cut, kept < cut, kept >= cut, kept <= cut) == (False, False, True, True)
    assert bool(kept)


def test_one_that_found_nothing_is_false_and_says_why_it_is_none():
    none = evaluation_from_scores().threshold_for(sensitivity=0.9999, confidence=0.99)
    assert not none
    assert (str(none), f"{none}") == (repr(none), repr(none))
    for ask in (evaluation_from_scores().operating_point, np.ones(3).__ge__, "{:.2f}".format):
        with pytest.raises(ValueError, match="the most that a threshold can promise"):
            ask(none)
