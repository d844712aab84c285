"""The coverage experiment of the teaching notebook: each press of the button adds replicates."""

import re
from pathlib import Path

import nbformat
import pytest
from lab import Lab
from playwright.sync_api import expect

NOTEBOOK = Path(__file__).parents[2] / "notebooks/understanding_the_band.ipynb"
COVERAGE = re.compile(r"^[01]\.\d{3} ± 0\.\d{3}$")


@pytest.mark.thorough
def test_each_press_adds_replicates_and_a_new_start_forgets_them(lab: Lab) -> None:
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    (number,) = (i for i, cell in enumerate(cells) if "panel = coverage_experiment" in cell.source)
    lab.open(NOTEBOOK)
    lab.run_all(to=number)  # the test does not need the cells below; nbval runs them
    # JupyterLab renders cells far from the view only when they are scrolled to.
    lab.page.evaluate(
        "(cell) => window.jupyterapp.shell.currentWidget.content.scrollToItem(cell, 'start')",
        number,
    )
    panel = lab.page.locator(".widget-vbox").filter(has_text="more replicates")
    count = panel.locator("[aria-live]")
    more = panel.get_by_role("button", name="20 more replicates")
    expect(count).to_have_text("0 replicates")
    for expected in (20, 40):
        more.click()
        expect(count).to_have_text(f"{expected} replicates")
        expect(panel.locator("td")).to_have_text([COVERAGE] * 3)
        expect(panel.locator("svg")).to_contain_text("reference: the true π")
        expect(more).to_be_enabled()  # the press has been handled and the picture drawn
    panel.get_by_role("button", name="Start again").click()
    expect(count).to_have_text("0 replicates")
    expect(panel.locator("svg")).to_have_count(0)
    panel.get_by_role("combobox").select_option("wide kernel (Silverman's rule)")
    more.click()
    expect(count).to_have_text("20 replicates")
    expect(panel.locator("svg")).to_contain_text("wide kernel")
