"""The Pythons that CI runs: that of .venv, and the newest other one on the machine."""

import shutil
import subprocess
from pathlib import Path

import documents
import pytest

ROOT = documents.ROOT
stranger = documents.tool("stranger")

#: A Python in the form that `tools/find-python` calls: it tells whether it is new enough, and its
#: version.
PYTHON = """#!/bin/sh
case "$2" in
*ensurepip*) exit {old} ;;
*releaselevel*) test {final} = 0 || echo "{version} $3" ;;
*) echo {version} ;;
esac
"""
#: What the scripts call.
PROGRAMS = "sh bash env awk sed sort tr cut dirname id mktemp rm tee timeout tail grep head sleep"


@pytest.fixture
def place(tmp_path):
    """A clone's scripts in a folder with a space in its name, and a PATH without any Python."""
    clone, links = tmp_path / "a clone", tmp_path / "bin"
    links.mkdir()
    for folder in (".ci", "tools"):
        shutil.copytree(ROOT / folder, clone / folder)
    shutil.copy(ROOT / "pyproject.toml", clone)
    for program in PROGRAMS.split():
        found = (Path(folder, program) for folder in stranger.SYSTEM)
        (links / program).symlink_to(next(path for path in found if path.exists()))
    return clone


def has(place, name, version, old=0, final=1):
    write(place.parent / "bin" / name, PYTHON.format(version=version, old=old, final=final))


def write(path, text):
    path.write_text(text)
    path.chmod(0o755)


def said(place, *command):
    env = {"PATH": str(place.parent / "bin"), "HOME": str(place.parent)}
    return subprocess.run(command, cwd=place, env=env, capture_output=True, text=True)


def newest(place):
    run = said(place, "tools/find-python", "--newest")
    return (run.returncode, run.stdout.strip().rpartition("/")[2])


def test_the_newest_is_another_than_the_own_one(place):
    has(place, "python3", "3.11")
    has(place, "python3.11", "3.11")
    assert newest(place) == (1, "")
    has(place, "python3.12", "3.12")
    has(place, "python3.13", "3.13")
    assert newest(place) == (0, "python3.13")
    has(place, "python3", "3.13")
    assert newest(place) == (0, "python3.12")


def test_a_candidate_and_one_without_venv_are_none(place):
    has(place, "python3", "3.11")
    has(place, "python3.14", "3.14", final=0)
    has(place, "python3.13", "3.13", old=1)
    assert newest(place) == (1, "")


def test_what_pyenv_keeps_beside_the_path_is_found(place):
    has(place, "python3", "3.11")
    folder = place.parent / ".pyenv/versions/3.13.0/bin"
    folder.mkdir(parents=True)
    write(folder / "python3.13", PYTHON.format(version="3.13", old=0, final=1))
    assert said(place, "tools/find-python", "--newest").stdout == f"{folder}/python3.13\n"


def test_here_it_is_the_newest_that_can_make_an_environment():
    run = subprocess.run([ROOT / "tools/find-python", "--all"], capture_output=True, text=True)
    minors = [int(line.split()[0].removeprefix("3.")) for line in run.stdout.splitlines()]
    assert minors == sorted(minors, reverse=True)
    assert not minors or min(minors) >= 11


@pytest.mark.parametrize("fails", [None, "a stranger", "the newest"])
def test_a_stage_that_fails_keeps_no_other_from_running_and_is_told(place, fails):
    for version in ("3.11", "3.12", "3.13"):
        has(place, f"python{version}", version)
    write(
        place.parent / "bin/python3",
        PYTHON.format(version="3.11", old=0, final=1).replace(
            "case", f'test "$1" != tools/stranger.py || exit {int(fails == "a stranger")}\ncase', 1
        ),
    )
    write(
        place.parent / "bin/make",
        '#!/bin/sh\necho "made $*"\necho "FAILED tests/test_a.py::test_b"\n'
        f"exit {int(fails == 'the newest')}\n",
    )
    # A busy machine: what a stage prints comes late.
    tee = place.parent / "bin/tee"
    real = tee.readlink()
    tee.unlink()
    write(tee, f'#!/bin/sh\nsleep 0.3\nexec {real} "$@"\n')
    run = said(place, ".ci/run")
    before, _, after = run.stdout.partition("==> What it came to\n")
    table = after.splitlines()
    names = before.partition("==> What failed, by name\n")[2].splitlines()
    assert names == ["FAILED tests/test_a.py::test_b"] * (fails is not None)
    assert (run.returncode, "made test-newest" in run.stdout) == (int(fails is not None), True)
    assert ["FAILED" in row for row in table[:2]] == [fails == "a stranger", fails == "the newest"]
    told = "Pythons that ran: 3.11 3.13; here, and not run: 3.12; not here: 3.14 3.15"
    assert table[2].strip() == told


def test_without_a_second_python_it_says_so(place):
    has(place, "python3", "3.11")
    write(place.parent / "bin/make", "#!/bin/sh\nexit 1\n")
    run = said(place, ".ci/run")
    assert "with a second Python: not run, none is here" in run.stdout
    assert run.returncode == 0
