"""The pages of the documentation's gallery, written as the site's tool writes them."""

from pathlib import Path

import documents

TEXT = (documents.ROOT / "docs/gallery.md").read_text()
write_docs = documents.tool("write_docs")
NAMES = write_docs.PAGE.findall(TEXT)


def write(folder: Path) -> str:
    """Write the pages into `gallery/` of a folder; the Markdown that shows them in frames."""
    assets = folder / write_docs.ASSETS
    assets.mkdir(parents=True)
    return write_docs.executed(TEXT, "gallery.md", assets, write_docs.ASSETS)
