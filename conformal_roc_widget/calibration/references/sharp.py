"""Declares the sharp reference, which estimates the true probability by a posterior.

See `conformal_roc_widget.calibration.references.posterior`. It is for few features. For the ideal
model's own curve, this posterior alone is too narrow if ``logit pi`` bends: on the distributions
used for its development, limits at .95 held .85 of the time. So for that curve, its draws are
pooled with those of the learned reference, which is then fitted too.
"""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.promise import SMOOTH
from conformal_roc_widget.tables.points import Labelled, Points
from conformal_roc_widget.text import Note, counted

from .learned import LearnedDraws, learned_draws, some_rows
from .learned_scores import FEWEST
from .posterior import ClassPosteriors
from .reference import FromDraws, Settings, posteriors_of


class Sharp(FromDraws):
    """``reference="sharp"``: posteriors of ``logit pi`` from the features of both parts."""

    text = "'sharp'"
    assumption = SMOOTH
    local_caution = Note(
        "The reference 'sharp' covers less than 'kernel' where test points are unlike their "
        "neighbours.",
        remedy="For shifted data prefer 'kernel'.",
    )
    posteriors: ClassPosteriors
    #: The features and classes of the training points.
    trained: tuple[Floats, Ints]
    seed: int

    def __init__(self, settings: Settings) -> None:
        """Ignores `settings`, because this reference has none."""

    def _learn(self, training: Labelled, seed: int | None) -> None:
        self.trained, self.seed = (training.points.array, training.codes), seed or 0
        self.posteriors = posteriors_of(*self.trained, self.calibration)
        counts = np.bincount(np.concatenate(self._codes))
        if counts.min() < FEWEST:
            self.no_ideal_curve = (
                f"a label has {counted(int(counts.min()), 'point')}, too few to learn from"
            )
        self._learned: dict[int, LearnedDraws] = {}

    @property
    def _codes(self) -> tuple[Ints, Ints]:
        return self.calibration.codes, self.trained[1]

    def ideal_draws(self, column: int) -> tuple[Floats, Ints]:
        """See `Reference.ideal_draws`. It uses no more points than the learned reference."""
        is_binary = len(self.posteriors.fits) == 1
        rows = [some_rows(codes.size, [self.seed, k]) for k, codes in enumerate(self._codes)]
        parts = zip((self.calibration.points.array, self.trained[0]), rows, strict=True)
        X = np.concatenate([points[each] for points, each in parts])
        one, sign = (1, 2 * column - 1) if is_binary else (column, 1)
        if one not in self._learned:
            codes = zip(self._codes, rows, strict=True)
            y = np.concatenate([each[some] == one for each, some in codes]).astype(np.intp)
            self._learned[one] = learned_draws(X, y, self.seed)
        found = self._learned[one]
        own = self.posteriors.draws(X, one, found.draws.shape[1])
        return sign * found.pooled(own), rows[0]

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """Posterior means. See `Reference.logits`."""
        return self.posteriors.means(points.array)

    def draws(self, column: int) -> Floats:
        """See `Reference.draws`."""
        return self.posteriors.draws(self.calibration.points.array, column)
