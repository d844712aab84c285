"""Puts a page into an iframe, for every viewer that shows HTML.

Below the iframe is a still picture, for viewers that remove the iframe.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conformal_roc_widget.checks import whole_number

#: The default height of the iframe in pixels. A chart with its sliders is this high if it is as
#: wide as a notebook.
DEFAULT_HEIGHT = 900
#: The script in the attribute ``onload`` of the iframe. It gives the iframe the height of the page
#: inside. It sends this page the background colours around the iframe, from the nearest element
#: outwards. It hides the picture below the iframe. If a host runs no scripts, the height stays, and
#: the iframe covers the picture. The script is an attribute, because a host that inserts HTML into
#: a live page runs no script elements.
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

#: The text inside the iframe's element. If a viewer removes the iframe, it shows this text.
#: JupyterLab removes the iframe until the notebook is trusted.
INSTEAD = "Here is a chart that moves, once this notebook is trusted or its cell is run again."
#: Iframe and picture have this style, which puts both into the same place.
PLACE = "grid-area:1/1"


@dataclass(frozen=True)
class FramedPage:
    """A page in an output cell, isolated from the page around it.

    Its scripts run in a sandbox without the host's origin. They cannot reach the notebook or the
    network, and the notebook cannot reach them.

    Attributes
    ----------
    page : str
        HTML of the page.
    height : int
        Height in pixels. If the host allows it, the height follows the content of the page.
    still : str
        HTML of a still picture and a text, for programs that remove iframes.
    bundle : tuple of dict
        MIME bundle of the picture and the text, for formats without HTML, and its metadata.
    """

    page: str
    height: int
    still: str = ""
    bundle: tuple[dict[str, str], dict[str, Any]] = field(default=({}, {}), repr=False)

    def _repr_html_(self) -> str:
        """Returns the HTML of the iframe over the still picture.

        The whole page is in the iframe's attribute ``srcdoc``, so that no other file is needed.
        """
        # The attribute `srcdoc` is in single quotes, so that the many double quotes of the JSON
        # need no escapes.
        content = self.page.replace("&", "&amp;").replace("'", "&#39;")
        return (
            f'<div style="display:grid"><div style="{PLACE};min-width:0">{self.still}</div>'
            '<iframe title="ROC curve with conformal bands" sandbox="allow-scripts" '
            f'style="{PLACE};width:100%;height:{self.height}px;border:0" loading="lazy" '
            f"onload=\"{FOLLOW}\" srcdoc='{content}'>{INSTEAD}</iframe></div>"
        )

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, Any]]:
        """Returns the MIME bundle: the iframe as HTML, and picture and text for other formats."""
        data, metadata = self.bundle
        return {"text/plain": repr(self), **data, "text/html": self._repr_html_()}, metadata

    def __repr__(self) -> str:
        """Returns a short text that does not change between runs."""
        return f"FramedPage({self.height} px high)"


def check_height(height: object) -> int:
    """Checks the argument `height` in pixels. It must be an integer of at least 1."""
    return DEFAULT_HEIGHT if height is None else whole_number(height, "height", 1)
