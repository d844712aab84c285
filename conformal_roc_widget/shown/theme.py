"""Reads the colours, dashes and fonts of all pictures from theme.json, which the page reads too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

from conformal_roc_widget.choices import ThemeName


class Theme(NamedTuple):
    """The colours and opacities of a theme. Pairs are for label 0 and label 1."""

    background: str
    ink: str
    muted: str
    axis: str
    hairline: str
    grid: str
    #: The colour of the text that warns that a guarantee may not hold.
    warn: str
    labels: tuple[str, str]
    label_texts: tuple[str, str]
    models: tuple[str, ...]
    comparators: Mapping[str, str]
    fill: float
    faint: float

    def colour(self, name: str) -> str:
        """Returns the colour that scenes and the page's style sheets call `name`."""
        kind, _, rest = name.partition("-")
        if kind in ("model1", "model2"):
            return self.models[int(kind[-1])]
        if kind == "comparator":
            return self.comparators[rest]
        if kind in ("label0", "label1"):
            return (self.label_texts if rest else self.labels)[kind == "label1"]
        return str(getattr(self, "background" if name == "paper" else name))


_FILE: Mapping[str, Any] = json.loads(Path(__file__).with_name("theme.json").read_text("utf-8"))


def _read(colours: Mapping[str, Any]) -> Theme:
    lists = {name: tuple(value) for name, value in colours.items() if isinstance(value, list)}
    return Theme(**{**colours, **lists})


THEMES = {name: _read(_FILE[name]) for name in get_args(ThemeName)}

#: The theme for transparent pictures. Its colours are readable on white and on black.
EITHER = _read(_FILE["either"])

FONTS = "Inter, system-ui, Segoe UI, Helvetica Neue, Arial, DejaVu Sans, sans-serif"

#: The dashes of the edges of a band, for label 0 and for label 1.
EDGE_DASHES: tuple[tuple[int, ...], ...] = tuple(map(tuple, _FILE["edge_dashes"]))

#: The dashes of other lines, by what they show.
DASHES: dict[str, tuple[int, ...]] = {key: tuple(dashes) for key, dashes in _FILE["dashes"].items()}


def theme_of(name: Any) -> Theme:
    """Returns the theme `name`. An unknown name raises a ValueError."""
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme: found {name!r}, expected one of {', '.join(map(repr, THEMES))}")
    return THEMES[name]
