"""Comparators that are being made, done or failed, and the bands among them."""

from data import evaluation_from_scores

from conformal_roc_widget.comparators import COMPARATORS, ks_band
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay


def test_a_comparator_at_work_has_the_words_of_the_registry_and_no_band():
    overlay = Overlay.working(COMPARATORS["bootstrap"], 7)
    assert (overlay.key, overlay.name, overlay.look) == ("bootstrap", "Bootstrap", "bootstrap")
    assert (overlay.status, overlay.done, overlay.total) == ("working", 7, 2000)
    assert overlay.target == "population ROC of this classifier"
    assert overlay.scope.startswith("pointwise")
    assert overlay.band is None


def test_the_bands_are_those_of_comparators_that_are_done():
    evaluation = evaluation_from_scores(1)
    band = ks_band(evaluation.labels, evaluation.scores)
    working = Overlay.working(COMPARATORS["bootstrap"])
    failed = working._replace(key="simultaneous", status="failed", message="no room")
    done = Overlay.working(COMPARATORS["ks"])._replace(status="done", band=band)
    overlaid = Overlaid(None, 0.05, (working, failed, done))
    assert overlaid.bands == {"ks": band}
