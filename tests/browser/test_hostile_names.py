"""Hostile names are shown as text and never executed, in pages, pictures and charts."""

from pathlib import Path

import altair as alt
import pytest
import vl_convert
from hostile import HOSTILE, named
from packaging.version import Version
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser
from view import View

from conformal_roc_widget import ROCWidget

# Finds elements that the name may have created, and elements that overflow.
ALIVE = "(root) => [...root.querySelectorAll('img, script, iframe, object, use, a[href]')].length"
OVERFLOW = """(root) => {
    const wide = (e) => e.scrollWidth > e.clientWidth + 1;
    const right = root.getBoundingClientRect().right + 1;
    // An ellipsis says that there is more.
    const isClipped = (e) => {
        const around = e.parentElement;
        if (around === root) return false;
        const { overflowX, textOverflow } = getComputedStyle(around);
        const isEllipsis = overflowX === "hidden" && textOverflow === "ellipsis";
        return isEllipsis && around.getBoundingClientRect().right <= right || isClipped(around);
    };
    const found = wide(root) ? ["the chart"] : [];
    if (wide(document.documentElement)) found.push("the page");
    for (const e of root.querySelectorAll("*")) {
        if (e.closest(".crw-hidden, [hidden]") || !e.checkVisibility()) continue;
        if (e.getBoundingClientRect().right <= right || isClipped(e)) continue;
        found.push(`${e.getAttribute("class") ?? e.tagName}: ${e.textContent.slice(0, 40)}`);
    }
    return found;
}"""
# Finds text after a right-to-left name, in the same line and without isolation.
TURNED = """(root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!/[\\u202e\\u2067]/.test(node.data)) continue;
        let element = node.parentElement;
        const shields = (e) => /isolate|plaintext/.test(getComputedStyle(e).unicodeBidi) ||
            !/^inline$/.test(getComputedStyle(e).display) || e.tagName === "text";
        while (!shields(element)) element = element.parentElement;
        const after = element.textContent.slice(element.textContent.search(/[\\u202e\\u2067]/));
        if (!/evil[\\u2067\\u200f]*$/.test(after.trim())) found.push(element.textContent);
    }
    return found;
}"""


def hostile_widget() -> ROCWidget:
    return ROCWidget({name: named(name) for name in HOSTILE.values()}, kind="samples")


def assert_harmless(view: View) -> None:
    """Asserts that the chart consists of text and lines, and fits."""
    found = view.root.evaluate(
        f"(root) => [window.pwned ?? 'nothing ran', ({ALIVE})(root), ({OVERFLOW})(root), ({TURNED})(root)]"
    )
    assert found == ["nothing ran", 0, [], []]


def walk_through(view: View) -> None:
    """Selects each entry with a hostile name, and all entries together."""
    assert_harmless(view)
    picker = view.part("picker").locator("select")
    names = picker.locator("option").all_text_contents()
    assert len(names) == len(HOSTILE)
    for i, (shown, name) in enumerate(zip(names, HOSTILE.values(), strict=True)):
        letters, start = (
            "".join(c for c in text[:40] if c.isprintable() and not c.isspace())
            for text in (shown, name)
        )
        assert letters.startswith(start[:8])
        assert len(shown) <= 200
        picker.select_option(index=i)
        view.frames()
        assert view.root.get_attribute("data-view") == "entry"
        assert_harmless(view)


@pytest.mark.parametrize("width", with_quick([1280, 360], [360]))
def test_hostile_names_are_text_in_a_file(width: int, tmp_path: Path, browser: Browser) -> None:
    widget = hostile_widget()
    file = widget.to_html(tmp_path / "a.html", title=HOSTILE["end of script"] + HOSTILE["image"])
    with Opened(browser, file, viewport={"width": width, "height": 900}) as opened:
        view = opened.view()
        walk_through(view)
        assert opened.page.title().startswith("</script>")
        view.page.mouse.move(*view.on_plot(0.5, 0.5))
        view.frames()
        assert_harmless(view)


@pytest.mark.parametrize("kind", with_quick(HOSTILE, ["image", "separators"]))
def test_hostile_names_are_text_in_an_svg_image(
    kind: str, tmp_path: Path, browser: Browser
) -> None:
    widget, name = hostile_widget(), HOSTILE[kind]
    widget.label = name
    file = widget.to_svg(tmp_path / "a.svg", title=name)
    with Opened(browser, file) as opened:
        assert_harmless_image(opened)


def assert_harmless_image(opened: Opened) -> None:
    """Asserts that an SVG document contains only drawing elements, within its frame."""
    page = opened.page
    assert page.evaluate("document.documentElement.tagName") == "svg"
    assert page.evaluate("window.pwned") is None
    assert page.locator("script, foreignObject, image, a, use, parsererror").count() == 0
    beyond = page.evaluate("""[...document.querySelectorAll("text")].filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        const frame = document.documentElement.getBoundingClientRect();
        return left < frame.left - 1 || right > frame.right + 1;
    }).map((text) => text.textContent)""")
    assert beyond == []


@pytest.mark.thorough
def test_hostile_names_are_text_in_an_altair_chart(
    tmp_path: Path, browser: Browser, vega: str
) -> None:
    widget = hostile_widget()
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html><div id=chart></div>")
    with Opened(browser, empty) as opened:
        page = opened.page
        page.evaluate(vega)
        for name in (None, "quotes", "expression", "right to left", "long"):
            widget.label = name and HOSTILE[name]
            page.evaluate(
                "(spec) => vegaEmbed('#chart', spec, { renderer: 'svg' }).then(() => null)",
                widget.chart().to_dict(),
            )
            chart = page.locator("#chart")
            assert chart.locator("svg text").count() > 0
            assert page.evaluate("window.pwned") is None
            assert chart.locator("img, script, iframe, object, use").count() == 0
            widths = "(all) => all.map((text) => text.getBoundingClientRect().width)"
            assert max(chart.locator("svg text").evaluate_all(widths)) < 700
        forget_older_vega(opened)


def forget_older_vega(opened: Opened) -> None:
    """Skips the warning of Altair before 6, which writes for an older Vega than the one in Vega's
    package.
    """
    if Version(alt.__version__) < Version("6"):
        opened.errors[:] = [text for text in opened.errors if "spec uses Vega" not in text]


@pytest.fixture(scope="module")
def vega() -> str:
    """Scripts of Vega and Vega-Lite, from a Python package."""
    return vl_convert.javascript_bundle()
