"""Requests, runs and threads of a background task."""

import subprocess
import sys
import threading

import pytest

from conformal_roc_widget.widget.background_task import BackgroundTask

SECONDS = 20


def ended(name):
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(SECONDS)
    return not [thread for thread in threading.enumerate() if thread.name == name]


def test_requests_during_a_run_cause_exactly_one_more_run():
    began, go, runs = threading.Event(), threading.Semaphore(0), []

    def task():
        began.set()
        assert go.acquire(timeout=SECONDS)
        runs.append(threading.current_thread().name)

    background = BackgroundTask(task, "counted")
    background.request()
    assert began.wait(SECONDS)
    for _ in range(5):
        background.request()
    go.release(10)
    assert ended("counted")
    assert runs == ["counted", "counted"]
    background.request()
    assert ended("counted")
    assert len(runs) == 3


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_that_fails_leaves_a_task_that_can_be_requested_again():
    runs = []

    def task():
        runs.append(1)
        if len(runs) == 1:
            raise ValueError("the first one")

    background = BackgroundTask(task, "failing")
    background.request()
    assert ended("failing")
    background.request()
    assert ended("failing")
    assert len(runs) == 2


def test_without_threads_a_request_runs_at_once_and_one_during_a_run_after_it(monkeypatch):
    def refused(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    runs = []

    def task():
        runs.append("began")
        if len(runs) == 1:
            background.request()
        runs.append("ended")

    background = BackgroundTask(task, "inline")
    background.request()
    assert runs == ["began", "ended", "began", "ended"]
    background.request()
    assert len(runs) == 6


#: The last actions of a script before it ends.
LAST = {
    "a widget of many rows": """
from conformal_roc_widget import ROCWidget
score = rng.random(100_000)
called = (rng.random(score.size) < score).astype(int)
widget = ROCWidget.from_predictions(called, score, comparators=["bootstrap"])
""",
    "a run of compiled code": """
places = rng.integers(0, 1_000, 300_000)
background = BackgroundTask(lambda: [np.unique(places) for _ in range(300)], "compiled")
background.request()
""",
    "a thread that comes too late": """
import threading
from concurrent.futures import ThreadPoolExecutor
began = threading.Event()
def task():
    began.set()
    background.ended.wait()
    ThreadPoolExecutor(1).submit(print)
background = BackgroundTask(task, "late")
background.request()
began.wait()
""",
}


@pytest.mark.parametrize("last", LAST)
def test_a_script_that_ends_beside_a_task_at_work_is_not_aborted(last):
    script = f"""
import numpy as np
from conformal_roc_widget.widget.background_task import BackgroundTask
rng = np.random.default_rng(0)
{LAST[last]}
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "")


def test_an_owner_that_is_deleted_by_the_end_may_end_its_task_again():
    class Owner:
        def __init__(self):
            self.task = BackgroundTask(self.work, "owned")

        def work(self):
            raise AssertionError("it is not requested")

        def __del__(self):
            self.task.end()

    task = Owner().task  # the task holds the only other reference
    ending = threading.Thread(target=task.end, daemon=True)
    ending.start()
    ending.join(SECONDS)
    assert not ending.is_alive()
