"""Runs a task on a background thread. All requests during a run cause one more run.

If no thread can be started, as in a kernel that runs in a browser, `BackgroundTask.request` runs
the task itself. At its end, a script waits for running tasks, because the interpreter aborts if a
thread is stopped inside compiled code.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from weakref import WeakSet

#: When a script ends, it waits at most this many seconds for a running task.
AT_EXIT = 60


class BackgroundTask:
    """A task that a thread runs when it is requested. Without further requests the thread ends."""

    def __init__(self, task: Callable[[], None], name: str) -> None:
        self._task: Callable[[], None] | None = task
        self._name = name
        self._lock = threading.Lock()
        self._requested = False
        self._thread: threading.Thread | None = None
        #: `end` sets this event. A long task checks from time to time whether it is set, and then
        #: stops.
        self.ended = threading.Event()
        _TASKS.add(self)

    def request(self) -> None:
        """Runs the task soon. Several requests before it starts cause one run."""
        with self._lock:
            self._requested = True
            if self._thread is not None or self._task is None:
                return
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            try:
                self._thread.start()
                return
            except RuntimeError:
                pass
        self._run()

    def end(self) -> None:
        """Accepts no more requests, and drops the reference to the task and so to its owner.

        A run that has begun is not interrupted.
        """
        with self._lock:
            self.ended.set()
            task, self._task = self._task, None
        # Deleting the task may delete the widget that owns it, which calls `end` again. `end` needs
        # the lock, so the lock is released before.
        del task

    def join(self, timeout: float) -> None:
        """Waits at most `timeout` seconds for the present run."""
        with self._lock:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _run(self) -> None:
        while True:
            with self._lock:
                task = self._task
                if not self._requested or task is None:
                    self._thread = None
                    return
                self._requested = False
            try:
                task()
            except BaseException as error:
                with self._lock:
                    self._thread = None
                    # At the end of the interpreter no new thread can be started. A task that tries
                    # to raises a RuntimeError, which is ignored.
                    if self.ended.is_set() and isinstance(error, RuntimeError):
                        return
                raise
            # Deleting the task may delete the widget that owns it, which calls `end`. `end` needs
            # the lock, so the lock is released before.
            del task


_TASKS: WeakSet[BackgroundTask] = WeakSet()


@atexit.register
def _end_all() -> None:
    tasks = list(_TASKS)
    for task in tasks:
        task.end()
    for task in tasks:
        task.join(AT_EXIT)
