"""Changes a file in one place after another, and lists the changes that no test detects.

    make mutants FILE=conformal_roc_widget/calibration/quantiles.py TESTS="tests/calibration"

A change is small: `<` becomes `<=`, `+` becomes `-`, a sign is removed, a number is increased by
one, `left` becomes `right`, a condition is negated. Strings that people read are not changed. The
tests are collected once. Each change then runs in a fork of this process, in which the loaded
functions get the changed code. The fork first runs the tests that call the changed function, the
quickest first, until one fails. If none fails, it runs the other tests of the same files, because a
fixture may have passed them a result of the function.
"""

import argparse
import ast
import contextlib
import copy
import functools
import importlib
import inspect
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from _pytest.main import pytest_runtestloop
from tqdm import tqdm

ROOT = Path(__file__).parents[1]
#: Seconds that tests of a mutant may take, in addition to ten times their usual time.
PATIENCE = 30
QUIET = ["-qq", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:nbval", "-s"]

OPERATORS: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
EITHER = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_PAIRS = [
    ("min", "max"),
    ("minimum", "maximum"),
    ("any", "all"),
    ("floor", "ceil"),
    ("lower", "upper"),
]
NAMES = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
SIDES = {"left": "right", "right": "left"}


class Mutant(NamedTuple):
    """One change: its function and line, the old and the new text, and the changed module."""

    function: str
    line: int
    before: str
    after: str
    tree: ast.Module


def swapped(node: ast.AST) -> list[Callable[[], object]]:
    """All changes of a node, each made in place."""

    def put(name: str, value: object) -> Callable[[], object]:
        return lambda: setattr(node, name, value)

    match node:
        case ast.Compare(ops=ops):
            return [
                lambda i=i, op=op: ops.__setitem__(i, OPERATORS[type(op)]())
                for i, op in enumerate(ops)
                if type(op) in OPERATORS
            ]
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            return [put("op", OPERATORS[type(node.op)]())] if type(node.op) in OPERATORS else []
        case ast.UnaryOp():
            return [put("op", ast.UAdd() if not isinstance(node.op, ast.Not) else None)]
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            # A comparison is replaced by its opposite.
            turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], EITHER)
            return [] if turned else [put("test", ast.UnaryOp(ast.Not(), test))]
        case ast.comprehension(ifs=[first, *_]):
            return [lambda: node.ifs.__setitem__(0, ast.UnaryOp(ast.Not(), first))]
        case ast.Constant(value=bool() as value):
            return [put("value", not value)]
        case ast.Constant(value=int() | float() as value):
            return [put("value", value + 1)]
        case ast.Constant(value=str() as value) if value in SIDES:
            return [put("value", SIDES[value])]
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            return [put("id", NAMES[name])]
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
            return [put("attr", NAMES[name])]
    return []


