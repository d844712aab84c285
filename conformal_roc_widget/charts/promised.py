"""Writes the guarantees of bands (target, scope and guarantee) as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def promise_lines(promises: Iterable[tuple[str, Mapping[str, str]]]) -> list[str]:
    """Writes target, scope and guarantee of several named bands, one line each.

    If all bands have the same text, it is written once.
    """
    shown = list(promises)
    lines = []
    for part in ("target", "scope", "guarantee"):
        texts = list(dict.fromkeys((name, promise[part]) for name, promise in shown))
        if len({text for _, text in texts}) == 1:
            lines.append(f"{part.capitalize()}: {texts[0][1]}")
        else:
            lines += [f"{part.capitalize()}, {name}: {text}" for name, text in texts]
    return lines
