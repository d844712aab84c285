"""Without rocci."""

import sys

import pytest
from comparator_cases import BANDS
from data import scored


@pytest.mark.parametrize("band", ["simultaneous", "working_hotelling"])
def test_without_rocci_the_error_says_what_to_install(band, monkeypatch, rng):
    for name in list(sys.modules):
        if name.partition(".")[0] == "rocci":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rocci", None)
    with pytest.raises(ImportError, match=r"rocci.*pip install"):
        BANDS[band](*scored(rng, 20))
