"""Scenes as JSON, for the page to be held to.

Of long lines the first and the last number are kept, unless all are asked for.
"""

from conformal_roc_widget.scene import Axis, Mark, Pen, Points, Scene

DIGITS = 11


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
