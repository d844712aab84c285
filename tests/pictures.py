"""Reads marks of scenes, and texts of drawn pictures."""

from xml.etree import ElementTree

import vl_convert

from conformal_roc_widget.draw.shapes import laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.shown.theme import THEMES


def marks(scene, panel=0):
    """Marks of a panel by their unique ids."""
    shown = scene.panels[panel].marks
    by_id = {mark.id: mark for mark in shown}
    assert len(by_id) == len(shown)
    return by_id


def sheet_of(scene, theme="light"):
    return laid_out(scene, THEMES[theme])


def svg_of(scene, theme="light"):
    return svg(sheet_of(scene, theme))


def texts(picture):
    """All texts of an SVG image as one line."""
    tree = ElementTree.fromstring(picture)
    words = (" ".join(node.itertext()) for node in tree.iter() if node.tag.endswith("}text"))
    return " ".join(" ".join(words).replace("\N{NO-BREAK SPACE}", " ").split())


def altair_texts(chart):
    return texts(vl_convert.vegalite_to_svg(chart.to_json(), vl_version="6.1"))
