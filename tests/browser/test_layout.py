"""Widths from 320 to 1120 pixels: nothing overlaps, nothing sticks out."""

import pytest
from layout import assert_fits_at_any_width, assert_fits_open
from page import Open, made
from view import LOCAL, SEVERAL

STATES = {
    "two bands": "widget = example(band='both')",
    "long names": """names = ("no relapse within two years", "relapse of the tumour within two years")
widget = ROCWidget.from_predictions(*scored(0, 400, names), *scored(1, 2000, names), band="both")""",
    "no limits": "widget = example(20, band='both')",
    "one label without limits": """y, score = scored(0, 400)
rare = (y == 0) | (np.arange(400) < 16)
widget = ROCWidget.from_predictions(y[rare], score[rare], *scored(1, 200), band="both")""",
    "many points": "widget = example(20_000, 20_000, band='both')",
    "localized": LOCAL + "widget = ROCWidget(local(), band='both')",
}


@pytest.mark.parametrize("state", STATES)
def test_nothing_overlaps_or_sticks_out_at_any_width(alone: Open, state: str) -> None:
    view = alone(made(STATES[state]))
    assert_fits_at_any_width(view)
    view.assert_agrees()


@pytest.mark.parametrize("group", ["classes", "classifiers"])
def test_nothing_of_several_curves_does(alone: Open, group: str) -> None:
    assert_fits_at_any_width(alone(made(f"{SEVERAL}widget = ROCWidget({group})")), texts=25)


def test_the_tools_are_behind_one_button_where_there_is_no_room(
    alone: Open,
) -> None:
    view = alone(made(STATES["two bands"]))
    view.set_width(360)
    assert not view.part("toolbar-download").is_visible()
    view.part("toolbar-more").focus()
    view.page.keyboard.press("Enter")
    view.part("toolbar-download").focus()
    view.page.keyboard.press("Enter")
    assert_fits_open(view)
    with view.page.expect_download() as waiting:
        view.click(view.part("download-csv"))
    assert waiting.value.suggested_filename == "roc-alpha-0.05.csv"
    view.click(view.part("jump"))
    assert_fits_open(view)
    view.click(view.root.get_by_role("dialog").get_by_role("button", name="Youden"))
    view.rest()
    view.assert_agrees()
