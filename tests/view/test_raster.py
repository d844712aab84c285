"""Pixels of an SVG image: each kind of shape at its place, by hand-sized pictures."""

import numpy as np
import pytest

from conformal_roc_widget.view import raster

INK, PAPER = (0, 114, 178), (255, 255, 255)


def drawn(content, scale=1, width=20, height=20):
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-size="12">'
        f'<title>t</title><rect width="{width}" height="{height}" fill="#ffffff"/>{content}</svg>'
    )
    return np.asarray(raster.raster(svg, scale))


def inked(pixels, ink=INK):
    """Rows and columns that hold pure ink: first and last of each."""
    rows, columns = np.nonzero((pixels == ink).all(axis=2))
    return (rows.min(), rows.max()), (columns.min(), columns.max())


def test_a_line_along_an_axis_covers_whole_pixels_and_no_others():
    pixels = drawn('<path d="M4 10H16" fill="none" stroke="#0072B2" stroke-width="2"/>')
    assert inked(pixels) == ((9, 10), (4, 15))
    assert {tuple(each) for each in pixels.reshape(-1, 3)} == {INK, PAPER}


def test_a_corner_of_a_step_is_filled():
    pixels = drawn('<path d="M4 16V6H14" fill="none" stroke="#0072B2" stroke-width="4"/>')
    assert (pixels[4:8, 2:6] == INK).all()


def test_a_dashed_line_has_ink_in_the_dashes_alone():
    pixels = drawn('<path d="M0 10H20" fill="none" stroke="#0072B2" stroke-dasharray="5 3"/>')
    row = (pixels == INK).all(axis=2).any(axis=0)
    assert row.tolist() == ([True] * 5 + [False] * 3) * 2 + [True] * 4


def test_dashes_go_on_around_a_corner():
    (first, second) = raster._dashed(np.array([[0.0, 0], [4, 0], [4, 6]]), [6, 2])
    assert first.tolist() == [[0, 0], [4, 0], [4, 2]]
    assert second.tolist() == [[4, 4], [4, 6]]


def test_a_slanted_line_is_smooth_and_lies_where_it_should():
    pixels = drawn('<path d="M2 18L18 2" fill="none" stroke="#0072B2" stroke-width="3"/>')
    assert (pixels[9:11, 9:11] == INK).all()
    shades = {tuple(each) for each in pixels.reshape(-1, 3)}
    assert len(shades) > 3
    assert (pixels[2, 2] == PAPER).all()


def test_an_area_is_tinted_by_its_opacity():
    pixels = drawn('<path d="M5 5H15V15H5Z" fill="#0072B2" fill-opacity="0.5"/>')
    expected = (np.array(INK) + PAPER) / 2
    assert np.abs(pixels[10, 10] - expected).max() <= 1
    assert (pixels[3, 3] == PAPER).all()


def test_a_circle_has_its_ring_around_it():
    pixels = drawn(
        '<circle cx="10" cy="10" r="6" fill="#0072B2" stroke="#ff0000" stroke-width="2"/>'
    )
    assert (pixels[10, 10] == INK).all()
    assert (pixels[10, 4] == (255, 0, 0)).all()
    assert (pixels[10, 1] == PAPER).all()


def test_a_hatch_is_tiled_over_its_box():
    pattern = (
        '<defs><pattern id="h" width="5" height="5"><path d="M0 2H5" stroke="#0072B2"/></pattern>'
        '</defs><rect x="0" y="0" width="20" height="20" fill="url(#h)"/>'
    )
    pixels = drawn(pattern)
    rows = (pixels != PAPER).any(axis=(1, 2))
    assert [rows[i : i + 5].tolist() for i in (0, 5, 10, 15)] == [rows[:5].tolist()] * 4
    assert 0 < rows[:5].sum() < 5


@pytest.mark.parametrize(("anchor", "places"), [("start", (10, 20)), ("end", (0, 10))])
def test_a_text_stands_beside_its_anchor(anchor, places):
    pixels = drawn(f'<text x="10" y="15" text-anchor="{anchor}" fill="#0072B2">I</text>')
    columns = np.nonzero((pixels != PAPER).any(axis=(0, 2)))[0]
    assert places[0] <= columns.min() <= columns.max() <= places[1]
    rows = np.nonzero((pixels != PAPER).any(axis=(1, 2)))[0]
    assert 5 <= rows.min() <= rows.max() <= 15


def test_a_turned_text_reads_upwards():
    def text(transform, letters):
        return drawn(
            f'<text transform="{transform}" text-anchor="middle" fill="#0072B2">{letters}</text>',
            width=60,
            height=60,
        )

    flat = text("translate(30,34)", "ABC")
    turned = text("translate(34,30) rotate(-90)", "ABC")
    cut = []
    for pixels in (np.rot90(flat), turned):
        rows, columns = np.nonzero((pixels != PAPER).any(axis=2))
        cut.append(pixels[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])
        assert abs((rows.min() + rows.max()) / 2 - 29.5) <= 1.5
        assert columns.max() <= 34
    np.testing.assert_array_equal(*cut)


def test_a_halo_covers_lines_behind_a_text():
    line = '<path d="M0 10H20" stroke="#ff0000" fill="none" stroke-width="2"/>'
    text = '<text x="6" y="14" fill="#0072B2" stroke="#ffffff" stroke-width="6">M</text>'
    assert (drawn(line + text)[10, 4:16] == (255, 0, 0)).all(axis=1).sum() < 6


def test_letters_of_other_scripts_are_drawn_by_a_font_of_the_machine_or_as_boxes():
    pixels = drawn('<text x="2" y="15" fill="#0072B2">\u4e2d</text>')
    assert (pixels != PAPER).any()


def test_every_covered_character_is_in_the_fonts():
    covered = [chr(c) for c in range(0x20, 0x2300) if raster.COVERED.fullmatch(chr(c))]
    assert len(covered) > 400
    for weight in ("Regular", "SemiBold"):
        font = raster._font_of(str(raster.FONTS / f"Inter-{weight}.ttf"), 20)
        assert [c for c in covered if not raster._has(font, c)] == []


def test_a_piece_of_svg_that_is_not_known_is_an_error():
    with pytest.raises(ValueError, match="SVG element: found ellipse"):
        drawn('<ellipse cx="1" cy="1" rx="1" ry="2"/>')
    with pytest.raises(ValueError, match="transform: found"):
        drawn('<g transform="scale(2)"/>')
