"""Colours and dashes: the page's style sheets have those of the pictures, by key."""

import re
from functools import cache
from pathlib import Path

import pytest

from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.view.theme import (
    COMPARATOR_DASHES,
    THEMES,
    theme_of,
)

SOURCES = Path(__file__).parents[2] / "js/src"
BLOCK = {"light": ".crw", "dark": '.crw[data-theme="dark"]'}


@cache
def style() -> str:
    """All style sheets without comments and without what depends on the screen."""
    texts = (path.read_text() for path in sorted(SOURCES.rglob("*.css")))
    plain = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.S)
    return re.sub(r"@[^{}]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", plain)


def rules(selector: str) -> dict[str, str]:
    """Declarations of all rules with this selector, alone or in a list."""
    found = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style()):
        if selector in [each.strip() for each in selectors.split(",")]:
            for line in filter(str.strip, body.split(";")):
                name, _, value = line.partition(":")
                found[name.strip()] = value.strip()
    return found


@pytest.mark.parametrize("name", THEMES)
def test_the_page_has_the_inks_of_the_pictures(name):
    theme, page = THEMES[name], rules(BLOCK[name])
    inks = {"ink": theme.ink, "muted": theme.muted, "axis": theme.axis}
    inks |= {"hairline": theme.hairline, "grid": theme.grid}
    for k in (0, 1):
        inks |= {f"label{k}": theme.labels[k], f"label{k}-text": theme.label_texts[k]}
    for ink, colour in inks.items():
        assert page[f"--crw-{ink}"] == colour.lower(), ink
    assert page["--crw-paper"].endswith(f"{theme.background.lower()[:4]}))")
    assert page["--crw-fill"] == f"{theme.fill:.0%}"


@pytest.mark.parametrize("name", THEMES)
def test_the_page_has_the_colours_of_the_comparators_by_key(name):
    page = rules(BLOCK[name])
    on_page = {
        key.removeprefix("--crw-comparator-"): value
        for key, value in page.items()
        if re.fullmatch(r"--crw-comparator-\w+", key)
    }
    assert on_page == {key: value.lower() for key, value in THEMES[name].comparators.items()}


def test_the_page_has_the_dashes_of_the_comparators_by_key():
    parts = (SOURCES / "views/parts.ts").read_text()
    [table] = re.findall(r"COMPARATOR_DASHES[^=]*= \{(.*?)\}", parts, flags=re.S)
    on_page = {
        key: tuple(map(int, numbers.split(",")))
        for key, numbers in re.findall(r"(\w+): \[([\d, ]+)\]", table)
    }
    assert on_page == COMPARATOR_DASHES
    for look in {each.look for each in COMPARATORS.values()}:
        assert f".crw-text-comparator-{look}" in style(), "a class that takes its colour"


@pytest.mark.parametrize("name", THEMES)
def test_no_two_comparators_look_alike(name):
    theme = THEMES[name]
    assert theme.comparators.keys() == COMPARATOR_DASHES.keys()
    assert len(set(theme.comparators.values())) == len(theme.comparators)
    assert len(set(COMPARATOR_DASHES.values())) == len(COMPARATOR_DASHES)


@pytest.mark.parametrize("name", ["blue", "Dark", "", None, 1])
def test_another_theme_is_refused_by_name(name):
    with pytest.raises(ValueError, match=r"theme: found .*, expected one of 'light', 'dark'"):
        theme_of(name)
