"""The callout at the pointer covers nothing important."""

from itertools import product

import pytest
from data import evaluation_from_scores
from page import Open
from parts import with_quick

from conformal_roc_widget import ROCWidget

# Lists the texts of the plot, the point and the pointer, if the callout covers them.
COVERED = """(root, [x, y]) => {
    const box = (e) => e.getBoundingClientRect();
    const { left, right, top, bottom } = box(root.querySelector('[data-testid="hover"]'));
    const pointer = { left: x, right: x, top: y, bottom: y };
    const things = [...root.querySelectorAll(".crw-plot :is([data-testid=corner], .crw-point-dot)")]
        .filter((e) => e.getClientRects().length > 0)
        .map((e) => [e.textContent || "point", box(e)]);
    return [...things, ["pointer", pointer]]
        .filter(([, b]) => left < b.right && b.left < right && top < b.bottom && b.top < bottom)
        .map(([name]) => name);
}"""


@pytest.mark.parametrize(
    ("band", "width"),
    with_quick(product(["sensitivity", "both"], [390, 720, 960, 1440]), [("both", 390)]),
)
def test_the_read_out_covers_neither_words_nor_point_nor_pointer(
    band: str, width: int, alone: Open
) -> None:
    widget = ROCWidget(evaluation_from_scores(2, n_calibration=400, n_test=300), band=band)
    size = {"width": width, "height": 900}
    view = alone(widget, viewport=size)
    covered = {}
    for fpr, tpr in product((0.02, 0.26, 0.5, 0.74, 0.98), (0.02, 0.26, 0.5, 0.86, 0.98)):
        at = view.on_plot(fpr, tpr)
        view.page.mouse.move(*at)
        view.frames()
        assert view.part("hover").is_visible()
        if things := view.root.evaluate(COVERED, list(at)):
            covered[fpr, tpr] = things
    assert covered == {}
