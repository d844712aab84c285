"""Pixels of a picture: each kind of shape at its place, in tiny pictures."""

import io

import numpy as np
import pytest
from data import evaluation_from_scores
from pictures import sheet_of
from PIL import Image, ImageColor

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.draw import fonts, pixels
from conformal_roc_widget.draw.shapes import Disc, Fill, Letters, Sheet, Stroke
from conformal_roc_widget.draw.svg import HATCH
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.comparator_state import Overlaid

BLUE = "#0072B2"
INK, PAPER = (0, 114, 178), (255, 255, 255)


def drawn(*shapes, scale=1, width=20, height=20):
    sheet = Sheet(shapes, width, height, "#ffffff", "", "")
    return np.asarray(pixels.raster(sheet, scale))


def line(*corners, **look):
    return Stroke([np.array(corners, dtype=float)], BLUE, **look)


def inked(pixels, ink=INK):
    """First and last row and column with a pixel of this exact colour."""
    rows, columns = np.nonzero((pixels == ink).all(axis=2))
    return (rows.min(), rows.max()), (columns.min(), columns.max())


def test_a_line_along_an_axis_covers_whole_pixels_and_no_others():
    shown = drawn(line((4, 10), (16, 10), width=2))
    assert inked(shown) == ((9, 10), (4, 15))
    assert {tuple(each) for each in shown.reshape(-1, 3)} == {INK, PAPER}


def test_a_corner_of_a_step_is_filled():
    shown = drawn(line((4, 16), (4, 6), (14, 6), width=4))
    assert (shown[4:8, 2:6] == INK).all()


def test_a_dashed_line_has_ink_in_the_dashes_alone():
    shown = drawn(line((0, 10), (20, 10), dashes=(5, 3)))
    row = (shown == INK).all(axis=2).any(axis=0)
    assert row.tolist() == ([True] * 5 + [False] * 3) * 2 + [True] * 4


def test_dashes_go_on_around_a_corner():
    (first, second) = pixels.dashed(np.array([[0.0, 0], [4, 0], [4, 6]]), [6, 2])
    assert first.tolist() == [[0, 0], [4, 0], [4, 2]]
    assert second.tolist() == [[4, 4], [4, 6]]


def test_a_slanted_line_is_smooth_and_lies_where_it_should():
    shown = drawn(line((2, 18), (18, 2), width=3))
    assert (shown[9:11, 9:11] == INK).all()
    shades = {tuple(each) for each in shown.reshape(-1, 3)}
    assert len(shades) > 3
    assert (shown[2, 2] == PAPER).all()


def box(low, high):
    return np.array([(low, low), (high, low), (high, high), (low, high)], dtype=float)


def test_an_area_is_tinted_by_its_opacity():
    shown = drawn(Fill(box(5, 15), BLUE, 0.5))
    expected = (np.array(INK) + PAPER) / 2
    assert np.abs(shown[10, 10] - expected).max() <= 1
    assert (shown[3, 3] == PAPER).all()


def test_a_circle_has_its_ring_around_it():
    shown = drawn(Disc(10, 10, 6, BLUE, "#ff0000", 2))
    assert (shown[10, 10] == INK).all()
    assert (shown[10, 4] == (255, 0, 0)).all()
    assert (shown[10, 1] == PAPER).all()


def test_a_hatch_is_tiled_within_its_area():
    shown = drawn(Fill(box(2, 46), BLUE, hatched=True), width=48, height=48)
    inside = shown[4:45, 4:45]
    assert 0.05 < (inside != PAPER).any(axis=2).mean() < 0.5
    # Large enough that a line of the hatch covers whole pixels.
    large = drawn(Fill(box(2, 46), BLUE, hatched=True), scale=4, width=48, height=48)
    strongest = (255 - large.astype(int)).max(axis=(0, 1))
    np.testing.assert_allclose(strongest, HATCH * (255 - np.array(INK)), rtol=0, atol=2)
    np.testing.assert_array_equal(inside[11:33, 11:33], inside[:22, :22])
    assert (shown[:2] == PAPER).all()


@pytest.mark.parametrize(("anchor", "places"), [("start", (10, 20)), ("end", (0, 10))])
def test_a_text_stands_beside_its_anchor(anchor, places):
    shown = drawn(Letters("I", 10, 15, BLUE, anchor=anchor))
    columns = np.nonzero((shown != PAPER).any(axis=(0, 2)))[0]
    assert places[0] <= columns.min() <= columns.max() <= places[1]
    rows = np.nonzero((shown != PAPER).any(axis=(1, 2)))[0]
    assert 5 <= rows.min() <= rows.max() <= 15


