"""Runs tests and notebooks under the conditions of other machines, and prints a table of results.

    python tools/elsewhere.py [--only PLACE] [arguments of pytest ...]

A place is a processor (for OpenBLAS's and NumPy's code), a number of BLAS threads, a locale, a time
zone and a seed of hashes. Every place has a folder whose name has a space and a non-ASCII letter.
Without paths, all Python tests except those in a browser are run, and all notebooks.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/elsewhere/près d'ici"
#: OpenBLAS reports its Prescott kernels by the name of an older family. The builds in NumPy and
#: SciPy have no kernels for Zen and use Haswell's.
REPORTED = {"Prescott": "Katmai", "Zen": "Haswell"}
LEFT_OUT = (".git", ".venv", "node_modules", "build", "dist", "__pycache__", ".*_cache")
PYTEST = ["--nbval", "--nbval-current-env", "-q", "--no-header", "-p", "no:cacheprovider"]
PYTEST += ["--ignore=tests/browser", "-n", "auto", "--dist", "loadfile"]
PYTEST += ["--max-worker-restart", "0"]
PROBE = """
import json, numpy, scipy.linalg, threadpoolctl, conformal_roc_widget
blas = {found.get("architecture") for found in threadpoolctl.threadpool_info()} - {None}
print(json.dumps([sorted(blas), conformal_roc_widget.__file__]))
"""


class Place(NamedTuple):
    """Conditions of a run. OpenBLAS's name of the processor is the name of the place."""

    processor: str
    threads: int
    locale: str
    zone: str
    seed: int
    avx512: bool = True


PLACES = [
    Place("Haswell", 1, "de_DE.UTF-8", "Asia/Kathmandu", 1),
    Place("SkylakeX", 2, "C", "America/St_Johns", 2),
    Place("Zen", 2, "tr_TR.UTF-8", "Pacific/Kiritimati", 3),
    Place("Prescott", 1, "C.UTF-8", "UTC", 4, avx512=False),
]


def processor_features() -> tuple[bool, list[str]]:
    """Whether this processor has AVX-512, and NumPy's names for the code that uses it."""
    from numpy._core import _multiarray_umath as numpy

    has = numpy.__cpu_features__
    names = [n for n in numpy.__cpu_dispatch__ if n == "X86_V4" or n.startswith("AVX512")]
    return has["AVX512F"], [name for name in names if has.get(name)]


def installed_locale(name: str) -> str:
    """The name of the locale, or C if the system does not have it."""
    run = subprocess.run(["locale", "-a"], capture_output=True, text=True)
    return name if name.replace("UTF-8", "utf8") in run.stdout.split() else "C"


def settings(place: Place, avx512: list[str]) -> dict[str, str]:
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
    return (
        {
            "OPENBLAS_CORETYPE": place.processor,
            "LC_ALL": installed_locale(place.locale),
            "TZ": place.zone,
            "PYTHONHASHSEED": str(place.seed),
            "PYTHONPATH": str(FOLDER),
        }
        | dict.fromkeys(threads, str(place.threads))
        | ({} if place.avx512 else {"NPY_DISABLE_CPU_FEATURES": " ".join(avx512)})
    )


def check_the_place(place: Place, env: dict[str, str]) -> None:
    """Checks that the settings work: another build of OpenBLAS would ignore them."""
    run = subprocess.run(
        [sys.executable, "-c", PROBE], env=env, cwd=FOLDER, capture_output=True, text=True
    )
    if run.returncode:
        sys.exit(run.stderr)
    blas, package = json.loads(run.stdout)
    if blas != [REPORTED.get(place.processor, place.processor)] or not Path(package).is_relative_to(
        FOLDER
    ):
        sys.exit(f"found OpenBLAS for {blas} and {package}, expected {place.processor} in {FOLDER}")


def run(place: Place, avx512: list[str], wanted: list[str]) -> tuple[int, int, float]:
    """Passed tests, failed tests and minutes of one place."""
    env = os.environ | settings(place, avx512)
    check_the_place(place, env)
    report = FOLDER.parent / f"{place.processor}.xml"
    command = [sys.executable, "-m", "pytest", *PYTEST, f"--junitxml={report}", *wanted]
    start = time.monotonic()
    code = subprocess.run(command, cwd=FOLDER, env=env).returncode
    if code not in (0, 1):
        sys.exit(code)
    (suite,) = ET.parse(report).getroot()
    counts = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    passed = counts["tests"] - failed - counts["skipped"]
    return passed, max(failed, code), (time.monotonic() - start) / 60


def described(place: Place) -> str:
    locale = installed_locale(place.locale)
    missing = "" if locale == place.locale else f" ({place.locale} is not installed)"
    without = "" if place.avx512 else " without AVX-512"
    threads = "one BLAS thread" if place.threads == 1 else f"{place.threads} BLAS threads"
    kernels = " by Haswell's kernels" if place.processor == "Zen" else ""
    return f"{place.processor}{kernels}{without}, {threads}, {locale}{missing}, {place.zone}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", choices=[place.processor for place in PLACES])
    parser.add_argument("paths", nargs="*", default=["tests", "notebooks"])
    options = parser.parse_args()
    has_avx512, avx512 = processor_features()
    if FOLDER.parent.exists():
        shutil.rmtree(FOLDER.parent)
    shutil.copytree(ROOT, FOLDER, ignore=shutil.ignore_patterns(*LEFT_OUT))

    rows, failures = [], 0
    for place in PLACES:
        if options.only not in (None, place.processor):
            continue
        print(f"==> As on {described(place)}", flush=True)
        if place.processor == "SkylakeX" and not has_avx512:
            rows.append((described(place), "not run: this processor has no AVX-512", "", ""))
            continue
        passed, failed, minutes = run(place, avx512, options.paths)
        rows.append((described(place), str(passed), str(failed), f"{minutes:.1f}"))
        failures += failed
    table = [("place", "passed", "failed", "minutes"), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
