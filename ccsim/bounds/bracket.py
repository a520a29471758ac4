"""Brackets: a lower and an upper bound of a measure, what proves each, and the tree that a witness holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bits import Bits
from ccsim.certificates import Certificate, Value, Witness
from ccsim.certificates.verify.certificates import with_unit
from ccsim.engine.protocol import Protocol
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.function import TwoPartyFunction
from ccsim.relations import Relation

__all__ = ["Bracket", "Value", "Witness"]

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
        lower, upper: the bounds; ``upper`` is None where nothing is known.
        method: what settled each side, in a few words.
        lower_witness, upper_witness: plain data from which a checker derives each bound again; None for a
            side that is trivial (such as at least 0).
        parameters: what the claim needs besides the matrix (who knows the answer, a label, a distribution).
        unit: ``bits``, or what else the numbers count.
        seconds: how long it took.
        matrix: what it is a bound of, if the bracket came from :func:`ccsim.bounds.brackets_of`.
        relation: what it is a bracket of, if that is no function.
        function: the name and size of a function whose matrix that is, to keep certificates small.
    """

    measure: str
    lower: Value
    upper: Value | None
    method: str
    lower_witness: Witness | None = field(default=None, repr=False)
    upper_witness: Witness | None = field(default=None, repr=False)
    parameters: dict[str, Any] = field(default_factory=dict)
    unit: str = "bits"
    seconds: float = field(default=0.0, compare=False)
    matrix: CommunicationMatrix | None = field(default=None, repr=False)
    function: tuple[str, int] | None = field(default=None, repr=False)
    relation: Relation | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Whether both sides meet."""
        return self.upper is not None and self.lower == self.upper

    @property
    def name(self) -> str:
        """The measure with what tells it from its like, in words: a direction, a label, a field, an error.

        >>> Bracket("rank", 1, 2, "", parameters={"code": 1, "label": "yes", "field": "rational"}).name
        'rank (label yes, over the rationals)'
        """
        given = self.parameters
        told = [WORDS[key](value) for key, value in given.items() if key in WORDS and value is not None]
        return f"{self.measure} ({words})" if (words := ", ".join(filter(None, [self._label, *told]))) else self.measure

    @property
    def _label(self) -> str:
        """Of which label it is, if it is of one or of every one."""
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


Array = npt.NDArray[Any]


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
