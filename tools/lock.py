"""Renews the lock files: `packaging/requirements-dev.txt` and `js/package-lock.json`.

    python tools/lock.py

The first file has everything that `make` installs from PyPI, for every platform and Python, as pins
with hashes that uv and pip can read. The second file has everything from npm. Neither file names a
registry, so that each machine uses its own.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from programs import in_environment

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "packaging/requirements-dev.txt"
#: These packages install the others. hatchling needs `editables` for an editable install.
INSTALLERS = ["pip", "uv", "editables"]
OPTIONAL = "optionalDependencies"
HEADER = """\
# Everything that `make` installs from PyPI, for each platform and Python. `make lock` renews it.
"""


def requirements() -> list[str]:
    """The package's own requirements, those of its extras, groups and build, and the installers."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = tables["project"]
    extras = [r for extra in project["optional-dependencies"].values() for r in extra]
    build = tables["build-system"]["requires"]
    groups = [r for group in tables["dependency-groups"].values() for r in group]
    named = [r for r in groups if isinstance(r, str)]  # other entries include a group
    return [*project["dependencies"], *extras, *named, *build, *INSTALLERS]


def lock_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    with tempfile.TemporaryDirectory() as folder:
        direct, pins = Path(folder, "direct"), Path(folder, "pins")
        direct.write_text("\n".join(requirements()))
        command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet"]
        command += ["--universal", "--python-version", project["requires-python"][2:]]
        command += ["--generate-hashes", "--no-header", "--no-annotate"]
        command += ["--no-emit-index-url", "--no-emit-find-links"]
        subprocess.run([*command, str(direct), "-o", str(pins)], check=True)
        LOCK.write_text(HEADER + pins.read_text())


def flaws(packages: dict[str, dict]) -> list[str]:
    """Packages of an npm lock that have no hash, and missing ones for other platforms."""
    optional = {name for package in packages.values() for name in package.get(OPTIONAL, ())}
    return sorted(
        {name for name, package in packages.items() if name and "integrity" not in package}
        | {f"node_modules/{name}" for name in optional} - packages.keys()
    )


def lock_npm() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("package.json", ".npmrc"):
            shutil.copy(ROOT / "js" / name, folder)
        command = [
            in_environment("npm"),
            "install",
            "--package-lock-only",
            "--no-audit",
            "--no-fund",
        ]
        subprocess.run([*command, "--loglevel=error"], cwd=folder, check=True)
        lock = Path(folder, "package-lock.json")
        # If a registry lacks packages for other platforms, npm leaves them out of the lock, and
        # `npm ci` then fails.
        if lacking := flaws(json.loads(lock.read_text())["packages"]):
            sys.exit(
                "js/package-lock.json is left as it was: this registry has no "
                f"{', '.join(name.removeprefix('node_modules/') for name in lacking)}"
            )
        shutil.copy(lock, ROOT / "js")


if __name__ == "__main__":
    lock_python()
    lock_npm()
