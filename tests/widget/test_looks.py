"""Limits at every look on a widget: who has them, who has none, and the texts."""

import re

import numpy as np
import pandas as pd
import pytest
from data import evaluation_from_scores
from traitlets import TraitError
from widget_state import payload_of

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.comparators import delong_interval, ks_band


def rows(zeros=60, ones=40):
    y = np.repeat([0, 1], [zeros, ones])
    place = np.arange(y.size) * 0.381966 % 1
    return y, (0.1 + 0.5 * place + 0.3 * y).round(3)


@pytest.fixture
def widget():
    return ROCWidget.from_predictions(*rows(), alpha=0.1, looks="any")


def test_area_band_point_and_table_hold_at_every_look(widget):
    y, score = rows()
    assert widget.auc == delong_interval(y, score, 0.1, looks="any", pos_label=1)
    assert "at every look as rows arrive" in widget.auc.scope
    band, wanted = widget.current_band, ks_band(y, score, 0.1, looks="any")
    np.testing.assert_array_equal(band.tpr_lower, wanted.tpr_lower)
    assert band.promise == wanted.promise
    point, frame = widget.operating_point, widget.to_frame()
    assert "at every look as rows arrive" in point.scope
    at = frame[frame["threshold"] >= 0.5].iloc[-1]
    assert at["tpr_lower"] == point.tpr_lower
    assert at["fpr_upper"] == point.fpr_upper
    widget.looks = "once"
    assert widget.auc == delong_interval(y, score, 0.1, pos_label=1)
    once = widget.operating_point
    assert point.tpr_lower < once.tpr_lower < once.tpr < once.tpr_upper < point.tpr_upper
    assert "look" not in once.scope
    assert "look" not in widget.current_band.scope


def test_conformal_limits_stay_those_of_one_look(widget):
    widget.band = "sensitivity"
    wide = widget.to_frame()
    widget.looks = "once"
    pd.testing.assert_frame_equal(wide, widget.to_frame())


def test_page_and_pictures_say_it(widget, tmp_path):
    said = widget.to_svg(tmp_path / "a.svg").read_text()
    text = " ".join(re.findall(">([^<]+)<", said))
    assert "at every look" in text
    assert "DeLong, every look" in text
    assert "Waudby-Smith" in widget.report()
    page = payload_of(widget.to_html(tmp_path / "a.html").read_text())
    assert page["state"]["looks"] == "any"
    widget.view = "precision_recall"
    assert "not known at every look" in widget.to_svg(tmp_path / "b.svg").read_text().replace(
        "\n", " "
    )


def test_before_the_first_look_there_are_no_limits(tmp_path):
    widget = ROCWidget.from_predictions(*rows(60, 19), looks="any")
    assert widget.auc[1:] == (0, 1)
    assert widget.auc.notes[0].startswith("Limits at every look begin at 20 rows of each label")
    point = widget.operating_point
    assert (point.tpr_lower, point.tpr_upper) == (0, 1)
    assert (point.fpr_lower, point.fpr_upper) == (0, 1)
    said = " ".join(re.findall(">([^<]+)<", widget.to_svg(tmp_path / "a.svg").read_text()))
    assert "none before 20 rows of each label" in said


def test_a_goal_is_kept_at_one_look_alone():
    y, score = rows(600, 400)
    goal = {"sensitivity": 0.5}
    widget = ROCWidget.from_predictions(y, score, goal=goal, threshold=0.2)
    assert widget._kept_threshold(widget.evaluation) is not None
    widget.looks = "any"
    assert widget._kept_threshold(widget.evaluation) is None


def test_what_has_no_theory_is_refused_by_name():
    y, score = rows()
    place = np.arange(100)
    found = {
        "test rows with weights": {"sample_weight_test": 1 + place % 3},
        "several test rows of one person": {"groups_test": place // 2},
    }
    for name, more in found.items():
        evaluation = RocEvaluation.from_predictions(y, score, **more)
        with pytest.raises(TraitError, match=f"^looks: found 'any' and {name}, expected 'once'"):
            ROCWidget(evaluation, looks="any")
        widget = ROCWidget(evaluation)
        with pytest.raises(TraitError, match=name):
            widget.looks = "any"
        assert widget.looks == "once"
    several = {name: evaluation_from_scores(1) for name in "ab"}
    with pytest.raises(TraitError, match="looks: found 'any' and several evaluations"):
        ROCWidget(several, kind="classifiers", looks="any")
    table = RocEvaluation.from_table(
        pd.DataFrame({"y": y, "score": score}),
        score="score",
        label="y",
        y_calibration=y,
        score_calibration=score,
    )
    with pytest.raises(TraitError, match="a table's summary"):
        ROCWidget(table, looks="any")
    event, time = y.astype(bool), 1 + place * 37 % 100
    followed = np.array(list(zip(event, time, strict=True)), dtype=[("e", bool), ("t", float)])
    evaluation = RocEvaluation.from_predictions(followed, score, followed, score, horizon=50)
    with pytest.raises(TraitError, match="outcomes with a time"):
        ROCWidget(evaluation, looks="any")


def test_what_is_neither_is_refused():
    with pytest.raises(TraitError, match="looks: found 'daily', expected one of 'once', 'any'"):
        ROCWidget.from_predictions(*rows(), looks="daily")
    with pytest.raises(TypeError, match="look"):
        ROCWidget.from_predictions(*rows(), look="any")
