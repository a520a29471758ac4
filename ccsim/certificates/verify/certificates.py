"""Certificates as plain data, for a matrix and for every length: whether they prove their claims, and which."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from os import PathLike

from .claims import (
    MEASURES,
    MOST_CELLS,
    MOST_INTEGER,
    Any,
    Data,
    Matrix,
    MatrixClaim,
    Measures,
    Refused,
    RelationTable,
    Table,
    TooLarge,
    Unwritten,
    Value,
    bits_for,
    check_parameters,
    digest,
    fields,
    indices,
    integer,
    items,
    need,
    rational,
    read_labels,
    refusing,
)
from .families import (
    FAMILY_FORMAT,
    FAMILY_MEASURES,
    Family,
    FamilyClaim,
    count_text,
    linear_text,
    read_family,
    values_of,
)

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
    cell, 0-9a-z for the place of the label and ``*`` for an undefined entry, or, for more than 36 labels, lists of
    places with -1 there. Rows that are said to be those of a function are compared with it if it is known.

    >>> read_matrix({"function": "equality", "n": 1}), read_matrix({"labels": ["no", "yes"], "rows": ["0*1"]})
    (([[1, 0], [0, 1]], [0, 1]), ([[0, -1, 1]], ['no', 'yes']))
    """
    name, n = function_of(data)
    if name is not None and "rows" not in data:
        fields(data, "function", "n")
        table = known_here(name, n)
        if table is None:
            raise Refused(f"a function without its rows is one of {', '.join(NAMED)}")
        return table
    read = read_rows(*fields({key: data[key] for key in data if key not in ("function", "n")}, "labels", "rows"))
    function = None if name is None else known_here(name, n) or known(name, n)
    need(function in (None, read), f"the cells are not those of {name}, n = {n}")
    return read


def function_of(data: Any) -> tuple[str | None, int]:
    need(isinstance(data, dict), "a matrix is an object")
    if "function" not in data and "n" not in data:
        return None, 0
    name = data["function"]
    need(isinstance(name, str) and bool(re.fullmatch("[a-z0-9-]{1,60}", name)), "the name of a function")
    return name, integer(data["n"], 1, 1 << 20 if "rows" not in data else 64)


@refusing()
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
    kind = str if len(read_labels(labels, 0)) <= len(DIGITS) else list
    need(all(type(row) is kind for row in items(rows)), "rows are text, or lists for over 36 labels")
    check_shape(rows)
    if kind is list:
        return [indices(row, len(labels), least=-1) for row in rows], labels
    codes = {digit: place for place, digit in enumerate(DIGITS[: len(labels)])} | {"*": -1}
    return [[codes[digit] for digit in row] for row in rows], labels


def read_relation(labels: Any, allowed: Any) -> tuple[RelationTable, list[Any]]:
    """A relation: a list of cells for each row, a cell as a number whose bit k states whether label k is right
    there."""
    count = len(read_labels(labels, most=128))
    check_shape(items(allowed))
    return RelationTable([indices(row, 1 << count, least=1) for row in allowed], count), labels


def check_shape(rows: list[Any]) -> None:
    need(bool(rows) and {len(row) for row in rows} == {len(rows[0]) or -1}, "rows of one length, at least one")
    need(len(rows) * len(rows[0]) <= MOST_CELLS, f"a matrix of at most {MOST_CELLS} cells", TooLarge)


def check_plain(data: Any) -> None:
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
    return rational(value) if isinstance(value, str) else integer(value, -MOST_INTEGER, MOST_INTEGER)


def read_header(data: Any, form: str = FORMAT, about: str = "matrix", measures: Measures = MEASURES) -> Data:
    """The fields of a certificate, of the right form; proofs become [side, value, witness]."""
    check_plain(data)
    names = ("format", "version", about, "measure", "unit", "parameters", "proofs")
    head = dict(zip(names, fields(data, *names), strict=True))
    known = head["format"] == form and type(head["version"]) is int and head["version"] == VERSION
    need(known, f"expected format {form}, version {VERSION}")
    check_parameters(head["measure"], head["parameters"], measures)
    units = measures[head["measure"]][0]
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


def shown_parameters(parameters: Data, labels: list[Any]) -> Iterator[tuple[str, Any]]:
    """Parameters with the label itself instead of its code, and with the hash of weights."""
    for name, value in parameters.items():
        if name in ("code", "label"):
            yield "label", None if value is None else labels[value]
        else:
            short = name in ("values", "parties", "prior") and len(value) <= 16
            text = f"sha256 {digest(value)}" if isinstance(value, list) else value
            yield name, ", ".join(map(str, value)) if short else text


def with_unit(amount: Any, unit: str) -> str:
    """An amount, which a sign may come before, with its unit, in the singular if it is one: ">= 1 bit", "2 bits"."""
    thing, space, rest = unit.partition(" ")
    if re.fullmatch(r"\W*1", str(amount)):
        thing, rest = "leaf" if thing == "leaves" else thing.removesuffix("s"), rest.replace("that are", "that is")
    return f"{amount} {thing}{space}{rest}".rstrip()


