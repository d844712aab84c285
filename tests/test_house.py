"""What holds the house together: layers, light imports, one version, nothing built in git."""

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "conformal_roc_widget"

# The architecture: each module may import only those above it. A new module gets its line here.
STATISTICS = [
    "gather",
    "versions",  # imports the standard library only
    "validation",
    "texts",
    "quantiles",
    "residuals",
    "reference",
    "sharp",
    "curve_level",
    "calibration",
    "intervals",
    "youden",
    "neighbors",
    "band",
    "logistic",
    "support",
    "table",
    "evaluation",
    "assembly",
    "model",
    "multiclass",
    "group",
    "studies",
    "study_models",
    "replicates",
    "guarantees",
    "files",
    "results",
    "simulation",
    "comparators.record",
    "comparators.bootstrap",
    "comparators.exact",
    "comparators.delong",
    "comparators.from_rocci",
    "comparators",
    "comparison",
    "overlays",
]
VIEWS = [
    "theme",
    "summary",
    "picture",
    "charts.style",
    "charts.notebook",
    "charts.roc_chart",
    "charts.study_charts",
    "charts.residual_chart",
    "charts",
    "charts.screen_chart",
    "wire",
    "export",
    "widget",
    "display",
    "magic",
]
LAYERS = [*STATISTICS, *VIEWS, "__init__"]

# Third-party packages: COMPUTING for every module (joblib and threadpoolctl are scikit-learn's own
# foundations), MORE for those that are named.
COMPUTING = {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl", "tqdm"}
MORE = {
    "charts": {"altair", "pandas"},
    "magic": {"IPython", "traitlets"},
    "widget": {"anywidget", "ipywidgets", "traitlets", "IPython"},
    "export": {"altair", "pandas"},
}
# Imported inside a function, on the call that needs it.
LAZY = {"vl_convert", "PIL", "pandas", "narwhals", "pyarrow", "rocci"}

sources = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
modules = sorted(sources)


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """Each dotted name that a module imports, and whether only a call inside a function does."""
    tree = ast.parse(sources[module].read_text())
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, lazily = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        lazily = lazily or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, lazily) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.Import):
            yield from ((alias.name, lazily) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "conformal_roc_widget." * (node.level > 0) + (node.module or "")
            yield from ((f"{base.rstrip('.')}.{alias.name}", lazily) for alias in node.names)


def test_every_module_has_its_place_in_the_list():
    assert set(modules) <= set(LAYERS)


@pytest.mark.parametrize("module", modules)
def test_a_module_imports_only_what_stands_above_it(module):
    above = set(LAYERS[: LAYERS.index(module)])
    for name, lazily in imports(module):
        top, _, rest = name.partition(".")
        if top == "conformal_roc_widget":
            # A name of a module, or a module itself.
            assert {rest, rest.rpartition(".")[0]} & above, f"{module} imports {name}"
        elif top not in sys.stdlib_module_names:
            allowed = (
                COMPUTING | MORE.get(module.partition(".")[0], set()) | (LAZY if lazily else set())
            )
            assert top in allowed, f"{module} imports {name}"


def fresh(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_import_is_light_and_the_rest_loads_on_first_use():
    out = fresh(
        "import json, sys\n"
        "import sklearn.metrics  # newer versions load pandas themselves\n"
        "before = set(sys.modules)\n"
        "import conformal_roc_widget as crw\n"
        "loaded = sorted({name.partition('.')[0] for name in set(sys.modules) - before})\n"
        "crw.ROCWidget\n"
        "print(json.dumps([loaded, 'anywidget' in sys.modules]))"
    )
    loaded, after = json.loads(out)
    heavy = {"anywidget", "ipywidgets", "traitlets", "IPython", "ipykernel", "altair", "pandas"}
    assert not heavy & set(loaded)
    assert not [name for name in loaded if name.startswith("jupyter")]
    assert after


def test_an_unknown_attribute_is_an_attribute_error():
    import conformal_roc_widget

    with pytest.raises(AttributeError, match="ROCWidgit"):
        _ = conformal_roc_widget.ROCWidgit


def test_public_names_are_listed_and_there():
    out = fresh(
        "import conformal_roc_widget as crw\n"
        "assert set(crw.__all__) <= set(dir(crw)), set(crw.__all__) - set(dir(crw))\n"
        "for name in crw.__all__: getattr(crw, name)"
    )
    assert out == ""


def test_python_and_page_have_one_version():
    import conformal_roc_widget

    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    page = json.loads((ROOT / "js/package.json").read_text())["version"]
    assert python == page == conformal_roc_widget.__version__


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a clone")
def test_what_is_built_is_not_committed():
    tracked = subprocess.run(
        ["git", "ls-files", "conformal_roc_widget/static", "js/node_modules", "dist", ".venv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert tracked.stdout == ""


def test_the_lock_file_names_no_host_and_every_platform():
    packages = json.loads((ROOT / "js/package-lock.json").read_text())["packages"]
    assert not [name for name, package in packages.items() if "resolved" in package]
    # npm leaves out what its registry does not have, and `npm ci` then refuses the file
    optional = {d for package in packages.values() for d in package.get("optionalDependencies", ())}
    assert {name for name in optional if f"node_modules/{name}" not in packages} == set()
