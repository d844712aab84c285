"""Checks that a document's code runs and its links exist."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def blocks(text: str, language: str = "python") -> list[str]:
    """Code blocks of a language. Blocks inside a folded answer are dedented."""
    found = re.findall(rf"^([ ]*)```{language}\n(.*?)^\1```$", text, flags=re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def run(name: str, number: int, block: str, namespace: dict[str, object]) -> None:
    exec(compile(block, f"{name}, block {number}", "exec"), namespace)


def linked(text: str) -> list[str]:
    """Local files that a document links to or shows."""
    found = re.findall(r'\]\(([^)h#][^)]*)\)|(?:src|srcset)="([^"]+)"', text)
    return ["".join(link).partition("#")[0] for link in found]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


def targets_named(text: str) -> set[str]:
    return set(re.findall(r"^make ([a-z-]+)", text, flags=re.MULTILINE))


def tool(name: str) -> ModuleType:
    """A script of tools/, imported as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written(folder: Path) -> Path:
    """Writes the documentation as finished Markdown into a folder."""
    _run([ROOT / "tools/write_docs.py", folder])
    return folder


def site(source: Path, folder: Path) -> Path:
    """Builds the site from finished Markdown. Warnings are errors."""
    command = ["-m", "properdocs", "build", "--strict", "--quiet"]
    options = ["--config-file", ROOT / "docs/properdocs.yml", "--site-dir", folder]
    _run([*command, *options], DOCS_SOURCE=str(source))
    return folder


def _run(command: list[str | Path], **settings: str) -> None:
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | settings | {"PYTHONPATH": path}
    run = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True
    )
    # If a page's code takes long, it prints a progress bar.
    lines = re.split(r"[\r\n]+", run.stderr)
    told = [line for line in lines if line.strip() and "%|" not in line]
    assert (run.returncode, told) == (0, []), run.stdout + run.stderr
