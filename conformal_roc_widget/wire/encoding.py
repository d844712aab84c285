"""Encodes the arrays of a message as bytes, and bytes and names in forms that JSON can hold.

The type of an array decides how it is encoded. Floats become little-endian float64 or, if they are
only drawn, float32. Ascending integers become varints: LEB128 of the first value and of the
differences.
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

#: To pack an array, its bytes are read as words of each of these lengths, and the differences of
#: neighbouring words are packed. The shortest result is used.
WORDS = (1, 4, 8)
#: The digits of base 91. In an element, an attribute or a script of HTML, none of them needs an
#: escape.
DIGITS = (
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=/?@^_`{|}~ ":[]>'
)


def encoded(message: dict[str, Any]) -> dict[str, Any]:
    """Replaces all arrays of a message by bytes."""
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
    """Rounds rates that are only drawn to multiples of 1/32,768, which compress well.

    This is about a 60th of a pixel.
    """
    return np.rint(rates * 2**15) / 2**15


def short(values: Floats) -> NDArray[np.float32]:
    """Converts numbers for drawing to float32. Finite numbers stay finite."""
    most = np.finfo(np.float32).max
    with np.errstate(under="ignore"):
        cut = np.where(np.isinf(values), values, np.clip(values, -most, most))
        return cut.astype(np.float32)


def varints(counts: Ints) -> bytes:
    """Encodes ascending counts as bytes: LEB128 of the first count and of the differences."""
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
    """Returns the counts that give the rates when they are divided by n."""
    return np.rint(rates * n).astype(np.intp)


def number(value: float) -> float | None:
    """Returns `value`, or None if it is NaN, which JSON does not have."""
    return None if math.isnan(value) else value


def pair(by_label: Any) -> list[Any]:
    """Returns the values for label 0 and label 1 as a list."""
    return [by_label[0], by_label[1]]


def name_text(text: Any) -> str:
    """Returns a user's name as valid Unicode in one line, cut to the length that pages accept."""
    return plain_text(str(text).encode(errors="replace").decode(), LONGEST)


def entry_name(label: Label) -> str:
    """Returns the name of the evaluation with this label. Empty for a single evaluation."""
    return name_text("" if label is None else label)


def as_json(message: Any) -> Any:
    """Replaces bytes in a message by ``{"base64": str}``, for a page that gets JSON."""
    if isinstance(message, bytes):
        return {"base64": base64.b64encode(message).decode()}
    if isinstance(message, dict):
        return {name: as_json(value) for name, value in message.items()}
    if isinstance(message, list):
        return [as_json(value) for value in message]
    return message


def json_text(message: Any) -> str:
    """Returns the JSON of a message without bytes. See `as_json` and `packed`."""
    # All letters outside ASCII are escaped. Some of them are line separators, which would break a
    # script.
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def packed(message: Any) -> str:
    """Returns the message as a text: a gzip file in base 91.

    The file has a line of JSON, and after it the bytes of all arrays in their order. For each array
    the JSON has ``{"bytes": int}``, their number. This is a fifth smaller than base64 within the
    JSON. If an array compresses better as differences of words (`_in_words`), these are stored, and
    the JSON also has the length of a word as ``"words": int``.
    """
    after: list[bytes] = []

    def placed(value: Any) -> Any:
        if isinstance(value, bytes):
            length, sent = min(
                (
                    (length, _in_words(value, length))
                    for length in WORDS
                    if len(value) % length == 0
                ),
                key=lambda each: len(zlib.compress(each[1])),
            )
            after.append(sent)
            place = {"bytes": len(sent)}
            return place if length == 1 else place | {"words": length}
        if isinstance(value, dict):
            return {name: placed(item) for name, item in value.items()}
        return [placed(item) for item in value] if isinstance(value, list) else value

    line = json_text(placed(message)).encode()
    return letters(gzipped(b"".join([line, b"\n", *after])))


def _in_words(value: bytes, length: int) -> bytes:
    """Returns the differences of consecutive words of `length` bytes, as bytes.

    The first bytes of all differences come first, then all second bytes, and so on. Ascending
    numbers differ only in some bytes, so they compress to two thirds. If `length` is 1, the value
    is unchanged.
    """
    if length == 1:
        return value
    words = np.frombuffer(value, f"<u{length}")
    steps = words.copy()
    steps[1:] -= words[:-1]
    return steps.view(np.uint8).reshape(-1, length).T.tobytes()


def gzipped(content: bytes) -> bytes:
    """Compresses the content to a gzip file with short blocks.

    Each block has its own code, so short blocks fit each kind of number better. Blocks of 1,024
    symbols (a memory level of 4) gave the smallest pages of scores.
    """
    packing = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 4)
    return packing.compress(content) + packing.flush()


def letters(content: bytes) -> str:
    """Encodes bytes in base 91: two letters for 13 bits, an eleventh shorter than base64."""
    bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
    rest = bits.size % 13
    whole = np.append(bits, np.zeros(-bits.size % 13, np.uint8))
    pairs = whole.reshape(-1, 13) @ 2 ** np.arange(13)
    text = np.frombuffer(DIGITS.encode(), np.uint8)[np.column_stack([pairs % 91, pairs // 91])]
    # A pair of letters holds 13 bits. If at most six bits are left at the end, one letter is enough
    # for them.
    return text.tobytes().decode()[: -1 if 0 < rest <= 6 else None]
