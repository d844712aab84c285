"""Comparators that tests can block, and a function that waits for comparators in threads."""

import threading
import time

from conformal_roc_widget.comparators.ks import KsSamples
from conformal_roc_widget.comparators.registry import COMPARATORS

SECONDS = 20


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("comparators")]


def wait_until(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.001)


class Slow:
    """A comparator of ten steps that continues when a test tells it to."""

    def __init__(self, monkeypatch, key="ks"):
        self.calls, self.go = [], threading.Semaphore(0)
        slow = COMPARATORS[key]._replace(family=self.family, steps=10)
        monkeypatch.setitem(COMPARATORS, key, slow)

    def family(self, y, score, resampling):
        self.calls.append(score)
        for done in range(1, 11):
            assert self.go.acquire(timeout=SECONDS)
            resampling.progress(done, 10)
        return KsSamples(y, score)

    def step(self, times=1):
        self.go.release(times)
