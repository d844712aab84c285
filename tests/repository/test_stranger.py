"""CI runs README's commands on a simulated new machine."""

import subprocess

import documents
import pytest

ROOT = documents.ROOT
stranger = documents.tool("stranger")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PIP_INDEX_URL", "https://index.invalid/simple")
        patch.setenv("SOMEBODYS_SETTING", "1")
        return stranger.Place(tmp_path_factory.mktemp("stranger"))


def said(place, *command):
    return subprocess.run(command, env=place.env, cwd=place.clone, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["node", "npm", "npx", "pip", "pip3", "python", "uv", "jupyter"])
def test_it_has_no(place, name):
    assert said(place, "/bin/sh", "-c", f"command -v {name}").returncode != 0


@pytest.mark.parametrize("name", ["make", "git", "awk", "python3"])
def test_it_has(place, name):
    assert said(place, "/bin/sh", "-c", f"command -v {name}").returncode == 0


def test_its_folder_is_no_plain_one_and_holds_the_last_commit(place):
    assert " " in str(place.clone)
    assert not str(place.clone).isascii()
    last = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    assert said(place, "git", "rev-parse", "HEAD").stdout == last.stdout


def test_its_python_can_make_an_environment(place):
    assert said(place, "tools/find-python").stdout == "python3\n"


def test_what_reaches_registries_is_passed_on_by_name_and_nothing_else(place):
    assert place.env["PIP_INDEX_URL"] == "https://index.invalid/simple"
    assert "SOMEBODYS_SETTING" not in place.env
    assert any("SOMEBODYS_SETTING" in lacked for lacked in place.lacks)
    known = {"HOME", "PATH", *stranger.PROCESSOR, *stranger.CACHES}
    assert all(stranger.REGISTRY_VARIABLES.fullmatch(name) for name in place.env.keys() - known)


def test_its_home_is_empty_but_for_the_files_that_reach_registries(place):
    files = {str(path.relative_to(place.home)) for path in place.home.rglob("*") if path.is_file()}
    assert files <= set(stranger.REGISTRY_FILES)


def test_what_is_removed_has_a_reason(place):
    reasons = [why for why in stranger.REMOVED.values() if any(why in each for each in place.lacks)]
    assert reasons == list(stranger.REMOVED.values())


# JupyterLab runs in its own session. The script that started it ends it.
ELSEWHERE = """
(trap 'sleep 1; kill $other; exit' TERM; setsid sh -c 'echo ready; exec sleep 600' & other=$!; wait) &
exec sleep 600
"""


@pytest.mark.parametrize("command", ["echo ready; sleep 600 & exec sleep 600", ELSEWHERE])
def test_a_command_ends_with_all_that_it_started(place, command):
    with place.start("sh", "-c", command, env=place.env, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        stranger.end(process)
        # The output has ended, so no process holds it open.
        assert process.communicate(timeout=60)[0] == b""
