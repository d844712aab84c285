"""SVG images: the corners of the lines, by hand, and texts that steer nothing."""

from xml.etree import ElementTree

import numpy as np
from data import evaluation_from_scores

from conformal_roc_widget.view import figure, svg
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group


def test_a_path_goes_first_across_then_up_and_repeats_nothing():
    x, y = np.array([0, 0.5, 0.5, 1]), np.array([0, 0.5, 1, 1])
    assert svg._path(svg._steps(x, y, 100)) == "M0 100H50V50V0H100"
    assert svg._path(svg._pixels(x, y, 100)) == "M0 100L50 50V0H100"


def test_a_drawing_is_as_large_as_it_says_and_holds_the_words():
    group = Group.of(evaluation_from_scores(1))
    shown = figure.of(group, Controls(), heading="<b>&\x00 title")
    drawing = svg.draw(shown)
    root = ElementTree.fromstring(drawing.svg)
    assert (int(root.get("width")), int(root.get("height"))) == (drawing.width, drawing.height)
    title, description = (
        root.find(f"{{http://www.w3.org/2000/svg}}{tag}").text for tag in ("title", "desc")
    )
    assert title == "<b>& title"
    assert description == shown.description


def test_the_curve_lies_where_the_rates_are():
    evaluation = evaluation_from_scores(1)
    band = evaluation.band(0.05)
    shown = figure.of(Group.of(evaluation), Controls())
    expected = svg._path(svg._pixels(band.fpr, band.tpr, figure.SIDE))
    assert f'd="{expected}"' in svg.draw(shown).svg
