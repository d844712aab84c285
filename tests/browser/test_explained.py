"""Explanations on the page: callouts over the picture, and terms with an explanation."""

from collections.abc import Callable
from pathlib import Path

import pytest
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser, expect
from test_offline import breast_cancer, classes, classifiers, scores_alone

from conformal_roc_widget import ROCWidget

MADE: dict[str, Callable[[], ROCWidget]] = {
    "binary": breast_cancer,
    "classes": classes,
    "classifiers": classifiers,
    "scores alone": scores_alone,
}
WIDTHS = (1440, 1280, 960, 700, 480, 390)

# Reads the boxes of the callouts, the start points of their lines, and the box of the widget.
CALLOUTS = """(root) => {
    const box = (e) => { const { left, right, top, bottom } = e.getBoundingClientRect();
        return { left, right, top, bottom }; };
    return {
        boxes: [...root.querySelectorAll(".crw-callout")].map(box),
        dots: [...root.querySelectorAll(".crw-help circle")].map(box),
        around: box(root),
    };
}"""


@pytest.mark.parametrize("name", with_quick(MADE, ["classes"]))
def test_call_outs_keep_apart_and_stay_inside(name: str, tmp_path: Path, browser: Browser) -> None:
    with Opened(browser, MADE[name]().to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        for width in WIDTHS:
            view.page.set_viewport_size({"width": width, "height": 900})
            view.frames()
            button, more = view.part("toolbar-help"), view.part("toolbar-more")
            opener = button if button.is_visible() else more
            opener.click()
            if opener is more:
                button.click()
            found = view.root.evaluate(CALLOUTS)
            boxes, around = found["boxes"], found["around"]
            assert len(boxes) >= 3, "it has looked"
            for box in boxes:
                assert around["left"] <= box["left"] < box["right"] <= around["right"]
            places = [*boxes, *found["dots"]]
            for i, one in enumerate(boxes):
                for other in places[i + 1 :]:
                    assert apart(one, other), (width, one, other)
            view.page.keyboard.press("Escape")
            expect(view.root.locator(".crw-callout")).to_have_count(0)
            expect(opener).to_be_focused()


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across <= 0 or down <= 0


@pytest.mark.parametrize("width", with_quick([1280, 360], [360]))
def test_the_keyboard_asks_about_each_term(width: int, tmp_path: Path, browser: Browser) -> None:
    widget = breast_cancer()
    widget.guarantee = "individual"
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        view.page.set_viewport_size({"width": width, "height": 900})
        view.frames()
        view.click(view.root.locator("details[data-testid=promise-fold] > summary > b"))
        terms = view.root.locator(".crw-term:visible")
        words = {text.removesuffix(" π̃") for text in terms.all_inner_texts()}
        assert {"ideal model", "pointwise", "reference", "Guarantee"} < words
        for term in terms.all():
            term.focus()
            tip = view.root.locator(".crw-tip")
            expect(tip).to_have_count(1)
            inside = view.root.evaluate("""(root) => {
                const tip = root.querySelector(".crw-tip").getBoundingClientRect();
                const { left, right } = root.getBoundingClientRect();
                return left <= tip.left && tip.right <= right;
            }""")
            assert inside
        view.page.keyboard.press("Escape")
        expect(view.root.locator(".crw-tip")).to_have_count(0)
