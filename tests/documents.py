"""Promises of a document, for tests: blocks that run, links that lead somewhere."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def blocks(text: str, language: str = "python") -> list[str]:
    """Fenced blocks of a language; those inside a folded answer are moved to the margin."""
    found = re.findall(rf"^([ ]*)```{language}\n(.*?)^\1```$", text, flags=re.DOTALL | re.MULTILINE)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def run(name: str, number: int, block: str, namespace: dict[str, object]) -> None:
    exec(compile(block, f"{name}, block {number}", "exec"), namespace)


def linked(text: str) -> list[str]:
    """Files that a document links to or shows, without places on the web and within a page."""
    found = re.findall(r'\]\(([^)h#][^)]*)\)|(?:src|srcset)="([^"]+)"', text)
    return ["".join(link).partition("#")[0] for link in found]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


def targets_named(text: str) -> set[str]:
    return set(re.findall(r"^make ([a-z-]+)", text, flags=re.MULTILINE))


def tool(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
