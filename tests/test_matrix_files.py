"""Tables as people save them: read as they are meant, with a word on how, or refused with the option to add."""

import io

import numpy as np
import pytest

from ccsim import CommunicationMatrix, InputError
from ccsim.bounds import brackets_of
from ccsim.tables import Reading, _are_names, _are_other_numbers, read_table

IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
NAMED = ",0,1,2\n0,1,0,0\n1,0,1,0\n2,0,0,1\n"  # as pandas writes it
COUNTED = "0,1,2\n1,0,0\n0,1,0\n0,0,1\n"  # without the index
WORDED = "x,a,b,c\nd,1,0,0\ne,0,1,0\nf,0,0,1\n"  # with the index named


def saved(**options):
    stream = io.StringIO()
    np.savetxt(stream, IDENTITY, **options)
    return stream.getvalue()


def table(folder, text, suffix=".csv", **how):
    (folder / f"m{suffix}").write_text(text, encoding="utf-8", newline="")
    return read_table(folder / f"m{suffix}", Reading(**how))


MEANT = [
    (NAMED, ".csv", {}),
    (NAMED.replace(",", ";"), ".csv", {}),
    (NAMED.replace(",", "\t"), ".txt", {}),
    (NAMED.replace("1,0", "1.0,0.0"), ".csv", {"header": "both"}),
    (NAMED.replace(",1", ",True").replace(",0", ",False"), ".csv", {"header": "both"}),
    (COUNTED, ".csv", {"header": "row"}),
    (WORDED, ".csv", {"header": "both"}),
    (",x,y,z\na,1,0,0\nb,0,1,0\nc,0,0,1\n", ".csv", {}),
    ("0,1,0,0\n1,0,1,0\n2,0,0,1\n", ".csv", {"header": "column"}),
    ("\ufeff1,0,0,\r\n0,1,0,\r\n0,0,1,\r\n,,,\r\n\r\n", ".csv", {}),
    ("1.0,0,0\n0,1,-0.0\n0,0,1e0\n", ".csv", {}),
    ('"1","0","0"\n"0", "1","0"\n"0","0","+1"\n', ".csv", {}),
    ("1|0|0\n0|1|0\n0|0|1", ".csv", {"delimiter": "|"}),
    ("1 0 0\n0  1 0\n0 0 1", ".csv", {}),
    ("1,0,0\n0,1,0\n0,0,1", ".txt", {}),
    (saved(), ".csv", {}),
    (saved(), ".txt", {}),
    (saved(delimiter=",", header="the identity"), ".csv", {}),
    (saved(fmt="%d"), ".txt", {}),
    (saved(delimiter=",", header="a,b,c"), ".csv", {"header": "row", "labels": True}),
    (",2,3,4\n2,1,0,0\n3,0,1,0\n4,0,0,1\n", ".csv", {}),
    ("2,3,4\n1,0,0\n0,1,0\n0,0,1\n", ".csv", {"header": "row"}),
    ("| 1 | 0 | 0 |\n| 0 | 1 | 0 |\n| 0 | 0 | 1 |\n", ".csv", {"delimiter": "|"}),
    ("| a | b | c |\n|---|:-:|--:|\n|1|0|0|\n|0|1|0|\n|0|0|1|\n", ".txt", {"delimiter": "|", "header": "row"}),
]


def test_tables_are_read_as_they_are_meant(tmp_path):
    for text, suffix, how in MEANT:
        found = table(tmp_path, text, suffix, **how)
        assert (found.codes.tolist(), list(found.labels)) == (IDENTITY, [0, 1]), text


