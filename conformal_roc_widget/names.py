"""Adds a hint to the error on an unknown attribute or keyword: which name was probably meant.

``names.json`` lists names that people type, each with hints. Each hint has a key, which is a name
or empty. A hint is used if the object has an attribute or a parameter with this name, if the object
itself has this name, or if the key is empty. The text of an error is made only when somebody reads
it.
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
#: If a user types an unknown name that begins with one of these, such as `get_auc`, the error
#: suggests the name without it.
BEFORE = ("get_", "compute_", "calculate_", "calc_", "plot_", "draw_", "set_", "make_")
#: If a typed name is at least this similar to an existing one, from 0 to 1 by `difflib`, the
#: existing one is suggested.
ALIKE = 0.75
#: The classes of this package by name. If a user reads an unknown attribute that another of these
#: classes has, `ELSEWHERE` says how to get an object of that class.
_CLASSES: dict[str, type] = {}
ELSEWHERE = {"RocEvaluation": "see `evaluation.{}`", "ROCWidget": "see `ROCWidget(evaluation).{}`"}
FROM_A_MODEL = "see `evaluate(X_test, y_test).{}`"


@cache
def _rows() -> Any:
    return json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))


@cache
def table(part: str) -> dict[str, dict[str, str]]:
    """Returns hints by typed name in lower case. `part` is "attributes" or "keywords"."""
    found: dict[str, dict[str, str]] = {}
    for typed, hints in _rows()[part]:
        for name in typed.lower().split():
            there = found.setdefault(name.strip("_"), {})
            there |= {need: text for need, text in hints.items() if need not in there}
    return found


def hint(part: str, typed: str, owner: str, known: Iterable[str]) -> str:
    """Returns the hint for an unknown name `typed`. Empty if there is none.

    `owner` is the name of the object or function, and `known` are its existing names.
    """
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
    """Returns the public names that a class `kind` has from this package's classes.

    Names of other bases are left out, and so are those under "inner" in ``names.json``.
    """
    ours = [each for each in kind.__mro__ if each.__module__.startswith(PACKAGE)]
    every = {name for each in ours for name in (*vars(each), *getattr(each, "__annotations__", ()))}
    return sorted(name for name in every - set(_rows()["inner"].split()) if name[0] != "_")


def _said(text: str, instead: str) -> str:
    return f"{text}. {instead[0].upper()}{instead[1:]}" if instead else text


class NoSuchName(AttributeError):
    """The error on an unknown attribute. Its text is made when somebody reads it."""

    __module__, __qualname__ = "builtins", "AttributeError"  # a traceback shows these names

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """The error is pickled as an `AttributeError` with the text."""
        return AttributeError, (str(self),)

    def __str__(self) -> str:
        """Returns the text: the unknown name, and a hint or the existing names."""
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
    """The error on an unknown key of a mapping. Its text lists the existing keys."""

    __module__, __qualname__ = "builtins", "KeyError"  # a traceback shows these names

    def __reduce__(self) -> tuple[type, tuple[str]]:
        """The error is pickled as a `KeyError` with the text."""
        return KeyError, (str(self),)

    def __str__(self) -> str:
        """Returns the text: the unknown key, a hint, and the existing keys."""
        owner, name, keys = self.args
        known = {str(key): key for key in keys}
        instead = hint("attributes", str(name), owner, known)
        if str(name) in known:
            instead = f"did you mean: {known[str(name)]!r}?"
        listed = ", ".join(map(repr, keys[:MOST_KEYS])) + (", ..." if len(keys) > MOST_KEYS else "")
        return f"{name!r} is no key of {owner}. " + _said(f"It has {listed}", instead)


NoSuchKey.__name__ = "KeyError"
#: The largest number of keys of a mapping that an error lists.
MOST_KEYS = 20


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def leading(function: Callable[..., Any], first: str = "") -> Callable[..., Any]:
    """Wraps `function`, so that Python's error on wrong arguments gets a hint.

    If `function` is a method, `first` is "self" or "cls".
    """
    # If a function takes ``**keywords``, any keyword is accepted by Python. The decorator `lists`
    # gives such a function a `__signature__` with the valid ones.
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
            # If the traceback ends here, Python refused the arguments. If it goes on, the function
            # ran and raised its own error, which is passed on.
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise
            kind = given[0] if first == "cls" else type(given[0]) if first else None
            text = _refusal(function, str(error), kind, named)
        raise TypeError(text)

    return called


def _refusal(
    function: Callable[..., Any], text: str, kind: type | None, given: Iterable[str]
) -> str:
    """Returns Python's error `text` on the arguments of a call, with a hint or the valid names.

    If `function` is a method, `kind` is its class. `given` are the keywords of the call.
    """
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
    """A context for passing the `given` keywords of `function` on to other code.

    If the other code raises a `TypeError` on one of them, a hint is added to the error.
    """
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
    """A decorator that lists the keywords of the `TypedDict` `options` in a signature.

    It is for functions with ``**keywords``. The listed defaults are those of the parameters of the
    `origins`, or those in `first`.
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
    """Base class whose errors on unknown attributes and on wrong arguments have hints."""

    def __init_subclass__(cls, *, inner: bool = False, **given: Any) -> None:
        """Wraps the public methods that a subclass in this package defines with `leading`.

        Inherited methods are wrapped already. An `inner` class is left out, because users have no
        objects of it.
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

    if not TYPE_CHECKING:  # a type checker that sees `__getattr__` would accept every name

        def __getattr__(self, name):
            for kind in type(self).__mro__:
                if name in kind.__dict__:  # the name exists, but its property raised an error
                    return object.__getattribute__(self, name)
            raise NoSuchName(type(self), name, False)


class LeadsFromClass(type):
    """Metaclass that adds a hint to the error on an unknown attribute of a class."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name):
            raise NoSuchName(cls, name, True)


def leading_module(module: str) -> Callable[[str], Any]:
    """Wraps the functions in a module's ``__all__``. Returns a ``__getattr__`` for the module."""
    for name in sys.modules[module].__all__:
        member = vars(sys.modules[module]).get(name)
        if isinstance(member, FunctionType) and not hasattr(member, "__wrapped__"):
            # pickle looks a function up in the module that defines it. So it is replaced there too.
            made = leading(member)
            for place in (module, member.__module__):
                setattr(sys.modules[place], name, made)
    return lambda name: no_such_name(module, name, sys._getframe(1))


def no_such_name(module: str, name: str, asking: Any) -> Any:
    """Raises the error for the unknown `name` of a module. `asking` is the frame that read it."""
    error = NoSuchName(module, name, False)
    # The statement `from module import name` would drop the text of an AttributeError, so an
    # ImportError is raised.
    if dis.opname[asking.f_code.co_code[asking.f_lasti]] == "IMPORT_FROM":
        raise ImportError(str(error), name=module)
    raise error
