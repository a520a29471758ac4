"""Terms of Coq for nonnegative, sign and approximate rank, in the words of ``proofs/FactorChecker.v``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates import verify
from ccsim.certificates.certificate import Certificate, Proof
from ccsim.certificates.coq_terms import SENDERS, list_text, option_text, rational_text
from ccsim.certificates.coq_witnesses import witness_text
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix

__all__ = ["FACTOR_MEASURES", "factor_measure_text", "factor_witness_text"]

FACTOR_MEASURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "nonnegative-rank": lambda p: f"(NonnegativeRank {list_text(p['values'])})",
    "sign-rank": lambda p: f"(SignRank {p['label']})",
    "approximate-rank": lambda p: f"(ApproximateRank {p['label']} {rational_text(Fraction(p['error']))})",
}
WRITTEN = ("lines", "factors", "minor", "support", "plane", "vc", "signs")


def factor_measure_text(measure: str, parameters: dict[str, Any]) -> str:
    """The measure with its parameters."""
    return FACTOR_MEASURES[measure](parameters)


def factor_witness_text(certificate: Certificate, proof: Proof) -> str:
    """The witness of one side; an ``InputError`` for a kind that Coq does not know."""
    matrix, data = certificate.matrix, proof.witness
    assert matrix is not None
    if data["kind"] == "signs":
        inner = Certificate(matrix, "sign-rank", "", {"label": certificate.parameters["label"]}, ())
        return f"SignsNear ({factor_witness_text(inner, Proof('lower', proof.value, data['of']))})"
    if data["kind"] == "plane":
        return "InAPlane"
    if data["kind"] == "lines":
        return _different_lines(certificate)
    if data["kind"] == "factors":
        return f"Factored {_vectors([data['rows'], data['columns']])}"
    if data["kind"] == "minor":
        return f"Minor {data['prime']} {list_text(data['rows'])} {list_text(data['columns'])}"
    if data["kind"] == "support":
        numbers = np.array(certificate.parameters["values"], dtype=object)[matrix.codes]
        cells = CommunicationMatrix.from_array((numbers > 0).astype(int))
        return f"Support ({_inner(cells, 'cover', {'code': 1}, data['of'])})"
    if data["kind"] == "vc":
        inside = _inner(matrix, "vc-dimension", {"direction": data["direction"]}, data["of"])
        return f"ShatteredSigns {SENDERS[data['direction']]} ({inside})"
    raise InputError("--coq", data["kind"], f"about factors, a witness of a kind among {', '.join(WRITTEN)}")


def _inner(matrix: CommunicationMatrix, measure: str, parameters: dict[str, Any], data: dict[str, Any]) -> str:
    return witness_text(Certificate(matrix, measure, "", parameters, ()), Proof("lower", 0, data))


def _integers(lines: Iterable[Iterable[int]]) -> str:
    return f"{list_text(list_text(line) for line in lines)}%Z"


def _vectors(sides: list[list[list[str]]]) -> str:
    """What 1 is in the units of each side's vectors, and these."""
    whole = [[[Fraction(text) for text in line] for line in side] for side in sides]
    scales = [verify.data.common_scale(entry for line in side for entry in line) for side in whole]
    pairs = list(zip(whole, scales, strict=True))
    texts = (_integers([verify.data.scaled(entry, scale) for entry in line] for line in side) for side, scale in pairs)
    return " ".join([*map(str, scales), *texts])


def _different_lines(certificate: Certificate) -> str:
    """The different rows that are not zero, and which of them each row is; or columns, if these are fewer."""
    matrix = certificate.matrix
    assert matrix is not None
    if certificate.measure == "nonnegative-rank":
        numbers = np.array(certificate.parameters["values"], dtype=object)[matrix.codes]
    else:
        numbers = np.where(matrix.codes == certificate.parameters["label"], 1, -1)
    found = []
    for party, table in (("alice", numbers), ("bob", numbers.T)):
        lines = [tuple(line) for line in table.tolist()]
        kept = {line: place for place, line in enumerate(dict.fromkeys(line for line in lines if any(line)))}
        found.append((len(kept), party, list(kept), [kept.get(line) for line in lines]))
    _, party, lines, classes = min(found, key=lambda one: one[0])
    return f"DifferentRows {party} {_integers(lines)} {list_text(map(option_text, classes))}"
