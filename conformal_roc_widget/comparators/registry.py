"""Lists the comparators. A new one needs an entry in `COMPARATORS`.

The widget, the figure, the messages to the page and `benchmarks/comparison.py` read this list.
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

from .bootstrap import BootstrapReplicates, SortedReplicates
from .cautions import COUNTS_ROWS
from .comparator_band import BandFamily
from .ks import KsSamples
from .resampling import Progress
from .rocci_bands import BinormalSamples, EnvelopeReplicates, import_rocci
from .two_samples import TwoSamples

#: The number of replicates of a comparator that resamples, and the seed of all comparators.
RESAMPLES, SEED = 2000, 0
#: The band "sampling" needs a comparator. If the user named none, it shows the one with this key.
SPARE = "bootstrap"


class Resampling(NamedTuple):
    """The options of comparators that resample. All others ignore them."""

    resamples: int = RESAMPLES
    random_state: int | np.random.Generator | None = SEED
    progress: Progress = False
    n_threads: int | None = None
    #: If the scores are sorted already, and each row counts once, these are the sorted scores of
    #: each label. Otherwise None.
    samples: TwoSamples | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options as keywords, without the scores."""
        options = self._asdict()
        del options["samples"]
        return options


class Comparator(NamedTuple):
    """A method for bands of this classifier's curve. `key` names it in code, `name` on the page."""

    key: str
    name: str
    #: The guarantee of the bands in words, with a placeholder for the confidence.
    promise: Promise
    #: Makes the bands from ``(labels, scores, resampling)``.
    family: Callable[[ArrayLike, ArrayLike, Resampling], BandFamily]
    #: The number of steps in which progress is counted.
    steps: int = 1
    #: Whether the comparator is given the logits of probabilities, because its method assumes
    #: normal scores.
    on_logits: bool = False
    #: If an optional package is missing, this raises an ImportError.
    require: Callable[[], object] = lambda: None
    #: The name of the comparator's colour and dashes in the theme.
    look: str = "other"
    #: Makes the bands if rows have `groups`, a `sample_weight`, or outcomes with a time. Its
    #: arguments are ``(labels, scores, resampling)``, and as keywords either groups and weights, or
    #: the `horizon`. It is None if the method can only count rows.
    of_rows: Callable[..., BandFamily] | None = None

    def refusal(self, evaluation: RocEvaluation) -> str:
        """Why the comparator has no bands for the test rows of an evaluation.

        Empty if it has bands.
        """
        if self.of_rows is not None:
            return ""
        if evaluation.follow_up is not None:
            return f"{self.name} has no theory for outcomes with a time"
        uneven = evaluation.sample_weight is not None
        return f"{self.name} counts rows of equal weight" if uneven else ""

    def of_evaluation(self, evaluation: RocEvaluation, resampling: Resampling) -> BandFamily:
        """Makes the bands for the test points of an evaluation."""
        if refusal := self.refusal(evaluation):
            raise ValueError(f"{refusal}; bootstrap takes them")
        if (followed := evaluation.follow_up) is None:
            rows = evaluation.labels, evaluation.scores
            groups_and_weights = evaluation.groups, evaluation.sample_weight
            is_plain = evaluation.groups is None and evaluation.sample_weight is None
            if is_plain and evaluation.told_share is None:
                samples = TwoSamples(*evaluation.sampled.sorted_scores)
                resampling = resampling._replace(samples=samples)
            return self.of_probabilities(*rows, resampling, *groups_and_weights)
        assert self.of_rows is not None
        given = followed.outcome.structured, followed.scores
        return self.of_rows(*given, resampling, horizon=followed.horizon)

    def of_probabilities(
        self,
        labels: ArrayLike,
        probabilities: ArrayLike,
        resampling: Resampling,
        groups: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> BandFamily:
        """Makes the bands for a classifier's scores.

        If the method needs it, probabilities are replaced by their logits.
        """
        scores = probabilities
        if self.on_logits and are_probabilities(np.asarray(probabilities)):
            scores = just_beyond(logit_of(np.asarray(probabilities)))
        if groups is None and weights is None:
            return self.family(labels, scores, resampling)
        if self.of_rows is not None:
            return self.of_rows(labels, scores, resampling, groups=groups, sample_weight=weights)
        if weights is not None:
            raise ValueError(f"{self.name} counts rows of equal weight; bootstrap takes weights")
        family = self.family(labels, scores, resampling)
        family.notes = (COUNTS_ROWS, *family.notes)
        return family


def _bootstrap(y: ArrayLike, score: ArrayLike, resampling: Resampling, **rows: Any) -> BandFamily:
    """Makes bootstrap replicates. The option ``n_threads`` is not used."""
    options = resampling.options
    del options["n_threads"]
    if resampling.samples is not None:
        return SortedReplicates(resampling.samples, **options)
    return BootstrapReplicates(y, score, **rows, **options)


#: The comparators by key, in the order of the menu.
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
        ),
        Comparator(
            "simultaneous",
            "Simultaneous envelope",
            EnvelopeReplicates.promise,
            lambda y, score, resampling: EnvelopeReplicates(y, score, **resampling.options),
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
    """Returns the distinct `keys`, each of which must be in `COMPARATORS`.

    If a key is unknown, or if its comparator needs a missing package, the error names it.
    """
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
