"""Picture and text of one moment, for viewers that run nothing."""

from __future__ import annotations

import base64
import warnings
from urllib.parse import quote

from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.draw.shapes import Sheet, coarser, laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Scene
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import EITHER
from conformal_roc_widget.text import number_text
from conformal_roc_widget.words import words

#: At most this many bytes for a picture that goes with a display or a page.
MOST_BYTES = 60_000
#: Lines of a picture within a page may move by this many points, so that it stays small.
MOST_MOVED = 1.0


def still(
    group: Group, controls: Controls, overlaid: Overlaid | None = None
) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Picture and text of a moment by mime type, and the picture's size.

    The picture is a PNG image, which every viewer shows: JupyterLab shows no SVG image of a
    notebook that it does not trust. It lies on the page's own ground, light or dark, for a saved
    notebook is opened in either. Where none can be made, a RuntimeWarning says why.
    """
    sentence = {"text/plain": short_text(group, controls)}
    try:
        scene = still_scene(group, controls, overlaid)
        if scene is None:
            return sentence, {}
        sheet = laid_out(scene, EITHER)
        image = base64.b64encode(png(sheet, MOST_BYTES, see_through=True)).decode()
    except Exception as error:  # the widget itself is not to be lost with its picture
        warnings.warn(f"no picture beside the widget: {error}", RuntimeWarning, stacklevel=2)
        return sentence, {}
    size = {"width": sheet.width, "height": sheet.height}
    return {"image/png": image, "text/plain": scene.description}, {"image/png": size}


def still_scene(
    group: Group, controls: Controls, overlaid: Overlaid | None, title: str | None = None
) -> Scene | None:
    """The scene of a picture beside what moves; None if the engine is not installed."""
    try:
        return scene_of(group, controls, overlaid, heading=title, is_still=True)
    except ImportError:
        return None


def short_text(group: Group, controls: Controls) -> str:
    """For viewers without a picture: the rates at the threshold and the area of each evaluation."""
    lines = []
    for label, evaluation in group.entries.items():
        point = evaluation.operating_point(controls.threshold, controls.alpha)
        start = words("answer.at_threshold", threshold=controls.threshold)
        rates = words("answer.bare", start=start, tpr=point.tpr, specificity=1 - point.fpr)
        name = group.name(label)
        area = f"Area under the curve: {number_text(evaluation.observed_auc)}."
        lines.append(f"{name}: {rates} {area}" if name else f"{rates} {area}")
    return "\n".join(lines)


def image_address(sheet: Sheet) -> str:
    """Address that holds the picture itself, beside its description: SVG while it is small."""
    vectors = svg(coarser(sheet, MOST_MOVED), described=False)
    if len(vectors.encode()) <= MOST_BYTES:
        # Text takes a fifth less than base64; within single quotes all but a few letters may stand.
        text = quote(vectors, safe=' "<>=:/;,.()-+*!@$?[]|~^`{}')
        return f"data:image/svg+xml,{text}"
    return f"data:image/png;base64,{base64.b64encode(png(sheet, MOST_BYTES)).decode()}"
