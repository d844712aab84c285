"""Mean rates and average precision of classes with more test data: limits and coverage."""

import numpy as np
import pytest
from cases import classes_alone, group_of, told_of_rows
from oracles import derivatives
from page_limits import mean_rate_limits
from said import is_said
from scipy.stats import binomtest

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation import figures
from conformal_roc_widget.evaluation.average import class_shares
from conformal_roc_widget.evaluation.estimate import Estimate, Rows
from conformal_roc_widget.evaluation.figures import MOST_ROWS, THRESHOLDS, average_precision
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.words import words


def classes_of(y, p, **told):
    return {
        c: RocEvaluation.from_predictions((y == c).astype(int), p[:, c], pos_label=1, **told)
        for c in range(p.shape[1])
    }


def mean_rates_of_classes(evaluations, shares):
    each = [e.sampled.sample for e in evaluations.values()]
    return figures.mean_rates_of_classes(each, np.array([shares[k] for k in evaluations]))


def limits_of_mean(value, rows, alpha):
    return Estimate(value, rows=rows, scale="share").limits(alpha)


def mean_rate(label, evaluations, shares, threshold, weight):
    """Mean sensitivity for label 1 or mean specificity for label 0, row by row."""
    mean = 0.0
    for key, one in evaluations.items():
        right = total = 0.0
        for y, score, w in zip(one.labels, one.scores, weight, strict=True):
            if y == label:
                total += w
                right += w * ((score >= threshold) == label)
        mean += shares[key] * right / total
    return mean


def naive_rows(label, evaluations, shares, threshold, weight, owners):
    """Effective rows by numerical derivatives: the mean's variance compared with that of a share."""

    def mean(weight):
        return mean_rate(label, evaluations, shares, threshold, weight)

    variance = (derivatives(mean, weight, owners) ** 2).sum()
    apart, least, seen, each, people_in_all = 0.0, 0.0, 0.0, [], 0.0
    for key, one in evaluations.items():
        mine = one.labels == label
        masses = [weight[mine & (owners == who)].sum() for who in np.unique(owners[mine])]
        n = sum(masses) ** 2 / sum(m**2 for m in masses)
        rate = mean_rate(label, {key: one}, {key: 1}, threshold, weight)
        apart += shares[key] ** 2 * rate * (1 - rate) / n
        rows = weight[mine].sum() ** 2 / (weight[mine] ** 2).sum()
        least += shares[key] ** 2 * rate * (1 - rate) / rows
        careful = (rate * n + 1) / (n + 2)
        seen += shares[key] * careful
        each.append((shares[key] ** 2 * careful * (1 - careful) / n, n))
        people_in_all += n * (shares[key] > 0)
    total = sum(v for v, _ in each)
    df = total**2 / sum(v**2 / (n - 1) for v, n in each)
    ratio = max(variance, least) / apart if apart else 1.0
    rows = seen * (1 - seen) / (ratio * total)
    return rows * df / (df + 2) * (people_in_all + 1) / (people_in_all - 1)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("how", ["size", "uniform"])
@pytest.mark.parametrize("told", ["nothing", "weights", "groups", "both"])
def test_rows_are_those_of_a_naive_computation(told, how, label):
    given = told_of_rows(told, 60)
    evaluations = classes_alone(**given)
    shares = class_shares(evaluations, how)
    weight = np.asarray(given.get("sample_weight_test", np.ones(60)), dtype=float)
    owners = np.asarray(given.get("groups_test", np.arange(60)))
    found = mean_rates_of_classes(evaluations, shares)[label]
    for i in (0, 30, 50, 77, 100):
        wanted = naive_rows(label, evaluations, shares, THRESHOLDS[i], weight, owners)
        assert found[i] == pytest.approx(wanted, rel=1e-6), THRESHOLDS[i]


def test_a_mean_of_one_class_has_the_exact_limits_of_its_rate():
    evaluations = classes_alone()
    shares = {0: 1.0, 1: 0.0, 2: 0.0}
    found = mean_rates_of_classes(evaluations, shares)
    one = evaluations[0]
    for threshold in (0.1, 0.5, 0.9):
        point = one.operating_point(threshold)
        for label, right, n in ((1, point.tp, point.tp + point.fn), (0, point.tn, one.n_test[0])):
            ends = mean_rate_limits(found, label, threshold, right / n, 0.1)
            wanted = binomtest(int(right), int(n)).proportion_ci(0.9, "exact")
            np.testing.assert_allclose(ends, wanted, atol=1e-9)


def test_by_hand():
    # If all rows of both classes are called correctly, limits are those of one class with all these
    # rows.
    y = np.repeat([0, 1, 2, 3], 10)
    found = mean_rates_of_classes(
        classes_of(y, 0.1 + 0.6 * np.eye(4)[y]), dict.fromkeys(range(4), 0.25)
    )
    # Each class has 9 degrees of freedom, so together 36, where a single share has 39.
    np.testing.assert_allclose(found[1, 50], 40 * 36 / 38 * 41 / 39)
    assert mean_rate_limits(found, 1, 0.5, 1.0, 0.1) == (
        pytest.approx(0.05 ** (1 / found[1, 50])),
        1,
    )
    assert limits_of_mean(0.5, 0, 0.1) == (0, 1)
    assert limits_of_mean(0.5, 2, 0.1) == pytest.approx((1 - 0.95**0.5, 0.95**0.5))


