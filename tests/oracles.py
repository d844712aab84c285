"""The paper, loop by loop.

These functions are slow and plain, and independent of the package: nothing here imports it. Every
function is written from the equation or algorithm that it names, with Python loops, `math` and
`Fraction`.
"""

import math
from fractions import Fraction

INF = math.inf
#: If two logits are closer than this, their comparison is undecided, because rounding may change
#: the result.
SLACK = 1e-9


def logit(p):
    if p <= 0:
        return -INF
    if p >= 1:
        return INF
    return math.log(p) - math.log1p(-p)


def expit(x):
    if x >= 0:
        return 1 / (1 + math.exp(-x)) if x < 800 else 1.0
    return math.exp(x) / (1 + math.exp(x)) if x > -800 else 0.0


def clipped_logit(p):
    """logit p. For exactly 0 and 1, beyond the logits of all other floats."""
    return {0: -745.0, 1: 745.0}[p] if p in (0, 1) else logit(p)


# Section 2.2: the order statistics


def exact(alpha):
    """The decimal number that the caller wrote."""
    return alpha if isinstance(alpha, Fraction) else Fraction(str(alpha))


def ranks(n, alpha, rule="paper"):
    """The two ranks, from 1. 0 stands for -inf and n + 1 for +inf."""
    a = exact(alpha)
    if rule == "paper":
        low = math.floor(a * (n + 1) / 2) - 1
        up = math.floor((1 - a / 2) * (n + 1))
    else:
        low = math.floor(a * (n + 1) / 2)
        up = n + 1 - low
    low, up = max(low, 0), min(up, n + 1)
    if Fraction(up - low, n + 1) < 1 - a:
        return 0, n + 1
    return low, up


def conformal_quantiles(residuals, alpha, rule="paper"):
    ordered = [-INF, *sorted(float(r) for r in residuals), INF]
    low, up = ranks(len(ordered) - 2, alpha, rule)
    return ordered[low], ordered[up]


def guaranteed_coverage(n, alpha, rule="paper"):
    low, up = ranks(n, alpha, rule)
    return Fraction(up - low, n + 1)


# Equation (tilde_pi): the kernel reference


def sample_sd(values):
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))


def bandwidths(X_train, bandwidth="silverman"):
    """The features that are not constant, and h_j for each."""
    n = len(X_train)
    columns = [[float(row[j]) for row in X_train] for j in range(len(X_train[0]))]
    kept = [j for j, column in enumerate(columns) if max(column) > min(column)]
    d = len(kept)
    sds = [sample_sd(columns[j]) for j in kept]
    if bandwidth == "silverman":
        return kept, [s * (n * (d + 2) / 4) ** (-1 / (d + 4)) for s in sds]
    if bandwidth == "scott":
        return kept, [s * n ** (-1 / (d + 4)) for s in sds]
    if isinstance(bandwidth, float):
        return kept, [s * bandwidth for s in sds]
    return kept, [float(h) for h in bandwidth]


def log_kernels(X_train, x, kept, h):
    """log K_h(x_i, x) of every training row: the Gaussian product kernel."""
    return [
        -sum(((float(row[j]) - float(x[j])) / hj) ** 2 for j, hj in zip(kept, h, strict=True)) / 2
        for row in X_train
    ]


def log_sum_exp(values):
    if not values:
        return -INF
    top = max(values)
    return top + math.log(math.fsum(math.exp(v - top) for v in values))


def kernel_logit_at(X_train, y_train, x, kept, h, skip=None):
    """L_pi~(x) of equation (tilde_pi). `skip` is a training row to leave out."""
    logs = log_kernels(X_train, x, kept, h)
    sums = {
        k: log_sum_exp(
            [v for i, (v, y) in enumerate(zip(logs, y_train, strict=True)) if y == k and i != skip]
        )
        for k in (0, 1)
    }
    return sums[1] - sums[0]


