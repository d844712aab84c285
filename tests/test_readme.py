"""What the README shows works as it stands there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_code_block_runs(number):
    exec(compile(BLOCKS[number], f"README.md, block {number + 1}", "exec"), {})


def test_every_make_target_named_is_there():
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"^make ([a-z-]+)", README, flags=re.MULTILINE)) <= set(targets)


def test_every_file_linked_is_there():
    for link in re.findall(r'\]\(([^)h#][^)]*)\)|(?:src|srcset)="([^"]+)"', README):
        assert (ROOT / "".join(link)).exists(), link