UNCLEAR = [
    (COUNTED, ".csv", "--header"),
    ("0,1\n1,0\n0,1\n", ".csv", "--header"),
    ("a,b\n1,0\n0,1\n", ".csv", "--header"),
    ("a,b\nyes,no\nno,no\n", ".csv", "--header"),
    (WORDED, ".csv", "--header"),
    ("0,1,0,0\n1,0,1,0\n2,0,0,1\n", ".csv", "--header"),
    (",1,0\n0,1,1\n1,1,0\n", ".csv", "--header"),
    ("0,5;0,5\n0,25;1\n", ".csv", "--delimiter"),
    ("0|1\n1|0\n", ".csv", "--delimiter"),
    ("0110\n1001\n", ".csv", "delimiter"),
    ("012\n120\n", ".txt", "delimiter"),
    ("1 10\n10 1\n", ".txt", "--delimiter"),
    ("0.5,0.5\n0.25,1\n", ".csv", "--labels"),
    ("1,-1\n0,1\n", ".csv", "--undefined"),
    ("[1,0],\n[1,1],\n", ".csv", "--labels"),
    ("1,0\n1\n", ".csv", "2 cells"),
    ("# nothing\n", ".csv", "one row"),
    ("#1,0,0\n0,1,0\n0,0,1\n", ".csv", "--labels"),
    ("0,1,0\n# a,b,c\n0,0,1\n", ".csv", "--labels"),
    (saved(delimiter=",", header="a,b,c"), ".csv", "--labels"),
    ("# 0 1\n1 0 1\n0 1 1\n", ".txt", "--labels"),
    ("2,3,4\n1,0,0\n0,1,0\n0,0,1\n", ".csv", "--header"),
    (",7,7,7\n2,1,0,0\n3,0,1,0\n4,0,0,1\n", ".csv", "--header"),
    ("5,1,0\n5,0,1\n6,1,1\n", ".csv", "--header"),
    ("2,*,4\n1,0,0\n0,1,0\n", ".csv", "--header"),
    ("0,2,3\n2,0,1\n3,1,0\n", ".csv", "--header"),
    ("0,a,b\na,0,1\nb,1,0\n", ".csv", "--header"),
    ("10,20,30\n1,0,0\n0,1,0\n0,0,1\n", ".csv", "--header"),
    ("2,1,0,0\n3,0,1,0\n4,0,0,1\n", ".csv", "--header"),
    ("3,5,11\nyes,no,no\nno,yes,no\n", ".csv", "--header"),
    ("0,1,0\n1,0,1\n", ".csv", "--header"),
    ("1,7\n1,0\n0,1\n", ".csv", "--header"),
    ("0,1,7\n1,0,1\n0,1,1\n", ".csv", "--header"),
    ("2 0 1\n3 1 0\n", ".txt", "--header"),
    ("+,-\n-,+\n", ".csv", "--undefined"),
    ("yes,.\nno,yes\n", ".csv", "--labels"),
    ("0,.,1\n-,1,0\n", ".csv", "--labels"),
    ("0-1\n10-\n", ".txt", "--delimiter"),
    ("| 0 | 1 |\n| 1 | 0 |\n", ".csv", "--delimiter"),
    ("| 0 | 1 |\n|---|---|\n| 1 | 0 |\n", ".txt", "--delimiter"),
    ("| 0, 1 |\n| 1, 0 |\n", ".csv", "--delimiter"),
    ("0 & 1 \\\\\n1 & 0 \\\\\n", ".txt", "--delimiter"),
]


def test_what_may_mean_two_things_is_refused_with_advice(tmp_path):
    for text, suffix, advice in UNCLEAR:
        with pytest.raises(InputError, match=advice):
            pytest.fail(f"{text} was read as {table(tmp_path, text, suffix)}")


def test_tables_of_numbers_that_count_are_no_names(tmp_path):
    for rows in ("0,1,2 1,2,0 2,0,1", "0,1,2 1,1,2 2,2,2", "0,1,2 1,2,3 2,3,4", "1,2,3 2,2,6 3,6,3"):
        text = rows.replace(" ", "\n")
        assert table(tmp_path, text).codes.shape == (3, 3), text
        assert table(tmp_path, text, header="none").notes == ()


