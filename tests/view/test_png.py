"""PNG images: two pixels a point, few colours, the inks as they are."""

import io

import numpy as np
import pytest
from data import evaluation_from_scores
from PIL import Image

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.view import figure, svg
from conformal_roc_widget.view import png as pixels


@pytest.fixture
def widget():
    return ROCWidget(
        evaluation_from_scores(1, n_calibration=200), alpha=0.1, threshold=0.4, band="both"
    )


def test_a_png_image_is_crisp_and_shows_the_colours_of_the_band(widget, tmp_path):
    drawing = svg.draw(figure.of(widget._group, widget._controls()))
    image = widget.to_png(tmp_path / "a.png").read_bytes()
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = np.frombuffer(image[16:24], ">u4")
    assert (width, height) == (2 * drawing.width, 2 * drawing.height)
    with Image.open(tmp_path / "a.png") as opened:
        colours = {bytes(colour).hex() for _, colour in opened.convert("RGB").getcolors()}
    assert {"ffffff", "1a1a1a", "0072b2", "d55e00", "d9eaf4"} <= colours
    assert len(colours) <= pixels.COLOURS


def test_a_picture_of_many_colours_is_packed_into_few():
    drawn = Image.effect_mandelbrot((60, 40), (-2, -1, 1, 1), 20).convert("RGB")
    with Image.open(io.BytesIO(pixels._packed(drawn))) as packed:
        assert packed.size == (60, 40)
        assert len(packed.getcolors()) <= pixels.COLOURS


def test_an_image_that_would_be_too_large_has_fewer_pixels(widget):
    drawing = svg.draw(figure.of(widget._group, widget._controls()))
    whole = pixels.png(drawing)
    smaller = pixels.png(drawing, len(whole) - 1)
    with Image.open(io.BytesIO(smaller)) as opened:
        assert opened.width == round(1.5 * drawing.width)
    assert len(smaller) < len(whole)
