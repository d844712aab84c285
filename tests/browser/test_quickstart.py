"""The quickstart in JupyterLab: every control works, and page and kernel agree after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hosts import LEAST_CONTRAST
from lab import WIDGET, Lab
from lab_server import Server
from parts import with_quick
from playwright.sync_api import Browser
from said import is_said
from view import View

from conformal_roc_widget.shown.theme import THEMES

NOTEBOOK = Path(__file__).parents[2] / "notebooks/quickstart.ipynb"


def inks_of(name: str) -> dict[str, str]:
    """Colours of a theme in the browser's notation."""
    theme = THEMES[name]
    names = ("paper", "ink", "muted", "label1", "label1-text", "label0", "label0-text")
    found = {}
    for each in names:
        numbers = bytes.fromhex(theme.colour(each)[1:])
        found[each.replace("-", "_")] = f"rgb({', '.join(map(str, numbers))})"
    return found | {"fill": f"{theme.fill:g}"}


@pytest.fixture(scope="module")
def lab(server: Server, browser: Browser) -> Iterator[Lab]:
    with Lab(server, browser, viewport={"width": 1500, "height": 1000}) as lab:
        lab.open(NOTEBOOK)
        lab.run_all()
        yield lab


@pytest.fixture
def view(lab: Lab) -> Iterator[View]:
    """The first widget in its initial state. The test fails if the page reports an error."""
    view = View(lab, lab.wait_for_widget())
    lab.execute("widget.alpha, widget.threshold, widget.band = 0.05, 0.5, 'sensitivity'")
    view.wait_for(alpha=0.05, threshold=0.5)
    view.wait_for_band("sensitivity")
    yield view
    lab.assert_no_errors()


def test_every_widget_draws_and_the_next_cell_holds_the_band(view: View, lab: Lab) -> None:
    view.assert_agrees()
    code_cells = lab.page.evaluate(
        "window.jupyterapp.shell.currentWidget.content.model.toJSON().cells"
        ".filter((cell) => cell.cell_type === 'code')"
    )
    text = code_cells[2]["outputs"][0]["data"]["text/plain"]
    assert "".join(text) == lab.kernel("repr(widget.current_band)")
    lab.wait_for_widget(1)
    assert lab.page.locator(WIDGET).count() == 5
    assert lab.errors == []


def test_alpha_follows_the_mouse_and_then_the_kernel(view: View) -> None:
    before = view.area("band-sensitivity")
    view.drag_slider("alpha", 0.03, 0.3, 0.2)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.2
    assert is_said("say.true_finds", view.words(".crw-summary"), sure="80 % sure")
    wide = view.area("band-sensitivity")
    assert wide < before, "less confidence, a narrower band"
    view.drag_slider("alpha", 0.02)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.02
    assert view.area("band-sensitivity") > before


@pytest.mark.parametrize("cell", with_quick(["tp", "fn", "fp", "tn"], ["fn"]))
def test_a_press_on_a_cell_selects_its_rows_in_python(view: View, lab: Lab, cell: str) -> None:
    lab.execute("widget.selected = ()")
    view.part(f"select-{cell}").click()
    view.rest()
    rows = lab.kernel("list(map(int, widget.selected))")
    called = "widget.evaluation.scores >= widget.threshold"
    positive = "widget.evaluation.labels == 1"
    called, positive = (lab.kernel(f"({mask}).tolist()") for mask in (called, positive))
    wanted = (cell[1] == "p", (cell[1] == "p") == (cell[0] == "t"))
    assert rows == [i for i, of in enumerate(zip(called, positive, strict=True)) if of == wanted]
    assert len(rows) == lab.kernel(f"widget.operating_point.{cell}")


def test_the_question_is_chosen_with_the_arrow_keys(view: View, lab: Lab) -> None:
    view.part("question").locator("input:checked").focus()
    for key, band in [
        ("ArrowRight", "ideal"),
        ("ArrowRight", "sampling"),
        ("ArrowUp", "ideal"),
        ("ArrowLeft", "sensitivity"),
    ]:
        lab.page.keyboard.press(key)
        view.wait_for_band(band)
        view.rest()
        assert lab.kernel("widget.band") == band
    view.assert_agrees()


def test_the_bands_are_ticked_with_the_space_bar(view: View, lab: Lab) -> None:
    view.part("key").locator("[value=specificity]").focus()
    for key, band in [
        ("Space", "both"),
        ("Shift+Tab", "both"),
        ("Space", "specificity"),
        ("Space", "both"),
        ("Tab", "both"),
        ("Space", "sensitivity"),
    ]:
        lab.page.keyboard.press(key)
        view.rest()
        assert view.assert_agrees()["band"] == band


def test_observers_hear_of_a_drag_while_it_goes_on(view: View, lab: Lab) -> None:
    lab.execute(
        "heard = []; hear = lambda change: heard.append(change.new); widget.observe(hear, 'alpha')"
    )
    view.grasp(view.on_track("alpha", 0.05))
    for alpha in (0.06, 0.1, 0.2):
        lab.page.mouse.move(*view.on_track("alpha", alpha))
        view.wait_for(alpha=alpha)
    assert lab.kernel("heard") == [0.06, 0.1, 0.2], "the button is still down"
    lab.page.mouse.up()
    lab.execute("widget.unobserve(hear, 'alpha')")
    view.rest()
    view.assert_agrees()


COLOURS = """(root) => {
    let behind = root;
    while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    const of = (selector, property) => getComputedStyle(root.querySelector(selector))[property];
    return {
        paper: getComputedStyle(behind).backgroundColor,
        ink: of('[data-testid=roc]', 'stroke'),
        muted: of('.crw-tick', 'fill'),
        label1: of('[data-testid=band-sensitivity]', 'fill'),
        label1_text: of('tbody .crw-text-label1', 'color'),
        label0: of('[data-testid=band-specificity]', 'fill'),
        label0_text: of('tbody .crw-text-label0', 'color'),
        fill: of('[data-testid=band-sensitivity]', 'fillOpacity'),
    };
}"""


def test_the_widget_follows_the_theme_while_it_is_open(view: View, lab: Lab) -> None:
    view.choose("both")
    view.rest()
    try:
        for theme in ("dark", "light"):
            colours = inks_of(theme)
            lab.set_theme(theme)
            view.wait(f"root.dataset.theme === '{theme}'")
            view.wait(f"({COLOURS})(root).paper === '{colours['paper']}'")
            assert view.root.evaluate(COLOURS) == colours
            contrast, text = view.root.evaluate(LEAST_CONTRAST)
            assert 4.5 <= contrast < 99, text
            view.drag_slider("alpha", 0.1 if theme == "dark" else 0.2)
            view.rest()
            view.assert_agrees()
    finally:
        lab.set_theme("light")
