"""Colours, dashes and type of every picture; the page's style sheets are tested against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Theme(NamedTuple):
    """Colours; what comes by label starts with label 0."""

    background: str
    ink: str
    muted: str
    axis: str
    hairline: str
    grid: str
    labels: tuple[str, str]
    label_texts: tuple[str, str]
    models: tuple[str, ...]
    comparators: Mapping[str, str]
    fill: float
    faint: float

    def colour(self, name: str) -> str:
        """Colour by its name in scenes and in the page's style sheets."""
        kind, _, rest = name.partition("-")
        if kind == "comparator":
            return self.comparators[rest]
        if kind in ("label0", "label1"):
            return (self.label_texts if rest else self.labels)[kind == "label1"]
        return str(getattr(self, "background" if name == "paper" else name))


THEMES = {
    "light": Theme(
        background="#ffffff",
        ink="#1a1a1a",
        muted="#5c5c5c",
        axis="#767676",
        hairline="#dcdcdc",
        grid="#ececec",
        labels=("#D55E00", "#0072B2"),
        label_texts=("#A84400", "#0068A3"),
        models=("#1a1a1a", "#00785A", "#A8497F", "#0072B2", "#D55E00", "#767676"),
        comparators={
            "bootstrap": "#00785A",
            "simultaneous": "#A8497F",
            "working_hotelling": "#6A4FB3",
            "ks": "#7A5C00",
            "truth": "#1a1a1a",
            "other": "#52606D",
        },
        fill=0.15,
        faint=0.42,
    ),
    "dark": Theme(
        background="#111111",
        ink="#ededed",
        muted="#b3b3b3",
        axis="#8a8a8a",
        hairline="#3a3a3a",
        grid="#262626",
        labels=("#E69F00", "#56B4E9"),
        label_texts=("#E69F00", "#56B4E9"),
        models=("#ededed", "#2FBF96", "#CC79A7", "#56B4E9", "#E69F00", "#8a8a8a"),
        comparators={
            "bootstrap": "#2FBF96",
            "simultaneous": "#CC79A7",
            "working_hotelling": "#A594E6",
            "ks": "#C9B458",
            "truth": "#ededed",
            "other": "#A9B4C0",
        },
        fill=0.22,
        faint=0.5,
    ),
}

FONTS = "Inter, system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

#: Edges of a label's band.
EDGE_DASHES: tuple[tuple[int, ...], tuple[int, ...]] = ((5, 3), ())

#: Limits of a comparator.
COMPARATOR_DASHES: dict[str, tuple[int, ...]] = {
    "bootstrap": (6, 3),
    "simultaneous": (9, 3, 2, 3),
    "working_hotelling": (12, 3),
    "ks": (3, 3),
    "truth": (2, 2),
    "other": (1, 3),
}


def theme_of(name: Any) -> Theme:
    """Theme of that name, or a ValueError."""
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"theme: found {name!r}, expected one of {', '.join(map(repr, THEMES))}")
    return THEMES[name]
