"""Picture and text of a moment."""

import pytest
from data import evaluation_from_scores

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget import still


@pytest.fixture
def widget():
    return ROCWidget(evaluation_from_scores(1), alpha=0.1, threshold=0.4, band="both")


def test_a_widget_is_shown_even_if_its_picture_cannot_be_made(widget, monkeypatch):
    monkeypatch.setattr(still, "png", lambda *_: 1 / 0)
    with pytest.warns(RuntimeWarning, match="no picture beside the widget: division by zero"):
        data, _ = widget._repr_mimebundle_()
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json"}
