"""Brackets: a lower and an upper bound of a measure, the witness of each, and known inequalities between measures.

A witness of one measure that is also one of another (a partition is a cover) is carried over; nothing is searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import partial, wraps
from importlib import import_module
from operator import attrgetter
from typing import Any, NamedTuple, ParamSpec

import numpy as np
import numpy.typing as npt

from ccsim.bits import Bits
from ccsim.certificates import Certificate
from ccsim.certificates import Value as Value
from ccsim.certificates import Witness as Witness
from ccsim.certificates.verify.certificates import with_unit
from ccsim.certificates.verify.claims import bits_for
from ccsim.engine.protocol import Protocol
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import Array, InputError, require_fraction
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.plain_data import printable
from ccsim.problems.function import TwoPartyFunction

P = ParamSpec("P")


class Open(Enum):
    """Why the sides of a bracket do not meet."""

    TIME = "out of time"
    REACH = "out of reach"
    STOPPED = "stopped"


class Side(NamedTuple):
    """A bound (None if unknown), its method, and a witness for the checker (None if the bound is trivial)."""

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
"""How a parameter is printed after the name of a measure."""


MOST_LABEL = 40  # signs


def short_label(label: object) -> str:
    """A label within a name: as it can be printed, and cut where it is long."""
    text = printable(str(label))
    return text if len(text) <= MOST_LABEL else f"{text[: MOST_LABEL - 1]}…"


NO_ERROR = {"error": "0/1", "smooth": False}
"""What makes a rectangle bound the fractional cover number."""


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

        >>> Bracket("cover", Side(2, "crown"), Side(4, "rows or columns"), open=Open.TIME).method
        'crown | rows or columns, out of time'
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
        """The measure with its parameters in words: a direction, a label, a field, an error.

        >>> Bracket("rank", Side(1), Side(2), parameters={"code": 1, "label": "yes", "field": "rational"}).name
        'rank (label yes, over the rationals)'
        """
        given, measure = self.parameters, self.measure
        if measure == "rectangle-bound" and given.items() >= NO_ERROR.items():
            given, measure = {name: given[name] for name in given if name not in NO_ERROR}, "fractional-cover"
        words = [WORDS[key](value) for key, value in given.items() if key in WORDS and value is not None]
        if "code" in given and given["code"] is None:
            words.insert(0, "every label")
        elif "label" in given:
            words.insert(0, f"label {short_label(given['label'])}")
        elif "code" in given:
            label = given["code"] if self.matrix is None else self.matrix.labels[given["code"]]
            words.insert(0, f"label {short_label(label)}")
        shown = ", ".join(filter(None, words))
        return f"{measure} ({shown})" if shown else measure

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

    def latex(self) -> str:
        r"""The statement in LaTeX, with value, theorem and references, and BibTeX entries for them as comments.

        The document needs ``\usepackage{amsmath}``. :func:`ccsim.bounds.bracket_table` makes a table of brackets.

        >>> print(*Bracket("cover", Side(2, "crown"), Side(2, "rectangles"), unit="rectangles").latex().split("\n")[:2])
        % cover = 2 rectangles For $f$, $C(f) = 2$ rectangles (at least: crown; at most: rectangles).
        """
        return str(import_module("ccsim.bounds.statements").statement(self))  # which imports this module

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
        return f"{self.name.partition(' (')[0]} {self.amount()} ({self.method})"

    def amount(self, between: str = "in [{}, {}]") -> str:
        """The value with its unit: ``= 1 bit``; or the two that it lies between."""
        upper = "?" if self.upper is None else self.upper
        return with_unit(f"= {self.lower}" if self.exact else between.format(self.lower, upper), self.unit)


def _plain(value: Value) -> int | str:
    return value if isinstance(value, int) else int(value) if value.denominator == 1 else str(value)


def best_of(old: Bracket, new: Bracket) -> Bracket:
    return new.at_least(*old.below).at_most(*old.above) if old.parameters == new.parameters else new


def together(sides: Iterable[Side]) -> Side:
    """The sides of several answers as one, their sum."""
    every = list(sides)
    present = [side for side in every if side.value]
    proved = {"kind": "parts", "parts": [side.witness for side in present]}
    total, by = sum(side.value or 0 for side in every), " and ".join(dict.fromkeys(side.by for side in every))
    return Side(total, by or "no cell", proved if all(side.witness for side in present) else None)


Finding = tuple[str, Value, str, Witness | None]
"""A side, ``lower`` or ``upper``, the value that is proved, by what, and the witness."""


def improved(best: Bracket, findings: Iterable[Finding | None]) -> Iterator[Bracket | None]:
    """The bracket, and what it becomes by each finding that is better, until it is exact; None at None."""
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


def as_text(value: Fraction | int) -> str:
    return f"{Fraction(value).numerator}/{Fraction(value).denominator}"


def require_error(error: Fraction | str | int, below: Fraction | int = Fraction(1, 2)) -> Fraction:
    """The error as a fraction, or an :class:`~ccsim.errors.InputError` unless it is at least 0 and below a bound."""
    allowed = require_fraction("error", error)
    if not 0 <= allowed < below:
        raise InputError("error", error, f"at least 0 and below {below}")
    return allowed


def coins_bound(by: str, error: Fraction, value: Value, measure: str, of: Witness | None, **given: Any) -> Bracket:
    """The bound on the bits of public-coin protocols: the logarithm of a value, rounded up; nothing from above."""
    below = Side(bits_for(value), by, logarithm_of(measure, of, **given)) if of else Side(0, "trivial")
    return Bracket("randomised", below, parameters={"answer": "both", "coins": "public", "error": as_text(error)})


def timed(bound: Callable[P, Bracket]) -> Callable[P, Bracket]:
    @wraps(bound)
    def watched(*args: P.args, **kwargs: P.kwargs) -> Bracket:
        start = time.monotonic()
        return replace(bound(*args, **kwargs), seconds=time.monotonic() - start)

    return watched


def in_bits(bracket: Bracket, measure: str) -> Bracket:
    """The logarithms of both sides, rounded up, as the bracket of another measure."""
    below, above = (
        Side(bits_for(side.value or 0), side.by, logarithm_of(bracket.measure, side.witness))
        for side in (bracket.below, bracket.above)
    )
    return replace(bracket, measure=measure, below=below, above=above, unit="bits")


def logarithm_of(measure: str, of: Witness | None, **given: Any) -> Witness | None:
    return {"kind": "bits-of", "measure": measure, "given": given, "of": of} if of else None


SPEAKERS = ("alice", "bob")

Tree = dict[str, Any]
"""A protocol tree as plain data, as witnesses have it.

