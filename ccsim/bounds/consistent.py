"""Known inequalities between measures, used to tighten brackets.

A bound on one measure bounds others: a partition is a cover, and a protocol tree is a protocol that throws no coins.
Where a witness of one is also a witness of the other, it is carried over; nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import UNKNOWN, Bracket, Side, Value, logarithm_of
from ccsim.bounds.tree_search.tree import SPEAKERS, depth_of
from ccsim.certificates.verify.matrices import bits_for

MOST_TREE_CELLS = 1 << 16  # of a matrix whose messages become a tree
MOST_REPLY = 64  # bits, where the answers are not known


def _nothing(_: Bracket) -> Side:
    return UNKNOWN


@dataclass(frozen=True)
class AtLeast:
    """One measure is at least another one, or the bits that name one of as many things.

    Attributes:
        greater, lesser: two measures.
        where: parameters that must have these values, for both or for those that have them.
        same: parameters that both must share.
        count: what the lesser one's value says in the units of the greater one.
        below: what a lower bound on the lesser one, and its witness, prove of the greater one; None: nothing so.
        above: what an upper bound on the greater one proves of the lesser one.
        reply: whether the greater one is less by the bits of an answer, which its receiver sends.
    """

    greater: str
    lesser: str
    same: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    count: Callable[[Value], Value] = lambda value: value
    below: Callable[[Bracket], Side] = _nothing
    above: Callable[[Bracket], Side] = _nothing
    reply: bool = False

    def least(self, lesser: Bracket) -> Value:
        """What the lower side of the lesser one says of the greater one."""
        return max(0, self.count(lesser.lower) - (_reply(lesser) if self.reply else 0))

    def most(self, greater: Bracket) -> Value | None:
        """What the upper side of the greater one says of the lesser one, where nothing is counted."""
        return None if greater.upper is None else greater.upper + (_reply(greater) if self.reply else 0)

    def holds_of(self, greater: Bracket, lesser: Bracket) -> bool:
        first, second = greater.parameters, lesser.parameters
        if (greater.measure, lesser.measure) != (self.greater, self.lesser):
            return False
        wanted = all(given.get(name, value) == value for name, value in self.where for given in (first, second))
        return wanted and all(first.get(name) == second.get(name) for name in self.same)


def _reply(bracket: Bracket) -> int:
    return bits_for(len(bracket.matrix.labels)) if bracket.matrix is not None else MOST_REPLY


def _answered(message: Bracket, replying: bool) -> Side:
    """One message as a tree: whoever receives it knows the answer, and sends it back if both have to know it."""
    matrix, witness = message.matrix, message.upper_witness or {}
    classes = witness.get("of", {}).get("classes")
    if matrix is None or matrix.codes.size > MOST_TREE_CELLS or (classes is None and not witness.get("protocols")):
        return UNKNOWN
    turned = message.parameters["direction"] != "alice-to-bob"
    if classes is None:
        trees = [
            {
                "weight": one["weight"],
                "tree": _message_tree(one["messages"], np.array(one["answers"]), turned, replying),
            }
            for one in witness["protocols"]
        ]
        depth = max(depth_of(one["tree"]) for one in trees)
        return Side(depth, message.above.by, {"kind": "protocol-mixture", "trees": trees})
    names, numbers = np.unique(classes, return_inverse=True)
    codes = matrix.codes.T if turned else matrix.codes  # of lines with one message: undefined, or one answer
    answers = np.array([codes[numbers == number].max(axis=0) for number in range(len(names))]).clip(0)
    tree = _message_tree(numbers.tolist(), answers, turned, replying)
    return Side(depth_of(tree), message.above.by, {"kind": "protocol-tree", "tree": tree})


def _message_tree(messages: list[int], answers: npt.NDArray[Any], turned: bool, replying: bool) -> Any:
    """The tree of a message for each line of the sender, and for each message the answers of the receiver."""
    sender, receiver = SPEAKERS[::-1] if turned else SPEAKERS

    def sent(speaker: str, values: npt.NDArray[Any], bits: int, low: int, leaf: Callable[[int], Any]) -> Any:
        if not bits:
            return leaf(low)
        half = low + (1 << bits - 1)
        zero, one = (sent(speaker, values, bits - 1, start, leaf) for start in (low, half))
        return {"speaker": speaker, "ones": np.flatnonzero(values >= half).tolist(), "zero": zero, "one": one}

    def after(number: int) -> Any:
        told = answers[min(number, len(answers) - 1)]
        if not replying:
            return {"answers": [[line, code] for line, code in enumerate(told.tolist())]}
        return sent(receiver, told, bits_for(int(told.max()) + 1), 0, lambda code: {"answer": code})

    return sent(sender, np.array(messages), bits_for(len(answers)), 0, after)


def _with_a_reply(message: Bracket) -> Side:
    return _answered(message, True)


def _without_reply(message: Bracket) -> Side:
    return _answered(message, False)


def _less_a_reply(both: Bracket) -> Side:
    """What both must know costs a reply more than one message does."""
    names = ("answer", "rounds", "first") if both.measure == "deterministic" else ("answer", "coins")
    given = {name: both.parameters[name] for name in names}
    return Side(both.lower - _reply(both), both.below.by, logarithm_of(both.measure, both.lower_witness, **given))


below_of, above_of = attrgetter("below"), attrgetter("above")


def _of_any_rectangles(cover: Bracket) -> Side:
    """What says nothing of whether rectangles overlap."""
    overlapping = (cover.lower_witness or {}).get("kind") in ("lrat", "parts", "submatrix")
    return UNKNOWN if overlapping else cover.below


def _one_tree(certain: Bracket) -> Side:
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
    nodes, count = [witness["tree"]], 0
    while nodes:
        node = nodes.pop()
        nodes += [node["zero"], node["one"]] if "speaker" in node else []
        count += "speaker" not in node
    return Side(count, certain.above.by, witness)


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
    AtLeast("deterministic", "randomised", (), BOTH, above=_one_tree),
    AtLeast("randomised", "quantum", ("error",), above=above_of),
    AtLeast("deterministic", "quantum", (), BOTH, above=above_of),
    AtLeast("one-way", "one-way-randomised", ("direction",), above=above_of),
    AtLeast("nonnegative-rank", "cover", ("label",), below=_in_the_support),
    AtLeast("discrepancy", "least-discrepancy", above=_under_one_distribution),
    AtLeast("one-way-randomised", "randomised", ("error",), BOTH, reply=True, below=_less_a_reply, above=_with_a_reply),
    AtLeast("one-way", "deterministic", (), BOTH, reply=True, below=_less_a_reply, above=_with_a_reply),
    AtLeast("one-way", "deterministic", (), (*TO_BOB, *FREELY), above=_without_reply),
    AtLeast("one-way", "deterministic", (), (*TO_ALICE, *FREELY), above=_without_reply),
)
"""Each measure comes as the greater one before it comes as the lesser one.

