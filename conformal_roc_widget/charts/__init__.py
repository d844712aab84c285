"""Bands, residuals, reliability and simulation tables as Altair charts, by pure functions.

The data lie inside each chart, thinned to what a screen can show, so that a chart needs no data
transformer, however many test points there are. ``chart.save("figure.svg")`` and
``chart.save("figure.png")`` work through vl-convert (the extra ``save``), without a browser and
without a network.
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


if not TYPE_CHECKING:  # a type checker keeps to the names that are there
    __getattr__ = leading_module(__name__)
