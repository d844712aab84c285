"""The page that says where to add: its files and names are there, and what it says is enough."""

import re
from dataclasses import dataclass

import documents
import numpy as np
import pytest
from data import evaluation_from_scores
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget
from conformal_roc_widget.calibration import named_references
from conformal_roc_widget.calibration.references import Reference
from conformal_roc_widget.comparators import registry
from conformal_roc_widget.comparators.comparator_band import POINTWISE, BandFamily, sampling
from conformal_roc_widget.evaluation import metrics

PAGE = documents.ROOT / "docs/adding.md"
ROWS = re.findall(r"^\| (?!to add|---)([^|]+) \| `([^`|]+)` \| ([^|]+) \|$", PAGE.read_text(), re.M)
PLACE = r"(?:conformal_roc_widget|js|tests)/[\w/.]+"


def test_every_row_of_the_page_is_read():
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(rows) - 1


@pytest.mark.parametrize(("what", "file", "entry"), ROWS, ids=[f"{w}-{f}" for w, f, _ in ROWS])
def test_the_names_of_a_row_are_in_its_file(what, file, entry):
    place = documents.ROOT / file
    assert place.exists()
    for other in re.findall(f"`({PLACE})`", entry):
        assert (documents.ROOT / other).exists(), other
    for name, other in re.findall(rf"`(\w+)` of `({PLACE})`", entry):
        assert re.search(rf"\b{name}\b", (documents.ROOT / other).read_text()), name
    here = re.sub(rf"`\w+` of `{PLACE}`|`{PLACE}`", "", entry)
    text = place.read_text() if place.is_file() else ""
    for name in re.findall(r"`(\w+)`", here):
        assert re.search(rf"\b{name}\b", text), name


class Half(Reference):
    """Everybody has a probability of one half."""

    text = "'half'"

    def __init__(self, settings):
        pass

    def _learn(self, training, seed):
        pass

    def logits(self, points, class_logits):
        return np.zeros(class_logits.shape)


def test_a_reference_is_a_class_and_a_name(monkeypatch, rng):
    monkeypatch.setitem(named_references.NAMED, "half", Half)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] > 0).astype(int)
    model = ConformalROC(LogisticRegression(), reference="half", random_state=0).fit(X, y)
    assert model.reference_ == "half"
    assert model.evaluate(X, y).band(0.2).tpr_lower.size


@dataclass(frozen=True, eq=False)
class Everything(BandFamily):
    """From 0 to 1."""

    fpr: np.ndarray
    tpr: np.ndarray
    notes: tuple[str, ...] = ()

    method = "everything"
    promise = sampling(POINTWISE, "{confidence}, and more")

    def limits(self, level):
        return np.zeros(self.fpr.size), np.ones(self.fpr.size), [f"asked for at {level:g}"]


def test_a_comparator_is_a_family_and_an_entry(monkeypatch):
    grid = np.linspace(0, 1, 5)
    entry = registry.Comparator(
        "everything", "Everything", POINTWISE, lambda y, score, _: Everything(grid, grid)
    )
    monkeypatch.setitem(registry.COMPARATORS, "everything", entry)
    widget = ROCWidget(evaluation_from_scores(1), comparators=("everything",))
    try:
        band = widget.comparators["everything"]
    finally:
        widget.close()
    assert band.method == "everything"
    assert band.guarantee == "95 %, and more"
    assert band.notes == ("asked for at 0.05",)


def test_a_metric_is_an_entry(monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "hits", lambda t, f, s: t * s)
    found = evaluation_from_scores(1).metrics(0.5, prevalence=0.1)
    assert found["hits"].value == pytest.approx(0.1 * found["sensitivity"].value)
    assert "hits" in found.to_frame().index
