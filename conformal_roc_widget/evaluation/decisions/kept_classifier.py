"""Makes a classifier whose threshold keeps rates in the population, and whose `repr` says so.

Such a threshold comes from `RocEvaluation.threshold_for` with a confidence.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import FixedThresholdClassifier

from .population_threshold import PopulationThreshold


class KeptThresholdClassifier(FixedThresholdClassifier):  # type: ignore[misc]
    """A `FixedThresholdClassifier` whose `repr` states the guarantee of its threshold.

    The guarantee is only for the classifier, the threshold and the positive class that it was made
    for. If parameters change or the classifier is fitted again, it is void.

    Attributes
    ----------
    kept : PopulationThreshold or None
        The threshold with its guarantee. None if this classifier has changed since it was made.
    """

    _kept: PopulationThreshold | None = None
    #: The parameters and the state that the classifier and its models had when the guarantee was
    #: made. If they change, the guarantee is void.
    _promised_for: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, kept: PopulationThreshold, classifier: FixedThresholdClassifier) -> Self:
        """Returns `classifier` with the guarantee of its threshold `kept`."""
        made = cls(**classifier.get_params(deep=False))
        made._kept, made._promised_for = kept, made._held()
        return made

    @property
    def kept(self) -> PopulationThreshold | None:
        """The threshold with its guarantee. None if the classifier has changed since it was set."""
        now = self._held()
        same = len(now) == len(self._promised_for) and all(map(_same, now, self._promised_for))
        return self._kept if same else None

    def _held(self) -> tuple[dict[str, Any], ...]:
        """Returns what the guarantee depends on: parameters, and the predicting model's state.

        If any of it changes, the guarantee is void. This includes models inside the model.
        """
        predicts = vars(self).get("estimator_", self.estimator)
        held, models = [self.get_params(deep=False) | {"estimator_": predicts}], [predicts]
        for model in models:  # the loop appends each model's parts to the list
            held.append(dict(getattr(model, "__dict__", {})))
            parts = model.get_params().values() if hasattr(model, "get_params") else ()
            models += [
                part
                for part in parts
                if hasattr(part, "get_params") and not any(part is each for each in models)
            ]
        return tuple(held)

    def __sklearn_clone__(self) -> Self:
        """A clone with the same guarantee, which still holds, because both share the model."""
        parameters = {
            name: clone(value, safe=False) for name, value in self.get_params(deep=False).items()
        }
        made = type(self)(**parameters)
        made._kept, made._promised_for = self._kept, self._promised_for
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state for a pickle, with the guarantee if it still holds.

        The copy records again what the guarantee depends on.
        """
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_kept": self.kept, "_promised_for": ()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the state, and records what the guarantee depends on."""
        super().__setstate__(state)
        self._promised_for = self._held()

    def __repr__(self, **options: Any) -> str:
        """Returns the text of the classifier. If the guarantee still holds, the text has it."""
        text = FixedThresholdClassifier.__repr__(self, **options)
        kept = self.kept
        return text if kept is None else f"{text}  # {kept.keeps}"


def _same(now: dict[str, Any], then: dict[str, Any]) -> bool:
    """Whether all attributes in `then` are unchanged in `now`, which may have more (caches)."""
    return all(name in now and _is(now[name], of) for name, of in then.items())


def _is(now: Any, then: Any) -> bool:
    """Whether `now` and `then` are the same object, or equal scalars."""
    return now is then or bool(np.isscalar(now) and np.isscalar(then) and now == then)
