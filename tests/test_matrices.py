"""Communication matrices: packed storage, free cells, merging, and files."""

import io
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ccsim.errors import InputError, TableTooLargeError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import as_function, matrix_of
from ccsim.tables import DONT_CARE, code_type

shapes = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=20)


@st.composite
def tables(draw):
    labels = draw(st.sampled_from([1, 2, 3, 5, 200]))
    codes = draw(arrays.arrays(np.int16, shapes, elements=st.integers(-1, labels - 1)))
    return codes, tuple(range(labels))


@given(tables())
def test_codes_are_kept_cell_by_cell(table):
    codes, labels = table
    matrix = CommunicationMatrix(codes, labels)
    assert matrix.shape == codes.shape
    assert np.array_equal(matrix.codes, codes)
    assert matrix.codes.dtype == code_type(len(labels))
    assert matrix.is_total == (DONT_CARE not in codes)
    for row, column in np.ndindex(*codes.shape):
        label = None if codes[row, column] == DONT_CARE else labels[codes[row, column]]
        assert matrix[row, column] == label
        assert matrix[row - codes.shape[0], column - codes.shape[1]] == label


@given(tables())
def test_a_matrix_is_a_value(table):
    codes, labels = table
    matrix, again = CommunicationMatrix(codes, labels), CommunicationMatrix(codes.astype(np.int64), labels)
    assert matrix == again
    assert hash(matrix) == hash(again)
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    if codes.size:
        other = codes.copy()
        other[-1, -1] = 0 if codes[-1, -1] else -1
        assert CommunicationMatrix(other, labels) != matrix


@given(tables())
def test_merging_and_expanding_gives_the_matrix_back(table):
    codes, labels = table
    matrix = CommunicationMatrix(codes, labels)
    merged = matrix.merge()
    small = merged.matrix.codes
    assert np.array_equal(small[np.ix_(merged.row_class, merged.column_class)], codes)
    assert len({row.tobytes() for row in small}) == len(small) == len({row.tobytes() for row in codes})
    assert np.array_equal(small, codes[np.ix_(merged.rows, merged.columns)])
    assert list(merged.rows) == sorted(merged.rows)
    assert list(merged.columns) == sorted(merged.columns)
    every = (1 << len(merged.rows)) - 1, (1 << len(merged.columns)) - 1
    assert merged.original(*every) == ((1 << codes.shape[0]) - 1, (1 << codes.shape[1]) - 1)


@given(tables())
def test_transposing_restricting_and_indicators_act_on_the_codes(table):
    codes, labels = table
    matrix = CommunicationMatrix(codes, labels)
    assert np.array_equal(matrix.transpose.codes, codes.T)
    assert matrix.transpose.transpose == matrix
    rows, columns = range(codes.shape[0])[::-2], range(codes.shape[1])[1::2]
    assert np.array_equal(matrix.restrict(rows, columns).codes, codes[np.ix_(rows, columns)])
    ones = matrix.indicator(labels[-1])
    assert ones.is_boolean
    assert np.array_equal(ones.codes == 1, codes == len(labels) - 1)
    assert np.array_equal(ones.codes == DONT_CARE, codes == DONT_CARE)


def test_boolean_cells_take_a_bit_each():
    total = CommunicationMatrix(np.zeros((64, 64), int), (0, 1))
    assert total._cells.nbytes == 64 * 8
    with pytest.raises(ValueError, match="read-only"):
        total._cells[0, 0] = 1


def test_codes_are_fresh_at_each_call():
    for labels in ((0, 1), (0, 1, 2)):
        matrix = CommunicationMatrix(np.eye(3, dtype=int), labels)
        matrix.codes[:] = 0
        assert matrix[0, 0] == 1


def test_codes_take_the_smallest_type():
    assert [code_type(labels) for labels in (2, 128, 129, 32769)] == [np.int8, np.int8, np.int16, np.int32]


def test_bits_agree_with_all_other_ways_in():
    rows = [[1, 0, None], [0, 1, 1]]
    matrix = CommunicationMatrix.from_array(rows)
    assert matrix == CommunicationMatrix(np.array([[1, 0, -1], [0, 1, 1]]), (0, 1))
    assert matrix == CommunicationMatrix.from_array(np.array([[1, 0, 9], [0, 1, 1]]), dont_care=9)
    assert matrix == CommunicationMatrix.from_array([[True, False, None], [np.False_, np.True_, 1.0]])
    assert matrix == CommunicationMatrix.from_array(np.array([[1, 0, np.nan], [0, 1, 1]]))


