"""The learned reference: a posterior for ``logit pi`` that any table can have.

The sharp reference (`conformal_roc_widget.calibration.references.posterior`) needs a few features
in which ``logit pi`` is smooth. Real tables have dozens of columns, steps and interactions. Three
learners find those out of fold (`conformal_roc_widget.calibration.references.learned_scores`), and
draws of ``logit pi`` at the labelled points come from three posteriors, as many from each:

* the columns of the encoded table, one unknown deviation for all of their slopes;
* the same with the learned logits beside them as columns with next to no prior, and the smooth
  function a function of these;
* the learned logits alone.

Which of them is right cannot be told from the data: evidence and log-loss choose one that is too
smooth. So they are pooled.

**The learning gap** (`conformal_roc_widget.calibration.references.learning_gap`) is added to them:
as long as points are few, all of them know too little.

What is assumed: that what there is to learn shows in the learners of halves, however weakly. Noise
that no number of points would reveal stays hidden from all of them, and costs coverage.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints, deviation
from conformal_roc_widget.logits import clipped, logit_of
from conformal_roc_widget.promise import LEARNABLE
from conformal_roc_widget.tables.encoder import TableEncoder
from conformal_roc_widget.tables.points import Labelled, Points
from conformal_roc_widget.text import Note, counted

from .additive_posterior import additive_draws
from .learned_scores import ERRORS, FEWEST, ExplainedVariance, learned_scores
from .learning_gap import DRAWS_FOR_NOISE, noise_for, with_noise, with_uncertain_gap
from .posterior import DRAWS
from .reference import Folds, FromDraws, ScoredPoints, Settings


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

    def pooled(self, *others: Floats) -> Floats:
        """Draws for the ideal model's own curve: smooth, uncertain and others, in equal shares.

        The draws with an uncertain gap alone would overstate the gain. The smooth draws alone
        would understate the area.
        """
        every = np.concatenate([self.smooth, self.uncertain, *others], axis=1)
        # Candidates take draws in turn, and so the parts of each have to be mixed.
        return every[:, np.random.default_rng(0).permutation(every.shape[1])]

    @cached_property
    def uncertain(self) -> Floats:
        """`draws` with a gap that differs from draw to draw.

        A page asks for them twice, for its band at every threshold and for the ideal model's curve.
        """
        return with_uncertain_gap(self.draws, self.variance)

    def __getstate__(self) -> dict[str, Any]:
        """All but `uncertain`, which is made anew."""
        return {name: value for name, value in vars(self).items() if name != "uncertain"}


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
    columns = TableEncoder().fit_transform(X)
    learned = learned_scores(columns, y, seed, people=people, n_jobs=n_jobs, progress=progress)
    columns, logits = _standardized(columns), _standardized(clipped(logit_of(learned.scores)))
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
    normal = rng.standard_normal(smooth.shape)
    every = smooth.shape[1] // DRAWS_FOR_NOISE
    noise = noise_for(learned.variance.plus(ERRORS), smooth[:, ::every], normal[:, ::every], y)
    draws = with_noise(smooth, y, noise, normal) if noise else smooth
    return LearnedDraws(smooth, draws, noise, learned.variance)


def _standardized(columns: Floats) -> Floats:
    spread = deviation(columns)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


#: At most this many points of each part (training, calibration) are used. In a table of 60,000 rows
#: and 21 mixed columns twice as many took twice the time, for a band that was 3 % narrower.
#: With 3,500 the intervals of the bank's votes, 20,000 rows, were 5 % longer.
MOST_POINTS = 5_000
#: If there are more points than this to learn from, or more numbers (points times columns), each
#: counted once a class of several, it takes longer than a second, and progress is shown.
ROWS_WORTH_A_BAR, WORTH_A_BAR = 1_200, 300_000
#: With fewer calibration points of a label than this, the band for every threshold has a caution.
EVERYWHERE_POINTS = 150


class Learned(FromDraws):
    """``reference="learned"``: see `conformal_roc_widget.calibration.references.learned`.

    It is asked at the calibration points alone, which are the first ones of those it has learned
    from.
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
    #: Training points, and calibration points, that it makes no use of.
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
        """Calibration points beyond `MOST_POINTS` are neither encoded nor scored."""
        if n <= MOST_POINTS:
            return self, None
        made = copy.copy(self)
        made.unused_calibration = n - MOST_POINTS
        return made, some_rows(n, [0 if seed is None else seed, 6])

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """A copy that has learned only from points that calibrate."""
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
        self.by_class = tuple(
            learned_draws(
                X,
                (codes == l).astype(np.intp),
                seed,
                people=people,
                n_jobs=self.n_jobs,
                progress=self.progress and takes_long,
            )
            for l in ((1,) if classes.size == 2 else range(classes.size))
        )

    def _of(self, column: int) -> tuple[LearnedDraws, int]:
        """Draws for one class against the rest, and the sign to multiply them by.

        Two classes share one set, negated for the first.
        """
        if len(self.by_class) > 1:
            return self.by_class[column], 1
        return self.by_class[0], 2 * column - 1

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """Means of the draws; there are none but at the calibration points."""
        if not np.array_equal(points.array, self.calibration.points.array):
            raise NotImplementedError("the reference 'learned' has no estimate at new points")
        n, columns = len(class_logits), map(self._of, range(class_logits.shape[1]))
        return np.column_stack([sign * found.smooth[:n].mean(axis=1) for found, sign in columns])

    def draws(self, column: int) -> Floats:
        """Draws with the learning gap."""
        return self.all_draws(column)[: self.calibration.codes.size]

    def curve_draws(self, column: int) -> tuple[Floats, ...]:
        """Draws without the learning gap, and draws with a gap that differs from draw to draw."""
        found, sign = self._of(column)
        n = self.calibration.codes.size
        return sign * found.smooth[:n], sign * found.uncertain[:n]

    def all_draws(self, column: int) -> Floats:
        """`draws` at all points that it has learned from, those that calibrate first."""
        found, sign = self._of(column)
        return sign * found.draws

    def ideal_draws(self, column: int) -> tuple[Floats, Ints]:
        """See `Reference.ideal_draws`."""
        found, sign = self._of(column)
        return sign * found.pooled(), np.arange(self.calibration.codes.size)

    def remark(self, estimator: Any) -> Note | None:
        """A note, if not all points were used, on how many were."""
        unused = self.unused_training + self.unused_calibration
        if not unused:
            return None
        labelled = self.n_learned + unused
        return Note(
            f"The reference 'learned' has learned from {self.n_learned} of the {labelled} "
            f"labelled points, and {self.calibration.codes.size} of them calibrate."
        )


def some_rows(n: int, seed: list[int]) -> Ints:
    """At most `MOST_POINTS` of n rows, ascending."""
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, MOST_POINTS, replace=False))


def _people_of(*parts: Labelled) -> Ints | None:
    """Codes of the people of all parts' rows; None if no groups were given."""
    if all(part.stands_for.people is None for part in parts):
        return None
    known, codes = 0, []
    for part in parts:
        people = part.stands_for.people
        # No person has rows in two parts. Each part therefore gets its own codes.
        people = np.arange(part.codes.size) if people is None else people
        codes.append(known + people)
        known += int(people.max(initial=-1)) + 1
    return np.concatenate(codes)
