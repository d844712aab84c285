"""Makes a still picture and a text of a widget, for viewers that run no scripts."""

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

#: A still picture beside a widget, or in a page, has at most about this many bytes.
MOST_BYTES = 60_000
#: To make an SVG picture smaller, the corners of its lines are moved. This is the largest distance
#: in points, the unit of the picture.
MOST_MOVED = 1.0


def still(
    group: Group, controls: Controls, overlaid: Overlaid | None = None
) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """Returns the MIME bundle of a still picture and a text, and metadata with the size.

    The picture is a PNG, because JupyterLab shows no SVG of an untrusted notebook. It is
    transparent, because a saved notebook may be opened on a light or a dark page. If no picture can
    be made, a RuntimeWarning says why.
    """
    sentence = {"text/plain": short_text(group, controls)}
    try:
        scene = still_scene(group, controls, overlaid)
        if scene is None:
            return sentence, {}
        sheet = laid_out(scene, EITHER)
        image = base64.b64encode(png(sheet, MOST_BYTES, see_through=True)).decode()
    except Exception as error:  # an error must not stop the widget, which works without a picture
        warnings.warn(f"no picture beside the widget: {error}", RuntimeWarning, stacklevel=2)
        return sentence, {}
    size = {"width": sheet.width, "height": sheet.height}
    return {"image/png": image, "text/plain": scene.description}, {"image/png": size}


def still_scene(
    group: Group, controls: Controls, overlaid: Overlaid | None, title: str | None = None
) -> Scene | None:
    """Returns the scene of a still picture. None if the JavaScript engine is not installed."""
    try:
        return scene_of(group, controls, overlaid, heading=title, is_still=True)
    except ImportError:
        return None


def short_text(group: Group, controls: Controls) -> str:
    """Returns a text for viewers without pictures: rates at the threshold, and area."""
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
    """Returns the data URL of a sheet's picture: an SVG or, if that has too many bytes, a PNG."""
    vectors = svg(coarser(sheet, MOST_MOVED), described=False)
    if len(vectors.encode()) <= MOST_BYTES:
        # As quoted text, an SVG picture is a fifth shorter than as base64. The attribute has single
        # quotes, so only a few letters need an escape.
        text = quote(vectors, safe=' "<>=:/;,.()-+*!@$?[]|~^`{}')
        return f"data:image/svg+xml,{text}"
    return f"data:image/png;base64,{base64.b64encode(png(sheet, MOST_BYTES)).decode()}"
