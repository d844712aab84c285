"""Encodes the arrays of a message as bytes, and names and bytes as JSON can carry them.

Bytes are little-endian: float64, so that infinities survive; float32, where only a picture is
drawn; and ascending counts as varints (LEB128 of the first value and of the differences). An array
says by its type which of the three it is.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.shown.controls import Label
from conformal_roc_widget.text import LONGEST, plain_text

#: Sizes in bytes of words that may be sent as differences.
WORDS = (1, 4, 8)
#: Digits of base 91: letters that need no escape in an element, an attribute or a script.
DIGITS = (
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_`{|}~ ":[]>'
)


def encoded(message: dict[str, Any]) -> dict[str, Any]:
    """A message whose arrays are bytes: float64, float32, or varints of whole numbers."""
    return {name: _encoded(value) for name, value in message.items()}


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return encoded(value)
    if isinstance(value, list):
        return [_encoded(each) for each in value]
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "f":
        return bytes(value.astype(value.dtype.newbyteorder("<")))
    return varints(value)


def for_pixels(rates: Floats) -> Floats:
    """Rates that are only drawn, as 32,768ths, which pack well: a 60th of a pixel."""
    return np.rint(rates * 2**15) / 2**15


def short(values: Floats) -> NDArray[np.float32]:
    """Numbers that are only drawn, in half as many bytes."""
    most = np.finfo(np.float32).max
    with np.errstate(under="ignore"):
        cut = np.where(np.isinf(values), values, np.clip(values, -most, most))
        return cut.astype(np.float32)


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
    """The counts of rates that are counts over n."""
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


def json_text(message: Any) -> str:
    """JSON of a message without bytes: `as_json` or `packed` has put something in their place."""
    # All but ASCII is escaped, so that no separator of lines is left either.
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def packed(message: Any) -> str:
    """Message as the `letters` of a gzip file.

    The file is a line of JSON, in which ``{"from": int, "size": int}`` stands for bytes, and all
    these bytes after that line: a fifth smaller than with base64 within the line. With
    ``"words": 4`` or 8 they are as `_in_words` has them, where that is smaller still.
    """
    after: list[bytes] = []
    size = 0

    def placed(value: Any) -> Any:
        if isinstance(value, bytes):
            nonlocal size
            length, sent = min(
                (
                    (length, _in_words(value, length))
                    for length in WORDS
                    if len(value) % length == 0
                ),
                key=lambda each: len(zlib.compress(each[1])),
            )
            after.append(sent)
            size += len(sent)
            place = {"from": size - len(sent), "size": len(sent)}
            return place if length == 1 else place | {"words": length}
        if isinstance(value, dict):
            return {name: placed(item) for name, item in value.items()}
        return [placed(item) for item in value] if isinstance(value, list) else value

    line = json_text(placed(message)).encode()
    return letters(gzipped(b"".join([line, b"\n", *after])))


def _in_words(value: bytes, length: int) -> bytes:
    """Differences of words of `length` bytes: the first byte of each, then the second, and so on.

    Ascending numbers differ in their last bytes alone, so that these pack to two thirds. Words of
    one byte stay as they are.
    """
    if length == 1:
        return value
    words = np.frombuffer(value, f"<u{length}")
    steps = words.copy()
    steps[1:] -= words[:-1]
    return steps.view(np.uint8).reshape(-1, length).T.tobytes()


def gzipped(content: bytes) -> bytes:
    """A gzip file in short blocks: one for each kind of number is smaller than one for all.

    Blocks of 1,024 symbols (a memory level of 4) gave the smallest pages of scores alone.
    """
    packing = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 4)
    return packing.compress(content) + packing.flush()


def letters(content: bytes) -> str:
    """Text of base 91, two letters for 13 bits: an eleventh shorter than base64."""
    bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
    rest = bits.size % 13
    whole = np.append(bits, np.zeros(-bits.size % 13, np.uint8))
    pairs = whole.reshape(-1, 13) @ 2 ** np.arange(13)
    text = np.frombuffer(DIGITS.encode(), np.uint8)[np.column_stack([pairs % 91, pairs // 91])]
    # Six bits that are left over take one letter.
    return text.tobytes().decode()[: -1 if 0 < rest <= 6 else None]