Leaves divide the matrix into rectangles of one answer each; every rectangle has rank 1, and at most one cell of a
fooling set. Coins that nobody throws, or that all see, are no harm, nor are qubits that are used as bits. The least
discrepancy is that under the hardest distribution. Of one message its receiver knows the answer, on every promised
input; if both have to know it, the receiver sends it back.
"""


def consistent(brackets: Iterable[Bracket]) -> tuple[Bracket, ...]:
    """The brackets, each with what the others prove of it: from below in the order of the table, from above backwards.

    Of several of one measure, by several methods, it is the first; others keep to what their methods say.

    >>> cells = {"kind": "fooling-set", "cells": [[0, 0], [1, 1]]}
    >>> small = Bracket("fooling-set", Side(2, "search", cells), Side(2), {"code": 1, "answer": "both"}, "cells")
    >>> consistent([small, Bracket("cover", Side(1, "trivial"), Side(2, "lines"), {"code": 1})])[1].method
    'search | lines'
    """
    found = list(brackets)
    keys = [(one.measure, tuple(map(str, one.parameters.items()))) for one in found]
    main = [place for place, key in enumerate(keys) if keys.index(key) == place]
    for rule in AT_LEAST:
        for place in main:
            for lesser in found:
                greater = found[place]
                if rule.holds_of(greater, lesser) and lesser.lower_witness and rule.least(lesser) > greater.lower:
                    found[place] = greater.at_least(*rule.below(lesser))
    for rule in reversed(AT_LEAST):
        for place in main:
            for greater in found:
                lesser, most = found[place], rule.most(greater)
                better = most is not None and (lesser.upper is None or most < lesser.upper)
                if rule.holds_of(greater, lesser) and greater.upper_witness and better:
                    found[place] = lesser.at_most(*rule.above(greater))
    return tuple(found)
