"""More than two parties: board-tree, all-boxes, merged.

Each has an input in its hand, and all read a blackboard. The rows of the matrix are the inputs of the first party,
its columns those of all others together, in lexicographic order; a box is a set of inputs for each party.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod
from operator import or_
from typing import Any

from .claims import Claim, proves
from .data import CODES, Value, fields, integer, items, need
from .leaves import FAR
from .matrices import Matrix


def sizes_of(claim: Claim) -> list[int]:
    """How many inputs each party has."""
    sizes = list(claim.parameters["parties"])
    need(sizes[0] == claim.matrix.height and prod(sizes[1:]) == claim.matrix.width, "a matrix of these parties")
    return sizes


def columns_of(sizes: list[int], masks: list[int]) -> int:
    """The columns of a set of inputs for each party but the first."""
    found, stride = 1, 1
    for size, mask in zip(sizes[:0:-1], masks[:0:-1], strict=True):
        found = reduce(or_, (found << place * stride for place in range(size) if mask >> place & 1), 0)
        stride *= size
    return found


@proves("board-tree", "upper blackboard")
def check_board_tree(claim: Claim, tree: Any) -> int:
    """A protocol, as a tree: at a node party number ``speaker`` (0, 1, ...) writes 1 if its input is among ``ones``,
    else 0. Its depth is enough, once every cell of the box at each leaf has the answer there, or is free."""
    matrix, sizes, deepest = claim.matrix, sizes_of(claim), 0
    stack: list[tuple[Any, list[int], int]] = [(tree, [(1 << size) - 1 for size in sizes], 0)]
    while stack:
        node, masks, depth = stack.pop()
        matrix.spend(150 + sum(sizes))
        need(isinstance(node, dict), "a node is an object")
        if "speaker" in node:
            speaker, inputs, zero, one = fields(node, "speaker", "ones", "zero", "one")
            ones = matrix.lines(inputs, sizes[integer(speaker, 0, len(sizes) - 1)])
            for child, part in ((zero, ~ones), (one, ones)):
                own = [mask & part if party == speaker else mask for party, mask in enumerate(masks)]
                stack.append((child, own, depth + 1))
            continue
        answer, deepest = integer(fields(node, "answer")[0], 0, CODES), max(deepest, depth)
        matrix.spend(20 * sum(sizes) + sum(sizes) * (matrix.width >> 9))
        across = columns_of(sizes, masks)
        good = all(matrix.fits(answer, row, across) for row in matrix.places(masks[0]))
        need(good, "a wrong answer at a leaf")
    return deepest


@proves("all-boxes", "lower blackboard")
def check_all_boxes(claim: Claim, inputs: Any) -> int:
    """The least depth for some inputs of each party, and so at least one for all, by dynamic programming over all boxes
    of these: a leaf has one answer; any other box is split in two, in the best way, by one of the parties, and takes a
    bit more than the worse half. A box is a number, the sets of its parties side by side: its parts are before it."""
    matrix, whole, offsets, total = claim.matrix, sizes_of(claim), list[int](), 0
    chosen = [[integer(place, 0, size - 1) for place in items(own)] for own, size in
              zip(items(inputs, len(whole)), whole, strict=True)]  # fmt: skip
    need(all(0 < len(own) == len(set(own)) for own in chosen), "different inputs of each party")
    for own in chosen:
        offsets.append(total)
        total += len(own)
    need(total <= 22, "too many boxes")
    count = 1 << total
    splits = sum(3 ** len(own) * (count >> len(own)) for own in chosen) // 2
    matrix.spend(10 * splits + 60 * count * len(chosen), 80 * count)
    seen, least = [0] * count, [0] * count  # the answers in a box, as a mask
    for cell in product(*map(enumerate, chosen)):
        box, place = sum(1 << offset + number for offset, (number, _) in zip(offsets, cell, strict=True)), 0
        for size, (_, one) in zip(whole, cell, strict=True):
            place = place * size + one
        code = matrix.table[place // matrix.width][place % matrix.width]
        seen[box] = 0 if code < 0 else 1 << matrix.codes.index(code)
    for box in range(count):
        sets = [(offset, box >> offset & (1 << len(own)) - 1) for offset, own in zip(offsets, chosen, strict=True)]
        wide = [(offset, mask) for offset, mask in sets if mask & mask - 1]
        if not wide or not all(mask for _, mask in sets):
            continue
        offset, mask = wide[0]
        seen[box] = seen[box ^ (mask & -mask) << offset] | seen[box ^ (mask & mask - 1) << offset]
        if seen[box] & seen[box] - 1:
            least[box] = 1 + best_of_boxes(least, box, wide)
    return least[-1]


def best_of_boxes(least: list[int], box: int, wide: list[tuple[int, int]]) -> int:
    """The best worse half over all splits of a box by a party with several inputs."""
    best = FAR
    for offset, mask in wide:
        part = (mask - 1) & mask
        while part > mask ^ part:
            best = min(best, max(least[box ^ part << offset], least[box ^ (mask ^ part) << offset]))
            part = (part - 1) & mask
    return best


@proves("merged", "lower blackboard")
def check_merged(claim: Claim, parties: Any, of: Any) -> Value:
    """Two parties can play all: one the ``parties``, the other the rest. So what two need in bits, all need."""
    sizes, matrix = sizes_of(claim), claim.matrix
    mine = [integer(party, 0, len(sizes) - 1) for party in items(parties)]
    need(0 < len(set(mine)) == len(mine) < len(sizes), "some of the parties, and not all")
    matrix.spend(12 * len(sizes) * matrix.height * matrix.width, 9 * matrix.height * matrix.width)
    order = [*mine, *(party for party in range(len(sizes)) if party not in mine)]
    strides = [prod(sizes[party + 1 :]) for party in range(len(sizes))]
    places = [0]
    for party in order:
        places = [place + strides[party] * one for place in places for one in range(sizes[party])]
    width = prod(sizes[party] for party in order[len(mine) :])
    cells = [matrix.table[place // matrix.width][place % matrix.width] for place in places]
    table = [cells[start : start + width] for start in range(0, len(cells), width)]
    plain = {"answer": "both", "rounds": None, "first": None}
    return claim.other(of, matrix=Matrix(table, matrix.left), measure="deterministic", parameters=plain)
