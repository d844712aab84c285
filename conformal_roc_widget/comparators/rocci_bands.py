"""Simultaneous bands of rocci (Delaney-Busch, MIT licence), which is an optional extra."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.comparators.comparator_band import (
    SIMULTANEOUS,
    ComparatorBand,
    Progress,
    TwoSamples,
    generator_of,
    grid_of,
    lock,
    reporting,
    resamples_of,
    separated_labels,
    small_labels,
    ties,
    two_samples,
)
from conformal_roc_widget.text import percent

ENVELOPE = "simultaneous bootstrap envelope (rocci)"
WORKING_HOTELLING = "Working-Hotelling, binormal (rocci)"
#: rocci's envelope is made for small alphas.
LARGEST_CALIBRATED = 0.1
#: Stretch of false positive rates without a lower limit that is worth a word.
WORTH_A_WORD = 0.01


@dataclass(frozen=True, eq=False)
class EnvelopeReplicates:
    """rocci's bootstrap replicates; a new alpha selects among them anew.

    Made by `envelope_replicates`.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        rocci's grid of false positive rates, ``linspace(0, 1, min(512, n_0 + 1))``.
    replicates : ndarray of shape (resamples, m)
        True positive rates.
    samples : TwoSamples
        Scores of both labels.
    notes : tuple of str
        Where the method says less than it seems to, at any alpha.
    """

    fpr: Floats
    replicates: Floats
    samples: TwoSamples
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Lock the arrays."""
        lock(self, "fpr", "replicates")

    def band(self, alpha: float = 0.05) -> ComparatorBand:
        """Simultaneous band by rocci.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        ComparatorBand
            The envelope of the replicates whose largest studentized distance from the observed
            curve is among the ``1 - alpha`` smallest, widened by rocci's floors.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        level = float(exact_alpha(alpha))
        made = _rocci().envelope.assemble_envelope_band(
            self.replicates, self.fpr, *self.samples, level
        )
        notes = [*self.notes]
        if level > LARGEST_CALIBRATED:
            notes.append("The envelope covers more than it is asked for at alpha above 0.1.")
        if made.vacuous_below >= WORTH_A_WORD:
            notes.append(
                f"Below a false positive rate of {made.vacuous_below:.3g} the negatives are too "
                "few for a lower limit."
            )
        return ComparatorBand(
            fpr=self.fpr,
            tpr=made.tpr,
            tpr_lower=made.lower,
            tpr_upper=made.upper,
            alpha=float(alpha),
            method=ENVELOPE,
            scope=SIMULTANEOUS,
            guarantee=(
                f"{percent(1 - level)} by rocci's simulations over many laws; no proof for a "
                "finite sample"
            ),
            notes=tuple(notes),
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
    rocci = _rocci()
    samples = two_samples(y, score)
    total = resamples_of(resamples)
    rng = generator_of(random_state)
    given = random_state is None or isinstance(random_state, np.random.Generator)
    seed = int(rng.integers(0, 2**63)) if given else int(random_state)  # type: ignore[arg-type]
    grid = rocci.grids.make_grid(samples.negatives.size)
    places = rocci.grids.grid_k_indices(grid, samples.negatives.size)
    with reporting(progress, total, "envelope") as report:
        replicates = rocci.backend.bootstrap_tpr_matrix(*samples, places, total, seed, n_threads)
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
    exact_alpha(alpha)
    replicates = envelope_replicates(
        y,
        score,
        resamples=resamples,
        random_state=random_state,
        progress=progress,
        n_threads=n_threads,
    )
    return replicates.band(alpha)


def working_hotelling_band(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, fpr: ArrayLike | None = None
) -> ComparatorBand:
    """Simultaneous band for normal scores (Working and Hotelling 1929; Ma and Hall 1993), by rocci.

    Means and standard deviations of both labels give a straight line on normal probability paper,
    and a band about the whole of it.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes; the second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class; they need not be probabilities, and if they
        are, their logits are likelier to be normal.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate; a note tells where rocci doubts that scores are normal.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """
    exact_alpha(alpha)
    return binormal_samples(y, score, fpr=fpr).band(alpha)


@dataclass(frozen=True, eq=False)
class BinormalSamples:
    """Scores of both labels, sorted and looked through once; a new alpha costs their moments.

    Made by `binormal_samples`.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates.
    samples : TwoSamples
        Scores of both labels.
    constant : bool
        Whether the scores of a label have no spread, so that there is no model.
    notes : tuple of str
        Where the method says less than it seems to.
    """

    fpr: Floats
    tpr: Floats
    samples: TwoSamples
    constant: bool
    notes: tuple[str, ...] = ()

    def band(self, alpha: float = 0.05) -> ComparatorBand:
        """The band of `working_hotelling_band`.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        ComparatorBand
            Limits at each false positive rate.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        level = float(exact_alpha(alpha))
        grid = self.fpr
        lower, upper = np.zeros(grid.size), np.ones(grid.size)
        if not self.constant:
            # rocci pins the ends of the grid that it gets, and takes spreads below 1e-8 for 1e-8.
            whole, scores = np.concatenate([[0.0], grid, [1.0]]), _in_unit_range(self.samples)
            limits = _rocci().normal.working_hotelling_band(*scores, whole, level)
            lower, upper = (np.clip(limit[1:-1], 0, 1) for limit in limits)
        lower[grid == 0], lower[grid == 1], upper[grid == 1] = 0.0, 1.0, 1.0
        return ComparatorBand(
            fpr=grid,
            tpr=self.tpr,
            tpr_lower=lower,
            tpr_upper=upper,
            alpha=float(alpha),
            method=WORKING_HOTELLING,
            scope=SIMULTANEOUS,
            guarantee=(
                f"{percent(1 - level)} in large samples if the scores of each label are normal as "
                "they stand"
            ),
            notes=self.notes,
        )


