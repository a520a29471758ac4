"""How many bits a protocol with private coins needs, between trees and proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.findings import Finding, improved
from ccsim.bounds.factors.signs import sign_bounds
from ccsim.bounds.one_message.messages import DIRECTIONS, one_way_messages
from ccsim.bounds.private_coins.search import private_tree
from ccsim.bounds.private_coins.sets import equality_tree
from ccsim.bounds.randomised.discrepancy import randomised_by_discrepancy
from ccsim.bounds.randomised.gamma2 import gamma2_bits
from ccsim.bounds.randomised.public_coins import public_coin_complexity
from ccsim.bounds.rationals import as_text
from ccsim.bounds.tree_search import stages_of_deterministic
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

__all__ = ["different_lines", "near_bounds", "private_coin_complexity", "private_stages", "trivial_private"]

MOST_LINES = 32  # different ones, up to which trees are searched for
MOST_BITS = 6
MOST_CERTAIN = 12  # lines up to which deterministic protocols are searched to the end
MOST_NORM = 256  # lines up to which norms and discrepancy are computed
MOST_GAME = 12  # lines up to which the game of public coins is played
SOON = 2  # bits for which that game is soon over


def private_coin_complexity(
    matrix: Subject, error: Fraction | str = Fraction(1, 3), *, time_limit: float | None = 20.0
) -> Bracket:
    """The fewest worst-case bits of a protocol with private coins that errs with at most this probability.

    Both parties know the answer; neither sees the coins of the other.

    Args:
        matrix: of any labels, total or partial.
        error: at least 0 and below 1/2.
        time_limit: seconds for the search.

    Returns:
        In bits. Below: what public coins need, how many turns each party must have, or that two bits are not enough;
        above: a tree with chances.

    >>> from ccsim.problems import equality
    >>> print(private_coin_complexity(equality(2), "1/3"))
    private-coins = 3 bits (two bits | protocol tree)
    """
    matrix, allowed = matrix_of(matrix), Fraction(error)
    if not 0 <= 2 * allowed < 1:
        raise InputError("error", error, "at least 0 and below 1/2")
    *_, best = private_stages(matrix, allowed, Clock.within(time_limit))
    return replace(best, matrix=matrix)


def trivial_private(matrix: CommunicationMatrix, error: Fraction) -> Bracket:
    """At least no bit, and at most to name a line and the answer."""
    upper = min((count - 1).bit_length() for count in matrix.shape) + (len(matrix.labels) - 1).bit_length()
    parameters = {"error": as_text(error)}
    return Bracket("private-coins", 0, upper, "trivial | naming a line", None, None, parameters)


def private_stages(
    matrix: CommunicationMatrix, error: Fraction, clock: Clock, known: Bracket | None = None
) -> Iterator[Bracket]:
    """The bracket, whenever more is known than now."""
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    best = known or trivial_private(matrix, error)
    yield best
    quarter = Clock.within(None if clock.end is None else clock.left(60.0) / 4)
    stages = stages_of_deterministic(matrix, answer="both", clock=quarter)
    for plain in stages if max(matrix.merge().matrix.shape) <= MOST_CERTAIN else islice(stages, 1):
        above = {"kind": "protocol-tree", "tree": plain.tree} if plain.tree else None
        method = f"{best.method.partition(' | ')[0]} | protocol tree"
        best = replace(best, upper=plain.upper, upper_witness=above, method=method)
        yield best
    for findings in (_quick, _trees, _of_public):
        for bracket in improved(best, findings(matrix, error, clock, best)):
            best = bracket
            yield best


def _proved(matrix: CommunicationMatrix, error: Fraction, witness: Witness) -> int:
    """What a witness proves; 0 if nothing."""
    try:
        return int(check(matrix.codes.tolist(), "private-coins", "lower", {"error": as_text(error)}, witness))
    except Refused:
        return 0


def _quick(matrix: CommunicationMatrix, error: Fraction, clock: Clock, _: Bracket) -> Iterator[Finding]:
    """What takes no search: both kinds of proof, and sets of messages."""
    witness: dict[str, Any] = {"kind": "two-bits"}
    yield "lower", _proved(matrix, error, witness), "two bits", witness
    merged = matrix.merge()
    tree = equality_tree(merged.matrix.codes, error)
    if tree is not None:
        bits = len(tree.shape.answers).bit_length() - 1
        yield "upper", bits, "sets of messages", tree.witness((merged.row_class, merged.column_class))
    rows, columns = (different_lines(matrix, way, clock) for way in DIRECTIONS)
    for near in (None, *near_bounds(matrix, clock)):
        witness = {"kind": "turns", "rows": rows, "columns": columns, "near": near}
        yield "lower", _proved(matrix, error, witness), "turns", witness


def different_lines(matrix: CommunicationMatrix, direction: str, clock: Clock) -> list[int]:
    """Lines that differ pairwise within the promise."""
    if matrix.is_total:
        merged = matrix.merge()
        return list(map(int, merged.rows if direction == DIRECTIONS[0] else merged.columns))
    found = one_way_messages(matrix, direction, time_limit=clock.left(2.0)).lower_witness or {}
    return list(found["lines"]) if found.get("kind") == "distinct-lines" else []


def near_bounds(matrix: CommunicationMatrix, clock: Clock) -> Iterator[list[Any]]:
    """What bounds the sign rank of each label, and so the approximate rank."""
    for label in range(len(matrix.labels)) if len(matrix.labels) > 2 else (len(matrix.labels) - 1,):
        for _, _, witness in sign_bounds(matrix, label, clock):
            yield [label, {"kind": "signs", "of": witness}]


def _trees(matrix: CommunicationMatrix, error: Fraction, clock: Clock, best: Bracket) -> Iterator[Finding]:
    """A tree that is searched for, with as few bits as are not excluded, then with more."""
    merged = matrix.merge()
    assert best.upper is not None
    if max(merged.matrix.shape) > MOST_LINES or min(merged.matrix.shape) < 2:
        return
    for bits in range(max(2, int(best.lower)), min(int(best.upper), MOST_BITS + 1)):
        tree = private_tree(merged.matrix.codes, bits, 1 - error, clock)
        if tree is not None:
            yield "upper", bits, "private tree", tree.witness((merged.row_class, merged.column_class))
            return


def _of_public(matrix: CommunicationMatrix, error: Fraction, clock: Clock, best: Bracket) -> Iterator[Finding]:
    """What public coins need. Their game is played where that is soon done, and may tell more than is known."""
    merged = matrix.merge().matrix
    bounds: list[Callable[[], Bracket]] = []
    if max(merged.shape) <= MOST_GAME and best.lower <= SOON:
        bounds.append(lambda: public_coin_complexity(matrix, error, clock.left(20.0)))
    if max(merged.shape) <= MOST_NORM:
        bounds.append(lambda: gamma2_bits(matrix, error, clock.left(20.0)))
    if max(merged.shape) <= MOST_NORM and len(matrix.labels) == 2:
        bounds.append(lambda: randomised_by_discrepancy(matrix, error, time_limit=clock.left(5.0)))
    for bound in bounds:
        found = bound()
        if found.lower_witness is not None:
            witness = {"kind": "public-coins", "of": found.lower_witness}
            yield "lower", _proved(matrix, error, witness), "public coins", witness
