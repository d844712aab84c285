"""Every case of `tests/cases.py` is opened as a file of its own: nothing is outside, out of reach or cut off."""

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
    """The page of a case."""
    case = CASES[name]
    settings = {"alpha": case.alpha, "threshold": case.threshold} | dict(case.keywords)
    widget = ROCWidget(shown(name), kind=case.kind, **settings)
    widget.to_html(file)
    widget.close()
    return file


# Sentences and conditions that are higher than their box, which hides the rest.
CUT = """(root) => [...root.querySelectorAll(".crw-answer, .crw-goal, .crw-foot")]
    .flatMap((each) => [each, ...each.querySelectorAll("*")])
    .filter((each) => each.clientHeight > 1 && getComputedStyle(each).overflowY !== "visible" &&
        each.scrollHeight > each.clientHeight + 1).map((each) => each.outerHTML.slice(0, 90))"""
#: Kinds that have more on the page than most.
KINDS = [
    *("a fitted classifier of three classes", "a long name, and the first class positive"),
    *("bands around one curve", "by a time", "by a time, at every threshold"),
    *("by a time, scores alone", "candidate rates", "candidate rates of three classes"),
    *("comparators laid over", "every class at every threshold", "five classifiers"),
    *("folds", "folds, simultaneous", "folds, weighted", "margins", "samples"),
    *("two populations", "two populations, weighted"),
]
#: Of phones, of windows in between, of a page, and of most laptops.
SIZES = [(320, 844), (390, 844), (600, 844), (680, 844), (1000, 844), (1366, 657)]


def faults(opened: Opened) -> list[str]:
    """What is wrong with the page that has been opened."""
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
