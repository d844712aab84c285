"""An evaluation, its widget, and widgets with comparators that are closed after each test."""

import pytest
from comparator_widgets import threads, wait_until
from data import evaluation_from_scores

from conformal_roc_widget import ROCWidget


@pytest.fixture
def evaluation():
    return evaluation_from_scores(1)


@pytest.fixture
def widget(evaluation):
    return ROCWidget(evaluation)


@pytest.fixture
def make():
    """Makes widgets, and closes them after the test."""
    made = []

    def widget(shown, *keys, **settings):
        made.append(ROCWidget(shown, comparators=keys, **settings))
        return made[-1]

    yield widget
    for each in made:
        each.close()
    wait_until(lambda: not threads())
