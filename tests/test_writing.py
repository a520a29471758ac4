"""Files are written whole, where a file can be."""

import os

import pytest

from ccsim.errors import InputError
from ccsim.plain_data import write_whole


def test_a_file_is_replaced_and_nothing_else_stays(tmp_path):
    target = tmp_path / "a"
    write_whole(target, "one")
    write_whole(target, "two ≥")
    assert target.read_text(encoding="utf-8") == "two ≥"
    assert os.listdir(tmp_path) == ["a"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("name", ["/dev/null", "folder", "pipe", "missing/file"])
def test_what_is_no_file_is_refused_and_stays(tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = os.lstat("/dev/null")
    with pytest.raises(InputError, match="a file, in a folder that exists"):
        write_whole(tmp_path / name, "text")
    assert os.lstat("/dev/null") == before
    assert sorted(os.listdir(tmp_path)) == ["folder", "pipe"]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    target = tmp_path / "a"
    target.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(target, "\ud800")
    assert os.listdir(tmp_path) == ["a"]
    assert target.read_text() == "old"


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_who_may_read_a_file_stays_as_it_was(tmp_path, mode):
    target = tmp_path / "a"
    target.write_text("old")
    target.chmod(mode)
    write_whole(target, "new")
    assert target.stat().st_mode & 0o7777 == mode
