"""Advice for a name that is not there: an attribute that is read, a keyword that is given.

``names.json`` is the table: names that people type, then what there is. A hint counts where its key
is an attribute or a parameter of what was asked, or a name of it; an empty key counts anywhere.
Nothing is looked up before somebody reads the error.
"""

from __future__ import annotations

import difflib
import dis
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

PACKAGE = __name__.partition(".")[0]
Function = TypeVar("Function", bound=Callable[..., Any])
#: Prefixes that users often put before a name.
BEFORE = ("get_", "compute_", "calculate_", "calc_", "plot_", "draw_", "set_", "make_")
#: If two names are at least this similar, one is taken as a misspelling of the other.
ALIKE = 0.75
#: Classes by name: whose attribute a name is, and how an object of another class gets there.
_CLASSES: dict[str, type] = {}
ELSEWHERE = {"RocEvaluation": "see `evaluation.{}`", "ROCWidget": "see `ROCWidget(evaluation).{}`"}
FROM_A_MODEL = "see `evaluate(X_test, y_test).{}`"


@cache
def _rows() -> Any:
    return json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))


@cache
def table(part: str) -> dict[str, dict[str, str]]:
    """Name as typed, in small letters -> its hints, of "attributes" or of "keywords"."""
    found: dict[str, dict[str, str]] = {}
    for typed, hints in _rows()[part]:
        for name in typed.lower().split():
            there = found.setdefault(name.strip("_"), {})
            there |= {need: text for need, text in hints.items() if need not in there}
    return found


def hint(part: str, typed: str, owner: str, known: Iterable[str]) -> str:
    """Advice for a name that is not there, or empty; `known` are the names that are."""
    plain, known = typed.lower().strip("_"), list(known)
    begun = next((each for each in BEFORE if plain.startswith(each)), "")
    for name in (plain, plain.removeprefix(begun)):
        same = [each for each in known if each.lower() == name]
        hints = {} if same else table(part).get(name, {})
        for need, text in sorted(hints.items(), key=lambda each: not each[0]):
            if not need or need in known or need in owner.split("."):
                return text
        if alike := same or difflib.get_close_matches(name, known, n=1, cutoff=ALIKE):
            return f"did you mean: {alike[0]!r}?"
    return ""


def _own(kind: type) -> list[str]:
    """Public names that our own classes give to an object."""
    ours = [each for each in kind.__mro__ if each.__module__.startswith(PACKAGE)]
    every = {name for each in ours for name in (*vars(each), *getattr(each, "__annotations__", ()))}
    return sorted(name for name in every - set(_rows()["inner"].split()) if name[0] != "_")


def _said(text: str, instead: str) -> str:
    return f"{text}. {instead[0].upper()}{instead[1:]}" if instead else text


class NoSuchName(AttributeError):
    """An attribute that is not there; its text is made where somebody reads it."""

    __module__, __qualname__ = "builtins", "AttributeError"  # the name that a traceback shows

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """A pickle holds the text."""
        return AttributeError, (str(self),)

    def __str__(self) -> str:
        """The error's text: the name that was asked for, and the right one."""
        owner, name, of_class = self.args
        if isinstance(owner, str):
            known, called, head = list(sys.modules[owner].__all__), owner, f"module {owner!r}"
        else:
            known, called = _own(owner), owner.__name__
            head = f"type object {called!r}" if of_class else f"{called!r} object"
        text = f"{head} has no attribute {name!r}"
        if name.startswith("_"):
            return text
        every = known if isinstance(owner, str) else {*known, *filter(_is_public, dir(owner))}
        if instead := hint("attributes", name, called.rpartition(".")[2], every):
            return _said(text, instead)
        for other, where in ELSEWHERE.items():
            if other != called and other in _CLASSES and name in _own(_CLASSES[other]):
                way = FROM_A_MODEL if called == "ConformalROC" else where
                return _said(text, way.format(name))
        return _said(text, f"it has {', '.join(known)}")


NoSuchName.__name__ = "AttributeError"


class NoSuchKey(KeyError):
    """A key that a mapping has not; its text names the keys that it has."""

    __module__, __qualname__ = "builtins", "KeyError"  # the name that a traceback shows

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """A pickle holds the text."""
        return KeyError, (str(self),)

    def __str__(self) -> str:
        """The text: what was asked for, what else it may be called, and the keys."""
        owner, name, keys = self.args
        known = {str(key): key for key in keys}
        instead = hint("attributes", str(name), owner, known)
        if str(name) in known:
            instead = f"did you mean: {known[str(name)]!r}?"
        listed = ", ".join(map(repr, keys[:MOST_KEYS])) + (", ..." if len(keys) > MOST_KEYS else "")
        return f"{name!r} is no key of {owner}. " + _said(f"It has {listed}", instead)


