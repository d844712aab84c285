"""Runs the lines of "Copy as Python" that ``js/test/cases.test.ts`` gives it, and tells what they show otherwise.

From the standard input it reads a line by the name of a case, and it prints what differs by the
name: nothing where the line gives the page again, but for the digits that it rounds.
"""

import json
import sys

import numpy as np
from cases import CASES, group_of

#: What is said of the limits.
WORDS = ("kind", "model", "target", "scope", "guarantee")


def shown_by(line):
    """The widget that a line ends with."""
    *before, last = line.split("; ")
    names = {}
    exec("; ".join(before), names)
    return eval(last, names)


def differences(name, line):
    case, widget = CASES[name], shown_by(line)
    (evaluation,) = group_of(name).entries.values()
    made, wanted = (each.band(case.alpha) for each in (widget.evaluation, evaluation))
    found = [word for word in WORDS if getattr(made.promise, word) != getattr(wanted.promise, word)]
    for limit in ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        one, other = getattr(made, limit), getattr(wanted, limit)
        if one.shape != other.shape or not np.allclose(one, other, atol=1e-9):
            found.append(limit)
    if widget.evaluation.notes != evaluation.notes:
        found.append("notes")
    return found


if __name__ == "__main__":
    lines = json.load(sys.stdin)
    json.dump({name: differences(name, line) for name, line in lines.items()}, sys.stdout)
