"""The slider "By": from one time to the next, and nothing else is set by it."""

import numpy as np
import pytest
from page import Alone, Open
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget, simulation
from conformal_roc_widget.evaluation.horizons import Horizons

TIMES = (0.25, 0.5, 1, 1.5, 2)
LOW, HIGH = (1280, 620), (1000, 760)


@pytest.fixture(scope="module")
def horizons() -> Horizons:
    X, y, _ = simulation.draw("survival", 600, 1)
    X_test, y_test, _ = simulation.draw("survival", 300, 2)
    model = ConformalROC(
        LogisticRegression(), horizons=TIMES, time_unit="years", random_state=0
    ).fit(X, y)
    return model.evaluate_all(X_test, y_test)


@pytest.fixture(scope="module")
def widget(horizons: Horizons) -> ROCWidget:
    made = ROCWidget(horizons, alpha=0.1, threshold=0.3)
    made.horizon = 1
    return made


def assert_shows(view: Alone, horizons: Horizons, time: float) -> None:
    """The time is the one everywhere, its numbers are Python's, and both other sliders stay."""
    view.settle()
    assert view.valuenow("horizon") == time
    assert view.part("horizon").get_attribute("aria-valuetext") == f"{time:g} years"
    assert (view.shown("alpha"), view.shown("threshold")) == (0.1, 0.3)
    evaluation = horizons[time]
    people = evaluation.n_test
    unknown = int(evaluation.unknown.sum())
    header = view.words(".crw-header")
    said = f"by {time:g} years: {people[1]} with the event, {people[0]} without"
    assert said in header
    assert (f"{unknown} unknown" in header) == (unknown > 0)
    point = evaluation.operating_point(0.3, 0.1)
    answer = view.words(".crw-answer")
    assert answer.startswith(
        f"By {time:g} years, at threshold 0.30, sensitivity is {point.tpr:.2f}"
    )
    assert f"between {point.tpr_lower:.2f} and {point.tpr_upper:.2f}" in answer
    called = evaluation.scores >= 0.3
    counts = [(called & (evaluation.labels == 1)).sum(), (~called & (evaluation.labels == 1)).sum()]
    cells = view.root.locator(".crw-counts td b").all_inner_texts()
    assert cells[:2] == [str(count) for count in counts]


@pytest.mark.parametrize("size", [LOW, HIGH], ids=str)
def test_keys_and_drags_go_from_time_to_time_and_the_other_sliders_keep(
    size: tuple[int, int], horizons: Horizons, widget: ROCWidget, alone: Open
) -> None:
    view = alone(widget, viewport=dict(zip(("width", "height"), size, strict=True)))
    assert_shows(view, horizons, 1)
    slider = view.part("horizon")
    for key, time in (
        *(("ArrowRight", 1.5), ("ArrowRight", 2), ("ArrowRight", 2), ("Home", 0.25)),
        *(("ArrowLeft", 0.25), ("End", 2), ("ArrowLeft", 1.5), ("PageDown", 0.5)),
    ):
        slider.press(key)
        assert_shows(view, horizons, time)
    track, thumb = (view.part(name).bounding_box() for name in ("horizon-track", "horizon"))
    middle = track["y"] + track["height"] / 2
    mouse = view.page.mouse
    mouse.move(thumb["x"] + thumb["width"] / 2, middle)
    mouse.down()
    seen = set()
    for share in np.linspace(0.25, 0.98, 12):
        mouse.move(track["x"] + share * track["width"], middle)
        view.frames()
        seen.add(view.valuenow("horizon"))
    mouse.up()
    # Between stops there is nothing.
    assert seen <= set(TIMES)
    assert_shows(view, horizons, 2)
    mouse.click(track["x"] + track["width"] / 2, middle)
    assert_shows(view, horizons, 1)


@pytest.mark.parametrize(("size", "high"), [(LOW, 620), (HIGH, 734)], ids=str)
def test_the_first_screen_has_all_of_it_and_nothing_sticks_out(
    size: tuple[int, int], high: int, widget: ROCWidget, alone: Open
) -> None:
    view = alone(widget, viewport=dict(zip(("width", "height"), size, strict=True)))
    box = view.root.locator(".crw-foot").bounding_box()
    assert box["y"] + box["height"] <= high
    assert view.page.evaluate("document.documentElement.scrollWidth") == size[0]
