"""Runs a task on a background thread; requests during a run cause exactly one more run.

Where no thread can be started, as in a kernel that runs in a browser, it runs at once instead. A
script that ends waits for the runs at work: the interpreter aborts if it takes a thread out of
compiled code.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from weakref import WeakSet

#: At most this many seconds a script waits for a run at its end.
AT_EXIT = 60


class BackgroundTask:
    """A task with a thread that ends when no run is requested."""

    def __init__(self, task: Callable[[], None], name: str) -> None:
        self._task: Callable[[], None] | None = task
        self._name = name
        self._lock = threading.Lock()
        self._requested = False
        self._thread: threading.Thread | None = None
        #: Set by `end`, which a long run asks for.
        self.ended = threading.Event()
        _TASKS.add(self)

    def request(self) -> None:
        """Run the task soon, once, however often this is called before it starts."""
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
        """Ends after the run at work, and drops the reference to the owner of the task."""
        with self._lock:
            self.ended.set()
            self._task = None

    def join(self, timeout: float) -> None:
        """Wait for the run at work, at most so many seconds."""
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
                    # An interpreter that ends starts no further thread.
                    if self.ended.is_set() and isinstance(error, RuntimeError):
                        return
                raise
            # This may be the last reference to the widget. Its end takes the lock, so the lock is
            # free here.
            del task


_TASKS: WeakSet[BackgroundTask] = WeakSet()


@atexit.register
def _end_all() -> None:
    tasks = list(_TASKS)
    for task in tasks:
        task.end()
    for task in tasks:
        task.join(AT_EXIT)
