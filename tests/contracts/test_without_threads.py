"""The package needs nothing that a kernel in a browser lacks.

Such a kernel lacks threads, processes, sockets, temporary files and some modules. Pyodide loads its
scientific packages from its own address on the web, which no registry mirrors, so the tests do not
run the wheel in Pyodide. Instead, they run the package in a process in which starting a thread
fails as in Pyodide, and in which all other missing features are refused.
"""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "conformal_roc_widget"

#: Standard modules that Pyodide 314.0.7 lacks, as observed there.
ABSENT = {
    *("_curses", "_curses_panel", "_dbm", "_gdbm", "_hashlib", "_interpchannels", "_interpqueues"),
    *("_interpreters", "_multiprocessing", "_posixshmem", "_tkinter", "_uuid", "curses", "dbm"),
    *("ensurepip", "grp", "idlelib", "pwd", "pydoc_data", "readline", "resource", "syslog"),
    *("tkinter", "turtle", "turtledemo", "venv"),
}
#: Versions from Pyodide's lock file. The other two packages are pure Python wheels from PyPI.
ITS_PACKAGES = {
    "numpy": "2.4.6",
    "scipy": "1.18.0",
    "scikit-learn": "1.8.0",
    "pandas": "3.0.2",
    "joblib": "1.5.3",
    "threadpoolctl": "3.6.0",
    "tqdm": "4.67.3",
    "altair": "6.0.0",
    "narwhals": "2.18.1",
    "pillow": "12.2.0",
    "anywidget": "0.11.0",
    "ipywidgets": "8.1.9",
}
#: joblib and scikit-learn import these two on Linux only.
OF_LINUX = {"_multiprocessing", "_posixshmem"}

#: As in Pyodide, there is one core and no thread can be started. Pyodide has temporary files; they
#: are refused to show that none is needed.
IN_A_BROWSER = f"""
import _thread, os, sys, threading, warnings
os.cpu_count = lambda: 1
vars(os).pop("sched_getaffinity", None)
warnings.simplefilter("error")
for name in {sorted(ABSENT - OF_LINUX)}:
    sys.modules[name] = None

def no_thread(*_, **__):
    raise RuntimeError("can't start new thread")

for name in ("_start_new_thread", "_start_joinable_thread"):
    setattr(threading, name, no_thread)
_thread.start_new_thread = _thread.start_joinable_thread = no_thread
REFUSED = set(
    "os.fork os.forkpty os.posix_spawn os.exec os.system subprocess.Popen socket.__new__ "
    "tempfile.mkstemp tempfile.mkdtemp".split()
)

def refuse(event, arguments):
    if event in REFUSED:
        raise OSError("refused: " + event)

sys.addaudithook(refuse)
"""
QUICKSTART = """
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from conformal_roc_widget import ConformalROC, ROCWidget

tumours = load_breast_cancer(as_frame=True)
X, y = tumours.data[["mean radius", "mean texture"]], tumours.target_names[tumours.target]
X, X_test, y, y_test = train_test_split(X, y, test_size=200, random_state=0)
how = {"pos_label": "malignant", "random_state": 0}
widget = ROCWidget.from_estimator(LogisticRegression(), X, y, X_test, y_test, calibration="cross", **how)
"""
WAYS = {
    "the first picture, and sliders": (
        "widget._repr_mimebundle_(); widget.as_html()._repr_html_()\n"
        "widget.alpha = 0.1; widget.threshold = 0.3; widget.current_band"
    ),
    "every view": (
        "from conformal_roc_widget.shown.controls import VIEWS\n"
        "for view in VIEWS: widget.view = view"
    ),
    "neighbours": (
        "model = ConformalROC(LogisticRegression(), neighbors=20, random_state=0).fit(X, y)\n"
        "ROCWidget(model.evaluate(X_test, y_test))._repr_mimebundle_()"
    ),
    "comparators": (
        "widget = ROCWidget(widget.evaluation, comparators=('bootstrap', 'ks'))\n"
        "widget.wait(0)\n"
        "assert {'bootstrap', 'ks'} == set(widget.comparators)"
    ),
    "limits that are made after the first display": (
        "import numpy as np\n"
        "y = np.arange(6000) % 2\n"
        "s = np.random.default_rng(0).beta(2 + y, 3 - y)\n"
        "made = y[:900], s[:900], y[900:], s[900:]\n"
        "widget = ROCWidget.from_predictions(*made, guarantee='simultaneous')\n"
        "widget.wait(0)"
    ),
}


def run(code):
    # With this variable joblib behaves as on a system without _multiprocessing.
    env = os.environ | {"JOBLIB_MULTIPROCESSING": "0"}
    command = [sys.executable, "-c", IN_A_BROWSER + QUICKSTART + code]
    return subprocess.run(command, env=env, capture_output=True, text=True)


first, *others = WAYS


@pytest.mark.parametrize(
    "way", [first, *(pytest.param(way, marks=pytest.mark.thorough) for way in others)]
)
def test_needs_no_thread_process_socket_or_temporary_file(way):
    done = run(WAYS[way])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("tried", "told"),
    [
        ("import threading; threading.Thread(target=print).start()", "can't start new thread"),
        ("import subprocess; subprocess.run(['true'])", "subprocess.Popen"),
        ("import socket; socket.socket()", "socket.__new__"),
        ("import tempfile; tempfile.mkdtemp()", "tempfile.mkdtemp"),
        ("import pwd", "pwd"),
    ],
)
def test_what_is_refused_here_would_be_seen(tried, told):
    code = IN_A_BROWSER + tried
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode != 0
    assert told in done.stderr


def test_no_module_of_ours_imports_what_a_browser_lacks():
    found = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        for name in imported(node)
        if name.partition(".")[0] in ABSENT | {"multiprocessing", "subprocess", "socket", "ssl"}
    }
    assert found == set()


def imported(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def test_what_pyodide_lists_is_new_enough():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    here = {"sys_platform": "emscripten", "platform_machine": "wasm32"}
    every = [Requirement(each) for each in project["dependencies"]]
    needed = [each for each in every if each.marker is None or each.marker.evaluate(here)]
    assert [r for r in needed if not r.specifier.contains(ITS_PACKAGES[r.name])] == []
