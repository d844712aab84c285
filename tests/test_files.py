"""Paths are checked before work starts, and an interrupted write leaves the old file."""

import pytest

from conformal_roc_widget.files import check_place, replaced


def test_a_place_is_a_file_in_a_folder_that_exists(tmp_path, monkeypatch):
    assert check_place(tmp_path / "new") == tmp_path / "new"
    monkeypatch.chdir(tmp_path)
    assert str(check_place("new")) == "new"
    for bad in (tmp_path, tmp_path / "no" / "new"):
        with pytest.raises(ValueError, match=r"^path: found .*expected a file in a folder that ex"):
            check_place(bad)
    for bad in (None, 3, b"new"):
        with pytest.raises(TypeError, match=r"^path: found \w+, expected a str or a Path$"):
            check_place(bad)


def test_readers_see_the_old_file_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with replaced(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def interrupted():
        with replaced(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
