import itertools

import numpy as np
import pytest
from data import evaluation_from_scores
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, simulation
from conformal_roc_widget.evaluation import ideal_curve
from conformal_roc_widget.evaluation.ideal_curve import (
    CANDIDATES,
    Candidates,
    LabelledDraws,
    _Ascending,
    _law_of_gain,
    _sampled,
    _spans,
    false_positives_allowed,
)
from conformal_roc_widget.promise import NOTHING, Phrase

GRID = np.linspace(0, 1, 21)


def naive_rate(negatives, positives, fpr):
    """Largest share of positives at a threshold whose false positive rate is at most `fpr`."""
    cuts = [*negatives, *positives, np.inf]
    return max(
        np.mean(np.asarray(positives) >= cut)
        for cut in cuts
        if np.mean(np.asarray(negatives) >= cut) <= fpr + 1e-12
    )


def naive_area(zeros, ones):
    """Share of pairs in the right order. Ties count half."""
    apart = ones[:, None] - zeros
    return np.mean((apart > 0) + 0.5 * (apart == 0))


def naive_candidates(draws, n_test, rng):
    """For each candidate, logits of negatives and positives, and the positions of the points."""
    n, k = draws.shape
    for column in range(k):
        order = sorted(range(n), key=lambda i: draws[i, column])
        draw = draws[order, column]
        for s in range(column, CANDIDATES, k):
            law = rng.exponential(size=n)
            found = []
            for size, weights in zip(n_test, (law * expit(-draw), law * expit(draw)), strict=True):
                gaps = rng.exponential(size=size + 1)
                uniforms = [sum(gaps[: i + 1]) / sum(gaps) for i in range(size)]
                upto = weights.cumsum() / weights.sum()
                found.append([order[np.flatnonzero(upto > u)[0]] for u in uniforms])
            yield s, draws[found[0], column], draws[found[1], column], found


def test_candidates_are_those_that_are_sampled_one_by_one():
    """There are fewer draws than candidates, so several candidates share a draw."""
    rng = np.random.default_rng(5)
    draws = rng.normal(size=(30, 7)).round(1)
    score = rng.normal(size=12).round(1)
    n_test = (9, 5)
    found = Candidates.of(LabelledDraws(draws, draws[18:], score, NOTHING), n_test, GRID, seed=2)
    curves, gains = (np.random.default_rng([2, stream]) for stream in (3, 4))
    for s, zeros, ones, _ in naive_candidates(draws, n_test, curves):
        assert found.auc[s] == pytest.approx(naive_area(zeros, ones), abs=1e-12)
        naive = [naive_rate(zeros, ones, g) for g in GRID[::5]]
        np.testing.assert_allclose(found.tpr[s, ::5], naive, atol=1e-12)
    for s, zeros, ones, places in naive_candidates(draws[18:], n_test, gains):
        gain = naive_area(zeros, ones) - naive_area(*(score[at] for at in places))
        assert found.gain[s] == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("digits", [9, 0])
def test_runs_of_many_points_have_the_law_of_points_one_by_one(digits, monkeypatch):
    """Over the candidates: means, deviations and tails. Rates may differ by the share of one run."""
    rng = np.random.default_rng(4)
    truth = 1.5 * rng.normal(size=1_800)
    draws = (truth[:, None] + 0.2 * rng.normal(size=(1_800, 30))).round(digits)
    score = (truth + rng.normal(size=1_800)).round(digits)
    points = LabelledDraws(draws, draws, score, NOTHING)
    found = []
    for most in (0, np.inf):
        monkeypatch.setattr(ideal_curve, "MOST_ONE_BY_ONE", most)
        monkeypatch.setattr(ideal_curve, "RUNS", 300)
        found.append(Candidates.of(points, (2_000, 1_500), GRID, seed=1))
    for values, of_run in (
        (lambda of: of.tpr[:, :-1], 1 / 300),
        (lambda of: of.auc, 0),
        (lambda of: of.gain, 0),
    ):
        runs, single = (values(each) for each in found)
        deviation = single.std(axis=0)
        off = 4 * deviation * np.sqrt(2 / CANDIDATES)
        assert (abs(runs.mean(axis=0) - single.mean(axis=0)) <= off + of_run).all()
        assert (abs(runs.std(axis=0) - deviation) <= off + of_run).all()
        for level in (0.1, 0.9):
            end, sure = np.quantile(runs, level, axis=0), 4 * np.sqrt(0.18 / CANDIDATES)
            assert ((single < end - of_run).mean(axis=0) <= level + sure).all()
            assert ((single <= end + of_run).mean(axis=0) >= level - sure).all()


