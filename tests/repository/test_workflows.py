"""The workflows: actions pinned by digest, targets that make has, and minimal permissions."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github/workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()
CLASSIFIERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def text(request):
    return request.param.read_text()


def test_actions_are_pinned_by_digest_with_the_version_beside_it(text):
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    assert [u for u in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", u)] == []


def test_an_action_has_one_version_everywhere():
    every = {u for path in FILES for u in re.findall(r"uses: (.*)", path.read_text())}
    assert len({u.partition("@")[0] for u in every}) == len(every)


def test_workflows_run_targets_of_make(text):
    targets = set(re.findall(r"make ([a-z-]+)|target: \[?([a-z-]+)", text))
    for name in {one or other for one, other in targets}:
        assert re.search(rf"^{name}:", MAKEFILE, flags=re.MULTILINE), name


def test_only_jobs_that_need_more_than_reading_may_do_more(text):
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    wider = {
        right
        for job in workflow["jobs"].values()
        for right, access in job.get("permissions", {}).items()
        if access == "write"
    }
    assert wider <= {"id-token", "attestations", "pages"}
    assert "secrets." not in text


def test_every_supported_python_is_tested():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    tested = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert tested == [c.rpartition(" ")[2] for c in CLASSIFIERS if ":: 3." in c]


def test_a_release_publishes_what_was_built_and_attested_once():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    publish = jobs["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    assert not [step for step in publish["steps"] if "run" in step]
    assert set(publish["needs"]) == {"test", "attest"}


def test_what_signs_a_release_runs_no_code_of_the_repository():
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    assert "permissions" not in jobs["build"]
    assert jobs["attest"]["needs"] == "build"
    names = [step["uses"].partition("@")[0] for step in jobs["attest"]["steps"]]
    assert names == ["actions/download-artifact", "actions/attest-build-provenance"]
