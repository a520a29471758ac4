"""Terms of Coq for what claims and witnesses are made of: numbers, lists, masks of lines, measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from ccsim.certificates import verify
from ccsim.errors import InputError

__all__ = [
    "KNOWING",
    "NAMES",
    "SENDERS",
    "coin_tree_text",
    "list_text",
    "mask_of",
    "measure_text",
    "option_text",
    "pairs_text",
    "places_text",
    "rational_text",
    "relation_measure_text",
    "table_text",
    "tree_text",
    "truth_text",
]

NAMES = {
    "equality": "Equality",
    "disjointness": "Disjointness",
    "intersection": "Intersection",
    "greater-than": "GreaterThan",
    "inner-product": "InnerProduct",
    "index": "Index",
}
KNOWING = {"both": "Both", "alice": "AliceAlone", "bob": "BobAlone"}
SENDERS = {"alice-to-bob": "alice", "bob-to-alice": "bob"}


def pairs_text(pairs: Iterable[Iterable[int]]) -> str:
    """A list of pairs."""
    return list_text(f"({first}, {second})" for first, second in pairs)


def list_text(items: Iterable[object]) -> str:
    """A list."""
    return "[" + "; ".join(map(str, items)) + "]"


def rational_text(value: int | Fraction) -> str:
    """A fraction, of type Q."""
    exact = Fraction(value)
    above = f"({exact.numerator})" if exact < 0 else str(exact.numerator)
    return f"({above} # {exact.denominator})"


def option_text(value: object) -> str:
    """Some value, or None."""
    return "None" if value is None else f"(Some {value})"


def truth_text(value: bool) -> str:
    """A truth value."""
    return "true" if value else "false"


def _limit(rounds: int | None, first: str | None) -> str:
    return "None" if rounds is None else f"(Some ({rounds}%nat, {option_text(first)}))"


def table_text(weights: list[list[int]]) -> str:
    """A table of numbers, row by row."""
    return list_text(map(list_text, weights))


def _field(field: str) -> str:
    if field == "rational":
        return "RankRational"
    return f"RankModulo {verify.data.integer(verify.data.prime_of(field), 2, verify.data.MOST_PRIME)}"


MEASURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "deterministic": lambda p: f"(Deterministic {KNOWING[p['answer']]} {_limit(p['rounds'], p['first'])})",
    "leaves": lambda p: f"(Leaves {KNOWING[p['answer']]})",
    "fooling-set": lambda p: f"(FoolingSet {KNOWING[p['answer']]} {option_text(p['code'])})",
    "cover": lambda p: f"(Cover {option_text(p['code'])})",
    "partition": lambda p: f"(Partition {option_text(p['code'])})",
    "nondeterministic": lambda p: f"(Nondeterministic {option_text(p['code'])})",
    "one-way-messages": lambda p: f"(OneWayMessages {SENDERS[p['direction']]})",
    "one-way": lambda p: f"(OneWay {SENDERS[p['direction']]})",
    "vc-dimension": lambda p: f"(VcDimension {SENDERS[p['direction']]})",
    "rank": lambda p: f"({_field(p['field'])} {p['code']})",
    "discrepancy": lambda p: f"(Discrepancy {table_text(p['weights'])})",
    "rectangle": lambda p: f"(LargestRectangle {option_text(p['code'])} {table_text(p['weights'])})",
    "least-discrepancy": lambda p: "LeastDiscrepancy",
    "randomised": lambda p: f"(Randomised {rational_text(Fraction(p['error']))})",
    "one-way success": lambda p: f"(OneWaySuccess {SENDERS[p['direction']]} {p['bits']})",
    "one-way-randomised": lambda p: (
        f"(OneWayRandomised {SENDERS[p['direction']]} {rational_text(Fraction(p['error']))})"
    ),
    "rectangle-bound": lambda p: (
        f"(RectangleBound {p['code']} {rational_text(Fraction(p['error']))} {truth_text(p['smooth'])})"
    ),
    "partition-bound": lambda p: f"(PartitionBound {rational_text(Fraction(p['error']))})",
    "private-coins": lambda p: f"(PrivateCoins {rational_text(Fraction(p['error']))})",
    "public-coin success": lambda p: f"(Success {p['bits']})",
}


def measure_text(measure: str, parameters: dict[str, Any]) -> str:
    """The measure with its parameters; an ``InputError`` for one that Coq does not know."""
    about_all = measure == "rank" and parameters.get("code", 0) is None
    if measure not in MEASURES or about_all:
        raise InputError("--coq", measure, f"a claim on one of {', '.join(MEASURES)}, and not on all labels together")
    return MEASURES[measure](parameters)


def relation_measure_text(measure: str, parameters: dict[str, Any]) -> str:
    """Likewise for a measure of relations."""
    if measure not in ("deterministic", "leaves"):
        raise InputError("--coq", measure, "of a relation its deterministic complexity or its leaves")
    return (
        measure_text(measure, parameters)
        .replace("(Deterministic", "(RelationBits")
        .replace("(Leaves", "(RelationLeaves")
    )


def tree_text(tree: dict[str, Any]) -> str:
    """A protocol tree."""
    if "speaker" in tree:
        children = f"{tree_text(tree['zero'])} {tree_text(tree['one'])}"
        return f"(Node {tree['speaker']} {mask_of(tree['ones'])} {children})"
    if "answer" in tree:
        return f"(Leaf {tree['answer']})"
    return f"(LeafByLine {pairs_text(tree['answers'])})"


def coin_tree_text(tree: dict[str, Any]) -> tuple[str, int]:
    """A tree of private coins, and what 1 is in its units: what follows either message is told in the same."""
    if "speaker" not in tree:
        return f"(Says {tree['answer']})", 1
    (zero, unit), (one, other) = coin_tree_text(tree["zero"]), coin_tree_text(tree["one"])
    chances, both = [Fraction(text) for text in tree["chances"]], lcm(unit, other)
    scale = verify.data.common_scale(chances)
    ones = [verify.data.scaled(chance, scale) for chance in chances]
    weights = (((scale - weight) * (both // unit), weight * (both // other)) for weight in ones)
    return f"(Throws {tree['speaker']} {pairs_text(weights)} {zero} {one})", scale * both


def mask_of(value: Any) -> int:
    """The mask of some lines, which are given as a hexadecimal number or one by one."""
    return int(value, 16) if isinstance(value, str) else sum(1 << place for place in set(value))


def places_text(value: Any) -> str:
    """The lines of a mask, in a list."""
    mask = mask_of(value)
    return list_text(place for place in range(mask.bit_length()) if mask >> place & 1)
