"""Brier score, log loss and accuracy against scikit-learn, numerical derivatives and known
distributions.
"""

import math

import numpy as np
import pytest
from data import labelled_scores, scored
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit
from sklearn import metrics
from sklearn.linear_model import RidgeClassifier

from conformal_roc_widget import ConformalROC, RocEvaluation, comparators

INTERVALS = {
    "accuracy": lambda y, s, *rest, **more: comparators.accuracy_interval(y, s, 0.5, *rest, **more),
    "brier_score": comparators.brier_score_interval,
    "log_loss": comparators.log_loss_interval,
}
LOSSES = {
    "accuracy": lambda y, s: float((s >= 0.5) == (y == 1)),
    "brier_score": lambda y, s: (s - y) ** 2,
    "log_loss": lambda y, s: -math.log(s if y else 1 - s),
}


def moved(name, rows, person, by):
    """A mean over rows (label, score, weight, owner), with one person's weights multiplied by a
    factor.
    """
    raised = [(y, s, w * (1 + by if owner == person else 1)) for y, s, w, owner in rows]
    return sum(w * LOSSES[name](y, s) for y, s, w in raised) / sum(w for *_, w in raised)


def by_derivatives(name, rows, alpha, step=1e-5):
    """Limits from a variance computed with numerical derivatives by each person's weight."""
    people = sorted({owner for *_, owner in rows})
    slopes = [
        (moved(name, rows, p, step) - moved(name, rows, p, -step)) / (2 * step) for p in people
    ]
    n, value = len(people), moved(name, rows, None, 0)
    if name == "accuracy":
        return of_as_many_rows(value, sum(d * d for d in slopes), rows)
    variance = n / (n - 1) * sum(d * d for d in slopes)
    half = stats.norm.isf(alpha / 2) * math.sqrt(variance)
    if name == "log_loss":
        lower, upper = value * math.exp(-half / value), value * math.exp(half / value)
    else:
        there = math.log(value / (1 - value))
        lower, upper = (expit(there + way * half / (value * (1 - value))) for way in (-1, 1))
    return lower, max(upper, with_one_more(name, rows, value, variance, alpha))


def with_one_more(name, rows, value, variance, alpha):
    """The upper limit of the rows' mean loss and one more row that is on the wrong side."""
    people = {owner: 0.0 for *_, owner in rows}
    for *_, w, owner in rows:
        people[owner] += w
    n = sum(people.values()) ** 2 / sum(w * w for w in people.values())
    far, wrongs, supposed, total = [], [], 0.0, 0.0
    for y, s, w, _ in rows:
        own, other = LOSSES[name](y, s), LOSSES[name](1 - y, s)
        far.append(w * abs(own - other))
        supposed += w * max(own, other)
        total += w
        if own > other:
            wrongs.append((w * (own - other), own))
    if not sum(far):
        return value
    seen = n * sum(w for w, _ in wrongs) / sum(far)
    lost = n * sum(w * own for w, own in wrongs) / sum(far)
    added = (lost + supposed / total) / (seen + 1)
    most = max(added, *(LOSSES[name](y, s) for y, s, *_ in rows))
    mean = (n * value + added) / (n + 1)
    spread = (variance * n * (n - 1) + n / (n + 1) * (added - value) ** 2) / (n + 1) / (n + 2)
    size = mean * (most - mean) / spread - 1
    return most * stats.beta.isf(alpha / 2, mean / most * size, (1 - mean / most) * size)


def of_as_many_rows(value, variance, rows):
    """Exact limits at alpha .1 of a share, with the effective number of rows (Korn and Graubard
    1998).
    """
    weights = np.array([w for _, _, w, _ in rows])
    masses = [sum(w for *_, w, o in rows if o == owner) for owner in {o for *_, o in rows}]
    if variance < 1e-20:
        n = sum(masses) ** 2 / sum(m * m for m in masses)
    else:
        n = min(value * (1 - value) / variance, weights.sum() ** 2 / (weights**2).sum())
    k = value * n
    lower = stats.beta.ppf(0.05, k, n - k + 1) if k > 1e-12 else 0
    return lower, stats.beta.ppf(0.95, k + 1, n - k) if n - k > 1e-12 else 1


