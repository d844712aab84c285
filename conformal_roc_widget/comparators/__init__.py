"""Bands, intervals and tests by other authors, to compare with the conformal band.

They are for the ROC curve of this classifier in the population. The conformal band is for something
else: the sensitivity of the ideal model, whose scores are the true probabilities, at the same
threshold and on this test set.
"""

from typing import TYPE_CHECKING

from conformal_roc_widget.evaluation.estimate import Difference, SamplingInterval
from conformal_roc_widget.evaluation.folds import mean_auc_interval
from conformal_roc_widget.names import leading_module

from .bootstrap import BootstrapReplicates, bootstrap_band
from .clopper_pearson import clopper_pearson_box
from .comparator_band import ComparatorBand
from .delong import delong_difference, delong_differences, delong_interval, delong_test
from .ks import ks_band
from .paired import net_benefit_difference, sensitivity_difference
from .registry import COMPARATORS, Comparator
from .rocci_bands import simultaneous_band, working_hotelling_band
from .rows import one_row_per_group
from .single_figures import (
    accuracy_interval,
    average_precision_interval,
    brier_score_interval,
    log_loss_interval,
)

#: Bootstrap replicates, drawn once for all alphas. `bootstrap_band` makes the band at one alpha.
bootstrap_replicates = BootstrapReplicates

__all__ = [
    "COMPARATORS",
    "Comparator",
    "ComparatorBand",
    "Difference",
    "SamplingInterval",
    "accuracy_interval",
    "average_precision_interval",
    "bootstrap_band",
    "bootstrap_replicates",
    "brier_score_interval",
    "clopper_pearson_box",
    "delong_difference",
    "delong_differences",
    "delong_interval",
    "delong_test",
    "ks_band",
    "log_loss_interval",
    "mean_auc_interval",
    "net_benefit_difference",
    "one_row_per_group",
    "sensitivity_difference",
    "simultaneous_band",
    "working_hotelling_band",
]


def __dir__() -> list[str]:
    return list(__all__)


if not TYPE_CHECKING:  # a type checker that sees `__getattr__` would accept every name
    __getattr__ = leading_module(__name__)