def kernel_logit(X_train, y_train, X, bandwidth="silverman"):
    kept, h = bandwidths(X_train, bandwidth)
    return [kernel_logit_at(X_train, y_train, x, kept, h) for x in X]


def leave_one_out_logit(X, y, kept, h):
    return [kernel_logit_at(X, y, x, kept, h, skip=i) for i, x in enumerate(X)]


def leave_one_out_log_likelihood(X, y, c):
    """The sum that bandwidth="cv" maximizes over c: logs of leave-one-out probabilities of the
    observed labels.
    """
    kept, h = bandwidths(X, float(c))
    total = 0.0
    for value, label in zip(leave_one_out_logit(X, y, kept, h), y, strict=True):
        margin = value if label == 1 else -value
        total += (
            -math.log1p(math.exp(-margin)) if margin > 0 else margin - math.log1p(math.exp(margin))
        )
    return total


def effective_n(X_train, x, kept, h):
    """(sum K)^2 / sum K^2, scaled by the largest K so that nothing underflows."""
    logs = log_kernels(X_train, x, kept, h)
    top = max(logs)
    weights = [math.exp(v - top) for v in logs]
    return math.fsum(weights) ** 2 / math.fsum(w * w for w in weights)


def logistic_slope(x, y, steps=100):
    """Maximum likelihood of logit P(y=1) = a + b x by Newton's method: b and its standard error."""
    a = b = 0.0
    for _ in range(steps):
        p = [expit(a + b * v) for v in x]
        ga = math.fsum(t - q for t, q in zip(y, p, strict=True))
        gb = math.fsum((t - q) * v for t, q, v in zip(y, p, x, strict=True))
        haa = math.fsum(q * (1 - q) for q in p)
        hab = math.fsum(q * (1 - q) * v for q, v in zip(p, x, strict=True))
        hbb = math.fsum(q * (1 - q) * v * v for q, v in zip(p, x, strict=True))
        det = haa * hbb - hab * hab
        a += (hbb * ga - hab * gb) / det
        b += (haa * gb - hab * ga) / det
    return b, math.sqrt(haa / det)


# From scores alone: the kernel on the score's logit, leave-one-out over the calibration set


def score_bandwidth(scores, bandwidth="silverman"):
    """h on the logits. Scores of exactly 0 or 1 are not used for it."""
    _, h = bandwidths([[logit(p)] for p in scores if p not in (0, 1)], bandwidth)
    return h


def residuals_from_scores(y, scores, bandwidth="silverman"):
    """R~ = L_pi~ - L_p for each label, sorted."""
    logits = [clipped_logit(p) for p in scores]
    reference = leave_one_out_logit(
        [[v] for v in logits], y, [0], score_bandwidth(scores, bandwidth)
    )
    return split_residuals(reference, logits, y)


def split_residuals(reference, logits, y):
    """Algorithm 1, line 3."""
    return {
        k: sorted(r - v for r, v, t in zip(reference, logits, y, strict=True) if t == k)
        for k in (0, 1)
    }


# Algorithm 1: intervals, limits, curves


def interval(value, quantiles):
    """Algorithm 1, line 4."""
    return expit(value + quantiles[0]), expit(value + quantiles[1])


def rate(scores, labels, k, threshold):
    """TPR (k = 1) or FPR (k = 0) as in section 2.1."""
    group = [p for p, y in zip(scores, labels, strict=True) if y == k]
    return sum(p >= threshold for p in group) / len(group)


def limit_count(shifted, threshold, threshold_logit=None):
    """Algorithm 1, line 6: how many of the shifted logits L + q lie above the threshold.

    The answer is a pair (at least, at most), which differ only where rounding decides.
    """
    if threshold >= 1:
        return 0, 0
    if threshold < 0:
        return len(shifted), len(shifted)
    cut = logit(threshold) if threshold_logit is None else threshold_logit
    if math.isinf(cut):
        count = sum(v > cut for v in shifted)
        return count, count
    return sum(v > cut + SLACK for v in shifted), sum(v > cut - SLACK for v in shifted)