Either a leaf, ``{"answer": code}``, or a node ``{"speaker": "alice" | "bob", "ones": [inputs], "zero": tree, "one":
tree}``: the speaker sends 1 if its input is in ``ones``. Where only one party must know the answer, a leaf may carry
``{"answers": [[input, code], ...]}``, one answer per input of that party.
"""


def depth_of(tree: Tree) -> int:
    if "speaker" not in tree:
        return 0
    return 1 + max(depth_of(tree["zero"]), depth_of(tree["one"]))


def leaves_of(tree: Tree) -> int:
    return leaves_of(tree["zero"]) + leaves_of(tree["one"]) if "speaker" in tree else 1


def protocol_tree(matrix: CommunicationMatrix, answer: str, tree: dict[str, Any]) -> ProtocolTree:
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
        ones = np.isin(sets[speaker], data["ones"])
        turn = rounds + (before != speaker)
        todo += [
            (data[name], {**sets, speaker: sets[speaker][inputs]}, bits + 1, turn, speaker, len(nodes) - 1)
            for name, inputs in (("one", ones), ("zero", ~ones))
        ]
    return ProtocolTree(function, knowing, tuple(nodes))


def _answers(leaf: dict[str, Any], rows: Array) -> Array | int:
    if "answer" in leaf:
        return int(leaf["answer"])
    codes = dict(leaf["answers"])
    return np.array([codes.get(row, -1) for row in rows.tolist()])


MOST_REPLIES = 1 << 16  # to messages that become a tree
MOST_REPLY = 64  # bits, where the answers are not known


@dataclass(frozen=True)
class AtLeast:
    """The measure ``greater`` is at least ``lesser``, or its logarithm (``count``), if they share parameters ``same``.

    Those of ``where`` must have these values, if present. ``below`` and ``above`` are the sides that one takes from the
    other. With ``reply`` the greater one is less by the bits of an answer, which its receiver sends.
    """

    greater: str
    lesser: str
    same: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    count: Callable[[Value], Value] = lambda value: value
    below: Callable[[Bracket], Side] = lambda _: UNKNOWN
    above: Callable[[Bracket], Side] = lambda _: UNKNOWN
    reply: bool = False

    def least(self, lesser: Bracket) -> Value:
        return max(0, self.count(lesser.lower) - (_reply(lesser) if self.reply else 0))

    def most(self, greater: Bracket) -> Value | None:
        return None if greater.upper is None else greater.upper + (_reply(greater) if self.reply else 0)

    def holds_of(self, greater: Bracket, lesser: Bracket) -> bool:
        first, second = greater.parameters, lesser.parameters
        if (greater.measure, lesser.measure) != (self.greater, self.lesser):
            return False
        wanted = all(given.get(name, value) == value for name, value in self.where for given in (first, second))
        return wanted and all(first.get(name) == second.get(name) for name in self.same)


def _reply(bracket: Bracket) -> int:
    return bits_for(len(bracket.matrix.labels)) if bracket.matrix is not None else MOST_REPLY


def message_protocol(message: Bracket, replying: bool = False) -> Side:
    """One message as a tree: its receiver knows the answer, and sends it back if both have to know it."""
    matrix, witness = message.matrix, message.upper_witness or {}
    classes = witness.get("of", {}).get("classes")
    turned = message.parameters["direction"] != "alice-to-bob"
    messages = len(set(classes or ())) or sum(len(one["answers"]) for one in witness.get("protocols", ()))
    if matrix is None or not 0 < messages * matrix.shape[0 if turned else 1] <= MOST_REPLIES:
        return UNKNOWN
    if classes is None:
        mixture = [(one["weight"], one["messages"], np.array(one["answers"])) for one in witness["protocols"]]
        trees = [
            {"weight": weight, "tree": _message_tree(sent, answers, turned, replying)}
            for weight, sent, answers in mixture
        ]
        depth = max(depth_of(one["tree"]) for one in trees)
        return Side(depth, message.above.by, {"kind": "protocol-mixture", "trees": trees})
    names, numbers = np.unique(classes, return_inverse=True)
    codes = matrix.codes.T if turned else matrix.codes  # with one message, undefined or one answer
    answers = np.array([codes[numbers == number].max(axis=0) for number in range(len(names))]).clip(0)
    tree = _message_tree(numbers.tolist(), answers, turned, replying)
    return Side(depth_of(tree), message.above.by, {"kind": "protocol-tree", "tree": tree})


def _message_tree(messages: list[int], answers: npt.NDArray[Any], turned: bool, replying: bool) -> Any:
    sender, receiver = SPEAKERS[::-1] if turned else SPEAKERS

    def sent(speaker: str, values: npt.NDArray[Any], bits: int, low: int, leaf: Callable[[int], Any]) -> Any:
        if not bits:
            return leaf(low)
        half = low + (1 << bits - 1)
        zero, one = (sent(speaker, values, bits - 1, start, leaf) for start in (low, half))
        return {"speaker": speaker, "ones": np.flatnonzero(values >= half).tolist(), "zero": zero, "one": one}

    def after(number: int) -> Any:
        own = answers[min(number, len(answers) - 1)]
        if not replying:
            return {"answers": [[place, code] for place, code in enumerate(own.tolist())]}
        return sent(receiver, own, bits_for(int(own.max()) + 1), 0, lambda code: {"answer": code})

    return sent(sender, np.array(messages), bits_for(len(answers)), 0, after)


def _less_a_reply(both: Bracket) -> Side:
    """If both must know the answer, a reply more than one message is enough."""
    names = ("answer", "rounds", "first") if both.measure == "deterministic" else ("answer", "coins")
    given = {name: both.parameters[name] for name in names}
    return Side(both.lower - _reply(both), both.below.by, logarithm_of(both.measure, both.lower_witness, **given))


below_of, above_of, answered = attrgetter("below"), attrgetter("above"), partial(message_protocol, replying=True)


def _of_any_rectangles(cover: Bracket) -> Side:
    """Lower bounds that hold whether or not rectangles overlap."""
    overlapping = (cover.lower_witness or {}).get("kind") in ("lrat", "parts", "submatrix")
    return UNKNOWN if overlapping else cover.below


def one_tree(certain: Bracket) -> Side:
    """A deterministic protocol, as one that throws no coins."""
    trees = [{"weight": "1/1", "tree": (certain.upper_witness or {}).get("tree")}]
    return certain.above._replace(witness={"kind": "protocol-mixture", "trees": trees})


def _leaves_of_answers(partition: Bracket) -> Side:
    """A partition of every answer has a part for each, or is bounded by a fooling set: so are leaves."""
    known = (partition.lower_witness or {}).get("kind") in ("parts", "fooling-set")
    return partition.below if known else UNKNOWN


def _bits_of_leaves(leaves: Bracket) -> Side:
    return Side(bits_for(leaves.lower), leaves.below.by, logarithm_of("leaves", leaves.lower_witness))


def _bits_of_answers(partition: Bracket) -> Side:
    return _bits_of_leaves(partition) if _leaves_of_answers(partition).witness else UNKNOWN


def _in_the_support(cover: Bracket) -> Side:
    return cover.below._replace(witness={"kind": "support", "of": cover.lower_witness})


def _leaves_of_the_tree(certain: Bracket) -> Side:
    witness = certain.upper_witness or {}
    if witness.get("kind") != "protocol-tree":
        return UNKNOWN
    return Side(leaves_of(witness["tree"]), certain.above.by, witness)


def _under_one_distribution(uniform: Bracket) -> Side:
    weights = uniform.parameters.get("weights")
    return uniform.above._replace(witness={"kind": "distribution", "weights": weights, "of": uniform.upper_witness})


FREELY = (("rounds", None), ("first", None))
BOTH = (("answer", "both"), *FREELY)
TO_BOB = (("answer", "bob"), ("direction", "alice-to-bob"))
TO_ALICE = (("answer", "alice"), ("direction", "bob-to-alice"))

AT_LEAST: tuple[AtLeast, ...] = (
    AtLeast("cover", "fooling-set", ("code",), BOTH, below=below_of),
    AtLeast("partition", "rank", ("code",), below=below_of),
    AtLeast("partition", "cover", ("code",), below=_of_any_rectangles, above=above_of),
    AtLeast("leaves", "fooling-set", ("answer",), (("code", None),), below=below_of),
    AtLeast("leaves", "partition", (), (("code", None), *BOTH), below=_leaves_of_answers),
    AtLeast("deterministic", "leaves", ("answer",), (), bits_for, _bits_of_leaves, _leaves_of_the_tree),
    AtLeast("deterministic", "partition", (), (("code", None), *BOTH), bits_for, _bits_of_answers),
    AtLeast("deterministic", "randomised", (), BOTH, above=one_tree),
    AtLeast("randomised", "quantum", ("error",), above=above_of),
    AtLeast("deterministic", "quantum", (), BOTH, above=above_of),
    AtLeast("one-way", "one-way-randomised", ("direction",), above=above_of),
    AtLeast("nonnegative-rank", "cover", ("label",), below=_in_the_support),
    AtLeast("discrepancy", "least-discrepancy", above=_under_one_distribution),
    AtLeast("one-way-randomised", "randomised", ("error",), BOTH, below=_less_a_reply, above=answered, reply=True),
    AtLeast("one-way", "deterministic", (), BOTH, below=_less_a_reply, above=answered, reply=True),
    AtLeast("one-way", "deterministic", (), (*TO_BOB, *FREELY), above=message_protocol),
    AtLeast("one-way", "deterministic", (), (*TO_ALICE, *FREELY), above=message_protocol),
)
"""Each measure is the greater one of a pair before it is the lesser one of another.

