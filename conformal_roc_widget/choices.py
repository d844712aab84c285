"""Lists the words that each option accepts, as `Literal` types for type checkers and editors.

Checks at run time take their lists of choices from these types.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

ReferenceName: TypeAlias = Literal["auto", "kernel", "score", "sharp", "learned"]
BandwidthName: TypeAlias = Literal["silverman", "scott", "cv"]
CenterName: TypeAlias = Literal["classifier", "kernel", "learned"]
CensoringName: TypeAlias = Literal["marginal", "features"]
ResplitsName: TypeAlias = Literal["per-instance"]
RuleName: TypeAlias = Literal["paper", "split"]
CalibrationName: TypeAlias = Literal["split", "cross"]
GuaranteeName: TypeAlias = Literal["individual", "curve", "simultaneous", "everywhere", "credible"]
ScoreReferenceName: TypeAlias = Literal["kernel", "sharp"]
WeightsName: TypeAlias = Literal["size", "uniform"]
KindName: TypeAlias = Literal["classifiers", "classes", "populations", "samples"]
BandName: TypeAlias = Literal["sensitivity", "specificity", "both", "ideal", "sampling", "none"]
ViewName: TypeAlias = Literal["roc", "precision_recall", "reliability", "net_benefit"]
ComparatorName: TypeAlias = Literal["bootstrap", "simultaneous", "working_hotelling", "ks"]
LooksName: TypeAlias = Literal["once", "any"]
AreaMethodName: TypeAlias = Literal["logit", "delong"]
CellName: TypeAlias = Literal["tp", "fp", "tn", "fn", "wrong"]
ThemeName: TypeAlias = Literal["light", "dark"]
DataName: TypeAlias = Literal["arrays", "curves"]
FormName: TypeAlias = Literal["html", "myst"]
ReportName: TypeAlias = Literal["text", "table", "latex"]
CoverageName: TypeAlias = Literal["pi", "p", "band"]
LengthName: TypeAlias = Literal["interval", "band"]
KernelName: TypeAlias = Literal["gaussian"]
SettingName: TypeAlias = Literal[
    "sample_size", "missing_predictor", "missing_interaction", "survival"
]
StudyReferenceName: TypeAlias = Literal["kernel", "oracle", "sharp"]
StudyDistanceName: TypeAlias = Literal["oracle", "truth", "standardized", "score"]
StudyCenterName: TypeAlias = Literal["classifier", "kernel"]
