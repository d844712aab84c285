"""Widgets with comparators, closed after each test."""

import pytest
from comparator_widgets import threads, wait_until

from conformal_roc_widget import ROCWidget


@pytest.fixture
def make():
    """Makes widgets, and closes them."""
    made = []

    def widget(shown, *keys, **settings):
        made.append(ROCWidget(shown, comparators=keys, **settings))
        return made[-1]

    yield widget
    for each in made:
        each.close()
    wait_until(lambda: not threads())
