"""What a result promises: a value that is made with the limits and travels with them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Self

from conformal_roc_widget.checks import one_of
from conformal_roc_widget.text import percent

#: ``individual``: each point, and a threshold drawn at random. ``curve``: the curve at such a
#: threshold. ``simultaneous`` and ``everywhere``: every threshold at once, of an ideal
#: recalibration and of an ideal model. ``credible``: posterior draws. ``sampling``: this
#: classifier with more test data. ``none``: no theorem.
KINDS = ("individual", "curve", "simultaneous", "everywhere", "credible", "sampling", "none")
#: Whose curve a target speaks of.
IDEAL_MODEL = "an ideal model"
RECALIBRATION = "an ideal recalibration"
THIS_CLASSIFIER = "this classifier"


@dataclass(frozen=True)
class Promise:
    """What limits are for, where they hold, and how surely.

    Attributes
    ----------
    kind : str
        One of "individual", "curve", "simultaneous", "everywhere", "credible", "sampling", "none".
    target, scope, guarantee : str
        Words for readers: the quantity between the limits, the places where it lies there, and how
        surely. The guarantee of an evaluation, which knows no alpha, has ``{confidence}`` in the
        place of a number.
    model : str
        Whose curve the target speaks of: "an ideal model", "an ideal recalibration" or
        "this classifier".

    Raises
    ------
    TypeError, ValueError
        If `kind` is none of these.
    """

    kind: str
    target: str
    scope: str
    guarantee: str
    model: str = IDEAL_MODEL

    def __post_init__(self) -> None:
        """Refuses an unknown kind."""
        one_of(self.kind, "kind", KINDS)

    def at(self, alpha: float | None) -> Promise:
        """The same with a confidence of ``1 - alpha`` in words; None stands for any alpha."""
        confidence = "1 − α" if alpha is None else percent(1 - float(alpha))
        return self.saying(guarantee=self.guarantee.replace("{confidence}", confidence))

    def saying(self, **words: str) -> Promise:
        """The same with other words."""
        return Promise(**(asdict(self) | words))

    @property
    def every_threshold(self) -> bool:
        """Whether all limits of both labels hold together, at every threshold."""
        return self.kind in ("simultaneous", "everywhere")

    @property
    def recalibrates(self) -> bool:
        """Whether the limits are for an ideal recalibration, and not for an ideal model."""
        return self.model == RECALIBRATION

    @property
    def words(self) -> dict[str, str]:
        """Target, scope and guarantee by name."""
        return {"target": self.target, "scope": self.scope, "guarantee": self.guarantee}

    @property
    def record(self) -> dict[str, str]:
        """Every field by name, as a message carries it."""
        return asdict(self)


class Promised:
    """A result that carries a promise."""

    promise: Promise

    @property
    def target(self) -> str:
        """What the limits are for."""
        return self.promise.target

    @property
    def scope(self) -> str:
        """Where the limits hold."""
        return self.promise.scope

    @property
    def guarantee(self) -> str:
        """How surely the limits hold."""
        return self.promise.guarantee


class PromisedNumbers(Promised):
    """A result that unpacks into numbers; its promise is set once, after them."""

    def under(self, promise: Promise) -> Self:
        """These numbers with the promise that they were made under."""
        self.promise = promise
        return self
