"""axe-core finds nothing to complain about: WCAG 2.2 A and AA, in light and dark, state by state."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from lab import Lab
from lab_server import Server
from playwright.sync_api import Browser
from view import View

AXE = Path(__file__).parents[2] / "js/node_modules/axe-core/axe.min.js"
VIEWPORT = {"width": 1600, "height": 1300}
SETUP = """
import numpy as np
from conformal_roc_widget import ROCWidget

def scored(seed, n):
    y = np.resize([0, 1], n)
    score = 1 / (1 + np.exp(1.2 - 2.4 * y + 1.5 * np.random.default_rng(seed).normal(size=n)))
    return y, score

def example(n_calibration=400, **options):
    return ROCWidget.from_predictions(*scored(0, n_calibration), *scored(1, 200), **options)
"""
# Each violation with the elements that it lies in.
RUN_AXE = """async (root) => {
    const { violations, passes, incomplete } = await axe.run(root, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    const brief = (results) => results.map(({ id, help, nodes }) => ({
        id, help, nodes: nodes.map(({ html, any }) => [html.slice(0, 200), any[0]?.message]),
    }));
    return {
        violations: brief(violations),
        unsure: brief(incomplete),
        coloured: passes.filter(({ id }) => id === "color-contrast").flatMap(({ nodes }) => nodes).length,
    };
}"""
# A state is the code that makes the widget, its width, and what is done in the page first.
STATES = {
    "as it starts": ("example()", 1200, ()),
    "both bands": ("example(band='both')", 960, ()),
    "medium": ("example(band='both')", 700, ()),
    "narrow": ("example(band='both')", 360, ()),
    "vacuous": ("example(20, band='both')", 960, ()),
    "a slider in use": ("example()", 960, ("focus alpha",)),
    "the point in use": ("example()", 960, ("focus operating-point",)),
}


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, apart=True, viewport=VIEWPORT) as lab:
        lab.open([""])
        lab.execute(SETUP)
        lab.page.add_script_tag(content=AXE.read_text())
        # JupyterLab's body hides its overflow and has no height, so axe would take nothing for visible.
        lab.page.add_style_tag(content="html, body { height: 100vh; }")
        yield lab


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_no_violation(notebook: Lab, state: str, theme: Literal["light", "dark"]) -> None:
    code, width, deeds = STATES[state]
    notebook.replace_cell(f"widget = {code}\nwidget")
    notebook.set_theme(theme)
    notebook.page.set_viewport_size(VIEWPORT)
    view = View(notebook, notebook.wait_for_widget())
    view.set_width(width)
    view.root.evaluate("(root) => root.scrollIntoView()")
    view.wait(f"root.dataset.theme === '{theme}'")
    for deed in deeds:
        kind, testid = deed.split()
        getattr(view.part(testid), kind)()
    view.rest()
    result = view.root.evaluate(RUN_AXE)
    assert result["violations"] == []
    assert result["coloured"] > 20, "it has looked"


def test_axe_would_find_a_slider_without_a_name_and_text_too_pale(notebook: Lab) -> None:
    notebook.replace_cell("widget = example()\nwidget")
    notebook.set_theme("light")
    view = View(notebook, notebook.wait_for_widget())
    view.set_width(960)
    view.wait("root.dataset.theme === 'light'")
    view.rest()
    view.part("alpha").evaluate("(slider) => slider.removeAttribute('aria-label')")
    # All of it, on a ground of its own: the page may be between two themes, and pale on dark is legible.
    view.root.evaluate("""(root) => {
        root.style.background = "#fff";
        for (const element of root.querySelectorAll("*")) element.style.color = "#aaa";
        root.scrollIntoView();
    }""")
    result = view.root.evaluate(RUN_AXE)
    assert {violation["id"] for violation in result["violations"]} == {
        "aria-input-field-name",
        "color-contrast",
    }, result
