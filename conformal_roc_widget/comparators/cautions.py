"""Sentences on data that make a comparator less trustworthy than it looks."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.choices import LooksName
from conformal_roc_widget.text import counted

from .two_samples import TwoSamples

#: With fewer points of a label than this, a note doubts large-sample methods.
FEW = 20
#: If at least this share of the pairs of a positive and a negative tie, a note says so.
TIED_SHARE = 0.01
#: A sentence lists at most this many stretches of false positive rates.
STRETCHES = 4
#: The caution if a method that counts rows is shown for rows that belong to people.
COUNTS_ROWS = (
    "Several test rows belong to one person, and this method counts independent rows: its coverage "
    "may be far below what it is asked for."
)


def check_looks(looks: Any, *, groups: Any = None) -> None:
    """Refuses looks that are neither of both, or that have no theory for people's rows."""
    one_of(looks, "looks", get_args(LooksName))
    if looks == "any" and groups is not None:
        raise ValueError(
            "looks: found 'any' with groups, expected 'once': the limits count independent rows"
        )


def small_labels(samples: TwoSamples) -> list[str]:
    """One sentence for each label with few points."""
    names = ("negative", "positive")
    return [
        f"Only {counted(scores.size, name)}: from fewer than {FEW} points of a label this "
        "method's coverage may be far below what it is asked for."
        for name, scores in zip(names, samples, strict=True)
        if scores.size < FEW
    ]


def few_groups(owners: Ints | None) -> list[str]:
    """At most one sentence: the rows belong to few people."""
    if owners is None or (people := np.unique(owners).size) >= FEW:
        return []
    sentence = (
        f"The rows belong to {counted(people, 'group')}: drawn from fewer than {FEW}, this "
        "method's coverage may be far below what it is asked for."
    )
    return [sentence]


def separated_labels(samples: TwoSamples) -> list[str]:
    """At most one sentence: the scores separate the labels, or do not vary."""
    low, high = zip(*((scores[0], scores[-1]) for scores in samples.arrays), strict=True)
    if min(low) == max(high):
        return ["All scores are equal: they say nothing of the labels, and nothing varies."]
    if (auc := samples.auc) in (0.0, 1.0):
        sentence = (
            f"The scores separate the labels (AUC {auc:.0f}): another sample may well overlap, "
            "which these points cannot show."
        )
        return [sentence]
    return []


def ties(samples: TwoSamples, consequence: str) -> list[str]:
    """At most one sentence on scores that both labels share, and on their consequence."""
    _, equal = samples.negatives.above_and_at(samples.positives.values)
    share = float(equal.sum() / (samples.negatives.size * samples.positives.size))
    if share < TIED_SHARE:
        return []
    pairs = f"In {share:.1%} of the pairs of a positive and a negative both have the same score"
    return [f"{pairs}: {consequence}"]


def stretches(fpr: Floats, marked: Any) -> str:
    """Stretches of the rates that are marked, as text: ``"0.1, 0.4 to 0.99"``."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
    pairs = [(fpr[a], fpr[b - 1]) for a, b in edges.reshape(-1, 2)]
    texts = [f"{a:.3g}" if a == b else f"{a:.3g} to {b:.3g}" for a, b in pairs]
    return ", ".join(texts if len(texts) <= STRETCHES else [*texts[:STRETCHES], "…"])
