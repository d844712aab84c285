"""Contents of wheel and sdist. Builds of a clone need npm and PyPI, those of an sdist PyPI; the rest needs no network."""

import hashlib
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
from widget_state import unpacked_file

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
NAME = f"conformal_roc_widget-{VERSION}"
BUNDLE = {
    f"conformal_roc_widget/static/{name}"
    for name in ("widget.js", "widget.css", "standalone.gz", "still.js")
}
METADATA = {
    f"{NAME}.dist-info/{name}"
    for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
}
BESIDE_THE_SOURCES = {
    *(".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"),
    *("tools/page.py", "tools/readme.py"),
    *("js/.npmrc", "js/build.mjs", "js/theme.mjs", "js/tsconfig.json"),
    *("js/package.json", "js/package-lock.json"),
}


def in_git() -> list[str]:
    """Files that are tracked by git, and new ones that are not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in run.stdout.splitlines() if (ROOT / name).is_file()]


#: As in a release, where README has links to the repository.
SOURCE = {"SOURCE_ADDRESS": "https://example.org/owner/name", "SOURCE_REVISION": "v1"}


def built(checkout: Path, written: int) -> tuple[Path, Path]:
    """Wheel and sdist, each from a checkout whose files have one modification time."""
    for path in checkout.rglob("*"):
        os.utime(path, (written, written))
    folder = checkout.parent
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--sdist", "--outdir", folder, checkout],
        check=True,
        stdout=subprocess.DEVNULL,
        env={k: v for k, v in os.environ.items() if k != "SOURCE_DATE_EPOCH"} | SOURCE,
    )
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def names():
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    return in_git()


def clone(names, checkout: Path) -> Path:
    for name in names:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    return checkout


@pytest.fixture(scope="module")
def builds(names, tmp_path_factory):
    """Wheel and sdist of a clone that has an outdated bundle."""
    checkout = clone(names, tmp_path_factory.mktemp("builds") / "checkout")
    for name in BUNDLE:
        (checkout / name).parent.mkdir(exist_ok=True)
        (checkout / name).write_text("stale")
    return built(checkout, 1_600_000_000)


@pytest.fixture(scope="module")
def wheel(builds):
    return builds[0]


@pytest.mark.slow
def test_two_builds_in_two_places_are_the_same_to_the_byte(names, builds, tmp_path):
    others = built(clone(names, tmp_path / "another/deeper/checkout"), 1_700_000_000)
    for one, other in zip(builds, others, strict=True):
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (one, other)]
        assert digests[0] == digests[1], one.name


@pytest.mark.thorough
def test_a_wheel_holds_the_package_a_fresh_bundle_and_the_licence(wheel, names):
    sources = {name for name in names if name.startswith("conformal_roc_widget/")}
    assert {Path(name).suffix for name in sources} == {".py", ".json", ".typed", ".ttf", ".txt"}
    with zipfile.ZipFile(wheel) as archive:
        assert set(archive.namelist()) == sources | BUNDLE | METADATA
        assert not [name for name in BUNDLE if archive.read(name) == b"stale"]  # see `builds`
        licence = archive.read(f"{NAME}.dist-info/licenses/LICENSE")
    assert licence == (ROOT / "LICENSE").read_bytes()


@pytest.mark.thorough
def test_an_sdist_holds_what_a_wheel_is_made_of(builds, names):
    sources = {name for name in names if name.startswith(("conformal_roc_widget/", "js/src/"))}
    with tarfile.open(builds[1]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert held == sources | BUNDLE | BESIDE_THE_SOURCES


@pytest.mark.thorough
def test_an_sdist_needs_python_alone_and_makes_the_wheel_of_the_clone(builds, tmp_path):
    wheel, sdist = builds
    nothing = {"PATH": str(tmp_path), "npm_config_registry": "http://127.0.0.1:9"}
    env = {k: v for k, v in os.environ.items() if k not in SOURCE} | nothing
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, sdist]
    subprocess.run(command, env=env, check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def unpack(sdist: Path, folder: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")


@pytest.mark.thorough
def test_an_sdist_without_its_page_says_so(builds, tmp_path):
    unpack(builds[1], tmp_path)
    (tmp_path / NAME / "conformal_roc_widget/static/widget.css").unlink()
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    run = subprocess.run(
        [*command, "-w", tmp_path, tmp_path / NAME], capture_output=True, text=True
    )
    assert run.returncode != 0
    assert "this sdist lacks widget.css" in run.stderr + run.stdout


@pytest.mark.thorough
def test_the_index_will_take_them(builds):
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *builds], check=True)


@pytest.mark.thorough
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
    # The dependencies without this clone: a .pth file inside that folder is not followed.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    code = (
        "import numpy as np, conformal_roc_widget as crw\n"
        "y = np.arange(400) % 2\n"
        "score = np.random.default_rng(0).beta(2 + y, 3 - y)\n"
        "crw.ROCWidget.from_predictions(y, score).to_html('roc.html')\n"
        "print(crw.__file__, crw.__version__)"
    )
    # -I ignores the current folder and PYTHONPATH
    run = subprocess.run(
        [python, "-I", "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{site / 'conformal_roc_widget/__init__.py'} {VERSION}\n"
    page = (tmp_path / "roc.html").read_text()
    with zipfile.ZipFile(wheel) as archive:
        style = archive.read("conformal_roc_widget/static/widget.css").decode()
    packed = re.search(r"data-packed>([^<]+)<", page)[1]
    assert unpacked_file(packed).decode().partition("\0")[2].strip() == style.strip()


@pytest.mark.thorough
def test_the_script_of_the_conda_recipe_installs_an_sdist(builds, tmp_path):
    recipe = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text())
    assert Path(recipe["source"]["path"]).name.replace("${{ version }}", VERSION) == builds[1].name
    python, *words = recipe["build"]["script"].replace("${{ PYTHON }}", "python").split()
    assert python == "python"
    unpack(builds[1], tmp_path)
    command = [sys.executable, *words, "--target", tmp_path / "there"]
    subprocess.run(command, cwd=tmp_path / NAME, check=True, capture_output=True)
    names = {str(path.relative_to(tmp_path / "there")) for path in tmp_path.glob("there/**/*")}
    assert {*BUNDLE, "bin/conformal-roc"} <= names


def test_the_bundle_holds_one_package_of_others_and_its_notice():
    sources = [path.read_text() for path in (ROOT / "js/src").rglob("*.ts")]
    imported = [
        name
        for source in sources
        for kind, name in re.findall(
            r'^(?:import|export)( type)?\b(?:[^;"=]*\bfrom)? "([^"]+)";', source, re.M
        )
        if not kind
    ]
    assert {name for name in imported if not name.startswith(".")} == {"lit-html"}
    bundle = (ROOT / "conformal_roc_widget/static/standalone.js").read_text()
    assert re.search(r"lit-html.*Google LLC.*BSD-3-Clause", bundle, re.S)


def test_worker_processes_use_nothing_deprecated():
    # pytest's warning filters do not apply to worker processes, which read the environment instead.
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
