"""Serves a notebook in JupyterLab and opens it, or prints its address if no browser opens."""

import argparse
import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from pathlib import Path

from programs import environment_first, in_environment

ROOT = Path(__file__).resolve().parent.parent


def free_port(first: int = 8888) -> int:
    """JupyterLab's usual port, or any other if that is taken."""
    for port in (first, 0):
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
            return s.getsockname()[1]
    raise OSError("no free port on 127.0.0.1")


def is_root() -> bool:
    return os.geteuid() == 0


def can_open_browser() -> bool:
    if is_root() or os.environ.keys() & {"CI", "SSH_CONNECTION", "SSH_TTY"}:
        return False
    if sys.platform.startswith("linux"):
        return bool(os.environ.keys() & {"DISPLAY", "WAYLAND_DISPLAY"})
    return True


def wait_until_up(server: subprocess.Popen, port: int, seconds: float = 120) -> bool:
    deadline = time.monotonic() + seconds
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
            return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    return False


def stop(process: subprocess.Popen) -> None:
    """Ends a process and its children. Each process here leads its own group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", help="path from the root of the repository")
    parser.add_argument("--watch", action="store_true", help="rebuild and reload the page's code")
    args = parser.parse_args()

    # If make or the terminal stops this script, the server ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(0))

    port, token = free_port(), secrets.token_hex(24)
    address = f"http://127.0.0.1:{port}/lab/tree/{args.notebook}?token={token}"
    env = os.environ | {"JUPYTER_TOKEN": token}
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--Application.log_level=ERROR",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--ServerApp.base_url=/",
        f"--ServerApp.root_dir={ROOT}",
        # This extension reads every setting, even deprecated ones, which causes warnings at each
        # start.
        "--ServerApp.jpserver_extensions=notebook_shim=False",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        *(["--allow-root"] if is_root() else []),
    ]
    processes = []
    try:
        if args.watch:
            env["ANYWIDGET_HMR"] = "1"
            print("==> Watching js/src: each change is built and reloaded", flush=True)
            path = environment_first(os.environ["PATH"])
            processes.append(
                subprocess.Popen(
                    [in_environment("npm"), "run", "--silent", "watch"],
                    cwd=ROOT / "js",
                    env=env | {"PATH": path},
                    start_new_session=True,
                )
            )
        print("==> Starting JupyterLab", flush=True)
        # A separate session: Ctrl-C reaches only this script, which then ends the server.
        server = subprocess.Popen(command, env=env, cwd=ROOT, start_new_session=True)
        processes.append(server)
        if not wait_until_up(server, port):
            print("JupyterLab did not start.", file=sys.stderr)
            return 1
        if can_open_browser() and webbrowser.open(address):
            print("==> Opened in the browser; Ctrl-C here stops it. The address:")
        else:
            print("==> JupyterLab is running; Ctrl-C stops it. Open this address in a browser:")
        print(f"    {address}", flush=True)
        return server.wait()
    except KeyboardInterrupt:
        print("\n==> Stopping")
        return 0
    finally:
        for process in processes:
            stop(process)


if __name__ == "__main__":
    sys.exit(main())