Leaves divide the matrix into monochromatic rectangles; each has rank 1, and at most one cell of a
fooling set. A deterministic protocol is one with coins, and with qubits. The least discrepancy is that under the
hardest distribution. After one message its receiver knows the answer; if both have to know it, the receiver sends it
back.
"""


def consistent(brackets: Iterable[Bracket]) -> tuple[Bracket, ...]:
    """The brackets, each tightened by the others: from below in the order of the table, from above backwards.

    Of several brackets of one measure only the first is tightened.
    """
    tight = list(brackets)
    keys = [(one.measure, tuple(map(str, one.parameters.items()))) for one in tight]
    main = [place for place, key in enumerate(keys) if keys.index(key) == place]
    for rule in AT_LEAST:
        for place in main:
            for lesser in tight:
                greater = tight[place]
                if rule.holds_of(greater, lesser) and lesser.lower_witness and rule.least(lesser) > greater.lower:
                    tight[place] = greater.at_least(*rule.below(lesser))
    for rule in reversed(AT_LEAST):
        for place in main:
            for greater in tight:
                lesser, most = tight[place], rule.most(greater)
                better = most is not None and (lesser.upper is None or most < lesser.upper)
                if rule.holds_of(greater, lesser) and greater.upper_witness and better:
                    tight[place] = lesser.at_most(*rule.above(greater))
    return tuple(tight)
