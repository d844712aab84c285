"""Positions of the page's parts, in each layout and for each kind of group."""

from itertools import pairwise

import pytest
from page import Open
from test_offline import breast_cancer, classes, classifiers

from conformal_roc_widget import ROCWidget

# Lists the elements that have a height, with their boxes, in document order.
PIECES = """(root) => {
    const piece = (element) => ({ name: element.className.split(" ").at(-1).replace("crw-", ""),
        ...element.getBoundingClientRect().toJSON() });
    const pieces = (parent) => [...(parent?.children ?? [])].map(piece)
        .filter((each) => each.height > 1);
    return [pieces(root), pieces(root.querySelector(":scope > .crw-body"))];
}"""
DOWN = {
    "narrow": "header answer goal figure block block numbers question answers foot notes",
    "medium": "header answer goal question body numbers answers foot notes",
    "wide": "header answer goal question body answers foot notes",
}
LAYOUTS = {390: "narrow", 599: "narrow", 664: "medium", 848: "medium", 960: "wide", 1440: "wide"}
# An average has no goal and no table of numbers. A summary replaces them.
OF_AVERAGE = {"numbers": "overview", "goal": None, "notes": None}


def comparators() -> ROCWidget:
    return ROCWidget(breast_cancer().evaluation, comparators=["working_hotelling"])


GROUPS = {"binary": breast_cancer, "classes": classes, "classifiers": classifiers}


@pytest.mark.parametrize("group", [*GROUPS, "comparators"])
def test_the_pieces_follow_each_other(group: str, alone: Open) -> None:
    widget = (GROUPS | {"comparators": comparators})[group]()
    view = alone(widget)
    for width, layout in LAYOUTS.items():
        view.page.set_viewport_size({"width": width, "height": 900})
        view.frames()
        pieces, across = view.root.evaluate(PIECES)
        expected = DOWN[layout].split()
        if group == "classes":
            expected = [name for name in (OF_AVERAGE.get(each, each) for each in expected) if name]
        # Notes on the data are the last part, if there are any.
        names = [piece["name"] for piece in pieces]
        assert names + ["notes"] * (names[-1] != "notes" and "notes" in expected) == expected
        for above, below in pairwise(pieces):
            assert above["bottom"] <= below["top"] + 0.5, (width, above, below)
        assert pieces[0]["name"] == "header", "at the top"
        assert len(across) == (0 if layout == "narrow" else 2)
        # With all classes together, the sliders are above the key of their plots. The key is no
        # focus stop, so the focus never moves upwards.
        if (group, layout) == ("classes", "medium"):
            across.reverse()
            focusable = view.root.locator(".crw-figure").locator(
                "button, select, input, [tabindex]"
            )
            assert not any(each.is_visible() for each in focusable.all())
        before, after = (
            ("bottom", "top") if group == "classes" and layout == "medium" else ("right", "left")
        )
        for one, other in pairwise(across):
            assert one[before] <= other[after], (width, across)
