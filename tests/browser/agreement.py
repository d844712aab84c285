"""Compares the page's drawing with the kernel's, in settings, lines and counts.

Fixtures (`tests/fixtures`) hold both sides to equal numbers and words.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from said import limits_text, share_limits, share_text

from conformal_roc_widget.text import number_text

Point = tuple[float, float]


def step_line(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """Points of a step line: from each vertex first to the next x, then to the next y."""
    line = [(x[0], y[0])]
    for i in range(1, len(x)):
        line += [(x[i], y[i - 1]), (x[i], y[i])]
    return line


def vertices(path: str) -> np.ndarray:
    """Vertices of a path, in pixels of the plot."""
    found: list[Point] = []
    for letter, numbers in re.findall(r"([MLHV])([^MLHVZ]*)", path):
        values = [float(number) for number in numbers.split()]
        x, y = found[-1] if found else (math.nan, math.nan)
        found.append(
            {"H": (values[0], y), "V": (x, values[0])}.get(letter) or (values[0], values[1])
        )
    return np.array(found)


def centre(box: dict[str, float]) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def assert_same(drawn: dict[str, Any], kernel: dict[str, Any]) -> None:
    """Asserts that the drawing agrees with the kernel, whether page or kernel computed it."""
    assert not drawn["waiting"]
    for name in ("alpha", "threshold"):
        assert drawn[name] == drawn["sliders"][name] == kernel[name]
    assert drawn["band"] == kernel["band"]
    limits = [tuple(sides) for sides in kernel["sides"]]
    assert_lines(drawn, kernel, limits)
    assert_point(drawn, kernel, limits)
    _assert_numbers(drawn, kernel, limits)


def assert_lines(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    square = drawn["square"]
    _assert_path(drawn["roc"]["d"], list(zip(kernel["fpr"], kernel["tpr"], strict=True)), square)
    outlines = {
        "specificity": step_line(kernel["fpr_upper"], kernel["tpr"])
        + step_line(kernel["fpr_lower"], kernel["tpr"])[::-1],
        "sensitivity": step_line(kernel["fpr"], kernel["tpr_upper"])
        + step_line(kernel["fpr"], kernel["tpr_lower"])[::-1],
    }
    for label, (kind, outline) in enumerate(outlines.items()):
        band = drawn[kind]
        assert band["visible"] == (kernel["band"] in (kind, "both"))
        if band["visible"]:
            assert band["class"] == ("crw-band" if all(limits[label]) else "crw-no-limits")
            if all(limits[label]):
                assert band["fill"] == f"var(--crw-label{label})"
            _assert_path(band["d"], outline, square)


def _assert_path(path: str, expected: list[Point], square: list[float]) -> None:
    x0, y0, size = square
    pixels = [x0, y0] + np.array(expected) * [size, -size]
    found = vertices(path)
    assert found.shape == pixels.shape
    np.testing.assert_allclose(found, pixels, rtol=0, atol=0.01)


def assert_point(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    x0, y0, size = drawn["square"]
    point, plot = kernel["point"], drawn["plot"]
    at = x0 + point["fpr"] * size, y0 - point["tpr"] * size
    np.testing.assert_allclose(
        centre(drawn["dot"]), [plot["x"] + at[0], plot["y"] + at[1]], atol=0.1
    )
    for label, name in enumerate(("fpr", "tpr")):
        shown = kernel["band"] in ("both", ("specificity", "sensitivity")[label])
        if not shown or not any(limits[label]):
            assert not drawn["arms"][label]
            continue
        ends = vertices(drawn["arms"][label])
        # If a limit is missing, the arm on that side ends at the point.
        low, high = (
            point[f"{name}_{end}" if there else name]
            for end, there in zip(("lower", "upper"), limits[label], strict=True)
        )
        if label == 1:
            expected = [at[0], y0 - low * size, y0 - high * size]
        else:
            expected = [at[1], x0 + low * size, x0 + high * size]
        across, along = ends.T if label == 1 else ends.T[::-1]
        np.testing.assert_allclose(
            [*across, *sorted(along)], [expected[0]] * 2 + sorted(expected[1:]), atol=0.01
        )


def _assert_numbers(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    """Asserts that the numbers at the operating point are right, in text and as counts."""
    point = kernel["point"]
    assert drawn["legend"] == kernel["words"]
    for label, name in enumerate(("fpr", "tpr")):
        words = limits_text(point[f"{name}_lower"], point[f"{name}_upper"], limits[label])
        assert f"{number_text(point[name])}, {words}" in drawn["spoken"]
    if drawn["counts"]:  # the table of several classifiers has another form
        assert drawn["counts"] == [f"{point[name]:,}" for name in ("tp", "fn", "fp", "tn")]
        _assert_rates(drawn, kernel, limits)
    for handles, pair in zip(drawn["handles"], kernel["quantiles"] or ((), ()), strict=True):
        for handle, residual in zip(handles, pair, strict=False):
            if np.isfinite(residual):  # residuals beyond the strip are drawn at its end
                expected = np.clip(residual, *handle["ends"])
                np.testing.assert_allclose(handle["now"], expected, rtol=1e-12)


def _assert_rates(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    """Asserts that the table is right: both rates in percent, and in the last column their limits
    for the true risks.
    """
    at = kernel["point"]
    rates = [
        (at["tpr"], at["tpr_lower"], at["tpr_upper"], limits[1]),
        (1 - at["fpr"], 1 - at["fpr_upper"], 1 - at["fpr_lower"], limits[0][::-1]),
    ]
    found = [[plain(text) for text in row] for row in drawn["rates"]]
    expected = [[plain(share_text(rate))] for rate, *_ in rates]
    if kernel["band"] in ("both", "sensitivity", "specificity"):
        for row, (_, *said) in zip(expected, rates, strict=True):
            row.append(plain(share_limits(*said)))
        assert found == expected
    else:
        assert [row[:1] for row in found] == expected


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")
