"""SVG images: paths by hand, and texts that cannot change the markup."""

from xml.etree import ElementTree

import numpy as np
from data import evaluation_from_scores
from pictures import sheet_of

from conformal_roc_widget.draw.shapes import Fill, Sheet, Stroke
from conformal_roc_widget.draw.svg import path, svg
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group


def test_a_path_repeats_no_corner_and_no_coordinate():
    corners = np.array([[0, 100], [0, 100], [50, 100], [50, 50], [50, 0], [100.25, 10]])
    # Steps in one direction are joined. A step back is not.
    assert path(corners) == "M0 100H50V0L100.25 10"
    assert path(np.array([[0, 0], [5, 0], [3, 0], [2, 0], [2, 4]])) == "M0 0H5H2V4"
    assert path(corners[:1]) == "M0 100"


def test_a_drawing_is_as_large_as_it_says_and_holds_the_words():
    group = Group.of(evaluation_from_scores(1))
    scene = scene_of(group, Controls(), heading="<b>&\x00 title")
    sheet = sheet_of(scene)
    root = ElementTree.fromstring(svg(sheet))
    assert (int(root.get("width")), int(root.get("height"))) == (sheet.width, sheet.height)
    title, description = (
        root.find(f"{{http://www.w3.org/2000/svg}}{tag}").text for tag in ("title", "desc")
    )
    assert title == "<b>& title"
    assert description == scene.description


def test_the_curve_lies_where_the_rates_are():
    evaluation = evaluation_from_scores(1)
    band = evaluation.band(0.05)
    picture = svg(sheet_of(scene_of(Group.of(evaluation), Controls())))
    left, top, side = (float(number) for number in (*_origin(picture), 408))
    corners = np.column_stack([left + side * band.fpr, top + side * (1 - band.tpr)])
    assert f'd="{path(np.round(corners, 2))}"' in picture


def test_a_fill_lets_through_what_it_should_and_a_dashed_line_has_its_dashes():
    corners = np.array([[0, 0], [9, 0], [9, 9], [0, 0]])
    shapes = (
        Fill(corners, "#123456", opacity=0.25),
        Fill(corners, "#123456"),
        Stroke((corners,), "#654321", 2, (3, 1.5)),
        Stroke((corners,), "#654321", 2),
    )
    drawn = ElementTree.fromstring(svg(Sheet(shapes, 9, 9, "#fff", "", "")))
    paths = drawn.findall("{http://www.w3.org/2000/svg}path")
    looks = [(path.get("fill-opacity"), path.get("stroke-dasharray")) for path in paths]
    assert looks == [("0.25", None), (None, None), (None, "3 1.5"), (None, None)]


def _origin(picture):
    """Upper left corner of the plot, where both axes start."""
    frame = next(
        node.get("d")
        for node in ElementTree.fromstring(picture).iter()
        if node.get("stroke") == "#767676" and "V" in (node.get("d") or "")
    )
    return frame.removeprefix("M").partition("V")[0].split()
