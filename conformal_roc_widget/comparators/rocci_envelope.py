"""Simultaneous bootstrap envelope by rocci, for laws of any shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.checks import generator, whole_number
from conformal_roc_widget.comparators.cautions import separated_labels, small_labels, ties
from conformal_roc_widget.comparators.comparator_band import (
    SIMULTANEOUS,
    BandFamily,
    ComparatorBand,
    band_of,
    sampling,
)
from conformal_roc_widget.comparators.resampling import (
    FEWEST_RESAMPLES,
    Progress,
    reporting,
)
from conformal_roc_widget.comparators.rocci_modules import import_rocci
from conformal_roc_widget.comparators.rows import refuse_rows
from conformal_roc_widget.comparators.two_samples import TwoSamples, two_samples

#: Above this alpha rocci's envelope covers more than asked for.
LARGEST_CALIBRATED = 0.1
#: If the stretch of false positive rates without a lower limit is longer than this, a note says so.
WORTH_A_WORD = 0.01


@dataclass(frozen=True, eq=False)
class EnvelopeReplicates(BandFamily):
    """rocci's bootstrap replicates; a new alpha selects among them anew.

    `envelope_replicates` returns it.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        rocci's grid of false positive rates, ``linspace(0, 1, min(512, n_0 + 1))``.
    replicates : ndarray of shape (resamples, m)
        True positive rates.
    samples : TwoSamples
        Scores of both labels.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    """

    fpr: Floats
    replicates: Floats
    samples: TwoSamples
    notes: tuple[str, ...] = ()

    method = "simultaneous bootstrap envelope (rocci)"
    promise = sampling(
        SIMULTANEOUS,
        "{confidence} by rocci's simulations over many laws; no proof for a finite sample",
    )

    @cached_property
    def tpr(self) -> Floats:  # type: ignore[override]  # rocci reads it with the limits
        """Observed true positive rates."""
        rates: Floats = self._envelope(LARGEST_CALIBRATED).tpr
        return rates

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """The replicates whose largest studentized distance from the curve is among the smallest.

        They are ``1 - alpha`` of all; rocci's floors widen their envelope.
        """
        envelope = self._envelope(level)
        notes = []
        if level > LARGEST_CALIBRATED:
            notes.append("The envelope covers more than it is asked for at alpha above 0.1.")
        if envelope.vacuous_below >= WORTH_A_WORD:
            notes.append(
                f"Below a false positive rate of {envelope.vacuous_below:.3g} the negatives are "
                "too few for a lower limit."
            )
        return envelope.lower, envelope.upper, notes

    def _envelope(self, level: float) -> Any:
        return import_rocci().envelope.assemble_envelope_band(
            self.replicates, self.fpr, *self.samples.arrays, level
        )


def envelope_replicates(
    y: ArrayLike,
    score: ArrayLike,
    *,
    resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
    progress: Progress = False,
    n_threads: int | None = None,
) -> EnvelopeReplicates:
    """Stratified bootstrap by rocci, kept so that a new alpha needs no resampling.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness; the replicates of a whole number are those of ``rocci.roc_band``.
    progress : bool or callable
        True shows a progress bar; a callable gets the replicates done and their total. rocci makes
        all of them in one step.
    n_threads : int, optional
        rocci's threads; by default as many as it finds.

    Returns
    -------
    EnvelopeReplicates
        The replicates.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """
    rocci = import_rocci()
    samples = two_samples(y, score)
    total = whole_number(resamples, "resamples", FEWEST_RESAMPLES)
    rng = generator(random_state)
    given = random_state is None or isinstance(random_state, np.random.Generator)
    seed = int(rng.integers(0, 2**63)) if given else int(random_state)  # type: ignore[arg-type]
    grid = rocci.grids.make_grid(samples.negatives.size)
    places = rocci.grids.grid_k_indices(grid, samples.negatives.size)
    with reporting(progress, total, "envelope") as report:
        replicates = rocci.backend.bootstrap_tpr_matrix(
            *samples.arrays, places, total, seed, n_threads
        )
        report(total)
    notes = (
        *small_labels(samples),
        *separated_labels(samples),
        *ties(samples, "rocci's band stays valid, but is wider than it need be."),
    )
    return EnvelopeReplicates(grid, replicates, samples, notes)


def simultaneous_band(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
    progress: Progress = False,
    n_threads: int | None = None,
    sample_weight: None = None,
    groups: None = None,
    pos_label: Any = None,
) -> ComparatorBand:
    """Simultaneous band for the population ROC curve: rocci's studentized bootstrap envelope.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores; see `envelope_replicates`.
    alpha : float
        Significance level in (0, 1).
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness; the band of a whole number is that of ``rocci.roc_band``.
    progress : bool or callable
        True shows a progress bar; a callable gets the replicates done and their total.
    n_threads : int, optional
        rocci's threads; by default as many as it finds.
    sample_weight, groups : None
        Refused: the method counts independent rows (`one_row_per_group` chooses such).
    pos_label : label, optional
        The positive label; by default the second of two in sorted order.

    Returns
    -------
    ComparatorBand
        Limits on rocci's grid of false positive rates.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """
    refuse_rows("simultaneous_band", sample_weight=sample_weight, groups=groups)
    return band_of(
        *(envelope_replicates, y, score, alpha, pos_label),
        resamples=resamples,
        random_state=random_state,
        progress=progress,
        n_threads=n_threads,
    )
