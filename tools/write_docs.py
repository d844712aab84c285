"""Writes the documentation as finished Markdown, from which any generator can build a site.

    python tools/write_docs.py build/docs-source

runs the Python blocks of each page that shows results. The blocks of a page run in order, in one
namespace and in a folder of their own, as in `tests/repository/test_docs.py`. Below a block, the
comment

    <!-- show: expression -->

is replaced by the value of the expression: a widget becomes a live chart without a kernel, an
Altair chart becomes a picture, a table becomes a table, and anything else becomes text. `show
below` refers to the next block, so that a chart can come before its code. Above a block, the
comment

    <!-- page: name -->

writes the block's `widget` to a page of its own, `gallery/name.html`, and shows that page in a
frame.

Equations between dollars become MathML. Everything else in `docs/` is copied. For language models
there are two more texts: `llms.txt` says what each page is about, and `api.txt` has the signature
and docstring of everything that `api.md` names.
"""

import contextlib
import inspect
import pkgutil
import re
import shutil
import sys
import tempfile
import tomllib
import warnings
from dataclasses import is_dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import yaml
from latex2mathml.converter import convert
from pygments.formatters import HtmlFormatter

from conformal_roc_widget.draw.fonts import FONTS
from conformal_roc_widget.widget.frame import DEFAULT_HEIGHT, FOLLOW

