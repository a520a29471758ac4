"""Claims, and the table of the checkers that prove them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .data import CODES, MOST_PRIME, Refused, Value, fields, integer, is_prime, items, need, prime_of, rational
from .matrices import Matrix

Checker = Callable[..., Value]
MEASURES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # units of the value, and parameters of the claim
    "deterministic": (("bits",), ("answer", "rounds", "first")),
    "leaves": (("leaves",), ("answer",)),
    "rank": (("", "rank"), ("code", "field")),
    "nonnegative-rank": (("",), ("values",)),
    "sign-rank": (("",), ("label",)),
    "approximate-rank": (("",), ("label", "error")),
    "fooling-set": (("cells",), ("code", "answer")),
    "cover": (("rectangles",), ("code",)),
    "partition": (("rectangles",), ("code",)),
    "nondeterministic": (("bits",), ("code",)),
    "one-way-messages": (("messages",), ("direction",)),
    "one-way": (("bits",), ("direction",)),
    "one-way-randomised": (("bits",), ("direction", "error")),
    "one-way success": (("",), ("direction", "bits")),
    "vc-dimension": (("",), ("direction",)),
    "discrepancy": (("",), ("weights",)),
    "least-discrepancy": (("",), ()),
    "rectangle-bound": (("", "rectangles"), ("code", "error", "smooth")),
    "partition-bound": (("rectangles",), ("answer", "coins", "error")),
    "gamma_2": (("",), ("label", "alpha")),
    "public-coin success": (("",), ("answer", "coins", "bits")),
    "randomised": (("bits",), ("answer", "coins", "error")),
    "quantum": (("qubits",), ("error",)),
}
PARAMETERS = {measure: names for measure, (_, names) in MEASURES.items()}
FORMS: dict[str, Callable[[Any], bool]] = {  # what a parameter may be
    "answer": lambda value: value in ("both", "alice", "bob"),
    "rounds": lambda value: value is None or integer(value, 1, 1 << 20) > 0,
    "first": lambda value: value in (None, "alice", "bob"),
    "code": lambda value: value is None or integer(value, 0, CODES) >= 0,
    "label": lambda value: integer(value, 0, CODES) >= 0,
    "field": lambda value: value == "rational" or is_prime(integer(prime_of(value), 2, MOST_PRIME)),
    "weights": lambda value: value in ("label", "all") or isinstance(value, list),
    "direction": lambda value: value in ("alice-to-bob", "bob-to-alice"),
    "coins": lambda value: bool(value == "public"),
    "error": lambda value: 0 <= rational(value) < 1,
    "alpha": lambda value: rational(value) >= 1,
    "bits": lambda value: integer(value, 0, 64) >= 0,
    "smooth": lambda value: type(value) is bool,
    "values": lambda value: all(integer(entry, 0, CODES) >= 0 for entry in items(value)),
}
GONE = {  # kinds that were checked once, for claims on these measures
    "branching": ("cover", "partition"),
    "chain-clauses": ("cover", "partition"),
    "chains": ("cover", "partition"),
    "corruption": ("rectangle-bound",),
    "fooling-lrat": ("fooling-set",),
    "line-sets": ("cover", "partition"),
    "norm": ("approximate-rank",),
    "rank-squared": ("fooling-set",),
    "spectral": ("discrepancy",),
    "subsets": ("gamma_2",),
    "theta": ("fooling-set",),
}
GONE_MEASURES = ("blackboard", "information-cost", "one-way-private", "private-coins", "rectangle")
LAST = "commit 1c13397"  # of ccsim, whose checker accepts all of them; there was no release
PROVES: dict[tuple[str, str], dict[str, Checker]] = {}  # (measure, side) -> kind of witness -> checker


def proves(kind: str, *claims: str) -> Callable[[Checker], Checker]:
    """Enter a checker in the table, for these claims: side and measure."""

    def enter(checker: Checker) -> Checker:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            PROVES.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


class Claim:
    """One side of a measure of a matrix, with its parameters."""

    def __init__(self, matrix: Matrix, measure: Any, side: Any, parameters: Any) -> None:
        check_parameters(measure, parameters)
        need(side in ("lower", "upper"), "a side is lower or upper")
        self.matrix, self.measure, self.side, self.parameters = matrix, measure, side, parameters
        self.answer = parameters.get("answer", "both")
        self.error = rational(parameters.get("error", "0/1"))
        self.party = int(parameters.get("direction") == "bob-to-alice")  # whose lines the sender of one message has

    @property
    def code(self) -> int:
        """The code that the claim is about, where it is about one answer."""
        return integer(self.parameters["code"], 0, CODES)

    def proved(self, witness: Any) -> Value:
        """The bound that a witness proves."""
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        checker = PROVES[self.measure, self.side].get(witness["kind"])
        if checker is None:
            need(self.measure not in GONE.get(witness["kind"], ()), gone("kind", witness["kind"]))
            raise Refused(f"this kind of witness proves no {self.side} bound on {self.measure}")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        self.matrix.spend(200)
        return checker(self, *fields(witness, "kind", *names)[1:])

    def other(self, witness: Any, **changed: Any) -> Value:
        """The bound that a witness proves for another claim."""
        now = {"matrix": self.matrix, "measure": self.measure, "side": self.side, "parameters": self.parameters}
        return Claim(**{**now, **changed}).proved(witness)

    def on(self, matrix: Matrix) -> Claim:
        """The same claim about another matrix."""
        return Claim(matrix, self.measure, self.side, self.parameters)


def gone(what: str, name: str) -> str:
    """That this is no longer checked, and what checks it."""
    return f"{what} {name!r} is no longer checked; ccsim of {LAST}, or earlier, accepts it"


def check_parameters(measure: Any, parameters: Any) -> None:
    """What a claim needs beside the matrix, and nothing else; checkers look closer at weights."""
    need(measure not in GONE_MEASURES, gone("measure", str(measure)))
    need(isinstance(measure, str) and measure in MEASURES, "a measure that is known")
    for name, value in zip(PARAMETERS[measure], fields(parameters, *PARAMETERS[measure]), strict=True):
        need(FORMS[name](value), f"another value of {name}")
    need(parameters.get("first") is None or parameters["rounds"] is not None, "first goes with rounds")
    other = parameters.get("answer", "both") == "both" or measure in ("deterministic", "leaves", "fooling-set")
    need(other, "both parties know the answer")