NoSuchKey.__name__ = "KeyError"
#: At most this many keys of a mapping are named.
MOST_KEYS = 20


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def leading(function: Callable[..., Any], first: str = "") -> Callable[..., Any]:
    """The same function; if it refuses a keyword, its error names the right one.

    `first` is "self" or "cls" of a method.
    """
    # A function that takes any keyword may say which ones it means.
    listed = getattr(function, "__signature__", None)

    @wraps(function)
    def called(*given: Any, **named: Any) -> Any:
        try:
            if listed is not None and not named.keys() <= listed.parameters.keys():
                unknown = next(name for name in named if name not in listed.parameters)
                raise TypeError(
                    f"{function.__qualname__}() got an unexpected keyword argument {unknown!r}"
                )
            return function(*given, **named)
        except TypeError as error:
            # Python refuses arguments before a line of the function has run.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            kind = given[0] if first == "cls" else type(given[0]) if first else None
            text = _refusal(function, str(error), kind, named)
        raise TypeError(text)

    return called


def _refusal(
    function: Callable[..., Any], text: str, kind: type | None, given: Iterable[str]
) -> str:
    """What Python says of the arguments of a call, and what there is."""
    owner, name = "" if kind is None else kind.__name__, function.__name__
    called = f"{owner}.{name}" if owner else name
    text = text.replace(function.__qualname__, called)
    known = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
    unknown = next((each for each in given if each not in known), None)
    if unknown is None:
        return _said(text, f"expected {name}({', '.join(known)})")
    instead = hint("keywords", unknown, owner if name == "__init__" else called, known)
    return _said(text, instead or f"it takes {', '.join(known) or 'nothing'}")


@contextmanager
def passed_on(function: Callable[..., Any], given: Iterable[str]) -> Iterator[None]:
    """Where a `given` name that `function` hands on is refused, the error names what it takes."""
    try:
        yield
    except TypeError as error:
        text, known = str(error), list(inspect.signature(function).parameters)
        unknown = next((each for each in given if f"argument {each!r}" in text), None)
        instead = unknown and hint("keywords", unknown, function.__name__, known)
        if not instead:
            raise
        raise TypeError(_said(text, instead)) from error


def lists(
    options: type, *origins: Callable[..., Any], **first: Any
) -> Callable[[Function], Function]:
    """Show the keywords of a `TypedDict` in the signature of a function that takes any.

    Their first values are those of the `origins`, or `first`.
    """
    for origin in origins:
        parameters = inspect.signature(origin).parameters
        first |= {name: each.default for name, each in parameters.items()}

    def shown(function: Function) -> Function:
        own = inspect.signature(function)
        named = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=first[name],
                annotation=getattr(kind, "__forward_arg__", kind),
            )
            for name, kind in options.__annotations__.items()
        ]
        rest = [each for each in own.parameters.values() if each.kind is not each.VAR_KEYWORD]
        vars(function)["__signature__"] = own.replace(parameters=[*rest, *named])
        return function

    return shown


class Leads:
    """Base of classes whose errors about names lead on: of objects and of public functions."""

    def __init_subclass__(cls, *, inner: bool = False, **given: Any) -> None:
        """Take in the functions of a subclass of ours; those that it inherits are in already.

        Of an `inner` one none: no user has an object of it.
        """
        super().__init_subclass__(**given)
        if inner or not cls.__module__.startswith(PACKAGE):
            return
        _CLASSES[cls.__name__] = cls
        not_asked = _rows()["inner"].split()
        for name, member in list(vars(cls).items()):
            bound = isinstance(member, classmethod)
            function = member.__func__ if bound else member
            asked = name == "__init__" or (_is_public(name) and name not in not_asked)
            if asked and isinstance(function, FunctionType):
                made = leading(function, "cls" if bound else "self")
                setattr(cls, name, classmethod(made) if bound else made)

    if not TYPE_CHECKING:  # a type checker must refuse names that do not exist

        def __getattr__(self, name):
            for kind in type(self).__mro__:
                if name in kind.__dict__:  # a property failed with an error of its own
                    return object.__getattribute__(self, name)
            raise NoSuchName(type(self), name, False)


class LeadsFromClass(type):
    """Metaclass: does for attributes of classes what `Leads` does for those of objects."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name):
            raise NoSuchName(cls, name, True)


def leading_module(module: str) -> Callable[[str], Any]:
    """Take in the functions that a module lists; the answer is its ``__getattr__``."""
    for name in sys.modules[module].__all__:
        member = vars(sys.modules[module]).get(name)
        if isinstance(member, FunctionType) and not hasattr(member, "__wrapped__"):
            # Pickle looks a function up in the module that defined it.
            made = leading(member)
            for place in (module, member.__module__):
                setattr(sys.modules[place], name, made)
    return lambda name: no_such_name(module, name, sys._getframe(1))


def no_such_name(module: str, name: str, asking: Any) -> Any:
    """Refuse a name of a module; `asking` is the frame that asked."""
    error = NoSuchName(module, name, False)
    # `from module import name` would put its own text in the place of an AttributeError's.
    if dis.opname[asking.f_code.co_code[asking.f_lasti]] == "IMPORT_FROM":
        raise ImportError(str(error), name=module)
    raise error
