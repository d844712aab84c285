"""Makes pictures and reports of a widget from the marks and sentences of the page's code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformal_roc_widget.choices import ReportName
from conformal_roc_widget.scene import (
    Area,
    Axis,
    Dot,
    Line,
    Mark,
    Panel,
    Pen,
    Points,
    Reading,
    Scene,
    Text,
)
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.arrays import frozen_limits
from conformal_roc_widget.wire.budget import live_budget
from conformal_roc_widget.wire.encoding import as_json, json_text
from conformal_roc_widget.wire.ideal import ideal_message

from . import engine
from .apart import apart


def scene_of(
    group: Group,
    controls: Controls,
    comparators: Overlaid | None = None,
    *,
    heading: str | None = None,
    is_still: bool = False,
) -> Scene:
    """Returns the scene that the page would show for `group` with these controls.

    `heading` replaces the title. If `is_still` is set, advice for users of the controls is left
    out.
    """
    found = _asked(
        group.drawn(controls), controls, comparators, source="static" if is_still else "kernel"
    )
    title = found["title"] if heading is None else plain_text(heading, 120)
    marks = tuple(map(_mark, found["marks"]))
    panel = apart(Panel(_axis(found["across"]), _axis(found["up"]), marks))
    promise, others = found["promise"], found["others"]
    lines = [f"{found['title']} (alpha = {controls.alpha:g}).", found["lead"]]
    lines += [*found["facts"], *found["about"], *(f"{line}." for line in promise), *others]
    notes = (*promise, *found["about"], *others, *found["notes"])
    return Scene(title, (panel,), (found["lead"],), notes, "\n".join(lines))


def report_of(
    group: Group, controls: Controls, comparators: Overlaid | None, style: ReportName
) -> str:
    """Returns the report that the page offers for a paper, in the format `style`."""
    report: str = _asked(group, controls, comparators, source="kernel", report=style)
    return report


def _asked(group: Group, controls: Controls, comparators: Overlaid | None, **wanted: str) -> Any:
    """Calls the page's code with the messages of a group and these controls. Returns its result.

    `wanted` are further settings of the call, such as the format of a report.
    """
    alpha, threshold = controls.alpha, controls.threshold
    frame = wire.frame_message(group, alpha, threshold, *wire.FROM_PYTHON, controls.view)
    # The page decides by the band at alpha .05 whether there are enough points for a verdict, even
    # if another alpha is set. But the page cannot compute all kinds of bands, so the limits at .05
    # are sent too.
    budget = live_budget(group)._replace(stops=(0.05,))
    data = wire.data_message(group, budget)
    for entry, evaluation in zip(data["entries"], group.entries.values(), strict=True):
        if evaluation.is_simultaneous:
            entry["frozen"] = frozen_limits(evaluation, budget)
        if controls.view == "precision_recall":
            entry.update(wire.figures(evaluation))
    payload = {
        "state": controls._asdict(),
        "data": data,
        "frame": frame,
        "comparators": None
        if comparators is None
        else wire.comparators_message(comparators) or None,
        "ideal": ideal_message(group, controls) or None,
    }
    return json.loads(engine.scene(json_text(as_json(payload | wanted))))


def _axis(found: Mapping[str, Any]) -> Axis:
    return Axis(found["title"], tuple(found["ends"]), found.get("isPercent", False))


def _mark(found: dict[str, Any]) -> Mark:
    """Makes a mark of a scene from the page's record, whose fields have the same names."""
    kinds: dict[str, Any] = {"area": Area, "line": Line, "dot": Dot, "text": Text}
    made = kinds[found.pop("kind")]
    if "pen" in found:
        pen = found["pen"]
        found["pen"] = Pen(pen["colour"], pen["width"], tuple(pen["dashes"]))
    for name in {"points", "upper", "lower"} & found.keys():
        found[name] = Points.of(**found[name])
    if "sides" in found:
        found["sides"] = tuple(found["sides"])
    if "readings" in found:
        found["readings"] = tuple(Reading.of(**each) for each in found["readings"])
    if found.pop("angle", None):
        # `angle` is set for a text along a sloping line. A picture has only horizontal texts, so
        # the text is drawn beside the line.
        found |= {"anchor": "start", "dx": 10, "dy": 14}
    mark: Mark = made(**found)
    return mark
