"""Tables of answers, as arrays or in files: their labels, their undefined entries, and the codes that represent both.

Nothing is unpickled, and nothing too large is allocated. A table of text may have been written in many ways. What is
plain is understood (the delimiter, comments, names of rows and columns under an empty corner, as pandas writes them);
where two readings are possible, it is refused with the option that decides which one is meant.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.errors import Array, InputError, require_memory
from ccsim.plain_data import counted

Cells = npt.NDArray[Any] | Sequence[Sequence[Hashable]]

DONT_CARE = -1  # the code of an undefined entry, outside the promise

MISSING = re.compile(
    r"[*?]?|[+-]?nan|nat|n/?a|n\.a\.|#n/?a( n/a)?|none|nil|null|[<(](na|none|null)[>)]|\\n|-?1\.#(ind|qnan)",
    re.IGNORECASE,
)  # how files write an undefined entry
BY_NUMPY = re.compile(r"-?[0-9]\.[0-9]{18}e[+-][0-9]{2}|nan")  # how numpy.savetxt writes a cell: it writes no names
AS_ANSWERS = "labels=True (--labels) takes each different cell as an answer"
UNDEFINED = "None (* in a text file, NaN in .npy) or dont_care=... (--undefined) for an undefined entry"
SCALED = "the nonnegative rank of fractions is that of the matrix times their common denominator, in integers"


def code_type(labels: int) -> type[np.signedinteger[Any]]:
    return next(kind for kind in (np.int8, np.int16, np.int32) if labels - 1 <= np.iinfo(kind).max)


def coded(array: Cells, dont_care: Hashable = None, *, labels: bool = False) -> tuple[Array, list[Hashable]]:
    """The codes of rows of labels, with the labels in order; without ``labels``, :func:`require_answers` must hold."""
    if hasattr(array, "__array__"):  # a table of pandas or a tensor: its values, not the names of its columns
        array = np.asarray(array)
    if isinstance(array, Mapping | set | frozenset):
        raise InputError("array", array, "rows of cells")
    if isinstance(array, np.ndarray) and array.ndim != 2:
        raise InputError("array", array.shape, "two dimensions: Alice's inputs by Bob's")
    if isinstance(array, np.ndarray) and array.dtype.kind in "biu" and array.size > array.shape[1]:  # each once
        values = np.unique(array)
        codes, answers = coded(values[None, :], dont_care, labels=labels)
        return np.stack([codes[0][np.searchsorted(values, row)] for row in array]), answers
    rows: list[list[Any]] = []
    for number, row in enumerate(array.tolist() if isinstance(array, np.ndarray) else array):
        if hasattr(row, "__array__"):
            row = np.asarray(row).tolist()
        if not isinstance(row, Iterable):
            raise InputError(f"array row {number}", row, "a row of cells")
        rows.append(list(row))
    width = len(rows[0]) if rows else 0
    seen: set[Any] = set()
    for number, row in enumerate(rows):
        if len(row) != width:
            raise InputError(f"array row {number}", row, f"{width} cells like the first row")
        try:
            seen |= set(row)
        except TypeError:
            bad = next((cell for cell in row if not isinstance(cell, Hashable)), row)
            raise InputError(f"array row {number}", bad, "hashable labels") from None
    undefined = {cell for cell in seen if is_missing(cell) or cell == dont_care}
    if not undefined <= {None, dont_care}:  # one NaN is not equal to another
        rows = [[None if is_missing(cell) else cell for cell in row] for row in rows]
    answers = ordered_labels(seen - undefined)
    if not labels:
        require_answers(answers)
    place: dict[Any, int] = {None: DONT_CARE} | dict.fromkeys(undefined, DONT_CARE)
    place |= {label: code for code, label in enumerate(answers)}
    codes = np.array([[place[cell] for cell in row] for row in rows], dtype=code_type(len(answers)))
    return codes.reshape(len(rows), width), answers


def is_missing(cell: Any) -> bool:
    return cell is None or type(cell).__name__ == "NAType" or bool(cell != cell)


def require_answers(labels: Iterable[Any]) -> None:
    """An error for cells of which it is not plain that they are answers: fractions, -1, and words for what is missing.

    -1 beside 1 alone is a sign, and beside other negative numbers a number.
    """
    different = set(labels)
    numbers = sorted(cell for cell in different if isinstance(cell, Real))
    part = next((number for number in numbers if number % 1 != 0), None)
    if part is not None:
        raise InputError("cell", part, f"an answer, not a real number ({SCALED}); {AS_ANSWERS}")
    if numbers and numbers[0] == -1 and not different <= {-1, 1}:
        raise InputError("cell", -1, f"an answer, or {UNDEFINED}: -1 may mean either; {AS_ANSWERS}")
    word = next((cell for cell in different if isinstance(cell, str) and MISSING.fullmatch(cell.strip())), None)
    if word is not None:
        raise InputError("cell", word, f"an answer, or {UNDEFINED}; {AS_ANSWERS}")


def ordered_labels(labels: set[Any]) -> list[Hashable]:
    """Labels in sorted order; cells of 0 and 1 alone always get (0, 1)."""
    if labels <= {0, 1}:
        return [0, 1]
    if all(isinstance(cell, (int, float, np.integer, np.floating)) for cell in labels):
        return [int(cell) if cell % 1 == 0 else cell for cell in sorted(labels)]
    return sorted(labels, key=lambda cell: (str(type(cell)), _text(cell)))


def order_key(value: Any) -> tuple[Any, ...]:
    """Puts answers of any kinds in an order that does not depend on hashing: by type, then by value or ``repr``."""
    kind = str(type(value))
    if isinstance(value, frozenset):
        return kind, len(value), tuple(sorted(map(order_key, value)))
    if isinstance(value, tuple):
        return kind, tuple(map(order_key, value))
    if isinstance(value, Real | str | bytes) and value == value:
        return kind, value
    shown = repr(value)
    return f"{kind} by repr", "" if " object at 0x" in shown else shown  # where it is kept is no order


def _text(cell: Any) -> str:
    if isinstance(cell, frozenset):
        return f"frozenset({sorted(map(order_key, cell))})"
    if type(cell) is tuple and any(isinstance(part, frozenset | tuple) for part in cell):
        return f"({', '.join(_text(part) if isinstance(part, frozenset | tuple) else repr(part) for part in cell)})"
    return str(cell)


HEADERS = ("none", "row", "column", "both")  # where names are
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}  # a space is any number of them
AS_HEADER = "--header none, row, column or both (header=...) gives the place of names"
AS_DELIMITER = "--delimiter comma, semicolon, tab, space or a character (delimiter=...) gives what divides the cells"
BARS = "[|\u00a6\u2502\u2503\u2551]"
ODD = r"^[+-]?\d+,\d+$|[\[\]]|^[{|&]|[}|&\\]$|^\([^)]*$|^[^(]*\)$"
# entries of which a part is written in another one: a decimal comma, a bracket that is not closed
AS_UNDEFINED = "--undefined=... (dont_care=...) if it is an undefined entry, --labels (labels=True) if it is an answer"
DIGITS = 1000  # of a number
BLANK = re.compile(
    r"[-\u2010-\u2015\u2212._\u2026]+|missing|undef(ined)?|unknown|empty|nothing|#(null|ref|value|num|name|div/0)[!?]",
    re.I,
)  # how an undefined entry is written in a table of numbers, besides

Rows = list[list[str]]


@dataclass(frozen=True)
class Reading:
    """How a file is to be read; where ``header`` or ``delimiter`` is None, it is what is plain from the file."""

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
    codes: npt.NDArray[Any]
    labels: Sequence[Hashable]
    notes: tuple[str, ...]


def read_table(path: Path, reading: Reading = Reading()) -> Table:
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
    undefined = None if reading.undefined is None else _value(reading.undefined)
    cells = [None if cell != cell or cell == undefined else cell for cell in values.tolist()]
    names = ordered_labels({cell for cell in cells if cell is not None})
    if not reading.labels:
        require_answers(names)
    code: dict[Any, int] = {name: number for number, name in enumerate(names)} | {None: -1}
    codes = np.array([code[cell] for cell in cells], dtype=np.int64)[places.reshape(mapped.shape)]
    number = int((codes < 0).sum())
    return Table(codes, names, (f"{number} undefined",) if number else ())


def _load_text(path: Path, reading: Reading) -> Table:
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets put a mark in front
    except UnicodeDecodeError as error:
        raise InputError("path", str(path), f"text in UTF-8 ({error})") from error
    written, notes = _without_comments(path, [line for line in text.splitlines() if line.strip()], reading)
    dense = path.suffix == ".txt" and reading.delimiter is None and not set("".join(written)) - set("01*? \t")
    spaced = any(len(line.split()) > 1 for line in written)
    if dense and spaced and any(len("".join(line.split())) > len(line.split()) for line in written):
        raise InputError("path", str(path), f"rows of 0 and 1 with spaces between all cells, or none; {AS_DELIMITER}")
    rows = [[*"".join(line.split())] for line in written] if dense else _divided(path, written, reading, notes)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{path.name} row {number}", len(row), f"{counted(len(rows[0]), 'cell')} like the first row"
            )
    rows = _without_empty(rows, notes)
    unnamed = (dense and not spaced) or all(BY_NUMPY.fullmatch(cell) for row in rows for cell in row)
    rows = _without_names(path, rows, reading.header or ("none" if unnamed else None), notes)
    texts = set().union(*rows)
    odd = next((cell for cell in texts if re.search(ODD, cell)), None)
    if odd is not None and not reading.labels:
        raise InputError("cell", odd, f"an answer, or a number with a decimal point; {AS_ANSWERS}")
    undefined = _undefined(texts, reading)
    meant = {cell: None if cell in undefined else _value(cell) for cell in texts}
    codes, labels = coded([[meant[cell] for cell in row] for row in rows], labels=reading.labels)
    if undefined:
        number = sum(cell in undefined for row in rows for cell in row)
        written_as = ", ".join(sorted(cell or "empty cell" for cell in undefined))
        notes.append(f"undefined entries: {number}, written {written_as}")
    return Table(codes, labels, tuple(notes))


def _without_comments(path: Path, lines: list[str], reading: Reading) -> tuple[list[str], list[str]]:
    marked = {line for line in lines if line.lstrip().startswith("#")}
    certain = [line for line in lines if line not in marked]
    if not lines:
        raise InputError("path", str(path), "at least one row")
    if not marked:
        return lines, []
    mark = _mark(path, certain or lines, reading.delimiter)
    rows = _read(path, certain or lines, mark)
    like = {line: cells for line in marked for cells in _read(path, [line], mark) if len(cells) == len(rows[-1])}
    if certain and all(re.fullmatch("[01*?]{2,}", line.strip()) for line in certain):  # rows without a delimiter
        like = {}
    inside = any(re.match(r"#\S", cell) for row in (*rows, *like.values()) for cell in row[1:])
    for line, cells in like.items():
        if not (reading.labels or _is_blank(cells[0]) or (inside and re.match(r"#\S", cells[0]))):
            if not certain:
                raise InputError("path", str(path), f"at least one row besides comments; {AS_ANSWERS}")
            raise InputError(f"line of {path.name}", line, f"no # in front: it may be a comment or a row; {AS_ANSWERS}")
    written = [line for line in lines if line in like or line not in marked]
    left, kept = len(lines) - len(written), len(written) - len(certain)
    notes = [f"{counted(left, 'line')} of comment left out"] if left else []
    return written, notes + ([f"rows that begin with #: {kept}"] if kept else [])


def _undefined(texts: set[str], reading: Reading) -> set[str]:
    """The cells that are undefined entries, as written; a dash, or "missing", beside numbers only."""
    given = None if reading.undefined is None else _value(reading.undefined)
    undefined = {cell for cell in texts if MISSING.fullmatch(cell) or _value(cell) == given}
    words = {cell for cell in texts if not _is_number(cell) and not MISSING.fullmatch(cell)}
    blank = next((cell for cell in sorted(words - undefined) if _is_blank(cell)), None)
    if blank is None or reading.labels:
        return undefined
    if len({word.lower() for word in words}) > 1 or not texts - undefined - words:
        raise InputError("cell", blank, f"numbers beside it, and no other words; {AS_UNDEFINED}")
    return undefined | words


def _is_blank(cell: str) -> bool:
    return bool(MISSING.fullmatch(cell) or BLANK.fullmatch(cell))


def _mark(path: Path, lines: list[str], delimiter: str | None) -> str:
    """The character between cells: that which is given, or the only delimiter that occurs outside of quotes."""
    if delimiter is not None:
        return DELIMITERS.get(delimiter, delimiter)
    plain = re.sub(r'"[^"]*"', "", "\n".join(lines))
    marks = [name for name, mark in DELIMITERS.items() if mark in plain and mark != " "]
    marks += sorted({*re.findall(BARS if marks else rf"{BARS}|(?<!\S)[:&/\\]+(?!\S)", plain)})
    if len(marks) > 1 or (marks and marks[0] not in DELIMITERS):
        raise InputError(f"delimiter in {path.name}", " and ".join(marks), f"one: {AS_DELIMITER}")
    return DELIMITERS[marks[0]] if marks else " "


def _divided(path: Path, lines: list[str], reading: Reading, notes: list[str]) -> Rows:
    mark = _mark(path, lines, reading.delimiter)
    if mark == "|" and all(line.lstrip().startswith("|") for line in lines):
        lines = [re.sub(r"^\s*\||\|\s*$", "", line) for line in lines]
        notes.append("bars at the ends of lines left out")
    rows = _read(path, lines, mark)
    if mark == "|" and len(rows) > 1 and all(re.fullmatch(":?-+:?", cell) for cell in rows[1]):
        if reading.header is None:
            raise InputError(f"first row of {path.name}", rows[0][:8], f"no line of dashes under it; {AS_HEADER}")
        del rows[1]
        notes.append("the line of dashes left out")
    glued = r"[01*?]{2,}|.*[|:&/].*" if path.suffix == ".csv" else r"[0-9*?]{2,}|.*[|:&/].*"
    cells = [row[0] for row in rows if len(row) == 1]
    if len(cells) == len(rows) and (
        all(re.fullmatch(glued, cell) for cell in cells)
        or (all(re.fullmatch(r"[01*?._-]{2,}", cell) for cell in cells) and not all(map(_is_number, cells)))
    ):
        raise InputError(
            "path", str(path), f"cells with a delimiter between them (of 0, 1 and * none in .txt); {AS_DELIMITER}"
        )
    return rows


def _read(path: Path, lines: list[str], mark: str) -> Rows:
    if mark == " ":
        lines = [" ".join(line.split()) for line in lines]
    try:
        text = io.StringIO("\n".join(lines), newline="")
        return [[cell.strip() for cell in row] for row in csv.reader(text, delimiter=mark, skipinitialspace=True)]
    except csv.Error as error:
        raise InputError("path", str(path), f"cells with a {mark!r} between them ({error})") from error


def _without_empty(rows: Rows, notes: list[str]) -> Rows:
    height, width = len(rows), len(rows[0])
    while height > 1 and not any(rows[height - 1]):
        height -= 1
    while width > 1 and not any(row[width - 1] for row in rows[:height]):
        width -= 1
    for name, left in (("row", len(rows) - height), ("column", len(rows[0]) - width)):
        notes += [f"{counted(left, f'empty {name}')} at the end left out"] if left else []
    return [row[:width] for row in rows[:height]]


def _without_names(path: Path, rows: Rows, header: str | None, notes: list[str]) -> Rows:
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
    columns = [list(column) for column in zip(*rows, strict=True)]
    tops = (rows[0][1:], columns[0][1:])
    inner = ([row[1:] for row in rows[1:]], [column[1:] for column in columns[1:]])
    corner = rows[0][0]
    named = [_are_names(*both) or _are_other_numbers(*both) for both in zip(tops, inner, strict=True)]
    different = all(all(names) and len({*names}) == len(names) for names in tops)
    if all(tops) and isinstance(_value(corner), str) and (different or (not corner and any(named))):
        if not corner and different and all(named):  # pandas leaves it empty
            return "both"
        if not corner or (any(named) and not any(corner in row for row in inner[0])):
            raise InputError(f"corner of {path.name}", corner, f"an answer, or * if it is undefined; {AS_HEADER}")
    whole = path.suffix == ".txt" and all(isinstance(_value(cell), int) for row in rows for cell in row)
    few = {*map(_value, set().union(*inner[0]))}  # a number may be in the corner
    if different and all(
        len(names) > 1 and len(few) <= len(names) and few.isdisjoint(map(_value, names)) for names in tops
    ):
        raise InputError(f"first row of {path.name}", rows[0][:8], f"answers like the others; {AS_HEADER}")
    for name, (first, *others) in (("row", rows), ("column", columns)):
        below = {*map(_value, set().union(*others))}
        if whole and len(below) >= len(first) and not below <= {0, 1}:  # a matrix of numbers
            continue
        if (rows[0] != columns[0] and _are_other_numbers(first, others)) or _are_names(first, others):
            raise InputError(f"first {name} of {path.name}", first[:8], f"answers like the others; {AS_HEADER}")
    return "none"


def _are_names(names: list[str], others: Rows) -> bool:
    """Whether a first row, or column, may be names: words above other cells, or a count that no answers make."""
    if not others or len(set(names)) < len(names):
        return False
    own: list[Any] = [_value(name) for name in names]
    below, whole = {*map(_value, set().union(*others))}, all(isinstance(cell, int) for cell in own)
    steps = {after - before for before, after in itertools.pairwise(own)} if whole else set()
    counts = names in (["0", "1"], ["1", "2"]) or (len(own) > 2 and len(steps) == 1 and min(steps) > 0)
    if counts:  # 0, 1, 2 above 0 and 1; or one row more than columns
        return len(others) > 1 if len(own) == 2 else own[-1] not in below or len(others) == len(own)
    words = {cell for cell in own if isinstance(cell, str) and not _is_blank(cell)}
    numeric = all(isinstance(cell, int | float) or _is_blank(str(cell)) for cell in below)
    return bool(words) and not words & below and (numeric or len(words) == len(own) > 1)


def _are_other_numbers(names: list[str], others: Rows) -> bool:
    """Whether a first row, or column, has different numbers that the rest has not: all, most, or some above few."""
    numbers = [cell for cell in names if not _is_blank(cell)]
    own, below = {*map(_value, numbers)}, {*map(_value, set().union(*others))}
    if len(own) < 2 or not others or not all(map(_is_number, numbers)):
        return False
    if any(isinstance(cell, float) for cell in own) and any(isinstance(cell, float) for cell in below):
        return False  # real numbers
    new, once = len(own - below), len(own) == len(names)
    if new == len(own):
        return once or len(others) > 1
    return once and len(others) > 1 and (2 * new > len(own) or (new > 0 and len(below) <= len(own)))


def _is_number(cell: str) -> bool:
    return not isinstance(_value(cell), str)


def _value(cell: str) -> Hashable:
    """A number if it is written as one, 1.0 as 1; 01 and 1_0 are labels of their own, not 1 and 10."""
    if cell in ("True", "TRUE", "true", "False", "FALSE", "false"):
        return int(cell.lower() == "true")
    numeric = re.fullmatch(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]{1,2})?", cell)
    if not numeric or not re.match(r"[+-]?\.?[0-9]", cell) or len(cell) > DIGITS:
        return cell
    number = Decimal(cell)
    return int(number) if number == number.to_integral_value() else float(number)
