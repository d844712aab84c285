"""Makes the learned reference, an estimate of the true probability ``pi`` for any table.

It is a posterior of ``logit pi``. The sharp reference
(`conformal_roc_widget.calibration.references.posterior`) is one too, but it needs a few features in
which ``logit pi`` is smooth. Real tables have dozens of columns, steps and interactions. Three
learners find these out of fold (`conformal_roc_widget.calibration.references.learned_scores`).
Draws of ``logit pi`` at the labelled points come in equal numbers from three posteriors:

* a model of the columns of the encoded table, with one unknown prior deviation for all slopes;
* the same model with the learned logits as further columns with next to no prior. Its smooth
  function is a function of the learned logits;
* a model of the learned logits alone.

The data cannot show which of the three is right: both marginal likelihood and log loss choose one
that is too smooth. So the draws are pooled.

If points are few, the draws of all three vary less than ``pi`` does. The missing variance is added
as noise (`conformal_roc_widget.calibration.references.learning_gap`).

One assumption is needed: whatever can be learned of ``pi`` shows, even if weakly, in learners that
are trained on halves of the points. If ``pi`` contains noise that no number of points would reveal,
it stays hidden from all learners and costs coverage.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import delayed

from conformal_roc_widget.arrays import Floats, Ints, deviation
from conformal_roc_widget.logits import clipped, logit_of
from conformal_roc_widget.parallel import in_order, progress_bar
from conformal_roc_widget.promise import LEARNABLE
from conformal_roc_widget.tables.encoder import TableEncoder
from conformal_roc_widget.tables.points import Labelled, Points
from conformal_roc_widget.text import Note, counted

from .additive_posterior import SmoothColumns, additive_draws
from .learned_scores import (
    ERRORS,
    FEWEST,
    MODELS,
    ExplainedVariance,
    LearnedScores,
    learned_scores,
)
from .learning_gap import DRAWS_FOR_NOISE, noise_for, with_noise, with_uncertain_gap
from .posterior import DRAWS
from .reference import Folds, FromDraws, ScoredPoints, Settings


@dataclass(frozen=True)
class LearnedDraws:
    """Draws of ``logit pi`` at all labelled points, with and without added noise.

    Parameters
    ----------
    smooth, draws : ndarray of shape (n, 3 * DRAWS)
        Each column is one function. `draws` have the noise of `with_noise`, and `smooth` have none.
    noise : float
        Standard deviation of this noise on the logit. It is 0 if the learners explain all
        variance of ``pi``.
    variance : ExplainedVariance
        The variance of ``pi`` that learners trained on halves of the points explain.
    """

    smooth: Floats
    draws: Floats
    noise: float
    variance: ExplainedVariance

    def pooled(self, *others: Floats) -> Floats:
        """Draws for the ideal model's curve: `smooth`, `uncertain` and `others` in equal shares.

        The scores of the ideal model are the true probabilities. The `uncertain` draws alone would
        overstate how much better the ideal model is than the classifier. The `smooth` draws alone
        would understate the area under the ideal model's curve.
        """
        every = np.concatenate([self.smooth, self.uncertain, *others], axis=1)
        # A caller that needs s draws takes the first s columns. The columns are shuffled, so that
        # the first ones contain draws of every kind.
        return every[:, np.random.default_rng(0).permutation(every.shape[1])]

    @cached_property
    def uncertain(self) -> Floats:
        """Like `draws`, but the variance of ``pi`` differs from draw to draw.

        They are cached, because a page uses them twice: for its band at every threshold, and for
        the ideal model's curve.
        """
        return with_uncertain_gap(self.draws, self.variance)

    def __getstate__(self) -> dict[str, Any]:
        """Returns all fields except `uncertain`, which can be computed again."""
        return {name: value for name, value in vars(self).items() if name != "uncertain"}


def learned_draws(X: Floats, y: Ints, seed: int = 0, *, n_jobs: int | None = None) -> LearnedDraws:
    """Draws ``logit pi`` at labelled points of two classes. See `draws_by_class`."""
    return draws_by_class(X, y, seed, n_jobs=n_jobs)[0]


def draws_by_class(
    X: Floats,
    codes: Ints,
    seed: int = 0,
    *,
    people: Ints | None = None,
    n_jobs: int | None = None,
    bar: Any = None,
) -> list[LearnedDraws]:
    """Draws ``logit pi`` at labelled points, for each class against the rest.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Features of all labelled points as numbers, both those that train and those that calibrate.
    codes : ndarray of shape (n,)
        Classes 0 to k - 1, at least four points of each.
    seed : int
        Seed of folds, landmarks, draws and noise.
    people : ndarray of shape (n,) or None
        Person of each point. Folds and halves keep the rows of a person together.
    n_jobs : int or None
        Number of processes, as joblib takes it.
    bar : object or None
        A progress bar. It advances by `MODELS` and, if there are more than two classes, by one for
        each class.

    Returns
    -------
    list of LearnedDraws
        One for each class. If there are two classes, only one, for the second class.
    """
    columns = TableEncoder().fit_transform(X)
    learned = learned_scores(columns, codes, seed, people=people, n_jobs=n_jobs, bar=bar)
    shared = _Shared.of(_standardized(columns), seed)
    if len(learned) == 1:
        return [_draws_from(shared, learned[0], codes)]
    tasks = (
        delayed(_draws_from)(shared, found, (codes == l).astype(np.intp))
        for l, found in enumerate(learned)
    )
    return in_order(tasks, n_jobs=n_jobs, bar=bar)


class _Shared(NamedTuple):
    """What the draws of all classes share: it does not depend on the labels."""

    #: The standardized columns of the encoded table.
    columns: Floats
    #: The smooth functions of `columns`.
    smooth: SmoothColumns
    #: A standard normal number for each draw at each point, for the noise.
    normal: Floats
    seed: int

    @classmethod
    def of(cls, columns: Floats, seed: int) -> _Shared:
        normal = np.random.default_rng([seed, 5]).standard_normal((len(columns), 3 * DRAWS))
        return cls(columns, SmoothColumns.at(columns, seed), normal, seed)


def _draws_from(shared: _Shared, learned: LearnedScores, y: Ints) -> LearnedDraws:
    """Draws ``logit P(y = 1 | x)``, given the learners' scores."""
    logits = _standardized(clipped(logit_of(learned.scores)))
    columns, none, normal = shared.columns, np.empty((y.size, 0)), shared.normal
    of_logits = SmoothColumns.at(logits, shared.seed)
    smooth = np.concatenate(
        [
            additive_draws(none, columns, shared.smooth, y, DRAWS),
            additive_draws(logits, columns, of_logits, y, DRAWS),
            additive_draws(logits, none, of_logits, y, DRAWS),
        ],
        axis=1,
    )
    every = smooth.shape[1] // DRAWS_FOR_NOISE
    noise = noise_for(learned.variance.plus(ERRORS), smooth[:, ::every], normal[:, ::every], y)
    draws = with_noise(smooth, y, noise, normal) if noise else smooth
    return LearnedDraws(smooth, draws, noise, learned.variance)


