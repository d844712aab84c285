"""Runs the page's code in an engine of JavaScript: the only file that knows which."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

CODE = Path(__file__).parents[1] / "static" / "still.js"
#: Limit in seconds of the processor. A picture takes hundredths; a longer run would never end.
MOST_SECONDS = 60
#: The engine has 3 MB with the code, and a picture of a thousand classes needs some hundred.
MOST_BYTES = 1_000_000_000
#: One engine a process: after a fork the thread of the old one is gone.
_LOCKS: dict[int, Lock] = {}


def scene(messages: str) -> str:
    """The scene of a moment, as JSON, from the JSON of its messages; see ``js/src/still.ts``."""
    process = os.getpid()
    with _LOCKS.setdefault(process, Lock()):
        # Its collector gives memory back to the system, which takes 60 ms. Counts of references
        # free nearly all of it before.
        answer: str = loaded(process)(messages, run_gc=False)
    return answer


@cache
def loaded(process: int) -> Any:
    """The page's function in the engine of a process, made at its first picture.

    It runs on a thread of its own, since QuickJS is bound to the one that made it.

    Raises
    ------
    ImportError
        If the engine is not installed.
    FileNotFoundError
        If the page is not built: run ``make build`` in a clone of the repository.
    """
    try:
        from quickjs import Function
    except (
        ImportError,
        RuntimeError,
    ) as missing:  # the second exception is raised if no thread can be started
        raise ImportError(
            "A picture needs an engine that runs the page's code: pip install quickjs-ng. The "
            "widget, and a page of to_html, need none"
        ) from missing
    function = Function("scene", CODE.read_text("utf-8"), own_executor=True)
    function.set_memory_limit(MOST_BYTES)
    function.set_time_limit(MOST_SECONDS)
    return function
