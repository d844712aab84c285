"""How often each note is given: where all is well, and where something is wrong.

python benchmarks/notes.py --replicates 200
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from conformal_roc_widget import ConformalROC, RocEvaluation, comparators

Made = Callable[[np.random.Generator], list[str]]


def of_scores(n: int, law: Callable[[np.ndarray], np.ndarray], reference: str = "") -> Made:
    """Makes notes of uniform scores, whose true probabilities are `law` of the scores.

    If there is a reference, half of the rows calibrate. Otherwise labels and scores are all that is
    given.
    """

    def made(rng: np.random.Generator) -> list[str]:
        scores = rng.random(n)
        y = (rng.random(n) < law(scores)).astype(int)
        if reference:
            halves = y[: n // 2], scores[: n // 2], y[n // 2 :], scores[n // 2 :]
            return list(RocEvaluation.from_predictions(*halves, reference=reference).notes)
        evaluation = RocEvaluation.from_predictions(y, scores)
        return [*evaluation.notes, *comparators.log_loss_interval(y, scores).notes]

    return made


def of_features(n: int, *, bend: float = 0.0, noise: float = 0.0, shift: float = 0.0) -> Made:
    """Makes notes of logistic regression.

    The data may have an interaction (`bend`), hidden noise (`noise`), or test rows that differ
    (`shift`).
    """

    def made(rng: np.random.Generator) -> list[str]:
        X = rng.normal(size=(n + 500, 3))
        X[n:, 0] += shift
        logits = X @ [1.0, 0.7, -0.5] + bend * X[:, 0] * X[:, 1] + noise * rng.normal(size=n + 500)
        y = (rng.random(n + 500) < expit(logits)).astype(int)
        seed = int(rng.integers(2**31))
        reference = "kernel" if bend else "auto"
        model = ConformalROC(
            LogisticRegression(), reference=reference, random_state=seed, progress=False
        )
        evaluation = model.fit(X[:n], y[:n]).evaluate(X[n:], y[n:])
        everywhere = evaluation.with_guarantee("everywhere").notes
        return [*evaluation.notes, *everywhere]

    return made


WELL: dict[str, Made] = {
    "two arrays, 200 rows": of_scores(200, lambda s: s),
    "two arrays, 1,000 rows": of_scores(1_000, lambda s: s),
    "scores too low, 1,000 rows": of_scores(1_000, np.sqrt),
    "four arrays, 1,000 rows": of_scores(1_000, lambda s: s, "kernel"),
    "a classifier, 500 rows": of_features(500),
    "a classifier, 2,000 rows": of_features(2_000),
}
ILL: dict[str, Made] = {
    "scores twice too high, 1,000 rows": of_scores(1_000, lambda s: s**4),
    "falling order, 1,000 rows": of_scores(1_000, lambda s: 4 * (s - 0.5) ** 2),
    "steep, kernel, 1,000 rows": of_scores(1_000, lambda s: expit(60 * (s - 0.5)), "kernel"),
    "a strong interaction, kernel": of_features(2_000, bend=2.0),
    "other test rows": of_features(2_000, shift=4.0),
    "hidden noise, 2,000 rows": of_features(2_000, noise=1.5),
}


def counted(made: Made, replicates: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yields each note, without its numbers, and the share of data sets that have it."""
    found: Counter[str] = Counter()
    for replicate in tqdm(range(replicates), leave=False):
        notes = made(np.random.default_rng([seed, replicate]))
        found.update({re.sub(r"[\d.,]+", "#", note)[:70] for note in notes})
    for note, times in found.most_common():
        yield note, times / replicates


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--seed", type=int, default=91)
    given = parser.parse_args()
    for title, settings in (("where all is well", WELL), ("where it is not", ILL)):
        print(f"== {title}", flush=True)
        for name, made in settings.items():
            print(name, flush=True)
            for note, share in counted(made, given.replicates, given.seed):
                print(f"  {share:.3f}  {note}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
