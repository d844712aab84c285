"""Makes what a notebook shows for an evaluation or a calibration band at the end of a cell."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any
from weakref import WeakKeyDictionary

from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.opening import opened, opening_band, opening_guarantee

from .comparator_worker import overlaid_now
from .still import still

#: The widget of each evaluation that was shown. If it is shown again, the same widget is used.
_SHOWN: WeakKeyDictionary[RocEvaluation, Any] = WeakKeyDictionary()


def mimebundle(evaluation: RocEvaluation) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Returns the MIME bundle of an evaluation (widget, picture and text) and its metadata.

    If anywidget is not installed, it has only picture and text. In a terminal None is returned, so
    that the `repr` is printed.
    """
    if not _in_notebook():
        return None
    if importlib.util.find_spec("anywidget") is None:
        controls = Controls(threshold=evaluation.threshold_of())
        group = opened(Group.of(evaluation), None, controls.alpha)
        shown = group.with_guarantee(opening_guarantee(group, controls.alpha))
        controls = controls._replace(band=opening_band(shown, controls))
        data, metadata = still(shown, controls, overlaid_now(shown, controls))
        return dict(data), dict(metadata)
    from .roc_widget import ROCWidget

    widget = _SHOWN.get(evaluation)
    if widget is None or widget.comm is None:
        widget = _SHOWN[evaluation] = ROCWidget(evaluation)
    bundle: tuple[dict[str, Any], dict[str, Any]] | None = widget._repr_mimebundle_()
    return bundle


def reliability_bundle(band: CalibrationBand) -> Any:
    """Returns the MIME bundle of a calibration band: its diagram and a text. None in a terminal."""
    if not _in_notebook():
        return None
    from conformal_roc_widget.charts import reliability

    bundle: Any = reliability(band)._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/plain": repr(band)}, metadata


def _in_notebook() -> bool:
    """Whether the program that shows the output can show more than text. A terminal cannot."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return shell is None or hasattr(shell, "kernel")
