import numpy as np
import pytest
from hypothesis import settings

settings.register_profile(
    "repeatable", derandomize=True, database=None, deadline=None, max_examples=60
)
settings.load_profile("repeatable")


@pytest.fixture
def rng():
    return np.random.default_rng(20240611)
