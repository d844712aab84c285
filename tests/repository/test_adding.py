"""The page on where to add things: its files and names exist, and its instructions are enough."""

import re

import documents
import pytest
from data import evaluation_from_scores

from conformal_roc_widget.evaluation.decisions import metrics

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


def test_a_metric_is_an_entry(monkeypatch):
    monkeypatch.setitem(metrics.METRICS, "hits", lambda t, f, s: t * s)
    found = evaluation_from_scores(1).metrics(0.5, prevalence=0.1)
    assert found["hits"].value == pytest.approx(0.1 * found["sensitivity"].value)
    assert "hits" in found.to_frame().index
