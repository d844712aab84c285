import os
from datetime import timedelta

import documents
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# What a program of the tests starts by name is the environment's, as under make.
os.environ["PATH"] = documents.tool("programs").environment_first(os.environ["PATH"])


def profile(name, examples):
    """The same examples in every run; the deadline is there for what hangs, not for what is slow."""
    settings.register_profile(
        name,
        derandomize=True,
        database=None,
        deadline=timedelta(seconds=30),
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=examples,
    )


profile("repeatable", 60)
profile("in depth", 1400)


def pytest_configure(config):
    """Whoever asks for the slow tests too (`-m ""`, as `make test-all`) gets every property in depth."""
    settings.load_profile("repeatable" if config.option.markexpr else "in depth")


@pytest.fixture(autouse=True, scope="module")
def _seeded_module():
    np.random.seed(0)  # noqa: NPY002 (where scikit-learn draws from for random_state=None)


@pytest.fixture(autouse=True)
def _seeded():
    """The same splits in every run, where a test gives no random_state: one in thousands has equal scores alone."""
    np.random.seed(0)  # noqa: NPY002 (where scikit-learn draws from for random_state=None)


@pytest.fixture
def rng():
    return np.random.default_rng(20240611)


@pytest.fixture
def one_learner(monkeypatch):
    """The learned reference by its quickest learner, where a test is not about what it learns."""
    from conformal_roc_widget.calibration.references import learned_scores

    monkeypatch.setattr(learned_scores, "LEARNERS", learned_scores.LEARNERS[:1])
