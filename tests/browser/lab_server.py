"""A JupyterLab server for the browser tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Self

from playwright.sync_api import Page

TIMEOUT = 60.0  # in seconds; only a broken page needs longer


class Server:
    """A JupyterLab server with its own port, which ignores the user's settings."""

    tree = "lab/tree"  # start of a notebook's address
    probe = "api"  # this address responds once the server is ready

    def __init__(self, folder: Path) -> None:
        self.root = folder / "notebooks"
        self.settings = folder / "settings"
        self.log = folder / "server.log"
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.idle_page: Page | None = None  # a page of JupyterLab with no notebook open
        dirs = {
            "JUPYTER_CONFIG_DIR": folder / "config",
            "JUPYTER_DATA_DIR": folder / "data",
            "JUPYTER_RUNTIME_DIR": folder / "run",
            "JUPYTERLAB_SETTINGS_DIR": self.settings,
            "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
            "IPYTHONDIR": folder / "ipython",
        }
        for path in (self.root, *dirs.values()):
            path.mkdir()
        self._env = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")}
        self._env |= {name: str(path) for name, path in dirs.items()}
        self._command = [
            *(sys.executable, "-m", "jupyterlab", "--no-browser"),
            f"--ServerApp.root_dir={self.root}",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
            "--ServerApp.terminals_enabled=False",
            "--IdentityProvider.token=",
            "--PasswordIdentityProvider.password_required=False",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]
        # a socket avoids races for ports; on other systems its path may be too long
        if sys.platform == "linux":
            self._command.append("--KernelManager.transport=ipc")
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            self._command.append("--allow-root")

    def __enter__(self) -> Self:
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                self._command, env=self._env, cwd=self.root, stdout=log, stderr=log
            )
        deadline = time.monotonic() + TIMEOUT
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")
            time.sleep(0.1)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()  # the server also ends its kernels
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/{self.probe}", timeout=5):
                return True
        except OSError:
            return False

    def trust(self, notebook: Path) -> None:
        """Marks a notebook as trusted."""
        command = [sys.executable, "-m", "jupyter", "trust", str(notebook)]
        subprocess.run(command, env=self._env, check=True, capture_output=True)

    def forget_settings(self) -> None:
        """Resets the settings: light theme, defaults, and no question about news."""
        shutil.rmtree(self.settings)
        notification = self.settings / "@jupyterlab/apputils-extension/notification"
        notification.parent.mkdir(parents=True)
        notification.with_suffix(".jupyterlab-settings").write_text('{"fetchNews": "false"}')
