"""Defines attributes that have a separate value in each thread, so that threads share no values."""

from __future__ import annotations

import threading
from typing import Any


class OfThread:
    """An attribute that has a separate value for each object and each thread.

    Until a thread sets the attribute, its value in this thread is `first`.
    """

    def __init__(self, first: Any) -> None:
        self._first = first

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    @staticmethod
    def _values(holder: Any) -> Any:
        return holder.__dict__.setdefault("_of_thread", threading.local())

    def __get__(self, holder: Any, _: type) -> Any:
        return (
            self._first
            if holder is None
            else getattr(self._values(holder), self._name, self._first)
        )

    def __set__(self, holder: Any, value: Any) -> None:
        setattr(self._values(holder), self._name, value)
