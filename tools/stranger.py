"""Runs README's two commands on a simulated new machine, in a clone of the last commit.

    python3 tools/stranger.py

A developer's machine may have things that a new machine lacks: Node, a filled HOME, settings in the
environment, a plain folder name, a new processor. They are taken away first, and `REMOVED` says
why. Then `make lab` must print its address, and its quickstart must draw in a browser. `make test`
and `make test-thorough` must pass. All of them are run, even if an earlier one fails. Only the
Python that README asks for is needed. If no such place can be made, the exit code is 3.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).resolve().parent.parent
#: The folder's name has a space, an apostrophe and a non-ASCII letter.
FOLDER = "l'été d'un autre/clone"
SYSTEM = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
#: Programs that the simulated new machine must not have, and why.
REMOVED = {
    r"node(js|env)?|npm|npx|corepack|yarn(pkg)?|pnpm": "Node: the environment has to bring it",
    r"pip[\d.]*|pipx|uv|uvx|poetry|conda|mamba": "installers: README asks for Python alone",
    r"python[\d.]*|python.*-config|pypy.*|pyenv.*|pydoc.*": "other Pythons than the one asked for",
    r"jupyter.*|ipython.*|ruff|mypy|esbuild|playwright": "tools of another environment",
}
#: Environment variables with which the machine reaches its registries. They are passed on, and
#: their values are not read.
REGISTRY_VARIABLES = re.compile(
    r"(PIP|UV)_(.*INDEX.*|FIND_LINKS|CERT|TRUSTED_HOST|PROXY|CONSTRAINT|CONFIG_FILE|DEFAULT_TIMEOUT)"
    r"|NPM_CONFIG_(REGISTRY|PROXY|HTTPS_PROXY|CAFILE|STRICT_SSL|USERCONFIG)"
    r"|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS",
    re.IGNORECASE,
)
#: Files in HOME with which the machine reaches its registries.
REGISTRY_FILES = (".npmrc", ".netrc", ".pip/pip.conf", ".config/pip/pip.conf", ".config/uv/uv.toml")
#: Caches may be shared, because they cannot hide a missing requirement.
CACHES = {"PIP_CACHE_DIR": ".cache/pip", "UV_CACHE_DIR": ".cache/uv", "npm_config_cache": ".npm"}
#: OpenBLAS's code for a processor of 2004.
PROCESSOR = {"OPENBLAS_CORETYPE": "Prescott"}
FIRST_COMMAND_SECONDS = 1200
WITHOUT_AVX512 = """
import sys; sys.path.insert(0, "tools")
import elsewhere; print(" ".join(elsewhere.processor_features()[1]))
"""


class Place:
    """A new folder, HOME and PATH."""

    def __init__(self, top: Path) -> None:
        self.top, self.clone, self.home = top, top / FOLDER, top / "home"
        self.lacks: list[str] = []
        self.home.mkdir()
        self.clone.parent.mkdir()
        self.env = {"HOME": str(self.home), "PATH": str(self._links())} | PROCESSOR
        passed_on = {k: v for k, v in os.environ.items() if REGISTRY_VARIABLES.fullmatch(k)}
        self.env |= passed_on
        home = Path.home()
        self.env |= {k: str(home / v) for k, v in CACHES.items() if (home / v).is_dir()}
        files = [name for name in REGISTRY_FILES if (home / name).is_file()]
        for name in files:
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(home / name, self.home / name)
        gone = sorted(os.environ.keys() - self.env.keys())
        self.lacks.append(f"the environment's variables: {', '.join(gone)}")
        print(f"==> Passed on, so that registries are reached: {', '.join([*passed_on, *files])}")
        subprocess.run(["git", "clone", "-q", str(ROOT), str(self.clone)], check=True)

    def _links(self) -> Path:
        """Links to the system's programs, except those in `REMOVED`, and to the required Python."""
        links = self.top / "bin"
        links.mkdir()
        removed: dict[str, set[str]] = {why: set() for why in REMOVED.values()}
        for program in (each for folder in SYSTEM for each in sorted(Path(folder).glob("*"))):
            why = next(
                (w for names, w in REMOVED.items() if re.fullmatch(names, program.name)), None
            )
            if why is not None:
                removed[why].add(program.name)
            elif not (links / program.name).is_symlink():
                (links / program.name).symlink_to(program)
        # If Chromium is missing, the tests install it, and find it through this link.
        if not (links / "chromium").is_symlink():
            (links / "chromium").symlink_to(Path("/usr/bin/chromium"))
        self.lacks += [
            f"{', '.join(sorted(names)) or 'none here'} ({why})" for why, names in removed.items()
        ]
        # Python is not linked, because it finds its library beside the called file.
        own = links / "python3"
        own.write_text(f'#!/bin/sh\nexec {shlex.quote(os.path.realpath(sys.executable))} "$@"\n')
        own.chmod(0o755)
        return links

    def start(self, *command: str, **options: object) -> subprocess.Popen:
        """Starts a command in the clone as the leader of a group, without input."""
        return subprocess.Popen(
            command, cwd=self.clone, stdin=subprocess.DEVNULL, start_new_session=True, **options
        )

    def run(self, *command: str, **more: str) -> int:
        """Exit code of a command. Its group ends with it."""
        process = self.start(*command, env=self.env | more)
        try:
            return process.wait()
        finally:
            end(process)


