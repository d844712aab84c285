"""Writes the pages of the documentation's gallery with the site's own tool."""

from pathlib import Path

import documents

TEXT = (documents.ROOT / "docs/gallery.md").read_text()
write_docs = documents.tool("write_docs")
NAMES = write_docs.PAGE.findall(TEXT)


def write(folder: Path) -> str:
    """Writes the pages into `gallery/` of a folder, and returns the Markdown that shows them in
    frames.
    """
    assets = folder / write_docs.ASSETS
    assets.mkdir(parents=True)
    return write_docs.executed(TEXT, "gallery.md", assets, write_docs.ASSETS)
