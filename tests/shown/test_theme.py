"""Colours and dashes: the page's style sheet contains those of the pictures, by name."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.shown.theme import EITHER, THEMES, theme_of

SOURCES = Path(__file__).parents[2] / "js/src"
PACKAGE = Path(__file__).parents[2] / "conformal_roc_widget"
DASHES = json.loads((PACKAGE / "shown/theme.json").read_text())["comparator_dashes"]
BUILT = PACKAGE / "static/widget.css"
BLOCK = {"light": ".crw", "dark": ".crw[data-theme=dark]"}


@cache
def style() -> str:
    """All style sheets, without comments and media queries."""
    texts = (path.read_text() for path in sorted(SOURCES.rglob("*.css")))
    plain = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.S)
    return re.sub(r"@[^{}]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", plain)


def rules(selector: str, sheet: str) -> dict[str, str]:
    """Declarations of all rules with this selector, alone or in a list."""
    found = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        if selector in [each.strip() for each in selectors.split(",")]:
            for line in filter(str.strip, body.split(";")):
                name, _, value = line.partition(":")
                found[name.strip()] = value.strip()
    return found


@pytest.mark.parametrize("name", THEMES)
def test_the_page_has_every_colour_of_the_pictures_by_name(name):
    theme, page = THEMES[name], rules(BLOCK[name], BUILT.read_text())
    looks = {f"comparator-{key}" for key in theme.comparators}
    inks = {"ink", "muted", "axis", "hairline", "grid", "label0", "label1"}
    for ink in inks | {"label0-text", "label1-text"} | looks:
        assert page[f"--crw-{ink}"].lower() == theme.colour(ink).lower(), ink
    assert page["--crw-paper"] == f"var(--crw-ground, {theme.background})"
    assert page["--crw-fill"] == f"{theme.fill:.0%}"
    assert float(page["--crw-faint"]) == theme.faint


def test_every_look_of_a_comparator_has_dashes_and_a_class_that_takes_its_colour():
    for look in {each.look for each in COMPARATORS.values()}:
        assert look in DASHES
        assert f".crw-text-comparator-{look}" in BUILT.read_text()


def test_no_dash_stands_in_the_views():
    for folder in (PACKAGE / "views", SOURCES / "views"):
        for path in folder.glob("*.*"):
            if path.name != "others.ts":  # dashes of others.ts are in no picture
                assert not re.search(r"\bpen\([^()]*, \d[\d.]*, \(?\d", path.read_text(), re.I), (
                    path
                )


def test_what_a_style_sheet_takes_by_name_is_set():
    """A variable without a value would silently remove a mark's colour."""
    set_by_the_page = {"answer", "columns", "figure", "gap", "gutter", "key-rows"}
    taken = set(re.findall(r"var\(--crw-([\w-]+)", style()))
    given = set(re.findall(r"--crw-([\w-]+):", BUILT.read_text()))
    assert taken - given <= set_by_the_page


@pytest.mark.parametrize("name", THEMES)
def test_no_two_comparators_look_alike(name):
    theme = THEMES[name]
    assert theme.comparators.keys() == DASHES.keys()
    assert len(set(theme.comparators.values())) == len(theme.comparators)
    assert len(set(map(tuple, DASHES.values()))) == len(DASHES)


@pytest.mark.parametrize("name", ["blue", "Dark", "", None, 1])
def test_another_theme_is_refused_by_name(name):
    with pytest.raises(ValueError, match=r"theme: found .*, expected one of 'light', 'dark'"):
        theme_of(name)


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("name", THEMES)
def test_the_inks_for_either_ground_are_read_on_that_of_each_theme(name):
    ground = luminance(THEMES[name].background) + 0.05
    texts = {EITHER.ink, EITHER.muted, *EITHER.label_texts}
    lines = {EITHER.axis, *EITHER.labels, *EITHER.models, *EITHER.comparators.values()}
    for colours, least in ((texts, 4), (lines, 3.5)):
        for colour in colours:
            ink = luminance(colour) + 0.05
            assert max(ink, ground) / min(ink, ground) >= least, colour
