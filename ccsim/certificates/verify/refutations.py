"""Deterministic complexity from below: refutation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .claims import Claim, proves
from .data import integer, items, need
from .few_bits import Node, every_split, more_than_four_bits, more_than_three_bits
from .fooling import fooling
from .given_lines import every_side_with
from .matrices import Matrix
from .ranks import indicator, prime_from, rank
from .tight_splits import every_tight_split


@proves("refutation", "lower deterministic")
def check_refutation(claim: Claim, nodes: Any) -> int:
    """A list of rectangles, each shown, with those before it, to have no protocol of its depth (and rounds): the last
    is the claim, and one more than its depth is needed.

    A node is [depth, limit, rows, columns, reason, ...]; the limit is null or [rounds that may still begin, who spoke
    last (0 Alice, 1 Bob, -1 nobody)]. The reasons: too many leaves by ``rank``; by a ``fooling`` set; the closed form
    for ``three`` bits, or all splits for ``four``; or all ``splits`` of the rows, and all of the columns, are refuted
    by nodes before, or by their images under symmetries (``orbits``), or by the ranks of both sides (``tight``),
    perhaps with lines that a side of some rank cannot have (``given``).
    """
    matrix, limit = claim.matrix, None
    proved: list[Node] = []
    for entry in items(nodes):
        depth, limit, rows, columns, kind, *data = items(entry)
        integer(depth, 0, 64)
        if limit is not None:
            limit = (integer(items(limit, 2)[0], 0, 1 << 20), integer(limit[1], -1, 1))
        masks = matrix.rectangle(rows, columns)
        matrix.spend(200 + 2 * sum(matrix.long))
        need(masks[0] > 0 and masks[1] > 0, "a rectangle without cells")
        need(isinstance(kind, str) and kind in REASONS, f"a reason is one of {', '.join(REASONS)}")
        REASONS[kind](claim, proved, (depth, limit, masks), *data)
        proved.append((depth, limit, masks))
    if limit is not None:
        rounds, first = claim.parameters["rounds"], claim.parameters["first"]
        claimed = (rounds, -1) if first is None else (rounds - 1, ("alice", "bob").index(first))
        need(limit == claimed, "the last node is not the claim")
    return proved[-1][0] + 1 if proved else 0


def leaves_by_rank(matrix: Matrix, answer: str, masks: tuple[int, int], primes: Any) -> int:
    """A leaf that both know is a rectangle of one answer, so an answer needs as many leaves as the rank of its 0/1
    matrix, over any field. If one party alone knows, the 0/1 matrices of a leaf have rank at most one each: the
    largest rank counts."""
    ranks = [rank(matrix, indicator(matrix, code, *masks), prime) for code, prime in enumerate(items(primes))]
    return sum(ranks) if answer == "both" else max(ranks, default=0)


def refuted_by_rank(claim: Claim, proved: list[Node], node: Node, primes: Any) -> None:
    """The ranks of its answers need more leaves than there are."""
    depth, _, masks = node
    need(leaves_by_rank(claim.matrix, claim.answer, masks, primes) > 1 << depth, "the ranks are too small")


def refuted_by_fooling(claim: Claim, proved: list[Node], node: Node, listed: Any) -> None:
    """A fooling set inside has more cells than there are leaves."""
    depth, _, masks = node
    cells = fooling(claim.matrix, claim.answer, listed)
    claim.matrix.spend(len(cells) * (10 + sum(claim.matrix.long)))
    need(all(masks[0] >> row & masks[1] >> column & 1 for row, column in cells), "a cell outside")
    need(len(cells) > 1 << depth, "the fooling set is too small")


def refuted_by_closed_form(claim: Claim, proved: list[Node], node: Node) -> None:
    """Three bits are not enough."""
    depth, _, masks = node
    need(depth == 3, "the closed form is for depth 3")
    more_than_three_bits(claim.matrix, claim.answer, masks)


def refuted_by_all_splits(claim: Claim, proved: list[Node], node: Node) -> None:
    """Four bits are not enough."""
    depth, _, masks = node
    need(depth == 4, "all splits are gone through for depth 4")
    more_than_four_bits(claim.matrix, claim.answer, masks)


def refuted_by_orbits(claim: Claim, proved: list[Node], node: Node, rows: Any, columns: Any, symmetries: Any) -> None:
    """As by splits, where a core stands for its images, too.

    A symmetry is a permutation of the rectangle's rows and one of its columns that take each cell to one with the same
    code (or both free): what has no protocol is taken to what has none. It is written as the images of the rows in
    order, and those of the columns.
    """
    matrix, places = claim.matrix, [claim.matrix.places(mask) for mask in node[2]]
    listed = []
    for pair in items(symmetries):
        images = [[integer(line, 0, 1 << 22) for line in items(lines)] for lines in items(pair, 2)]
        matrix.spend(100 + 12 * len(places[0]) * len(places[1]) + 30 * len(places[0] + places[1]), 200 * len(places[1]))
        need(list(map(sorted, images)) == places, "a symmetry takes lines to all lines")
        for row, image in zip(places[0], images[0], strict=True):
            own, other = matrix.table[row], matrix.table[image]
            need([own[a] for a in places[1]] == [other[a] for a in images[1]], "a symmetry keeps the codes")
        listed.append(tuple(dict(zip(*pair, strict=True)) for pair in zip(places, images, strict=True)))
    refuted_by_splits(claim, proved, node, rows, columns, listed)


def refuted_by_splits(
    claim: Claim, proved: list[Node], node: Node, rows: Any, columns: Any, symmetries: Any = ()
) -> None:
    """Not a leaf, and whoever speaks first leaves a half that is refuted."""
    somebody_speaks(claim, node)
    for speaker, side in enumerate((rows, columns)):
        every_split(claim, proved, node, speaker, side, symmetries)


def refuted_by_tight_splits(claim: Claim, proved: list[Node], node: Node, prime: Any, rows: Any, columns: Any) -> None:
    """Likewise, where few leaves are to spare."""
    sides = [[*items(side, 2), []] for side in (rows, columns)]
    refuted_by_given_lines(claim, proved, node, prime, *sides)


def refuted_by_given_lines(claim: Claim, proved: list[Node], node: Node, prime: Any, rows: Any, columns: Any) -> None:
    """Likewise, with lines that a side of some rank cannot have."""
    somebody_speaks(claim, node)
    prime = prime_from(claim.matrix, prime, 3)
    for speaker, side in enumerate((rows, columns)):
        order, numbers, given = items(side, 3)
        refuted = [every_side_with(claim, proved, node, speaker, prime, entry) for entry in items(given)]
        every_tight_split(claim, proved, node, speaker, prime, (order, numbers), refuted)


def somebody_speaks(claim: Claim, node: Node) -> None:
    """Refuse a leaf, which needs no bits."""
    matrix, (depth, _, masks) = claim.matrix, node
    need(depth > 0, "splits are for a depth above 0")
    party = int(claim.answer == "bob")
    marks, lines, across = (
        [matrix.masks(code, party) for code in matrix.codes],
        matrix.places(masks[party]),
        masks[1 - party],
    )
    matrix.spend(len(lines) * (30 + len(marks) * (6 + matrix.long[party])))
    shown = [{code for code, mark in enumerate(marks) if mark[line] & across} for line in lines]
    shown = [set().union(*shown)] if claim.answer == "both" else shown
    need(any(len(codes) > 1 for codes in shown), "a leaf needs no bits")


REASONS: dict[str, Callable[..., None]] = {
    "rank": refuted_by_rank,
    "fooling": refuted_by_fooling,
    "three": refuted_by_closed_form,
    "four": refuted_by_all_splits,
    "splits": refuted_by_splits,
    "orbits": refuted_by_orbits,
    "tight": refuted_by_tight_splits,
    "given": refuted_by_given_lines,
}
