"""The comparators as data. A further one is one more entry of `COMPARATORS`.

Everything that offers, makes, draws or compares them reads this table: the widget's argument and
its worker, the figure and its colours, the messages to the page, and `benchmarks/comparison.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import are_probabilities
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.logits import just_beyond, logit_of
from conformal_roc_widget.promise import Promise

from .bootstrap import BootstrapReplicates
from .cautions import COUNTS_ROWS
from .comparator_band import BandFamily
from .ks import KsSamples
from .resampling import Progress
from .rocci_bands import BinormalSamples, EnvelopeReplicates, import_rocci

#: Number of replicates of a comparator that resamples, and the seed of all comparators.
RESAMPLES, SEED = 2000, 0
#: The comparator that the band "sampling" shows if the user asked for none.
SPARE = "bootstrap"


class Resampling(NamedTuple):
    """How a comparator resamples; those that do not resample ignore it."""

    resamples: int = RESAMPLES
    random_state: int | np.random.Generator | None = SEED
    progress: Progress = False
    n_threads: int | None = None


class Comparator(NamedTuple):
    """One method, and the words under which it is offered."""

    key: str
    name: str
    #: Promise of its bands, with a place for the confidence.
    promise: Promise
    #: ``(labels, scores, resampling)`` -> its bands.
    family: Callable[[ArrayLike, ArrayLike, Resampling], BandFamily]
    #: Steps of its progress.
    steps: int = 1
    #: Whether probabilities go in as logits, for the method assumes normal scores.
    on_logits: bool = False
    #: Raises an ImportError where an optional package is missing.
    require: Callable[[], object] = lambda: None
    #: Name of its colour and dash in the theme.
    look: str = "other"
    #: Makes its bands for rows that belong to groups, or have weights; None if it counts rows.
    of_rows: (
        Callable[[ArrayLike, ArrayLike, Resampling, ArrayLike | None, ArrayLike | None], BandFamily]
        | None
    ) = None
    #: Makes its bands for outcomes with a time at a horizon; None if it refuses a time.
    of_followed: Callable[[ArrayLike, ArrayLike, Resampling, float], BandFamily] | None = None

    def refusal(self, evaluation: RocEvaluation) -> str:
        """Why it has no bands for these test rows; empty if it has."""
        if evaluation.follow_up is not None:
            known = self.of_followed is not None
            return "" if known else f"{self.name} has no theory for outcomes with a time"
        known = evaluation.sample_weight is None or self.of_rows is not None
        return "" if known else f"{self.name} counts rows of one weight"

    def of_evaluation(self, evaluation: RocEvaluation, resampling: Resampling) -> BandFamily:
        """Bands of the test points of an evaluation."""
        if refusal := self.refusal(evaluation):
            raise ValueError(f"{refusal}; bootstrap takes them")
        if (followed := evaluation.follow_up) is None:
            rows = evaluation.labels, evaluation.scores
            groups_and_weights = evaluation.groups, evaluation.sample_weight
            return self.of_probabilities(*rows, resampling, *groups_and_weights)
        assert self.of_followed is not None
        given = followed.outcome.structured, followed.scores
        return self.of_followed(*given, resampling, followed.horizon)

    def of_probabilities(
        self,
        labels: ArrayLike,
        probabilities: ArrayLike,
        resampling: Resampling,
        groups: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> BandFamily:
        """Bands of a classifier's scores; probabilities go in as logits if the method is so."""
        scores = probabilities
        if self.on_logits and are_probabilities(np.asarray(probabilities)):
            scores = just_beyond(logit_of(np.asarray(probabilities)))
        if groups is None and weights is None:
            return self.family(labels, scores, resampling)
        if self.of_rows is not None:
            return self.of_rows(labels, scores, resampling, groups, weights)
        if weights is not None:
            raise ValueError(f"{self.name} counts rows of one weight; bootstrap takes weights")
        family = self.family(labels, scores, resampling)
        family.notes = (COUNTS_ROWS, *family.notes)
        return family


def _bootstrap(
    y: ArrayLike,
    score: ArrayLike,
    resampling: Resampling,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> BandFamily:
    """Bootstrap replicates; they use no threads."""
    options = resampling._asdict()
    del options["n_threads"]
    return BootstrapReplicates(y, score, groups=groups, sample_weight=weights, **options)


def _followed(y: ArrayLike, score: ArrayLike, resampling: Resampling, horizon: float) -> BandFamily:
    """Bootstrap replicates of people who are followed for a while."""
    options = resampling._asdict()
    del options["n_threads"]
    return BootstrapReplicates(y, score, horizon=horizon, **options)


#: Key -> comparator, in the order in which they are offered.
COMPARATORS: dict[str, Comparator] = {
    each.key: each
    for each in (
        Comparator(
            "bootstrap",
            "Bootstrap",
            BootstrapReplicates.promise,
            _bootstrap,
            RESAMPLES,
            look="bootstrap",
            of_rows=_bootstrap,
            of_followed=_followed,
        ),
        Comparator(
            "simultaneous",
            "Simultaneous envelope",
            EnvelopeReplicates.promise,
            lambda y, score, resampling: EnvelopeReplicates(y, score, **resampling._asdict()),
            RESAMPLES,
            require=import_rocci,
            look="simultaneous",
        ),
        Comparator(
            "ks",
            "DKW rectangles",
            KsSamples.promise,
            lambda y, score, _: KsSamples(y, score),
            look="ks",
        ),
        Comparator(
            "working_hotelling",
            "Working-Hotelling",
            BinormalSamples.promise,
            lambda y, score, _: BinormalSamples(y, score),
            on_logits=True,
            require=import_rocci,
            look="working_hotelling",
        ),
    )
}


def chosen_comparators(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys of `COMPARATORS` that a user wants, each once, or an error that names a wrong one."""
    allowed = ", ".join(map(repr, COMPARATORS))
    if isinstance(keys, str | Mapping) or not isinstance(keys, Iterable):
        raise TypeError(
            f"comparators: found {type(keys).__name__}, expected a tuple of some of {allowed}"
        )
    wanted: tuple[Any, ...] = tuple(keys)
    for key in wanted:
        if not isinstance(key, str) or key not in COMPARATORS:
            raise ValueError(f"comparators: found {key!r:.60}, expected some of {allowed}")
    wanted = tuple(dict.fromkeys(wanted))
    for key in wanted:
        COMPARATORS[key].require()
    return wanted
