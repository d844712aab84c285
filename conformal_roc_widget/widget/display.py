"""Shows evaluations and calibration bands at the end of a cell, as widgets, pictures and text."""

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

#: The widget of each evaluation shown. A second display is another view of the same widget.
_SHOWN: WeakKeyDictionary[RocEvaluation, Any] = WeakKeyDictionary()


def mimebundle(evaluation: RocEvaluation) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Widget, picture and text of an evaluation at the end of a cell, by mime type.

    Without anywidget picture and text alone; None in a terminal, which shows the text form.
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
    """Mime types of the reliability diagram and a text; None in a terminal."""
    if not _in_notebook():
        return None
    from conformal_roc_widget.charts import reliability

    bundle: Any = reliability(band)._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {**data, "text/plain": repr(band)}, metadata


def _in_notebook() -> bool:
    """Whether the front end shows more than text."""
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return shell is None or hasattr(shell, "kernel")
