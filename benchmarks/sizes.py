"""Sizes of a page, of a framed chart and of a widget's state, for each kind in `tests/cases.py`.

The last rows have many points, which no case has.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cases import CASES, shown
from scipy.special import expit, logit
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from table import Row, report, scored, within
from widget_state import saved_state

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget

KB = 1_000
#: Each kind of page has one case here.
KINDS = (
    *("scores", "scores, simultaneous", "two arrays", "features, sharp", "features, learned"),
    *("neighbours", "by a time", "five classifiers", "ten classes", "two populations"),
)


def breast_cancer() -> ROCWidget:
    """The README's example."""
    X, y = load_breast_cancer(return_X_y=True)
    model = ConformalROC(make_pipeline(StandardScaler(), LogisticRegression()), random_state=0)
    return ROCWidget(model.fit(X[:400], y[:400]).evaluate(X[400:], y[400:]))


def scores_alone(n: int) -> ROCWidget:
    """Scores alone, with as many calibration rows as test rows, but at most 20,000."""
    rng = np.random.default_rng(0)
    calibration = scored(rng, min(n, 20_000))
    return ROCWidget(RocEvaluation.from_predictions(*calibration, *scored(rng, n)))


def two_arrays(n: int) -> ROCWidget:
    """Only labels and scores. The page cannot compute the limits, so they come at each alpha."""
    return ROCWidget(RocEvaluation.from_predictions(*scored(np.random.default_rng(0), n)))


def classifiers(k: int, n: int = 2_000) -> ROCWidget:
    """k classifiers of the same rows, from labels and scores."""
    rng = np.random.default_rng(0)
    y, score = scored(rng, n)
    noisy = (expit(logit(score) + 0.4 * rng.normal(size=n)) for _ in range(k))
    return ROCWidget(
        {f"{i}": RocEvaluation.from_predictions(y, each) for i, each in enumerate(noisy)}
    )


def learned(n: int) -> ROCWidget:
    """A learned reference of eight columns. A third of the n rows are test rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 8))
    y = (rng.random(n) < 1 / (1 + np.exp(-(X[:, 0] + X[:, 1] * X[:, 2] - 0.5)))).astype(int)
    model = ConformalROC(
        LogisticRegression(), reference="learned", random_state=0, progress=False
    ).fit(X[: 2 * n // 3], y[: 2 * n // 3])
    return ROCWidget(model.evaluate(X[2 * n // 3 :], y[2 * n // 3 :]))


def of_case(name: str) -> ROCWidget:
    case = CASES[name]
    return ROCWidget(
        shown(name), kind=case.kind, alpha=case.alpha, threshold=case.threshold, **case.keywords
    )


#: By name, the function that makes a widget, and the limit for its page in kB. If there is no
#: limit, it is None.
MADE: dict[str, tuple[Callable[[], ROCWidget], int | None]] = {
    "README's example": (breast_cancer, 150),
    **{f"case: {name}": (lambda name=name: of_case(name), None) for name in KINDS},
    "scores alone, 2,000 rows": (lambda: scores_alone(2_000), 200),
    "scores alone, 1,000,000 rows": (lambda: scores_alone(1_000_000), 200),
    "five classifiers, two arrays": (lambda: classifiers(5), 300),
    "twenty classifiers, two arrays": (lambda: classifiers(20), 600),
    "two arrays, 2,000 rows": (lambda: two_arrays(2_000), 200),
    "two arrays, 1,000,000 rows": (lambda: two_arrays(1_000_000), 200),
    "learned, 30,000 rows": (lambda: learned(30_000), 350),
}


def state_of(widget: ROCWidget) -> dict[str, int]:
    """Bytes of the state that a notebook saves of a widget: of the script, and of all the rest."""
    widget.wait()
    saved = saved_state(widget)
    bundle = len(json.dumps(json.loads(saved)["state"]["_esm"]))
    return {"state": len(saved) - bundle, "bundle": bundle}


def weighed(widget: ROCWidget) -> dict[str, int]:
    """Bytes of a page, of a page with curves only, of a frame in a notebook, and of the state."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        sizes = {
            name: widget.to_html(page, data=data).stat().st_size
            for name, data in (("page", "arrays"), ("curves", "curves"))
        }
    sizes["framed"] = len(widget.as_html()._repr_html_().encode())
    return sizes | state_of(widget)


def rows() -> Iterator[tuple[str, dict[str, int], int | None]]:
    for name, (make, limit) in MADE.items():
        widget = make()
        yield name, weighed(widget), limit
        widget.close()


def main() -> int:
    found = list(rows())
    names = ("page", "curves", "framed", "state", "bundle")
    print(f"| kB | {' | '.join(names)} |\n|---|{'---:|' * len(names)}")
    for name, sizes, _ in found:
        print(f"| {name} | {' | '.join(f'{sizes[each] / KB:.0f}' for each in names)} |")
    curves = (
        Row(f"curves: {name}", [sizes["curves"]], "arrays", [sizes["page"]], 1, "bytes")
        for name, sizes, _ in found
        if name == "scores alone, 1,000,000 rows"
    )
    return report(
        *curves,
        *(
            within(f"{form}: {name}", sizes[form] / KB, limit, "kB")
            for name, sizes, limit in found
            if limit is not None
            for form in (("page", "framed") if name.startswith("scores") else ("page",))
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
