"""Certificates held against tables that were written out apart, and a checker that is asked to refuse."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ccsim import bounds
from ccsim.certificates import verify
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix

__all__ = ["COSTS_BOTH", "MESSAGE", "certificate_faults", "certified", "certified_cost", "cost_for", "named_faults"]

MESSAGE = {"measure": "one-way", "direction": "alice-to-bob"}
"""The bits of one message from Alice."""


def cost_for(knowing: str) -> dict[str, Any]:
    """The bits of a conversation of any number of rounds after which both, Alice or Bob must know the answer."""
    return {"measure": "deterministic", "answer": knowing, "rounds": None, "first": None}


COSTS_BOTH = cost_for("both")

TRIVIAL = {
    "deterministic": 0,
    "one-way": 0,
    "one-way-messages": 1,
    "randomised": 0,
    "one-way-randomised": 0,
    "vc-dimension": 0,
}
"""What each measure is of a function that is constant."""


def certified(
    bracket: bounds.Bracket, table: Sequence[Sequence[Any]], about: Mapping[str, Any] | None = None, **more: Any
) -> Finding:
    """What a bracket proves, if its certificate is one about this table (None: an answer that is free)."""
    faults = (*certificate_faults(bracket, table, about), *more.pop("violations", ()))
    return Finding.of_bracket(bracket, violations=faults, **more)


def certified_cost(table: Sequence[Sequence[int]], answer: str = "both", **more: Any) -> Finding:
    """D of a table, when both, Alice or Bob are to know the answer, with a certificate about that table."""
    bracket = bounds.deterministic(CommunicationMatrix.from_array(table), answer=answer)
    return certified(bracket, table, cost_for(answer), **more)


def certificate_faults(
    bracket: bounds.Bracket, table: Sequence[Sequence[Any]], about: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Why the certificate is none about this table, or why the checker is none; nothing if all is well.

    What the checker reads is compared cell by cell, and what ``about`` names with the measure and its parameters. Then
    each claim is made better than it is by one, and a bound from below is made one of a function that is constant: the
    checker must refuse both.
    """
    data = verify.load(bracket.certificate.text())
    said = {"measure": data["measure"], **data["parameters"]}
    for name, value in (about or {}).items():
        if said.get(name) != value:
            return (f"the certificate is about {name} {said.get(name)}, not {value}",)
    codes, labels = verify.read_matrix(data["matrix"])
    read = [[None if code < 0 else str(labels[code]) for code in row] for row in codes]
    if read != [[None if answer is None else str(answer) for answer in row] for row in table]:
        return ("the certificate is about another function",)
    return _inflated(data, verify) + _of_a_constant(data, codes, verify)


def named_faults(bracket: bounds.Bracket, named: tuple[str, int], about: Mapping[str, Any]) -> tuple[str, ...]:
    """Why the certificate is none about the function of this name and size, or why the checker is none.

    The checker must accept it, refuse a bit more, and refuse the same of another function.
    """
    data = verify.load(bracket.certificate.text())
    said = {"measure": data["measure"], **data["parameters"]}
    if data["matrix"] != {"function": named[0], "n": named[1]} or said != dict(about):
        return (f"the certificate is about {said} of {data['matrix']}",)
    verify.verify(data)
    other = {**data, "matrix": {"function": "equality", "n": named[1]}}
    try:
        verify.verify(other)
    except verify.Refused:
        return _inflated(data, verify)
    return ("the checker accepts the same proof for equality",)


def _inflated(data: Any, verify: Any) -> tuple[str, ...]:
    for place, proof in enumerate(data["proofs"]):
        better = copy.deepcopy({**data, "proofs": [data["proofs"][place]]})
        value = verify.reading.read_value(proof["value"]) + (1 if proof["side"] == "lower" else -1)
        if value < 0:
            continue
        better["proofs"][0]["value"] = value if isinstance(value, int) else f"{value.numerator}/{value.denominator}"
        try:
            verify.verify(better)
        except verify.Refused:
            continue
        return (f"the checker accepts {value} as the {proof['side']} side as well",)
    return ()


def _of_a_constant(data: Any, codes: list[list[int]], verify: Any) -> tuple[str, ...]:
    lower = [proof for proof in data["proofs"] if proof["side"] == "lower"]
    if (
        data["measure"] not in TRIVIAL
        or not lower
        or verify.reading.read_value(lower[0]["value"]) <= TRIVIAL[data["measure"]]
    ):
        return ()
    constant = {"labels": [0, 1], "rows": ["0" * len(row) for row in codes]}
    try:
        verify.verify({**data, "proofs": lower, "matrix": constant})
    except verify.Refused:
        return ()
    return ("the checker accepts the same proof for a constant function",)
