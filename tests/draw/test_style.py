"""Titles, texts and sizes of every chart."""

import altair as alt
import pytest

from conformal_roc_widget.draw.style import (
    check_size,
    dashes_of,
    drawn,
    layered,
    lettering,
    safe_text,
    styled,
    title_of,
)
from conformal_roc_widget.shown.theme import THEMES

COLOURS = THEMES["dark"]


def test_a_subtitle_is_broken_at_the_width_and_a_percentage_never():
    title = title_of("Heading", ["at least 95 % of the points"] * 2, 120)
    pieces = [piece.replace("\N{NO-BREAK SPACE}", " ") for piece in title.subtitle]
    assert pieces == ["at least 95 % of the", "points"] * 2
    assert all(len(piece) <= 20 for piece in pieces)
    (line,) = title_of("", ["lies at alpha = 0.05"], 600).subtitle
    assert "alpha\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0.05" in line


def test_a_chart_is_described_by_its_title_and_subtitle():
    chart = drawn([{"x": 1}]).mark_point().encode(x="x:Q")
    spec = styled(chart, COLOURS, title_of("Heading", ["Some words."], 600)).to_dict()
    assert spec["description"] == "Heading Some words."
    assert spec["config"]["background"] == COLOURS.background
    assert spec["config"]["title"]["color"] == COLOURS.ink


def test_rows_stand_in_the_chart_whatever_the_transformer_allows():
    rows = [{"x": i} for i in range(200)]
    chart = layered([drawn(rows).mark_point().encode(x="x:Q")], 300, 200)
    with alt.data_transformers.enable("default", max_rows=10):
        spec = chart.to_dict()
    assert (spec["width"], spec["height"]) == (300, 200)
    (values,) = spec["datasets"].values()
    assert list(values) == rows


def test_letters_on_a_plot_stand_on_a_halo_of_the_background():
    halo, letters = (layer.to_dict() for layer in lettering("AUC", 1, 2, COLOURS, "#123456"))
    assert halo["mark"]["stroke"] == COLOURS.background
    assert letters["mark"]["color"] == "#123456"
    assert {layer["encoding"]["text"]["value"] for layer in (halo, letters)} == {"AUC"}


def test_a_solid_line_has_a_dash_without_gaps():
    assert dashes_of(()) == [1, 0]
    assert dashes_of((5, 3)) == [5, 3]


def test_a_text_ends_no_element_of_a_page_and_loses_no_letter():
    assert "</" not in safe_text("</script>")
    assert safe_text("x" * 500) == "x" * 500


@pytest.mark.parametrize("size", [True, "400", None])
def test_a_size_that_is_no_number_is_refused(size):
    with pytest.raises(TypeError, match=r"^size: found .*, expected a number of pixels$"):
        check_size(size)


@pytest.mark.parametrize("size", [99, 10_001, float("nan"), float("inf")])
def test_a_size_that_is_no_plot_is_refused(size):
    with pytest.raises(ValueError, match=r"^width: found .*, expected from 100 to 10000 pixels$"):
        check_size(size, "width")
