"""The README's examples run as printed."""

import os
import subprocess
import sys

import documents
import pytest

readme = documents.tool("readme")
PLACE = ("https://example.org/owner/name", "v1.2.3")
README = (documents.ROOT / "README.md").read_text()
BLOCKS = documents.blocks(README)


def test_the_code_blocks_run_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of the code writes files
    namespace: dict[str, object] = {}
    for number, block in enumerate(BLOCKS, start=1):
        documents.run("README.md", number, block, namespace)


def test_the_first_example_is_five_lines_after_its_imports():
    _, lines = BLOCKS[0].strip().split("\n\n")
    assert len(lines.splitlines()) <= 5


def test_every_make_target_named_is_there():
    assert documents.targets_named(README) <= documents.make_targets()


def test_every_file_linked_is_there():
    for link in documents.linked(README):
        assert (documents.ROOT / link).exists(), link


def test_where_nobody_knows_the_repository_it_stays_as_it_is():
    assert readme.source({}) is None
    assert readme.source({"SOURCE_ADDRESS": "", "SOURCE_REVISION": ""}) is None


def test_a_release_says_where_the_repository_is():
    address, revision = PLACE
    environment = {"SOURCE_ADDRESS": address, "SOURCE_REVISION": revision}
    assert readme.source(environment) == PLACE
    for name, other in (tuple(environment), tuple(reversed(environment))):
        with pytest.raises(ValueError, match=f"{name}: found nothing, expected it beside {other}"):
            readme.source({other: environment[other]})
    for wrong in ("http://example.org", "https://example.org/", 'https://example.org/" x="'):
        with pytest.raises(ValueError, match=r"SOURCE_ADDRESS: found .*, expected https"):
            readme.source(environment | {"SOURCE_ADDRESS": wrong})


def test_pictures_and_links_lead_to_the_repository():
    text = """![p](pictures/p.png) [a](notebooks/a.ipynb)
[b](#there) [c](https://example.org/c)
<img src="docs/light.png">
<source srcset="docs/dark.png">
<img src="https://example.org/d.png">

```python
rows[0](src="docs/light.png")
```
"""
    assert readme.with_addresses(text, "https://h/o/n", "v1").splitlines() == [
        "![p](https://h/o/n/raw/v1/pictures/p.png) [a](https://h/o/n/blob/v1/notebooks/a.ipynb)",
        "[b](#there) [c](https://example.org/c)",
        '<img src="https://h/o/n/raw/v1/docs/light.png">',
        '<source srcset="https://h/o/n/raw/v1/docs/dark.png">',
        *text.splitlines()[4:],
    ]


@pytest.mark.parametrize("known", [True, False])
def test_a_build_takes_the_readme_with_addresses_where_they_are_known(known):
    environment = {name: value for name, value in os.environ.items() if "SOURCE_" not in name}
    if known:
        environment |= dict(zip(("SOURCE_ADDRESS", "SOURCE_REVISION"), PLACE, strict=True))
    run = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata", "readme"],
        cwd=documents.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    pictures = {link for link in documents.linked(run.stdout) if link.endswith(".png")}
    names = [
        f"{which}-{theme}.png" for which in ("quickstart", "risks") for theme in ("light", "dark")
    ]
    if known:
        address = "https://example.org/owner/name"
        assert pictures == {f"{address}/raw/v1.2.3/docs/pictures/{name}" for name in names}
        assert f"]({address}/blob/v1.2.3/notebooks/quickstart.ipynb)" in run.stdout
        assert len(documents.linked(run.stdout)) == len(pictures)  # no link is relative
    else:
        assert pictures == {f"docs/pictures/{name}" for name in names}
        assert run.stdout.strip() == README.strip()
