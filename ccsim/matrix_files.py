"""Communication matrices from files: nothing is unpickled, nothing too large is allocated, and what is read is said.

A table of text may have been written in many ways. What is plain is understood (the delimiter, comments, names of rows
and columns under an empty corner, as pandas writes them); where two readings are possible, it is refused with the
option that says which one is meant.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.cells import AS_ANSWERS, MISSING, coded, ordered_labels, require_answers
from ccsim.errors import InputError
from ccsim.memory import require_memory
from ccsim.plain_data import counted

HEADERS = ("none", "row", "column", "both")
"""Where names stand: nowhere, in the first row, in the first column, or in both."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""What stands between the cells of a text file; a space is any number of them."""

AS_HEADER = "--header none, row, column or both (header=...) says where names stand"
AS_DELIMITER = "--delimiter comma, semicolon, tab, space or a character (delimiter=...) says what divides the cells"
DIGITS = 1000  # of a number

Rows = list[list[str]]


@dataclass(frozen=True)
class Reading:
    """How a file is to be read.

    Attributes:
        header: one of :data:`HEADERS`; None: an error where that is not plain.
        delimiter: one of :data:`DELIMITERS`, or the character; None: the one that occurs.
        labels: whether every cell is an answer, fractions and -1 too.
        undefined: how an undefined entry is written, besides the usual ways.
    """

    header: str | None = None
    delimiter: str | None = None
    labels: bool = False
    undefined: str | None = None

    def __post_init__(self) -> None:
        if self.header is not None and self.header not in HEADERS:
            raise InputError("header", self.header, f"one of {', '.join(HEADERS)}")
        if self.delimiter is not None and self.delimiter not in DELIMITERS and len(self.delimiter) != 1:
            raise InputError("delimiter", self.delimiter, f"one of {', '.join(DELIMITERS)}, or the character")


@dataclass(frozen=True)
class Table:
    """What was read: codes and labels, and how."""

    codes: npt.NDArray[Any]
    labels: Sequence[Hashable]
    notes: tuple[str, ...]


def read_table(path: Path, reading: Reading = Reading()) -> Table:
    """The codes and labels of a matrix in a ``.npy``, ``.csv`` or ``.txt`` file."""
    readers = {".npy": _load_npy, ".csv": _load_text, ".txt": _load_text}
    if path.suffix not in readers:
        raise InputError("path", str(path), f"a file that ends in one of {', '.join(readers)}")
    if not path.is_file():
        raise InputError("path", str(path), "a file that exists")
    if path.suffix != ".npy":
        require_memory(100 * path.stat().st_size, f"the matrix in {path.name}")
    return readers[path.suffix](path, reading)


def _load_npy(path: Path, reading: Reading) -> Table:
    try:
        with np.errstate(over="raise"):  # a declared size beyond 64 bits must not wrap round
            mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a damaged header fails in many ways
        raise InputError("path", str(path), f"a .npy file without pickled objects ({error})") from error
    if not isinstance(mapped, np.ndarray) or mapped.ndim != 2:
        raise InputError("path", str(path), "a two-dimensional array")
    if mapped.dtype.kind not in "biuf":
        raise InputError("path", str(path), f"booleans or numbers, not {mapped.dtype}")
    # To find the labels, the cells are sorted: a copy, and three 8-byte numbers for each.
    require_memory(mapped.size * (2 * mapped.dtype.itemsize + 24), f"the matrix in {path.name}")
    if mapped.dtype.kind == "f" and np.isinf(mapped).any():
        raise InputError("path", str(path), "finite numbers, and NaN where an entry is undefined")
    values, places = np.unique(mapped, return_inverse=True)
    free = None if reading.undefined is None else _value(reading.undefined)
    cells = [None if cell != cell or cell == free else cell for cell in values.tolist()]
    names = ordered_labels({cell for cell in cells if cell is not None})
    if not reading.labels:
        require_answers(names)
    code: dict[Any, int] = {name: number for number, name in enumerate(names)} | {None: -1}
    codes = np.array([code[cell] for cell in cells], dtype=np.int64)[places.reshape(mapped.shape)]
    return _told(codes, names, [])


