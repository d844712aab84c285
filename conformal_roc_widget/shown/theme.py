"""Colours, dashes and type of every picture; theme.json has the values, for the page as well."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

from conformal_roc_widget.choices import ThemeName


class Theme(NamedTuple):
    """Colours of a theme; pairs are by label, label 0 first."""

    background: str
    ink: str
    muted: str
    axis: str
    hairline: str
    grid: str
    #: Colour of a warning: that a promise may not hold.
    warn: str
    labels: tuple[str, str]
    label_texts: tuple[str, str]
    models: tuple[str, ...]
    comparators: Mapping[str, str]
    fill: float
    faint: float

    def colour(self, name: str) -> str:
        """Colour by its name in scenes and in the page's style sheets."""
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

#: Inks that can be read on white and on black: a picture without a background may lie on any page.
EITHER = _read(_FILE["either"])

FONTS = "Inter, system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

#: Dashes of the edges of a label's band.
EDGE_DASHES: tuple[tuple[int, ...], ...] = tuple(map(tuple, _FILE["edge_dashes"]))

#: Dashes of other lines, by what they show.
DASHES: dict[str, tuple[int, ...]] = {key: tuple(dashes) for key, dashes in _FILE["dashes"].items()}

#: Dashes of a comparator's limits, by its key.
COMPARATOR_DASHES: dict[str, tuple[int, ...]] = {
    key: tuple(dashes) for key, dashes in _FILE["comparator_dashes"].items()
}


def theme_of(name: Any) -> Theme:
    """Theme of that name, or a ValueError."""
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme: found {name!r}, expected one of {', '.join(map(repr, THEMES))}")
    return THEMES[name]
