"""ROC curves with conformal confidence bands, live in a notebook."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from conformal_roc_widget.calibration.quantiles import conformal_quantiles, guaranteed_coverage
from conformal_roc_widget.calibration.references.kernel import kernel_logit
from conformal_roc_widget.estimator import ConformalROC
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand, OperatingPoint
from conformal_roc_widget.evaluation.displayed import MimeBundle
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.names import leading_module, no_such_name
from conformal_roc_widget.promise import Promise
from conformal_roc_widget.reliability.calibration_band import CalibrationBand, calibration_band
from conformal_roc_widget.versions import show_versions

if TYPE_CHECKING:
    from conformal_roc_widget import charts, comparators, simulation
    from conformal_roc_widget.widget.roc_widget import ROCWidget

__all__ = [
    "CalibrationBand",
    "ConformalBand",
    "ConformalROC",
    "OperatingPoint",
    "Promise",
    "ROCWidget",
    "RocEvaluation",
    "average_bands",
    "calibration_band",
    "charts",
    "comparators",
    "conformal_quantiles",
    "guaranteed_coverage",
    "kernel_logit",
    "show_versions",
    "simulation",
]

#: These names need Jupyter. Their modules are imported on first use.
_LAZY = {"ROCWidget": "conformal_roc_widget.widget.roc_widget"}
#: Maps the submodules that are imported on first use to their full names.
_MODULES = {
    name: f"conformal_roc_widget.{name}" for name in ("charts", "comparators", "simulation")
}


def _mimebundle(evaluation: RocEvaluation) -> MimeBundle | None:
    """The MIME bundle of an evaluation for a notebook. The first call imports the widget."""
    from conformal_roc_widget.widget.display import mimebundle

    return mimebundle(evaluation)


def _reliability_bundle(band: CalibrationBand) -> Any:
    """The MIME bundle of a calibration band for a notebook. The first call imports charts."""
    from conformal_roc_widget.widget.display import reliability_bundle

    return reliability_bundle(band)


def _plot(evaluation: RocEvaluation, *given: Any) -> Any:
    """Draws an evaluation on Matplotlib axes. The first call imports the drawing code."""
    from conformal_roc_widget.draw.plot import plot

    return plot(evaluation, *given)


leading_module(__name__)
RocEvaluation.mimebundle = staticmethod(_mimebundle)
RocEvaluation.plotter = staticmethod(_plot)
CalibrationBand.mimebundle = staticmethod(_reliability_bundle)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("conformal_roc_widget")
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name not in _LAZY:
        return no_such_name(__name__, name, sys._getframe(1))
    return getattr(importlib.import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
