"""The learned reference: a posterior for ``logit pi`` that any table can have.

The sharp reference (`conformal_roc_widget.calibration.posterior`) needs a few features in which
``logit pi`` is smooth. Real tables have dozens of columns, steps and interactions. Three learners
find those out of fold (`conformal_roc_widget.calibration.learned_scores`), and draws of
``logit pi`` at the labelled points come from three posteriors, as many from each:

* the columns of the encoded table, one unknown deviation for all of their slopes;
* the same with the learned logits beside them as columns with next to no prior, and the smooth
  function a function of these;
* the learned logits alone.

Which of them is right cannot be told from the data: evidence and log-loss choose one that is too
smooth. So they are pooled.

**The learning gap** (`conformal_roc_widget.calibration.learning_gap`) is added to them: as long as
points are few, all of them know too little.

What is assumed: that what there is to learn shows in the learners of halves, however weakly. Noise
that no number of points would reveal stays hidden from all of them, and costs coverage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.deviations import additive_draws
from conformal_roc_widget.calibration.encoder import TableEncoder
from conformal_roc_widget.calibration.learned_scores import (
    ERRORS,
    ExplainedVariance,
    learned_scores,
)
from conformal_roc_widget.calibration.learning_gap import DRAWS_FOR_NOISE, noise_for, with_noise
from conformal_roc_widget.calibration.logits import logit_of
from conformal_roc_widget.calibration.posterior import DRAWS


@dataclass(frozen=True)
class LearnedDraws:
    """Draws of ``logit pi`` at all labelled points, without and with the learning gap.

    Parameters
    ----------
    smooth, draws : ndarray of shape (n, 3 * DRAWS)
        One function a column; `draws` have the noise of the gap.
    noise : float
        Its deviation on the logit; 0 where the learners have learned what there is.
    variance : ExplainedVariance
        The variance of ``pi`` that learners of halves explain.
    """

    smooth: Floats
    draws: Floats
    noise: float
    variance: ExplainedVariance

    def rows(self, rows: slice) -> LearnedDraws:
        """Those at some of the points; copies, so that the others need not be kept."""
        return replace(self, smooth=self.smooth[rows].copy(), draws=self.draws[rows].copy())


def learned_draws(
    X: Floats,
    y: Ints,
    seed: int = 0,
    *,
    people: Ints | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
) -> LearnedDraws:
    """Draws of ``logit pi`` at labelled points.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Numbers of all labelled points, those that train and those that calibrate.
    y : ndarray of shape (n,)
        Labels 0 and 1, at least four of each.
    seed : int
        Of folds, landmarks, draws and noise.
    people : ndarray of shape (n,) or None
        Whom the points belong to: folds and halves keep their rows together.
    n_jobs : int or None
        As joblib takes it.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    LearnedDraws
        The draws.
    """
    columns = TableEncoder().fit(X).transform(X)
    learned = learned_scores(columns, y, seed, people=people, n_jobs=n_jobs, progress=progress)
    columns, logits = _standardized(columns), _standardized(logit_of(learned.scores))
    none = np.empty((y.size, 0))
    smooth = np.concatenate(
        [
            additive_draws(weak, slopes, points, y, DRAWS, seed)
            for weak, slopes, points in (
                (none, columns, columns),
                (logits, columns, logits),
                (logits, none, logits),
            )
        ],
        axis=1,
    )
    rng = np.random.default_rng([seed, 5])
    uniform, normal = rng.random(smooth.shape), rng.standard_normal(smooth.shape)
    every = smooth.shape[1] // DRAWS_FOR_NOISE
    some = (smooth[:, ::every], uniform[:, ::every], normal[:, ::every])
    noise = noise_for(learned.variance.plus(ERRORS), *some, y)
    draws = with_noise(smooth, y, noise, uniform, normal) if noise else smooth
    return LearnedDraws(smooth, draws, noise, learned.variance)


def _standardized(columns: Floats) -> Floats:
    spread = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0))
