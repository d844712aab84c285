"""Adapts README and links for a package index: a build hook of hatchling.

In the repository, pictures and links of the README are relative. On an index, no files are beside
the README. If the release workflow sets the address of the repository,

    SOURCE_ADDRESS=https://github.com/owner/name SOURCE_REVISION=<commit or tag>

they point to that repository at that revision, and so do the package's own links. Otherwise the
address is unknown: the README stays as it is, and the package has no links.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESS, REVISION = "SOURCE_ADDRESS", "SOURCE_REVISION"
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r'(\b(?:src|srcset)=")(?!\w+:)([^"]+)')
SHOWN = re.compile(r"(!\[[^\]]*\]\()(?!\w+:)([^)]+)")
LINK = re.compile(r"((?<!!)\[[^\]]*\]\()(?!\w+:|#)([^)]+)")


def source(environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Address and revision of the repository, if both are set."""
    address, revision = (environment.get(name, "") for name in (ADDRESS, REVISION))
    if bool(address) != bool(revision):
        found, missing = (ADDRESS, REVISION) if address else (REVISION, ADDRESS)
        raise ValueError(f"{missing}: found nothing, expected it beside {found}")
    if not address:
        return None
    if not re.fullmatch(r"https://[^\s\"]+[^\s\"/]", address):
        raise ValueError(f"{ADDRESS}: found {address!r}, expected https://... without a slash last")
    return address, revision


def with_addresses(text: str, address: str, revision: str) -> str:
    """Markdown in which relative pictures and links point to a revision of a repository."""
    pieces = FENCED.split(text)
    for i in range(0, len(pieces), 2):  # the other pieces are code
        for pattern, kind in ((PICTURE, "raw"), (SHOWN, "raw"), (LINK, "blob")):
            pieces[i] = pattern.sub(rf"\g<1>{address}/{kind}/{revision}/\g<2>", pieces[i])
    return "".join(pieces)


def addresses(address: str, revision: str) -> dict[str, str]:
    """The links for a package index."""
    return {
        "Source": address,
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/{revision}/CHANGELOG.md",
    }


class ReadmeHook(MetadataHookInterface):
    def update(self, metadata: dict) -> None:
        text = Path(self.root, "README.md").read_text("utf-8")
        place = source(os.environ)
        if place:
            metadata["urls"] = addresses(*place)
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_addresses(text, *place) if place else text,
        }
