"""Each case of `tests/cases.py` as a file: in the browser nothing overflows, is out of reach or cut
off.
"""

from pathlib import Path

import pytest
from cases import CASES, shown
from hosts import STICKS_OUT
from layout import LAYOUT, OUT_OF_REACH
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser

from conformal_roc_widget import ROCWidget


def write(name: str, file: Path) -> Path:
    """Writes the page of a case."""
    case = CASES[name]
    settings = {"alpha": case.alpha, "threshold": case.threshold} | dict(case.keywords)
    widget = ROCWidget(shown(name), kind=case.kind, **settings)
    widget.to_html(file)
    widget.close()
    return file


# Finds sentences and conditions that are taller than their box, so that part of the text is hidden.
CUT = """(root) => [...root.querySelectorAll(".crw-answer, .crw-goal, .crw-foot")]
    .flatMap((each) => [each, ...each.querySelectorAll("*")])
    .filter((each) => each.clientHeight > 1 && getComputedStyle(each).overflowY !== "visible" &&
        each.scrollHeight > each.clientHeight + 1).map((each) => each.outerHTML.slice(0, 90))"""
#: Kinds of cases with more on the page than most.
KINDS = [
    *("a fitted classifier of three classes", "a long name, and the first class positive"),
    *("bands around one curve", "by a time", "by a time, at every threshold"),
    *("by a time, scores alone", "candidate rates", "candidate rates of three classes"),
    *("comparators laid over", "every class at every threshold", "five classifiers"),
    *("folds", "folds, simultaneous", "folds, weighted", "margins", "samples"),
    *("two populations", "two populations, weighted"),
]
#: Sizes of phones, of windows in between, of a page, and of most laptops.
SIZES = [(320, 844), (390, 844), (600, 844), (680, 844), (1000, 844), (1366, 657)]


def faults(opened: Opened) -> list[str]:
    """Descriptions of all failed checks of the open page."""
    view = opened.view()
    view.settle()
    layout = view.root.evaluate(LAYOUT)
    found = [*opened.errors, *layout["outside"], *layout["clipped"]]
    opened.errors.clear()
    found += view.root.locator(".crw-error").all_inner_texts()
    if view.root.evaluate(STICKS_OUT) > 1.5:
        found.append("sticks out")
    return found


@pytest.mark.parametrize("name", with_quick(KINDS, ["by a time"]))
def test_of_every_kind_nothing_is_out_of_reach_or_cut_off(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    found = {}
    with Opened(browser, write(name, tmp_path / "a.html")) as opened:
        for width, height in SIZES:
            opened.page.set_viewport_size({"width": width, "height": height})
            view = opened.view()
            view.wait(f"root.clientWidth <= {width}")
            pressed, cut = view.root.evaluate(OUT_OF_REACH, 20), view.root.evaluate(CUT)
            found[width] = [*faults(opened), *pressed, *cut]
    assert {width: each for width, each in found.items() if each} == {}


@pytest.mark.thorough
def test_every_case_is_drawn_in_a_page_of_its_own(browser: Browser, tmp_path: Path) -> None:
    first, *others = [write(name, tmp_path / f"{i}.html") for i, name in enumerate(CASES)]
    with Opened(browser, first, viewport={"width": 1000, "height": 900}) as opened:
        found = [faults(opened)]
        for file in others:
            opened.open(file)
            found.append(faults(opened))
        opened.assert_alone()
    assert {name: each for name, each in zip(CASES, found, strict=True) if each} == {}


#: The narrowest phone.
NARROW = (320, 844)


@pytest.mark.thorough
def test_on_the_narrowest_phone_every_case_can_be_pressed(browser: Browser, tmp_path: Path) -> None:
    """Nothing sticks out, and what is pressed is in its box and under no other control."""
    found = {}
    size = dict(zip(("width", "height"), NARROW, strict=True))
    first, *others = [write(name, tmp_path / f"{i}.html") for i, name in enumerate(CASES)]
    with Opened(browser, first, viewport=size) as opened:
        for name, file in zip(CASES, (None, *others), strict=True):
            if file is not None:
                opened.open(file)
            faulty = faults(opened)
            found[name] = [*faulty, *opened.view().root.evaluate(OUT_OF_REACH, 20)]
    assert {name: each for name, each in found.items() if each} == {}
