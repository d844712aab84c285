"""Writes the widget's page as one HTML file, or as a snippet for a web page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, get_args

from conformal_roc_widget.checks import instance_of, one_of
from conformal_roc_widget.choices import DataName, FormName
from conformal_roc_widget.draw.shapes import laid_out
from conformal_roc_widget.files import replaced
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import IDEAL, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import export_budget
from conformal_roc_widget.wire.concealed import concealed_messages
from conformal_roc_widget.wire.encoding import DIGITS, as_json, json_text, letters, packed
from conformal_roc_widget.wire.ideal import ideal_message

from .still import image_address, short_text, still_scene

STATIC = Path(__file__).parents[1] / "static"
DATA = get_args(DataName)
FORMS = get_args(FormName)
#: The style of a page of `to_html` around the chart.
PAGE_STYLE = """
:root{color-scheme:light dark;background:#fff;color:#1a1a1a}
@media (prefers-color-scheme:dark){:root{background:#111;color:#ededed}}
body{margin:0 auto;max-width:1120px;font:13px/20px system-ui,sans-serif}
[data-still]{padding:16px}
[data-still] p{white-space:pre-line}
[data-still] img{max-width:100%;height:auto}
"""
#: The script that unpacks the widget's script and style into the page. The page's content security
#: policy allows only scripts and styles with known hashes.
UNPACK = f"""
try{{
  const packed=document.querySelector("[data-packed]").textContent, n=packed.length;
  const bytes=new Uint8Array(Math.floor((13*(n>>1)+6*(n%2))/8));
  const digit=i=>Math.max('{DIGITS}'.indexOf(packed[i]),0);
  for(let i=0,at=0,bits=0,many=0;i<n;i+=2){{
    bits+=(digit(i)+91*digit(i+1))<<many;
    for(many+=13;many>7;many-=8,bits>>=8) bytes[at++]=bits;
  }}
  const unpacked=new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const parts=(await new Response(unpacked).text()).split("\\0");
  for(const [i,tag] of ["script","style"].entries()){{
    const part=document.createElement(tag);
    if(tag=="script")part.type="module";
    part.textContent=parts[i];
    document.head.append(part);
  }}
}}catch{{
  document.body.append("This chart needs a browser of 2023 or later, or the file was cut short.");
}}
""".replace("  ", "").replace("\n", "")
#: Letters that, inside JSON, could close or open an element of a page, and their escapes.
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def write(place: Path, content: bytes) -> Path:
    """Writes a file, and returns its path. An old file is replaced once the new one is complete."""
    with replaced(place) as file:
        file.write(content)
    return place


class Page(NamedTuple):
    """What a page without a kernel shows, with the first values of its controls."""

    group: Group
    controls: Controls
    #: Whether the page contains the data ("arrays") or only curves ("curves").
    data: DataName = "arrays"
    title: str | None = None
    overlaid: Overlaid | None = None


def check_title(title: object) -> None:
    """Raises an error if `title` is neither a str nor None, which means the generated title."""
    instance_of(title, "title", str | None, "a str")


def check_embedding(folder: str | os.PathLike[str], url: object, form: object) -> None:
    """Raises an error for an invalid argument of `embed`."""
    instance_of(folder, "folder", str | os.PathLike, "a str or a Path")
    if not Path(folder).is_dir():
        raise ValueError(f"folder: found {str(folder)!r}, expected a folder that exists")
    instance_of(url, "url", str, "a str")
    one_of(form, "form", FORMS)


class Still(NamedTuple):
    """The still picture and text of a page, as HTML. They are shown until its script runs."""

    heading: str
    html: str


def still_of(page: Page) -> Still:
    """Makes the still picture and text of a page. If a viewer runs no scripts, they stay."""
    group, controls, _, title, overlaid = page
    scene = still_scene(group, controls, overlaid, title)
    text = short_text(group, controls) if scene is None else scene.description
    heading = plain_text(title, 120) if title is not None else text.partition("\n")[0]
    picture, what = "", "a text"
    if scene is not None:
        what = "the picture"
        # `lead` and `notes` are written as text below the picture, so the picture leaves them out.
        sheet = laid_out(scene._replace(lead=(), notes=()), THEMES["light"])
        text = "\n".join([text, *(note for note in scene.notes if note not in text)])
        picture = (
            f'<img alt="{escape(heading)}" width="{sheet.width}" height="{sheet.height}" '
            f"src='{image_address(sheet)}'>\n"
        )
    return Still(
        heading,
        f"""<div data-still>
<p>This chart moves where JavaScript runs. Without it, this is {what} of one moment.</p>
{picture}<p>{escape(text)}</p>
</div>""",
    )


def html(page: Page) -> str:
    """Returns the page as one HTML file. It needs no network, and runs only the widget's script."""
    payload = packed(_payload(page))
    bundle = _bundle()
    script, style = _parts(bundle)
    picture = still_of(page)
    policy = (
        f"default-src 'none'; script-src '{_digest(UNPACK)}' '{_digest(script)}'; "
        f"style-src '{_digest(PAGE_STYLE)}' '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(picture.heading)}</title>
<style>{PAGE_STYLE}</style>
</head>
<body>
{picture.html}
<script type="text/plain" data-conformal-roc>{payload}</script>
<script type="text/plain" data-packed>{letters(bundle)}</script>
<script type="module">{UNPACK}</script>
</body>
</html>
"""


def embed(page: Page, folder: str | os.PathLike[str], url: str, form: FormName) -> str:
    """Writes script and style into a folder, and returns the text that uses them.

    The text is HTML or a MyST directive. The names of the files contain a hash of their contents,
    so that no browser uses outdated files from its cache.
    """
    payload = json_text(as_json(_payload(page)))
    for letter, code in ESCAPES.items():
        payload = payload.replace(letter, code)
    links = {}
    for content, kind in zip(_parts(_bundle()), ("js", "css"), strict=True):
        file = f"conformal-roc-{hashlib.sha256(content.encode()).hexdigest()[:10]}.{kind}"
        if not (Path(folder) / file).exists():
            write(Path(folder) / file, content.encode())
        links[kind] = f"{url.rstrip('/')}/{file}" if url else file
    if form == "myst":
        # MyST would parse the body as Markdown, which takes half a minute for 12 kB. Indented text
        # is code, which MyST does not parse.
        return f":::{{anywidget}} {links['js']}\n:css: {links['css']}\n\n    {payload}\n:::\n"
    links = {kind: escape(link) for kind, link in links.items()}
    # The script reads the data, so the data come first. If a page begins with this snippet, the
    # browser reads it as the page's head, which is not shown. The div ends the head.
    return (
        f'<link rel="stylesheet" href="{links["css"]}">\n'
        f"<div>{still_of(page).html}"
        f'<script type="application/json" data-conformal-roc>{payload}</script></div>\n'
        f'<script type="module" src="{links["js"]}"></script>\n'
    )


def _payload(page: Page) -> dict[str, Any]:
    """Returns the state and the messages that the script of a page starts with."""
    group, controls, data, title, overlaid = page
    asking = controls._replace(band=IDEAL, label=group.opens_with(group.key_of(controls)))
    messages: tuple[Any, Any]
    if controls.conceals:
        here = (controls.alpha, controls.threshold, *wire.FROM_PYTHON)
        messages = concealed_messages(group, *here)
    elif data == "curves":
        messages = wire.curves_messages(group, controls.alpha, controls.threshold)
    else:
        sliders = controls.alpha, controls.threshold
        budget = export_budget(*sliders, several=len(group.entries) > 1)
        messages = wire.page_messages(group, *sliders, budget)
    return {
        "version": wire.VERSION,
        "title": None if title is None else plain_text(title, 120),
        "state": controls._asdict(),
        "data": messages[0],
        "frame": messages[1],
        "comparators": None if overlaid is None else wire.comparators_message(overlaid) or None,
        "ideal": None if controls.conceals else ideal_message(group, asking) or None,
    }


def _bundle() -> bytes:
    """Returns the script and the style of the page as one gzip file."""
    file = STATIC / "standalone.gz"
    if not file.exists():
        raise FileNotFoundError(
            f"{file.name} of the page is not built: run `make build` in a clone of the repository"
        )
    return file.read_bytes()


def _parts(bundle: bytes) -> list[str]:
    """Returns the script and the style in `bundle` as texts."""
    return gzip.decompress(bundle).decode().split("\0")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