def test_runs_keep_equal_logits_together_and_are_in_the_order_of_logits():
    rng = np.random.default_rng(1)
    logits = np.concatenate([np.repeat([-1.0, 0.5], 700), rng.normal(size=3_000) / 4])
    runs = _Ascending.in_runs(logits)
    parts = np.split(logits[runs.order], runs.starts[1:])
    assert 500 < len(parts) < 1_100
    resolution = np.ptp(logits) / 2**16
    for before, after in itertools.pairwise(parts):
        assert before.max() < after.min() + resolution
    mixed = np.array([np.ptp(part) > resolution for part in parts])
    assert (runs.mixed >= mixed).all()
    alone = [len(part) >= 700 for part in parts]
    assert sum(alone) == 2
    assert not runs.mixed[alone].any()
    assert _Ascending.in_runs(np.zeros(5_000)).starts.tolist() == [0]


@pytest.mark.parametrize("size", [1, 2, 150, 209, 210, 10_000])
def test_gaps_of_a_sample_that_are_drawn_as_one_are_all_gaps_and_single_at_the_ends(size):
    spans = _spans(size)
    assert spans.sum() == size + 1
    at_end = min(100, (size + 1) // 2)
    assert (spans[:at_end] == 1).all()
    assert (spans[-at_end:] == 1).all()
    assert set(spans.tolist()) <= {1, 10}


def test_counts_of_a_sample_whose_gaps_are_drawn_as_one_have_the_binomial_law():
    size, rng = 2_000, np.random.default_rng(0)
    weights = rng.gamma(3.0, size=300)
    found = np.array([_sampled(weights, size, rng, _spans(size)) for _ in range(4_000)])
    assert (np.diff(found, axis=1) >= 0).all()
    assert (found[:, -1] == size).all()
    share = weights.cumsum()[:-1] / weights.sum()
    deviation = np.sqrt(size * share * (1 - share))
    error = found[:, :-1].mean(axis=0) - size * share
    assert (abs(error) <= 4.5 * deviation / np.sqrt(4_000)).all()
    # Counts are interpolated between drawn places, which loses a variance of at most 9 / 4.
    lost = deviation**2 - found[:, :-1].var(axis=0)
    assert (lost <= 9 / 4 + 0.1 * deviation**2).all()
    assert (lost >= -0.1 * deviation**2).all()


def positives_passed(levels, allowed):
    """From groups of equal logits, in descending order, the positives that may be called."""
    passed = 0
    for negatives, positives in levels:
        allowed -= negatives
        if allowed < 0:
            break
        passed += positives
    return passed


@pytest.mark.parametrize("mixed", [True, False])
def test_a_rate_within_a_mixed_step_is_the_mean_over_all_orders_of_its_sample(mixed):
    zeros, ones, steps = np.array([1, 3, 4]), np.array([2, 5, 6]), np.arange(3)
    drawn = _Ascending(steps, steps, steps, steps, np.array([False, mixed, False]))
    orders = itertools.permutations([(1, 0)] * 2 + [(0, 1)] * 3) if mixed else [[(2, 3)]]
    samples = [[(1, 1), *middle, (1, 2)] for middle in orders]
    wanted = [np.mean([positives_passed(each, k) for each in samples]) / 6 for k in range(5)]
    assert drawn.rates(zeros, ones, np.arange(5)) == pytest.approx(wanted)


def test_the_law_of_a_gain_is_that_of_small_changes_of_each_weight():
    rng = np.random.default_rng(7)
    draw, score = rng.normal(size=(2, 25)).round(1)
    pi, sizes = expit(draw), (90, 70)

    def gain(ones, zeros):
        """Gain in AUC, from points that count as positives and as negatives by weight."""
        of_pairs = np.outer(ones / ones.sum(), zeros / zeros.sum())
        apart = [np.sign(each[:, None] - each) / 2 for each in (draw, score)]
        return (of_pairs * (apart[0] - apart[1])).sum()

    step = 1e-6 * np.eye(25)
    slopes = [
        np.array([gain(*more) - gain(*less) for more, less in changes]) / 2e-6
        for changes in (
            [((pi + each, 1 - pi), (pi - each, 1 - pi)) for each in step],
            [((pi, 1 - pi + each), (pi, 1 - pi - each)) for each in step],
            [
                ((pi * (1 + each), (1 - pi) * (1 + each)), (pi * (1 - each), (1 - pi) * (1 - each)))
                for each in [row / row.max() * 1e-6 for row in step]
            ],
        )
    ]
    # A sample contains each point with its probability. The exponential weights have variance 1.
    of_ones = pi.sum() * (slopes[0] ** 2 @ pi) / sizes[1]
    of_zeros = (1 - pi).sum() * (slopes[1] ** 2 @ (1 - pi)) / sizes[0]
    variance = of_ones + of_zeros + slopes[2] @ slopes[2]
    found = _law_of_gain(_Ascending.of(draw), _Ascending.of(score), pi, sizes)
    assert found == pytest.approx((gain(pi, 1 - pi), np.sqrt(variance)), rel=1e-5)


def test_a_rate_of_a_grid_allows_its_own_count():
    for n in (7, 49, 100, 499):
        assert false_positives_allowed(np.arange(n + 1) / n, n).tolist() == list(range(n + 1))


@pytest.fixture(scope="module")
def candidates():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=300) * 1.5
    draws = truth[:, None] + 0.3 * rng.normal(size=(1, 20)) + 0.2 * rng.normal(size=(300, 20))
    points = LabelledDraws(draws, draws[150:], truth[150:], Phrase.of("the draws are right"))
    return Candidates.of(points, (60, 40), GRID)


