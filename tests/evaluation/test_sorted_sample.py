"""Counts among sorted numbers: chunk by chunk, with counts, and at ranks; what comes in is kept."""

import math

import numpy as np
import oracles
import pytest
from data import calibration_scores, evaluation_from_scores, labelled_scores, scored
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget import arrays as validation
from conformal_roc_widget.calibration.logits import TIE
from conformal_roc_widget.evaluation import at_alpha, rank_pairs
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above

INF = math.inf
FEW = st.sampled_from([-INF, -1.5, -0.0, 0.0, 0.1, 0.2, 0.3, 1e-300, 2.0, INF])
VALUES = hnp.arrays(float, st.integers(1, 40), elements=FEW | st.floats(-3, 3))
SHIFTS = st.sampled_from([0.0, 0.1, -0.3, 1e-17, INF, -INF])


def by_loops(upper, lower, tie=0.0):
    twice = sum((a - tie > b) + (a + tie >= b) for a in upper.tolist() for b in lower.tolist())
    return twice / (2 * upper.size * lower.size)


@given(
    upper=VALUES,
    lower=VALUES,
    shifts=st.tuples(SHIFTS, SHIFTS),
    tie=st.sampled_from([0.0, TIE, 0.25]),
    block=st.integers(1, 9),
)
def test_the_share_ranked_above_is_the_double_loop_over_the_rounded_sums(
    upper, lower, shifts, tie, block
):
    upper, lower = (
        v[np.isfinite(v)] if math.isinf(s) else v
        for v, s in zip((upper, lower), shifts, strict=True)
    )
    if not (upper.size and lower.size):
        return
    expected = by_loops(upper + shifts[0], lower + shifts[1], tie)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_pairs, "BLOCK", block)
        found = share_ranked_above(
            Limits(SortedSample.of(upper), shifts[0]),
            Limits(SortedSample.of(lower), shifts[1]),
            tie,
        )
    assert found == expected


@given(upper=VALUES, lower=VALUES, shift=SHIFTS, seed=st.integers(0, 99))
def test_a_guide_that_errs_costs_time_and_no_count(upper, lower, shift, seed):
    upper = upper[np.isfinite(upper)] if math.isinf(shift) else upper
    if not upper.size:
        return
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rank_pairs, "BLOCK", 8)
        patch.setattr(
            rank_pairs.BucketIndex, "places", lambda _, keys, __: rng.integers(0, 9, keys.size)
        )
        found = share_ranked_above(
            Limits(SortedSample.of(upper), shift), Limits(SortedSample.of(lower))
        )
    assert found == by_loops(upper + shift, lower)


def test_a_guide_finds_every_place_between_evenly_spaced_numbers():
    guide = rank_pairs.BucketIndex.of(np.arange(100.0))
    keys = np.arange(-0.5, 100)
    assert guide.places(keys + 3, 3.0).tolist() == list(range(101))
    for none in ([2.0, 2.0], [0.0, INF], [-INF, 0.0], [-INF, INF]):
        assert (
            rank_pairs.BucketIndex.of(np.array(none)).places(keys, 0.0).tolist() == [0] * keys.size
        )


@given(upper=VALUES, lower=VALUES, shift=st.sampled_from([0.0, 0.1, -0.3]), key=FEW)
def test_counted_numbers_are_the_same_numbers_one_by_one(upper, lower, shift, key):
    def counted(values):
        return SortedSample.of(*np.unique(values, return_counts=True))

    one, other = counted(upper), counted(lower)
    np.testing.assert_array_equal(one.expanded(), np.sort(upper))
    assert one.size == upper.size
    keys = np.array([key])
    assert one.at_least(keys)[0] == (upper >= key).sum()
    assert one.above(keys)[0] == (upper > key).sum()
    assert Limits(one, shift).count_above(keys)[0] == (upper + shift > key + TIE).sum()
    np.testing.assert_array_equal(one.at_even_ranks(5), SortedSample.of(upper).at_even_ranks(5))
    pairs = [(one, other), (one, SortedSample.of(lower)), (SortedSample.of(upper), other)]
    for a, b in pairs:
        assert share_ranked_above(Limits(a, shift), Limits(b)) == by_loops(upper + shift, lower)


def test_counts_of_billions_are_not_too_large():
    many = SortedSample.of(np.array([0.0, 1.0]), np.array([3_000_000_000, 4_000_000_000]))
    assert share_ranked_above(Limits(many), Limits(many)) == 0.5
    assert many.size == 7_000_000_000


@given(values=VALUES)
def test_what_is_ascending_is_taken_as_it_is_and_the_rest_is_sorted(values):
    ordered = np.sort(values)
    assert SortedSample.of(ordered).values.base is ordered
    np.testing.assert_array_equal(SortedSample.of(values).values, ordered)


@given(calibration=calibration_scores(), test=labelled_scores())
def test_one_sort_parts_the_labels(calibration, test):
    made = RocEvaluation.from_predictions(*calibration, *test)
    for k, found in enumerate(made.sorted_scores):
        expected = np.sort(test[1][test[0] == k])
        np.testing.assert_array_equal(found.values, expected)
        assert not np.signbit(found.values).any()


def test_zeros_of_both_labels_keep_their_labels():
    y = np.array([0, 1, 1, 0, 1, 0])
    made = RocEvaluation.from_predictions(
        *scored(np.random.default_rng(0), 40), y, [0, -0.0, 0, 1, 1, 0]
    )
    assert [each.values.tolist() for each in made.sorted_scores] == [[0, 0, 1], [0, 0, 1]]
    band = made.band(thresholds=[1, 0.5, 0])
    assert (band.fpr.tolist(), band.tpr.tolist()) == ([1 / 3, 1 / 3, 1], [1 / 3, 1 / 3, 1])


