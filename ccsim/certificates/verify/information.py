"""Information: biconcave, talk.

What protocols without error reveal of inputs in {0, 1} x {0, 1}, in bits, whatever their length and their coins. As
they talk, the inputs have weights prior(x, y) u_x v_y: what Alice says changes u alone, and what Bob says v. Let
u = (1 - s, s) and v = (1 - t, t), and begin at s = t = 1/2.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from .claims import Claim, proves
from .data import common_scale, integer, items, need, rational, scaled
from .factors import lines_of_rationals

PLACES = 48
Edges = dict[tuple[int, int], tuple[int, int]]  # (party, place): the prior of the two cells of a line


def log2_between(number: int) -> tuple[int, int]:
    """Integers around the logarithm, in units of 2^-PLACES: digit after digit, by squaring a mantissa of 160 bits that
    is kept between two integers."""
    whole = number.bit_length() - 1
    low = (number << 160) >> whole
    high, digits = low + (low << whole != number << 160), 0
    for left in range(PLACES - 1, -1, -1):
        low, high, digits = low * low >> 160, -(-high * high >> 160), 2 * digits
        if low >> 161:
            low, high, digits = low >> 1, -(-high >> 1), digits + 1
        elif high >> 161:  # not told apart
            return (whole << PLACES) + (digits << left), (whole << PLACES) + (digits + 2 << left)
    return (whole << PLACES) + digits, (whole << PLACES) + digits + 1


def log2_bound(value: Fraction, above: bool) -> Fraction:
    """A rational at most, or at least, the logarithm of a positive one."""
    one, other = log2_between(value.numerator), log2_between(value.denominator)
    return Fraction(one[above] - other[not above], 1 << PLACES)


def pair_entropy(p: Fraction, q: Fraction, above: bool) -> Fraction:
    """A bound on p log((p + q) / p) + q log((p + q) / q), which is 0 if p or q is."""
    if not p or not q:
        return Fraction(0)
    return p * log2_bound((p + q) / p, above) + q * log2_bound((p + q) / q, above)


def uncertainty(claim: Claim, above: bool) -> tuple[Fraction, int]:
    """A bound on H(X | Y) + H(Y | X), or, for what an onlooker learns, on H(X, Y), times the sum of the prior; that."""
    prior, matrix = claim.parameters["prior"], claim.matrix
    need(matrix.height == matrix.width == 2 and len(matrix.codes) > 1, "two inputs each, and different answers")
    found, total = Fraction(0), sum(prior)
    for place, weight in enumerate(prior):
        row, column = weight + prior[place ^ 1], weight + prior[place ^ 2]
        inside = (
            Fraction(row * column, weight**2 or 1)
            if claim.parameters["cost"] == "internal"
            else Fraction(total, weight or 1)
        )
        found += weight * log2_bound(inside, above) if weight else 0
    claim.matrix.spend(20_000)
    return found, total


def settled_edges(claim: Claim) -> Edges:
    """The lines of the table with one answer, as (party, place), each with the prior of its cells: once it is known
    that an input is there, what is left to learn is the entropy of these two, whoever looks."""
    prior, table, found = claim.parameters["prior"], claim.matrix.table, Edges()
    for party, line in product((0, 1), (0, 1)):
        cells = [(line, other) if party == 0 else (other, line) for other in (0, 1)]
        if len({table[x][y] for x, y in cells} - {-1}) < 2:
            one, other = (prior[2 * x + y] for x, y in cells)
            found[party, line] = one, other
    return found


@proves("biconcave", "lower information-cost")
def check_biconcave(claim: Claim, rows: Any, columns: Any, values: Any) -> Fraction:
    """A function g on a grid of places s and t, concave along its lines, at least 0 at the corners, and at least the
    entropy that is left on an edge where the answer is settled.

    A message reveals what it lowers H(X | Y) + H(Y | X) by in the mean (H(X, Y) for an onlooker). So what is revealed
    in all is that at the beginning less its mean at the ends, where the answer is settled: on such an edge, or at a
    corner. Let g go on bilinearly between its places: along a line it is a mean of concave sequences, so it is concave,
    and its mean after a message is not above what it was. So the mean of what is left at the ends is at most
    g(1/2, 1/2), where the weights are a quarter of the prior. On an edge the entropy is below its tangents; on each
    interval g is above the one in the middle.
    """
    matrix, (beginning, total) = claim.matrix, uncertainty(claim, False)
    s, t = ([rational(text) for text in items(places)] for places in (rows, columns))
    for places in (s, t):
        good = 2 < len(places) <= 1000 and places[0] == 0 and places[-1] == 1 and Fraction(1, 2) in places
        need(good and all(one < other for one, other in pairwise(places)), "places from 0 to 1 in order, and 1/2")
    whole, unit = lines_of_rationals(matrix, values, len(s), len(t))
    turned = [list(column) for column in zip(*whole, strict=True)]
    for places, lines in ((t, whole), (s, turned)):
        scale = common_scale(places, 1 << 10)
        steps = [scaled(other - one, scale) for one, other in pairwise(places)]
        matrix.spend(60 * len(s) * len(t))
        for line in lines:
            rises = [other - one for one, other in pairwise(line)]
            pairs = zip(pairwise(rises), pairwise(steps), strict=True)
            need(all(one * after >= other * before for (one, other), (before, after) in pairs), "not concave")
    need(min(whole[0][0], whole[0][-1], whole[-1][0], whole[-1][-1]) >= 0, "below 0 at a corner")
    for (party, place), pair in settled_edges(claim).items():
        edge = (whole if party == 0 else turned)[-place]
        matrix.spend(20_000 * len(edge))
        above_entropy(pair, t if party == 0 else s, [Fraction(value, unit) for value in edge])
    left = Fraction(whole[s.index(Fraction(1, 2))][t.index(Fraction(1, 2))], unit)
    return max(Fraction(0), (beginning - 4 * left) / total)


def above_entropy(pair: tuple[int, int], places: list[Fraction], edge: list[Fraction]) -> None:
    """Whether values on an edge, and lines between them, are at least the entropy of (1 - z) p and z q at all z."""
    p, q = pair
    need(min(edge) >= 0, "below 0 on an edge")
    for (low, high), ends in zip(pairwise(places), pairwise(edge), strict=True):
        middle = (low + high) / 2
        if p and q:
            mass = p * (1 - middle) + q * middle
            slopes = log2_bound(mass / (p * (1 - middle)), True), log2_bound(mass / (q * middle), True)
            tangent = (p * (1 - z) * slopes[0] + q * z * slopes[1] for z in (low, high))
            need(
                all(value >= bound for value, bound in zip(ends, tangent, strict=True)), "below the entropy on an edge"
            )


@proves("talk", "upper information-cost")
def check_talk(claim: Claim, steps: Any) -> Fraction:
    """A protocol: at each step party 0 or 1 moves its place to ``other``, where the answer is settled and the talk
    ends, or to ``next``, with the chances that keep the mean. At the last place, if the answer is not settled there,
    both tell all. It reveals what was unknown at the beginning less what is so at its ends."""
    (beginning, total), edges, known, rest = uncertainty(claim, True), settled_edges(claim), Fraction(0), 1 << 128
    at = [Fraction(1, 2), Fraction(1, 2)]
    for entry in [items(entry, 3) for entry in items(steps)]:
        party, other, after = integer(entry[0], 0, 1), rational(entry[1]), rational(entry[2])
        need(max(other.denominator, after.denominator) < 1 << 64 and 0 <= after <= 1 and other in (0, 1), "a place")
        need(other < at[party] <= after or after <= at[party] < other, "a place between two")
        claim.matrix.spend(20_000)
        onward = (at[party] - other) / (after - other)
        known += Fraction(rest, 1 << 128) * (1 - onward) * left_on_edge(edges, party, int(other), at[1 - party])
        known, rest = Fraction(int(known * (1 << 64)), 1 << 64), int(rest * onward)
        at[party] = after
    for party in (0, 1):
        if at[party] in (0, 1):
            known += Fraction(rest, 1 << 128) * left_on_edge(edges, party, int(at[party]), at[1 - party], end=True)
            break
    return (beginning - 4 * known) / total


def left_on_edge(edges: Edges, party: int, line: int, place: Fraction, end: bool = False) -> Fraction:
    """At most what is unknown at a place on an edge, where the answer must be settled; at the end, if it is."""
    need(end or (party, line) in edges or place in (0, 1), "an end where the answer is not settled")
    p, q = edges.get((party, line), (0, 0))
    return pair_entropy(p * (1 - place), q * place, False)
