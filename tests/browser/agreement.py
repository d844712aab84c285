"""The page drawn of one evaluation against the kernel, in lines, numbers and words."""

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from spoken import (
    joint_sides,
    limit_text,
    ordinal,
    percent,
    rate,
    signed,
    significance,
    threshold_text,
)

Point = tuple[float, float]


def step_line(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """From each vertex first to the next x, then to the next y."""
    line = [(x[0], y[0])]
    for i in range(1, len(x)):
        line += [(x[i], y[i - 1]), (x[i], y[i])]
    return line


def vertices(path: str) -> np.ndarray:
    """Of a path, in pixels of the plot."""
    found: list[Point] = []
    for letter, numbers in re.findall(r"([MLHV])([^MLHVZ]*)", path):
        values = [float(number) for number in numbers.split()]
        x, y = found[-1] if found else (math.nan, math.nan)
        found.append(
            {"H": (values[0], y), "V": (x, values[0])}.get(letter) or (values[0], values[1])
        )
    return np.array(found)


def paper_ranks(n: int, alpha: float) -> tuple[int, int]:
    """Numbers of the two order statistics, as the paper counts them for this decimal."""
    exact = Fraction(str(alpha))
    return math.floor(exact * (n + 1) / 2) - 1, math.floor((1 - exact / 2) * (n + 1))


def split_ranks(n: int, alpha: float) -> tuple[int, int]:
    """The same as split conformal prediction counts them."""
    exact = Fraction(str(alpha))
    return math.floor(exact * (n + 1) / 2), math.ceil((1 - exact / 2) * (n + 1))


RANKS = {"paper": paper_ranks, "split": split_ranks}


def centre(box: dict[str, float]) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def assert_same(drawn: dict[str, Any], kernel: dict[str, Any]) -> None:
    """The drawing agrees with the kernel, whoever computed it."""
    assert not drawn["waiting"]
    for name in ("alpha", "threshold"):
        assert drawn[name] == drawn["sliders"][name] == kernel[name]
    assert drawn["band"] == kernel["band"]
    limits = [tuple(sides) for sides in kernel["sides"]]
    assert_lines(drawn, kernel, limits)
    assert_point(drawn, kernel, limits)
    _assert_words(drawn, kernel, limits)
    _assert_order_statistics(drawn, kernel, limits)
    _assert_results(drawn, kernel, limits)


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
        # Towards a missing limit the arm ends at the point.
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


def _assert_words(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    point, band = kernel["point"], kernel["band"]
    assert f"At threshold {threshold_text(kernel['threshold'])}, " in drawn["sentence"]
    assert f"({percent(1 - kernel['alpha'])})" in drawn["sentence"]
    assert f"threshold {threshold_text(kernel['threshold'])}" in drawn["labels"]
    assert drawn["legend"] == kernel["words"]
    first = True
    for label, name, noun in ((1, "tpr", "sensitivity"), (0, "fpr", "specificity")):
        low, high = point[f"{name}_lower"], point[f"{name}_upper"]
        lower, upper = limits[label]
        assert f"{rate(point[name])}, {limit_text(low, high, (lower, upper))}" in drawn["spoken"]
        if band not in (noun, "both"):
            assert noun not in drawn["labels"]
            continue
        if label == 0:
            (low, high), (lower, upper) = (1 - high, 1 - low), (upper, lower)
        assert f"ideal {noun} {limit_text(low, high, (lower, upper))}" in drawn["labels"]
        if first:
            observed = point["tpr"] if label else 1 - point["fpr"]
            assert f"{noun} is {rate(observed)};" in drawn["sentence"]
            assert f"between {rate(low)} and {rate(high)}" in drawn["sentence"]
        first = False


def _assert_order_statistics(
    drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]
) -> None:
    alpha = kernel["alpha"]
    for label in (0, 1):
        n, facts = kernel["n_calibration"][label], drawn["facts"][label]
        if kernel["quantiles"] is None:
            assert not any(handle["visible"] for handle in drawn["handles"][label])
            continue
        assert facts == [f"n = {n:,}"]
        at_least = math.floor(1000 * kernel["guaranteed"][label] + 1e-9) / 10
        if all(limits[label]):
            for rank in drawn["ranks"][label]:
                assert rank.endswith(f"of {n:,}, at least {at_least:.1f} %")
        pair = zip(
            drawn["handles"][label], kernel["quantiles"][label], ("lower", "upper"), strict=True
        )
        for side, (handle, residual, name) in enumerate(pair):
            assert handle["visible"]
            if math.isinf(residual):
                words = f"no {name} limit"
            else:
                words = f"{ordinal(RANKS[kernel['rule']](n, alpha)[side])} of {n:,}"
                # A residual beyond the strip stands at its end.
                np.testing.assert_allclose(
                    handle["now"], np.clip(residual, *handle["ends"]), rtol=1e-12
                )
            confidence = f"{percent(1 - alpha)} confidence, α {significance(alpha)}"
            assert handle["text"] == f"{words}, {signed(residual)}; {confidence}"


def _assert_results(drawn: dict[str, Any], kernel: dict[str, Any], limits: list[bool]) -> None:
    point = kernel["point"]
    precision = point["precision"]
    (low0, high0), (low1, high1) = limits
    joint = joint_sides(limits)
    precisions = precision_range(kernel)
    auc, *areas = kernel["auc"]
    expected = [
        (rate(point["tpr"]), (point["tpr_lower"], point["tpr_upper"]), (low1, high1), 0),
        (
            rate(1 - point["fpr"]),
            (1 - point["fpr_upper"], 1 - point["fpr_lower"]),
            (high0, low0),
            0,
        ),
        (
            "none called positive" if math.isnan(precision) else rate(precision),
            precisions or (0, 1),
            joint if precisions else (False, False),
            0,
        ),
        (
            rate(point["youden"]),
            (point["tpr_lower"] - point["fpr_upper"], point["tpr_upper"] - point["fpr_lower"]),
            joint,
            -1,
        ),
        (rate(auc), areas, joint, 0),
    ]
    texts = [
        (observed, limit_text(*ends, sides, least)) for observed, ends, sides, least in expected
    ]
    if "counts" in drawn:  # several classifiers have a table of their own instead
        assert drawn["counts"] == [f"{point[name]:,}" for name in ("tp", "fn", "fp", "tn")]
        assert [(row["observed"], row["ideal"]) for row in drawn["metrics"]] == texts[:2]
    assert [tuple(row[1:]) for row in drawn["figures"][:5]] == texts


def precision_range(kernel: dict[str, Any]) -> tuple[float, float] | None:
    """Smallest and largest precision over all counts that both intervals allow at once, tried one by one."""
    point, (n0, n1) = kernel["point"], kernel["n_test"]
    low0, high0, low1, high1 = (
        round(n * point[name])
        for n, name in ((n0, "fpr_lower"), (n0, "fpr_upper"), (n1, "tpr_lower"), (n1, "tpr_upper"))
    )
    fp = np.unique(np.linspace(low0, high0, 400).round())
    tp = np.unique(np.linspace(low1, high1, 400).round())[:, None]
    called = tp + fp
    if not called.any():
        return None
    precision = (tp / np.where(called > 0, called, np.nan))[called > 0]
    return float(precision.min()), float(precision.max())