@pytest.mark.parametrize("decimals", [None, 2])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_vertices_count_either_label_at_every_score(decimals, share):
    rng = np.random.default_rng(3)
    y = (rng.random(400) < share).astype(int)
    _, score = scored(rng, 400, decimals)
    made = RocEvaluation.from_predictions(*scored(rng, 60), y, score)
    band = made.band(0.1)
    assert band.thresholds.tolist() == oracles.default_thresholds(score.tolist())
    for k, rates in ((0, band.fpr), (1, band.tpr)):
        assert rates.tolist() == [
            oracles.rate(score.tolist(), y.tolist(), k, t) for t in band.thresholds
        ]


def test_a_display_of_many_points_reads_limits_at_ranks(monkeypatch):
    monkeypatch.setattr(at_alpha, "LIMIT_RANKS", 1_000)
    y, score = scored(np.random.default_rng(1), 20_000)
    y[:4_000] = 0
    made = RocEvaluation.from_predictions(*scored(np.random.default_rng(0), 200), y, score)
    band = made.band(0.1, made.display_vertices.thresholds)
    exact = ((band.fpr_lower, band.tpr_lower), (band.fpr_upper, band.tpr_upper))
    for side, ends in zip(made.at(0.1).display_counts(), exact, strict=True):
        for k in (0, 1):
            shown = side[k] / made.n_test[k]
            assert np.abs(shown - ends[k]).max() <= 0.5 / 1_000 + 1e-12
            assert (np.diff(side[k]) >= 0).all()
            assert (side[k].min(), side[k].max()) == (0, made.n_test[k])


# What comes in

LABELS = [
    ([0, 1], np.int64),
    ([0, 1], np.int8),
    ([0, 1], np.uint8),
    ([0, 1], float),
    ([0, 1], np.float16),
    ([False, True], bool),
    (["no", "yes"], str),
    ([-3, 2**53 + 1], np.int64),
    ([0.5, 1.5], float),
    (["2024-01-01", "2025-01-01"], "datetime64[D]"),
]


@pytest.mark.parametrize(("names", "dtype"), LABELS)
def test_two_codes_are_the_codes_of_any_number_of_classes(names, dtype, monkeypatch):
    monkeypatch.setattr(validation, "BLOCK", 7)
    classes = np.array(names, dtype=dtype)
    labels = np.random.default_rng(0).choice(classes, 50)
    expected = validation.codes_of(labels, classes, "y")
    found = validation.binary_codes_of(labels, classes, "y")
    assert found.dtype == np.int8
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], [0.0, 1.0]),
        ([0, 1], [False, True]),
        ([False, True], [0, 1]),
        ([0.0, 1.0], [0, 1]),
        (["no", "yes"], np.array(["no", "yes", "no"], dtype="U7")),
    ],
)
def test_labels_of_another_type_count_where_they_are_equal(classes, labels):
    found = validation.binary_codes_of(np.asarray(labels), np.asarray(classes), "y")
    assert (
        found.tolist() == validation.codes_of(np.asarray(labels), np.asarray(classes), "y").tolist()
    )


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], ["0", "1"]),
        (["0", "1"], [0, 1]),
        ([0, 1], [0, 1, 2]),
        ([0, 1], [0.0, 1.0, 0.5]),
        ([-1, 1], np.array([255, 1], dtype=np.uint8)),
        ([0.5, 1.0], [0, 1]),
        (["no", "yes"], ["no", "ye"]),
        ([0, 2**53 + 1], [0.0, 2.0**53]),
        ([0, 1], [1, 1]),
    ],
)
def test_labels_that_are_not_the_two_classes_are_refused(classes, labels):
    with pytest.raises(ValueError, match=r"^y: found"):
        validation.binary_codes_of(np.asarray(labels), np.asarray(classes), "y")


@pytest.mark.parametrize("dtype", [float, np.float32, np.float16, np.longdouble, ">f8", int, bool])
@pytest.mark.parametrize("order", [slice(None), slice(None, None, -2), slice(3, 40, 3)])
def test_scores_are_copied_from_any_array_of_numbers(dtype, order, monkeypatch):
    monkeypatch.setattr(validation, "BLOCK", 7)
    scores = np.random.default_rng(0).random(50).astype(dtype)[order]
    scores.flags.writeable = False
    found = validation.kept_scores_of(scores, "score")
    assert found.dtype == np.float64
    assert not np.shares_memory(found, scores)
    np.testing.assert_array_equal(found, scores.astype(float))


@pytest.mark.parametrize("place", [0, 6, 7, 49])
@pytest.mark.parametrize("value", [math.nan, INF, -INF, -0.1, 1.1])
def test_a_bad_score_anywhere_is_found(place, value, monkeypatch):
    monkeypatch.setattr(validation, "BLOCK", 7)
    scores = np.full(50, 0.5)
    scores[place] = value
    with pytest.raises(ValueError, match=r"^score: found"):
        validation.kept_scores_of(scores, "score")


def test_preparing_a_test_set_takes_little_more_memory_than_a_copy():
    import tracemalloc

    y, score = scored(np.random.default_rng(0), 1_000_000)
    calibration = scored(np.random.default_rng(1), 200)
    RocEvaluation.from_predictions(*calibration, *scored(np.random.default_rng(2), 50))
    tracemalloc.start()
    made = RocEvaluation.from_predictions(*calibration, y, score)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * score.nbytes + y.size
    assert made.n_test == {0: 500_000, 1: 500_000}


def test_an_evaluation_does_not_share_its_callers_memory():
    made = evaluation_from_scores()
    assert made.scores.flags.owndata
    assert made.labels.flags.owndata
