"""axe-core finds no violation of WCAG 2.2 A and AA, in light and dark, state by state."""

from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from page import Open, made
from parts import with_quick

AXE = Path(__file__).parents[2] / "js/node_modules/axe-core/axe.min.js"
# Lists each violation with the elements concerned.
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
# A state is: the code that makes the widget, its width, and what is done on the page first.
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
    # Themes differ only in colours, so only these are checked in both. All else is checked in every
    # state.
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


POPULATIONS = "ROCWidget({'one': evaluated(), 'other': evaluated(300, seed=7)}, kind='populations')"
# Returns the box of the focused element, whether it is visible, and the boxes around it that can
# show the focus.
FOCUSED = """() => {
    const element = document.activeElement;
    if (element === document.body) return null;
    const { x, y, width, height } = (element.closest("label") ?? element).getBoundingClientRect();
    return { clip: { x: x - 8, y: y - 8, width: width + 16, height: height + 16 },
        seen: element.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0 };
}"""
# Counts the messages in live regions, which screen readers announce at once.
LISTEN = """(root) => {
    window.told = 0;
    const told = new MutationObserver(() => { window.told += 1; });
    for (const region of root.querySelectorAll("[aria-live], [role=status], [role=alert]"))
        told.observe(region, { childList: true, characterData: true, subtree: true });
}"""
KINDS = {"one": "example()", "several": STATES["several"][0], "populations": POPULATIONS}


@pytest.mark.parametrize("kind", with_quick(list(KINDS), ["several"]))
def test_all_is_reached_by_keys_named_and_seen_to_have_the_focus(alone: Open, kind: str) -> None:
    view = alone(made(f"widget = {KINDS[kind]}"))
    view.settle()
    page, stops = view.page, []
    page.keyboard.press("Tab")
    while (focused := page.evaluate(FOCUSED)) is not None and len(stops) < 40:
        element = page.locator(":focus")
        stops.append(element.aria_snapshot())
        assert focused["seen"], stops[-1]
        with_focus = page.screenshot(clip=focused["clip"])
        element.evaluate("(element) => element.blur()")
        assert page.screenshot(clip=focused["clip"]) != with_focus, stops[-1]
        page.keyboard.press("Tab")
    named = [stop for stop in stops if '"' in stop or "text:" in stop or ": " in stop]
    assert named == stops
    assert 15 < len(stops) < 40
    for slider in ("Operating point", "Confidence", "Threshold"):
        assert sum(f'slider "{slider}' in stop for stop in stops) == 1


@pytest.mark.parametrize("kind", with_quick(list(KINDS), ["one"]))
def test_a_drag_tells_a_screen_reader_nothing_until_it_ends(alone: Open, kind: str) -> None:
    view = alone(made(f"widget = {KINDS[kind]}"))
    view.settle()
    view.root.evaluate(LISTEN)
    start = view.on_track("threshold", view.valuenow("threshold"))
    view.grasp(start)
    for share in (0.55, 0.6, 0.7):
        view.page.mouse.move(*view.on_track("threshold", share), steps=4)
        view.frames()
        assert view.page.evaluate("window.told") == 0
    view.page.mouse.up()
    view.page.wait_for_function("() => window.told > 0")


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
