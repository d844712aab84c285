"""The words that an option may be, as types: a type checker and completion know them.

What checks an argument takes its list from here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

RuleName: TypeAlias = Literal["paper", "split"]
CalibrationName: TypeAlias = Literal["split", "cross"]
GuaranteeName: TypeAlias = Literal["individual", "curve", "simultaneous", "everywhere"]
ScoreReferenceName: TypeAlias = Literal["kernel", "sharp"]
WeightsName: TypeAlias = Literal["size", "uniform"]
KindName: TypeAlias = Literal["classifiers", "classes", "populations", "samples"]
BandName: TypeAlias = Literal["sensitivity", "specificity", "both", "ideal", "sampling", "none"]
ViewName: TypeAlias = Literal["roc", "precision_recall", "reliability", "net_benefit"]
