"""Runs lines of "Copy as Python" and prints where their page differs from the copied one.

``js/test/cases.test.ts`` writes the lines to the standard input, each with its case and setting.
Rounded digits may differ. If a line has no data, it is run with the names that its comment asks
for: the case's `evaluation`, `evaluations` and `truth`.
"""

import ast
import json
import math
import sys
from typing import Any

import numpy as np
from cases import CASES, group_of, shown
from page_json import plain

from conformal_roc_widget import ROCWidget

#: Messages from which the page is made.
MESSAGES = "_data", "_stops", "_frame", "_comparators"
#: The tolerance. A page that a line makes has only the decimals of the line.
NEAR = 1e-9


def shown_by(line: str, name: str) -> ROCWidget:
    """The widget at the end of a line."""
    *before, last = ast.parse(line).body
    made = shown(name)
    names = {"evaluation": made, "evaluations": made, "truth": CASES[name].keywords.get("truth")}
    exec(compile(ast.Module(before, []), "before", "exec"), names)
    try:
        return eval(compile(ast.Expression(last.value), "last", "eval"), names)
    except Exception as error:
        error.add_note(f"{name}: {line}")
        raise


def wanted(name: str, setting: dict[str, Any]) -> ROCWidget:
    """The widget of the case at this setting."""
    case = CASES[name]
    given = {"alpha": case.alpha, "threshold": case.threshold} | dict(case.keywords) | setting
    # If a page shows its entries one at a time, it opens with the first.
    given["label"] = group_of(name).opens_with(given.get("label"))
    return ROCWidget(shown(name), kind=case.kind, **given)


def page_of(widget: ROCWidget) -> dict[str, Any]:
    """All data that the page gets, and its controls."""
    widget.wait()
    page = {name: getattr(widget, name) for name in MESSAGES}
    page["controls"] = widget._controls()._asdict()
    widget.close()
    return page


def unequal(made: Any, other: Any, place: str = "") -> list[str]:
    """Paths at which two pages differ by more than rounding."""
    if isinstance(made, dict) and isinstance(other, dict):
        return [
            found
            for key in {**made, **other}
            for found in unequal(made.get(key), other.get(key), f"{place}/{key}")
        ]
    if isinstance(made, list | tuple) and isinstance(other, list | tuple):
        if len(made) != len(other):
            return [f"{place}: {len(made)} and {len(other)}"]
        pairs = zip(made, other, strict=True)
        return [found for i, each in enumerate(pairs) for found in unequal(*each, f"{place}/{i}")]
    if isinstance(made, bytes) and isinstance(other, bytes) and len(made) == len(other):
        return [] if made == other or near_bytes(made, other) else [place]
    if isinstance(made, float) and isinstance(other, float):
        return [] if made == other or math.isclose(made, other, abs_tol=NEAR) else [place]
    return [] if made == other else [f"{place}: {made!r:.60} and {other!r:.60}"]


def near_bytes(made: bytes, other: bytes) -> bool:
    """Whether bytes hold nearly the same float64 numbers."""
    if len(made) % 8:
        return False
    with np.errstate(invalid="ignore"):
        return np.allclose(np.frombuffer(made), np.frombuffer(other), rtol=0, atol=NEAR)


def differences(name: str, setting: dict[str, Any], line: str) -> list[str]:
    made, other = page_of(shown_by(line, name)), page_of(wanted(name, setting))
    return unequal(made, other)


if __name__ == "__main__":
    json.dump(plain([differences(*each) for each in json.load(sys.stdin)]), sys.stdout)
