"""Runs the page's code in an engine of JavaScript: the only file that knows which.

QuickJS is bound to the thread that made it, so that one thread of its own serves every caller.
"""

from __future__ import annotations

import os
import threading
from functools import cache
from pathlib import Path
from typing import Any

CODE = Path(__file__).parents[1] / "static" / "still.js"
#: A picture takes hundredths of a second; what takes this many seconds of the processor never ends.
MOST_SECONDS = 60
#: The engine has 5 MB with the code; a picture of a thousand classes needs some hundred.
MOST_BYTES = 1_000_000_000
_LOCK = threading.Lock()


def scene(messages: str) -> str:
    """The scene of a moment, as JSON, from the JSON of its messages; see ``js/src/still.ts``."""
    with _LOCK:
        # The collector gives memory back to the system, which takes 60 ms; counts of references free it too.
        answer: str = loaded()(messages, run_gc=False)
    return answer


@cache
def loaded() -> Any:
    """The page's function, in an engine that is made once a process.

    Raises
    ------
    ImportError
        If the engine is not installed, or the page is not built.
    """
    try:
        from quickjs import Function
    except ImportError as missing:
        raise ImportError(
            "Pictures need the engine that runs the page's code, and it is not installed: pip "
            "install quickjs-ng. Where it has no wheel for this system, show the widget or write "
            "a page with to_html: they need no engine"
        ) from missing
    function = Function("scene", CODE.read_text("utf-8"), own_executor=True)
    function.set_memory_limit(MOST_BYTES)
    function.set_time_limit(MOST_SECONDS)
    return function


def _forget() -> None:
    """A forked process has no thread but its own: it makes another engine."""
    global _LOCK
    _LOCK = threading.Lock()
    loaded.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