def test_the_pointwise_limits_are_quantiles_over_candidates(candidates):
    found = candidates.at(0.1)
    assert candidates.tpr.shape == (CANDIDATES, GRID.size)
    np.testing.assert_allclose(found.tpr_lower, np.quantile(candidates.tpr, 0.05, axis=0))
    np.testing.assert_allclose(found.tpr_median, np.median(candidates.tpr, axis=0))
    np.testing.assert_allclose(found.tpr_upper, np.quantile(candidates.tpr, 0.95, axis=0))
    assert found.auc == pytest.approx(tuple(np.quantile(candidates.auc, [0.5, 0.05, 0.95])))
    assert found.gain == pytest.approx(tuple(np.quantile(candidates.gain, [0.5, 0.05, 0.95])))


@pytest.mark.parametrize("alpha", [0.5, 0.2, 0.05, 0.001])
def test_the_wanted_share_of_whole_candidates_stays_within_the_simultaneous_limits(
    candidates, alpha
):
    found = candidates.at(alpha)
    lower, upper = found.simultaneous_lower, found.simultaneous_upper
    inside = ((candidates.tpr >= lower) & (candidates.tpr <= upper)).all(axis=1).mean()
    assert inside >= 1 - alpha
    # The truth counts as one more candidate. So a limit is one rank further out than the tightest
    # limits that contain enough candidates.
    columns = np.sort(candidates.tpr, axis=0)
    depth = 1
    for deeper in range(2, CANDIDATES // 2):
        within = (candidates.tpr >= columns[deeper - 1]) & (candidates.tpr <= columns[-deeper])
        if within.all(axis=1).sum() < (1 - alpha) * (CANDIDATES + 1):
            break
        depth = deeper
    if depth == 1:
        assert (lower.max(), upper.min()) == (0, 1)
    else:
        np.testing.assert_array_equal(lower, columns[depth - 2])
        np.testing.assert_array_equal(upper, columns[1 - depth])


def test_a_curve_more_is_within_the_simultaneous_limits_as_often_as_they_say():
    """Curves with independent rates at many points, where a curve's own rank matters most."""
    rng = np.random.default_rng(8)
    inside = []
    for _ in range(60):
        tpr = rng.random((CANDIDATES, 40))
        none = np.zeros(CANDIDATES)
        found = Candidates(np.linspace(0, 1, 40), tpr, none, none, NOTHING).at(0.1)
        more = rng.random((400, 40))
        within = (more >= found.simultaneous_lower) & (more <= found.simultaneous_upper)
        inside.append(within.all(axis=1).mean())
    assert np.mean(inside) >= 0.9


def test_a_reference_that_is_known_leaves_the_test_set_and_the_points_alone_uncertain():
    # Two points with pi = 1/2: every curve differs from the chance line by luck only.
    draws = np.full((50, 1), 0.0)
    points = LabelledDraws(draws, draws, np.zeros(50), Phrase.of("pi is one half everywhere"))
    found = Candidates.of(points, (10, 10), GRID).at(0.05)
    # All logits are equal, so all points are called positive at the same threshold.
    assert found.tpr_upper.tolist() == [0.0] * 20 + [1.0]
    assert found.auc == (0.5, 0.5, 0.5)
    assert found.gain == (0.0, 0.0, 0.0)


def test_the_candidates_are_the_same_each_time_and_the_words_name_what_they_are(candidates):
    found = candidates.at(0.05)
    assert "95 %" in found.guarantee
    assert "if the draws are right" in found.guarantee
    assert "credible, not conformal" in found.guarantee
    assert "on a test set like this one" in found.target
    frame = found.to_frame()
    assert list(frame) == [
        *("fpr", "tpr_median", "tpr_lower", "tpr_upper"),
        *("simultaneous_lower", "simultaneous_upper"),
    ]
    with pytest.raises(ValueError, match="read-only"):
        found.tpr_lower[0] = 0


def test_labels_that_belong_to_the_draw_are_needed(rng):
    """If pi is known and labels come from it, the mean area of the candidates is the ideal area."""
    truth = rng.normal(size=4_000) * 1.5
    points = LabelledDraws(truth[:, None], truth[:, None], truth, "")
    found = Candidates.of(points, (2_000, 2_000), GRID)
    order = np.argsort(truth)
    p = expit(truth[order])
    below = np.cumsum(1 - p) - (1 - p) / 2
    ideal = (p * below).sum() / (p.sum() * (1 - p).sum())
    assert found.auc.mean() == pytest.approx(ideal, abs=4 * found.auc.std() / np.sqrt(CANDIDATES))


@pytest.fixture(scope="module")
def evaluation():
    X, y, _ = simulation.draw("missing_interaction", 400, np.random.default_rng(3), value=1.5)
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0)
    return model.fit(X[:250], y[:250]).evaluate(X[250:], y[250:])


