"""Encodes numbers as bytes, and names and bytes as JSON can carry them.

Bytes are little-endian: float64, so that infinities survive; float32, where only a picture is
drawn; and ascending counts as varints (LEB128 of the first value and of the differences).
"""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.shown.controls import Label
from conformal_roc_widget.text import LONGEST, plain_text


def floats(values: Floats) -> bytes:
    """Numbers as float64."""
    return bytes(values.astype("<f8"))


def short_floats(values: Floats) -> bytes:
    """Numbers to draw, as float32."""
    return bytes(values.astype("<f4"))


def varints(counts: Ints) -> bytes:
    """Ascending counts as LEB128 of the first and of the differences."""
    steps = np.diff(counts, prepend=0)
    if steps.size and steps.min() < 0:
        raise ValueError("counts: expected ascending ones")
    most = int(steps.max(initial=0))
    if most < 0x80:
        return bytes(steps.astype(np.uint8))
    shifts = range(0, most.bit_length(), 7)
    rest = steps[:, None] >> np.array(shifts)
    digits = (rest & 0x7F) | np.where(rest >> 7 > 0, 0x80, 0)
    needed = rest > 0
    needed[:, 0] = True
    return bytes(digits[needed].astype(np.uint8))


def counts_of(rates: Floats, n: int) -> Ints:
    """Counts behind rates that are counts over n."""
    return np.rint(rates * n).astype(np.intp)


def number(value: float) -> float | None:
    """A number; None for NaN, which JSON does not have."""
    return None if math.isnan(value) else value


def pair(by_label: Any) -> list[Any]:
    """The values of label 0 and label 1, as a pair."""
    return [by_label[0], by_label[1]]


def name_text(text: Any) -> str:
    """Name that is Unicode on one line, cut to a length that a page can be sent."""
    return plain_text(str(text).encode(errors="replace").decode(), LONGEST)


def entry_name(label: Label) -> str:
    """Name of an entry; empty for a single evaluation."""
    return name_text("" if label is None else label)


def as_json(message: Any) -> Any:
    """Message with ``{"base64": str}`` for bytes, for a page that gets it as a text."""
    if isinstance(message, bytes):
        return {"base64": base64.b64encode(message).decode()}
    if isinstance(message, dict):
        return {name: as_json(value) for name, value in message.items()}
    if isinstance(message, list):
        return [as_json(value) for value in message]
    return message
