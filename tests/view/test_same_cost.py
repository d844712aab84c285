"""The line of the same cost and the point of least cost, in numbers and in every picture."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from data import evaluation_from_scores
from oracles import expected_cost

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.view.same_cost import HALF, same_cost
from conformal_roc_widget.view.theme import THEMES

COLOURS = THEMES["light"]


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(1, n_calibration=400)


@pytest.mark.parametrize(("share", "cost"), [(0.12, 8.0), (0.5, 1.0), (0.01, 0.2), (0.99, 100.0)])
def test_the_cost_is_the_same_along_the_line_which_ends_at_the_plot(evaluation, share, cost):
    point = evaluation.operating_point(0.4, 0.1)
    line = same_cost(evaluation.band(0.1), point, share, cost, COLOURS)
    here = expected_cost(point.fpr, point.tpr, share, cost)
    costs = expected_cost(line.fpr, line.tpr, share, cost)
    np.testing.assert_allclose(costs, here, rtol=1e-9)
    for fpr, tpr in zip(line.fpr, line.tpr, strict=True):
        assert 0 <= fpr <= 1
        assert 0 <= tpr <= 1
        assert min(fpr, tpr, 1 - fpr, 1 - tpr) == pytest.approx(0, abs=1e-12)
    assert line.fpr[0] <= point.fpr <= line.fpr[1]


@pytest.mark.parametrize("prevalence", [None, 0.12])
def test_every_picture_has_the_line_and_the_diamond(evaluation, prevalence, tmp_path):
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.4, prevalence=prevalence, cost_ratio=8)
    share = prevalence or evaluation.own_prevalence
    line = same_cost(evaluation.band(0.1), evaluation.operating_point(0.4, 0.1), share, 8, COLOURS)
    svg = widget.to_svg(tmp_path / "chart.svg").read_text("utf-8")
    paths = [node for node in ElementTree.fromstring(svg).iter() if node.tag.endswith("path")]
    dashed = [node for node in paths if node.get("stroke-dasharray") == "8 4"]
    assert len(dashed) == 2, "on the plot and in the legend"
    filled = [node.get("d") or "" for node in paths if node.get("fill") == COLOURS.background]
    x, y = np.round((408 * line.least[0], 408 * (1 - line.least[1]) - HALF), 2)
    assert [d for d in filled if d.startswith(f"M{x:g} {y:g}L")]
    chart = json.dumps(widget.chart().to_dict())
    assert '"shape": "diamond"' in chart
    words = " ".join("".join(ElementTree.fromstring(svg).itertext()).split())
    assert line.key.text in words
    assert json.dumps(line.key.text)[1:-1] in chart
    assert "a miss counts as 8 false alarms" in words


def test_without_a_cost_and_of_several_together_there_is_neither(evaluation, tmp_path):
    def has_line(widget):
        return "same cost" in widget.to_svg(tmp_path / "chart.svg").read_text("utf-8")

    assert not has_line(ROCWidget(evaluation, alpha=0.1))
    several = ROCWidget({"one": evaluation, "other": evaluation}, cost_ratio=8)
    assert not has_line(several)
    several.label = "one"
    assert has_line(several)
