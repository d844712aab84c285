"""Every sampling band: words, limits, data, and refused data."""

import math

import numpy as np
import pytest
from comparator_cases import BANDS, DEGENERATE, every_band
from data import labelled_scores, scored
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from conformal_roc_widget import comparators
from conformal_roc_widget.comparators import ComparatorBand, bootstrap_band, simultaneous_band
from conformal_roc_widget.comparators.ks import KsSamples
from conformal_roc_widget.comparators.rocci_bands import BinormalSamples

#: Bands whose limits move apart as alpha falls. rocci's envelope is no such band, because its
#: variance floor depends on alpha.
NESTED = ["bootstrap", "ks", "working_hotelling"]


@every_band
def test_a_band_says_what_it_covers(band, rng):
    made = BANDS[band](*scored(rng, 80), 0.1)
    assert made.target == "population ROC of this classifier"
    assert made.scope.startswith("pointwise" if band == "bootstrap" else "simultaneous")
    assert "90 %" in made.guarantee
    assert made.alpha == 0.1
    frame = made.to_frame()
    assert list(frame.columns) == ["fpr", "tpr", "tpr_lower", "tpr_upper"]
    assert frame.attrs["target"] == made.target
    assert "points" in repr(made)
    with pytest.raises(ValueError, match="read-only"):
        made.tpr_lower[0] = 1


@every_band
@pytest.mark.parametrize("data", list(DEGENERATE))
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.5, 0.99])
def test_a_degenerate_case_gives_limits_and_a_word(band, data, alpha):
    made = BANDS[band](*DEGENERATE[data], alpha)
    assert isinstance(made, ComparatorBand)
    for values in (made.tpr, made.tpr_lower, made.tpr_upper):
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert (values <= 1).all()
        assert values.shape == made.fpr.shape
    assert (made.tpr_lower <= made.tpr_upper).all()
    inside = (made.fpr > 0) & (made.fpr < 1)
    narrow = made.tpr_upper[inside] - made.tpr_lower[inside] < 1e-9
    if narrow.any() or (data != "large numbers" and band != "ks"):
        assert made.notes


@every_band
def test_a_plain_case_has_no_notes(band, rng):
    y = np.resize([0, 1], 1000)
    score = rng.normal(size=1000) + 0.5 * y
    made = (
        bootstrap_band(y, score, fpr=np.linspace(0.1, 0.9, 9), random_state=0)
        if band == "bootstrap"
        else simultaneous_band(y, score, random_state=0)
        if band == "simultaneous"
        else BANDS[band](y, score)
    )
    assert [note for note in made.notes if "lower limit" not in note] == []


@every_band
@given(data=labelled_scores(min_size=6), seed=st.integers(0, 20))
def test_order_of_rows_and_names_of_labels_do_not_matter(band, data, seed):
    y, score = data
    order = np.random.default_rng(seed).permutation(y.size)
    one = BANDS[band](y, score)
    other = BANDS[band](np.where(y == 1, "yes", "no")[order], score[order].tolist())
    np.testing.assert_array_equal(one.tpr, other.tpr)
    np.testing.assert_allclose(one.tpr_lower, other.tpr_lower, atol=1e-12)
    np.testing.assert_allclose(one.tpr_upper, other.tpr_upper, atol=1e-12)


@every_band
@given(data=labelled_scores(), alpha=st.sampled_from([0.01, 0.2, 0.8]))
def test_limits_are_rates_in_order(band, data, alpha):
    made = BANDS[band](*data, alpha)
    assert (made.tpr_lower >= 0).all()
    assert (made.tpr_upper <= 1).all()
    assert (made.tpr_lower <= made.tpr_upper).all()
    assert (np.diff(made.fpr) > 0).all()
    assert (np.diff(made.tpr) >= -1e-12).all()
    # Working and Hotelling's limits may decrease if the variances differ. rocci's envelope may
    # decrease at its fixed ends.
    if band in ("bootstrap", "ks"):
        assert (np.diff(made.tpr_lower) >= -1e-12).all()
        assert (np.diff(made.tpr_upper) >= -1e-12).all()


@pytest.mark.parametrize("band", NESTED)
@given(data=labelled_scores(), pair=st.sampled_from([(0.01, 0.05), (0.05, 0.3), (0.3, 0.9)]))
def test_a_smaller_alpha_gives_a_wider_band(band, data, pair):
    wide, narrow = (BANDS[band](*data, alpha) for alpha in pair)
    assert (wide.tpr_lower <= narrow.tpr_lower + 1e-12).all()
    assert (wide.tpr_upper >= narrow.tpr_upper - 1e-12).all()


