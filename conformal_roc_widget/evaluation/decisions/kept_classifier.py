"""A classifier with a threshold that keeps a promise in the population, and shows this promise."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

from sklearn.base import clone
from sklearn.model_selection import FixedThresholdClassifier

from .population_threshold import PopulationThreshold


class KeptThresholdClassifier(FixedThresholdClassifier):  # type: ignore[misc]
    """A `FixedThresholdClassifier` whose text says what its threshold keeps in the population.

    It says so of the classifier, the threshold and the positive class that it was made for: with
    other parameters nothing is promised.

    Attributes
    ----------
    kept : PopulationThreshold or None
        The threshold with its promise; None if a parameter is another one.
    """

    _kept: PopulationThreshold | None = None
    #: The parameters that the promise is for.
    _promised_for: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, kept: PopulationThreshold, classifier: FixedThresholdClassifier) -> Self:
        """The same classifier with the promise of its threshold."""
        given = classifier.get_params(deep=False)
        made = cls(**given)
        made._kept, made._promised_for = kept, given
        return made

    @property
    def kept(self) -> PopulationThreshold | None:
        """The threshold with its promise, if it is that of this classifier."""
        now = self.get_params(deep=False)
        same = all(now[name] is of or now[name] == of for name, of in self._promised_for.items())
        return self._kept if same else None

    def __sklearn_clone__(self) -> Self:
        """A clone, which keeps the promise: a frozen classifier is itself in its clones."""
        parameters = {
            name: clone(value, safe=False) for name, value in self.get_params(deep=False).items()
        }
        made = type(self)(**parameters)
        made._kept, made._promised_for = self._kept, self._promised_for
        return made

    def __repr__(self, **options: Any) -> str:
        """The classifier, and what its threshold promises."""
        text = FixedThresholdClassifier.__repr__(self, **options)
        return text if self.kept is None else f"{text}  # {self.kept.keeps}"