def end(process: subprocess.Popen) -> None:
    """Ends a process and its group, and gives the group time to end other processes."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + 20
        try:
            os.killpg(process.pid, sign)
            while time.monotonic() < deadline:
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.1)
        except ProcessLookupError:
            return


def first_command(place: Place) -> int:
    """Runs `make lab` until its address answers and the quickstart is drawn, and then ends it."""
    server = place.start(
        "make", "lab", env=place.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    lines: list[str] = []

    def read() -> None:
        for line in server.stdout:
            print(re.sub(r"token=\w+", "token=...", line), end="", flush=True)
            lines.append(line)

    Thread(target=read, daemon=True).start()
    deadline = time.monotonic() + FIRST_COMMAND_SECONDS
    address = None
    try:
        while address is None:
            if server.poll() is not None or time.monotonic() > deadline:
                last = lines[-1].strip() if lines else "nothing"
                print(f"==> make lab gave no address; its last line: {last}", flush=True)
                return 1
            time.sleep(0.5)
            address = next((line.strip() for line in lines if "http://" in line), None)
        return place.run(".venv/bin/python", "tests/browser/first_look.py", address)
    finally:
        end(server)


def second_command(place: Place, target: str = "test") -> int:
    """Runs `make test`, also with NumPy's code for an old processor."""
    if code := place.run("make", "setup"):  # needed even if the first command failed
        return code
    asked = place.start(
        ".venv/bin/python", "-c", WITHOUT_AVX512, env=place.env, stdout=subprocess.PIPE, text=True
    )
    features = asked.communicate()[0].strip()
    old = {"NPY_DISABLE_CPU_FEATURES": features} if features else {}
    return place.run("make", target, **old)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", action="store_true", help="leave the place there")
    parser.add_argument("--lab-only", action="store_true", help="README's first command alone")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    top = Path(tempfile.mkdtemp(prefix="stranger-"))
    top.chmod(0o755)  # apt checks signatures as another user, who must read this folder
    try:
        try:
            place = Place(top)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"==> No stranger's place could be made here: {error}", flush=True)
            return 3
        print(f"==> A stranger in {place.clone}", flush=True)
        began = time.monotonic()
        steps = [
            ("make lab", first_command),
            ("make test", second_command),
            ("make test-thorough", lambda place: second_command(place, "test-thorough")),
        ]
        failed = []
        for name, step in steps[: 1 if options.lab_only else None]:
            code = step(place)
            minutes = (time.monotonic() - began) / 60
            print(f"==> {name}: exit {code} after {minutes:.1f} minutes in all", flush=True)
            failed += [name] if code else []
        if failed:
            print(f"==> Failed, see above: {', '.join(failed)}", flush=True)
        return int(bool(failed))
    finally:
        if "place" in locals():
            print(
                "==> The place had no",
                *(f"    {what}" for what in place.lacks),
                sep="\n",
                flush=True,
            )
        if not options.keep:
            shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
