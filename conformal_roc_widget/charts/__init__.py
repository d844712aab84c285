"""Draws bands, residuals, reliability diagrams and simulation tables as Altair charts.

Each chart contains its data, reduced to what a screen can show. So a chart needs no data
transformer, however many test points there are. ``chart.save("figure.svg")`` and
``chart.save("figure.png")`` use vl-convert (the extra ``save``), without a browser or a network.
"""

from typing import TYPE_CHECKING

from conformal_roc_widget.names import leading_module

from .notebook import show_in_notebook
from .reliability import reliability
from .residuals import residuals
from .roc import roc, roc_grid
from .studies import coverage, length, study

__all__ = [
    "coverage",
    "length",
    "reliability",
    "residuals",
    "roc",
    "roc_grid",
    "show_in_notebook",
    "study",
]


def __dir__() -> list[str]:
    return list(__all__)


if not TYPE_CHECKING:  # a type checker that sees `__getattr__` would accept every name
    __getattr__ = leading_module(__name__)
