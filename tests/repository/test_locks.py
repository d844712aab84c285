"""The lock files: everything that make installs, as required by `pyproject.toml`, with hashes and
without hosts.
"""

import importlib.metadata
import importlib.util
import itertools
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "packaging/requirements-dev.txt").read_text()
NPM = json.loads((ROOT / "js/package-lock.json").read_text())["packages"]
PLATFORMS = [
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
]
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]

spec = importlib.util.spec_from_file_location("lock", ROOT / "tools/lock.py")
lock = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lock)


def environment(platform, python):
    versions = {"python_version": python, "python_full_version": f"{python}.9", "extra": ""}
    return default_environment() | platform | versions


ENVIRONMENTS = [environment(*each) for each in itertools.product(PLATFORMS, PYTHONS)]


def pins(text):
    """Requirement and hashes of each entry."""
    entries = re.split(r"^(?=[^\s#])", text, flags=re.MULTILINE)[1:]
    for entry in entries:
        requirement, *hashes = entry.split("--hash=")
        yield Requirement(requirement.strip().rstrip("\\")), [h.strip(" \\\n") for h in hashes]


def versions(text, environment):
    """Version of each package that the lock installs there.

    Two versions of one package are an error.
    """
    found = {}
    for pin, _ in pins(text):
        if pin.marker is None or pin.marker.evaluate(environment):
            name = canonicalize_name(pin.name)
            assert name not in found, name
            (equal,) = pin.specifier
            assert equal.operator == "==", pin
            found[name] = equal.version
    return found


def complaints(text, requirements):
    """Requirements that the lock does not meet, for some platform or Python."""
    found = set()
    for environment in ENVIRONMENTS:
        locked = versions(text, environment)
        for requirement in map(Requirement, requirements):
            if requirement.marker is None or requirement.marker.evaluate(environment):
                version = locked.get(canonicalize_name(requirement.name))
                if version is None or not requirement.specifier.contains(version):
                    found.add(f"{requirement}: {version}")
    return sorted(found)


def test_the_lock_meets_every_requirement_on_every_platform_and_python():
    assert complaints(TEXT, lock.requirements()) == [], "make lock"


def test_a_requirement_that_is_new_or_raised_is_seen():
    assert complaints(TEXT, ["numpy>=99"])
    assert complaints(TEXT, ["no-such-package"])
    assert complaints(TEXT, ["pywinpty ; sys_platform == 'win32'"]) == []
    assert complaints(TEXT, ["pywinpty"]) == ["pywinpty: None"]


def test_every_supported_python_has_its_classifier_and_its_pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    minor = [c.rpartition(" ")[2] for c in project["classifiers"] if ":: 3." in c]
    assert minor == PYTHONS
    assert project["requires-python"] == f">={PYTHONS[0]}"


def test_everything_is_hashed_and_nothing_names_a_host_or_a_path():
    for pin, hashes in pins(TEXT):
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), pin
        assert pin.url is None, pin
    line = r"#.*|[\w.-]+==[\w.!+-]+( ; [\w .'<>=!()]+)? \\|    --hash=sha256:\w{64}( \\)?"
    assert [found for found in TEXT.splitlines() if not re.fullmatch(line, found)] == []
    assert not re.search(r"://|(^|\s)\.?/", TEXT)
    assert not [name for name, package in NPM.items() if "resolved" in package]


def closure(requirements, locked):
    """All packages that the requirements need, directly or indirectly, and those whose version
    differs from the lock.
    """
    reached, waiting, wrong = {}, [Requirement(r) for r in requirements], []
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if not requirement.specifier.contains(locked.get(name, "0")) or name not in locked:
            wrong.append(str(requirement))
            continue
        extras = requirement.extras | {""}
        fresh = extras - reached.setdefault(name, set())
        reached[name] |= fresh
        for text in importlib.metadata.requires(name) or () if fresh else ():
            inner = Requirement(text)
            if inner.marker is None or any(inner.marker.evaluate({"extra": e}) for e in fresh):
                waiting.append(inner)
    return set(reached), wrong


def test_the_lock_is_whole_and_holds_nothing_that_is_not_needed():
    locked = versions(TEXT, default_environment() | {"extra": ""})
    installed = {
        canonicalize_name(d.name): d.version for d in importlib.metadata.distributions() if d.name
    }
    if {name: installed.get(name) for name in locked} != locked:
        pytest.skip("this environment was not installed from the lock")
    assert closure(lock.requirements(), locked) == (set(locked), []), "make lock"
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]
    # On Python 3.11, venv installs setuptools.
    assert set(installed) - set(locked) - {"setuptools"} == {canonicalize_name(own)}


def test_the_npm_lock_fits_its_package_and_names_every_platform():
    package = json.loads((ROOT / "js/package.json").read_text())
    assert NPM[""]["devDependencies"] == package["devDependencies"]
    assert [name for name in lock.flaws(NPM) if not name.startswith(UNHASHED)] == []
    assert [name for name in lock.flaws(NPM) if name not in NPM] == []


#: The registry at which the lock file was made did not list these hashes. `make lock` adds them if
#: another registry does.
UNHASHED = "node_modules/@biomejs/cli-"


def test_an_npm_lock_without_a_hash_or_a_platform_is_seen():
    whole = {"": {}, "node_modules/a": {"integrity": "x", "optionalDependencies": {"b": "1"}}}
    assert lock.flaws(whole) == ["node_modules/b"]
    assert lock.flaws(whole | {"node_modules/b": {}}) == ["node_modules/b"]
    assert lock.flaws(whole | {"node_modules/b": {"integrity": "y"}}) == []
