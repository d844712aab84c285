"""Shows Altair charts in notebooks, with an SVG picture for viewers that run no scripts."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import altair as alt
from altair.utils.mimebundle import spec_to_mimebundle

#: The MIME type and schema of Vega-Lite 5. The charts use nothing newer, and JupyterLab can draw
#: this version without a network.
VEGA_LITE = "application/vnd.vegalite.v5+json"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def show_in_notebook() -> None:
    """Makes every Altair chart of this notebook interactive, with an SVG picture beside it.

    JupyterLab and Notebook draw the chart itself. GitHub, nbviewer and mail readers show the
    picture, which vl-convert draws without a browser and a network.

    Raises
    ------
    ImportError
        If vl-convert, which the extra ``save`` brings, is not installed.
    """
    if find_spec("vl_convert") is None:
        raise ImportError(
            "vl-convert-python: found none, expected it for pictures of Altair charts: "
            "pip install 'conformal_roc_widget[save]'"
        )
    alt.renderers.register("conformal_roc_widget", _live_and_still)
    alt.renderers.enable("conformal_roc_widget")


def _live_and_still(spec: dict[str, Any], **_: Any) -> dict[str, Any]:
    # With "aria", each mark in the picture would have a description, which makes the picture half
    # as large again. Viewers of pictures do not use it.
    still = spec | {"config": spec.get("config", {}) | {"aria": False}}
    picture = spec_to_mimebundle(still, "svg", mode="vega-lite")
    return {**picture, VEGA_LITE: spec | {"$schema": SCHEMA}}
