"""The documentation: its code runs, its pages build without a warning and fetch nothing."""

import os
import re
import subprocess
import sys

import documents
import pytest

import conformal_roc_widget

DOCS = documents.ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# The site's build runs the code of the others, to show what comes out.
SHOWING_NOTHING = [page for page in PAGES if "<!-- show:" not in page.read_text()]


@pytest.mark.parametrize("page", SHOWING_NOTHING, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of it writes files
    namespace: dict[str, object] = {"__name__": "__main__"}
    for number, block in enumerate(documents.blocks(page.read_text()), start=1):
        documents.run(page.name, number, block, namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_make_targets_and_notebooks_that_a_page_names_are_there(page):
    text = page.read_text()
    assert documents.targets_named(text) <= documents.make_targets()
    for name in re.findall(r"`((?:notebooks|docs|js|tests|benchmarks)/[\w./-]+)`", text):
        assert (documents.ROOT / name).exists(), name


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    built = subprocess.run(
        [*command, "--config-file", documents.ROOT / "mkdocs.yml", "--site-dir", folder],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_the_site_builds_without_a_warning(site):
    assert {page.with_suffix(".html").name for page in PAGES} <= {p.name for p in site.iterdir()}


def test_no_page_fetches_anything_from_elsewhere(site):
    for page in site.glob("**/*.html"):
        text = page.read_text()
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]*\ssrc(?:set)?="([^"]+)"', text)
        fetched += re.findall(
            r'<link[^>]*rel="(?:stylesheet|preconnect|icon)"[^>]*href="([^"]+)', text
        )
        assert not [url for url in fetched if re.match(r"(?:https?:)?//", url)], page
    for style in site.glob("**/*.css"):
        assert not re.search(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", style.read_text()), style


def test_what_a_page_shows_stands_there(site):
    for page in PAGES:
        text, html = page.read_text(), page.with_suffix(".html").name
        built = (site / html).read_text()
        assert "<!-- show:" not in built, page
        assert built.count('<div class="live"') == len(re.findall("<!-- show: widget -->", text))


def test_a_live_chart_finds_its_script_and_style(site):
    built = (site / "quickstart.html").read_text()
    assert "data-conformal-roc>" in built
    for file in re.findall(r'(?:src|href)="(assets/conformal-roc/[^"]+)"', built):
        assert (site / file).exists(), file


def test_equations_are_set_without_a_script(site):
    built = (site / "method.html").read_text()
    assert built.count("<math") > 30
    assert "arithmatex" not in built


def test_charts_are_pictures_in_the_page(site):
    assert '<div class="picture"' in (site / "shifted.html").read_text()


def test_the_citation_names_this_version():
    text = (documents.ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {conformal_roc_widget.__version__}\n" in text
