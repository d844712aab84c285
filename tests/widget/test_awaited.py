"""The widget of rows without labels: the prevalence changes its limits, and there is no other view."""

import numpy as np
import pytest
from cases import rising

from conformal_roc_widget import RocEvaluation, ROCWidget


def awaited(**options):
    return RocEvaluation.from_predictions(*rising(90, 2)).unlabelled(rising(40, 2)[1], **options)


def test_the_share_of_positives_makes_new_limits_and_an_empty_one_the_old():
    evaluation = awaited()
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.42)
    same = widget._data
    assert widget.prevalence is None
    assert widget.band == "sensitivity"
    widget.prevalence = 0.3
    told = evaluation.with_prevalence(0.3)
    assert widget._data["entries"][0]["unlabelled"] == {"told": 0.3, "came": 0}
    point = told.operating_point(0.42, 0.1)
    assert widget._frame["entries"][0]["point"]["tpr_upper"] == point.tpr_upper
    assert widget.operating_point.tpr_lower == point.tpr_lower
    assert widget._stops["entries"][0] != {}
    widget.prevalence = None
    assert widget._data == same


def test_a_widget_opens_with_the_share_that_was_told():
    widget = ROCWidget(awaited(prevalence=0.3))
    assert widget.prevalence == 0.3
    assert widget._data["entries"][0]["unlabelled"] == {"told": 0.3, "came": 0}


def test_a_page_asks_for_another_share_and_is_answered_with_data_and_frame():
    widget = ROCWidget(awaited(), threshold=0.42)
    request = {"type": "state", "client": "page", "seq": 1, "since": 0, "prevalence": 0.6}
    widget._receive(widget, request, [])
    assert widget.prevalence == 0.6
    assert widget._frame["seq"] == 1
    assert widget._data["entries"][0]["unlabelled"] == {"told": 0.6, "came": 0}


def test_pages_and_pictures_are_written(tmp_path):
    widget = ROCWidget(awaited())
    widget.save(tmp_path / "page.html")
    widget.save(tmp_path / "picture.svg")
    assert "40 rows without labels" in (tmp_path / "picture.svg").read_text("utf-8")
    assert "40 rows without labels" in widget.report()
    assert widget.selected == ()
    assert np.isfinite(widget.auc).all()


def test_comparators_need_labels():
    with pytest.raises(ValueError, match="comparators"):
        ROCWidget(awaited(), comparators=("ks",))
