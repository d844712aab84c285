"""What a repository should have besides its code: safe workflows, conventions, and consistent
facts.
"""

import json
import re
import subprocess
import tomllib

import documents
import yaml
from packaging.requirements import Requirement

ROOT = documents.ROOT
TABLES = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = TABLES["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
RECIPE = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
in_environment = documents.tool("programs").in_environment


def test_every_habit_that_is_not_excused_with_a_reason_is_kept():
    command = [in_environment("sp-repo-review"), "--format", "json", str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True)
    checks = json.loads(run.stdout)["checks"]
    assert len(checks) > 50
    assert {name for name, check in checks.items() if check["result"] is False} == set()
    excused = TABLES["tool"]["repo-review"]["ignore"]
    assert all(excused.values())
    assert excused.keys() <= checks.keys(), "a check that is gone needs no excuse"


def test_the_workflows_are_safe_as_far_as_can_be_told_offline():
    command = [in_environment("zizmor"), "--offline", "--no-progress", str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_file_of_facts_has_those_of_the_package():
    codemeta, zenodo = (
        json.loads((ROOT / f).read_text()) for f in ("codemeta.json", ".zenodo.json")
    )
    context, package, about = RECIPE["context"], RECIPE["package"], RECIPE["about"]
    (author,) = [each["name"] for each in PROJECT["authors"]]
    for facts in (CITATION, codemeta, zenodo, context):
        assert facts["version"] == PROJECT["version"]
    for name in (CITATION["title"], codemeta["name"], zenodo["title"], package["name"]):
        assert name == PROJECT["name"]
    for facts in (CITATION, zenodo, about):
        assert facts["license"] == PROJECT["license"]
    assert codemeta["license"].endswith(f"/{PROJECT['license']}")
    for facts in (CITATION["authors"], codemeta["author"], zenodo["creators"]):
        assert [each["name"] for each in facts] == [author]
    for text in (codemeta["description"], zenodo["description"], about["summary"]):
        assert text == PROJECT["description"]
    for words in (codemeta["keywords"], zenodo["keywords"]):
        assert words == PROJECT["keywords"]
    assert codemeta["referencePublication"]["name"] == CITATION["references"][0]["title"]


def test_the_conda_recipe_needs_what_the_wheel_needs():
    python, *run = RECIPE["requirements"]["run"]
    every = map(Requirement, PROJECT["dependencies"])
    # Some systems lack these packages, so the recipe describes how to get them instead of requiring
    # them.
    wanted = {(each.name, str(each.specifier)) for each in every if each.marker is None}
    assert {tuple(each.split()) for each in run} == wanted
    assert python.replace("${{ python_min }}", RECIPE["context"]["python_min"]) == (
        f"python {PROJECT['requires-python']}"
    )
    scripts = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == scripts
    host = {each.split()[0] for each in RECIPE["requirements"]["host"]} - {"python", "pip"}
    build = {Requirement(each).name for each in TABLES["build-system"]["requires"]}
    assert host == build


def test_a_wheel_names_no_tool_for_work_on_the_package():
    assert set(PROJECT["optional-dependencies"]) == {"save", "bands", "plot", "venn"}


def test_the_licences_lie_where_reuse_wants_them():
    held = {path.name: path.read_text() for path in (ROOT / "LICENSES").iterdir()}
    assert held == {
        "BSD-3-Clause.txt": (ROOT / "LICENSE").read_text(),
        "OFL-1.1.txt": (ROOT / "conformal_roc_widget/shown/fonts/OFL.txt").read_text(),
    }


def test_a_build_has_links_where_the_repository_is_known():
    found = documents.tool("readme").addresses("https://example.org/owner/name", "v1.2.3")
    assert found == {
        "Source": "https://example.org/owner/name",
        "Issues": "https://example.org/owner/name/issues",
        "Changelog": "https://example.org/owner/name/blob/v1.2.3/CHANGELOG.md",
    }


def test_the_paper_has_the_parts_of_its_journal_and_cites_what_it_lists():
    _, front, text = (ROOT / "docs/paper/paper.md").read_text().split("---\n", 2)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(
        yaml.safe_load(front)
    )
    for part in (
        "Summary",
        "Statement of need",
        "State of the field",
        "Functionality",
        "References",
    ):
        assert f"\n# {part}\n" in text
    listed = re.findall(r"^@\w+{(\w+),", (ROOT / "docs/paper/paper.bib").read_text(), re.MULTILINE)
    assert set(re.findall(r"@(\w+)\]", text)) == set(listed)
    assert 750 > len(text.split()) > 250
