import base64

import pytest
from nbconvert import LatexExporter, RSTExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from widget_state import Elements, payload_of

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget.frame import INSTEAD


@pytest.fixture(scope="module")
def widget():
    X, y = load_breast_cancer(return_X_y=True)
    return ROCWidget.from_estimator(
        LogisticRegression(), X[::2, :3], y[::2], X[1::2, :3], y[1::2], random_state=0
    )


def test_the_output_is_a_sandboxed_frame_that_holds_the_page(widget, tmp_path):
    output = widget.as_html()._repr_html_()
    ((attributes, _),) = Elements(output).all("iframe")
    assert attributes["sandbox"] == "allow-scripts"
    page = attributes["srcdoc"]
    assert page == widget.to_html(tmp_path / "page.html").read_text()
    assert "default-src 'none'" in page
    assert payload_of(page)["state"]["alpha"] == widget.alpha


def test_the_breast_cancer_example_takes_at_most_165_kilobytes():
    """The output has the page, and a second picture for viewers that remove the frame."""
    X_train, X_test, y_train, y_test = train_test_split(
        *load_breast_cancer(return_X_y=True), random_state=0
    )
    model = make_pipeline(StandardScaler(), LogisticRegression())
    rows = (X_train, y_train, X_test, y_test)
    widget = ROCWidget.from_estimator(model, *rows, reference="score", random_state=0)
    assert len(widget.as_html()._repr_html_().encode()) <= 165_000


def test_its_height_is_the_callers_and_followed_by_code_that_knows_its_own_frame(widget):
    output = widget.as_html(height=500)._repr_html_()
    (frame,) = [attributes for attributes, _ in Elements(output).all("iframe")]
    assert "height:500px" in frame["style"]
    assert frame["onload"].startswith("const f=this;")
    assert "e.source===f.contentWindow" in frame["onload"]


def test_the_output_has_no_script_element_for_which_a_host_would_put_it_into_a_frame_of_its_own(
    widget,
):
    assert Elements(widget.as_html()._repr_html_()).all("script") == []


@pytest.mark.parametrize("height", [0, -3, 2.5, "high", True])
def test_a_height_that_is_none_is_refused(widget, height):
    with pytest.raises((TypeError, ValueError), match="height: found"):
        widget.as_html(height=height)


def test_a_viewer_that_takes_the_frame_out_shows_a_sentence(widget):
    output = widget.as_html()._repr_html_()
    assert output.partition("iframe")[2].partition("'>")[2].startswith(f"{INSTEAD}</iframe>")


def test_a_program_that_takes_frames_out_is_left_with_a_picture_and_a_sentence(widget):
    output = widget.as_html()._repr_html_()
    before, _, rest = output.partition("<iframe")
    left = Elements(before + rest.partition("</iframe>")[2])
    ((picture, _),) = left.all("img")
    assert picture["src"].startswith("data:image/svg+xml,")
    assert "Guarantee: at least 95 %" in before


def test_what_shows_no_html_gets_a_picture_and_a_sentence(widget):
    data, metadata = widget.as_html()._repr_mimebundle_()
    assert data["text/html"] == widget.as_html()._repr_html_()
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert metadata["image/png"]["width"] > 0
    assert "Guarantee: at least 95 %" in data["text/plain"]


def test_latex_has_the_picture_and_restructured_text_that_of_the_html(widget):
    data, metadata = widget.as_html()._repr_mimebundle_()
    output = new_output("execute_result", data, metadata=metadata, execution_count=1)
    notebook = new_notebook(cells=[new_code_cell("widget.as_html()", outputs=[output])])
    text, resources = LatexExporter().from_notebook_node(notebook)
    ((name, content),) = resources["outputs"].items()
    assert name in text
    assert content == base64.b64decode(data["image/png"])
    text, _ = RSTExporter().from_notebook_node(notebook)
    assert "Guarantee: at least 95 %" in text.partition("<iframe")[0]