def test_arrays_of_whole_numbers_are_read_as_lists():
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (1, 5), (5, 1), (6, 4), (2, 0)):
        for low, high, kind in ((0, 2, bool), (0, 3, np.uint8), (-3, 4, np.int64), (0, 200, np.int16)):
            array = rng.integers(low, high, shape).astype(kind)
            for more in ({"labels": True}, {"labels": True, "dont_care": 1}, {"dont_care": -1}):
                found = CommunicationMatrix.from_array(array, **more)
                assert found == CommunicationMatrix.from_array(array.tolist(), **more)
                assert [type(label) for label in found.labels] == [int] * len(found.labels)
    with pytest.raises(InputError, match="-1 may mean either"):
        CommunicationMatrix.from_array(np.array([[0, 1], [1, -1]]))


LABELS = [
    ([[0, 0]], (0, 1)),
    ([[np.True_]], (0, 1)),
    ([["b", "a"]], ("a", "b")),
    ([[3.0, 1]], (1, 3)),
    ([[-2, -1, 1]], (-2, -1, 1)),
    ([[-1, 1.0]], (-1, 1)),
    ([[2**70, 1]], (1, 2**70)),
    ([["a", 1]], (1, "a")),
    ([], (0, 1)),
    ([[(1, 2), (0, 3)]], ((0, 3), (1, 2))),
]


def test_labels_are_the_cells_in_order():
    for rows, labels in LABELS:
        assert CommunicationMatrix.from_array(rows).labels == labels


def test_labels_are_found_again_by_cell():
    matrix = CommunicationMatrix.from_array([["x", "y"], ["z", None]])
    assert [matrix[0, 0], matrix[0, 1], matrix[1, 0], matrix[1, 1]] == ["x", "y", "z", None]
    assert str(CommunicationMatrix.from_array([["x", None]])) == "x*"
    assert repr(matrix) == "<CommunicationMatrix 2 x 2, labels 'x', 'y', 'z', partial>"


BAD_TABLES = [
    (lambda: CommunicationMatrix([[0, 2], [1, 0]]), "codes = .*2.*: expected from -1 .* to 1"),
    (lambda: CommunicationMatrix([[0, 1], [1]]), "codes = .*rows of equal length"),
    (lambda: CommunicationMatrix([[0, 1]], 2), "labels = 2"),
    (lambda: CommunicationMatrix(np.zeros(3, int), (0, 1)), "a two-dimensional array of integers"),
    (lambda: CommunicationMatrix(np.zeros((2, 2)), (0, 1)), "a two-dimensional array of integers"),
    (lambda: CommunicationMatrix(np.full((2, 2), 2), (0, 1)), "codes = .*2.*: expected from -1 .* to 1"),
    (lambda: CommunicationMatrix(np.full((2, 2), -2), (0, 1)), "codes = .*-2"),
    (lambda: CommunicationMatrix(np.zeros((2, 2), int), (0, 0)), "labels = .*: expected all different"),
    (lambda: CommunicationMatrix.from_array([[1, 0], [1]]), r"array row 1 = \[1\]: expected 2 cells"),
    (lambda: CommunicationMatrix.from_array([[1, 0.5]]), "cell = 0.5: .*labels=True"),
    (lambda: CommunicationMatrix.from_array([[1, float("inf")]]), "cell = inf: .*labels=True"),
    (lambda: CommunicationMatrix.from_array(np.array([[1, 0, -1]])), "cell = -1: .*dont_care"),
    (lambda: CommunicationMatrix.from_array([["yes", "*"]]), r"cell = '\*': .*None"),
    (lambda: CommunicationMatrix.from_array([1, 0]), "array row 0 = 1: expected a row of cells"),
    (lambda: CommunicationMatrix.from_array([[[1], [0]]]), r"array row 0 = \[1\]: expected hashable labels"),
    (lambda: CommunicationMatrix.from_array(np.zeros(3)), r"array = \(3,\): expected two dimensions"),
    (lambda: CommunicationMatrix.from_array([[1, 0]]).indicator(2), "label = 2: expected one of"),
]


