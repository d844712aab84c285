"""The chart as an HTML output: it moves where a widget's state is dropped, and does not leave its
frame.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from framed import FRAME, follows, framed, moves
from lab import Lab
from lab_server import TIMEOUT
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from parts import with_quick
from playwright.sync_api import Browser, Page, expect
from watched import WATCH

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.widget.frame import INSTEAD

# The cell shows the breast cancer data. Its output has at most 220 kB.
CELL = """from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from conformal_roc_widget import ROCWidget

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression())
data = X[::2], y[::2], X[1::2], y[1::2]
widget = ROCWidget.from_estimator(model, *data, reference="score", random_state=0)
widget.as_html()"""
QUARTO = Path(__file__).parents[2] / "notebooks/page.qmd"
APART = True  # the test reloads the page


@pytest.fixture(scope="module")
def widget() -> ROCWidget:
    """The notebook's widget, made in the test process."""
    names: dict = {}
    exec(CELL, names)
    return names["widget"]


@pytest.fixture(scope="module")
def notebook() -> nbformat.NotebookNode:
    """An executed notebook, saved without the state of widgets."""
    kernelspec = {"name": "python3", "display_name": "Python 3"}
    notebook = new_notebook(cells=[new_code_cell(CELL)], metadata={"kernelspec": kernelspec})
    NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    assert "widgets" not in notebook.metadata
    return notebook


@contextmanager
def offline(browser: Browser, file: Path) -> Iterator[Page]:
    """A page with a local file and no network."""
    context = browser.new_context(viewport={"width": 1280, "height": 1400})
    context.set_offline(True)
    context.set_default_timeout(TIMEOUT * 1000)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(file.as_uri())
    try:
        yield page
    finally:
        context.close()


def test_a_bare_page_shows_it_moving_in_a_sandbox_that_reaches_nothing(
    widget: ROCWidget, tmp_path: Path, browser: Browser
) -> None:
    file = tmp_path / "bare.html"
    output = widget.as_html()._repr_html_()
    assert len(output.encode()) <= 220_000
    file.write_text(f"<!doctype html><meta charset=utf-8><title>Bare</title><body>{output}")
    with offline(browser, file) as page:
        frame, view = framed(page)
        moves(view, widget)
        follows(page, frame, view)
        inside = view.inside()
        assert inside.evaluate("window.violations") == []
        assert inside.evaluate("self.origin") == "null"
        assert inside.evaluate("try { parent.document; 0 } catch (e) { e.name }") == "SecurityError"
        for wish in ("fetch('https://a.invalid/')", "fetch('data:,x')"):
            assert inside.evaluate(f"{wish}.then(() => 0, (e) => e.name)") == "TypeError"
        inside.wait_for_function("window.violations.length > 0")
        assert {v.partition(":")[0] for v in inside.evaluate("window.violations")} == {
            "connect-src"
        }


@pytest.mark.parametrize("template", with_quick(["lab", "classic"], ["lab"]))
def test_nbconverts_pages_show_it_moving(
    template: str,
    notebook: nbformat.NotebookNode,
    widget: ROCWidget,
    tmp_path: Path,
    browser: Browser,
) -> None:
    text, _ = HTMLExporter(template_name=template).from_notebook_node(notebook)
    file = tmp_path / "notebook.html"
    file.write_text(text)
    with offline(browser, file) as page:
        frame, view = framed(page)
        moves(view, widget)
        follows(page, frame, view)


@pytest.mark.thorough
def test_a_document_of_quartos_form_makes_a_page_that_moves(
    tmp_path: Path, browser: Browser
) -> None:
    text = QUARTO.read_text().partition("---\n")[2].partition("---\n")[2]
    prose, *code = re.split(r"^```(?:\{python\})?\n", text, flags=re.MULTILINE)
    cells = [new_markdown_cell(prose)]
    for number, part in enumerate(code):
        cells.append(new_markdown_cell(part) if number % 2 else new_code_cell(part))
    document = new_notebook(cells=cells)
    NotebookClient(document, kernel_name="python3", store_widget_state=False).execute()
    file = tmp_path / "page.html"
    file.write_text(HTMLExporter(exclude_input=True).from_notebook_node(document)[0])
    names: dict = {}
    for cell in cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    with offline(browser, file) as page:
        point = names["widget"].operating_point
        expect(page.get_by_text(f"tumours {point.tp} are called so")).to_be_visible()
        frame, view = framed(page)
        moves(view, names["widget"])
        follows(page, frame, view)


@pytest.mark.thorough
def test_a_trusted_notebook_that_is_saved_and_opened_again_shows_it_moving(
    lab: Lab, notebook: nbformat.NotebookNode, widget: ROCWidget
) -> None:
    lab.reopen(notebook)
    framed(lab.page)
    lab.save()
    lab.page.reload()
    frame, view = framed(lab.page)
    moves(view, widget)
    follows(lab.page, frame, view)
    assert lab.kernel("'widget' in globals()") is False, "nothing was run"


def test_a_notebook_that_is_not_trusted_shows_a_sentence_in_its_place(
    lab: Lab, notebook: nbformat.NotebookNode
) -> None:
    other = nbformat.from_dict(notebook)  # trust applies to the whole notebook
    other.cells[0].source += "\n"
    path = lab.server.root / "untrusted.ipynb"
    nbformat.write(other, path)
    lab.show(path.name)
    expect(lab.page.locator(".jp-OutputArea-output")).to_contain_text(INSTEAD)
    assert lab.page.locator(FRAME).count() == 0