def plain_value(value: Value) -> int | str:
    return value if isinstance(value, int) else f"{value.numerator}/{value.denominator}"


OMITTED = (("rounds", None), ("first", None), ("smooth", False))


def words(name: str, value: Any) -> str:
    if name == "answer":
        return "both know" if value == "both" else f"{value} knows"
    if name == "label":
        text = "every label" if value is None else f"label {value!a}"
        return text if len(text) <= 80 else f"{text[:77]}..."
    return f"{name} {value[:19]}" if name == "weights" else f"{name} {value}"


def statement(measure: str, side: str, value: Any) -> str:
    """A bound for every length, for people."""
    (unit,), _ = FAMILY_MEASURES[measure]
    if side == "upper" and unit == "bits":
        return f"<= {with_unit(linear_text(*value), unit)} for all n >= 1"
    text, where, start = count_text(value, unit == "bits")
    if unit == "bits":  # where there is nothing to be counted there is no logarithm
        counted = values_of(value, start + 2 * len(value[0]))[start - 1 :]
        none = next((place for place, number in enumerate(counted) if number), 0)
        if not all(counted[none:]):
            text = text.replace("log2(", "log2(max(1, ").replace("))", ")))")
        start += none
    small = [bits_for(number) if unit == "bits" else number for number in values_of(value, start - 1)]
    before = f" ({', '.join(f'{number} at n = {n}' for n, number in enumerate(small, 1))})" if any(small) else ""
    sign = ">=" if side == "lower" else "<="
    return f"{sign} {with_unit(text, unit)}{where} for all n >= {start}{before}"


@refusing()
def proved_always(family: Any, measure: str, side: str, parameters: Data, witness: Data) -> Any:
    """What a witness proves of a family that is given as plain data: a count from below, and of messages; from above
    bits per block and bits at the end. :class:`Refused` if it proves nothing.
    """
    return FamilyClaim(read_family(family), measure, side, parameters).proved(witness)


@refusing()
def report_family(data: Any) -> Data:
    head = read_header(data, FAMILY_FORMAT, "family", FAMILY_MEASURES)
    family, measure, listed = read_family(head["family"]), head["measure"], []
    for side, value, witness in head["proofs"]:
        proved = FamilyClaim(family, measure, side, head["parameters"]).proved(witness)
        text = str(list(proved))
        shown = text if len(text) < 200 else f"{text[:200]} ..."
        need(text == str(items(value)), f"the {side} witness proves {shown}")
        listed.append({"side": side, "statement": statement(measure, side, proved), "kind": witness["kind"]})
    return {
        "family": family_text(head["family"], family),
        "letters": [family.alice, family.bob],
        "states": len(family.table),
        "sha256": digest([family.table, family.outputs, family.first, family.labels]),
        "measure": measure,
        "unit": head["unit"],
        "parameters": dict(shown_parameters(head["parameters"], family.labels)),
        "proofs": listed,
    }


def family_text(data: Data, family: Family) -> str:
    if "function" in data:
        return f"{data['function']}, n bits each"
    states = f"{len(family.table)} states"
    if "partition" in data:
        turn, letters = data["partition"], f"{len(data['symbols'])} letters"
        return f"a language of {letters}, {states}, words of length {len(turn)} n, partition of the input: {turn}"
    return f"a family of {family.alice} x {family.bob} letters, {states}"


@refusing()
def check(table: Table, measure: str, side: str, parameters: Data, witness: Data) -> Value:
    """The bound on a measure of a table of codes that a witness proves; :class:`Refused` if it proves none."""
    value: Value = MatrixClaim(Matrix(table), measure, side, parameters).proved(witness)
    return value


@refusing()
def verify(data: Any) -> list[tuple[str, Value, str]]:
    """The claims of a certificate that is given as plain data, each as (side, value, kind of witness), once proved.

    Raises:
        Refused: if the data is no certificate, or one of its claims is not proved.

    >>> node = [1, None, "3", "3", "rank", [2, 2]]
    >>> proof = {"side": "lower", "value": 2, "witness": {"kind": "refutation", "nodes": [node]}}
    >>> verify({"format": "ccsim-certificate", "version": 1, "matrix": {"function": "equality", "n": 1},
    ...         "measure": "deterministic", "unit": "bits", "proofs": [proof],
    ...         "parameters": {"answer": "both", "rounds": None, "first": None}})
    [('lower', 2, 'refutation')]
    """
    return proofs(read_header(data), *matrix_of(data["matrix"]))


