"""Pages, pictures, charts and displays of a widget, with its comparators."""

import base64
import struct
from xml.etree import ElementTree

import numpy as np
import pytest
from comparator_widgets import Slow
from data import evaluation_from_scores
from widget_state import payload_of

from conformal_roc_widget import comparators
from conformal_roc_widget.widget import still
from conformal_roc_widget.wire.budget import FROZEN_STOPS


def test_each_display_brings_a_picture_and_a_text_of_that_moment(widget):
    widget.wait()
    first, size = widget._repr_mimebundle_()
    assert set(first) == {"text/plain", "image/png", "application/vnd.jupyter.widget-view+json"}
    image = base64.b64decode(first["image/png"])
    assert len(image) <= 60_000
    width, height = struct.unpack(">II", image[16:24])
    assert size["image/png"] == {"width": width // 2, "height": height // 2}
    point = widget.operating_point
    assert f"AUC {widget.evaluation.observed_auc:.2f}." in first["text/plain"]
    assert f"at most {100 * point.tpr_upper:.0f} % of them have a true risk" in first["text/plain"]
    assert "Conformal, sensitivity: no lower limit" in first["text/plain"]
    for word in ("alpha = 0.05", "Target: ", "Scope: ", "Guarantee: at least 95 %"):
        assert word in first["text/plain"]
    assert widget._repr_mimebundle_()[0] == first, "the same in every run"
    widget.alpha = 0.3
    second, _ = widget._repr_mimebundle_()
    assert second["image/png"] != first["image/png"]
    assert "alpha = 0.3" in second["text/plain"]


@pytest.mark.parametrize("data", ["arrays", "curves"])
def test_a_page_without_a_kernel_has_comparators_at_some_alphas(make, evaluation, tmp_path, data):
    widget = make(evaluation, "bootstrap", "ks", alpha=0.123)
    page = widget.to_html(tmp_path / "a.html", data=data).read_text()
    message = payload_of(page)["comparators"]
    assert [item["status"] for item in message["items"]] == ["done", "done"], "it waits for them"
    for item in message["items"]:
        assert item["alpha"] == 0.123
        assert [stop["alpha"] for stop in item["stops"]] == list(FROZEN_STOPS), "and its own once"
        at = {stop["alpha"]: stop for stop in item["stops"]}
        near = [(item, "<f8"), (at[0.12], "<f4"), (at[0.15], "<f4")]
        for name, below in (("lower", np.less_equal), ("upper", np.greater_equal)):
            own, before, after = (
                np.frombuffer(base64.b64decode(of[name]["base64"]), kind) for of, kind in near
            )
            assert (below(before, own) & below(own, after)).all()
            np.testing.assert_array_equal(own * 2**15 % 1, 0)
    assert "Neither answer replaces the other." in page
    (spare,) = payload_of(make(evaluation).embed(tmp_path))["comparators"]["items"]
    assert (spare["key"], spare["laid"]) == ("bootstrap", False)


def test_pictures_and_texts_name_comparators_under_their_own_question(make, evaluation, tmp_path):
    widget = make(evaluation, "bootstrap", "ks", band="both")
    drawing = widget.to_svg(tmp_path / "a.svg").read_text()
    ElementTree.fromstring(drawing)
    for dash in ("6 3", "3 3"):
        assert drawing.count(f'stroke-dasharray="{dash}"') == 2, "both limits, and the legend"
    text = widget._repr_mimebundle_()[0]["text/plain"]
    first, _, second = text.partition("Another question: ")
    ideal = "an ideal recalibration's sensitivity and specificity, at the same threshold"
    assert f"Target: {ideal}" in first
    assert "population" not in first
    assert "Where would this classifier’s curve lie in the population?" in second
    assert "Bootstrap: population ROC of this classifier; pointwise" in second
    assert "DKW rectangles: population ROC of this classifier; simultaneous" in second


def test_a_display_waits_for_nothing_and_says_the_same(make, evaluation, monkeypatch):
    slow = Slow(monkeypatch)
    widget = make(evaluation, "ks")
    before = widget._repr_mimebundle_()[0]
    slow.step(10)
    widget.wait()
    after = widget._repr_mimebundle_()[0]
    told = "Another question: "
    assert before["text/plain"].split(told)[0] == after["text/plain"].split(told)[0]
    assert before["image/png"] != after["image/png"]


def test_an_altair_chart_has_the_comparators_limits(make):
    evaluation = evaluation_from_scores(1, n_test=100)
    spec = make(evaluation, "ks", alpha=0.1).chart().to_dict()
    band = comparators.ks_band(evaluation.labels, evaluation.scores, 0.1)
    wanted = [
        dict(zip(("x", "lower", "upper"), row, strict=True))
        for row in np.column_stack([band.fpr, band.tpr_lower, band.tpr_upper]).round(5).tolist()
    ]
    assert wanted in [list(rows) for rows in spec["datasets"].values()]


def test_a_widget_is_shown_even_if_its_picture_cannot_be_made(widget, monkeypatch):
    monkeypatch.setattr(still, "png", lambda *_, **__: 1 / 0)
    with pytest.warns(RuntimeWarning, match="no picture beside the widget: division by zero"):
        data, _ = widget._repr_mimebundle_()
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