def auc_range(positives, negatives):
    """Twice the number of pairs in which the positive ranks above the negative, ties counting one:

    (at least, at most).
    """
    least = most = 0
    for a in positives:
        for b in negatives:
            if a == b and math.isinf(a):
                outcomes = (1,)
            elif abs(a - b) <= SLACK:
                outcomes = (0, 1, 2)
            else:
                outcomes = (2 * (a > b),)
            least += min(outcomes)
            most += max(outcomes)
    return least, most


def auc(scores, labels):
    """The share of pairs of a positive and a negative in the right order. Ties count half."""
    positives = [p for p, y in zip(scores, labels, strict=True) if y == 1]
    negatives = [p for p, y in zip(scores, labels, strict=True) if y == 0]
    wins = sum(2 * (a > b) + (a == b) for a in positives for b in negatives)
    return wins / (2 * len(positives) * len(negatives))


def operating_point(scores, labels, threshold):
    """Table 1 of the paper."""
    table = dict.fromkeys(("tp", "fp", "tn", "fn"), 0)
    for p, y in zip(scores, labels, strict=True):
        table[("tp" if y == 1 else "fp") if p >= threshold else ("fn" if y == 1 else "tn")] += 1
    return table


# Algorithm 2: neighbourhoods


def standardized_distance(X_train):
    """Euclidean distance of the features, divided by the training part's standard deviations."""
    sds = [sample_sd([float(row[j]) for row in X_train]) for j in range(len(X_train[0]))]
    return lambda a, b: math.sqrt(
        sum(((float(u) - float(v)) / s) ** 2 for u, v, s in zip(a, b, sds, strict=True))
    )


def projected_distance(projection):
    """Euclidean distance of x @ projection. A vector is a projection on one direction."""
    columns = (
        [list(c) for c in zip(*projection, strict=True)]
        if hasattr(projection[0], "__len__")
        else [list(projection)]
    )

    def distance(a, b):
        return math.sqrt(
            sum(
                sum(w * (float(u) - float(v)) for w, u, v in zip(c, a, b, strict=True)) ** 2
                for c in columns
            )
        )

    return distance


def neighbourhood(distances, size):
    """Algorithm 2, line 2: the points within the size-th smallest distance, ties included.

    Distances that differ by rounding alone are ties: 2/s - 1/s is 1/s for a reader.
    """
    if size >= len(distances):
        return list(range(len(distances)))
    radius = sorted(distances)[size - 1]
    return [i for i, value in enumerate(distances) if value <= radius + SLACK]


def localized_quantiles(residuals, y, members, k, alpha, rule="paper"):
    """Algorithm 2, line 4, for one test point of label k."""
    return conformal_quantiles([residuals[i] for i in members if y[i] == k], alpha, rule)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


# Section 3.3: several classes


def read_at(fpr, curve, g):
    """A curve at false positive rate g: read at the smallest threshold with FPR at most g
    (thresholds descend).
    """
    value = None
    for x, y in zip(fpr, curve, strict=True):
        if x <= g:
            value = y
    return value


def averaged(bands, weights, grid):
    """Rows (tpr, tpr_lower, tpr_upper) of the weighted average at each FPR of the grid."""
    rows = []
    for g in grid:
        rows.append(
            tuple(
                math.fsum(
                    weights[name] * read_at(band.fpr, getattr(band, field), g)
                    for name, band in bands.items()
                )
                for field in ("tpr", "tpr_lower", "tpr_upper")
            )
        )
    return rows


def expected_cost(fpr, tpr, share, cost):
    """Expected cost per row in false alarms, for a given prevalence and cost of a miss."""
    return cost * share * (1 - tpr) + (1 - share) * fpr
