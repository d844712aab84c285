"""An evaluation or a calibration band at the end of a cell."""

import importlib.util

import numpy as np
import pytest
from data import evaluation_from_scores, scored
from IPython.core.interactiveshell import InteractiveShell

from conformal_roc_widget import RocEvaluation, calibration_band
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.widget import display
from conformal_roc_widget.widget.still import still

BAND = scored(np.random.default_rng(1), 60)


class WithKernel:
    kernel = object()


@pytest.fixture
def notebook(monkeypatch):
    import IPython

    monkeypatch.setattr(IPython, "get_ipython", WithKernel)


def test_an_evaluation_at_the_end_of_a_cell_shows_the_widget(notebook):
    evaluation = evaluation_from_scores(1)
    data, _ = evaluation._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} == set(data)
    again, _ = evaluation._repr_mimebundle_()
    model = "application/vnd.jupyter.widget-view+json"
    assert data[model] == again[model], "a second display is a second view"
    display._SHOWN[evaluation].close()
    renewed, _ = evaluation._repr_mimebundle_()
    assert renewed[model] != data[model]


def test_without_anywidget_it_shows_the_picture_and_the_text(notebook, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "anywidget" else found(name)
    )
    data, metadata = evaluation_from_scores(1)._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert metadata["image/png"]["width"] > 400
    inside, _ = still(group := Group.of(evaluation_from_scores(1)), Controls())
    assert data["image/png"] != inside["image/png"], "the classifier's own limits lie in the band"
    assert display.overlaid_now(group, Controls(band="both")).bands
    alone, _ = RocEvaluation.from_predictions(*BAND)._repr_mimebundle_()
    assert "Guarantee: 95 % in large samples" in alone["text/plain"], "its band is drawn"


@pytest.mark.parametrize("n", [20, 3000])
def test_the_first_picture_waits_for_its_band(notebook, n, rng):
    """A notebook is saved with the first picture, so the picture waits for the resampling."""
    labels = (rng.random(n) < 0.4).astype(int)
    evaluation = RocEvaluation.from_predictions(labels, rng.random(n))
    first, second = (evaluation._repr_mimebundle_()[0] for _ in range(2))
    assert "Guarantee: 95 % in large samples" in first["text/plain"]
    assert first["image/png"] == second["image/png"]


@pytest.fixture
def terminal():
    InteractiveShell.clear_instance()
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def test_in_a_terminal_it_is_a_line_of_text(terminal):
    for shown in (evaluation_from_scores(1), calibration_band(*BAND)):
        assert shown._repr_mimebundle_() is None
        data, _ = terminal.display_formatter.format(shown)
        assert data == {"text/plain": repr(shown)}


def test_a_calibration_band_shows_its_diagram_and_a_text():
    band = calibration_band(*BAND)
    data, _ = band._repr_mimebundle_()
    assert data["text/plain"] == repr(band)
    assert len(data) > 1
