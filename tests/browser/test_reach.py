"""Every control can be pressed at its place, is fully visible, and is large enough."""

from collections.abc import Callable
from typing import Any

import pytest
from cases import CASES, shown
from layout import OUT_OF_REACH
from page import Open
from parts import with_quick

from conformal_roc_widget import ROCWidget


def four_samples() -> dict[str, Any]:
    made = shown("samples")
    return {f"draw {i}": made["draw"] for i in range(1, 5)}


SEVERAL: dict[str, Callable[[], ROCWidget]] = {
    "one": lambda: ROCWidget(shown("scores"), band="both"),
    "four samples": lambda: ROCWidget(four_samples(), kind="samples"),
    "three classes": lambda: ROCWidget(
        shown("a fitted classifier of three classes"), **CASES["three classes"].keywords
    ),
    "five classifiers": lambda: ROCWidget(shown("five classifiers")),
    "two populations": lambda: ROCWidget(shown("two populations")),
}
WIDTHS = (320, 390, 600, 680, 1000)
#: Minimum height of a control in pixels, for a finger and for a mouse.
FINGER, MOUSE = 24, 20
CASES_AT = [(name, width) for name in SEVERAL for width in WIDTHS]


@pytest.mark.parametrize(
    ("name", "width"),
    with_quick(CASES_AT, [("four samples", 320), ("three classes", 390), ("four samples", 680)]),
)
@pytest.mark.parametrize("is_coarse", [False, True], ids=["mouse", "finger"])
def test_what_can_be_pressed_is_within_reach(
    name: str, width: int, is_coarse: bool, alone: Open
) -> None:
    view = alone(
        SEVERAL[name](),
        viewport={"width": width, "height": 844},
        has_touch=is_coarse,
        is_mobile=is_coarse,
    )
    assert view.page.evaluate("matchMedia('(pointer: coarse)').matches") == is_coarse
    view.settle()
    assert view.root.evaluate(OUT_OF_REACH, FINGER if is_coarse else MOUSE) == []


# While a slider is held, records after each frame how far any box has moved, except texts and
# marks.
WATCH = """(root) => {
    const marks = ".crw-thumb, .crw-handle, .crw-handle *, .crw-threshold-line, .crw-shade-words, .crw-mark, " +
        ".crw-mark *, .crw-track > *, .crw-strip > svg *, svg *, .crw-hidden, .crw-hidden *, .crw-tip, " +
        ".crw-answer *, .crw-goal *, .crw-promise *, .crw-answers *, [data-testid=picked]";
    const isSeen = (each) => each.getClientRects().length > 0 && !each.closest("details:not([open]) > :not(summary)");
    const boxes = [...root.querySelectorAll("*")].filter((each) =>
        isSeen(each) && !each.matches(marks) && !each.matches("span, b, option"));
    const box = (each) => { const { x, y, width, height } = each.getBoundingClientRect(); return [x, y, width, height]; };
    const first = new Map(boxes.map((each) => [each, box(each)]));
    const seen = root.seen = { frames: 0, moved: {}, isOver: false };
    const note = () => {
        if (seen.isOver) return;
        seen.frames += 1;
        for (const [each, place] of first) {
            const now = box(each);
            if (isSeen(each) && now.some((value, i) => Math.abs(value - place[i]) > 1))
                seen.moved[`${each.tagName} ${each.className}: ${place.map(Math.round)}`] = now.map(Math.round).join();
        }
        requestAnimationFrame(note);
    };
    note();
}"""
STEPS = 16


@pytest.mark.parametrize(
    ("name", "width"),
    with_quick(CASES_AT, [("one", 390), ("three classes", 1000)]),
)
def test_nothing_moves_while_a_hand_is_on_a_slider(name: str, width: int, alone: Open) -> None:
    view = alone(SEVERAL[name](), viewport={"width": width, "height": 900})
    for slider in ("alpha", "threshold"):
        view.part(slider).focus()  # the focus also scrolls the plot into view
        view.settle()
        track, thumb = (view.part(each).bounding_box() for each in (f"{slider}-track", slider))
        view.root.evaluate(WATCH)
        view.grasp((thumb["x"] + thumb["width"] / 2, track["y"] + track["height"] / 2))
        for step in range(STEPS):
            x = track["x"] + track["width"] * (0.02 + 0.96 * step / STEPS)
            view.page.mouse.move(x, track["y"] + track["height"] / 2)
            view.frames()
        seen = view.root.evaluate("(root) => { root.seen.isOver = true; return root.seen; }")
        view.page.mouse.up()
        view.page.wait_for_timeout(800)  # texts are updated more slowly than lines
        assert seen["frames"] >= STEPS
        assert seen["moved"] == {}, slider