def _load_text(path: Path, reading: Reading) -> Table:
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets put a mark in front
    except UnicodeDecodeError as error:
        raise InputError("path", str(path), f"text in UTF-8 ({error})") from error
    lines = [line for line in text.splitlines() if line.strip()]
    written = [line for line in lines if not line.lstrip().startswith("#")]
    notes = [f"{counted(len(lines) - len(written), 'line')} of comment left out"] if len(written) < len(lines) else []
    if not written:
        raise InputError("path", str(path), "at least one row")
    dense = path.suffix == ".txt" and reading.delimiter is None and not set("".join(written)) - set("01*? \t")
    if dense and any(len(line.split()) > 1 and len("".join(line.split())) > len(line.split()) for line in written):
        raise InputError("path", str(path), f"rows of 0 and 1 with spaces between all cells, or none; {AS_DELIMITER}")
    rows = [[*"".join(line.split())] for line in written] if dense else _divided(path, written, reading.delimiter)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{path.name} row {number}", len(row), f"{counted(len(rows[0]), 'cell')} like the first row"
            )
    rows = _without_empty(rows, notes)
    rows = _without_names(path, rows, reading.header if reading.header or not dense else "none", notes)
    texts = set().union(*rows)
    odd = next((cell for cell in texts if re.search(r"^[+-]?\d+,\d+$|[\[\]]", cell)), None)
    if odd is not None and not reading.labels:
        raise InputError("cell", odd, f"an answer, or a number with a decimal point; {AS_ANSWERS}")
    free = None if reading.undefined is None else _value(reading.undefined)
    meant = {cell: None if cell in MISSING or _value(cell) == free else _value(cell) for cell in texts}
    codes, labels = coded([[meant[cell] for cell in row] for row in rows], labels=reading.labels)
    return _told(codes, labels, notes)


def _told(codes: npt.NDArray[Any], labels: Sequence[Hashable], notes: list[str]) -> Table:
    free = int((codes < 0).sum())
    return Table(codes, labels, (*notes, *([f"{free} undefined"] if free else [])))


def _divided(path: Path, lines: list[str], delimiter: str | None) -> Rows:
    """The cells of each line, by the only delimiter that occurs outside of quotes, or that which is given."""
    plain = re.sub(r'"[^"]*"', "", "\n".join(lines))
    found = [name for name, mark in DELIMITERS.items() if mark in plain and mark != " "]
    if delimiter is None and len(found) > 1:
        raise InputError(f"delimiter in {path.name}", " and ".join(found), f"one: {AS_DELIMITER}")
    mark = DELIMITERS.get(delimiter, delimiter) if delimiter else DELIMITERS[found[0]] if found else " "
    rows = _read(path, [" ".join(line.split()) for line in lines] if mark == " " else lines, mark)
    glued = r"[01*?]{2,}|.*[|:&].*" if path.suffix == ".csv" else r"[0-9*?]{2,}|.*[|:&].*"
    if all(len(row) == 1 and re.fullmatch(glued, row[0]) for row in rows):
        raise InputError(
            "path", str(path), f"cells with a delimiter between them (of 0, 1 and * none in .txt); {AS_DELIMITER}"
        )
    return rows


def _read(path: Path, lines: list[str], mark: str) -> Rows:
    try:
        text = io.StringIO("\n".join(lines), newline="")
        return [[cell.strip() for cell in row] for row in csv.reader(text, delimiter=mark, skipinitialspace=True)]
    except csv.Error as error:
        raise InputError("path", str(path), f"cells with a {mark!r} between them ({error})") from error


