"""Notebooks under test: nbval runs them, and their outputs are compared as a person would."""

import pytest
from notebook_comparison import NotebookFile


def pytest_sessionfinish():
    """The kernel that serves all notebooks of this process ends with it."""
    if NotebookFile.shared is not None:
        NotebookFile.shared.stop()
        NotebookFile.shared = None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Collect with our comparison what nbval collects with its own."""
    collected = yield
    return [
        NotebookFile.from_parent(parent, path=file_path)
        if type(node) is NotebookFile.__base__
        else node
        for node in collected
    ]