def places(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yields every node that is code and not an annotation, with its function."""

    def walk(node: ast.AST, within: str) -> Iterator[tuple[str, ast.AST]]:
        inside = within
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            inside = node.name if within == "<module>" else f"{within}.{node.name}"
        yield within, node
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params"):
                continue
            # Defaults and decorators are evaluated where the function is defined.
            of = within if field in ("decorator_list", "bases") else inside
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk(child, within if isinstance(child, ast.arguments) else of)

    return walk(tree, "<module>")


def mutants(source: str) -> Iterator[Mutant]:
    """Every change of a module."""
    tree = ast.parse(source)
    for i, (function, node) in enumerate(places(tree)):
        for j in range(len(swapped(node))):
            changed = copy.deepcopy(tree)
            _, target = next(each for k, each in enumerate(places(changed)) if k == i)
            shown = target.test if isinstance(target, ast.If | ast.While) else target
            before = ast.unparse(shown)
            if isinstance(target, ast.UnaryOp) and isinstance(target.op, ast.Not):
                target.op, target.operand = ast.Not(), ast.UnaryOp(ast.Not(), target.operand)
            else:
                swapped(target)[j]()
            shown = target.test if isinstance(target, ast.If | ast.While) else target
            line = getattr(shown, "lineno", 0) or next(
                (n.lineno for n in ast.walk(shown) if hasattr(n, "lineno")), 0
            )
            after = ast.unparse(shown)
            yield Mutant(function, line, before, after, ast.fix_missing_locations(changed))


def inner(value: Any) -> Any:
    """The function inside a property, a method of a class or a cache."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        if not isinstance(value, FunctionType) and hasattr(value, name):
            return inner(getattr(value, name))
    return value


def take_over(old: Any, new: Any) -> None:
    """Gives the functions of a module or class the code of another everywhere."""
    for name, value in vars(new).items():
        was = vars(old).get(name)
        getattr(was, "cache_clear", lambda: None)()
        function, changed = (inspect.unwrap(inner(each)) for each in (was, value))
        if isinstance(changed, FunctionType) and isinstance(function, FunctionType):
            function.__code__ = changed.__code__
            function.__defaults__ = changed.__defaults__
            function.__kwdefaults__ = changed.__kwdefaults__
        elif isinstance(value, type) and value.__module__ == new.__name__:
            take_over(was, value)
        elif isinstance(value, dict) and value is not was and not name.startswith("__"):
            # Other modules and functions hold the same dict.
            was.clear()
            was.update(value)
        elif isinstance(value, int | float | str | tuple) and not name.startswith("__"):
            for module in [each for each in sys.modules.values() if hasattr(each, "__dict__")]:
                if vars(module).get(name) is was:
                    vars(module)[name] = value
            if isinstance(old, type):
                setattr(old, name, value)


class Calls:
    """Records which functions of a module each test calls, and how long the test takes."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.seen: set[str] = set()
        self.tests: dict[str, tuple[float, list[str]]] = {}

    def _trace(self, frame: FrameType, *_: object) -> None:
        if frame.f_code.co_filename == self.module.__file__:
            self.seen.add(frame.f_code.co_qualname.split(".<locals>")[0])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # A value in a cache from an earlier test would hide the mutant, so caches are cleared.
        for each in vars(self.module).values():
            getattr(each, "cache_clear", lambda: None)()
        self.seen, started = set(), time.perf_counter()
        sys.settrace(self._trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.tests[item.nodeid] = time.perf_counter() - started, sorted(self.seen)


def in_a_fork(work: Callable[[], object], limit: float = 0) -> bool:
    """Whether a fork of this process finishes the work in time and without an error."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    status = 1
    with contextlib.suppress(BaseException):
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        signal.setitimer(signal.ITIMER_REAL, limit)
        work()
        status = 0
    os._exit(status)


class Mutants:
    """Runs the collected tests once for each change of a file."""

    def __init__(self, path: Path, lines: range) -> None:
        self.path, self.lines = path, lines
        self.survivors = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        name = ".".join(self.path.relative_to(ROOT).with_suffix("").parts)
        module, items = importlib.import_module(name), list(session.items)
        tests = without_a_change(session, module)
        items.sort(key=lambda item: tests[item.nodeid][0])
        limit = PATIENCE + 10 * sum(seconds for seconds, _ in tests.values())
        changes = [each for each in mutants(self.path.read_text()) if each.line in self.lines]
        # If the tool itself made a test fail, every change would seem to be detected.
        nothing = Mutant("<module>", 0, "", "", ast.parse(self.path.read_text()))
        if not in_a_fork(functools.partial(with_a_change, session, module, nothing, items), limit):
            raise SystemExit("The tests fail if the file's own code takes its place.")
        for mutant in tqdm(changes, desc=self.path.name, unit=" changes", mininterval=10):
            calling = [item for item in items if mutant.function in tests[item.nodeid][1]] or items
            files = {item.path for item in calling}
            rest = [item for item in items if item.path in files and item not in calling]
            for some in (calling, rest):
                run = functools.partial(with_a_change, session, module, mutant, some)
                if not in_a_fork(run, limit):
                    break
            else:
                self.survivors += 1
                # Printed at once, because a run may be stopped early.
                found = f"{mutant.line} {mutant.function}: {mutant.before}  ->  {mutant.after}"
                print(f"  {found}", flush=True)
        print(f"{self.path.name}: {self.survivors} of {len(changes)} changes survive", end="")
        print(f" {len(items)} tests")
        return True


def run_tests(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Runs the tests, and raises if one fails."""
    session.items = items
    pytest_runtestloop(session)
    if session.testsfailed:
        raise SystemExit(1)


def without_a_change(
    session: pytest.Session, module: ModuleType
) -> dict[str, tuple[float, list[str]]]:
    """Time and called functions of each test. All tests must pass."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "calls.json"

        def run() -> None:
            calls = Calls(module)
            session.config.pluginmanager.register(calls)
            run_tests(session, session.items)
            found.write_text(json.dumps(calls.tests))

        if not in_a_fork(run):
            raise SystemExit("The tests fail without any change.")
        return json.loads(found.read_text())


def with_a_change(
    session: pytest.Session, module: ModuleType, mutant: Mutant, items: list[pytest.Item]
) -> None:
    """Runs the tests with the changed code."""
    changed = ModuleType(module.__name__)
    # Without its package, a relative import is a warning, which pytest makes an error.
    changed.__package__ = module.__package__
    # A dataclass looks up its module while it is created.
    sys.modules[module.__name__] = changed
    exec(compile(mutant.tree, str(module.__file__), "exec"), vars(changed))
    sys.modules[module.__name__] = module
    take_over(module, changed)
    run_tests(session, items)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--lines", help="only changes of these lines: 10-20")
    given = parser.parse_args()
    first, last = map(int, given.lines.split("-")) if given.lines else (0, sys.maxsize - 1)
    mutants_of = Mutants(given.file.resolve(), range(first, last + 1))
    sys.exit(int(pytest.main([*QUIET, *given.tests], plugins=[mutants_of])))


if __name__ == "__main__":
    main()