def test_classes_that_err_about_the_same_rows_vary_more():
    """Equally many false alarms: each about another row, or three about one row."""
    row = np.arange(400)
    y, shares = row // 100, dict.fromkeys(range(4), 0.25)
    apart = np.where(np.eye(4)[y] == 1, 0.6, 0.1)
    together, wrong = apart.copy(), row[row % 5 == 0]
    apart[wrong, (y[wrong] + 1 + wrong // 5 % 3) % 4] = 0.7
    wrong = row[row % 15 == 0]
    together[wrong] = 0.7
    rows = [mean_rates_of_classes(classes_of(y, p), shares)[0, 50] for p in (apart, together)]
    # A third of the rows is wrong in all three classes: limits are those of a third of the rows.
    assert rows[1] == pytest.approx(rows[0] / 3, rel=0.15)


def test_as_many_false_alarms_about_each_row_leave_a_variance():
    y = np.arange(40) % 4
    p = np.where(np.eye(4)[y] == 1, 0.5, 0.05)
    p[np.arange(40), (y + 1 + np.arange(40) // 4 % 3) % 4] = 0.4
    found = mean_rates_of_classes(classes_of(y, p), dict.fromkeys(range(4), 0.25))
    # Each class has 30 rows of other classes, 10 of them false alarms: limits are those of one
    # share of 120 rows.
    low, high = mean_rate_limits(found, 0, 0.3, 2 / 3, 0.05)
    assert found[0, 30] == pytest.approx(120, rel=0.02)
    assert low < 0.6 < 0.73 < high


def test_of_more_rows_some_tell_how_classes_vary(monkeypatch):
    rng = np.random.default_rng(3)
    n = 6000
    y = rng.integers(0, 3, n)
    p = np.exp(rng.normal(size=(n, 3)) + 2 * np.eye(3)[y])
    evaluations = classes_of(y, p / p.sum(axis=1, keepdims=True))
    shares = class_shares(evaluations, "size")
    every = mean_rates_of_classes(evaluations, shares)
    assert n <= MOST_ROWS
    monkeypatch.setattr("conformal_roc_widget.evaluation.figures.MOST_ROWS", 2000)
    some = mean_rates_of_classes(evaluations, shares)
    np.testing.assert_allclose(some[:, 20:80], every[:, 20:80], rtol=0.25)


def test_people_whose_rows_have_nothing_in_common_tell_nearly_as_much_as_their_rows():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, 900)
    p = np.exp(rng.normal(size=(900, 3)) + 1.5 * np.eye(3)[y])
    p /= p.sum(axis=1, keepdims=True)
    shares = dict.fromkeys(range(3), 1 / 3)
    rows = mean_rates_of_classes(classes_of(y, p), shares)[:, 40]
    # Each person has twenty rows, of all classes.
    apart = classes_of(y, p, groups_test=np.arange(900) % 45)
    found = mean_rates_of_classes(apart, shares)[:, 40]
    assert (0.4 * rows < found).all()
    assert (found < 1.1 * rows).all()


@pytest.mark.parametrize("how", ["size", "uniform"])
def test_the_answer_of_classes_says_where_their_rates_would_settle(how):
    group = group_of("ten classes")
    lead = scene_of(group, Controls(0.1, 0.1, "sampling", weights=how)).lead[0]
    rates = group.mean_rates[how]
    shares = class_shares(group.entries, how)
    n = next(iter(group.entries.values())).labels.size
    value = mean_rate(1, group.entries, shares, 0.1, np.ones(n))
    low, high = (100 * limit for limit in mean_rate_limits(rates, 1, 0.1, value, 0.1))
    limits = f"{low:.0f} to {high:.0f} %"
    said = {"observed": f"{100 * value:.0f} %", "limits": limits, "sure": "90 % sure"}
    assert is_said("say.classes", lead, **said)
    assert "Korn-Graubard" in group.together.guarantee


def test_classes_of_other_rows_say_that_they_have_no_limits():
    evaluations = classes_alone()
    evaluations[2] = RocEvaluation.from_predictions([0, 1] * 9, np.linspace(0.1, 0.9, 18))
    group = Group.of(evaluations, "classes")
    lead = scene_of(group, Controls(0.1, 0.5, "sampling")).lead[0]
    assert is_said("say.classes_here", lead, why=words("say.not_known"))
    assert group.mean_rates == {}


def corner_of(evaluation, **given):
    controls = Controls(0.1, 0.5, "sampling", view="precision_recall", **given)
    scene = scene_of(Group.of(evaluation), controls)
    return next(m.text for m in scene.panels[0].marks if m.id == "corner-limits"), scene


def test_the_corner_says_where_the_average_precision_would_settle():
    evaluation = group_of("scores").entries[None]
    text, scene = corner_of(evaluation)
    lower, upper = evaluation.sampled.average_precision.limits(0.1)
    assert text == f"90 %: {lower:.2f} to {upper:.2f}"
    assert any(is_said("promise.average_precision", n, confidence="90 %") for n in scene.notes)
    assert corner_of(evaluation, prevalence=0.1)[0] == words("corner.no_limits_share")
    _, scene = corner_of(evaluation, prevalence=0.1)
    assert not any(is_said("promise.average_precision", note) for note in scene.notes)


def test_weights_and_people_count_in_the_average_precision():
    rng = np.random.default_rng(0)
    y, score = np.arange(40) % 2, rng.random(40)
    score[y == 1] += 0.3
    plain = average_precision(Rows.of(y == 1, score, np.ones(40), np.arange(40)))
    # Three copies of each row, of one person, count like one row.
    thrice = average_precision(
        Rows.of(np.tile(y, 3) == 1, np.tile(score, 3), np.ones(120), np.tile(np.arange(40), 3))
    )
    assert thrice[:-1] == pytest.approx(plain[:-1])
    weighed = average_precision(Rows.of(y == 1, score, np.full(40, 7.5), np.arange(40)))
    assert weighed[:-1] == pytest.approx(plain[:-1])
    # Twenty rows of weight 0 do not count.
    none = np.repeat([1.0, 0.0], 20)
    half = average_precision(Rows.of(y == 1, score, none, np.arange(40)))
    first = average_precision(Rows.of(y[:20] == 1, score[:20], np.ones(20), np.arange(20)))
    assert half[:-1] == pytest.approx(first[:-1])


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("people", [None, 150])
def test_an_average_precision_does_not_hang_on_the_order_of_rows(weighted, people):
    """Even the last digit is equal, although scores tie and sums of people tie."""
    rng = np.random.default_rng(1)
    score, positive = rng.random(600).round(2), rng.random(600) < 0.3
    weights = rng.random(600) if weighted else np.ones(600)
    owners = np.arange(600) if people is None else np.resize(np.arange(people), 600)
    found = set()
    for _ in range(30):
        order = rng.permutation(600)
        whose = np.arange(600) if people is None else rng.permutation(people)[owners[order]]
        found.add(average_precision(Rows.of(positive[order], score[order], weights[order], whose)))
    assert len(found) == 1


def rows_of_ten(rng, far):
    """Ten classes with twelve rows each. Scores are a softmax of noise and the row's class."""
    y = np.repeat(np.arange(10), 12)
    raised = np.exp(far * (rng.normal(size=(120, 10)) + far * np.eye(10)[y]))
    return y, raised / raised.sum(axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("far", [0.7, 2.0, 5.0])
def test_limits_of_mean_rates_hold_as_often_as_they_say(far):
    rng, shares = np.random.default_rng(int(10 * far)), dict.fromkeys(range(10), 0.1)
    many = [rows_of_ten(rng, far) for _ in range(1000)]
    at, held = (20, 50), np.zeros((2, 2))
    truth = np.zeros((2, 2))
    for y, p in many:
        for i, t in enumerate(at):
            called = p >= THRESHOLDS[t]
            own = called[np.arange(120), y]
            truth[i, 1] += own.mean() / 1000
            truth[i, 0] += (1 - (called.sum() - own.sum()) / 1080) / 1000
    for y, p in many[:400]:
        found = mean_rates_of_classes(classes_of(y, p), shares)
        for i, t in enumerate(at):
            called = p >= THRESHOLDS[t]
            own = called[np.arange(120), y]
            means = 1 - (called.sum() - own.sum()) / 1080, own.mean()
            for label in (0, 1):
                low, high = mean_rate_limits(found, label, THRESHOLDS[t], means[label], 0.1)
                held[i, label] += low <= truth[i, label] <= high
    # Three standard errors for 400 samples.
    assert (held / 400 > 0.9 - 0.045).all(), held / 400


@pytest.mark.slow
@pytest.mark.parametrize(("share", "n", "far"), [(0.1, 120, 1), (0.02, 600, 2), (0.5, 60, 4)])
def test_limits_of_the_average_precision_hold_as_often_as_they_say(share, n, far):
    rng, held = np.random.default_rng(n), 0

    def of(n):
        y = rng.random(n) < share
        return Rows.of(y, rng.logistic(size=n) + far * y, np.ones(n), np.arange(n))

    truth = np.mean([average_precision(of(200_000)).value for _ in range(5)])
    for _ in range(1000):
        rows = of(n)
        while not rows.positive.any():
            rows = of(n)
        low, high = average_precision(rows).limits(0.1)
        held += low <= truth <= high
    assert held / 1000 > 0.9 - 0.03
