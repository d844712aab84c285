"""Charts in notebooks: interactive, with a picture for viewers that run no script."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import altair as alt
from altair.utils.mimebundle import spec_to_mimebundle

#: JupyterLab draws version 5 without a network, so the charts use no more than version 5 has.
VEGA_LITE = "application/vnd.vegalite.v5+json"
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def show_in_notebook() -> None:
    """Make every Altair chart of this notebook show live, and as SVG where nothing runs.

    JupyterLab and Notebook draw the chart itself; GitHub, nbviewer and a mail reader show the
    picture, which vl-convert draws without a browser and without a network.

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
    # The marks' descriptions make the picture half as large again, and a viewer that shows only
    # pictures passes them over.
    still = spec | {"config": spec.get("config", {}) | {"aria": False}}
    picture = spec_to_mimebundle(still, "svg", mode="vega-lite")
    return {**picture, VEGA_LITE: spec | {"$schema": SCHEMA}}
