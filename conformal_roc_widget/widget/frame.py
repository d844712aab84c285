"""The standalone page within an iframe: an output that works wherever HTML is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformal_roc_widget.checks import whole_number

#: Pixels that a chart with its sliders takes at the width of a notebook.
DEFAULT_HEIGHT = 900
#: Makes a frame as high as its content says; where a host runs no script, the height stays.
#: Hosts that put HTML into a living page run this attribute, though no script element.
FOLLOW = (
    "const f=this;f.follows||(f.follows=1,window.addEventListener('message',e=>{"
    "const h=e.data?.conformalRocHeight;"
    "if(e.source===f.contentWindow)if(h>0)if(1e4>h)f.style.height=h+'px'}));"
    "f.contentWindow.postMessage('height','*')"
)

#: In place of a frame that a viewer takes out, as JupyterLab does until a notebook is trusted.
INSTEAD = "Here is a chart that moves, once this notebook is trusted or its cell is run again."


@dataclass(frozen=True)
class FramedPage:
    """A page within an output cell, shut off from the page around it.

    Its scripts run in a sandbox without the host's origin: they reach neither the notebook nor the
    network, and the notebook does not reach them.

    Attributes
    ----------
    page : str
        HTML of the standalone page.
    height : int
        Height in pixels, until the page tells its own and the host lets it be followed.
    """

    page: str
    height: int

    def _repr_html_(self) -> str:
        """The frame, with the page inside the element itself."""
        # With single quotes around, the many double quotes of JSON stand as they are.
        content = self.page.replace("&", "&amp;").replace("'", "&#39;")
        return (
            '<iframe title="ROC curve with conformal bands" sandbox="allow-scripts" '
            f'style="width:100%;height:{self.height}px;border:0" loading="lazy" '
            f"onload=\"{FOLLOW}\" srcdoc='{content}'>{INSTEAD}</iframe>"
        )

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        return f"FramedPage({self.height} px high)"


def framed(page: str, height: Any = None) -> FramedPage:
    """Put a page into a frame.

    Parameters
    ----------
    page : str
        HTML of the page.
    height : int, optional
        Pixels.

    Returns
    -------
    FramedPage
        What a notebook shows as HTML.

    Raises
    ------
    TypeError, ValueError
        If the height is no whole number of at least 1.
    """
    return FramedPage(page, DEFAULT_HEIGHT if height is None else whole_number(height, "height", 1))
