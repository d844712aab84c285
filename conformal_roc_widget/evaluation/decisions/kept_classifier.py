"""A classifier with a threshold that keeps a promise in the population, and shows this promise."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import FixedThresholdClassifier

from .population_threshold import PopulationThreshold


class KeptThresholdClassifier(FixedThresholdClassifier):  # type: ignore[misc]
    """A `FixedThresholdClassifier` whose text says what its threshold keeps in the population.

    It says so of the classifier, the threshold and the positive class that it was made for: with
    other parameters, or once the classifier is fitted anew, nothing is promised.

    Attributes
    ----------
    kept : PopulationThreshold or None
        The threshold with its promise; None if this classifier is no longer what it was made as.
    """

    _kept: PopulationThreshold | None = None
    #: What the classifier and its models held when the promise was made.
    _promised_for: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, kept: PopulationThreshold, classifier: FixedThresholdClassifier) -> Self:
        """The same classifier with the promise of its threshold."""
        made = cls(**classifier.get_params(deep=False))
        made._kept, made._promised_for = kept, made._held()
        return made

    @property
    def kept(self) -> PopulationThreshold | None:
        """The threshold with its promise, if it is that of this classifier."""
        now = self._held()
        same = len(now) == len(self._promised_for) and all(map(_same, now, self._promised_for))
        return self._kept if same else None

    def _held(self) -> tuple[dict[str, Any], ...]:
        """The parameters, the model that predicts, and what that and its parts hold."""
        predicts = vars(self).get("estimator_", self.estimator)
        held, models = [self.get_params(deep=False) | {"estimator_": predicts}], [predicts]
        for model in models:  # the list grows with each model's own ones
            held.append(dict(getattr(model, "__dict__", {})))
            parts = model.get_params().values() if hasattr(model, "get_params") else ()
            models += [
                part
                for part in parts
                if hasattr(part, "get_params") and not any(part is each for each in models)
            ]
        return tuple(held)

    def __sklearn_clone__(self) -> Self:
        """A clone, which keeps the promise: a frozen classifier is itself in its clones."""
        parameters = {
            name: clone(value, safe=False) for name, value in self.get_params(deep=False).items()
        }
        made = type(self)(**parameters)
        made._kept, made._promised_for = self._kept, self._promised_for
        return made

    def __getstate__(self) -> dict[str, Any]:
        """The promise as it is now; what it is for is in the copy itself."""
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_kept": self.kept, "_promised_for": ()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The promise is for this copy."""
        super().__setstate__(state)
        self._promised_for = self._held()

    def __repr__(self, **options: Any) -> str:
        """The classifier, and what its threshold promises."""
        text = FixedThresholdClassifier.__repr__(self, **options)
        kept = self.kept
        return text if kept is None else f"{text}  # {kept.keeps}"


def _same(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Whether all that was held is still there; what came since, as caches do, does not count."""
    return all(name in now and _is(now[name], of) for name, of in then.items())


def _is(now: Any, then: Any) -> bool:
    """Whether two values are one object, or equal scalars."""
    return now is then or bool(np.isscalar(now) and np.isscalar(then) and now == then)