@given(labelled_scores(min_size=12, max_size=24), st.randoms(use_true_random=False))
def test_limits_are_those_of_derivatives_by_each_persons_weight(data, random):
    y, score = data[0], 0.02 + 0.96 * (data[1] - data[1].min()) / (np.ptp(data[1]) or 1)
    weights = np.array([random.choice([0.5, 1, 3]) for _ in y])
    # At least ten people, some of them with several rows.
    people = np.array([i if i < 10 else random.randrange(10) for i in range(y.size)])
    rows = list(zip((y == 1).tolist(), score.tolist(), weights.tolist(), people, strict=True))
    for name, interval in INTERVALS.items():
        found = interval(y, score, 0.1, sample_weight=weights, groups=people)
        assert found.estimate == pytest.approx(moved(name, rows, None, 0), rel=1e-12)
        if found.notes and "no variance" in found.notes[0]:
            assert found[1:] == (0, math.inf if name == "log_loss" else 1)
        elif "large" in found.method or "Korn" in found.method:
            # Numbers of one more row have seven digits.
            lower, upper = by_derivatives(name, rows, 0.1)
            assert found.lower == pytest.approx(lower, rel=1e-6, abs=1e-9)
            assert found.upper == pytest.approx(upper, rel=1e-6, abs=1e-9)


@given(labelled_scores(min_size=4, max_size=30))
def test_values_are_those_of_scikit_learn(data):
    y, score = data[0], expit(np.clip(data[1], -9, 9))
    weights = 1 + np.arange(y.size) % 3
    for name, theirs in (
        ("brier_score", metrics.brier_score_loss(y, score, sample_weight=weights)),
        ("log_loss", metrics.log_loss(y, score, sample_weight=weights)),
        ("accuracy", metrics.accuracy_score(y, score >= 0.5, sample_weight=weights)),
    ):
        assert INTERVALS[name](y, score, sample_weight=weights).estimate == pytest.approx(theirs)


def test_four_rows_by_hand():
    y, score = [0, 1, 0, 1], [0.2, 0.6, 0.4, 0.9]
    brier = comparators.brier_score_interval(y, score)
    assert brier.estimate == pytest.approx(0.0925)  # (.04 + .16 + .16 + .01) / 4
    squares = 2 * 0.0675**2 + 0.0525**2 + 0.0825**2
    half = stats.norm.isf(0.025) * math.sqrt(squares / 12) / (0.0925 * 0.9075)
    assert math.log(brier.lower / (1 - brier.lower)) == pytest.approx(
        math.log(0.0925 / 0.9075) - half
    )
    # No row is wrong. One more would lose (.64 + .36 + .36 + .81) / 4 = .5425, .45 above the mean.
    mean, spread = (0.37 + 0.5425) / 5, (squares + 0.8 * 0.45**2) / 30
    size = mean * (0.5425 - mean) / spread - 1
    share = stats.beta.isf(0.025, mean / 0.5425 * size, (1 - mean / 0.5425) * size)
    assert brier.upper == pytest.approx(0.5425 * share, rel=1e-6)
    loss = comparators.log_loss_interval(y, score, 0.1)
    assert loss.estimate == pytest.approx(-math.log(0.8 * 0.6 * 0.6 * 0.9) / 4)
    away = np.log([0.8, 0.6, 0.6, 0.9]) - math.log(0.8 * 0.6 * 0.6 * 0.9) / 4
    half = stats.norm.isf(0.05) * math.sqrt(away @ away / 12)
    assert loss.lower == pytest.approx(loss.estimate * math.exp(-half / loss.estimate))
    assert loss.upper > loss.estimate * math.exp(half / loss.estimate)
    right = comparators.accuracy_interval(y, score, 0.5)
    assert right == pytest.approx((1, 0.025**0.25, 1))
    assert "for every sample size" in right.guarantee
    assert "large samples" in brier.guarantee
    assert brier.notes
    assert "few" in brier.notes[0].lower()


