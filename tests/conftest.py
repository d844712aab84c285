import os
from datetime import timedelta

import documents
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# Programs that tests start by name come from the environment, as under make.
os.environ["PATH"] = documents.tool("programs").environment_first(os.environ["PATH"])


def profile(name, examples):
    """Settings of hypothesis: the same examples in every run, and a deadline only for tests that
    hang.
    """
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
    """If the slow tests are selected, every property is tested in depth.

    `-m ""` selects them, as in `make test-all`.
    """
    settings.load_profile("repeatable" if config.option.markexpr else "in depth")


@pytest.fixture(autouse=True, scope="module")
def _seeded_module():
    np.random.seed(0)  # noqa: NPY002 (where scikit-learn draws from for random_state=None)


@pytest.fixture(autouse=True)
def _seeded():
    """Seeds numpy, so that tests without a random_state get the same splits in every run."""
    np.random.seed(0)  # noqa: NPY002 (where scikit-learn draws from for random_state=None)


@pytest.fixture
def rng():
    return np.random.default_rng(20240611)


@pytest.fixture
def one_learner(monkeypatch):
    """Replaces the learned reference by its fastest learner in tests that are not about it."""
    from conformal_roc_widget.calibration.references import learned_scores

    monkeypatch.setattr(learned_scores, "LEARNERS", learned_scores.LEARNERS[:1])
