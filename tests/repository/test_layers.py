"""Import directions: a folder imports only earlier folders, and there are no circular imports."""

import ast
import graphlib
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "conformal_roc_widget"
NAME = PACKAGE.name

# A folder may import from itself and from folders in earlier lines. A new module needs no line
# here.
ORDER = [
    {"checks", "choices", "names", "text", "files", "parallel", "versions"},
    {"arrays", "words"},
    {"logits", "promise"},
    {"tables"},
    {"calibration"},
    {"reliability"},
    {"evaluation"},
    {"estimator", "comparators"},
    {"simulation", "shown"},
    {"scene"},
    {"wire"},
    {"page"},
    {"draw"},
    {"charts"},
    {"widget"},
    {"__init__", "__main__"},
]

# Third-party packages. Every folder may import COMPUTING (joblib and threadpoolctl are dependencies
# of scikit-learn), and named folders may import MORE.
COMPUTING = {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl", "tqdm"}
MORE = {
    "draw": {"altair"},
    "charts": {"altair", "pandas", "IPython", "venn_abers"},
    "widget": {"anywidget", "ipywidgets", "traitlets", "IPython", "altair", "pandas"},
}
# Imported only inside functions that need them, or for annotations.
LAZY = {
    "PIL",
    "pandas",
    "narwhals",
    "pyarrow",
    "dask",
    "rocci",
    "altair",
    "venn_abers",
    "matplotlib",
    "quickjs",
}


@cache
def read(package: Path) -> dict[str, ast.Module]:
    """Source of each module, by its dotted name in the package."""
    return {
        ".".join(path.relative_to(package).with_suffix("").parts): ast.parse(path.read_text())
        for path in sorted(package.rglob("*.py"))
    }


def imports(tree: ast.Module, module: str) -> Iterator[tuple[str, bool]]:
    """Each dotted name that a module imports, and whether only a function or a type checker imports
    it.
    """
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, lazily = waiting.pop()
        lazily = (
            lazily
            or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        )
        waiting += [(child, lazily) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.Import):
            yield from ((alias.name, lazily) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = [NAME, *module.split(".")[: -node.level]] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((f"{base}.{alias.name}", lazily) for alias in node.names)


def module_of(name: str, modules: dict[str, ast.Module]) -> str:
    """The module of this package that contains a dotted name."""
    rest = name.removeprefix(NAME).removeprefix(".")
    while rest:
        for module in (rest, f"{rest}.__init__"):
            if module in modules:
                return module
        rest = rest.rpartition(".")[0]
    return "__init__"


def room(module: str) -> str:
    return module.partition(".")[0]


def rank(module: str) -> int:
    return next((i for i, rooms in enumerate(ORDER) if room(module) in rooms), -1)


@cache
def said_by(tree: ast.Module, module: str) -> tuple[list[tuple[str, bool]], bool]:
    """Imports of a module, and whether it imports by name. Cached."""
    called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [*imports(tree, module)], not {"__import__", "import_module"}.isdisjoint(called)


def complaints(modules: dict[str, ast.Module]) -> list[str]:
    """Every import in the wrong direction, every circular import, and every package outside of its
    folder.
    """
    found = []
    graph: dict[str, set[str]] = {}
    for module, tree in modules.items():
        if rank(module) < 0:
            found.append(f"{module} has no room")
        imported, by_name = said_by(tree, module)
        for name, lazily in imported:
            top = name.partition(".")[0]
            if top == NAME:
                other = module_of(name, modules)
                if room(other) != room(module) and rank(other) >= rank(module):
                    found.append(f"{module} imports {other}")
                graph.setdefault(module, set()).add(other)
            elif (
                top == "importlib"
                and module != "__init__"
                and not name.startswith(("importlib.util", "importlib.metadata"))
            ):
                found.append(f"{module} imports by name")
            elif top not in sys.stdlib_module_names | COMPUTING | MORE.get(room(module), set()) | (
                LAZY if lazily else set()
            ):
                found.append(f"{module} imports {name}")
        found += [f"{module} imports by name"] * by_name
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as circle:
        found.append(f"circle: {' <- '.join(circle.args[1])}")
    return found


def test_imports_follow_the_order_of_the_rooms_without_a_circle():
    assert complaints(read(PACKAGE)) == []


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        (
            "calibration.references.kernel",
            "from conformal_roc_widget.evaluation import band",
            "evaluation.band",
        ),
        (
            "calibration.references.kernel",
            "def f():\n    import conformal_roc_widget.wire.messages",
            "wire",
        ),
        (
            "evaluation.band",
            "if TYPE_CHECKING:\n    from conformal_roc_widget.widget.roc_widget import ROCWidget",
            "imports widget.roc_widget",
        ),
        ("shown.theme", "from conformal_roc_widget import charts", "imports charts"),
        ("comparators.delong", "from conformal_roc_widget import ConformalROC", "imports __init__"),
        ("wire.messages", "from conformal_roc_widget.charts import roc", "imports charts.roc"),
        ("evaluation.band", "import anywidget", "imports anywidget"),
        ("shown.theme", "import importlib\nimportlib.import_module('x')", "by name"),
        ("text", "from conformal_roc_widget.calibration import quantiles", "calibration"),
        (
            "calibration.references.kernel",
            "def f():\n    from conformal_roc_widget.calibration import split",
            "circle",
        ),
        ("drawer", "", "no room"),
    ],
)
def test_a_wrong_import_is_refused_also_a_lazy_one_and_a_type(module, source, complaint):
    modules = dict(read(PACKAGE))
    planted = modules.get(module, ast.Module([], []))
    modules[module] = ast.Module([*planted.body, *ast.parse(source).body], [])
    assert [found for found in complaints(modules) if complaint in found]


def test_the_import_is_light_and_every_public_name_is_listed_and_loads_on_first_use():
    code = (
        "import json, sys\n"
        "import sklearn.metrics  # newer versions load pandas themselves\n"
        "before = set(sys.modules)\n"
        "import conformal_roc_widget as crw\n"
        "loaded = sorted({name.partition('.')[0] for name in set(sys.modules) - before})\n"
        "assert set(crw.__all__) <= set(dir(crw)), set(crw.__all__) - set(dir(crw))\n"
        "for name in crw.__all__: getattr(crw, name)\n"
        "print(json.dumps([loaded, 'anywidget' in sys.modules]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    loaded, after = json.loads(run.stdout)
    heavy = {"anywidget", "ipywidgets", "traitlets", "IPython", "ipykernel", "altair", "pandas"}
    assert not heavy & set(loaded)
    assert not [name for name in loaded if name.startswith("jupyter")]
    assert after


def test_an_unknown_attribute_is_an_attribute_error():
    import conformal_roc_widget

    with pytest.raises(AttributeError, match="ROCWidgit"):
        _ = conformal_roc_widget.ROCWidgit


def test_python_and_page_have_one_version():
    import conformal_roc_widget

    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    page = json.loads((ROOT / "js/package.json").read_text())["version"]
    assert python == page == conformal_roc_widget.__version__


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_built_files_are_not_committed():
    tracked = subprocess.run(
        ["git", "ls-files", "conformal_roc_widget/static", "js/node_modules", "dist", ".venv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert tracked.stdout == ""
