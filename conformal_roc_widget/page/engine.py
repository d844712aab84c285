"""Runs the page's code in the JavaScript engine QuickJS. Only this file depends on the engine."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

CODE = Path(__file__).parents[1] / "static" / "still.js"
#: If a picture takes more processor time than this, in seconds, the engine stops. A picture usually
#: takes some hundredths.
MOST_SECONDS = 60
#: If the engine needs more memory than this, it stops. The code alone takes 3 MB, and a picture of
#: a thousand classes some hundred MB.
MOST_BYTES = 1_000_000_000
#: A lock for each process. A forked process needs an engine of its own, because the thread of its
#: parent's engine does not exist in it.
_LOCKS: dict[int, Lock] = {}


def scene(messages: str) -> str:
    """The scene of a picture as JSON, from the widget's messages as JSON (js/src/still.ts)."""
    process = os.getpid()
    with _LOCKS.setdefault(process, Lock()):
        # A garbage collection would take 60 ms. It is not needed, because the engine counts
        # references and has freed nearly all memory already.
        answer: str = loaded(process)(messages, run_gc=False)
    return answer


@cache
def loaded(process: int) -> Any:
    """Returns the page's function in the engine of a process. The first call makes the engine.

    The engine has its own thread, because QuickJS must be used in the thread that made it.

    Raises
    ------
    ImportError
        If the engine is not installed.
    FileNotFoundError
        If the page is not built. ``make build`` in a clone of the repository builds it.
    """
    try:
        from quickjs import Function
    except (
        ImportError,
        RuntimeError,
    ) as missing:  # a RuntimeError means that no thread can be started
        raise ImportError(
            "quickjs-ng: found none, expected it to draw pictures: pip install quickjs-ng. The "
            "widget, and a page of to_html, need none"
        ) from missing
    function = Function("scene", CODE.read_text("utf-8"), own_executor=True)
    function.set_memory_limit(MOST_BYTES)
    function.set_time_limit(MOST_SECONDS)
    return function