def _without_empty(rows: Rows, notes: list[str]) -> Rows:
    """Without the empty rows and columns at the end that spreadsheets add."""
    height, width = len(rows), len(rows[0])
    while height > 1 and not any(rows[height - 1]):
        height -= 1
    while width > 1 and not any(row[width - 1] for row in rows[:height]):
        width -= 1
    for name, left in (("row", len(rows) - height), ("column", len(rows[0]) - width)):
        notes += [f"{counted(left, f'empty {name}')} at the end left out"] if left else []
    return [row[:width] for row in rows[:height]]


def _without_names(path: Path, rows: Rows, header: str | None, notes: list[str]) -> Rows:
    """Without the names of rows and columns, if that is what is there."""
    if header is None:
        header = _header(path, rows)
    above, before = header in ("row", "both"), header in ("column", "both")
    rows = [row[before:] for row in rows[above:]]
    if not rows or not rows[0]:
        raise InputError("header", header, "at least one row and one column besides names")
    where = {"row": "the first row", "column": "the first column", "both": "the first row and the first column"}
    notes += [f"names in {where[header]}"] if header != "none" else []
    return rows


def _header(path: Path, rows: Rows) -> str:
    """Where names stand, if that is plain."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    tops = (rows[0][1:], columns[0][1:])
    inner = ([row[1:] for row in rows[1:]], [column[1:] for column in columns[1:]])
    corner, named = rows[0][0], [*map(_are_names, tops, inner)]
    if (
        all(tops)
        and isinstance(_value(corner), str)
        and all(all(names) and len({*names}) == len(names) for names in tops)
    ):
        if not corner and all(named):  # pandas leaves it empty
            return "both"
        if not corner or (any(named) and not any(corner in row for row in inner[0])):
            raise InputError(f"corner of {path.name}", corner, f"an answer, or * if it is undefined; {AS_HEADER}")
    for name, lines in (("row", rows), ("column", columns)):
        if _are_names(lines[0], lines[1:]) and not (name == "column" and len(lines[0]) < 3 and _counts(lines[0])):
            raise InputError(f"first {name} of {path.name}", lines[0][:8], f"answers like the others; {AS_HEADER}")
    return "none"


def _are_names(line: list[str], others: Rows) -> bool:
    """Whether a first row, or column, may be names: words above other cells, or a count that no answers make.

    >>> _are_names(["a", "b"], [["0", "1"]]), _are_names(["0", "1", "2"], [["1", "0", "1"]])
    (True, True)
    >>> _are_names(["0", "1", "2"], [["1", "2", "0"]]), _are_names(["0", "1"], [["1", "0"]])
    (False, False)
    """
    if not others or len(set(line)) < len(line):
        return False
    own, below = [_value(cell) for cell in line], {_value(cell) for other in others for cell in other}
    if _counts(line):  # 0, 1, 2 above 0 and 1; or one row more than columns
        return own[-1] not in below or len(others) == len(own)
    words = {cell for cell in own if isinstance(cell, str) and cell not in MISSING}
    numeric = all(isinstance(cell, int | float) or cell in MISSING for cell in below)
    return bool(words) and not words & below and (numeric or len(words) == len(own) > 1)


def _counts(line: list[str]) -> bool:
    """Whether a line is 0, 1, 2 and so on, or 1, 2, 3."""
    return len(line) > 1 and line in ([*map(str, range(len(line)))], [*map(str, range(1, len(line) + 1))])


def _value(cell: str) -> Hashable:
    """A number if it is written as one, 1.0 as 1; 01 and 1_0 are labels of their own, not 1 and 10."""
    if cell in ("True", "TRUE", "true", "False", "FALSE", "false"):
        return int(cell.lower() == "true")
    if not re.fullmatch(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?", cell) or not re.search(
        "[0-9]", cell
    ):
        return cell
    if len(cell) > DIGITS or not re.match(r"[+-]?\.?[0-9]", cell):
        return cell
    number = Decimal(cell)
    return int(number) if number == number.to_integral_value() else float(number)
