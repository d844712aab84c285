"""A classifier with a threshold that keeps a promise in the population, and shows this promise."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import clone
from sklearn.model_selection import FixedThresholdClassifier

from conformal_roc_widget.evaluation.decisions.population_threshold import PopulationThreshold


class KeptThresholdClassifier(FixedThresholdClassifier):  # type: ignore[misc]
    """A `FixedThresholdClassifier` whose text says what its threshold promises.

    Attributes
    ----------
    kept : PopulationThreshold
        The threshold with its promise.
    """

    kept: PopulationThreshold

    @classmethod
    def of(cls, kept: PopulationThreshold, classifier: FixedThresholdClassifier) -> Self:
        """The same classifier with the promise of its threshold."""
        made = cls(**classifier.get_params(deep=False))
        made.kept = kept
        return made

    def __sklearn_clone__(self) -> Self:
        """A clone, which keeps the promise if it has the same threshold."""
        parameters = {
            name: clone(value, safe=False) for name, value in self.get_params(deep=False).items()
        }
        made = type(self)(**parameters)
        made.kept = self.kept
        return made

    def __repr__(self, **options: Any) -> str:
        """The classifier, and what its threshold promises."""
        text = FixedThresholdClassifier.__repr__(self, **options)
        promise = self.kept.promise
        return f"{text}  # {promise.target}: {promise.guarantee}"
