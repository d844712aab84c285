"""Declares the result of every comparator: a band with limits at each false positive rate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformal_roc_widget.arrays import Floats, ReadOnlyArrays, frame_of, read_only
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.promise import Promise, PromisedArrays
from conformal_roc_widget.text import counted

if TYPE_CHECKING:
    import pandas as pd


class BandFamily(ReadOnlyArrays):
    """The bands of one comparator on one test set. A new alpha costs little.

    A subclass has a name (`method`) and a guarantee, with a placeholder for its confidence. It
    computes the observed rates once, and limits at any alpha.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
    notes : tuple of str
        Reasons to trust the method less, at any alpha.
    """

    method: str
    promise: Promise

    def __init__(self, fpr: Floats, tpr: Floats, notes: Iterable[str] = ()) -> None:
        self.fpr, self.tpr, self.notes = read_only(fpr), read_only(tpr), tuple(notes)

    def limits(self, level: float) -> tuple[Floats, Floats, list[str]]:
        """Returns both limits at each false positive rate for alpha = `level`, and notes."""
        raise NotImplementedError

    def band(self, alpha: float = 0.05) -> ComparatorBand:
        """Returns the band at one alpha.

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
        lower, upper, notes = self.limits(level)
        return ComparatorBand(
            *(self.fpr, self.tpr, lower, upper),
            alpha=float(alpha),
            method=self.method,
            promise=self.promise.at(level),
            notes=(*self.notes, *notes),
        )


@dataclass(frozen=True, eq=False)
class ComparatorBand(PromisedArrays):
    """A band for a population's ROC curve. Each array has one value for each false positive rate.

    Attributes
    ----------
    fpr : ndarray of shape (m,)
        False positive rates, ascending.
    tpr : ndarray of shape (m,)
        Observed true positive rates at `fpr`.
    tpr_lower, tpr_upper : ndarray of shape (m,)
        Limits in [0, 1], lower <= upper.
    alpha : float
        Significance level.
    method : str
        Name of the method.
    promise : Promise
        The curve that the band is for, how much of it is covered at once, and with which
        confidence. `target`, `scope` and `guarantee` are its words.
    notes : tuple of str
        Reasons to trust the method less on these data.
    """

    fpr: Floats
    tpr: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    alpha: float
    method: str
    promise: Promise
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Returns the band as a table, with one row for each false positive rate.

        Returns
        -------
        pandas.DataFrame
            Columns ``fpr``, ``tpr``, ``tpr_lower``, ``tpr_upper``; ``attrs`` holds ``alpha``,
            ``method``, ``target``, ``scope`` and ``guarantee``.
        """
        attrs = ("alpha", "method", "target", "scope", "guarantee")
        return frame_of(self, ("fpr", "tpr", "tpr_lower", "tpr_upper"), attrs)

    def __repr__(self) -> str:
        """Returns a short text with the lengths of the arrays instead of their values."""
        points = counted(self.fpr.size, "point")
        return f"ComparatorBand({self.method}, alpha={self.alpha:g}, {points})"
