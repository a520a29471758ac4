"""The least depth of a protocol of several parties, by dynamic programming over all boxes, and the tree that has it.

A box is a set of inputs for each party, as a mask each. What a party writes splits its set in two.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["best_tree", "depth_of", "naming_tree", "widened", "work_of_boxes"]

Codes = npt.NDArray[Any]
Box = tuple[int, ...]
Tree = dict[str, Any]


def work_of_boxes(sizes: tuple[int, ...]) -> int:
    """How many splits of boxes there are.

    >>> work_of_boxes((2, 2, 2))
    432
    """
    return sum(3**size * prod(1 << other for other in sizes) // (1 << size) for size in sizes)


def best_tree(codes: Codes) -> Tree:
    """The tree of a protocol of the least depth; free cells (-1) fit any answer.

    >>> depth_of(best_tree(np.array([[[0, 0], [0, 0]], [[0, 0], [0, 1]]])))
    3
    """
    answers = _answers(codes)

    @cache
    def best(box: Box) -> tuple[int, tuple[int, int] | None]:
        seen = answers(box)
        if not seen & (seen - 1):
            return 0, None
        found: tuple[int, tuple[int, int] | None] = (sum(codes.shape) + 1, None)
        for party, mask in enumerate(box):
            part = (mask - 1) & mask
            while part > mask ^ part:
                depth = 1 + max(best(_with(box, party, half))[0] for half in (part, mask ^ part))
                found = min(found, (depth, (party, part)), key=lambda pair: pair[0])
                part = (part - 1) & mask
        return found

    def tree(box: Box) -> Tree:
        split = best(box)[1]
        if split is None:
            return {"answer": max(answers(box).bit_length() - 1, 0)}
        party, ones = split
        zero, one = _with(box, party, box[party] ^ ones), _with(box, party, ones)
        return {"speaker": party, "ones": _places(ones), "zero": tree(zero), "one": tree(one)}

    return tree(tuple((1 << size) - 1 for size in codes.shape))


def naming_tree(codes: Codes) -> Tree:
    """A protocol for any size: the party with the fewest inputs that still differ halves these, until none differ.

    >>> equal = np.array([[[int(x == y == z) for z in range(8)] for y in range(8)] for x in range(8)])
    >>> depth_of(naming_tree(equal))
    5
    """

    def tree(inputs: list[list[int]]) -> Tree:
        box = codes[np.ix_(*inputs)]
        seen = set(np.unique(box).tolist()) - {-1}
        if len(seen) < 2:
            return {"answer": max(seen, default=0)}
        classes = [_classes(box, party) for party in range(codes.ndim)]
        party = min(range(codes.ndim), key=lambda party: (max(classes[party]) == 0, max(classes[party])))
        half = (max(classes[party]) + 1) // 2
        zero, one = (
            [place for place, own in zip(inputs[party], classes[party], strict=True) if (own < half) == first]
            for first in (True, False)
        )
        parts = [tree([*inputs[:party], part, *inputs[party + 1 :]]) for part in (zero, one)]
        return {"speaker": party, "ones": one, "zero": parts[0], "one": parts[1]}

    return tree([list(range(size)) for size in codes.shape])


def _classes(box: Codes, party: int) -> list[int]:
    """For each input of a party a number, the same for those that show the same."""
    numbers: dict[bytes, int] = {}
    return [numbers.setdefault(line.tobytes(), len(numbers)) for line in np.moveaxis(box, party, 0)]


def depth_of(tree: Tree) -> int:
    """The bits on the longest path."""
    return 0 if "answer" in tree else 1 + max(depth_of(tree["zero"]), depth_of(tree["one"]))


def widened(tree: Tree, classes: list[list[int]]) -> Tree:
    """The same protocol for all inputs, from the class of each input of each party: those in a class do the same."""
    if "answer" in tree:
        return tree
    ones = [place for place, own in enumerate(classes[tree["speaker"]]) if own in set(tree["ones"])]
    return {**tree, "ones": ones, "zero": widened(tree["zero"], classes), "one": widened(tree["one"], classes)}


def _answers(codes: Codes) -> Any:
    """Which answers a box has, as a mask."""

    @cache
    def answers(box: Box) -> int:
        party = next((place for place, mask in enumerate(box) if mask & (mask - 1)), None)
        if party is None:
            code = int(codes[tuple(mask.bit_length() - 1 for mask in box)])
            return 0 if code < 0 else 1 << code
        lowest = box[party] & -box[party]
        return int(answers(_with(box, party, lowest)) | answers(_with(box, party, box[party] ^ lowest)))

    return answers


def _with(box: Box, party: int, mask: int) -> Box:
    return (*box[:party], mask, *box[party + 1 :])


def _places(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
