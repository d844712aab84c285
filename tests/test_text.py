"""Numbers and names as text: digits that distinguish numbers, and names that cannot change the
text's meaning.
"""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.calibration.fit import trained_again
from conformal_roc_widget.evaluation import notes
from conformal_roc_widget.text import (
    LABEL,
    LABEL_AT_START,
    AboutLabels,
    Advice,
    Note,
    duration,
    number_text,
    ordinal,
    percent,
    percent_down,
    plain_text,
    threshold_text,
    with_class_names,
)


def test_numbers_have_a_true_minus_and_halves_go_away_from_zero():
    assert [number_text(x) for x in (0.125, 0.375, -0.125, 2.675)] == [
        "0.13",
        "0.38",
        "−0.13",
        "2.67",  # the float is slightly below 2.675
    ]
    assert number_text(-0.001) == "0.00"
    assert [number_text(x, sign=True) for x in (1.5, 0, -1.5)] == ["+1.50", "0.00", "−1.50"]
    assert [number_text(x) for x in (math.inf, -math.inf, math.nan)] == ["∞", "−∞", "NaN"]
    assert number_text(1e300).startswith("1000")
    assert number_text(np.float64(0.5)) == "0.50"


@given(st.floats(-1e6, 1e6), st.integers(0, 12))
def test_a_number_is_rounded_to_the_nearest(value, digits):
    text = number_text(value, digits).replace("−", "-")
    assert abs(float(text) - value) <= 0.5 * 10.0**-digits + 1e-9 * abs(value)
    assert len(text.partition(".")[2]) == digits


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"),
        (0.5, "50 %"),
        (1, "100 %"),
        (1 - 0.05, "95 %"),
        (1 - 0.07, "93 %"),
        (1 - 0.0125, "98.75 %"),
        (1 - 0.047, "95.3 %"),
        (0.1234567, "12.3457 %"),
        (0.9999999, "99.99999 %"),
        (1e-7, "0.00001 %"),
    ],
)
def test_a_percentage_has_no_needless_zeros_and_is_never_rounded_to_nothing_or_all(share, text):
    assert percent(share) == text


def test_a_least_promise_is_never_rounded_up():
    assert [percent_down(x) for x in (0.9, 0.91, 0.95299, 0.9999)] == [
        "90.0 %",
        "91.0 %",
        "95.2 %",
        "99.9 %",
    ]


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0, "0.00"),
        (0.0004, "0.0004"),
        (1e-7, "0.0000001"),
        (0.42, "0.42"),
        (0.4236, "0.424"),
        (0.4999, "0.50"),
        (0.99964, "0.9996"),
        (1, "1.00"),
        (math.inf, "above all scores"),
        (79.50244, "79.502"),
        (150.0, "150"),
        (-1234567.8, "−1234568"),
        (-0.5, "−0.50"),
        (-0.0002, "−0.0002"),
        (1.5, "1.5"),
    ],
)
def test_a_threshold_has_the_digits_that_name_it(threshold, text):
    assert threshold_text(threshold) == text


@given(st.floats(1e-12, 1 - 1e-12))
def test_a_threshold_that_is_neither_0_nor_1_reads_otherwise(threshold):
    assert 0 < float(threshold_text(threshold)) < 1


def test_ordinals_read_as_english():
    ranks = (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)
    assert " ".join(map(ordinal, ranks)) == "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th"
    assert ordinal(12_341) == "12,341st"


def test_counts_in_notes_have_commas():
    assert "1,200 of the 20,000 test rows" in str(notes.seen_rows("test", 1200, 20_000))
    assert "2,000 of the 20,000 calibration scores" in str(notes.clipped_scores(2000, 20_000)[0])
    assert "again on 1,500 of your 3,000 rows" in str(trained_again(1500, 3000))


def test_a_name_is_one_line_without_control_characters():
    assert plain_text("two\nlines\x1b[31m \u202eturned", 40) == "two lines[31m turned"
    assert plain_text("hist gradient boosting 2023", 10) == "hist …2023"


def test_a_letter_keeps_as_many_marks_as_any_script_has_and_no_more():
    assert plain_text("a" + 500 * "\u0301" + "b", 40) == "a" + 8 * "\u0301" + "b"
    assert plain_text("a" + 500 * "\u20dd", 40) == "a" + 8 * "\u20dd"
    for word in ("निर्देश", "שָׁלוֹם", "Việt", "ཧཱུྃ", "👩🏽‍⚕️"):
        assert plain_text(word, 40) == word


def test_a_sentence_about_labels_takes_the_names_of_the_classes():
    """The text of a template around its placeholders is kept unchanged."""
    template = f"{LABEL_AT_START[1]} of label 0 is {LABEL[0]}."
    said = AboutLabels(template)
    assert said == "Label 1 of label 0 is label 0."
    assert with_class_names(said, (0, 1)) == "Class 1 of label 0 is class 0."
    named = with_class_names(said, ("{0} well", "ill"))
    assert named == "ill of label 0 is {0} well."
    assert with_class_names("Label 1 as the user wrote it", ("well", "ill")).startswith("Label 1")
    for twin in (pickle.loads(pickle.dumps(said)), copy.copy(said), copy.deepcopy(said)):
        assert (twin, with_class_names(twin, "ab")) == (said, with_class_names(said, "ab"))


def test_advice_says_arguments_as_python_or_as_the_command_does():
    template = f"If {LABEL[0]} is meant, say {{pos_label}}, or {{cost_ratio}}."
    said = Advice(template, pos_label=0, cost_ratio="all of it")
    assert said == "If label 0 is meant, say pos_label=0, or cost_ratio='all of it'."
    named = with_class_names(said, ("{0} well", "ill"))
    assert named == ("If {0} well is meant, say pos_label='{0} well', or cost_ratio='all of it'.")
    options = "say --pos-label '{0} well', or --cost-ratio 'all of it'."
    for twin in (named, pickle.loads(pickle.dumps(named)), copy.copy(named), copy.deepcopy(named)):
        assert (twin, twin.with_options) == (named, f"If {{0}} well is meant, {options}")
    note = Note("A fact:", "a reason.", said).of_classes(("well", "ill"))
    assert note.with_options == (
        "A fact: a reason. If well is meant, say --pos-label well, or --cost-ratio 'all of it'."
    )
    assert Note("A fact:", "a reason.").with_options == "A fact: a reason."


def test_a_time_has_commas_and_its_unit_no_s_at_one():
    assert duration(1825, "days") == "1,825 days"
    assert duration(1, "years") == "1 year"
    assert duration(1.5, "years") == "1.5 years"
    assert duration(1, "ms") == "1 ms"
    assert duration(0.25, "") == "0.25"
