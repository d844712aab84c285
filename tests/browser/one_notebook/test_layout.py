"""Widths from 320 to 1200 pixels: nothing overlaps, nothing sticks out."""

from pathlib import Path

import pytest
from lab import Lab
from layout import assert_fits_at_any_width, assert_fits_open
from view import show

STATES = {
    "two bands": "widget = example(band='both')",
    "long names": """names = ("no relapse within two years", "relapse of the tumour within two years")
widget = ROCWidget.from_predictions(*scored(0, 400, names), *scored(1, 2000, names), band="both")""",
    "no limits": "widget = example(20, band='both')",
    "one label without limits": """y, score = scored(0, 400)
rare = (y == 0) | (np.arange(400) < 16)
widget = ROCWidget.from_predictions(y[rare], score[rare], *scored(1, 200), band="both")""",
    "many points": "widget = example(20_000, 20_000, band='both')",
    "localized": """from sklearn.linear_model import LogisticRegression
rng = np.random.default_rng(0)
X = rng.normal(size=(900, 2))
y = (rng.random(900) < expit(X[:, 0])).astype(int)
model = ConformalROC(LogisticRegression(), neighbors=40, random_state=0).fit(X[:700], y[:700])
widget = ROCWidget(model.evaluate(X[700:], y[700:]), band="both")""",
}


@pytest.mark.parametrize("state", STATES)
def test_nothing_overlaps_or_sticks_out_at_any_width(lab: Lab, state: str) -> None:
    view = show(lab, f"{STATES[state]}\nwidget")
    assert_fits_at_any_width(view, agrees=state == "two bands")


def test_the_tools_are_behind_one_button_where_there_is_no_room(lab: Lab, tmp_path: Path) -> None:
    view = show(lab, "widget = example(band='both')\nwidget")
    view.set_width(360)
    assert not view.part("toolbar-download").is_visible()
    view.part("toolbar-more").focus()
    lab.page.keyboard.press("Enter")
    view.part("toolbar-download").focus()
    lab.page.keyboard.press("Enter")
    assert_fits_open(view)
    with lab.page.expect_download() as waiting:
        view.click(view.part("download-csv"))
    assert waiting.value.suggested_filename == "roc-alpha-0.05.csv"
    view.click(view.part("jump"))
    assert_fits_open(view)
    view.click(view.root.get_by_role("dialog").get_by_role("button", name="Youden"))
    view.rest()
    view.assert_agrees()
