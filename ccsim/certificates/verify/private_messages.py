"""One message with private coins, below: one-order, message-points."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from .claims import Claim, proves
from .coins import following
from .data import bits_for, items, need
from .matrices import Matrix

MOST_MESSAGES = 64  # for which volumes are compared; more have room for all lines of a table
Line = tuple[int, ...]
Order = list[tuple[int, Fraction]]
"""Lines, by their places in a list, each with its chance of the message 1; these never fall."""


@proves("one-order", "lower one-way-private")
def check_one_order(claim: Claim) -> int:
    """Whether no bit is enough, or one; if not, two are needed.

    With one bit each line of the sender has a number z from 0 to 1, its chance of the message 1, and for each line of
    the receiver the chance of an answer is linear in z: as an answer that is right has more than 1/2, it is right on
    an end of the lines in their order, and no third answer is right between. The least z of a line is that of the one
    before, or what :func:`following` says of an earlier one that it must be told from. All orders are tried; a branch
    ends where a line that is left cannot come after those that are placed.
    """
    needs_small_error(claim)
    lines, across = sides_of(claim)
    if all(len(set(line) - {-1}) <= 1 for line in across):
        return 0
    return 1 if one_order(claim.matrix, lines, claim.error) is not None else 2


def needs_small_error(claim: Claim) -> None:
    """An error below 1/2, in few digits."""
    need(2 * claim.error < 1, "an error below 1/2")
    need(claim.error.denominator <= 1 << 64, "an error of denominator at most 2^64")


def sides_of(claim: Claim) -> tuple[list[Line], list[Line]]:
    """The different lines of the sender, in order, and those of the receiver."""
    claim.matrix.spend(16 * claim.matrix.height * claim.matrix.width, 32 * claim.matrix.height * claim.matrix.width)
    sides: list[list[Line]] = [list(map(tuple, claim.matrix.table)), list(zip(*claim.matrix.table, strict=True))]
    return sorted(set(sides[claim.party])), list(set(sides[1 - claim.party]))


def one_order(matrix: Matrix, lines: list[Line], error: Fraction) -> Order | None:
    """Chances of one bit for different lines of the sender, as in :func:`check_one_order`, or None."""
    width, count, place = len(lines[0]), 0, Fraction(0)
    while place <= 1 and count <= len(lines):  # so many lines can be told from each other
        matrix.spend(100 + (place.denominator.bit_length() >> 5) ** 2)
        count, place = count + 1, following(place, error)
    if len(lines) > count and all(-1 not in line for line in lines):
        return None
    stack: list[tuple[Order, Line, Line]] = [([], (-1,) * width, (-1,) * width)]  # the first and last answers across
    while stack:
        placed, first, last = stack.pop()
        done = {line for line, _ in placed}
        left = [line for line in range(len(lines)) if line not in done]
        if not left:
            return placed
        matrix.spend(len(left) * (10 * width + 50))
        if any(not goes_on(lines[line], first, last) for line in left):
            continue
        for line in left[::-1]:
            matrix.spend(len(placed) * (10 * width + 100) + 12 * width + 200, 16 * width + 16 * len(placed) + 300)
            before = next((own for other, own in placed[::-1] if apart(lines[line], lines[other])), None)
            place = placed[-1][1] if placed else Fraction(0)
            place = place if before is None else max(place, following(before, error))
            if place <= 1:
                longer = [*placed, (line, place)]
                start = tuple([b if a < 0 else a for a, b in zip(first, lines[line], strict=True)])
                end = tuple([a if b < 0 else b for a, b in zip(last, lines[line], strict=True)])
                stack.append((longer, start, end))
    return None


def goes_on(line: Line, first: Line, last: Line) -> bool:
    """Whether a line can come next: each answer is the last one, or the second in its place."""
    return all(a in (-1, end) or start == end for a, start, end in zip(line, first, last, strict=True))


def apart(one: Line, other: Line) -> bool:
    """Whether two lines have different answers somewhere."""
    return any(a != b and a >= 0 <= b for a, b in zip(one, other, strict=True))


@proves("message-points", "lower one-way-private")
def check_message_points(claim: Claim, lines: Any, near: Any) -> int:
    """Lines of the sender that differ pairwise within the promise, and what bounds the approximate rank (or null), as
    [label, witness].

    The message of a line x is a point p(x) of the simplex of n = 2^c messages, and the chance of an answer is linear
    in it, with factors from 0 to 1 that depend on the receiver's line. (1) Each of k answers on one line of the
    receiver has a message after which it is given with more than 1/2: so n >= k. (2) Differing lines have points
    at least s = 1 - 2e apart in total variation. (3) B = 2 Pr[label] - 1 has rank n at most, and B / (1 - e) is
    within e / (1 - e) of the signs. What (2) says of n is in :func:`room_for`.
    """
    needs_small_error(claim)
    witness, direction = {"kind": "distinct-lines", "lines": lines}, {"direction": claim.parameters["direction"]}
    count = int(claim.other(witness, measure="one-way-messages", parameters=direction))
    least = max(len(set(line) - {-1}) for line in sides_of(claim)[1])
    if near is not None:
        label, known = items(near, 2)
        error = claim.error / (1 - claim.error)
        given = {"label": label, "error": f"{error.numerator}/{error.denominator}"}
        least = max(least, int(claim.other(known, measure="approximate-rank", parameters=given)))
    bits = bits_for(least)
    claim.matrix.spend(1 << 16)
    while not room_for(count, 1 << bits, claim.error):
        bits += 1
    return bits


def room_for(count: int, messages: int, error: Fraction) -> bool:
    """Whether so many points of a simplex can be s = 1 - 2e apart in total variation, for all that is known.

    Of k points, two have at most 2e in common, a sum of minima. For each message what the others have is at most the
    sum, over all pairs, of these minima, and the largest is at most 1: so k <= n + k (k - 1) e. And balls of radius
    s / 2 about all points are disjoint inside, and are in the vectors of sum 1 whose negative entries have a sum of r
    = s / 2 at most: with d = n - 1 these have the volume sum_k C(d, k) C(d + k, k) r^k, in units of the simplex, and a
    ball has C(2d, d) r^d.
    """
    some = count if not error else min(count, int(1 + 1 / (2 * error)))
    if some - some * (some - 1) * error > messages:
        return False
    if messages > min(MOST_MESSAGES, count):
        return True
    size, radius = messages - 1, Fraction(1, 2) - error
    a, b = radius.numerator, radius.denominator
    volume = sum(comb(size, k) * comb(size + k, k) * a**k * b ** (size - k) for k in range(messages))
    return bool(count * comb(2 * size, size) * a**size <= volume)