DOCS = Path(__file__).parents[1] / "docs"
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOW = re.compile(r"^<!-- show( below)?: (.+?) -->$", re.MULTILINE)
PAGE = re.compile(r"^<!-- page: ([a-z-]+) -->$", re.MULTILINE)
#: Folder of the gallery's pages.
GALLERY = "gallery"
#: Code blocks, indented or not, and inline code. Dollar signs in them are no equations.
CODE = re.compile(r"^[ ]*```.*?^[ ]*```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
DISPLAY = re.compile(r"^\$\$\n(.+?)\n\$\$$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<![\\$])\$(?![\s$])([^$]+?)(?<![\s\\])\$(?![\d$])")
#: Markdown's own characters, which are escaped within an equation.
MARKS = str.maketrans({mark: f"&#{ord(mark)};" for mark in "*_|`[]\\{}~^"})
#: Folder of the live charts' script and style.
ASSETS = "assets/conformal-roc"
#: Pygments' styles for code on a light and on a dark page.
LIGHT, DARK = "default", "github-dark"


def executed(markdown: str, name: str, assets: Path, url: str) -> str:
    """Runs the blocks of a page, and returns it with its results."""
    if not (SHOW.search(markdown) or PAGE.search(markdown)):
        return markdown
    found = (step for kind in (BLOCK, SHOW, PAGE) for step in kind.finditer(markdown))
    steps = sorted(found, key=re.Match.start)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    pieces: list[str] = []
    end, waiting = 0, []
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        for step in steps:
            pieces.append(markdown[end : step.start()])
            end = step.end()
            if step.re is BLOCK:
                pieces.append(step[0])
                exec(compile(step[1], name, "exec"), namespace)
                for place, above in waiting:
                    pieces[place] = put(above, namespace, assets, url)
                waiting = []
            elif step.re is PAGE or step[1]:
                waiting.append((len(pieces), step))
                pieces.append("")
            else:
                pieces.append(put(step, namespace, assets, url))
    return "".join([*pieces, markdown[end:]])


def put(step: re.Match[str], namespace: dict[str, Any], assets: Path, url: str) -> str:
    """The text that replaces a comment."""
    if step.re is PAGE:
        return page_of_its_own(namespace["widget"], step[1], assets)
    return shown(eval(step[2], namespace), assets, url)


def shown(value: Any, assets: Path, url: str) -> str:
    """HTML or a code block for a value. Script and style of live charts are written to `assets`."""
    if hasattr(value, "embed"):
        return in_a_block("live", value.embed(assets, url=url))
    if hasattr(value, "save") and hasattr(value, "to_dict"):
        picture = StringIO()
        value.save(picture, format="svg")
        label = "picture of the chart that the code above makes"
        named = f'<svg role="img" aria-label="{label}" '
        return in_a_block("picture", picture.getvalue().replace("<svg ", named, 1))
    if hasattr(value, "to_html"):
        return in_a_block("data-table", value.to_html(border=0))
    return f"```text\n{value}\n```"


def page_of_its_own(widget: Any, name: str, assets: Path) -> str:
    """Writes a chart as its own page of the site, and returns a frame of the right height."""
    folder = assets.parents[1] / GALLERY
    folder.mkdir(exist_ok=True)
    address = f"{GALLERY}/{widget.to_html(folder / f'{name}.html').name}"
    frame = [
        f'<iframe id="{name}" title="{name}" src="{address}" loading="lazy"',
        f'height="{DEFAULT_HEIGHT}" onload="{FOLLOW}"></iframe>',
        f'<a href="{address}">On a page of its own</a>',
    ]
    return in_a_block("own-page", "\n".join(frame))


def in_a_block(kind: str, html: str) -> str:
    """HTML in a form that Markdown does not change. An empty line would end the block."""
    lines = [line for line in html.splitlines() if line.strip()]
    return "\n".join([f'<div class="{kind}" markdown="0">', *lines, "</div>"])


def with_equations(markdown: str) -> str:
    """A page in which equations are MathML."""
    pieces, end = [], 0
    for code in CODE.finditer(markdown):
        pieces += [equations_set(markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, equations_set(markdown[end:])])


def equations_set(text: str) -> str:
    def block(match: re.Match[str]) -> str:
        return f'<div class="equation">{mathml(match[1], "block")}</div>'

    def inline(match: re.Match[str]) -> str:
        # Within a span, an equation at the start of a line does not start a block.
        return f'<span class="math">{mathml(match[1], "inline")}</span>'

    return INLINE.sub(inline, DISPLAY.sub(block, text))


def mathml(latex: str, display: str) -> str:
    converted = convert(latex.strip(), display=display)
    return re.sub(r">[^<]+<", lambda text: text[0].translate(MARKS), converted)


def style_of_code() -> str:
    """Colours of highlighted code, for light and dark pages."""
    light = HtmlFormatter(style=LIGHT).get_style_defs(".highlight")
    dark = HtmlFormatter(style=DARK).get_style_defs('[data-bs-theme="dark"] .highlight')
    return f"{light}\n{dark}\n"


def interface(markdown: str) -> str:
    """A page in which names for mkdocstrings are replaced by signature and docstring."""
    pieces = []
    for text in re.split(r"^(?=::: |#)", markdown, flags=re.MULTILINE):
        if not text.startswith("::: "):
            pieces.append(text)
            continue
        path, _, rest = text.removeprefix("::: ").partition("\n")
        options = yaml.safe_load(rest) or {}
        members = options.get("options", {}).get("members", [])
        thing = pkgutil.resolve_name(path.strip())
        if not inspect.ismodule(thing):
            pieces.append(described(thing.__name__, thing))
        owner = "" if inspect.ismodule(thing) else f"{thing.__name__}."
        pieces += [described(f"{owner}{name}", getattr(thing, name)) for name in members]
    return "\n".join(piece.strip() + "\n" for piece in pieces)


def described(name: str, thing: Any) -> str:
    """Name, parameters and docstring. Types are in the docstring."""
    call = ""
    if callable(thing) and not is_dataclass(thing):
        found = inspect.signature(thing)
        bare = [each.replace(annotation=each.empty) for each in found.parameters.values()]
        call = str(found.replace(parameters=bare, return_annotation=found.empty))
    return f"### {name}{call}\n\n{inspect.getdoc(thing) or ''}\n"


def overview(pages: list[Path]) -> str:
    """`llms.txt`: the pages, each with its headings."""
    lines = [f"# {PROJECT['name']}", "", f"> {PROJECT['description']}", "", "## Pages", ""]
    for page in pages:
        title, *headings = re.findall("^##? (.+)$", CODE.sub("", page.read_text("utf-8")), re.M)
        lines.append(f"- [{title}]({page.stem}.html): {'; '.join(headings)}")
    lines += ["", "## Interface", "", "- [Every public name, as one text](api.txt)", ""]
    return "\n".join(lines)


def write(target: Path) -> None:
    """Writes all pages and their assets into an emptied folder."""
    if DOCS.is_relative_to(target) or target.is_relative_to(DOCS):
        raise SystemExit(f"target: found {target}, expected a folder apart from {DOCS}")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(DOCS, target, ignore=shutil.ignore_patterns("*.toml", "*.yml"))
    assets = target / ASSETS
    assets.mkdir(parents=True)
    for page in sorted(target.glob("**/*.md")):
        up = "../" * (len(page.relative_to(target).parts) - 1)
        markdown = executed(page.read_text("utf-8"), page.name, assets, up + ASSETS)
        page.write_text(with_equations(markdown), "utf-8")
    (target / "llms.txt").write_text(overview(sorted(DOCS.glob("*.md"))), "utf-8")
    (target / "api.txt").write_text(interface((DOCS / "api.md").read_text("utf-8")), "utf-8")
    shutil.copytree(FONTS, target / "fonts")
    (target / "code.css").write_text(style_of_code(), "utf-8")


if __name__ == "__main__":
    (folder,) = sys.argv[1:]
    write(Path(folder).resolve())
