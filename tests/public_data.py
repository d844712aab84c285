"""Public data on which R's pROC was run; ``python tests/public_data.py`` prints them for fixtures/proc.R."""

import sys

import numpy as np
from sklearn.datasets import load_breast_cancer

#: American National Election Study 1996 (public domain; in statsmodels as anes96). Rows are
#: parties, from 0 (strong Democrat) to 6 (strong Republican). Columns are self-placements from left
#: to right, 1 to 7. Counts of people who intend to vote for Clinton, and for Dole.
CLINTON = [
    [7, 61, 44, 53, 16, 13, 3],
    [5, 22, 54, 59, 19, 9, 1],
    [3, 12, 27, 39, 16, 3, 1],
    [0, 2, 3, 15, 3, 2, 1],
    [0, 2, 3, 6, 10, 1, 2],
    [0, 0, 5, 10, 7, 4, 0],
    [0, 1, 0, 1, 2, 3, 1],
]
DOLE = [
    [0, 0, 0, 1, 1, 1, 0],
    [0, 1, 1, 4, 3, 2, 0],
    [0, 0, 1, 4, 2, 0, 0],
    [1, 0, 2, 4, 4, 0, 0],
    [0, 0, 1, 21, 20, 24, 4],
    [0, 1, 4, 24, 45, 44, 6],
    [0, 1, 2, 15, 22, 112, 15],
]


def election():
    """Vote for Dole, self-placement and party, with many ties."""
    counts = np.array([CLINTON, DOLE])
    vote, party, place = np.repeat(
        np.stack(np.indices(counts.shape), axis=-1).reshape(-1, 3), counts.ravel(), axis=0
    ).T
    return vote, place + 1.0, party.astype(float)


def tumours(first, second, rows=slice(None)):
    """Malignant or not (Wisconsin breast cancer data), and two features."""
    data = load_breast_cancer()
    names = list(data.feature_names)
    return (
        1 - data.target[rows],
        data.data[rows, names.index(first)],
        data.data[rows, names.index(second)],
    )


#: By name: labels (0 and 1), a score, another score.
CASES = {
    "tumours: texture, symmetry": tumours("mean texture", "mean symmetry"),
    "tumours: radius, smoothness": tumours("mean radius", "mean smoothness"),
    "40 tumours: symmetry, texture": tumours("mean symmetry", "mean texture", slice(40)),
    "5 malignant: fractal, symmetry": tumours(
        "mean fractal dimension", "mean symmetry", np.r_[14:22, 46, 48:51]
    ),
    "election: place, party": election(),
}

if __name__ == "__main__":
    sys.stdout.write("case;y;a;b\n")
    for name, columns in CASES.items():
        for y, a, b in zip(*columns, strict=True):
            sys.stdout.write(f"{name};{y};{float(a)!r};{float(b)!r}\n")
