"""``reference="learned"``: draws of ``logit pi`` that were learned from all labelled points."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.learned_draws import LearnedDraws, learned_draws
from conformal_roc_widget.calibration.learned_scores import FEWEST
from conformal_roc_widget.calibration.learning_gap import with_uncertain_gap
from conformal_roc_widget.calibration.points import Labelled, Points
from conformal_roc_widget.calibration.references import FromDraws, Settings

WHERE_LEARNABLE = "if π can be learned from the features, as the reference 'learned' assumes"
#: Points of each part that are used at most.
MOST_POINTS = 10_000
#: Numbers in the table from which on progress is shown.
WORTH_A_BAR = 300_000
#: Below so many calibration points of a label the band for every threshold comes with a caution.
EVERYWHERE_POINTS = 150


class Learned(FromDraws):
    """``reference="learned"``: see `conformal_roc_widget.calibration.learned_draws`.

    It is asked at the calibration points alone, which are among those it has learned from.
    """

    text = "'learned'"
    promise = f"at least {{confidence}} in large samples, {WHERE_LEARNABLE}"
    curve_assumption = WHERE_LEARNABLE
    local_caution = (
        "The reference 'learned' covers less than 'kernel' where test points are unlike their "
        "neighbours: for shifted data prefer 'kernel'."
    )
    by_class: tuple[LearnedDraws, ...]
    elsewhere: tuple[Floats, ...]
    n_labelled: int
    n_learned: int

    def __init__(self, settings: Settings) -> None:
        self.n_jobs, self.progress = settings.n_jobs, settings.progress

    def everywhere_remark(self, n_calibration: int) -> str:
        """See `Reference.everywhere_remark`."""
        if n_calibration >= EVERYWHERE_POINTS:
            return ""
        return (
            f"With {n_calibration} calibration points of a label, fewer than {EVERYWHERE_POINTS}, "
            "the reference 'learned' knows little of how π is spread: the band for every threshold "
            "at once may hold less often than it says."
        )

    def _learn(self, training: Labelled, seed: int | None) -> None:
        seed = 0 if seed is None else seed
        # Of very many calibration points some say as much, and so do the training points beside.
        rng = np.random.default_rng([seed, 6])
        self.n_labelled = training.codes.size + self.calibration.codes.size
        if self.calibration.codes.size > MOST_POINTS:
            rows = np.sort(rng.choice(self.calibration.codes.size, MOST_POINTS, replace=False))
            self.calibration = self.calibration.rows(rows)
            self.class_logits = self.class_logits[rows]
        others = np.sort(rng.permutation(training.codes.size)[:MOST_POINTS])
        X = np.concatenate([self.calibration.points.array, training.points.array[others]])
        codes = np.concatenate([self.calibration.codes, training.codes[others]])
        people = _people_of(self.calibration, training.rows(others))
        self.n_learned = codes.size
        classes = training.classes
        counts = np.bincount(codes, minlength=classes.size)
        if counts.min() < FEWEST:
            raise ValueError(
                f"y: found label {classes.tolist()[counts.argmin()]!r} {counts.min()} times, "
                f"expected at least {FEWEST} times for reference='learned'"
            )
        n = self.calibration.codes.size
        found = [
            learned_draws(
                X,
                (codes == l).astype(np.intp),
                seed,
                people=people,
                n_jobs=self.n_jobs,
                progress=self.progress and X.size > WORTH_A_BAR,
            )
            for l in ((1,) if classes.size == 2 else range(classes.size))
        ]
        self.by_class = tuple(one.rows(slice(n)) for one in found)
        self.elsewhere = tuple(one.draws[n:].copy() for one in found)

    def _of(self, column: int) -> tuple[LearnedDraws, int]:
        """Draws of one class against the rest, up to the sign that they are to be taken with."""
        if len(self.by_class) > 1:
            return self.by_class[column], 1
        return self.by_class[0], 2 * column - 1

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """Means of the draws, which there are at the calibration points alone."""
        if not np.array_equal(points.array, self.calibration.points.array):
            raise NotImplementedError("the reference 'learned' has no estimate at new points")
        columns = map(self._of, range(class_logits.shape[1]))
        return np.column_stack([sign * found.smooth.mean(axis=1) for found, sign in columns])

    def draws(self, column: int) -> Floats:
        """Draws with the learning gap."""
        found, sign = self._of(column)
        return sign * found.draws

    def curve_draws(self, column: int) -> tuple[Floats, ...]:
        """Draws without the learning gap, and with one that is uncertain for a whole curve."""
        found, sign = self._of(column)
        return sign * found.smooth, self.ideal_draws(column)[1]

    def all_draws(self, column: int) -> Floats:
        """`draws` at all points that it has learned from, those that calibrate first."""
        elsewhere = self.elsewhere[column if len(self.elsewhere) > 1 else 0]
        return np.concatenate([self.draws(column), self._of(column)[1] * elsewhere])

    def ideal_draws(self, column: int) -> tuple[Floats, Floats]:
        """See `Reference.ideal_draws`; how much there is left to learn is uncertain too."""
        found, sign = self._of(column)
        every = sign * with_uncertain_gap(sign * self.all_draws(column), found.variance)
        return every, every[: self.calibration.codes.size]

    def remark(self, estimator: Any) -> str:
        """How many points there are, where not all of them were used."""
        if self.n_learned == self.n_labelled:
            return ""
        return (
            f"The reference 'learned' has learned from {self.n_learned} of the {self.n_labelled} "
            f"labelled points, and {self.calibration.codes.size} of them calibrate."
        )


def _people_of(*parts: Labelled) -> Ints | None:
    """Whom the rows of all parts belong to; None where nobody asked for it."""
    if all(part.stands_for.people is None for part in parts):
        return None
    known, codes = 0, []
    for part in parts:
        people = part.stands_for.people
        # People of one part are told apart from those of another: nobody is in both.
        people = np.arange(part.codes.size) if people is None else people
        codes.append(known + people)
        known += int(people.max(initial=-1)) + 1
    return np.concatenate(codes)
