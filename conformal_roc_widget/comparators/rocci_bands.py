"""Offers two bands of the optional package rocci (Delaney-Busch, MIT licence).

The first is a simultaneous bootstrap envelope for scores of any distribution. The second is the
simultaneous binormal band of Working and Hotelling.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, read_only
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import generator, whole_number
from conformal_roc_widget.promise import IF_NORMAL, SIMULATED, WHOLE_CURVE, sampling

from .cautions import separated_labels, small_labels, ties
from .comparator_band import BandFamily, ComparatorBand
from .resampling import FEWEST_RESAMPLES, Progress, reporting
from .rows import refuse_rows
from .two_samples import TwoSamples, grid_of, two_samples

#: At an alpha above this, rocci's envelope covers more often than 1 - alpha.
LARGEST_CALIBRATED = 0.1
#: If there is no lower limit over a range of false positive rates of at least this length, a note
#: says so.
WORTH_A_WORD = 0.01


def import_rocci() -> Any:
    """Imports rocci and its parts. If it is missing, the ImportError says how to install it."""
    try:
        import rocci.backend
        import rocci.ingest
        from rocci.band import envelope, grids, normal  # noqa: F401  # for rocci.band.grids etc.
    except ImportError as error:
        raise ImportError(
            "simultaneous_band and working_hotelling_band need rocci 0.3, which is missing: "
            f"pip install 'rocci>=0.3.1,<0.4' ({error})",
            name="rocci",
        ) from error
    return rocci


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
    """Computes rocci's simultaneous band for the population's curve, a bootstrap envelope.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    alpha : float
        Significance level in (0, 1).
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness. With a whole number, the band equals that of ``rocci.roc_band``.
    progress : bool or callable
        True shows a progress bar. A callable gets the replicates done and their total. rocci makes
        all of them in one step.
    n_threads : int, optional
        Number of rocci's threads. By default all that it finds.
    sample_weight, groups : None
        Refused, because the method counts independent rows. `one_row_per_group` selects such rows.

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
    exact_alpha(alpha)
    family = EnvelopeReplicates(
        *(y, score),
        resamples=resamples,
        random_state=random_state,
        progress=progress,
        n_threads=n_threads,
        pos_label=pos_label,
    )
    return family.band(alpha)


