"""The table of comparators: its entries, the choice of some, and one more."""

from xml.etree import ElementTree

import numpy as np
import pytest
from data import evaluation_from_scores

from conformal_roc_widget import Promise, ROCWidget, comparators
from conformal_roc_widget.comparators.registry import COMPARATORS, Comparator, Resampling
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.view.theme import COMPARATOR_DASHES, THEMES


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1)


class AllOrNothing:
    """The band from 0 to 1."""

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
            promise=Promise("none", "all of it", "simultaneous: all of it", "sure"),
        )


def test_a_fifth_comparator_is_one_entry_and_is_seen_everywhere(evaluation, monkeypatch, tmp_path):
    fifth = Comparator("vacuous", "All or nothing", "simultaneous: all of it", AllOrNothing)
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
    assert "All or nothing, population" in text
    assert THEMES["light"].comparators["other"] in drawing
    assert "All or nothing" in widget._repr_mimebundle_()[0]["text/plain"]
    assert "All or nothing, population" in widget.chart().to_json()
    widget.close()


@pytest.mark.parametrize("key", list(COMPARATORS))
def test_an_entry_says_what_its_band_says(evaluation, key):
    pytest.importorskip("rocci")
    entry = COMPARATORS[key]
    band = entry.family(evaluation.labels, evaluation.scores, Resampling(resamples=100)).band(0.1)
    assert (entry.key, entry.scope, entry.target) == (key, band.scope, band.target)


def test_every_look_has_a_colour_and_a_dash_of_its_own():
    looks = ["other", *(entry.look for entry in COMPARATORS.values())]
    for theme in THEMES.values():
        assert len({theme.comparators[look] for look in looks}) == len(looks)
    assert len({tuple(COMPARATOR_DASHES[look]) for look in looks}) == len(looks)


def test_the_family_gives_the_band_of_the_function(evaluation):
    pytest.importorskip("rocci")
    y, p = evaluation.labels, evaluation.scores
    functions = {
        "bootstrap": lambda s: comparators.bootstrap_band(y, s, 0.1, resamples=150, random_state=3),
        "simultaneous": lambda s: comparators.simultaneous_band(
            y, s, 0.1, resamples=150, random_state=3
        ),
        "ks": lambda s: comparators.ks_band(y, s, 0.1),
        "working_hotelling": lambda s: comparators.working_hotelling_band(y, s, 0.1),
    }
    assert set(functions) == set(COMPARATORS)
    for key, function in functions.items():
        resampling = Resampling(resamples=150, random_state=3)
        found = COMPARATORS[key].family(y, p, resampling).band(0.1)
        np.testing.assert_array_equal(found.tpr_upper, function(p).tpr_upper)
        found = COMPARATORS[key].of_probabilities(y, p, resampling).band(0.1)
        expected = function(logit_of(p) if key == "working_hotelling" else p)
        np.testing.assert_array_equal(found.tpr_lower, expected.tpr_lower)
