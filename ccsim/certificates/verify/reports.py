"""What a certificate proves, as plain data and in a line."""

from __future__ import annotations

import sys
from os import PathLike
from typing import Any

from .certificates import proofs
from .data import Data, Refused, digest, refusing
from .every_length import family_line, report_family
from .families import FAMILY_FORMAT
from .matrices import Relation, Unwritten
from .reading import MOST_BYTES, NAMED, Known, function_of, known_here, load, matrix_of, read_header, read_value
from .wording import UNSAID, plain_value, told_parameters, with_unit, words


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
    found, written = proofs(head, matrix, labels), not isinstance(matrix, Unwritten)
    return {
        "function": name,
        "n": n if name is not None else None,
        "compared": name is not None and (name in NAMED or known(name, n) is not None),
        "rows": matrix.height if written else f"2^{n}",
        "columns": matrix.width if written else n if name == "index" else f"2^{n}",
        "labels": len(labels),
        "relation": isinstance(matrix, Relation),
        "sha256": digest([labels, matrix.content] if written else [name, n]),
        "measure": head["measure"],
        "unit": head["unit"],
        "parameters": dict(told_parameters(head["parameters"], labels)),
        "proofs": [{"side": side, "value": plain_value(value), "kind": kind} for side, value, kind in found],
    }


def summary(data: Data, known: Known = known_here) -> str:
    """The claims of a certificate, once proved, in a line: "deterministic = 5 bits (both know) of a matrix ..."."""
    return line(report(data, known))


def line(told: Data) -> str:
    """A report in a line."""
    if "family" in told:
        return family_line(told)
    values = {proof["side"]: read_value(proof["value"]) for proof in told["proofs"]}
    claim = f">= {values['lower']}" if "lower" in values else f"<= {values['upper']}"
    if len(values) == 2:
        low, high = values["lower"], values["upper"]
        claim = f"= {low}" if low == high else f"in [{low}, {high}]"
    claim = with_unit(claim, told["unit"])
    given = ", ".join(words(name, value) for name, value in told["parameters"].items() if (name, value) not in UNSAID)
    unnamed = "a relation" if told["relation"] else "a matrix"
    matrix = unnamed if told["function"] is None else f"{told['function']}, n = {told['n']}"
    size = f"{told['rows']} x {told['columns']}, sha256 {told['sha256'][:12]}"
    size += ", not compared with the function" if told["function"] is not None and not told["compared"] else ""
    how = ", ".join(f"{proof['side']} by {proof['kind']}" for proof in told["proofs"])
    return f"{told['measure']} {claim}{f' ({given})' if given else ''} of {matrix} ({size}): {how}"


def report_file(path: str | PathLike[str], known: Known = known_here) -> Data:
    """Whether a file is ``accepted``, a ``message``, which is its claims or the reason why not, and its report as
    ``certificate`` (null if it is refused)."""
    try:
        with open(path, "rb") as file:
            told = report(load(file.read(MOST_BYTES + 1)), known)
    except (OSError, ValueError) as error:
        message = str(error) if isinstance(error, Refused) else "the file cannot be read"
        return {"accepted": False, "message": message, "certificate": None}
    return {"accepted": True, "message": line(told), "certificate": told}


def check_file(path: str | PathLike[str]) -> tuple[bool, str]:
    """Whether a file is accepted, and its claims or the reason why not."""
    found = report_file(path)
    return found["accepted"], found["message"]


def main(names: list[str]) -> int:
    """Verify files, a line for each; 0 if all are accepted, else 1."""
    results = [(name, *check_file(name)) for name in names]
    for name, accepted, message in results:
        name, message = (text if text.isprintable() else ascii(text) for text in (name, message))
        sys.stdout.write(f"{'accepted' if accepted else 'refused'} {name}: {message}\n")
    return 0 if results and all(accepted for _, accepted, _ in results) else 1