def _standardized(columns: Floats) -> Floats:
    spread = deviation(columns)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


#: The largest number of training points that are used, and of calibration points. In a table of
#: 60,000 rows and 21 mixed columns, a limit of 10,000 doubled the time, and the band was only 3 %
#: narrower. In the bank data of 20,000 rows, a limit of 3,500 made intervals 5 % longer.
MOST_POINTS = 5_000
#: If there are more points or numbers (points times columns) than this, training takes longer than
#: a second, and a progress bar is shown. If there are k > 2 classes, both are first multiplied by
#: k.
ROWS_WORTH_A_BAR, WORTH_A_BAR = 1_200, 300_000
#: If a label has fewer calibration points than this, a note says so beside the band for every
#: threshold.
EVERYWHERE_POINTS = 150


class Learned(FromDraws):
    """``reference="learned"``: see `conformal_roc_widget.calibration.references.learned`.

    This reference can be evaluated only at the calibration points, which come first among the
    points that it has learned from.
    """

    text = "'learned'"
    assumption = LEARNABLE
    curve_assumption = LEARNABLE
    local_caution = Note(
        "The reference 'learned' covers less than 'kernel' where test points are unlike their "
        "neighbours.",
        remedy="For shifted data prefer 'kernel'.",
    )
    by_class: tuple[LearnedDraws, ...]
    n_learned: int
    #: The number of training points that are not used, because there are more than `MOST_POINTS`.
    #: `unused_calibration` is the same for calibration points.
    unused_training: int
    unused_calibration: int = 0

    def __init__(self, settings: Settings) -> None:
        self.n_jobs, self.progress = settings.n_jobs, settings.progress

    def everywhere_remark(self, n_calibration: int) -> Note | None:
        """See `Reference.everywhere_remark`."""
        if n_calibration >= EVERYWHERE_POINTS:
            return None
        return Note(
            f"With {counted(n_calibration, 'calibration point')} of a label, fewer than "
            f"{EVERYWHERE_POINTS}, the reference 'learned' knows little of how π is spread:",
            "the band for every threshold at once may hold less often than it says.",
        )

    def for_points(self, n: int, seed: int | None) -> tuple[Self, Ints | None]:
        """See `Reference.for_points`. At most `MOST_POINTS` of n calibration points are used.

        All others are neither encoded nor scored.
        """
        if n <= MOST_POINTS:
            return self, None
        made = copy.copy(self)
        made.unused_calibration = n - MOST_POINTS
        return made, some_rows(n, [0 if seed is None else seed, 6])

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """Returns a copy that has learned from the calibration points only."""
        made, used = self.for_points(data.codes.size, seed)
        if used is not None:
            data, scored = data.rows(used), scored.rows(used)
        return super(Learned, made).cross_fit(data, scored, folds, seed)

    def _learn(self, training: Labelled, seed: int | None) -> None:
        seed = 0 if seed is None else seed
        others = some_rows(training.codes.size, [seed, 9])
        X = np.concatenate([self.calibration.points.array, training.points.array[others]])
        codes = np.concatenate([self.calibration.codes, training.codes[others]])
        people = _people_of(self.calibration, training.rows(others))
        self.n_learned = codes.size
        self.unused_training = training.codes.size - others.size
        classes = training.classes
        fits = 1 if classes.size == 2 else classes.size
        takes_long = fits * codes.size > ROWS_WORTH_A_BAR or fits * X.size > WORTH_A_BAR
        counts = np.bincount(codes, minlength=classes.size)
        if counts.min() < FEWEST:
            raise ValueError(
                f"y: found label {classes.tolist()[counts.argmin()]!r} {counts.min()} times, "
                f"expected at least {FEWEST} times for reference='learned'"
            )
        shown = self.progress and takes_long
        # One call makes the draws of all classes, so that the classes share models, processes and
        # the progress bar.
        steps = MODELS if fits == 1 else MODELS + fits
        with progress_bar(steps, title="reference", unit="model", progress=shown) as bar:
            found = draws_by_class(X, codes, seed, people=people, n_jobs=self.n_jobs, bar=bar)
        self.by_class = tuple(found)

    def _of(self, column: int) -> tuple[LearnedDraws, int]:
        """Returns the draws for one class against the rest, and the sign to multiply them by.

        If there are two classes, they share the draws. The sign of the first class is minus.
        """
        if len(self.by_class) > 1:
            return self.by_class[column], 1
        return self.by_class[0], 2 * column - 1

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """Returns the means of the draws, which exist only at the calibration points."""
        if not np.array_equal(points.array, self.calibration.points.array):
            raise NotImplementedError("the reference 'learned' has no estimate at new points")
        n, columns = len(class_logits), map(self._of, range(class_logits.shape[1]))
        return np.column_stack([sign * found.smooth[:n].mean(axis=1) for found, sign in columns])

    def draws(self, column: int) -> Floats:
        """Returns the draws for one class at the calibration points, with noise."""
        return self.all_draws(column)[: self.calibration.codes.size]

    def curve_draws(self, column: int) -> tuple[Floats, ...]:
        """Returns the draws `smooth` and `uncertain` for one class at the calibration points.

        See `LearnedDraws`. The `smooth` draws have no added noise. In the `uncertain` ones the
        variance of ``pi`` differs from draw to draw.
        """
        found, sign = self._of(column)
        n = self.calibration.codes.size
        return sign * found.smooth[:n], sign * found.uncertain[:n]

    def all_draws(self, column: int) -> Floats:
        """Returns the `draws` for one class at all points that the reference has learned from.

        The calibration points come first.
        """
        found, sign = self._of(column)
        return sign * found.draws

    def ideal_draws(self, column: int) -> tuple[Floats, Ints]:
        """See `Reference.ideal_draws`."""
        found, sign = self._of(column)
        return sign * found.pooled(), np.arange(self.calibration.codes.size)

    def remark(self, estimator: Any) -> Note | None:
        """Returns a note on how many points are used. None if all are."""
        unused = self.unused_training + self.unused_calibration
        if not unused:
            return None
        labelled = self.n_learned + unused
        return Note(
            f"The reference 'learned' has learned from {self.n_learned} of the {labelled} "
            f"labelled points, and {self.calibration.codes.size} of them calibrate."
        )


def some_rows(n: int, seed: list[int]) -> Ints:
    """Returns ascending indices of n rows or, if there are more, of `MOST_POINTS` random ones."""
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, MOST_POINTS, replace=False))


def _people_of(*parts: Labelled) -> Ints | None:
    """Returns codes of the people of all rows in `parts`. None if the user gave no groups."""
    if all(part.stands_for.people is None for part in parts):
        return None
    known, codes = 0, []
    for part in parts:
        people = part.stands_for.people
        # No person has rows in both parts, so people of different parts get different codes.
        people = np.arange(part.codes.size) if people is None else people
        codes.append(known + people)
        known += int(people.max(initial=-1)) + 1
    return np.concatenate(codes)