def proofs(head: Data, matrix: Matrix, labels: list[Any]) -> list[tuple[str, Value, str]]:
    claims: list[tuple[str, Value, str]] = []
    for name in ("code", "label"):
        code = head["parameters"].get(name)
        need(code is None or code < len(labels), "a claim about none of the labels")
    measured = not isinstance(matrix, RelationTable) or head["measure"] in ("deterministic", "leaves")
    need(measured, "relations have a deterministic complexity and leaves only")
    for side, value, witness in head["proofs"]:
        proved = MatrixClaim(matrix, head["measure"], side, head["parameters"]).proved(witness)
        claimed = read_value(value)
        need(proved >= claimed if side == "lower" else proved <= claimed, f"the {side} witness proves {proved} only")
        claims.append((side, claimed, witness["kind"]))
    need(len(claims) < 2 or claims[0][1] <= claims[1][1], "more from below than from above")
    return claims


def verify_text(text: str | bytes) -> list[tuple[str, Value, str]]:
    """Likewise for a certificate as JSON text."""
    return verify(load(text))


@refusing()
def report(data: Any, known: Known = known_here) -> Data:
    """What a certificate proves, as plain data, once it is proved.

    Its fields: ``function`` and ``n`` (null where no function is named), ``compared`` (whether the cells are known to
    be those of that function), ``rows``, ``columns``, ``labels`` (how many), ``sha256`` (of labels and codes, however
    they are given; where they are not written out, of name and size), ``measure``, ``unit``, ``parameters`` (with the
    label itself instead of its code), ``relation`` (whether it is about one), and ``proofs``. Of a certificate for
    every length, see :func:`report_family`.
    """
    if isinstance(data, dict) and data.get("format") == FAMILY_FORMAT:
        return report_family(data)
    head = read_header(data)
    (name, n), (matrix, labels) = function_of(head["matrix"]), matrix_of(head["matrix"], known)
    claims, written = proofs(head, matrix, labels), not isinstance(matrix, Unwritten)
    return {
        "function": name,
        "n": n if name is not None else None,
        "compared": name is not None and (name in NAMED or known(name, n) is not None),
        "rows": matrix.height if written else f"2^{n}",
        "columns": matrix.width if written else n if name == "index" else f"2^{n}",
        "labels": len(labels),
        "relation": isinstance(matrix, RelationTable),
        "sha256": digest([labels, matrix.content] if written else [name, n]),
        "measure": head["measure"],
        "unit": head["unit"],
        "parameters": dict(shown_parameters(head["parameters"], labels)),
        "proofs": [{"side": side, "value": plain_value(value), "kind": kind} for side, value, kind in claims],
    }


def summary(data: Data, known: Known = known_here) -> str:
    """The claims of a certificate, once proved, in a line: "deterministic = 5 bits (both know) of a matrix ..."."""
    return line(report(data, known))


def line(data: Data) -> str:
    if "family" in data:
        claim = ", ".join(proof["statement"] for proof in data["proofs"])
        about = f"{data['family']} (sha256 {data['sha256'][:12]})"
    else:
        values = {proof["side"]: read_value(proof["value"]) for proof in data["proofs"]}
        claim = f">= {values['lower']}" if "lower" in values else f"<= {values['upper']}"
        if len(values) == 2:
            low, high = values["lower"], values["upper"]
            claim = f"= {low}" if low == high else f"in [{low}, {high}]"
        claim = with_unit(claim, data["unit"])
        unnamed = "a relation" if data["relation"] else "a matrix"
        about = unnamed if data["function"] is None else f"{data['function']}, n = {data['n']}"
        size = f"{data['rows']} x {data['columns']}, sha256 {data['sha256'][:12]}"
        size += ", not compared with the function" if data["function"] is not None and not data["compared"] else ""
        about += f" ({size})"
    given = ", ".join(words(name, value) for name, value in data["parameters"].items() if (name, value) not in OMITTED)
    how = ", ".join(f"{proof['side']} by {proof['kind']}" for proof in data["proofs"])
    return f"{data['measure']} {claim}{f' ({given})' if given else ''} of {about}: {how}"


def report_file(path: str | PathLike[str], known: Known = known_here) -> Data:
    """Whether a file is ``accepted``, a ``message``, which is its claims or the reason why not, and its report as
    ``certificate`` (null if it is refused)."""
    try:
        with open(path, "rb") as file:
            certificate = report(load(file.read(MOST_BYTES + 1)), known)
    except (OSError, ValueError) as error:
        message = str(error) if isinstance(error, Refused) else "the file cannot be read"
        return {"accepted": False, "message": message, "certificate": None}
    return {"accepted": True, "message": line(certificate), "certificate": certificate}


def check_file(path: str | PathLike[str]) -> tuple[bool, str]:
    """Whether a file is accepted, and its claims or the reason why not."""
    verdict = report_file(path)
    return verdict["accepted"], verdict["message"]


def main(names: list[str]) -> int:
    """Verify files, a line for each; 0 if all are accepted, else 1."""
    results = [(name, *check_file(name)) for name in names]
    for name, accepted, message in results:
        name, message = (text if text.isprintable() else ascii(text) for text in (name, message))
        sys.stdout.write(f"{'accepted' if accepted else 'refused'} {name}: {message}\n")
    return 0 if results and all(accepted for _, accepted, _ in results) else 1
