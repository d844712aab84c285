"""The documentation: its code runs, its pages build without a warning and load nothing from
elsewhere.
"""

import json
import pkgutil
import re
import shutil
from pathlib import Path

import documents
import pytest
import quickjs
from widget_state import payload_of

import conformal_roc_widget

DOCS = documents.ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
# For other pages, the build of the site runs the code to show its results.
SHOWING_NOTHING = [page for page in PAGES if not re.search("<!-- (show|page)", page.read_text())]


@pytest.mark.parametrize("page", SHOWING_NOTHING, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_in_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the code writes files
    namespace: dict[str, object] = {"__name__": "__main__"}
    for number, block in enumerate(documents.blocks(page.read_text()), start=1):
        documents.run(page.name, number, block, namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_make_targets_and_notebooks_that_a_page_names_are_there(page):
    text = page.read_text()
    assert documents.targets_named(text) <= documents.make_targets()
    for name in re.findall(r"`((?:notebooks|docs|js|tests|benchmarks)/[\w./-]+)`", text):
        assert (documents.ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_heading_begins_with_a_digit(page):
    """The site's own script looks up a heading by its name, and fails if it starts with a digit."""
    assert not re.search(r"^#+ \d", page.read_text(), re.MULTILINE)


def test_the_interface_names_what_is_there():
    for path in re.findall(r"^::: (\S+)$", (DOCS / "api.md").read_text(), re.MULTILINE):
        pkgutil.resolve_name(path)


#: Pages whose code the quick tests run. Together they show one of each kind of result.
SOME = ("index.md", "quickstart.md", "api.md")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The finished Markdown of some pages."""
    source, tool = tmp_path_factory.mktemp("some") / "docs", documents.tool("write_docs")
    source.mkdir()
    for name in SOME:
        shutil.copy(DOCS / name, source)
    tool.DOCS = source
    tool.write(source.parent / "written")
    return source.parent / "written"


@pytest.fixture(scope="module")
def all_written(tmp_path_factory):
    return documents.written(tmp_path_factory.mktemp("written") / "docs")


@pytest.fixture(scope="module")
def site(all_written, tmp_path_factory):
    return documents.site(all_written, tmp_path_factory.mktemp("site"))


#: Pages with proofs or for reference, which may be longer.
LONG = {"method", "api"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_read_in_a_few_minutes(page):
    prose = re.sub(r"```.*?```|\]\([^)]*\)", "", page.read_text(), flags=re.DOTALL)
    words = [word for word in prose.split() if re.search(r"\w", word)]
    assert len(words) <= 1500 or page.stem in LONG


def test_the_first_thing_at_home_is_a_live_chart(written):
    title, chart, *_ = (written / "index.md").read_text().split("\n\n")
    assert title.startswith("# ")
    assert chart.startswith('<div class="live"')


@pytest.mark.parametrize(
    "folder", ["written", pytest.param("all_written", marks=pytest.mark.thorough)]
)
def test_the_markdown_is_finished(folder, request):
    written = request.getfixturevalue(folder)
    for page in (DOCS / path.name for path in written.glob("*.md")):
        text, finished = page.read_text(), (written / page.name).read_text()
        assert not re.search(r"^<!-- show|\$\$", finished, re.MULTILINE), page
        shown = len(re.findall("^<!-- show(?: below)?: ", text, re.MULTILINE))
        blocks = len(re.findall("^```text$", finished, re.MULTILINE))
        blocks -= len(re.findall("^```text$", text, re.MULTILINE))
        parts = re.findall('^<div class="(?:live|picture|data-table)"', finished, re.MULTILINE)
        assert blocks + len(parts) == shown, page
        outside_of_code = re.sub(
            r"```.*?```|`[^`\n]+`|<script.*?</script>", "", finished, flags=re.DOTALL
        )
        assert "$" not in outside_of_code, page


def test_who_asks_a_machine_finds_every_page_and_every_name(written):
    overview = documents.tool("write_docs").overview(PAGES)
    assert re.findall(r"^- \[[^]]+\]\((.+?)\):? ?", overview, re.MULTILINE) == [
        *(f"{page.stem}.html" for page in PAGES),
        "api.txt",
    ]
    text, page = (written / "api.txt").read_text(), (DOCS / "api.md").read_text()
    assert ":::" not in text
    assert " at 0x" not in text
    for path in re.findall(r"^::: ([\w.]+[A-Z]\w+)$", page, re.MULTILINE):
        assert f"### {path.rpartition('.')[2]}" in text
    assert "### RocEvaluation.from_table(" in text
    assert "### conformal_quantiles(" in text


def test_the_markdown_has_the_live_chart_with_its_data_script_and_style(written):
    text = (written / "quickstart.md").read_text()
    (chart,) = re.findall(r'^<div class="live".*?^</div>$', text, re.DOTALL | re.MULTILINE)
    assert "data-conformal-roc>" in chart
    assert "\n\n" not in chart  # a blank line would end the HTML block in Markdown
    files = re.findall(r'(?:src|href)="(assets/conformal-roc/[^"]+)"', chart)
    assert {Path(file).suffix for file in files} == {".js", ".css"}
    for file in files:
        assert (written / file).stat().st_size > 0


@pytest.mark.thorough
def test_each_example_of_the_gallery_runs_alone_and_is_the_page_above_it(all_written):
    text = (all_written / "gallery.md").read_text()
    sections = text.split("\n## ")[1:]
    assert len(sections) == 10
    for section in sections:
        (block,) = documents.blocks(section)
        assert section.index("<iframe") < section.index("```python"), "the picture first"
        assert sum(not line.startswith("from ") for line in block.splitlines() if line) <= 10
        names: dict[str, object] = {"__name__": "__main__"}
        documents.run("gallery.md", 1, block, names)
        (address,) = re.findall(r'<iframe [^>]*src="(gallery/[a-z-]+\.html)"', section)
        alone = names["widget"].to_html(all_written / "alone.html").read_text()
        assert payload_of(alone) == payload_of((all_written / address).read_text())
        assert len(alone) < 400_000


def test_the_entry_for_anywidgets_gallery_names_a_picture_that_lies_beside_it(tmp_path):
    documents.tool("anywidget_gallery").write("somebody/roc", tmp_path / "gallery")
    (entry,) = json.loads((tmp_path / "gallery/manifest.json").read_text())
    assert set(entry) == {"repo", "description", "image"}
    assert entry["repo"] == "somebody/roc"
    assert (tmp_path / "gallery" / entry["image"]).stat().st_size > 10_000
    with pytest.raises(SystemExit, match="repository: found 'roc'"):
        documents.tool("anywidget_gallery").write("roc", tmp_path)


def test_an_equation_is_mathml_and_a_dollar_in_code_is_a_dollar(tmp_path):
    text = """A $x_1$ of `$5`, and

$$
a^* | b
$$

```console
$ make $HOME
```

    ```python
    cost = "$1 or $2"
    ```
"""
    written = documents.tool("write_docs").with_equations(text)
    assert written.count("<math") == 2
    assert '<span class="math"><math' in written
    assert re.search(r'^<div class="equation"><math[^>]* display="block">.*</div>$', written, re.M)
    for equation in re.findall("<math.*?</math>", written):
        assert not set("*_|`$") & set(re.sub("<[^>]+>", "", equation))
    assert re.sub("<(span|div).*</\\1>", "EQUATION", written) == re.sub(
        r"\$x_1\$|\$\$.*?\$\$", "EQUATION", text, flags=re.DOTALL
    )


@pytest.mark.thorough
def test_the_site_builds_without_a_warning(site):
    assert {page.with_suffix(".html").name for page in PAGES} <= {p.name for p in site.iterdir()}


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_every_expression_that_a_page_shows_stands_there(site):
    for page in PAGES:
        text, html = page.read_text(), page.with_suffix(".html").name
        built = (site / html).read_text()
        assert "<!-- show" not in built, page
        assert built.count('<div class="live"') == len(
            re.findall("<!-- show(?: below)?: widget -->", text)
        )


@pytest.mark.thorough
def test_a_live_chart_finds_its_script_and_style(site):
    built = (site / "quickstart.html").read_text()
    assert "data-conformal-roc>" in built
    for file in re.findall(r'(?:src|href)="(assets/conformal-roc/[^"]+)"', built):
        assert (site / file).exists(), file


@pytest.mark.thorough
def test_equations_are_set_without_a_script(site):
    built = (site / "method.html").read_text()
    assert built.count("<math") > 30
    assert "$" not in re.sub(r"<(script|style|code|pre).*?</\1>", "", built, flags=re.DOTALL)


@pytest.mark.thorough
def test_charts_are_pictures_in_the_page(site):
    assert '<div class="picture"' in (site / "shifted.html").read_text()


#: Search terms, and the page that has to come first.
SEARCHED = {
    "xgboost": "coming_from",
    "lightgbm": "coming_from",
    "pROC": "coming_from",
    "biomarker": "until_when",
    "journal": "figures",
    "fairness": "fairness",
    "command line": "command_line",
    "teacher": "teaching",
    "confidence interval": "comparing",
    "mlflow": "cross_validation",
    "missing values": "questions",
}


@pytest.mark.thorough
def test_a_search_leads_to_the_page_that_answers_it(site):
    search = site / "search"
    context = quickjs.Context()
    context.eval((search / "lunr.js").read_text())
    context.set("text", (search / "search_index.json").read_text())
    context.eval("""
        const { config, docs } = JSON.parse(text);
        lunr.tokenizer.separator = new RegExp(config.separator);
        const index = lunr(function () {
          this.field("title");
          this.field("text");
          this.ref("location");
          for (const each of docs) this.add(each);
        });
    """)
    for words, page in SEARCHED.items():
        context.set("words", words)
        assert context.eval("index.search(words)[0].ref").partition(".html")[0] == page, words


def test_the_citation_names_this_version():
    text = (documents.ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {conformal_roc_widget.__version__}\n" in text
