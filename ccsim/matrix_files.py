"""Communication matrices from files: nothing is unpickled, and nothing too large is allocated."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.cells import coded, ordered_labels
from ccsim.errors import InputError
from ccsim.memory import require_memory

__all__ = ["read_table"]

DONT_CARE_TEXT = ("*", "?", "")

Table = tuple[npt.NDArray[Any], list[Hashable]]


def read_table(path: Path) -> Table:
    """The codes and labels of a matrix in a ``.npy``, ``.csv`` or ``.txt`` file."""
    readers = {".npy": _load_npy, ".csv": _load_csv, ".txt": _load_txt}
    if path.suffix not in readers:
        raise InputError("path", str(path), f"a file that ends in one of {', '.join(readers)}")
    if not path.is_file():
        raise InputError("path", str(path), "a file that exists")
    if path.suffix != ".npy":
        require_memory(100 * path.stat().st_size, f"the matrix in {path.name}")
    return readers[path.suffix](path)


def _load_npy(path: Path) -> Table:
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
    if mapped.dtype.kind == "f" and not np.isfinite(mapped).all():
        raise InputError("path", str(path), "finite numbers")
    labels, codes = np.unique(mapped, return_inverse=True)
    names = ordered_labels(set(labels.tolist()))
    code = {name: number for number, name in enumerate(names)}
    place = np.array([code[label] for label in labels.tolist()], dtype=np.int64)
    return place[codes.reshape(mapped.shape)], names


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # spreadsheets put a mark in front
    except UnicodeDecodeError as error:
        raise InputError("path", str(path), f"text in UTF-8 ({error})") from error


def _load_csv(path: Path) -> Table:
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(_text(path), newline="")) if row]
    except csv.Error as error:
        raise InputError("path", str(path), f"comma-separated cells ({error})") from error
    return _from_cells(path, rows)


def _load_txt(path: Path) -> Table:
    rows: list[list[str]] = []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        cells = [cell for cell in line if not cell.isspace()]
        bad = next((cell for cell in cells if cell not in "01*?"), None)
        if bad is not None:
            raise InputError(f"{path.name} line {number}", bad, "only 0, 1, and * or ? for don't care")
        if cells:
            rows.append(cells)
    return _from_cells(path, rows)


def _from_cells(path: Path, rows: list[list[str]]) -> Table:
    if not rows:
        raise InputError("path", str(path), "at least one row")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(f"{path.name} row {number}", len(row), f"{len(rows[0])} cells like the first row")
    texts = set().union(*rows)
    meant = {text: None if text in DONT_CARE_TEXT else _number_or_text(text) for text in texts}
    return coded([[meant[cell] for cell in row] for row in rows])


def _number_or_text(cell: str) -> Hashable:
    """An integer if it is written as one in the usual way; 01 and 1_0 are labels of their own, not 1 and 10."""
    return int(cell) if re.fullmatch("0|-?[1-9][0-9]{0,999}", cell) else cell
