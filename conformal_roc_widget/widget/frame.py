"""The standalone page within an iframe: an output that works wherever HTML is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conformal_roc_widget.checks import whole_number

#: Pixels that a chart with its sliders takes at the width of a notebook.
DEFAULT_HEIGHT = 900
#: Makes a frame as high as its content says, tells it the backgrounds around it, from the nearest
#: one to the canvas, and takes away the picture under it. Where a host runs no script, the height
#: stays, and the frame hides the picture. Hosts that put HTML into a living page run this
#: attribute, though no script element.
FOLLOW = (
    "const f=this;let s;for(let n=f.parentElement;n;n=s?null:n.parentElement)"
    "s=n.querySelector('[data-still]');if(s)s.hidden=true;if(!f.follows){f.follows=1;"
    "f.style.outlineColor='Canvas';window.addEventListener('message',e=>{"
    "const h=e.data?.conformalRocHeight;if(e.source===f.contentWindow)if(h>0){"
    "if(1e4>h)f.style.height=h+'px';const g=[];"
    "for(let n=f;n;n=n.parentElement||n.getRootNode().host)"
    "g.push(getComputedStyle(n).backgroundColor);"
    "g.push(getComputedStyle(f).outlineColor);"
    "f.contentWindow.postMessage({conformalRocGround:g},'*')}})}"
    "f.contentWindow.postMessage('height','*')"
)

#: Text in place of a frame that a viewer takes out, as JupyterLab does until a notebook is trusted.
INSTEAD = "Here is a chart that moves, once this notebook is trusted or its cell is run again."
#: Style that puts frame and picture in one place.
PLACE = "grid-area:1/1"


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
    still : str
        HTML of picture and text of one moment, for programs that take frames out.
    bundle : tuple of dict
        Picture and text by mime type, for what is no HTML, and the size of the picture.
    """

    page: str
    height: int
    still: str = ""
    bundle: tuple[dict[str, str], dict[str, Any]] = field(default=({}, {}), repr=False)

    def _repr_html_(self) -> str:
        """The frame, with the page inside the element itself, over the picture."""
        # The attribute has single quotes, so that the many double quotes of JSON need no escape.
        content = self.page.replace("&", "&amp;").replace("'", "&#39;")
        return (
            f'<div style="display:grid"><div style="{PLACE};min-width:0">{self.still}</div>'
            '<iframe title="ROC curve with conformal bands" sandbox="allow-scripts" '
            f'style="{PLACE};width:100%;height:{self.height}px;border:0" loading="lazy" '
            f"onload=\"{FOLLOW}\" srcdoc='{content}'>{INSTEAD}</iframe></div>"
        )

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, Any]]:
        """The frame, and picture and text for what is no HTML: LaTeX, reStructuredText, mail."""
        data, metadata = self.bundle
        return {"text/plain": repr(self), **data, "text/html": self._repr_html_()}, metadata

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        return f"FramedPage({self.height} px high)"


def check_height(height: object) -> int:
    """Pixels of a frame; refuse what is no whole number of at least 1."""
    return DEFAULT_HEIGHT if height is None else whole_number(height, "height", 1)