def test_an_evaluation_with_a_posterior_gives_the_curve_at_any_alpha_and_rate(evaluation):
    found = evaluation.ideal_curve(0.1)
    np.testing.assert_array_equal(found.fpr, np.linspace(0, 1, 101))
    assert (found.tpr_lower <= found.tpr_median).all()
    assert (found.tpr_median <= found.tpr_upper).all()
    assert (found.simultaneous_lower <= found.tpr_lower).all()
    assert (found.tpr_upper <= found.simultaneous_upper).all()
    assert found.auc.lower < found.auc.median < found.auc.upper
    some = evaluation.ideal_curve(0.1, fpr=[0.25, 0.5])
    np.testing.assert_array_equal(some.tpr_lower, found.tpr_lower[[25, 50]])
    assert some.auc == found.auc
    wider = evaluation.ideal_curve(0.01)
    assert (wider.tpr_lower <= found.tpr_lower).all()
    assert "if π can be learned from the features" in found.guarantee


@pytest.mark.parametrize("reference", ["kernel", "score"])
def test_a_reference_without_draws_says_which_one_has_them(rng, reference):
    X = rng.normal(size=(120, 2))
    y = np.resize([0, 1], 120)
    model = ConformalROC(LogisticRegression(), reference=reference, random_state=0)
    evaluation = model.fit(X[:80], y[:80]).evaluate(X[80:], y[80:])
    with pytest.raises(ValueError, match="choose reference='sharp'"):
        evaluation.ideal_curve()


def test_scores_alone_say_that_the_curve_is_the_classifiers_own():
    with pytest.raises(ValueError, match="its curve is the classifier's own"):
        evaluation_from_scores(1).ideal_curve()


@pytest.mark.parametrize("fpr", [[-0.1], [1.1], [], ["a"]])
def test_rates_that_are_none_are_refused(evaluation, fpr):
    with pytest.raises((TypeError, ValueError), match=r"fpr: (found|expected)"):
        evaluation.ideal_curve(fpr=fpr)
