"""axe-core finds nothing to complain about: WCAG 2.2 A and AA, in light and dark, state by state."""

from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from page import Open, made
from parts import with_quick

AXE = Path(__file__).parents[2] / "js/node_modules/axe-core/axe.min.js"
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
    "as it starts": ("example()", 1120, ()),
    "both bands": ("example(band='both')", 960, ()),
    "medium": ("example(band='both')", 700, ()),
    "narrow": ("example(band='both')", 360, ()),
    "vacuous": ("example(20, band='both')", 960, ()),
    "a slider in use": ("example()", 960, ("focus alpha",)),
    "the point in use": ("example()", 960, ("focus operating-point",)),
    "several": ("ROCWidget({'one': evaluated(), 'other': evaluated(300, seed=7)})", 960, ()),
}


@pytest.mark.parametrize(
    ("state", "theme"),
    # Colours differ between the themes, and all else between the states.
    with_quick(
        product(STATES, ("light", "dark")),
        [("as it starts", "light"), ("narrow", "dark"), ("vacuous", "light"), ("several", "dark")],
    ),
)
def test_axe_finds_no_violation(alone: Open, state: str, theme: Literal["light", "dark"]) -> None:
    code, width, deeds = STATES[state]
    view = alone(made(f"widget = {code}"), color_scheme=theme)
    view.page.evaluate(AXE.read_text())
    view.set_width(width)
    assert view.root.get_attribute("data-theme") == theme
    for deed in deeds:
        kind, testid = deed.split()
        getattr(view.part(testid), kind)()
    view.settle()
    result = view.root.evaluate(RUN_AXE)
    assert result["violations"] == []
    assert result["coloured"] > 20, "it has looked"


def test_axe_would_find_a_slider_without_a_name_and_text_too_pale(
    alone: Open,
) -> None:
    view = alone(made("widget = example()"), color_scheme="light")
    view.page.evaluate(AXE.read_text())
    view.part("alpha").evaluate("(slider) => slider.removeAttribute('aria-label')")
    view.root.evaluate("""(root) => {
        for (const element of root.querySelectorAll("*")) element.style.color = "#aaa";
    }""")
    result = view.root.evaluate(RUN_AXE)
    assert {violation["id"] for violation in result["violations"]} == {
        "aria-input-field-name",
        "color-contrast",
    }, result
