"""Where the pieces of the page stand, in each layout and for each kind of group."""

from itertools import pairwise
from pathlib import Path

import pytest
from page import Opened
from playwright.sync_api import Browser
from test_offline import breast_cancer, classes, classifiers

from conformal_roc_widget import ROCWidget

# The pieces that have a height, with their boxes, from the top of the widget.
PIECES = """(root) => {
    const from = root.getBoundingClientRect();
    const names = ["title", "toolbar", "summary", "figure", "modules", "foot", "third", "folds"];
    return Object.fromEntries(names.flatMap((name) => {
        const box = root.querySelector(`:scope > .crw-${name}`)?.getBoundingClientRect();
        if (!box || box.height === 0) return [];
        return [[name, { top: box.top - from.top, bottom: box.bottom - from.top,
            left: box.left - from.left, right: box.right - from.left }]];
    }));
}"""
DOWN = {
    "narrow": ["title", "figure", "modules", "summary", "folds", "foot"],
    "medium": ["title", "summary", "figure", "foot", "folds"],
    "wide": ["title", "summary", "figure", "foot", "folds"],
    "third": ["title", "summary", "figure", "folds"],
}
ACROSS = {
    "narrow": ["figure"],
    "medium": ["figure", "modules"],
    "wide": ["figure", "modules"],
    "third": ["figure", "modules", "third"],
}
LAYOUTS = {390: "narrow", 599: "narrow", 664: "medium", 848: "medium", 960: "wide", 1440: "third"}


def comparators() -> ROCWidget:
    return ROCWidget(breast_cancer().evaluation, comparators=["working_hotelling"])


GROUPS = {"binary": breast_cancer, "classes": classes, "classifiers": classifiers}


@pytest.mark.parametrize("group", [*GROUPS, "comparators"])
def test_the_pieces_follow_each_other(group: str, tmp_path: Path, browser: Browser) -> None:
    widget = (GROUPS | {"comparators": comparators})[group]()
    with Opened(browser, widget.to_html(tmp_path / "a.html")) as opened:
        view = opened.view()
        for width, layout in LAYOUTS.items():
            view.page.set_viewport_size({"width": width, "height": 900})
            view.frames()
            pieces = view.root.evaluate(PIECES)
            down = [pieces[name] for name in DOWN[layout] if name in pieces]
            for above, below in pairwise(down):
                assert above["bottom"] <= below["top"] + 0.5, (width, pieces)
            across = [pieces[name] for name in ACROSS[layout]]
            for left, right in pairwise(across):
                assert left["right"] <= right["left"], (width, pieces)
            first = min(piece["top"] for piece in pieces.values())
            assert min(pieces["title"]["top"], pieces["toolbar"]["top"]) == first, "at the top"
            assert ("third" in pieces) == (layout == "third")
            assert ("folds" in pieces) >= (group == "comparators")
