"""Files are written whole, where a file can be; what is printed can be read."""

import os
from fractions import Fraction

import numpy as np
import pytest

from ccsim.errors import InputError, format_bytes, format_count
from ccsim.plain_data import aligned, json_text, long_integers, plain, printable, write_whole
from ccsim.tables import order_key


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


def test_what_is_no_file_is_refused_and_stays(tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = os.lstat("/dev/null")
    for name in ("/dev/null", "folder", "pipe", "missing/file"):
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


def test_who_may_read_a_file_stays_as_it_was(tmp_path):
    target = tmp_path / "a"
    for mode in (0o600, 0o640):
        target.write_text("old")
        target.chmod(mode)
        write_whole(target, "new")
        assert target.stat().st_mode & 0o7777 == mode


def test_values_are_written_for_people():
    assert plain({1: (Fraction(1, 2), np.int64(3), None)}) == {"1": ["1/2", 3, None]}
    assert (printable("odd\nright"), printable("\x1b[31mred")) == ("odd\\nright", "\\x1b[31mred")
    assert aligned([("n", "bits"), ("10", "4")], right=[1]) == ["n   bits", "10     4"]
    assert json_text(["Dyck₂", "\x9b31m", "\u202eright"]) == '[\n  "Dyck₂",\n  "\\u009b31m",\n  "\\u202eright"\n]'
    assert (format_bytes(3 << 30), format_bytes(1 << 100)) == ("3.0 GiB", "2^100 bytes")
    assert (format_count(1 << 20), format_count(1 << 100_000)) == ("1048576", "2^100000")
    with long_integers():
        assert len(str(4**20000)) == 12042
    sets = [frozenset("b"), frozenset(), frozenset("a"), 2, 10]
    assert sorted(sets, key=order_key) == [frozenset(), frozenset("a"), frozenset("b"), 2, 10]