def test_what_is_infinite_or_has_no_variance_says_so():
    loss = comparators.log_loss_interval([0, 1, 1], [0.1, 0.8, 0])
    assert loss == (math.inf, math.inf, math.inf)
    assert "infinite" in loss.notes[0]
    assert comparators.brier_score_interval([0, 1, 1], [0.5] * 3) == (0.25, 0, 1)
    assert comparators.log_loss_interval([0, 1], [0, 1]) == (0, 0, math.inf)
    right = np.resize([0, 1], 20)
    none = comparators.accuracy_interval(right, right, 0.5, groups=np.arange(20) // 2)
    assert none == pytest.approx((1, 0.025**0.1, 1))  # for ten people


def test_rows_of_people_widen_and_equal_weights_change_nothing():
    y, score = scored(np.random.default_rng(1), 60)
    twice = np.repeat(y, 2), np.repeat(score, 2)
    for name, interval in INTERVALS.items():
        alone = interval(y, score)
        assert interval(y, score, sample_weight=np.full(60, 3.0)) == alone
        assert interval(y, score, groups=np.arange(60)) == alone
        people = interval(*twice, groups=np.arange(120) // 2)
        assert people.estimate == pytest.approx(alone.estimate)
        if name != "accuracy":
            assert people[1:] == pytest.approx(alone[1:])
        dropped = interval(
            *(np.append(each, each[::-1]) for each in (y, score)),
            sample_weight=np.repeat([1.0, 0.0], 60),
        )
        assert dropped == pytest.approx(alone)


@pytest.mark.parametrize("name", ["brier_score_interval", "log_loss_interval"])
def test_margins_are_refused(name):
    with pytest.raises(ValueError, match=r"^score: found values from -2 to 3, expected prob"):
        getattr(comparators, name)([0, 1, 1], [-2, 0.5, 3])
    assert comparators.accuracy_interval([0, 1, 1], [-2, 0.5, 3], 0.0).estimate == 1


def test_an_evaluation_gives_those_of_its_rows():
    y, score = scored(np.random.default_rng(2), 90)
    weights, people = 1 + np.arange(90) % 4 / 2, np.arange(90) // 3
    for rows in ({}, {"sample_weight": weights}, {"groups": people}):
        given = {f"{name}_test": each for name, each in rows.items()}
        found = RocEvaluation.from_predictions(
            y, score, y, score, guarantee="simultaneous", **given
        )
        for name, interval in INTERVALS.items():
            assert found.losses(0.5, 0.2)[name] == interval(y, score, 0.2, **rows)
        brier, loss = found.sampled.losses.values()
        assert (brier.value, *brier.limits(0.2)) == found.losses(0.5, 0.2)["brier_score"]
        assert (loss.value, *loss.limits(0.2)) == found.losses(0.5, 0.2)["log_loss"]


def test_a_table_and_rows_lost_from_sight_are_refused_by_name():
    pl = pytest.importorskip("polars")
    y, score = scored(np.random.default_rng(3), 90)
    table = RocEvaluation.from_table(
        pl.DataFrame({"s": score, "y": y}),
        score="s",
        label="y",
        y_calibration=y,
        score_calibration=score,
        guarantee="simultaneous",
    )
    assert table.sampled.losses is None
    with pytest.raises(ValueError, match=r"^losses: found a table's summary"):
        table.losses()
    outcomes = np.zeros(90, dtype=[("event", bool), ("time", float)])
    outcomes["event"], outcomes["time"] = np.arange(90) % 4 < 2, 1 + np.arange(90) % 5
    half = np.arange(90) % 2 == 0
    known = RocEvaluation.from_predictions(
        *(outcomes[half], score[half], outcomes[~half], score[~half]), horizon=3
    )
    with pytest.raises(ValueError, match=r"^losses: found test rows that stand for"):
        known.losses()


def test_margins_of_a_classifier_are_noted():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    model = ConformalROC(RidgeClassifier(), reference="score", random_state=0)
    found = model.fit(X[:200], y[:200]).evaluate(X[200:], y[200:]).losses()
    assert "margins and no risks" in found["brier_score"].notes[-1]
    assert not found["accuracy"].notes


def held(sizes, prevalence, separation, samples, **kind):
    """Share of samples whose limits hold, for each figure, optionally with weights or people."""
    n, people = sizes, kind.get("people", False)
    weighted = kind.get("weighted", False)

    def law(rng, count):
        owner = np.repeat(np.arange(-(-count // 3)), 3)[:count] if people else np.arange(count)
        own = rng.normal(size=owner.max() + 1)[owner]
        y = (rng.random(count) < prevalence).astype(int)
        x = rng.normal(separation * (y - 0.5)) + (0.8 * own if people else 0)
        p = expit(separation * x + math.log(prevalence / (1 - prevalence)))
        # Rows of a rarer kind are drawn twice as often, with half the weight.
        rare = x > 0
        keep = rng.random(count) < np.where(rare, 1, 0.5) if weighted else np.full(count, True)
        return y[keep], p[keep], np.where(rare, 1.0, 2.0)[keep], owner[keep]

    truth = {}
    y, p, w, _ = law(np.random.default_rng(9), 1_000_000)
    w = w if weighted else np.ones(y.size)
    truth["accuracy"] = np.average((p >= 0.5) == y, weights=w)
    truth["brier_score"] = np.average((p - y) ** 2, weights=w)
    truth["log_loss"] = np.average(-np.log(np.where(y, p, 1 - p)), weights=w)
    rng = np.random.default_rng(10)
    hits = dict.fromkeys(truth, 0)
    for _ in range(samples):
        y, p, w, owner = law(rng, n)
        rows = {"sample_weight": w} if weighted else {}
        rows |= {"groups": owner} if people else {}
        for name, interval in INTERVALS.items():
            _, lower, upper = interval(y, p, 0.1, **rows)
            hits[name] += lower <= truth[name] <= upper
    return {name: each / samples for name, each in hits.items()}


@pytest.mark.parametrize("kind", [{}, {"people": True}, {"weighted": True}], ids=str)
def test_limits_hold_as_often_as_they_say(kind):
    """400 samples of 300 rows at .90; four standard errors are .06."""
    for name, share in held(300, 0.3, 1.5, 400, **kind).items():
        assert share >= 0.84, name
        assert share <= 0.96 + 0.03 * (name == "accuracy"), name


def of_dirichlet_weights(rng, values, level, draws=200_000):
    """The quantile of the values' mean with weights of Dirichlet(1, ..., 1), from draws."""
    weights = rng.exponential(size=(draws, len(values)))
    return np.quantile(weights @ values / weights.sum(axis=1), level)


@pytest.mark.parametrize("n", [10, 40])
@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_the_upper_limit_is_near_that_of_dirichlet_weights(n, wrong):
    """Gaffke's limit is computed from the losses and one more loss. If all scores are 0 or 1, this
    is 1.
    """
    y = np.resize([0, 1], n)
    # If all scores are 0 or 1, the loss is a share, and the limit is Clopper and Pearson's from the
    # beta law.
    score = np.where(np.arange(n) < wrong, 1 - y, y).astype(float)
    if wrong:
        found = comparators.brier_score_interval(y, score, 0.1).upper
        assert found >= stats.beta.isf(0.05, wrong + 1, n - wrong) * (1 - 1e-6)
    score = np.abs(score - 0.04 - 0.1 * (np.arange(n) * 0.381966 % 1))
    for name in ("brier_score", "log_loss"):
        own, other = (
            np.array([LOSSES[name](*row) for row in zip(of, score, strict=True)])
            for of in (y, 1 - y)
        )
        far = np.abs(own - other) / np.abs(own - other).mean()
        bad = own > other
        added = ((far * own)[bad].sum() + np.maximum(own, other).mean()) / (far[bad].sum() + 1)
        rng = np.random.default_rng(n + wrong)
        limit = of_dirichlet_weights(rng, np.append(own, added), 0.95)
        assert INTERVALS[name](y, score, 0.1).upper >= 0.95 * limit
        if not wrong:
            assert INTERVALS[name](y, score, 0.1).upper == pytest.approx(limit, rel=0.05)


def good(rng, n, apart, sharper=1.0):
    """Rows of two normals this far apart, with their true probabilities, or with sharper ones."""
    y = (rng.random(n) < 0.5).astype(int)
    return y, expit(sharper * apart * rng.normal(apart * (y - 0.5)))


def two_sided(rng, n):
    """Rows with true probabilities near 0 and 1, which no normal law has."""
    score = np.clip(rng.beta(0.1, 0.1, n), 1e-9, 1 - 1e-9)
    return (rng.random(n) < score).astype(int), score


LAWS = {
    "apart 1": lambda rng, n: good(rng, n, 1),
    "apart 2": lambda rng, n: good(rng, n, 2),
    "apart 4": lambda rng, n: good(rng, n, 4),
    "apart 2, too sure": lambda rng, n: good(rng, n, 2, 3),
    "near 0 and 1": two_sided,
}


def held_by(law, n, samples, alpha=0.05, **rows):
    """By figure: the share of samples with limits around the truth, and the median upper limit."""
    y, p = law(np.random.default_rng(9), 1_000_000)
    truth = {"brier_score": np.mean((p - y) ** 2)}
    truth["log_loss"] = np.mean(-np.log(np.where(y == 1, p, 1 - p)))
    rng, found = np.random.default_rng(11), {name: [] for name in truth}
    for _ in range(samples):
        y, p = law(rng, n)
        if 0 < y.sum() < n:
            for name, true in truth.items():
                _, lower, upper = INTERVALS[name](y, p, alpha, **rows)
                found[name].append((lower <= true <= upper, upper / true))
    return {
        name: (np.mean(each, axis=0)[0], np.median(each, axis=0)[1]) for name, each in found.items()
    }


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [20, 60])
def test_limits_of_good_classifiers_hold_with_few_rows(law, n):
    """The level is .95. With 500 samples, three standard errors are .03.

    With 20 rows, plain large-sample limits held in .50 of the samples.
    """
    for name, (share, _) in held_by(LAWS[law], n, 500).items():
        assert share >= 0.92, name


@pytest.mark.parametrize("kind", ["people", "weights"])
def test_limits_of_good_classifiers_hold_of_people_and_weights(kind):
    """20 people with three equal rows each, or 60 rows whose weights do not depend on the data."""
    if kind == "weights":
        weights = np.resize([1.0, 2.0, 4.0], 60)
        found = held_by(LAWS["apart 4"], 60, 500, sample_weight=weights)
    else:

        def thrice(rng, n):
            return tuple(np.repeat(of, 3) for of in good(rng, n // 3, 4))

        found = held_by(thrice, 60, 500, groups=np.arange(60) // 3)
    for name, (share, _) in found.items():
        assert share >= 0.92, name


@pytest.mark.parametrize("law", ["apart 1", "apart 2"])
def test_one_more_row_changes_nothing_where_rows_are_many(law):
    y, p = LAWS[law](np.random.default_rng(3), 1000)
    rows = list(zip((y == 1).tolist(), p.tolist(), [1.0] * 1000, range(1000), strict=True))
    for name in ("brier_score", "log_loss"):
        values = np.array([LOSSES[name](*row[:2]) for row in rows])
        half = stats.norm.isf(0.025) * values.std(ddof=1) / math.sqrt(1000)
        value = values.mean()
        upper = value * math.exp(half / value)
        if name == "brier_score":
            upper = expit(math.log(value / (1 - value)) + half / value / (1 - value))
        assert upper <= INTERVALS[name](y, p).upper <= 1.01 * upper


def test_a_heavy_tail_is_told_and_a_light_one_is_not():
    y = np.arange(160) % 2
    light = np.where(y == 1, 0.6, 0.4) + 0.2 * np.sin(np.arange(160))
    assert not comparators.log_loss_interval(y, light).notes
    # for the last ones, a few rows dominate the mean loss
    for score in (0.97, 0.99, 1 - 1e-4, 1 - 1e-12):
        heavy = light.copy()
        heavy[0] = score  # the row has label 0
        away = -np.log(np.where(y == 1, heavy, 1 - heavy))
        away = np.square(away - away.mean())
        notes = comparators.log_loss_interval(y, heavy).notes
        assert bool(notes) == (away.max() > 0.3 * away.sum())
        assert all("heavy tail" in note or "Few rows" in note for note in notes)
    assert notes


@pytest.mark.parametrize(("law", "most"), [("light", 0.05), ("heavy", 1)])
def test_the_note_on_tails_comes_seldom_where_limits_hold(law, most):
    """Each sample has 150 rows.

    In the heavy-tailed distribution the variance is infinite, and limits hold in .885 of the
    samples.
    """
    rng, told = np.random.default_rng(0), []
    for _ in range(300):
        truth = 1.5 * rng.normal(size=150)
        noise = 0 if law == "light" else rng.standard_t(2, size=150)
        y = (rng.random(150) < expit(truth)).astype(int)
        told.append(bool(comparators.log_loss_interval(y, expit(truth + noise)).notes))
    assert np.mean(told) <= most
    if law == "heavy":
        assert np.mean(told) > 0.4
