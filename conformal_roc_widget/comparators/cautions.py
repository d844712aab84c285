"""Writes notes on data with which a comparator is less reliable than it looks."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.text import counted

from .two_samples import TwoSamples

#: If a label has fewer points than this, a note warns that large-sample methods may fail.
FEW = 20
#: If at least this share of all pairs of a positive and a negative have equal scores, a note warns
#: of ties.
TIED_SHARE = 0.01
#: The largest number of ranges of false positive rates that a sentence lists.
STRETCHES = 4
#: If rows belong to people, a method that counts rows as independent gives this note.
COUNTS_ROWS = (
    "Several test rows belong to one person, and this method counts independent rows: its coverage "
    "may be far below what it is asked for."
)


def check_looks(looks: Any, *, groups: Any = None) -> None:
    """Raises if `looks` is neither ``"once"`` nor ``"any"``, or is ``"any"`` for rows of people."""
    one_of(looks, "looks", get_args(LooksName))
    if looks == "any" and groups is not None:
        raise ValueError(
            "looks: found 'any' with groups, expected 'once': the limits count independent rows"
        )


def small_labels(samples: TwoSamples) -> list[str]:
    """Returns a note for each label with fewer than `FEW` points."""
    names = ("negative", "positive")
    return [
        f"Only {counted(scores.size, name)}: from fewer than {FEW} points of a label this "
        "method's coverage may be far below what it is asked for."
        for name, scores in zip(names, samples, strict=True)
        if scores.size < FEW
    ]


def few_groups(owners: Ints | None) -> list[str]:
    """If the rows belong to fewer than `FEW` people, returns a note on that.

    `owners` has the code of the person of each row. It is None if rows are independent.
    """
    if owners is None or (people := np.unique(owners).size) >= FEW:
        return []
    sentence = (
        f"The rows belong to {counted(people, 'group')}: drawn from fewer than {FEW}, this "
        "method's coverage may be far below what it is asked for."
    )
    return [sentence]


def separated_labels(samples: TwoSamples) -> list[str]:
    """If the scores separate the labels, or are all equal, returns a note on that."""
    low, high = zip(*((scores[0], scores[-1]) for scores in samples.arrays), strict=True)
    if min(low) == max(high):
        return ["All scores are equal: they say nothing of the labels, and nothing varies."]
    if low[1] > high[0] or high[1] < low[0]:
        auc = int(low[1] > high[0])
        sentence = (
            f"The scores separate the labels (AUC {auc}): another sample may well overlap, "
            "which these points cannot show."
        )
        return [sentence]
    return []


def ties(samples: TwoSamples, consequence: str) -> list[str]:
    """If many pairs of a positive and a negative have equal scores, returns a note on that.

    `consequence` ends the note. It says what follows for the comparator.
    """
    _, equal = samples.negatives.above_and_at(samples.positives.values)
    share = float(equal.sum() / (samples.negatives.size * samples.positives.size))
    if share < TIED_SHARE:
        return []
    pairs = f"In {share:.1%} of the pairs of a positive and a negative both have the same score"
    return [f"{pairs}: {consequence}"]


def stretches(fpr: Floats, marked: Any) -> str:
    """Writes the ranges of `fpr` in which `marked` is true, such as ``"0.1, 0.4 to 0.99"``."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
    pairs = [(fpr[a], fpr[b - 1]) for a, b in edges.reshape(-1, 2)]
    texts = [f"{a:.3g}" if a == b else f"{a:.3g} to {b:.3g}" for a, b in pairs]
    return ", ".join(texts if len(texts) <= STRETCHES else [*texts[:STRETCHES], "…"])