def binormal_samples(
    y: ArrayLike, score: ArrayLike, *, fpr: ArrayLike | None = None
) -> BinormalSamples:
    """Sort and check the scores for `working_hotelling_band`, which says what it does.

    Parameters
    ----------
    y, score : array_like of shape (n,)
        Labels and scores, as there.
    fpr : array_like of shape (m,), optional
        False positive rates; by default ``linspace(0, 1, 101)``.

    Returns
    -------
    BinormalSamples
        To be asked at any alpha.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        As there.
    """
    rocci = _rocci()
    samples = two_samples(y, score)
    grid = grid_of(fpr)
    constant = _constant(samples)
    return BinormalSamples(
        fpr=grid,
        tpr=samples.tpr_at(grid),
        samples=samples,
        constant=bool(constant),
        notes=(
            *small_labels(samples),
            *separated_labels(samples),
            *(constant or _not_normal(samples, rocci)),
        ),
    )


def _constant(samples: TwoSamples) -> list[str]:
    """Sentences on labels in which the scores do not vary, or cannot."""
    return [
        f"The {name} scores have no spread, which the binormal model needs: the band is everything "
        "from 0 to 1."
        for name, scores in zip(("negative", "positive"), samples, strict=True)
        if scores[0] == scores[-1]
    ]


def _in_unit_range(samples: TwoSamples) -> TwoSamples:
    """Scores mapped linearly onto [0, 1], which changes nothing in the model."""
    halves = [scores / 2 for scores in samples]
    low, high = min(half[0] for half in halves), max(half[-1] for half in halves)
    return TwoSamples(*((half - low) / (high - low) for half in halves))


def _not_normal(samples: TwoSamples, rocci: _Rocci) -> list[str]:
    """What speaks against the binormal model."""
    samples = _in_unit_range(samples)
    vertices = rocci.grids.empirical_roc_vertices(*samples)
    tied = rocci.ingest.heavy_ties(*samples)
    report = rocci.normal.normality_report(*samples, *vertices, heavy_ties=tied)
    if not report.suspect:
        return []
    sentence = (
        "The scores do not look normal (smallest p-values of rocci's checks: "
        f"{report.neg_pvalue:.2g} for the negatives, {report.pos_pvalue:.2g} for the positives): "
        "the band may cover far less than it says. simultaneous_band does not need that."
    )
    return [sentence]


@dataclass(frozen=True)
class _Rocci:
    """The parts of rocci that are used."""

    backend: Any
    envelope: Any
    grids: Any
    normal: Any
    ingest: Any


def _rocci() -> _Rocci:
    """Import rocci, or say what to install."""
    try:
        from rocci import backend, ingest
        from rocci.band import envelope, grids, normal
    except ImportError as error:
        raise ImportError(
            "simultaneous_band and working_hotelling_band are made by rocci 0.3, which is not "
            f"here: pip install 'rocci>=0.3.1,<0.4' ({error})",
            name="rocci",
        ) from error
    return _Rocci(backend, envelope, grids, normal, ingest)
