"""Prints versions for bug reports (`show_versions`)."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

PACKAGE = "conformal_roc_widget"
BUNDLE = Path(__file__).parent / "static" / "widget.js"
#: Programs that may run a notebook. Their versions are printed if they are installed.
PLACES = ("jupyterlab", "notebook", "ipykernel", "voila", "marimo")


def show_versions() -> None:
    """Prints the versions of Python, of this package and of its dependencies.

    Nothing is imported, so this works even if an import fails.
    """
    rows = {
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        PACKAGE: _version_of(PACKAGE),
        "page bundle": f"{BUNDLE.stat().st_size // 1000} kB" if BUNDLE.exists() else "not built",
        **{name: _version_of(name) for name in (*_used(), *PLACES)},
    }
    width = max(map(len, rows))
    sys.stdout.write("".join(f"{name:{width}}  {value}\n" for name, value in rows.items()))


def _used() -> list[str]:
    """Returns the names of the package's dependencies, including those of its extras."""
    try:
        return [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requires(PACKAGE) or []]
    except PackageNotFoundError:
        return []


def _version_of(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
