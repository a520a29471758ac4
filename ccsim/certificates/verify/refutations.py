"""Deterministic complexity from below: refutation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .claims import Claim, gone, proves
from .data import integer, items, need
from .few_bits import Node, every_split, more_than_four_bits, more_than_three_bits
from .fooling import fooling
from .matrices import Matrix
from .ranks import indicator, rank


@proves("refutation", "lower deterministic")
def check_refutation(claim: Claim, nodes: Any) -> int:
    """A list of rectangles, each shown, with those before it, to have no protocol of its depth (and rounds): the last
    is the claim, and one more than its depth is needed.

    A node is [depth, limit, rows, columns, reason, ...]; the limit is null or [rounds that may still begin, who spoke
    last (0 Alice, 1 Bob, -1 nobody)]. The reasons: too many leaves by ``rank``; by a ``fooling`` set; the closed form
    for ``three`` bits, or all splits for ``four``; or all ``splits`` of the rows, and all of the columns, are refuted
    by nodes before.
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
        need(kind not in ("orbits", "tight", "given"), gone("reason", kind))
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


def refuted_by_splits(claim: Claim, proved: list[Node], node: Node, rows: Any, columns: Any) -> None:
    """Not a leaf, and whoever speaks first leaves a half that is refuted."""
    somebody_speaks(claim, node)
    for speaker, side in enumerate((rows, columns)):
        every_split(claim, proved, node, speaker, side)


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
}
