"""What the README shows works as it stands there."""

import documents

README = (documents.ROOT / "README.md").read_text()
BLOCKS = documents.blocks(README)


def test_the_code_blocks_run_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some of them write files
    namespace: dict[str, object] = {}
    for number, block in enumerate(BLOCKS, start=1):
        documents.run("README.md", number, block, namespace)


def test_every_make_target_named_is_there():
    assert documents.targets_named(README) <= documents.make_targets()


def test_every_file_linked_is_there():
    for link in documents.linked(README):
        assert (documents.ROOT / link).exists(), link