@pytest.mark.parametrize("name", ["ks", "working_hotelling"])
@pytest.mark.parametrize("data", ["heavy ties", "large numbers", "equal positives"])
def test_a_sample_that_is_sorted_once_gives_the_same_band_at_every_alpha(name, data):
    make = KsSamples if name == "ks" else BinormalSamples
    samples = make(*DEGENERATE[data])
    for alpha in (0.3, 0.01):
        one, other = samples.band(alpha), BANDS[name](*DEGENERATE[data], alpha)
        np.testing.assert_array_equal(one.tpr_lower, other.tpr_lower)
        np.testing.assert_array_equal(one.tpr_upper, other.tpr_upper)
        assert (one.notes, one.guarantee) == (other.notes, other.guarantee)


@every_band
@pytest.mark.slow
def test_a_band_covers_where_it_should(band):
    """Binormal scores, 150 per label.

    The bootstrap is checked in the middle of the curve, the others everywhere.
    """
    law = stats.norm(0, 1), stats.norm(1, 1)
    rng, held = np.random.default_rng(8), []
    for _ in range(400):
        y = np.repeat([0, 1], 150)
        score = np.concatenate([part.rvs(150, random_state=rng) for part in law])
        made = (
            bootstrap_band(y, score, fpr=[0.3], resamples=1000, random_state=rng)
            if band == "bootstrap"
            else simultaneous_band(y, score, resamples=1000, random_state=rng)
            if band == "simultaneous"
            else BANDS[band](y, score)
        )
        inside = (made.fpr > 0) & (made.fpr < 1)
        truth = law[1].sf(law[0].isf(made.fpr[inside]))
        held.append(((made.tpr_lower[inside] <= truth) & (truth <= made.tpr_upper[inside])).all())
    assert np.mean(held) > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 400)


def test_the_words_name_what_is_wrong():
    def notes(band, data, alpha=0.05):
        return " ".join(BANDS[band](*DEGENERATE[data], alpha).notes)

    assert "separate" in notes("ks", "AUC 1")
    assert "no width" in notes("bootstrap", "AUC 1")
    assert "5 positives" in notes("bootstrap", "5 positives")
    assert "1 positive:" in notes("simultaneous", "1 positive")
    assert "equal" in notes("bootstrap", "all equal")
    one_label_varies = BANDS["ks"](np.repeat([0, 1], 2), np.array([0.0, 0.0, 1.0, 2.0])).notes
    assert "separate" in one_label_varies[0]
    assert "same score" in notes("ks", "heavy ties")
    assert "same score" in notes("simultaneous", "heavy ties")
    assert "no spread" in notes("working_hotelling", "equal positives")
    assert "from 0 to 1" in notes("ks", "one of each")
    assert "replicates" in notes("bootstrap", "heavy ties", 0.01)
    assert "above 0.1" in notes("simultaneous", "heavy ties", 0.3)


COUNTING = {
    "ks_band": comparators.ks_band,
    "simultaneous_band": comparators.simultaneous_band,
    "working_hotelling_band": comparators.working_hotelling_band,
    "clopper_pearson_box": lambda y, s, **o: comparators.clopper_pearson_box(y, s, 0.5, **o),
}


@pytest.mark.parametrize("name", COUNTING)
def test_methods_that_count_rows_refuse_weights_and_groups_by_name(name, rng):
    y, score = scored(rng, 30)
    with pytest.raises(ValueError, match=f"groups: found groups of rows, expected None: {name}"):
        COUNTING[name](y, score, groups=np.arange(30))
    with pytest.raises(ValueError, match=f"sample_weight: found weights, expected None: {name}"):
        COUNTING[name](y, score, sample_weight=np.ones(30))


def test_one_row_of_each_person_is_drawn_alike():
    groups = np.array(["b", "a", "b", "c", "b"])
    seen = [comparators.one_row_per_group(groups, random_state=i) for i in range(600)]
    assert all(sorted(groups[rows]) == ["a", "b", "c"] for rows in seen)
    shares = np.bincount(np.concatenate(seen), minlength=5) / 600
    np.testing.assert_allclose(shares, [1 / 3, 1, 1 / 3, 1, 1 / 3], atol=0.07)
