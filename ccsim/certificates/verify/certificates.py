"""Whether a certificate proves what it claims."""

from __future__ import annotations

from typing import Any

from .claims import Claim
from .data import Data, Table, Value, need, refusing
from .matrices import Matrix, Relation
from .reading import load, matrix_of, read_header, read_value


@refusing()
def check(table: Table, measure: str, side: str, parameters: Data, witness: Data) -> Value:
    """The bound on a measure of a table of codes that a witness proves; :class:`Refused` if it proves none.

    >>> witness = {"kind": "refutation", "nodes": [[1, None, "3", "3", "fooling", [[0, 0], [1, 1], [0, 1]]]]}
    >>> check([[1, 0], [0, 1]], "deterministic", "lower", {"answer": "both", "rounds": None, "first": None}, witness)
    2
    """
    return Claim(Matrix(table), measure, side, parameters).proved(witness)


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
    """The claims of a certificate whose header and matrix have been read, once proved."""
    found = []
    for name in ("code", "label"):
        code = head["parameters"].get(name)
        need(code is None or code < len(labels), "a claim about none of the labels")
    measured = not isinstance(matrix, Relation) or head["measure"] in ("deterministic", "leaves")
    need(measured, "relations have a deterministic complexity and leaves only")
    for side, value, witness in head["proofs"]:
        proved, claimed = Claim(matrix, head["measure"], side, head["parameters"]).proved(witness), read_value(value)
        need(proved >= claimed if side == "lower" else proved <= claimed, f"the {side} witness proves {proved} only")
        found.append((side, claimed, witness["kind"]))
    need(len(found) < 2 or found[0][1] <= found[1][1], "more from below than from above")
    return found


def verify_text(text: str | bytes) -> list[tuple[str, Value, str]]:
    """Likewise for a certificate as JSON text."""
    return verify(load(text))