def test_a_text_of_whole_numbers_is_a_matrix_of_them(tmp_path):
    for rows in (
        [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
        [[17, 5], [3, 9]],
        [[-7, 40], [2, -5]],
        [[0, 5, 9]] * 2,
    ):
        for how in ({}, {"fmt": "%d"}, {"fmt": "%6d"}, {"fmt": "%.1f", "delimiter": "\t"}, {"delimiter": ","}):
            np.savetxt(tmp_path / "m.txt", rows, **how)
            matrix = CommunicationMatrix.load(tmp_path / "m.txt")
            assert [[matrix[r, c] for c in range(len(rows[0]))] for r in range(len(rows))] == rows, how
    np.savetxt(tmp_path / "m.txt", [[7, 5], [0, 1]])  # which writes no names
    assert CommunicationMatrix.load(tmp_path / "m.txt").shape == (2, 2)


def test_missing_entries_are_undefined(tmp_path):
    for missing in ("*", "?", "", "NaN", "NAN", "None", "none", "NA", "null", "NULL", "N/A", "n/a", "#N/A", ".", "-"):
        for text in (f"1,{missing},0\n0,1,1\n", f"0,1,1\n{missing},1,0\n"):
            found = table(tmp_path, text)
            assert (found.codes.shape, list(found.labels), (found.codes < 0).sum()) == ((2, 3), [0, 1], 1), missing
            assert found.notes[-1] == f"undefined entries: 1, written {missing or 'empty cell'}"


def test_all_spellings_of_nothing_are_one(tmp_path):
    found = table(tmp_path, "yes,null,NULL\nno,N/A,yes\n")
    assert found.codes.tolist() == [[1, -1, -1], [0, -1, 1]]
    assert found.notes == ("undefined entries: 3, written N/A, NULL, null",)
    assert list(table(tmp_path, "yes,-\nno,yes\n", labels=True).labels) == ["-", "no", "yes"]
    assert list(table(tmp_path, "yes,-\nno,yes\n", undefined="-").labels) == ["no", "yes"]


def test_rows_that_begin_with_a_hash_are_no_comments(tmp_path):
    found = table(tmp_path, "# by hand\n#N/A,1,0\n1,0,1\n0,1,1\n")
    assert found.codes.tolist() == [[-1, 1, 0], [1, 0, 1], [0, 1, 1]]
    assert found.notes[:2] == ("1 line of comment left out", "rows that begin with #: 1")
    assert table(tmp_path, "#fff,#000\n#000,#fff\n").codes.tolist() == [[1, 0], [0, 1]]


def test_two_rows_and_columns_of_0_and_1_need_no_word(tmp_path):
    for text in ("0,1\n1,0", "0,0\n1,0", "0,1\n0,0", "0,1\n1,2"):
        assert table(tmp_path, text).codes.shape == (2, 2)


def test_minus_one_is_what_is_said(tmp_path):
    text = "1,-1,0\n0,1,1\n"
    assert table(tmp_path, text, undefined="-1.0").codes.tolist() == [[1, -1, 0], [0, 1, 1]]
    assert list(table(tmp_path, text, labels=True).labels) == [-1, 0, 1]
    assert list(table(tmp_path, "+1,-1\n-1,1\n").labels) == [-1, 1]


def test_ways_that_are_none_are_refused():
    for how in ({"header": "rows"}, {"delimiter": "commas"}):
        with pytest.raises(InputError, match="one of"):
            Reading(**how)


def test_no_rank_of_labels_stands_for_that_of_a_matrix_of_fractions(tmp_path):
    (tmp_path / "real.csv").write_text("0.5,0.5\n0.25,1\n")
    matrix = CommunicationMatrix.load(tmp_path / "real.csv", labels=True)
    with pytest.raises(InputError, match="common denominator"):
        brackets_of(matrix, "nonnegative-rank")
    assert brackets_of([[2, 2], [1, 4]], "nonnegative-rank")[-1].lower == 2


def test_words_and_counts_and_other_numbers_may_be_names():
    assert _are_names(["a", "b"], [["0", "1"]])
    assert _are_names(["0", "1", "2"], [["1", "0", "1"]])
    assert not _are_names(["0", "1", "2"], [["1", "2", "0"]])
    assert not _are_names(["0", "1"], [["1", "0"]])
    assert _are_other_numbers(["2", "3", "5"], [["1", "0", "1"]])
    assert _are_other_numbers(["0", "7"], [["1", "0"], ["0", "1"]])
    assert not _are_other_numbers(["0", "1", "2"], [["1", "2", "3"], ["2", "3", "4"]])
