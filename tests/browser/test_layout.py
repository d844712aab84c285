"""Widths from 320 to 1120 pixels: nothing overlaps or overflows."""

import pytest
from layout import WIDTHS, assert_fits_at_any_width, assert_fits_open
from page import Open, made
from parts import with_quick
from playwright.sync_api import expect
from view import LOCAL, SEVERAL

STATES = {
    "two bands": "widget = example(band='both')",
    "long names": """names = ("no relapse within two years", "relapse of the tumour within two years")
widget = ROCWidget.from_predictions(*scored(0, 400, names), *scored(1, 2000, names), band="both")""",
    "no limits": "widget = example(20, band='both', guarantee='individual')",
    "one label without limits": """y, score = scored(0, 400)
rare = (y == 0) | (np.arange(400) < 16)
evaluation = RocEvaluation.from_predictions(y[rare], score[rare], *scored(1, 200))
widget = ROCWidget(evaluation, band="both", guarantee="individual")""",
    "many points": "widget = example(20_000, 20_000, band='both')",
    "localized": LOCAL + "widget = ROCWidget(local(), band='both')",
}


@pytest.mark.parametrize("state", with_quick(STATES, ["long names"]))
def test_nothing_overlaps_or_sticks_out_at_any_width(alone: Open, state: str) -> None:
    view = alone(made(STATES[state]))
    assert_fits_at_any_width(view)
    view.assert_agrees()


@pytest.mark.parametrize("group", with_quick(["classes", "classifiers"], ["classifiers"]))
def test_nothing_of_several_curves_does(alone: Open, group: str) -> None:
    assert_fits_at_any_width(alone(made(f"{SEVERAL}widget = ROCWidget({group})")), texts=25)


def test_the_tools_are_behind_one_button_where_there_is_no_room(
    alone: Open,
) -> None:
    view = alone(made(STATES["two bands"]))
    view.set_width(360)
    expect(view.part("toolbar-download")).to_be_hidden()
    view.part("toolbar-more").focus()
    view.page.keyboard.press("Enter")
    view.part("toolbar-download").focus()
    view.page.keyboard.press("Enter")
    assert_fits_open(view)
    heights = [
        part.bounding_box()["height"] for part in (view.part("jump"), view.part("toolbar-copy"))
    ]
    assert heights[0] == heights[1], "in one line"
    view.click(view.part("jump"))
    assert_fits_open(view)


# Returns whether each switch of the key can be clicked at its place.
PRESSED = """(root) => [...root.querySelectorAll('[data-testid="key"] label')].map((label) => {
    label.scrollIntoView({ block: "center" });
    const { left, top, width, height } = label.getBoundingClientRect();
    return label.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})"""
NAMED = """names = ("at home again", "in hospital")
given = RocEvaluation.from_predictions(*scored(0, 400, names), *scored(1, 200, names))
"""


def test_every_switch_of_the_key_is_within_reach_at_any_width(alone: Open) -> None:
    view = alone(made("widget = example(comparators=('bootstrap', 'ks', 'working_hotelling'))"))
    for width in (*WIDTHS, 340, 375, 620, 640, 660):
        view.set_width(width)
        assert view.root.evaluate(PRESSED) == [True] * 5, width


def test_a_long_name_leaves_the_numbers_in_their_column(alone: Open) -> None:
    view = alone(made(f"{NAMED}widget = ROCWidget(given)"))
    view.set_width(960)
    right = "(part) => part.getBoundingClientRect().right"
    rates, column = (view.root.locator(name) for name in (".crw-counts", ".crw-modules"))
    assert rates.evaluate(right) <= column.evaluate(right) + 0.5


def test_the_scores_are_under_the_threshold(alone: Open) -> None:
    view = alone(made("widget = example()"))
    for width in (1000, 848, 720, 600):
        view.set_width(width)
        track, strip = (
            view.part(part).bounding_box() for part in ("threshold-track", "score-strip-1")
        )
        assert (strip["x"], strip["width"]) == (track["x"], track["width"]), width


def test_all_figures_of_several_classifiers_fit_a_phone(alone: Open) -> None:
    code = """y, score = scored(1, 200)
given = {"logistic": score, "a forest": score.round(1), "naive Bayes, Gaussians": score.round()}
widget = ROCWidget({name: RocEvaluation.from_predictions(*scored(0, 400), y, p)
    for name, p in given.items()})"""
    view = alone(made(code))
    view.set_width(390)
    view.part("all-figures").locator("summary").first.press("Enter")
    last = view.part("paired").locator("thead th").last
    last.wait_for()
    for width in (390, 320):
        view.set_width(width)
        assert last.text_content() == "p, Holm"
        assert view.page.evaluate("document.documentElement.scrollWidth") <= width


# Returns whether the whole table is inside the widget.
INSIDE = """(root) => {
    const box = (e) => e.getBoundingClientRect();
    const table = root.querySelector('[data-testid="cuts"]');
    return [...table.querySelectorAll("*")].every((each) => box(each).right <= box(table).right + 0.5);
}"""


def test_the_table_of_several_classifiers_holds_its_width(alone: Open) -> None:
    code = """y, score = scored(1, 150)
widget = ROCWidget({f"{name} logistic regression of everything":
    RocEvaluation.from_predictions(*scored(0, 400), y, score**power)
    for name, power in (("first", 1), ("second", 0.7), ("third", 0.5))}, alpha=0.1, threshold=0.4)"""
    view = alone(made(code))
    view.part("cuts").locator("select").select_option(index=1)
    for width in (340, 390, 620, 720, 880, 960):
        view.set_width(width)
        assert view.root.evaluate(INSIDE), width
        assert view.page.evaluate("document.documentElement.scrollWidth") <= width


# Returns the texts of the tables of rates that leave their cell by more than a pixel.
SPILT = """(root) => [...root.querySelectorAll(":is(.crw-counts, .crw-several) :is(th, td)")].filter((cell) => {
    const box = cell.getBoundingClientRect(), range = document.createRange();
    range.selectNodeContents(cell);
    return [...range.getClientRects()].some(({ left, right, top, bottom }) => left < box.left - 1.5
        || right > box.right + 1.5 || top < box.top - 1.5 || bottom > box.bottom + 1.5);
}).map((cell) => cell.textContent.trim())"""


def test_on_a_phone_no_text_of_the_tables_leaves_its_cell(alone: Open) -> None:
    code = """y = np.repeat([0, 1], [500, 500])
score = (0.2 + 0.5 * (np.arange(1000) * 0.381966 % 1) + 0.3 * y).round(3)
one = RocEvaluation.from_predictions(y, score)
other = RocEvaluation.from_predictions(y[::2], score[::2])
several = {"women": one, "men": other}
widget = ROCWidget(one if alone else several, kind=None if alone else "populations")"""
    for shape in ("alone = True\n", "alone = False\n"):
        view = alone(made(shape + code))
        for width in (320, 390):
            view.set_width(width)
            for threshold in (0.5, 0.35):
                view.set(0.05, threshold)
                assert view.root.evaluate(SPILT) == [], (shape, width, threshold)
