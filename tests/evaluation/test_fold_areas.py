"""The mean area of folds against the estimator written row by row."""

import math

import numpy as np
import pytest
from data import scored
from scipy import special, stats
from sklearn.metrics import roc_auc_score

from conformal_roc_widget.comparators import mean_auc_interval


def row_by_row(folds, alpha):
    """LeDell, Petersen and van der Laan (2015), as cvAUC's ci.cvAUC computes it."""
    y_all = [t for y, _ in folds for t in y]
    n, n1 = len(y_all), sum(y_all)
    squares, areas = [], []
    for y, score in folds:
        rows = list(zip(y, score, strict=True))
        auc = roc_auc_score(y, score)
        of_fold = []
        for t, s in rows:
            others = [v for u, v in rows if u != t]
            if t:
                share = sum((v < s) + (v == s) / 2 for v in others) / len(others)
                of_fold.append(((share - auc) * n / n1) ** 2)
            else:
                share = sum((v > s) + (v == s) / 2 for v in others) / len(others)
                of_fold.append(((share - auc) * n / (n - n1)) ** 2)
        squares.append(sum(of_fold) / len(of_fold))
        areas.append(auc)
    mean = sum(areas) / len(areas)
    half = stats.norm.isf(alpha / 2) * math.sqrt(sum(squares) / len(squares) / n)
    return mean, max(mean - half, 0), min(mean + half, 1)


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_limits_are_those_of_the_estimator_row_by_row(alpha, rng):
    folds = [scored(rng, n) for n in (31, 40, 25)]
    folds[1] = folds[1][0], folds[1][1].round(1)  # ties
    found = mean_auc_interval(folds, alpha)
    assert tuple(found) == pytest.approx(row_by_row(folds, alpha), abs=1e-12)
    assert "training set" in found.guarantee


def placed(folds):
    """Contribution of each row, around the mean over all rows of its label, by counting."""
    rows = {0: [], 1: []}
    for fold, (y, score) in enumerate(folds):
        for i, (t, s) in enumerate(zip(y, score, strict=True)):
            others = score[y != t]
            above = (others < s) if t else (others > s)
            rows[t].append(((fold, i), float((above + (others == s) / 2).mean())))
    return {
        k: [(at, (v - np.mean([u for _, u in of])) / len(of)) for at, v in of]
        for k, of in rows.items()
    }


def around_all(folds, groups, alpha):
    """Obuchowski's variance over all folds, person by person, with Satterthwaite's degrees of
    freedom.
    """
    sums, n = {0: {}, 1: {}}, {}
    for k, rows in placed(folds).items():
        for (fold, i), value in rows:
            who = groups[fold][i]
            sums[k][who] = sums[k].get(who, 0.0) + value
        n[k] = len(sums[k])
    shares = [n[k] / (n[k] - 1) * sum(v**2 for v in sums[k].values()) for k in (0, 1)]
    both = sum(v * sums[1].get(who, 0.0) for who, v in sums[0].items())
    people = len(set(sums[0]) | set(sums[1]))
    variance = sum(shares) + 2 * people / (people - 1) * both
    df = sum(shares) ** 2 / sum(s**2 / (n[k] - 1) for k, s in enumerate(shares))
    mean = float(np.mean([roc_auc_score(*fold) for fold in folds]))
    half = stats.t.isf(alpha / 2, df) * math.sqrt(variance) / (mean * (1 - mean))
    return mean, *special.expit(special.logit(mean) + np.array([-half, half]))


def one_by_one(folds):
    return [[(fold, i) for i in range(y.size)] for fold, (y, _) in enumerate(folds)]


@pytest.mark.parametrize("positives", [1, 2, 9])
def test_few_rows_of_a_label_in_a_fold_are_taken_around_the_mean_of_all(positives, rng):
    y = np.resize(0, 30 + positives)
    y[:positives] = 1
    folds = [(y, (rng.normal(size=y.size) + y).round(1)) for _ in range(4)]
    found = mean_auc_interval(folds, 0.1)
    assert tuple(found) == pytest.approx(around_all(folds, one_by_one(folds), 0.1), abs=1e-12)
    assert "all folds" in found.method


def test_rows_of_one_person_count_together(rng):
    folds = [scored(rng, n) for n in (60, 80, 44)]
    who = [np.arange(y.size) // 4 + 100 * i for i, (y, _) in enumerate(folds)]
    found = mean_auc_interval(folds, 0.2, groups=who)
    assert tuple(found) == pytest.approx(around_all(folds, who, 0.2), abs=1e-12)
    # People are named by strings. In the second call each row is its own person.
    names = [[f"p{person}" for person in of] for of in who]
    assert mean_auc_interval(folds, 0.2, groups=names) == found
    alone = mean_auc_interval(
        folds, 0.2, groups=[[str(each) for each in of] for of in one_by_one(folds)]
    )
    assert alone == mean_auc_interval(folds, 0.2)


def test_ten_copies_of_each_row_tell_no_more_than_one(rng):
    """Sixty people: copies do not change the width.

    Ten times as many independent rows would reduce it by a third.
    """
    folds = [scored(rng, 12) for _ in range(5)]
    who = [np.arange(12) + 100 * i for i in range(5)]
    once = mean_auc_interval(folds)
    ten = [(np.repeat(y, 10), np.repeat(s, 10)) for y, s in folds]
    again = mean_auc_interval(ten, groups=[np.repeat(each, 10) for each in who])
    assert tuple(again) == pytest.approx(tuple(once), abs=1e-12)
    assert np.ptp(mean_auc_interval(ten)[1:]) < 0.5 * np.ptp(once[1:])


def test_folds_that_are_separated_have_the_width_that_pairs_give():
    y = np.array([0, 0, 0, 1, 1])
    folds = [(y, y + 0.1 * np.arange(5.0))] * 3
    least = stats.binomtest(6, 6).proportion_ci(0.95, "exact").low
    with pytest.warns(UserWarning, match="no variance .* pairs"):
        found = mean_auc_interval(folds)
    assert tuple(found) == pytest.approx((1, least, 1))
    assert "independent pairs" in found.method
    assert found.guarantee.startswith("at least 95 % for every sample size, if more data come")
    large = [(np.repeat(y, 20), np.repeat(y, 20) + 0.0)] * 2
    with pytest.warns(UserWarning, match="no variance"):
        assert mean_auc_interval(large).lower == pytest.approx(0.025 ** (1 / 80))


def test_groups_of_folds_are_refused_by_their_number(rng):
    folds = [scored(rng, 30), scored(rng, 40)]
    with pytest.raises(ValueError, match="groups: found 1 folds, expected 2"):
        mean_auc_interval(folds, groups=[np.arange(30)])
    with pytest.raises(ValueError, match=r"groups\[1\]"):
        mean_auc_interval(folds, groups=[np.arange(30), np.arange(39)])
    with pytest.raises(ValueError, match="groups: found a label in one group only"):
        mean_auc_interval(folds, groups=[np.where(y == 1, 0, np.arange(y.size)) for y, _ in folds])


def test_folds_are_refused_by_their_number(rng):
    one, other = scored(rng, 30), scored(rng, 30)
    with pytest.raises(ValueError, match="folds: found 1, expected at least two"):
        mean_auc_interval([one])
    with pytest.raises(ValueError, match=r"folds\[1\]: y: found 1 distinct"):
        mean_auc_interval([one, (np.ones(30), other[1])])