def test_tables_that_make_no_matrix_are_refused():
    for attempt, message in BAD_TABLES:
        with pytest.raises(InputError, match=message):
            pytest.fail(f"{attempt()} was made, not {message}")


class Table:
    """What is like a table of pandas: it goes through the names of its columns, and its values are an array."""

    def __init__(self, values):
        self.values = np.array(values)

    def __iter__(self):
        return iter(["00", "01", "10"][: len(self.values)])

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_of_tables_and_tensors_the_values_are_read():
    wanted = CommunicationMatrix.from_array(np.eye(3, dtype=int))
    for rows in (Table(np.eye(3)), [Table(row) for row in np.eye(3, dtype=int)]):
        assert CommunicationMatrix.from_array(rows) == matrix_of(rows) == wanted
        assert as_function(rows).matrix == wanted
    for wrong in (Table([0, 1]), {"01": [0, 1], "10": [1, 0]}, {(0, 1), (1, 0)}, np.float64(1), [np.array(1)]):
        for read in (CommunicationMatrix.from_array, matrix_of, as_function):
            with pytest.raises(InputError, match=r"dimensions|rows of|row of"):
                read(wrong)


def test_tables_of_pandas_and_tensors_of_torch_are_their_values():
    pandas, torch = pytest.importorskip("pandas"), pytest.importorskip("torch")
    wanted = CommunicationMatrix.from_array([[0, 1], [1, None]])
    table = pandas.DataFrame([[0, 1], [1, None]], columns=["01", "10"])
    for rows in (table, table.astype("Int64"), [row for _, row in table.iterrows()]):
        assert CommunicationMatrix.from_array(rows) == matrix_of(rows) == wanted
    identity = torch.eye(2).int()
    assert matrix_of(identity) == matrix_of(list(identity)) == matrix_of([[1, 0], [0, 1]])


@given(codes=arrays.arrays(np.int8, (3, 11), elements=st.integers(-1, 1)))
@settings(max_examples=25)
def test_files_of_all_kinds_hold_the_same_matrix(tmp_path_factory, codes):
    folder = tmp_path_factory.mktemp("matrix")
    matrix = CommunicationMatrix(codes, (0, 1))
    signs = {1: "1", 0: "0", -1: "*"}
    (folder / "m.txt").write_text("\n".join(" ".join(signs[code] for code in row) for row in codes.tolist()))
    (folder / "m.csv").write_text("\n".join(",".join(signs[code] for code in row) for row in codes.tolist()))
    assert CommunicationMatrix.load(folder / "m.txt") == matrix
    assert CommunicationMatrix.load(str(folder / "m.csv")) == matrix
    np.save(folder / "m.npy", codes)
    assert CommunicationMatrix.load(folder / "m.npy", dont_care=-1) == matrix
    np.save(folder / "m.npy", np.where(codes < 0, np.nan, codes))
    assert CommunicationMatrix.load(folder / "m.npy") == matrix


def test_arrays_of_numbers_are_loaded(tmp_path):
    eye = np.eye(5, 9, dtype=np.int8)
    kinds = (bool, np.uint8, np.int64, np.float32, ">i4")
    many = np.array([[7, -3, 7], [2**40, 0, -3]])
    for array in (*map(eye.astype, kinds), np.asfortranarray(eye), np.zeros((0, 3)), many):
        np.save(tmp_path / "m.npy", array)
        loaded = CommunicationMatrix.load(tmp_path / "m.npy")
        assert loaded.shape == array.shape
        assert np.array_equal(np.array(loaded.labels)[loaded.codes], array), array
    assert loaded.labels == (-3, 0, 7, 2**40)


def test_text_files_from_spreadsheets_are_loaded(tmp_path):
    (tmp_path / "m.csv").write_bytes('\ufeff1, 0,\r\n\r\n?,"1",red\r\n'.encode())
    matrix = CommunicationMatrix.load(tmp_path / "m.csv")
    assert [[matrix[i, j] for j in range(3)] for i in range(2)] == [[1, 0, None], [None, 1, "red"]]
    (tmp_path / "m.txt").write_bytes("\ufeff10\n\n?1\n".encode())
    assert CommunicationMatrix.load(tmp_path / "m.txt").codes.tolist() == [[1, 0], [-1, 1]]


