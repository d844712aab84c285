"""Means over replicates, with their Monte-Carlo standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats


def means_with_errors(names: Sequence[str], figures: Floats) -> list[dict[str, Any]]:
    """One dict a row, from figures of shape (replicates, rows, names)."""
    n = len(figures)
    means = figures.mean(axis=0)
    spread = figures.std(axis=0, ddof=1) if n > 1 else np.full(means.shape, np.nan)
    errors = spread / np.sqrt(n)
    rows: list[dict[str, Any]] = []
    for mean, error in zip(means, errors, strict=True):
        row: dict[str, Any] = {}
        for j, name in enumerate(names):
            row |= {name: mean[j], f"{name}_se": error[j]}
        rows.append({**row, "replicates": n})
    return rows
