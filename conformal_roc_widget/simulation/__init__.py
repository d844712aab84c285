"""The paper's simulation studies (section 5): draws data, runs studies, inspects a replicate."""

from typing import TYPE_CHECKING

from conformal_roc_widget.names import leading_module

from .designs import STUDIES, Normal, Sample, Study
from .options import Options
from .studies import draw, evaluations, guarantees, run, typical

__all__ = [
    "STUDIES",
    "Normal",
    "Options",
    "Sample",
    "Study",
    "draw",
    "evaluations",
    "guarantees",
    "run",
    "typical",
]


def __dir__() -> list[str]:
    return list(__all__)


if not TYPE_CHECKING:  # a type checker that sees `__getattr__` would accept every name
    __getattr__ = leading_module(__name__)
