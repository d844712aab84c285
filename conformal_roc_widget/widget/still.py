"""Picture and text of one moment, for viewers that run nothing."""

from __future__ import annotations

import base64
import warnings
from urllib.parse import quote

from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.draw.shapes import Sheet, coarser, laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import EITHER
from conformal_roc_widget.views.scenes import scene_of, summary

#: At most this many bytes for a picture that goes with a display or a page.
MOST_BYTES = 60_000
#: Lines of a picture within a page may move by this many points, so that it stays small.
MOST_MOVED = 0.6


def still(
    group: Group, controls: Controls, overlaid: Overlaid | None = None
) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Picture and text of a moment by mime type, and the picture's size.

    The picture is a PNG image, which every viewer shows: JupyterLab shows no SVG image of a
    notebook that it does not trust. It lies on the page's own ground, light or dark, for a saved
    notebook is opened in either. Where none can be made, a RuntimeWarning says why.
    """
    try:
        scene = scene_of(group, controls, overlaid)
        sheet = laid_out(scene, EITHER)
        image = base64.b64encode(png(sheet, MOST_BYTES, see_through=True)).decode()
    except Exception as error:  # the widget itself is not to be lost with its picture
        warnings.warn(f"no picture beside the widget: {error}", RuntimeWarning, stacklevel=2)
        return {"text/plain": summary(group, controls, overlaid)}, {}
    size = {"width": sheet.width, "height": sheet.height}
    return {"image/png": image, "text/plain": scene.description}, {"image/png": size}


def image_address(sheet: Sheet) -> str:
    """Address that holds the picture itself, beside its description: SVG while it is small."""
    vectors = svg(coarser(sheet, MOST_MOVED), described=False)
    if len(vectors.encode()) <= MOST_BYTES:
        # Text takes a fifth less than base64; within single quotes all but a few letters may stand.
        text = quote(vectors, safe=' "<>=:/;,.()-+*!@$?[]|~^`{}')
        return f"data:image/svg+xml,{text}"
    return f"data:image/png;base64,{base64.b64encode(png(sheet, MOST_BYTES)).decode()}"
