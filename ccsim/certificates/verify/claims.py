"""Claims, the table of the checkers that prove them, and witnesses made of others: parts, submatrix, bits-of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .matrices import (
    CODES,
    MOST_PRIME,
    Matrix,
    Refused,
    Relation,
    Value,
    bits_for,
    bits_for_power,
    fields,
    integer,
    is_prime,
    items,
    need,
    prime_of,
    rational,
)

Checker = Callable[..., Any]
Checkers = dict[tuple[str, str], dict[str, Checker]]  # (measure, side) -> kind of witness -> checker
Measures = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # units of the value, and parameters of the claim
MEASURES: Measures = {
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
PROVES: Checkers = {}


def proves(kind: str, *claims: str, table: Checkers = PROVES) -> Callable[[Checker], Checker]:
    """Enter a checker in a table, for these claims: side and measure."""

    def enter(checker: Checker) -> Checker:
        for claim in claims:
            side, measure = claim.split(" ", 1)
            table.setdefault((measure, side), {})[kind] = checker
        return checker

    return enter


class Statement:
    """One side of a measure, with its parameters."""

    measures, checkers, scope = MEASURES, PROVES, ""

    def __init__(self, measure: Any, side: Any, parameters: Any) -> None:
        check_parameters(measure, parameters, self.measures)
        need(side in ("lower", "upper"), "a side is lower or upper")
        self.measure, self.side, self.parameters = measure, side, parameters
        self.answer = parameters.get("answer", "both")

    @property
    def code(self) -> int:
        """The code that the claim is about, where it is about one answer."""
        return integer(self.parameters["code"], 0, CODES)

    def proved(self, witness: Any) -> Any:
        """The bound that a witness proves."""
        need(isinstance(witness, dict) and isinstance(witness.get("kind"), str), "a witness has a kind")
        kind, measure = witness["kind"], self.measure
        checker = self.checkers.get((measure, self.side), {}).get(kind)
        if checker is None:
            need(measure not in GONE.get(kind, ()), gone("kind", kind))
            raise Refused(f"this kind of witness proves no {self.side} bound on {measure}{self.scope}")
        names = checker.__code__.co_varnames[1 : checker.__code__.co_argcount]
        return checker(self, *fields(witness, "kind", *names)[1:])


class Claim(Statement):
    """One side of a measure of a matrix, with its parameters."""

    def __init__(self, matrix: Matrix, measure: Any, side: Any, parameters: Any) -> None:
        super().__init__(measure, side, parameters)
        matrix.spend(200)
        self.matrix = matrix
        self.error = rational(parameters.get("error", "0/1"))
        self.party = int(parameters.get("direction") == "bob-to-alice")  # whose lines the sender of one message has

    def other(self, witness: Any, **changed: Any) -> Value:
        """The bound that a witness proves for another claim."""
        now = {"matrix": self.matrix, "measure": self.measure, "side": self.side, "parameters": self.parameters}
        value: Value = Claim(**{**now, **changed}).proved(witness)
        return value

    def on(self, matrix: Matrix) -> Claim:
        """The same claim about another matrix."""
        return Claim(matrix, self.measure, self.side, self.parameters)


def gone(what: str, name: str) -> str:
    """That this is no longer checked, and what checks it."""
    return f"{what} {name!r} is no longer checked; ccsim of {LAST}, or earlier, accepts it"


def check_parameters(measure: Any, parameters: Any, measures: Measures) -> None:
    """What a claim needs beside the matrix, and nothing else; checkers look closer at weights."""
    need(measure not in GONE_MEASURES, gone("measure", str(measure)))
    need(isinstance(measure, str) and measure in measures, "a measure that is known")
    names = measures[measure][1]
    for name, value in zip(names, fields(parameters, *names), strict=True):
        need(FORMS[name](value), f"another value of {name}")
    need(parameters.get("first") is None or parameters["rounds"] is not None, "first goes with rounds")
    other = parameters.get("answer", "both") == "both" or measure in ("deterministic", "leaves", "fooling-set")
    need(other, "both parties know the answer")


@proves("parts", "lower cover", "upper cover", "lower partition", "upper partition", "upper fooling-set",
        "lower rectangle", "upper rectangle", "lower leaves")  # fmt: skip
def check_parts(claim: Claim, parts: Any) -> Value:
    """A claim about all answers, by one about each that occurs, in order: rectangles of different answers are
    different, and the cells of one answer in a fooling set are one, so these add up.

    The leaves with an answer that both know divide its cells among them: a claim about leaves is by the partition of
    each answer. In a relation an answer has no cells of its own."""
    measure, shared = claim.measure, dict(claim.parameters)
    if measure == "leaves":
        need(claim.answer == "both" and not isinstance(claim.matrix, Relation), "one answer in a cell, that both know")
        measure, shared = "partition", {"code": None}
    need(shared["code"] is None, "parts are for a claim about all answers")
    codes = claim.matrix.codes
    pairs = zip(codes, items(parts, len(codes)), strict=True)
    values = [claim.other(part, measure=measure, parameters={**shared, "code": code}) for code, part in pairs]
    return sum(values)


@proves("submatrix", "lower cover", "lower partition")
def check_submatrix(claim: Claim, rows: Any, columns: Any, of: Any) -> Value:
    """What a part needs, the whole needs."""
    return claim.other(of, matrix=claim.matrix.part(rows, columns))


BITS_OF = {
    ("nondeterministic", "lower"): ("cover",),
    ("nondeterministic", "upper"): ("cover",),
    ("one-way", "lower"): ("one-way-messages", "deterministic"),
    ("one-way", "upper"): ("one-way-messages",),
    ("one-way-randomised", "lower"): ("vc-dimension", "randomised"),
    ("one-way-randomised", "upper"): ("one-way-messages",),
    ("randomised", "lower"): ("discrepancy", "rectangle-bound", "partition-bound", "gamma_2"),
    ("deterministic", "lower"): ("leaves",),
    ("quantum", "lower"): ("gamma_2",),
}


@proves("bits-of", *(f"{side} {measure}" for measure, side in BITS_OF))
def check_bits(claim: Claim, measure: Any, given: Any, of: Any) -> int:
    """Bits from another measure, with the parameters that are ``given`` and those of the claim.

    To name one of so many rectangles (for a prover) or messages takes the logarithm, rounded up; a protocol of c bits
    has at most 2^c leaves. With public coins a
    protocol of c bits and error e is a mixture of trees of at most 2^c leaves, which is at least the rectangle and
    partition bounds, see :func:`check_cell_weights`; and 2^c >= (1 - 2e) / discrepancy for any distribution
    (Kushilevitz and Nisan 1997, section 3.5). With alpha = 1 / (1 - 2e), 2^c >= (gamma_2^alpha / alpha)^2: a tree has
    leaves l reached after a_l bits of Alice and b_l of Bob. Let x_i(l) = 2^(-b_l / 2) and y_j(l) = +-2^(b_l / 2) on
    the lines of l, else 0. Row i reaches, whatever Bob says, leaves with sum of 2^(-b_l) = 1, and column j those with
    sum of 2^(b_l) <= 2^c sum of 2^(-a_l) = 2^c. So the answers' signs have gamma_2 <= 2^(c/2), and so has their mean
    over public coins, which is B (1 - 2e) for a B as in :func:`check_gamma2_dual`. A qubit is two such bits, if
    entanglement is shared (by teleportation); then a leaf has operators M(l), N(l), products of what each party
    measured on its way, and x_i(l) = 2^(-b_l / 2) M* M, y_j(l) = +-2^(b_l / 2) N* N, applied to the shared state: M* M
    and N* N are at most 1, and the same sums hold of them, so gamma_2 <= 2^c for c qubits. One message with public
    coins has c >= (1 - H(e)) d, d the VC dimension (Kremer, Nisan, Ron 1999): with e = a/b, and H the binary entropy,
    2^(bc) >= (2^b a^a (b - a)^(b - a) / b^b)^d. Whoever receives the one message may send back the answer, one of those
    that occur: then both know it, with as much error.
    """
    need(measure in BITS_OF[claim.measure, claim.side], "these bits are not of that measure")
    shared = {name: claim.parameters[name] for name in PARAMETERS[measure] if name in claim.parameters}
    if measure == "gamma_2":
        need(2 * claim.error < 1, "an error below 1/2")
        alpha = 1 / (1 - 2 * claim.error)
        shared["alpha"] = f"{alpha.numerator}/{alpha.denominator}"
    need(isinstance(given, dict) and not set(given) & set(shared), "only what the claim does not say is given")
    side = "upper" if measure == "discrepancy" else claim.side
    value = claim.other(of, measure=measure, side=side, parameters={**given, **shared})
    if measure in ("deterministic", "randomised"):
        need(given.get("answer") == "both" and given.get("rounds") is None, "both know the answer, in any rounds")
        return max(0, int(value) - bits_for(len(claim.matrix.codes)))
    if measure == "vc-dimension":
        a, b = claim.error.numerator, claim.error.denominator
        need(2 * a <= b <= 1000, "an error up to 1/2, of denominator at most 1000")
        messages = Fraction(2**b * a**a * (b - a) ** (b - a), b**b)
        claim.matrix.spend((int(value) * messages.numerator.bit_length() // 64) ** 2 // 64)
        return -(-bits_for_power(messages, int(value)) // b)
    if measure == "discrepancy":
        need(value > 0, "a discrepancy above 0")
        value = (1 - 2 * claim.error) / value
    power = 0 if measure != "gamma_2" else 1 if claim.measure == "quantum" else 2
    return bits_for((max(value, 0) * (1 - 2 * claim.error)) ** power if power else value)
