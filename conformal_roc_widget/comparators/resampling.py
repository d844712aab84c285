"""Replicates of a comparator that resamples: their number, their progress, and rows drawn whole.

`bootstrap` draws what it needs of a replicate from an exact law; where rows have weights, or belong
to people who are drawn whole, each replicate is a sum of weights down the sorted scores. Rows are
drawn alike within their label and carry their weights. People are drawn within their kind (negative
rows alone, positive rows alone, both), so that no replicate lacks a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints

#: Fewer bootstrap replicates are refused: their tails would be too thin.
FEWEST_RESAMPLES = 100

#: True is a tqdm bar, False is nothing; a callable gets the replicates done and their total.
Progress = bool | Callable[[int, int], object]


@contextmanager
def reporting(progress: Progress, total: int, title: str) -> Iterator[Callable[[int], object]]:
    """Yields a function that tells a bar, or the user's callable, how many replicates are done."""
    if callable(progress):
        report = progress
        yield lambda done: report(done, total)
        return
    if not isinstance(progress, bool):
        raise TypeError(
            f"progress: found {progress!r}, expected True, False or a callable of the replicates "
            "done and their total"
        )
    from tqdm.auto import tqdm

    with tqdm(total=total, desc=title, unit="replicate", disable=not progress) as bar:
        yield lambda done: bar.update(done - bar.n)


class RowResampling(NamedTuple):
    """Rows in descending order of their scores, and how they are drawn."""

    #: Weights of label 0 and of label 1, each 0 at the rows of the other.
    masses: tuple[Floats, Floats]
    #: Place of the last row of each score.
    ends: Ints
    #: Who each row belongs to; rows themselves where no groups are given.
    owners: Ints
    #: Owners of each kind: with negative rows only, with positive rows only, with both.
    kinds: tuple[Ints, ...]
    fpr: Floats

    @classmethod
    def of(
        cls,
        labels: Ints,
        score: Floats,
        fpr: Floats,
        weights: Floats | None = None,
        groups: Ints | None = None,
    ) -> RowResampling:
        """Sorts the rows; labels are 0 and 1, groups are codes."""
        order = np.argsort(-score, kind="stable")
        label, ordered = labels[order], score[order]
        weights = np.ones(score.size) if weights is None else weights[order]
        owners = np.arange(score.size) if groups is None else groups[order]
        n_owners = int(owners.max()) + 1
        # 1: negative rows alone, 2: positive rows alone, 3: both.
        negative, positive = (
            np.bincount(owners[label == k], minlength=n_owners) > 0 for k in (0, 1)
        )
        kind = negative + 2 * positive
        return cls(
            masses=(np.where(label == 0, weights, 0.0), np.where(label == 1, weights, 0.0)),
            ends=np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)),
            owners=owners,
            kinds=tuple(np.flatnonzero(kind == each) for each in (1, 2, 3) if (kind == each).any()),
            fpr=fpr,
        )

    @property
    def observed(self) -> Floats:
        """True positive rates of the data at the false positive rates."""
        return self._curve(np.ones(self.owners.size))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """True positive rates of `size` replicates, a row each."""
        n_owners = sum(kind.size for kind in self.kinds)
        replicates = np.empty((size, self.fpr.size))
        for replicate in replicates:
            times = np.zeros(n_owners)
            for kind in self.kinds:
                drawn = rng.integers(kind.size, size=kind.size)
                times[kind] = np.bincount(drawn, minlength=kind.size)
            replicate[:] = self._curve(times[self.owners])
        return replicates

    def _curve(self, times: Floats) -> Floats:
        """Height of the polygon with each row counted `times` times; at a vertical edge its top."""
        fp, tp = (
            np.concatenate([[0.0], np.cumsum(mass * times)[self.ends]]) for mass in self.masses
        )
        # A rate that differs from a vertex by rounding is taken for the vertex.
        wanted = self.fpr * fp[-1]
        at = np.searchsorted(fp, wanted + 1e-12 * fp[-1], side="right") - 1
        after = np.minimum(at + 1, fp.size - 1)
        width = fp[after] - fp[at]
        share = np.divide(wanted - fp[at], width, out=np.zeros_like(wanted), where=width > 0)
        rates = (tp[at] + np.clip(share, 0.0, 1.0) * (tp[after] - tp[at])) / tp[-1]
        return np.where(self.fpr >= 1, 1.0, rates)
