"""ROC curves with conformal confidence bands, live in a notebook."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from conformal_roc_widget.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation import RocEvaluation
from conformal_roc_widget.model import ConformalROC
from conformal_roc_widget.multiclass import average_bands
from conformal_roc_widget.quantiles import conformal_quantiles, guaranteed_coverage
from conformal_roc_widget.reference import kernel_logit
from conformal_roc_widget.versions import show_versions

if TYPE_CHECKING:
    from conformal_roc_widget import charts, comparators, comparison, simulation
    from conformal_roc_widget.widget import ROCWidget

__all__ = [
    "ConformalBand",
    "ConformalROC",
    "OperatingPoint",
    "ROCWidget",
    "RocEvaluation",
    "average_bands",
    "charts",
    "comparators",
    "comparison",
    "conformal_quantiles",
    "guaranteed_coverage",
    "kernel_logit",
    "show_versions",
    "simulation",
]

#: Names that load Jupyter or Altair, and the modules that hold them: loaded on first use.
_LAZY = {"ROCWidget": "conformal_roc_widget.widget"}
#: Modules that are loaded on first use.
_MODULES = {"charts", "comparators", "comparison", "simulation"}


def load_ipython_extension(shell: Any) -> None:
    """Make ``%load_ext conformal_roc_widget`` give the line magic ``%conformal_roc``.

    Parameters
    ----------
    shell : InteractiveShell
        Where to register it.
    """
    from conformal_roc_widget.magic import ConformalROCMagics

    shell.register_magics(ConformalROCMagics)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("conformal_roc_widget")
    if name in _MODULES:
        return importlib.import_module(f"conformal_roc_widget.{name}")
    if name not in _LAZY:
        raise AttributeError(f"module 'conformal_roc_widget' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_MODULES})