def npy(shape, kind="|u1", data=b""):
    """A .npy file with this header and these bytes, whether they fit or not."""
    text = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (63 - (10 + len(text)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def saved(array, **options):
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


BAD_FILES = [
    ("m.npy", saved(np.array([[{}]], dtype=object), allow_pickle=True), "without pickled objects"),
    ("m.npy", pickle.dumps([[1]]), "without pickled objects"),
    ("m.npy", npy("(1099511627776, 1099511627776)"), "without pickled objects"),
    ("m.npy", npy("(4611686018427387904, 4)", "<i8"), "without pickled objects"),
    ("m.npy", npy("(99999999999999999999999, 4)"), "without pickled objects"),
    ("m.npy", npy("(100000, 100000)"), "greater than file size"),
    ("m.npy", npy("(-1, 3)"), "negative dimensions"),
    ("m.npy", npy("(1.5, 2)"), "shape is not valid"),
    ("m.npy", npy("(True, 2)", data=b"\0\1"), "without pickled objects"),
    ("m.npy", npy("(2, 2", data=b"\0\1\0\1"), "without pickled objects"),
    ("m.npy", npy("(1, 1)", "zzz"), "not a valid dtype"),
    ("m.npy", npy("(3,)", data=b"\0\1\2"), "a two-dimensional array"),
    ("m.npy", npy("(1, 1)", "|V4", b"\0" * 4), "booleans or numbers, not"),
    ("m.npy", saved(np.array([["a"]])), "booleans or numbers, not <U1"),
    ("m.npy", saved(np.array([[1j]])), "booleans or numbers, not complex128"),
    ("m.npy", saved(np.array([[0, 1, -1]])), "cell = -1: .*--undefined"),
    ("m.npy", saved(np.array([[0.5, 1]])), "cell = 0.5: .*--labels"),
    ("m.npy", saved(np.array([[np.inf, 1]])), "finite numbers"),
    ("m.npy", b"", "without pickled objects"),
    ("m.npy", b"\x93NUMPY\x01\x00\x10\x00((((((((((((((((", "without pickled objects"),
    ("m.npy", b"\x93NUMPY\x09\x00", "without pickled objects"),
    ("m.csv", b"", "at least one row"),
    ("m.csv", b"1,0\n1\n", "m.csv row 2 = 1: expected 2 cells"),
    ("m.csv", b"\xff,1\n", "text in UTF-8"),
    ("m.csv", b"1," + b"0" * 200000, "cells with a ',' between them"),
    ("m.txt", b"\n\n", "at least one row"),
    ("m.txt", b"10\n1\n", "m.txt row 2 = 1: expected 2 cells"),
    ("m.txt", b"10\n12\n", "cells with a delimiter"),
    ("m.txt", b"\xff", "text in UTF-8"),
    ("m.mat", b"10", "a file that ends in one of .npy, .csv, .txt"),
]


def test_files_that_hold_no_matrix_are_refused(tmp_path):
    for name, content, message in BAD_FILES:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=message):
            pytest.fail(f"{content} was read as {CommunicationMatrix.load(tmp_path / name)}")


def test_paths_without_a_file_are_refused(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    for name in ("none.csv", "folder.csv"):
        with pytest.raises(InputError, match="a file that exists"):
            CommunicationMatrix.load(tmp_path / name)


def test_a_file_that_cannot_fit_is_refused_before_it_is_read(tmp_path):
    header = npy("(1099511627776, 8)")
    try:
        with (tmp_path / "m.npy").open("wb") as stream:
            stream.write(header)
            stream.truncate(len(header) + (1 << 43))  # a hole: 8 TiB that take no room
    except OSError:
        pytest.skip("this file system has no files with holes of that size")
    with pytest.raises(TableTooLargeError, match=r"the matrix in m\.npy would need .* TiB"):
        CommunicationMatrix.load(tmp_path / "m.npy")
    with (tmp_path / "m.txt").open("wb") as stream:
        stream.truncate(1 << 43)
    with pytest.raises(TableTooLargeError, match=r"the matrix in m\.txt"):
        CommunicationMatrix.load(tmp_path / "m.txt")
