"""Properties of every band, for tests with arbitrary numbers."""

import numpy as np

RATES = ("fpr_lower", "fpr", "fpr_upper", "tpr_lower", "tpr", "tpr_upper")


def check_band(band, low=0, high=1):
    """Asserts that limits are rates, in order and monotone over the thresholds.

    If scores are probabilities, none of them is outside `low` and `high`.
    """
    for name in RATES:
        rates = getattr(band, name)
        assert ((rates >= 0) & (rates <= 1)).all(), name
        assert (np.diff(rates) >= 0).all(), f"{name} falls as the threshold falls"
    assert (band.thresholds[1:] <= band.thresholds[:-1]).all()
    assert (band.fpr_lower <= band.fpr_upper).all()
    assert (band.tpr_lower <= band.tpr_upper).all()
    for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        assert (getattr(band, name)[band.thresholds >= high] == 0).all()
        assert (getattr(band, name)[band.thresholds < low] == 1).all()
