"""Trees made from trees: binary form, the balancing lemma, and composition.

All three work on *shapes*: binary trees of splits without inputs attached. A shape becomes a protocol tree by
sending the inputs down it, and splits that no longer divide anything disappear on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from ccsim.bits import Bits
from ccsim.engine.tree import Node, ProtocolTree
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction

Sets = Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class Split:
    """A party says whether its input is in ``ones`` (a mask over all its inputs)."""

    speaker: str
    ones: Array
    label: str
    zero: Shape
    one: Shape
    leaves: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "leaves", self.zero.leaves + self.one.leaves)


@dataclass(frozen=True, eq=False)
class Leaf:
    """The end, with an answer code."""

    answer: int
    leaves: int = 1


Shape = Split | Leaf


def binary(tree: ProtocolTree) -> ProtocolTree:
    """The same protocol with one bit a message; messages that say nothing are left out.

    Never deeper than the tree. Needs leaves on whose answer all agree.
    """
    return _grow(tree.function, tree.knowing, _shape(tree))


def balanced(tree: ProtocolTree) -> ProtocolTree:
    """A protocol for the same function of depth at most 2 log_{3/2}(leaves), for two parties.

    A tree of l > 1 leaves has a node with between l/3 and 2l/3 leaves below it. Alice and Bob each say
    whether their input is one that reaches it; then at most 2l/3 leaves are left, below the node or without it.
    ``l`` counts the leaves of the tree in binary form (Kushilevitz and Nisan 1997, lemma 2.8).

    >>> from ccsim.engine import Protocol
    >>> from ccsim.problems import equality
    >>> from protocols.classical import trivial
    >>> tree = trivial(equality(3)).explore().tree
    >>> Protocol.of_tree(balanced(tree)).explore().correct
    True
    """
    if len(tree.function.parties) != 2:
        raise InputError("tree", tree.function.parties, "a tree of two parties")
    return _grow(tree.function, tree.knowing, _shape(tree), rebalance=True)


def composed(
    first: ProtocolTree,
    second: ProtocolTree,
    combine: Callable[[Any, Any], Hashable],
    answers: tuple[Hashable, ...] = (0, 1),
    name: str | None = None,
) -> ProtocolTree:
    """Run ``first``, then ``second`` on the same inputs; the answer is ``combine`` of both answers.

    The worst case is at most the sum of both.

    >>> from ccsim.problems import disjointness, equality
    >>> from protocols.classical import trivial
    >>> one, two = (trivial(f).explore().tree for f in (equality(2), disjointness(2)))
    >>> composed(one, two, lambda a, b: a & b).depth <= one.depth + two.depth
    True
    """
    f, g = first.function, second.function
    if f.inputs != g.inputs or f.parties != g.parties or first.knowing != second.knowing:
        raise InputError("trees", (f.name, g.name), "the same inputs, parties, and who knows the answer")
    table = {
        (a, b): answers.index(combine(f.answers[a], g.answers[b]))
        for a in range(len(f.answers))
        for b in range(len(g.answers))
    }
    after = cache(lambda a: _shape(second, lambda b: Leaf(table.get((a, b), DONT_CARE))))
    codes = np.vectorize(lambda a, b: table.get((int(a), int(b)), DONT_CARE), otypes=[np.int64])

    def evaluate(*rows: Array) -> Array:
        return np.asarray(codes(f.evaluate(*rows), g.evaluate(*rows)))

    kind = TwoPartyFunction if len(f.parties) == 2 else MultipartyFunction
    function = kind(name or f"{f.name} with {g.name}", f.inputs, answers, evaluate, f.parties)
    return _grow(function, first.knowing, _shape(first, after))


def _shape(tree: ProtocolTree, leaf: Callable[[int], Shape] = Leaf) -> Shape:
    """The binary shape of a tree, built from its last node to its first (children come after their parents).

    What stands at each leaf is made from its answer code.
    """
    shapes: dict[int, Shape] = {}
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.speaker is None:
            if node.code is None:
                raise InputError("tree", f"leaf {number}", "leaves on whose answer all agree, whatever their input")
            shapes[number] = leaf(node.code)
        else:
            size = tree.function.shape[tree.function.parties.index(node.speaker)]
            options = [
                (str(message), tree.nodes[child].sets[node.speaker], shapes.pop(child))
                for message, child in zip(node.messages, node.children, strict=True)
            ]
            shapes[number] = _bit_by_bit(node.speaker, node.label, size, options)
    return shapes[0]


Option = tuple[str, Array, Shape]  # a message, the inputs that send it, and what follows


def _bit_by_bit(speaker: str, label: str, size: int, options: list[Option]) -> Shape:
    """Splits on one bit of the message after the other; a bit that is always the same is not sent."""
    done: list[Shape] = []
    todo: list[tuple[list[Option], int, Array | None]] = [(options, 0, None)]
    while todo:
        options, place, mask = todo.pop()
        if mask is not None:  # both halves are done
            one, zero = done.pop(), done.pop()
            done.append(Split(speaker, mask, label, zero, one))
            continue
        if len(options) == 1:
            done.append(options[0][2])
            continue
        zeros = [option for option in options if option[0][place] == "0"]
        ones = [option for option in options if option[0][place] == "1"]
        if not zeros or not ones:
            todo.append((options, place + 1, None))
            continue
        mask = np.zeros(size, dtype=bool)
        for _, inputs, _ in ones:
            mask[inputs] = True
        todo += [([], 0, mask), (ones, place + 1, None), (zeros, place + 1, None)]
    return done[0]


@dataclass(frozen=True, eq=False)
class Growth:
    """A node to be made: its shape, its inputs, and where it hangs."""

    shape: Shape
    sets: Sets
    bits: int
    rounds: int
    parent: int
    before: str | None


def _grow(
    function: MultipartyFunction,
    knowing: tuple[str, ...],
    shape: Shape,
    *,
    rebalance: bool = False,
) -> ProtocolTree:
    """Send the inputs down a shape; with ``rebalance``, ask first about a node in its middle."""
    sets = {party: np.arange(size) for party, size in zip(function.parties, function.shape, strict=True)}
    nodes: list[Node] = []
    todo = [Growth(shape, sets, 0, 0, 0, None)]
    while todo:
        item = todo.pop()
        number = len(nodes)
        split = _middle_split(item.shape, item.sets) if rebalance else _real_split(item.shape, item.sets)
        nodes.append(Node(item.sets, item.bits, item.rounds))
        if number:
            nodes[item.parent].children += (number,)
        if isinstance(split, Leaf):
            nodes[-1].answers = dict.fromkeys(knowing, split.answer)
            continue
        nodes[-1].speaker, nodes[-1].label = split.speaker, split.label
        nodes[-1].messages = (Bits("0"), Bits("1"))
        own = item.sets[split.speaker]
        turn = item.rounds + (item.before != split.speaker)
        todo += [
            Growth(below, {**item.sets, split.speaker: part}, item.bits + 1, turn, number, split.speaker)
            for below, part in ((split.one, own[split.ones[own]]), (split.zero, own[~split.ones[own]]))
        ]
    return ProtocolTree(function, knowing, tuple(nodes))


def _real_split(shape: Shape, sets: Sets) -> Shape:
    while isinstance(shape, Split):
        said = shape.ones[sets[shape.speaker]]
        if said.any() and not said.all():
            return shape
        shape = shape.one if said.all() else shape.zero
    return shape


def _middle_split(shape: Shape, sets: Sets) -> Shape:
    while True:
        shape = _real_split(shape, sets)
        if isinstance(shape, Leaf):
            return shape
        path = _path_to_middle(shape)
        last, bit = path[-1]
        node, rest = last.one if bit else last.zero, _without(path)
        masks = _reaching(path, sets)
        inside = {party: masks[party][own] for party, own in sets.items()}
        if not all(mask.any() for mask in inside.values()):
            shape = rest
        elif all(mask.all() for mask in inside.values()):
            shape = node
        else:
            for party in reversed(masks):
                if not inside[party].all():  # else it is certain, and the party says nothing
                    node = Split(party, masks[party], "in the middle?", rest, node)
            return node


def _path_to_middle(shape: Split) -> list[tuple[Split, bool]]:
    path: list[tuple[Split, bool]] = []
    node: Shape = shape
    while 3 * node.leaves > 2 * shape.leaves:
        assert isinstance(node, Split)
        bit = node.one.leaves >= node.zero.leaves
        path.append((node, bit))
        node = node.one if bit else node.zero
    return path


def _without(path: list[tuple[Split, bool]]) -> Shape:
    """The shape without the node at the end of the path: its sibling takes its parent's place."""
    *above, (last, bit) = path
    shape = last.zero if bit else last.one
    for split, step in reversed(above):
        zero, one = (split.zero, shape) if step else (shape, split.one)
        shape = Split(split.speaker, split.ones, split.label, zero, one)
    return shape


def _reaching(path: list[tuple[Split, bool]], sets: Sets) -> dict[str, Array]:
    masks: dict[str, Array] = {}
    for party, own in sets.items():
        size = max((len(split.ones) for split, _ in path if split.speaker == party), default=int(own.max()) + 1)
        masks[party] = np.ones(size, dtype=bool)
    for split, bit in path:
        masks[split.speaker] &= split.ones if bit else ~split.ones
    return masks
