"""Certificates as plain data: the matrix, the header, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .claims import MEASURES, check_parameters
from .data import (
    CODES,
    MOST_CELLS,
    MOST_INTEGER,
    Data,
    Refused,
    Table,
    TooLarge,
    Value,
    fields,
    integer,
    items,
    need,
    rational,
    refusing,
)
from .matrices import Matrix, Relation, Unwritten

FORMAT, VERSION = "ccsim-certificate", 1
MOST_BYTES = 64 << 20  # of a file
MOST_NESTING = 400
MOST_ITEMS = 1 << 25  # numbers, texts, lists and objects in a certificate
NAMED: dict[str, Callable[[int, int, int], int]] = {
    "equality": lambda n, x, y: int(x == y),
    "disjointness": lambda n, x, y: int(x & y == 0),
    "intersection": lambda n, x, y: int(x & y != 0),
    "greater-than": lambda n, x, y: int(x > y),
    "inner-product": lambda n, x, y: (x & y).bit_count() & 1,
    "index": lambda n, x, y: x >> (n - 1 - y) & 1,
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
Known = Callable[[str, int], tuple[Table, list[Any]] | None]
"""The table and the labels of a function by name and size; None: not known."""


def known_here(name: str, n: int) -> tuple[Table, list[Any]] | None:
    """A function that this file knows, of n bits as rows, in numerical order, and as columns (``index``: the places 1
    to n, counted from the most significant bit)."""
    if name not in NAMED:
        return None
    width = n if name == "index" else 1 << min(n, 22)
    need(n <= 22 and width << n <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    return [[NAMED[name](n, x, y) for y in range(width)] for x in range(1 << n)], [0, 1]


@refusing()
def read_matrix(data: Any, known: Known = known_here) -> tuple[Table, list[Any]]:
    """The table of a certificate's matrix, and its labels.

    It is a function's that is known here, see :func:`known_here`, or its rows are listed: text of a character per
    cell, 0-9a-z for the place of the label and ``*`` for a free cell, or, where there are more than 36 labels, lists of
    places with -1 for a free cell. Rows that are said to be those of a function are compared with it if it is known.

    >>> read_matrix({"function": "equality", "n": 1}), read_matrix({"labels": ["no", "yes"], "rows": ["0*1"]})
    (([[1, 0], [0, 1]], [0, 1]), ([[0, -1, 1]], ['no', 'yes']))
    """
    name, n = function_of(data)
    if name is not None and "rows" not in data:
        fields(data, "function", "n")
        found = known_here(name, n)
        if found is None:
            raise Refused(f"a function without its rows is one of {', '.join(NAMED)}")
        return found
    read = read_rows(*fields({key: data[key] for key in data if key not in ("function", "n")}, "labels", "rows"))
    function = None if name is None else known_here(name, n) or known(name, n)
    need(function in (None, read), f"the cells are not those of {name}, n = {n}")
    return read


def function_of(data: Any) -> tuple[str | None, int]:
    """The name and the size of the function whose matrix this is said to be, if it is."""
    need(isinstance(data, dict), "a matrix is an object")
    if "function" not in data and "n" not in data:
        return None, 0
    name = data["function"]
    need(isinstance(name, str) and bool(re.fullmatch("[a-z0-9-]{1,60}", name)), "the name of a function")
    return name, integer(data["n"], 1, 1 << 20 if "rows" not in data else 64)


def matrix_of(data: Any, known: Known = known_here) -> tuple[Matrix, list[Any]]:
    """The matrix of a certificate, and its labels; one that is named and too large to write out is left unwritten."""
    name, n = function_of(data)
    if "allowed" in data:
        return read_relation(*fields(data, "labels", "allowed"))
    try:
        table, labels = read_matrix(data, known)
    except TooLarge:
        if name is None or name not in NAMED or "rows" in data:
            raise
        return Unwritten(name, n), [0, 1]
    matrix = Matrix(table)
    matrix.function = (name, n) if name in NAMED else None
    return matrix, labels


def read_rows(labels: Any, rows: Any) -> tuple[Table, list[Any]]:
    """The table and the labels, from rows that are listed."""
    need(all(type(label) in (str, int) for label in items(labels)), "labels are texts or integers")
    need(len(set(labels)) == len(labels) <= CODES, "different labels")
    kind = str if len(labels) <= len(DIGITS) else list
    need(bool(items(rows)) and all(type(row) is kind for row in rows), "rows are text, or lists for over 36 labels")
    need({len(row) for row in rows} == {len(rows[0]) or -1}, "rows of one length, at least one")
    need(len(rows) * len(rows[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    if kind is list:
        return [[integer(cell, -1, len(labels) - 1) for cell in row] for row in rows], labels
    codes = {digit: place for place, digit in enumerate(DIGITS[: len(labels)])} | {"*": -1}
    return [[codes[digit] for digit in row] for row in rows], labels


def read_relation(labels: Any, allowed: Any) -> tuple[Relation, list[Any]]:
    """A relation: a list of cells for each row, a cell as a number whose bit k says whether label k is right there."""
    need(0 < len(items(labels)) <= 128 and all(type(label) in (str, int) for label in labels), "from 1 to 128 labels")
    need(len(set(labels)) == len(labels), "different labels")
    need({len(items(row)) for row in items(allowed)} == {len(allowed[0]) or -1}, "rows of one length, at least one")
    need(len(allowed) * len(allowed[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)
    sets = [[integer(cell, 1, (1 << len(labels)) - 1) for cell in row] for row in allowed]
    return Relation(sets, len(labels)), labels


def check_plain(data: Any) -> None:
    """Only what JSON has, no floats, and neither too deep, too large nor too long."""
    level, count = [data], 0
    for _ in range(MOST_NESTING):
        count += len(level)
        need(count <= MOST_ITEMS, "too much data", TooLarge)
        inner: list[Any] = []
        for value in level:
            if type(value) is dict:
                need(all(type(name) is str for name in value), "names of fields are text")
                inner += value.values()
            elif type(value) is list:
                inner += value
            elif type(value) is int:
                need(-MOST_INTEGER < value < MOST_INTEGER, "an integer of at most 40 digits")
            else:
                need(value is None or type(value) in (str, bool), "no floating-point numbers")
        level = inner
    need(not level, f"nested deeper than {MOST_NESTING}")


def read_value(value: Any) -> Value:
    """A bound: an integer, or a rational as text."""
    return rational(value) if isinstance(value, str) else integer(value, -MOST_INTEGER, MOST_INTEGER)


def read_header(data: Any) -> Data:
    """The fields of a certificate, of the right form; proofs become [side, value, witness]."""
    check_plain(data)
    names = ("format", "version", "matrix", "measure", "unit", "parameters", "proofs")
    head = dict(zip(names, fields(data, *names), strict=True))
    known = head["format"] == FORMAT and type(head["version"]) is int and head["version"] == VERSION
    need(known, f"expected format {FORMAT}, version {VERSION}")
    check_parameters(head["measure"], head["parameters"])
    units = MEASURES[head["measure"]][0]
    need(head["unit"] in units, f"the unit of {head['measure']} is {' or '.join(units) or 'empty'}")
    head["proofs"] = [fields(proof, "side", "value", "witness") for proof in items(head["proofs"])]
    sides = [side for side, _, _ in head["proofs"]]
    need(sides in (["lower"], ["upper"], ["lower", "upper"]), "a proof of the lower side, of the upper, or both")
    need(all(isinstance(witness, dict) for _, _, witness in head["proofs"]), "a witness is an object")
    return head


def _once(pairs: list[tuple[str, Any]]) -> Data:
    need(len({name for name, _ in pairs}) == len(pairs), "a field twice")
    return dict(pairs)


@refusing()
def load(text: str | bytes) -> Any:
    """JSON text as plain data: no field twice, no floats, no long integers, nothing too deep or too large."""
    need(len(text) <= MOST_BYTES, f"at most {MOST_BYTES} bytes", TooLarge)
    decoded = text.decode("utf-8") if isinstance(text, bytes) else text
    data = json.loads(
        decoded,
        object_pairs_hook=_once,
        parse_int=lambda digits: integer(int(digits[:42]), -MOST_INTEGER, MOST_INTEGER),
    )
    check_plain(data)
    return data
