"""The distances of Algorithm 2, each with a loop that defines it."""

import numpy as np
import oracles
from scipy.special import expit

BETA = (1.0, -0.8, 0.5)


def truth(X):
    return expit(0.3 + np.asarray(X, dtype=float) @ np.array(BETA))


def manhattan(a, b):
    return float(sum(abs(u - v) for u, v in zip(a, b, strict=True)))


def tilted(a, b):
    return float(abs(a[0] - b[0]) + 2 * abs(a[2] - b[2]))


#: The distances of the interface. Each has a loop that defines it, given the training rows and the
#: classifier's logit.
DISTANCES = {
    "standardized": ("standardized", lambda X, L: oracles.standardized_distance(X)),
    "score": ("score", lambda X, L: lambda a, b: abs(L(a) - L(b))),
    "metric": ("manhattan", lambda X, L: manhattan),
    "callable": (tilted, lambda X, L: tilted),
    "vector": (np.array(BETA), lambda X, L: oracles.projected_distance(BETA)),
    "list": (list(BETA), lambda X, L: oracles.projected_distance(BETA)),
    "matrix": (
        np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]]),
        lambda X, L: oracles.projected_distance([[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]]),
    ),
}
