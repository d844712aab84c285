"""If ``reveal`` is false, pages contain neither truth nor limits, and show none."""

import numpy as np
import pytest
import traitlets
from data import evaluation_from_scores
from widget_state import payload_of

from conformal_roc_widget import ROCWidget

HIDDEN = {"reveal": False}


@pytest.fixture
def evaluation():
    return evaluation_from_scores(3, n_calibration=200, n_test=120)


def conceals(data, frame, evaluation):
    """Whether messages have only limits from 0 to 1, and no numbers from which limits can be
    computed.
    """
    (entry,), (first,) = data["entries"], frame["entries"]
    for name in ("area", "settled", "precision", "losses", "reliability", "centres", "unranked"):
        assert entry[name] is None
    assert entry["others"] == entry["notes"] == []
    assert not {"means", "rates", "together", "folds"} & set(data)
    # A page holds bytes as text.
    assert all(each["values"] in (b"", {"base64": ""}) for each in entry["residuals"])
    (curve,) = entry["curves"]
    for found in (curve, first):
        assert list(found["auc"]) == [0, 1]
    point = first["point"]
    ends = [point[f"{rate}_{end}"] for rate in ("tpr", "fpr") for end in ("lower", "upper")]
    assert ends == [0, 1, 0, 1]
    assert point["tpr"] == evaluation.operating_point(0.5).tpr
    assert first["quantiles"] is first["ranks"] is None


def test_a_widget_sends_no_limits_until_they_are_revealed(evaluation):
    widget = ROCWidget(evaluation, page=HIDDEN, truth=evaluation.scores)
    widget.wait()
    conceals(widget._data, widget._frame, evaluation)
    for alpha, band in ((0.1, "both"), (0.2, "sampling"), (0.05, "ideal")):
        widget.alpha, widget.band = alpha, band
        conceals(widget._data, widget._frame, evaluation)
    assert widget._comparators == widget._ideal == widget._stops == {}
    widget.band, widget.page = "sensitivity", {"reveal": True}
    widget.wait()
    known = ROCWidget(evaluation, truth=evaluation.scores, band="sensitivity")
    known.wait()
    assert widget._data == known._data
    assert widget._frame["entries"] == known._frame["entries"]
    assert widget._comparators["items"]
    assert widget._stops
    widget.page = HIDDEN
    conceals(widget._data, widget._frame, evaluation)
    assert widget._comparators == widget._stops == {}


@pytest.mark.parametrize("data", ["arrays", "curves"])
@pytest.mark.parametrize("band", ["sensitivity", "sampling", "ideal"])
def test_a_page_holds_neither_truth_nor_limits(evaluation, tmp_path, data, band):
    widget = ROCWidget(evaluation, page=HIDDEN, band=band, truth=evaluation.scores)
    text = widget.to_html(tmp_path / "guess.html", data=data).read_text()
    payload = payload_of(text)
    assert payload["comparators"] is payload["ideal"] is None
    assert (payload["state"]["band"], payload["state"]["page"]) == ("none", HIDDEN)
    conceals(payload["data"], payload["frame"], evaluation)
    assert " sure)" not in text
    assert "limits" not in widget.to_svg(tmp_path / "guess.svg").read_text()


def test_only_a_single_curve_is_concealed(evaluation):
    both = {"a": evaluation, "b": evaluation_from_scores(4, n_calibration=200, n_test=120)}
    with pytest.raises(traitlets.TraitError, match=r"page\['reveal'\]: found False for several"):
        ROCWidget(both, kind="samples", page=HIDDEN)
    with pytest.raises(traitlets.TraitError, match=r"page\['reveal'\]: found int, expected a bool"):
        ROCWidget(evaluation, page={"reveal": 1})


def test_scores_are_those_of_the_rows(evaluation):
    widget = ROCWidget(evaluation, page=HIDDEN)
    for label, sent in enumerate(widget._data["entries"][0]["scores"]):
        own = np.sort(evaluation.scores[evaluation.labels == label])
        np.testing.assert_array_equal(np.frombuffer(sent["values"], "<f4"), own.astype(np.float32))
