"""Protocols with private coins as trees: at each node the speaker sends 1 with a chance that its input has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.rationals import as_text

__all__ = ["Chances", "PrivateTree", "Shape", "message_tree", "one_message", "right_answers", "shapes"]

Array = npt.NDArray[Any]
Chances = list[list[Fraction]]
"""For each node of a party, in order, and each of its lines, the chance of sending 1."""

Mixed = dict[int, Fraction]
"""Messages, or labels, with their chances."""

MIXED = 12  # shapes where the speaker depends on what was said
PARTIES = ("alice", "bob")


@dataclass(frozen=True)
class Shape:
    """A full binary tree: node v has the children 2v + 1, after a 0, and 2v + 2.

    Attributes:
        speakers: 0 for Alice, 1 for Bob, node by node.
        answers: of the leaves, from left to right.
    """

    speakers: tuple[int, ...]
    answers: tuple[int, ...]

    def turns(self, party: int, bit: int) -> Array:
        """For each node of a party and each leaf: whether the way to the leaf goes on from the node with this bit.

        >>> Shape((0, 1, 1), (0, 1, 0, 1)).turns(0, 1).tolist()
        [[False, False, True, True]]
        """
        bits = len(self.answers).bit_length() - 1
        found = np.zeros((len(self.speakers), len(self.answers)), dtype=bool)
        for leaf in range(len(self.answers)):
            node = 0
            for level in range(bits - 1, -1, -1):
                said = leaf >> level & 1
                found[node, leaf] = said == bit
                node = 2 * node + 1 + said
        return np.asarray(found[np.array(self.speakers) == party])


def shapes(bits: int, labels: int, generator: np.random.Generator) -> Iterator[Shape]:
    """Trees where the speaker depends on the time alone, few changes first; then some where it depends on the talk.

    >>> [shape.speakers for shape in shapes(2, 2, np.random.default_rng(0))]
    [(0, 1, 1), (1, 0, 0)]
    """
    orders = sorted(product((0, 1), repeat=bits), key=lambda order: sum(a != b for a, b in pairwise(order)))
    for order in orders:
        if len(set(order)) == 2:
            yield Shape(tuple(np.repeat(order, 1 << np.arange(bits)).tolist()), _answers(bits, labels, generator))
    for _ in range(MIXED if bits > 2 else 0):
        speakers = generator.integers(0, 2, (1 << bits) - 1)
        yield Shape(tuple(speakers.tolist()), _answers(bits, labels, generator))


def _answers(bits: int, labels: int, generator: np.random.Generator) -> tuple[int, ...]:
    """The last bit is one of two answers."""
    pairs = [generator.permutation(labels)[:2].tolist() if labels > 2 else [0, 1] for _ in range(1 << bits - 1)]
    return tuple(answer for pair in pairs for answer in pair)


@dataclass(frozen=True)
class PrivateTree:
    """A shape, with chances for each party."""

    shape: Shape
    chances: tuple[Chances, Chances]

    def turned(self) -> PrivateTree:
        """The same with the parties exchanged."""
        speakers = tuple(1 - speaker for speaker in self.shape.speakers)
        return PrivateTree(Shape(speakers, self.shape.answers), (self.chances[1], self.chances[0]))

    def witness(self, classes: tuple[Array, Array]) -> dict[str, Any]:
        """As plain data, for rows and columns that have these classes."""
        left, nodes = [iter(own) for own in self.chances], list[dict[str, Any]]()
        for speaker in self.shape.speakers:
            own = [as_text(chance) for chance in next(left[speaker])]
            nodes.append({"speaker": PARTIES[speaker], "chances": [own[line] for line in classes[speaker].tolist()]})
        nodes += [{"answer": answer} for answer in self.shape.answers]
        for place in range(len(self.shape.speakers)):
            nodes[place] |= {"zero": nodes[2 * place + 1], "one": nodes[2 * place + 2]}
        return {"kind": "private-tree", "tree": nodes[0]}


def one_message(messages: list[Mixed], replies: Chances, answers: tuple[int, int]) -> PrivateTree:
    """Alice sends a message, and Bob one of two answers.

    Args:
        messages: for each of Alice's lines, messages with their chances.
        replies: for each message (their number is a power of two) and each of Bob's lines, the chance of the second.
        answers: two codes.

    >>> fair = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    >>> one_message([fair, {1: Fraction(1)}], [[], []], (0, 1)).chances[0]
    [[Fraction(1, 2), Fraction(1, 1)]]
    """
    said = _on_the_way(messages, len(replies))
    return PrivateTree(Shape(_said_by(len(replies), 2), answers * len(replies)), (said, replies))


def message_tree(messages: list[Mixed], replies: list[list[Mixed]], labels: int) -> PrivateTree:
    """Alice sends a message, and Bob answers with a label.

    Args:
        messages: for each of Alice's lines, messages with their chances.
        replies: for each message (their number is a power of two) and each of Bob's lines, labels with their chances.
        labels: how many there are, more than one.

    >>> certain = {0: Fraction(1)}
    >>> message_tree([certain], [[{2: Fraction(1)}], [certain]], 3).shape.answers
    (0, 1, 2, 0, 0, 1, 2, 0)
    """
    size = 1 << (labels - 1).bit_length()
    answers = tuple(label % labels for label in range(size))
    each = [_on_the_way(lines, size) for lines in replies]
    first = [1 << level for level in range(size.bit_length() - 1)]
    told = [chances for start in first for nodes in each for chances in nodes[start - 1 : 2 * start - 1]]
    said = _on_the_way(messages, len(replies))
    return PrivateTree(Shape(_said_by(len(replies), size), answers * len(replies)), (said, told))


def _said_by(messages: int, answers: int) -> tuple[int, ...]:
    return (0,) * (messages - 1) + (1,) * (messages * (answers - 1))


def _on_the_way(lines: list[Mixed], count: int) -> Chances:
    """For each node of a heap with so many leaves, and each line, the chance of a 1 there, given those of leaves."""
    found = []
    for node in range(1, count):  # leaf m of the heap is the place count + m
        chances = []
        for own in lines:
            parts = [sum((chance for leaf, chance in own.items() if _under(count + leaf, child)), Fraction(0))
                     for child in (2 * node, 2 * node + 1)]  # fmt: skip
            chances.append(parts[1] / sum(parts) if sum(parts) else Fraction(0))
        found.append(chances)
    return found


def right_answers(tree: dict[str, Any], codes: Array) -> list[list[Fraction]]:
    """How often the tree of a witness gives the answer of each cell, which is not on free cells.

    >>> say = {"speaker": "bob", "chances": ["1/3", "1/1"], "zero": {"answer": 0}, "one": {"answer": 1}}
    >>> right_answers(say, np.array([[0, 1]]))
    [[Fraction(2, 3), Fraction(1, 1)]]
    """
    if "answer" in tree:
        return [[Fraction(int(cell == tree["answer"])) for cell in row] for row in codes.tolist()]
    zero, one = (right_answers(tree[side], codes) for side in ("zero", "one"))
    said, mine = [Fraction(chance) for chance in tree["chances"]], tree["speaker"] == "alice"
    return [
        [a + said[row if mine else column] * (b - a) for column, (a, b) in enumerate(zip(*pair, strict=True))]
        for row, pair in enumerate(zip(zero, one, strict=True))
    ]


def _under(leaf: int, node: int) -> bool:
    """Whether a node of a heap is on the way to a leaf."""
    return leaf >> leaf.bit_length() - node.bit_length() == node
