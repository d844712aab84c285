"""The table of comparators: its entries, selections, and one more entry."""

import inspect
from xml.etree import ElementTree

import numpy as np
import pytest
from cases import rising
from data import evaluation_from_scores, scored

from conformal_roc_widget import Promise, RocEvaluation, ROCWidget, comparators
from conformal_roc_widget.comparators.registry import COMPARATORS, Comparator, Resampling
from conformal_roc_widget.shown.theme import THEMES


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1)


VACUOUS = Promise("sampling", "all of it", "simultaneous: all of it", "sure")


class AllOrNothing:
    """A comparator whose band goes from 0 to 1."""

    promise = VACUOUS

    def __init__(self, y, score, resampling):
        pass

    def band(self, alpha):
        limits = {
            "fpr": [0.0, 1.0],
            "tpr": [0.0, 1.0],
            "tpr_lower": [0.0, 0.0],
            "tpr_upper": [1.0, 1.0],
        }
        arrays = {name: np.array(values) for name, values in limits.items()}
        return comparators.ComparatorBand(
            **arrays,
            alpha=alpha,
            method="none",
            promise=VACUOUS,
        )


def test_a_marker_goes_in_as_it_is():
    """No logits are computed of scores that are not probabilities."""
    y, marker = rising(90, 2)[0], 300 * rising(90, 2)[1] - 60
    widget = ROCWidget.from_predictions(y, marker, comparators=("working_hotelling",))
    widget.wait(60)
    wanted = comparators.working_hotelling_band(y, marker)
    np.testing.assert_array_equal(widget.comparators["working_hotelling"].tpr, wanted.tpr)


def test_a_fifth_comparator_is_one_entry_and_is_seen_everywhere(evaluation, monkeypatch, tmp_path):
    fifth = Comparator("vacuous", "All or nothing", VACUOUS, AllOrNothing)
    monkeypatch.setitem(COMPARATORS, fifth.key, fifth)
    widget = ROCWidget(evaluation, comparators=("vacuous", "ks"))
    widget.wait()
    assert list(widget.comparators) == ["vacuous", "ks"]
    assert [item["name"] for item in widget._comparators["items"]] == [
        "All or nothing",
        "DKW rectangles",
    ]
    drawing = widget.to_svg(tmp_path / "a.svg").read_text()
    text = "".join(ElementTree.fromstring(drawing).itertext())
    assert "All or nothing" in text
    assert THEMES["light"].comparators["other"] in drawing
    assert "All or nothing" in widget._repr_mimebundle_()[0]["text/plain"]
    assert "All or nothing" in widget.chart().to_json()
    widget.close()


@pytest.mark.parametrize("key", list(COMPARATORS))
def test_an_entry_says_what_its_band_says(evaluation, key):
    pytest.importorskip("rocci")
    entry = COMPARATORS[key]
    band = entry.family(evaluation.labels, evaluation.scores, Resampling(resamples=100)).band(0.1)
    assert (entry.key, entry.promise.at(0.1)) == (key, band.promise)


@pytest.mark.parametrize("name", comparators.__all__)
def test_help_on_a_public_function_or_class_is_complete_by_itself(name):
    shown = getattr(comparators, name)
    if callable(shown):
        lines = inspect.getdoc(shown).splitlines()
        sent_away = [line for line in lines if line.startswith(("    As in `", "    As there"))]
        assert not sent_away, "parameters and errors are said in each docstring"


@pytest.mark.parametrize("digits", [1, 17])
def test_scores_that_an_evaluation_has_sorted_make_the_same_bootstrap(rng, digits):
    y, p = scored(rng, 90)
    p = np.round(p, digits)
    entry, how = COMPARATORS["bootstrap"], Resampling(resamples=100)
    found = entry.of_evaluation(RocEvaluation.from_predictions(y, p), how)
    expected = entry.of_probabilities(y, p, how)
    np.testing.assert_array_equal(found.ordered, expected.ordered)
    np.testing.assert_array_equal(found.tpr, expected.tpr)
    assert (found.notes, found.promise) == (expected.notes, expected.promise)
