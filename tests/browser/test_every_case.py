"""Every case of `tests/cases.py` is opened once as a file of its own, and drawn with nothing outside."""

from pathlib import Path

import pytest
from cases import CASES, shown
from hosts import STICKS_OUT
from layout import LAYOUT
from page import Opened
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