class EnvelopeReplicates(BandFamily):
    """rocci's bootstrap replicates. A new alpha only selects another part of the replicates.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They need not be probabilities.
    resamples : int
        Number of replicates, at least 100.
    random_state : int, numpy.random.Generator or None
        Source of randomness. With a whole number, the band equals that of ``rocci.roc_band``.
    progress : bool or callable
        True shows a progress bar. A callable gets the replicates done and their total. rocci makes
        all of them in one step.
    n_threads : int, optional
        Number of rocci's threads. By default all that it finds.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        rocci's grid of false positive rates, ``linspace(0, 1, min(512, n_0 + 1))``.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    replicates : ndarray of shape (resamples, m)
        True positive rates.
    samples : TwoSamples
        Scores of both labels.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """

    method = "simultaneous bootstrap envelope (rocci)"
    promise = sampling(WHOLE_CURVE, SIMULATED)

    def __init__(
        self,
        y: ArrayLike,
        score: ArrayLike,
        *,
        resamples: int = 2000,
        random_state: int | np.random.Generator | None = None,
        progress: Progress = False,
        n_threads: int | None = None,
        pos_label: Any = None,
    ) -> None:
        rocci = import_rocci()
        self.samples = samples = two_samples(y, score, pos_label)
        total = whole_number(resamples, "resamples", FEWEST_RESAMPLES)
        if n_threads is not None:
            whole_number(n_threads, "n_threads", 1, other="None")
        rng = generator(random_state)
        given = random_state is None or isinstance(random_state, np.random.Generator)
        seed = int(rng.integers(0, 2**63)) if given else int(random_state)  # type: ignore[arg-type]
        grid = rocci.band.grids.make_grid(samples.negatives.size)
        places = rocci.band.grids.grid_k_indices(grid, samples.negatives.size)
        with reporting(progress, total, "envelope") as report:
            replicates = rocci.backend.bootstrap_tpr_matrix(
                *samples.arrays, places, total, seed, n_threads
            )
            report(total)
        self.replicates = read_only(replicates)
        notes = (
            *small_labels(samples),
            *separated_labels(samples),
            *ties(samples, "rocci's band stays valid, but is wider than it need be."),
        )
        # rocci returns the observed curve only together with limits. Only the curve is used, so the
        # level of the limits may be any.
        observed = rocci.band.envelope.assemble_envelope_band(
            replicates, grid, *samples.arrays, LARGEST_CALIBRATED
        ).tpr
        super().__init__(grid, observed, notes)

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Returns the envelope of the replicates nearest to the curve for alpha = `level`.

        The nearest replicates are the share ``1 - alpha`` of all replicates with the smallest
        studentized distance from the curve. rocci then widens their envelope by minimum spreads.
        """
        envelope = import_rocci().band.envelope.assemble_envelope_band(
            self.replicates, self.fpr, *self.samples.arrays, level
        )
        notes = []
        if level > LARGEST_CALIBRATED:
            notes.append("The envelope covers more than it is asked for at alpha above 0.1.")
        if envelope.vacuous_below >= WORTH_A_WORD:
            notes.append(
                f"Below a false positive rate of {envelope.vacuous_below:.3g} the negatives are "
                "too few for a lower limit."
            )
        return envelope.lower, envelope.upper, notes


def working_hotelling_band(
    y: ArrayLike,
    score: ArrayLike,
    alpha: float = 0.05,
    *,
    fpr: ArrayLike | None = None,
    sample_weight: None = None,
    groups: None = None,
    pos_label: Any = None,
) -> ComparatorBand:
    """Computes rocci's band for normal scores (Working and Hotelling 1929; Ma and Hall 1993).

    With normal scores, the curve is a straight line on normal probability paper. Means and standard
    deviations of both labels determine it. The band is for the whole line.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They should be normal, which logits of
        probabilities are more often than probabilities.
    alpha : float
        Significance level in (0, 1).
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.
    sample_weight, groups : None
        Refused, because the method counts independent rows. `one_row_per_group` selects such rows.

    Returns
    -------
    ComparatorBand
        Limits at each false positive rate. If rocci doubts that scores are normal, a note says so.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """
    refuse_rows("working_hotelling_band", sample_weight=sample_weight, groups=groups)
    return BinormalSamples(y, score, fpr=fpr, pos_label=pos_label).band(alpha)


class BinormalSamples(BandFamily):
    """The scores of both labels, sorted and checked once, so that a new alpha costs little.

    Limits at a new alpha need only means and standard deviations.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of two classes. The second in sorted order is positive.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive class. They should be normal, which logits of
        probabilities are more often than probabilities.
    fpr : array_like of shape (m,), optional
        False positive rates. By default ``linspace(0, 1, 101)``.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    samples : TwoSamples
        Scores of both labels.
    constant : bool
        Whether the scores of a label are all equal, so that there is no model.

    Raises
    ------
    ImportError
        If rocci is not installed.
    TypeError, ValueError
        If an argument is not of the form above.
    """

    method = "Working-Hotelling, binormal (rocci)"
    promise = sampling(WHOLE_CURVE, IF_NORMAL)

    def __init__(
        self,
        y: ArrayLike,
        score: ArrayLike,
        *,
        fpr: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> None:
        rocci = import_rocci()
        self.samples = samples = two_samples(y, score, pos_label)
        grid = grid_of(fpr)
        constant = _constant(samples)
        self.constant = bool(constant)
        doubts = constant or _not_normal(samples, rocci)
        notes = (*small_labels(samples), *separated_labels(samples), *doubts)
        super().__init__(grid, samples.tpr_at(grid), notes)

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """The limits of `working_hotelling_band` for alpha = `level`. There are no notes."""
        grid = self.fpr
        lower, upper = np.zeros(grid.size), np.ones(grid.size)
        if not self.constant:
            # rocci sets its limits at both ends of its grid to fixed values. So 0 and 1 are added
            # as ends, and cut off by `[1:-1]`. rocci also raises small standard deviations to 1e-8,
            # so the scores are mapped to the unit range first.
            whole, scores = np.concatenate([[0.0], grid, [1.0]]), _in_unit_range(self.samples)
            limits = import_rocci().band.normal.working_hotelling_band(*scores, whole, level)
            lower, upper = (np.clip(limit[1:-1], 0, 1) for limit in limits)
        lower[grid == 0], lower[grid == 1], upper[grid == 1] = 0.0, 1.0, 1.0
        return lower, upper, []


def _constant(samples: TwoSamples) -> list[str]:
    """Returns a note for each label whose scores are all equal."""
    return [
        f"The {name} scores have no spread, which the binormal model needs: the band is everything "
        "from 0 to 1."
        for name, scores in zip(("negative", "positive"), samples.arrays, strict=True)
        if scores[0] == scores[-1]
    ]


def _in_unit_range(samples: TwoSamples) -> list[Floats]:
    """Maps the scores linearly to [0, 1], which does not change the model."""
    halves = [scores / 2 for scores in samples.arrays]
    low, high = min(half[0] for half in halves), max(half[-1] for half in halves)
    return [(half - low) / (high - low) for half in halves]


def _not_normal(samples: TwoSamples, rocci: Any) -> list[str]:
    """If rocci's test rejects that scores are normal, returns a note on that."""
    scores = _in_unit_range(samples)
    vertices = rocci.band.grids.empirical_roc_vertices(*scores)
    tied = rocci.ingest.heavy_ties(*scores)
    report = rocci.band.normal.normality_report(*scores, *vertices, heavy_ties=tied)
    if not report.suspect:
        return []
    sentence = (
        "The scores do not look normal (smallest p-values of rocci's checks: "
        f"{report.neg_pvalue:.2g} for the negatives, {report.pos_pvalue:.2g} for the positives): "
        "the band may cover far less than it says. simultaneous_band does not need that."
    )
    return [sentence]
