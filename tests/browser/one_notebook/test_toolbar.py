"""The toolbar: files, the line of Python, full screen, reset."""

from lab import Lab
from layout import assert_fits
from view import View


def click_seldom(view: View, name: str) -> None:
    """Presses a command in the menu of rarely used commands."""
    if not view.part(f"toolbar-{name}").is_visible():
        view.click(view.part("toolbar-more"))
    view.click(view.part(f"toolbar-{name}"))


def test_the_whole_screen_is_taken_and_given_back(view: View, lab: Lab) -> None:
    before = view.square()
    on = "document.fullscreenElement?.dataset.testid === 'crw'"
    click_seldom(view, "fullscreen")
    lab.page.wait_for_function(on)
    try:
        check_full_screen(view, before)
    finally:
        lab.page.evaluate("document.exitFullscreen()")
    wait_for_square(view, before)
    view.assert_agrees()


# Waits until the chart has adapted to the new size of the window.
FILLS = """(({ x, y, width, height }) =>
    x === 0 && y === 0 && width === innerWidth && height === innerHeight)(root.getBoundingClientRect())"""


def wait_for_square(view: View, square: tuple[float, float, float]) -> None:
    """Waits until the plot has its former place and size."""
    size = "root.querySelector('[data-testid=plot]').dataset"
    names = zip(("x0", "y0", "size"), square, strict=True)
    view.wait(" && ".join(f"Number({size}.{name}) === {value}" for name, value in names))


def check_full_screen(view: View, before: tuple[float, float, float]) -> None:
    view.wait(
        f"{FILLS} && Number(root.querySelector('[data-testid=plot]').dataset.size) > {before[2]}"
    )
    assert_fits(view)
    view.drag_slider("alpha", 0.2)
    view.rest()
    view.assert_agrees()
    click_seldom(view, "fullscreen")
    view.page.wait_for_function("document.fullscreenElement === null")
    click_seldom(view, "fullscreen")
    view.page.wait_for_function("document.fullscreenElement !== null")


def test_where_full_screen_is_forbidden_it_covers_the_page_until_escape(
    view: View, lab: Lab
) -> None:
    before = view.square()
    view.root.evaluate("(root) => { root.requestFullscreen = () => Promise.reject(new Error()); }")
    click_seldom(view, "fullscreen")
    view.wait(f"root.classList.contains('crw-overlay') && {FILLS}")
    box = view.root.bounding_box()
    for x, y in (
        (box["x"] + 2, box["y"] + 2),
        (box["x"] + box["width"] - 2, box["y"] + box["height"] - 2),
    ):
        top = "([x, y]) => document.elementFromPoint(x, y).closest('[data-testid=crw]') !== null"
        assert lab.page.evaluate(top, [x, y]), "nothing lies over it"
    view.drag_slider("threshold", 0.4)
    view.rest()
    view.assert_agrees()
    lab.page.keyboard.press("Escape")
    wait_for_square(view, before)
    view.root.evaluate("(root) => { delete root.requestFullscreen; }")
