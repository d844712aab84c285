"""Each command names this environment's program, or one that `tools/programs.py` lists."""

import ast
import os
import re
import subprocess
from pathlib import Path

import documents

ROOT = documents.ROOT
programs = documents.tool("programs")
FOLDERS = ("conformal_roc_widget", "tests", "tools", "benchmarks")
STARTERS = {"run", "Popen", "call", "check_call", "check_output", "create_subprocess_exec"}
#: Files that may look up a program on the PATH: the browser's finder, a benchmark that needs R, and
#: a test that needs Java. Their commands start with the path that they found.
LOOKS_UP = {"tests/browser/chromium.py", "benchmarks/against_proc.py", "tests/tables/test_spark.py"}
#: Files that start programs of an environment that they have made.
IN_A_PLACE = {
    "tools/stranger.py",
    "tests/repository/test_stranger.py",
    "tests/repository/test_pythons.py",
}


def sources() -> list[str]:
    return sorted(
        str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
    )


def first_words(tree: ast.Module, command: ast.expr) -> list[str]:
    """Words that can come first in a command. Names are followed to their assigned lists."""
    if isinstance(command, ast.List | ast.Tuple):
        first = command.elts[0]
        return (
            first_words(tree, first.value)
            if isinstance(first, ast.Starred)
            else [ast.unparse(first)]
        )
    if isinstance(command, ast.BinOp):
        return first_words(tree, command.left)
    if isinstance(command, ast.Name | ast.Attribute):
        given = [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            and any(ast.unparse(target) == ast.unparse(command) for target in node.targets)
        ]
        found = [each for value in given for each in first_words(tree, value)]
        return found or [ast.unparse(command)]
    return [ast.unparse(command)]


def commands(name: str) -> list[tuple[int, list[str]]]:
    tree = ast.parse((ROOT / name).read_text())
    return [
        (node.lineno, first_words(tree, node.args[0]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in STARTERS
        and ast.unparse(node.func.value) in ("subprocess", "asyncio")
    ]


def is_known(name: str, first: str) -> bool:
    of_system = programs.OF_THE_SYSTEM.get(first.strip("'"))
    return (
        # a variable with the path of an environment that a test has made
        first in ("sys.executable", "python")
        or first.startswith(("in_environment(", "programs.in_environment("))
        or (of_system is not None and name.startswith(of_system))
    )


def test_each_command_begins_with_a_program_of_the_environment():
    unknown = [
        (name, line, first)
        for name in sources()
        if name not in LOOKS_UP | IN_A_PLACE
        for line, words in commands(name)
        for first in words
        if not is_known(name, first)
    ]
    assert unknown == []


def test_the_reading_sees_a_program_that_is_found_by_luck():
    source = (
        "import subprocess\nway = ['npm', 'ci']\nsubprocess.run(way)\nsubprocess.run(['node'])\n"
    )
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert sorted(first_words(tree, call.args[0])[0] for call in calls) == ["'node'", "'npm'"]


def test_names_are_looked_up_on_the_path_only_where_it_is_said():
    looked = {
        name
        for name in sources()
        if name != "tests/repository/test_programs.py"
        and re.search(r"\bwhich\(", (ROOT / name).read_text())
    }
    assert looked == LOOKS_UP


def test_a_test_finds_node_and_npm_in_the_environment():
    """mystmd and npm's scripts start `node` by name, which must be the environment's."""
    first = os.environ["PATH"].split(os.pathsep)[0]
    assert Path(first) == programs.SCRIPTS
    for name in ("node", "npm"):
        assert Path(programs.in_environment(name)).parent == programs.SCRIPTS
    run = subprocess.run(
        [programs.in_environment("npm"), "--version"], capture_output=True, text=True
    )
    assert re.match(r"\d+\.\d+\.\d+", run.stdout), run.stderr


def test_make_puts_the_environment_first():
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^export PATH := \$\(CURDIR\)/\$\(BIN\):\$\(PATH\)$", makefile, re.M)
