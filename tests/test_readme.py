"""What the README shows works as it stands there."""

import documents
import pytest

README = (documents.ROOT / "README.md").read_text()
BLOCKS = documents.blocks(README)


@pytest.mark.parametrize("number", range(1, len(BLOCKS) + 1))
def test_a_code_block_runs(number):
    documents.run("README.md", number, BLOCKS[number - 1], {})


def test_every_make_target_named_is_there():
    assert documents.targets_named(README) <= documents.make_targets()


def test_every_file_linked_is_there():
    for link in documents.linked(README):
        assert (documents.ROOT / link).exists(), link
