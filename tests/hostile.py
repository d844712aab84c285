"""Names that a page, a picture or a chart must show as text."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget import RocEvaluation

HARM = "pwned=1"  # short, because pictures shorten names
#: By what they try.
HOSTILE = {
    "end of script": f"</script><script>{HARM}</script>",
    "end of comment": f"--><!--<script>{HARM}</script>",
    "quotes": f"\"'`</title></style>${{{HARM}}}\\",
    "image": f'"><img src=x onerror="{HARM}">',
    "vectors": f'<svg onload="{HARM}"><use href="javascript:{HARM}"/></svg>',
    "expression": f"datum['x'] && {HARM}",
    "separators": "a\u2028b\u2029c\u0000d\u000be",
    "right to left": "\u202eevil\u2067\u200f",
    "long": "x" * 10_000,
    "prototype": "__proto__",
}


def named(name: str) -> RocEvaluation:
    """An evaluation whose classes have hostile names."""
    classes = np.array([f"0{name}", f"1{name}"], dtype=object)
    codes, scores = np.resize([0, 1], 60), np.linspace(0.05, 0.95, 60)
    return RocEvaluation.from_predictions(classes[codes], scores, classes[codes], scores**1.1)
