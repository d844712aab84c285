"""Contents of wheel and sdist. The builds need npm and PyPI; the rest needs no network."""

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
NAME = f"conformal_roc_widget-{VERSION}"
BUNDLE = {
    f"conformal_roc_widget/static/{name}" for name in ("widget.js", "widget.css", "standalone.js")
}
METADATA = {
    f"{NAME}.dist-info/{name}"
    for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
}
BESIDE_THE_SOURCES = {
    *(".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"),
    "tools/readme.py",
    *("js/.npmrc", "js/build.mjs", "js/theme.mjs", "js/tsconfig.json"),
    *("js/package.json", "js/package-lock.json"),
}


def in_git() -> list[str]:
    """Files that a clone would hold, and new ones that are not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in run.stdout.splitlines() if (ROOT / name).is_file()]


def built(checkout: Path, written: int) -> tuple[Path, Path]:
    """Wheel and sdist of a checkout whose files were all written at one time."""
    for path in checkout.rglob("*"):
        os.utime(path, (written, written))
    folder = checkout.parent
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, checkout],
        check=True,
        stdout=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"},
    )
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def names():
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    return in_git()


@pytest.fixture(scope="module")
def builds(names, tmp_path_factory):
    """Of one state of the files, in two places, the second with a stale bundle."""
    folder = tmp_path_factory.mktemp("builds")
    one, other = folder / "one/checkout", folder / "another/deeper/checkout"
    for name in names:
        (one / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, one / name)
    shutil.copytree(one, other)
    for name in BUNDLE:
        (other / name).parent.mkdir(exist_ok=True)
        (other / name).write_text("stale")
    return built(one, 1_600_000_000), built(other, 1_700_000_000)


@pytest.fixture(scope="module")
def wheel(builds):
    return builds[1][0]


@pytest.mark.slow
def test_two_builds_in_two_places_are_the_same_to_the_byte(builds):
    for one, other in zip(*builds, strict=True):
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, other)]
        assert digests[0] == digests[1], one.name


@pytest.mark.slow
def test_a_wheel_holds_the_package_a_fresh_bundle_and_the_licence(wheel, names):
    sources = {name for name in names if name.startswith("conformal_roc_widget/")}
    assert {Path(name).suffix for name in sources} == {".py", ".json", ".typed", ".ttf", ".txt"}
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == sources | BUNDLE | METADATA
        assert not [name for name in BUNDLE if archive.read(name) == b"stale"]  # see `builds`
        licence = archive.read(f"{NAME}.dist-info/licenses/LICENSE")
    assert licence == (ROOT / "LICENSE").read_bytes()


@pytest.mark.slow
def test_an_sdist_holds_what_a_wheel_is_made_of(builds, names):
    sources = {name for name in names if name.startswith(("conformal_roc_widget/", "js/src/"))}
    with tarfile.open(builds[0][1]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert held == sources | BESIDE_THE_SOURCES


@pytest.mark.slow
def test_the_index_will_take_them(builds):
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *builds[0]], check=True)


@pytest.mark.slow
def test_an_installed_wheel_writes_a_page(wheel, tmp_path):
    venv.create(tmp_path / "fresh", with_pip=True)
    python = tmp_path / "fresh/bin/python"
    pip = [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel]
    subprocess.run(pip, check=True)
    site = Path(
        subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    )
    # The dependencies, but not this clone: a path file inside that folder is not followed.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    code = (
        "import numpy as np, conformal_roc_widget as crw\n"
        "y = np.arange(400) % 2\n"
        "score = np.random.default_rng(0).beta(2 + y, 3 - y)\n"
        "crw.ROCWidget.from_predictions(y, score, y, score).to_html('roc.html')\n"
        "print(crw.__file__, crw.__version__)"
    )
    # -I: neither the folder it runs in nor PYTHONPATH
    run = subprocess.run(
        [python, "-I", "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{site / 'conformal_roc_widget/__init__.py'} {VERSION}\n"
    page = (tmp_path / "roc.html").read_text()
    with zipfile.ZipFile(wheel) as archive:
        style = archive.read("conformal_roc_widget/static/widget.css").decode()
    packed = re.search(r"data-packed>([^<]+)<", page)[1]
    assert json.loads(gzip.decompress(base64.b64decode(packed)))["style"].strip() == style.strip()


@pytest.mark.slow
def test_the_script_of_the_conda_recipe_installs_a_clone(builds, tmp_path):
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
    python, *words = recipe["build"]["script"].replace("${{ PYTHON }}", "python").split()
    assert python == "python"
    checkout = builds[0][0].parent / "checkout"
    command = [sys.executable, *words, "--target", tmp_path]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert {*BUNDLE, "bin/conformal-roc"} <= names


def test_the_bundle_holds_no_code_of_others():
    page = json.loads((ROOT / "js/package.json").read_text())
    assert "dependencies" not in page
    sources = [path.read_text() for path in (ROOT / "js/src").rglob("*.ts")]
    imported = [
        name
        for source in sources
        for kind, name in re.findall(
            r'^(?:import|export)( type)?\b(?:[^;"=]*\bfrom)? "([^"]+)";', source, re.M
        )
        if not kind
    ]
    assert imported
    assert not [name for name in imported if not name.startswith(".")]


def test_worker_processes_use_nothing_deprecated():
    # pytest's own filters end at its process; workers see the environment.
    code = (
        "from conformal_roc_widget import simulation\n"
        "simulation.run('sample_size', [100], 2, n_jobs=2, random_state=7, progress=False,"
        " n_test=40, neighbors=30)"
    )
    kinds = ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning")
    filters = ",".join(f"error::{kind}" for kind in kinds)
    env = os.environ | {"PYTHONWARNINGS": filters}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
