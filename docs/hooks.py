"""What the site does to its pages: it runs their code and sets their equations.

A page's Python blocks run in order, in one namespace and in a folder of their own,
as they do in ``tests/repository/test_docs.py``. Below a block,

    <!-- show: expression -->

puts in its place what the expression is: a widget as the live chart, without a
kernel; an Altair chart as a picture; a table as a table; anything else as text.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOW = re.compile(r"^<!-- show: (.+?) -->$", re.MULTILINE)
EQUATION = re.compile(
    r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL
)
#: Where the live charts' script and style go, in the built site.
ASSETS = "assets/conformal-roc"


def steps(text: str) -> list[re.Match[str]]:
    """Blocks and shows of a page, in their order.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    list of re.Match
        Of `BLOCK` or of `SHOW`.
    """
    found = [*BLOCK.finditer(text), *SHOW.finditer(text)]
    return sorted(found, key=lambda match: match.start())


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Run the blocks of a page and show what it wants shown."""
    if not SHOW.search(markdown):
        return markdown
    assets = Path(config.site_dir, ASSETS)
    assets.mkdir(parents=True, exist_ok=True)
    depth = page.url.count("/")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    pieces, end = [], 0
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        os.chdir(folder)
        try:
            for step in steps(markdown):
                pieces.append(markdown[end : step.start()])
                end = step.end()
                if step.re is BLOCK:
                    pieces.append(step[0])
                    exec(
                        compile(step[1], str(page.file.src_path), "exec"), namespace
                    )
                else:
                    value = eval(step[1], namespace)
                    pieces.append(shown(value, assets, "../" * depth + ASSETS))
        finally:
            os.chdir(here)
    return "".join([*pieces, markdown[end:]])


def shown(value: Any, assets: Path, url: str) -> str:
    """What stands on the page for a value.

    Parameters
    ----------
    value : object
        A widget, a chart, a table or anything else.
    assets : Path
        Where script and style of live charts go.
    url : str
        Address of that folder from the page.

    Returns
    -------
    str
        HTML, or a fenced block of text.
    """
    if hasattr(value, "embed"):
        live = value.embed(assets, url=url)
        return f'<div class="live" markdown="0">\n{live}\n</div>'
    if hasattr(value, "save") and hasattr(value, "to_dict"):
        picture = StringIO()
        value.save(picture, format="svg")
        label = "picture of the chart that the code above makes"
        svg = picture.getvalue().replace(
            "<svg ", f'<svg role="img" aria-label="{label}" ', 1
        )
        return f'<div class="picture" markdown="0">{svg}</div>'
    if hasattr(value, "to_html"):
        return (
            f'<div class="table" markdown="0">\n{value.to_html(border=0)}\n</div>'
        )
    return f"```text\n{value}\n```"


def on_page_content(html: str, **_: Any) -> str:
    """Set the equations of a page as MathML."""

    def mathml(match: re.Match[str]) -> str:
        display = "block" if match[2] == "[" else "inline"
        return convert(unescape(match[3]).strip(), display=display)

    return EQUATION.sub(mathml, html)
