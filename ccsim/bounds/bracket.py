"""Brackets: a lower and an upper bound of a measure, the witness of each, and the protocol tree in a witness."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import numpy as np

from ccsim.bits import Bits
from ccsim.bounds.rationals import as_text, bits_for
from ccsim.certificates import Certificate
from ccsim.certificates import Value as Value
from ccsim.certificates import Witness as Witness
from ccsim.certificates.verify.certificates import with_unit
from ccsim.engine.protocol import Protocol
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import Array, InputError
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.problems.function import TwoPartyFunction

P = ParamSpec("P")


class Open(Enum):
    """Why the sides of a bracket do not meet."""

    TIME = "out of time"
    REACH = "out of reach"
    STOPPED = "stopped"


class Side(NamedTuple):
    """A bound, what proved it in a few words, and plain data from which a checker derives it again.

    The value is None where nothing is known, the witness where the bound is trivial.
    """

    value: Value | None = None
    by: str = ""
    witness: Witness | None = None


UNKNOWN = Side()

WORDS: dict[str, Callable[[Any], str]] = {
    "answer": lambda party: "" if party == "both" else f"{party.capitalize()} must know",
    "rounds": lambda rounds: "one round" if rounds == 1 else f"{rounds} rounds",
    "first": lambda party: f"{party.capitalize()} opens",
    "direction": lambda direction: "from {} to {}".format(*direction.title().split("-To-")),
    "field": lambda field: "over the rationals" if field == "rational" else f"over {field}",
    "error": lambda error: f"error {error}",
    "bits": lambda bits: "one bit" if bits == 1 else f"{bits} bits",
    "cost": lambda cost: f"{cost} cost",
    "prior": lambda prior: f"prior {', '.join(map(str, prior))}",
    "alpha": lambda alpha: f"alpha {alpha}",
}
"""What parameters say beside a measure."""


@dataclass(frozen=True, eq=False)
class Bracket:
    """A measure of a communication matrix lies between ``lower`` and ``upper``, both proved.

    Attributes:
        measure: what is bounded.
        below, above: both sides.
        parameters: what the claim needs besides the matrix (who knows the answer, a label, a distribution).
        unit: ``bits``, or what else the numbers count.
        seconds: how long it took.
        open: why the sides do not meet, if that is known.
        matrix: what it is a bound of, if the bracket came from :func:`ccsim.bounds.brackets_of`.
        relation: what it is a bracket of, if that is no function.
        function: the name and size of a function whose matrix that is, to keep certificates small.
    """

    measure: str
    below: Side
    above: Side = UNKNOWN
    parameters: dict[str, Any] = field(default_factory=dict)
    unit: str = "bits"
    seconds: float = field(default=0.0, compare=False)
    open: Open | None = None
    matrix: CommunicationMatrix | None = field(default=None, repr=False)
    function: tuple[str, int] | None = field(default=None, repr=False)
    relation: Relation | None = field(default=None, repr=False)

    @property
    def lower(self) -> Value:
        """At least so much."""
        return self.below.value or 0

    @property
    def upper(self) -> Value | None:
        """At most so much; None where nothing is known."""
        return self.above.value

    @property
    def lower_witness(self) -> Witness | None:
        """What proves the lower side."""
        return self.below.witness

    @property
    def upper_witness(self) -> Witness | None:
        """What proves the upper side."""
        return self.above.witness

    @property
    def method(self) -> str:
        """What proved each side, and why they do not meet.

        >>> Bracket("cover", Side(2, "crown"), Side(4, "lines"), open=Open.TIME).method
        'crown | lines, out of time'
        """
        names = " | ".join(dict.fromkeys(side.by for side in (self.below, self.above) if side.by))
        return names if self.open is None or self.exact else f"{names}, {self.open.value}"

    def at_least(self, value: Value | None, by: str, witness: Witness | None) -> Bracket:
        """The bracket with this lower side, if it is better, or as good and proved."""
        better = value is not None and (value, bool(witness)) > (self.lower, bool(self.lower_witness))
        return replace(self, below=Side(value, by, witness)) if better else self

    def at_most(self, value: Value | None, by: str, witness: Witness | None) -> Bracket:
        """The bracket with this upper side, if it is better, or as good and proved."""
        known = self.upper, not self.upper_witness
        better = value is not None and (known[0] is None or (value, not witness) < known)
        return replace(self, above=Side(value, by, witness)) if better else self

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.upper is not None and self.lower == self.upper

    @property
    def name(self) -> str:
        """The measure with what tells it from its like, in words: a direction, a label, a field, an error.

        >>> Bracket("rank", Side(1), Side(2), parameters={"code": 1, "label": "yes", "field": "rational"}).name
        'rank (label yes, over the rationals)'
        """
        given = self.parameters
        told = [WORDS[key](value) for key, value in given.items() if key in WORDS and value is not None]
        return f"{self.measure} ({words})" if (words := ", ".join(filter(None, [self._label, *told]))) else self.measure

    @property
    def _label(self) -> str:
        given = self.parameters
        if "code" in given and given["code"] is None:
            return "every label"
        if "label" in given:
            return f"label {given['label']}"
        if "code" in given:
            return f"label {self.matrix.labels[given['code']] if self.matrix is not None else given['code']}"
        return ""

    @property
    def certificate(self) -> Certificate:
        """Both sides in the form that ``ccsim verify`` checks; save it with ``.save(path)``."""
        return Certificate.from_bracket(self, self.matrix, self.function, self.relation)

    @property
    def protocol_tree(self) -> ProtocolTree:
        """The protocol that proves the upper side of a deterministic bracket, as a tree."""
        witness = self.upper_witness or {}
        if witness.get("kind") != "protocol-tree" or self.matrix is None:
            raise InputError("bracket", self.measure, "of a function, with an upper side that a protocol tree proves")
        return protocol_tree(self.matrix, str(self.parameters.get("answer", "both")), witness["tree"])

    @property
    def protocol(self) -> Protocol:
        """That protocol, to be run and explored."""
        return Protocol.of_tree(self.protocol_tree)

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data, without the witnesses."""
        return {
            "measure": self.measure,
            "parameters": self.parameters,
            "lower": _plain(self.lower),
            "upper": None if self.upper is None else _plain(self.upper),
            "exact": self.exact,
            "unit": self.unit,
            "method": self.method,
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        return f"{self.measure} {self.amount()} ({self.method})"

    def amount(self, between: str = "in [{}, {}]") -> str:
        """The value with its unit: ``= 1 bit``; or the two that it lies between."""
        upper = "?" if self.upper is None else self.upper
        return with_unit(f"= {self.lower}" if self.exact else between.format(self.lower, upper), self.unit)


def _plain(value: Value) -> int | str:
    return value if isinstance(value, int) else int(value) if value.denominator == 1 else str(value)


def best_of(old: Bracket, new: Bracket) -> Bracket:
    """The new bracket, with a side of the old one where that is better, as it may be after a new start.

    >>> late = Bracket("randomised", Side(1, "discrepancy"), Side(3, "naming a line"), open=Open.TIME)
    >>> best_of(Bracket("randomised", Side(3, "gamma_2")), late).method
    'gamma_2 | naming a line'
    """
    return new.at_least(*old.below).at_most(*old.above) if old.parameters == new.parameters else new


def together(sides: Iterable[Side]) -> Side:
    """The sides of several answers as one: what is counted of different answers is different."""
    every = list(sides)
    present = [side for side in every if side.value]
    proved = {"kind": "parts", "parts": [side.witness for side in present]}
    total, by = sum(side.value or 0 for side in every), " and ".join(dict.fromkeys(side.by for side in every))
    return Side(total, by or "no cell", proved if all(side.witness for side in present) else None)


Finding = tuple[str, Value, str, Witness | None]
"""A side, ``lower`` or ``upper``, the value that is proved, by what, and the witness."""


def improved(best: Bracket, findings: Iterable[Finding | None]) -> Iterator[Bracket | None]:
    """The bracket, and what it becomes by each finding that is better, until it is exact; None at None.

    >>> trivial = Bracket("sign-rank", Side(0, "trivial"), Side(4, "lines"), unit="")
    >>> found = [("upper", 5, "worse", {}), ("lower", 3, "forster", {}), ("upper", 3, "factors", {})]
    >>> [str(one) for one in improved(trivial, found)][1:]
    ['sign-rank in [3, 4] (forster | lines)', 'sign-rank = 3 (forster | factors)']
    """
    yield best
    for finding in () if best.exact else findings:
        if finding is None:
            yield None
            continue
        side, value, by, witness = finding
        before, best = best, (best.at_least if side == "lower" else best.at_most)(value, by, witness)
        if best is not before:
            yield best
        if best.exact:
            return


def last_of(brackets: Iterable[Bracket | None]) -> Bracket:
    *_, best = filter(None, brackets)
    return best


def coins_bound(by: str, error: Fraction, value: Value, measure: str, of: Witness | None, **given: Any) -> Bracket:
    """What a bound says of the bits of protocols with public coins: its logarithm, rounded up; nothing from above."""
    below = Side(bits_for(value), by, logarithm_of(measure, of, **given)) if of else Side(0, "trivial")
    return Bracket("randomised", below, parameters={"answer": "both", "coins": "public", "error": as_text(error)})


def timed(bound: Callable[P, Bracket]) -> Callable[P, Bracket]:
    @wraps(bound)
    def watched(*args: P.args, **kwargs: P.kwargs) -> Bracket:
        start = time.monotonic()
        return replace(bound(*args, **kwargs), seconds=time.monotonic() - start)

    return watched


def logarithm_of(measure: str, of: Witness | None, **given: Any) -> Witness | None:
    return {"kind": "bits-of", "measure": measure, "given": given, "of": of} if of else None


def protocol_tree(matrix: CommunicationMatrix, answer: str, tree: dict[str, Any]) -> ProtocolTree:
    """The engine's tree of a witness: each party holds the number of its line.

    >>> matrix = CommunicationMatrix.from_array([[0, 1], [0, 1]])
    >>> tree = {"speaker": "bob", "ones": [1], "zero": {"answer": 0}, "one": {"answer": 1}}
    >>> from ccsim.engine import Protocol
    >>> Protocol.of_tree(protocol_tree(matrix, "both", tree)).explore().worst_bits
    1
    """
    function = TwoPartyFunction.from_matrix(matrix)
    knowing = ("alice", "bob") if answer == "both" else (answer,)
    sets = {"alice": np.arange(matrix.shape[0]), "bob": np.arange(matrix.shape[1])}
    nodes: list[Node] = []
    todo: list[tuple[dict[str, Any], dict[str, Array], int, int, str | None, int]] = [(tree, sets, 0, 0, None, 0)]
    while todo:
        data, sets, bits, rounds, before, parent = todo.pop()
        nodes.append(Node(sets, bits, rounds))
        if len(nodes) > 1:
            nodes[parent].children += (len(nodes) - 1,)
        if "speaker" not in data:
            nodes[-1].answers = {role: _answers(data, sets[role]) for role in knowing}
            continue
        speaker = data["speaker"]
        nodes[-1].speaker, nodes[-1].messages = speaker, (Bits("0"), Bits("1"))
        says_one = np.isin(sets[speaker], data["ones"])
        turn = rounds + (before != speaker)
        todo += [
            (data[name], {**sets, speaker: sets[speaker][said]}, bits + 1, turn, speaker, len(nodes) - 1)
            for name, said in (("one", says_one), ("zero", ~says_one))
        ]
    return ProtocolTree(function, knowing, tuple(nodes))


def _answers(leaf: dict[str, Any], lines: Array) -> Array | int:
    if "answer" in leaf:
        return int(leaf["answer"])
    codes = dict(leaf["answers"])
    return np.array([codes.get(line, -1) for line in lines.tolist()])
