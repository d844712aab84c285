"""`show_versions` is complete and short, and imports none of the packages that it lists."""

import platform
import subprocess
import sys

import numpy as np

from conformal_roc_widget import versions


def rows(text):
    return {line[:20].split("  ")[0]: line.split()[-1] for line in text.splitlines()}


def test_it_tells_the_versions_in_use(capsys):
    versions.show_versions()
    told = rows(capsys.readouterr().out)
    assert told["Python"] == platform.python_version()
    assert told["numpy"] == np.__version__
    assert {"conformal_roc_widget", "page bundle", "anywidget", "altair", "jupyterlab"} <= set(told)


def test_missing_packages_and_a_missing_bundle_are_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(versions, "PLACES", ("no-such-distribution",))
    monkeypatch.setattr(versions, "BUNDLE", tmp_path / "widget.js")
    versions.show_versions()
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("not installed")
    assert next(l for l in lines if l.startswith("page bundle")).endswith("not built")


def test_nothing_heavy_is_imported_for_it():
    code = (
        "import sys, runpy\n"
        f"module = runpy.run_path({versions.__file__!r})\n"
        "before = set(sys.modules)\n"
        "module['show_versions']()\n"
        "assert not {'numpy', 'anywidget', 'altair'} & (set(sys.modules) - before)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