def cropped(shown):
    rows, columns = np.nonzero((shown != PAPER).any(axis=2))
    return shown[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def test_a_turned_text_reads_upwards():
    flat, turned = (
        drawn(Letters("ABC", x, y, BLUE, anchor="middle", turned=is_turned), width=60, height=60)
        for x, y, is_turned in ((30, 34, False), (34, 30, True))
    )
    rows, columns = np.nonzero((turned != PAPER).any(axis=2))
    assert abs((rows.min() + rows.max()) / 2 - 29.5) <= 1.5
    assert columns.max() <= 34
    np.testing.assert_array_equal(cropped(np.rot90(flat)), cropped(turned))


def test_a_halo_covers_lines_behind_a_text():
    behind = Stroke([np.array([(0.0, 10), (20, 10)])], "#ff0000", 2)
    text = Letters("M", 6, 14, BLUE, halo="#ffffff")
    assert (drawn(behind, text)[10, 4:16] == (255, 0, 0)).all(axis=1).sum() < 6


def test_letters_of_other_scripts_are_drawn_by_a_font_of_the_machine_or_as_boxes():
    assert (drawn(Letters("\u4e2d", 2, 15, BLUE)) != PAPER).any()


def test_every_covered_character_is_in_the_fonts():
    covered = [chr(c) for c in range(0x20, 0x2300) if fonts.COVERED.fullmatch(chr(c))]
    assert len(covered) > 400
    for weight in ("Regular", "SemiBold"):
        font = fonts.font_of(str(fonts.FONTS / f"Inter-{weight}.ttf"), 20)
        assert [c for c in covered if not fonts.has(font, c)] == []


def test_a_tilde_over_a_letter_leaves_the_font_of_its_line():
    """The tilde is above the unchanged letter, and adds no width to the line."""
    plain, tilde = (
        drawn(Letters(text, 5, 30, BLUE, 24), width=200, height=40)
        for text in ("reference \u03c0, made", "reference \u03c0\u0303, made")
    )
    differs = (plain != tilde).any(axis=2)
    rows, columns = np.nonzero(differs)
    pi = drawn(Letters("\u03c0", 5, 30, BLUE, 24), width=200, height=40)
    top = np.nonzero((pi != PAPER).any(axis=(1, 2)))[0].min()
    assert rows.size > 10
    assert rows.max() < top
    assert np.ptp(columns) < 20


@pytest.fixture
def widget():
    return ROCWidget(
        evaluation_from_scores(1, n_calibration=200), alpha=0.1, threshold=0.4, band="both"
    )


@pytest.fixture
def sheet(widget):
    return sheet_of(scene_of(widget._group, widget._controls(), Overlaid(None, 0.1)))


def test_a_png_image_is_crisp_and_shows_the_colours_of_the_band(widget, sheet, tmp_path):
    image = widget.to_png(tmp_path / "a.png").read_bytes()
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = np.frombuffer(image[16:24], ">u4")
    assert (width, height) == (2 * sheet.width, 2 * sheet.height)
    with Image.open(tmp_path / "a.png") as opened:
        colours = {bytes(colour).hex() for _, colour in opened.convert("RGB").getcolors()}
    assert {"ffffff", "1a1a1a", "0072b2", "d55e00", "d9eaf4"} <= colours
    assert len(colours) <= pixels.COLOURS


def test_a_picture_of_many_colours_is_packed_into_few():
    shown = Image.effect_mandelbrot((60, 40), (-2, -1, 1, 1), 20).convert("RGB")
    with Image.open(io.BytesIO(pixels.packed(shown))) as packed:
        assert packed.size == (60, 40)
        assert len(packed.getcolors()) <= pixels.COLOURS


def test_a_picture_to_see_through_is_the_same_on_white_and_lets_a_dark_page_through():
    area = Fill(np.array([[2.0, 2], [18, 2], [18, 10], [2, 10]]), BLUE, opacity=0.2)
    dot = Disc(6, 14, 2, "#ffffff", "#767676", 1)
    sheet = Sheet([area, dot, line((0, 6), (20, 6), width=2)], 20, 20, "#ffffff", "", "")
    with Image.open(io.BytesIO(pixels.png(sheet, see_through=True))) as opened:
        shown = opened.convert("RGBA")
    on_white, on_black = (
        np.asarray(Image.alpha_composite(Image.new("RGBA", shown.size, ground), shown))[..., :3]
        for ground in ("white", "black")
    )
    with Image.open(io.BytesIO(pixels.png(sheet))) as plain:
        difference = on_white.astype(int) - np.asarray(plain.convert("RGB"))
    assert np.abs(difference).max() <= 2
    assert on_black[0, 0].tolist() == on_black[28, 12].tolist() == [0, 0, 0]
    assert on_black[12, 20].tolist() == list(INK)
    assert np.abs(on_black[18, 20] - 0.2 * np.array(INK)).max() <= 1


def test_an_image_that_would_be_too_large_has_fewer_pixels(sheet):
    whole = pixels.png(sheet)
    smaller = pixels.png(sheet, len(whole) - 1)
    with Image.open(io.BytesIO(smaller)) as opened:
        assert opened.width == round(1.5 * sheet.width)
    assert len(smaller) < len(whole)


def test_every_ink_is_kept_where_it_has_a_few_letters_only():
    """Of many colours rare ones are merged, except text colours, which identify labels."""
    tints = np.array([(240 - 10 * i, 100 + 7 * i, 40 + 9 * i) for i in range(20)], dtype=np.uint8)
    shown = np.repeat(np.repeat(tints[None], 40, axis=0), 4, axis=1)
    shown[0, :2] = ImageColor.getrgb("#c0007a")
    picture = Image.fromarray(shown)
    with Image.open(io.BytesIO(pixels.packed(picture, ["#c0007a"]))) as packed:
        assert np.asarray(packed.convert("RGB"))[0, 0].tolist() == [0xC0, 0, 0x7A]


@pytest.mark.parametrize("width", [6, 7])
def test_a_packed_picture_has_each_pixel_of_few_colours_and_its_size_on_paper(width):
    colours = np.array([[255, 255, 255], [0, 0, 0], [200, 40, 40]], np.uint8)
    wanted = colours[np.arange(5 * width).reshape(5, width) // 2 % 3]
    found = Image.open(io.BytesIO(pixels.packed(Image.fromarray(wanted), dpi=300)))
    found.load()
    assert found.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    np.testing.assert_array_equal(np.asarray(found.convert("RGB")), wanted)
