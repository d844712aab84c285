"""Scenes of the fixtures' cases as JSON, for the page to be held to.

A scene names a case of ``messages.json``, whose message and frame the page decodes as if they had
arrived, and what the controls say besides. Of some scenes every number of the lines is kept, of
the others the first and the last.
"""

import json
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import numpy as np
from fixture_cases import Case, cases, overlaid

from conformal_roc_widget import Promise
from conformal_roc_widget.evaluation.ideal_curve import IdealCurve, MedianAndLimits
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Mark, Pen, Points, Scene, Text
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.views.scenes import scene_of
from conformal_roc_widget.views.view import Moment

SETTINGS = (
    {"band": "sensitivity"},
    {"band": "specificity"},
    {"band": "both"},
    {"view": "precision_recall"},
    {"view": "reliability"},
    {"view": "net_benefit"},
    {"prevalence": 0.12},
    {"band": "both", "cost_ratio": 4.0},
)
#: Scenes of which every number is kept.
WHOLE = (
    *(("limits everywhere", SETTINGS[i]) for i in (2, 3, 4, 5)),
    ("ties, and names", SETTINGS[2]),
    ("one vacuous label", SETTINGS[2]),
    ("simultaneous", SETTINGS[0]),
    ("localized", {"band": "ideal"}),
)
DIGITS = 11


def scenes() -> list[dict[str, object]]:
    """Every single case in every setting, the groups, comparators, and no ideal curve."""
    made = []
    for name, case in cases().items():
        group = Group.of(case.shown, case.kind)
        settings = (
            SETTINGS if group.kind == "single" else ({}, {"label": next(iter(group.entries))})
        )
        made += [record_of(name, case, group, setting) for setting in settings]
    name, case = "two classifiers", cases()["two classifiers"]
    group = Group.of(case.shown, case.kind)
    for band in ("sensitivity", "sampling"):
        setting = {"label": "fine", "alpha": 0.2, "band": band, "comparators": True}
        made.append(record_of(name, case, group, setting))
    for name, ideal in (("limits everywhere", None), ("localized", ideal_curve())):
        case = cases()[name]
        with patch.object(Moment, "ideal", ideal) if ideal else nullcontext():
            made.append(record_of(name, case, Group.of(case.shown), {"band": "ideal"}))
    return made


def ideal_curve() -> IdealCurve:
    """The curve that ``numbers.json`` has at an alpha of 0.05."""
    kept = json.loads((Path(__file__).parent / "fixtures/numbers.json").read_text())["ideal"]
    curve = dict(next(each for each in kept["curves"] if each["alpha"] == 0.05))
    auc, gain = (MedianAndLimits(*curve.pop(name)) for name in ("auc", "gain"))
    arrays = {name: np.array(values) for name, values in curve.items() if name != "alpha"}
    ends = {f"simultaneous_{end}": arrays[f"tpr_{end}"] for end in ("lower", "upper")}
    words = kept["table"]["words"]
    parts = (words[name] for name in ("kind", "target", "scope", "guarantee"))
    promise = Promise(*parts).at(0.05)
    fpr = np.linspace(0, 1, arrays["tpr_lower"].size)
    return IdealCurve(0.05, fpr=fpr, **arrays, **ends, auc=auc, gain=gain, promise=promise)


def record_of(name: str, case: Case, group: Group, setting: dict[str, object]) -> dict[str, object]:
    """One scene with where it comes from."""
    others = dict(setting)
    comparators = overlaid() if others.pop("comparators", False) else None
    controls = Controls(**{"alpha": case.alpha, "threshold": case.threshold} | others)
    scene = scene_of(group, controls, comparators)
    return {"case": name, "setting": setting} | scene_record(scene, whole=(name, setting) in WHOLE)


def scene_record(scene: Scene, *, whole: bool) -> dict[str, object]:
    return {
        "title": scene.title,
        "lead": scene.lead,
        "notes": scene.notes,
        "side": scene.side,
        "columns": scene.columns,
        "legend": list(scene.legend),
        "panels": [
            {
                "name": panel.name,
                "across": axis_record(panel.across),
                "up": axis_record(panel.up),
                "marks": [mark_record(mark, whole=whole) for mark in panel.marks],
            }
            for panel in scene.panels
        ],
    }


def axis_record(axis: Axis) -> dict[str, object]:
    return {"title": axis.title, "ends": numbers(axis.ends), "ticks": axis.ticks}


def mark_record(mark: Mark, *, whole: bool) -> dict[str, object]:
    """Its kind and its fields but for defaults; what a reader points at is no part of it."""
    record: dict[str, object] = {"kind": type(mark).__name__.lower()}
    for field, value in mark._asdict().items():
        if isinstance(value, Points):
            record[field] = points_record(value, whole=whole)
        elif isinstance(value, Pen):
            record[field] = [value.colour, value.width, *value.dashes]
        elif field != "readings" and value != mark._field_defaults.get(field):
            record[field] = round(value, DIGITS) if isinstance(value, float) else value
    return record


def points_record(points: Points, *, whole: bool) -> dict[str, object]:
    """All numbers, or how many there are with the first and the last."""
    all_of_them = whole or points.x.size < 3
    shown = slice(None) if all_of_them else [0, -1]
    record = {"x": numbers(points.x[shown]), "y": numbers(points.y[shown])}
    record |= {} if all_of_them else {"size": points.x.size}
    return record | ({"step": points.step} if points.step else {})


def numbers(values) -> list[float]:
    return [round(float(value), DIGITS) for value in values]


KINDS = (Area, Line, Dot, Text)
