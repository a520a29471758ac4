"""Private coins: private-tree, public-coins, turns, two-bits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any

from .claims import Claim, proves
from .data import CODES, Value, bits_for, common_scale, fields, integer, items, need, rational, scaled
from .matrices import Matrix

Reached = tuple[int, int, list[int], list[int], int]
PARTIES = ("alice", "bob")


@proves("private-tree", "upper private-coins", "upper one-way-private")
def check_private_tree(claim: Claim, tree: Any) -> int:
    """A protocol with private coins, as a tree: at a node the speaker sends 1 with a chance that its input has. A leaf
    is reached with the product of Alice's chances on the way, times that of Bob's. On each promised cell leaves with a
    right answer are reached with 1 - e: so many bits as the deepest is deep. One message comes from the nodes of the
    sender, on each way before those of the receiver, which are no bits, but choose the answer."""
    matrix, deepest, right = claim.matrix, 0, [[0] * claim.matrix.width for _ in range(claim.matrix.height)]
    reached = list(leaves_by_chance(matrix, tree, PARTIES[claim.party] if claim.measure == "one-way-private" else None))
    scale = common_scale((Fraction(1, unit) for *_, unit in reached), 1 << 10)
    long = scale.bit_length()
    matrix.spend(4 * matrix.height * matrix.width, (40 + long // 7) * matrix.height * matrix.width)
    for answer, depth, mine, yours, unit in reached:
        matrix.spend(8 * (matrix.height + matrix.width))
        deepest = max(deepest, depth)
        own, others = ([(line, chance) for line, chance in enumerate(side) if chance] for side in (mine, yours))
        for line, chance in own:
            matrix.spend(30 + len(others) * (10 + (long >> 6) + (long >> 7) ** 2))
            chance, cells, sums = chance * (scale // unit), matrix.table[line], right[line]
            for place, other in others:
                sums[place] += chance * other if cells[place] == answer else 0
    pairs = (pair for lines in zip(matrix.table, right, strict=True) for pair in zip(*lines, strict=True))
    least = min((value for cell, value in pairs if cell >= 0), default=scale)
    need(least >= (1 - claim.error) * scale, "too much error on some cell")
    return deepest


def leaves_by_chance(matrix: Matrix, tree: Any, sender: str | None = None) -> Iterator[Reached]:
    """For each leaf its answer, its depth, and the chances of each row and of each column on the way there, in units
    of which the product is a common denominator. With a sender, depth is the length of its message."""
    stack = [(tree, 0, [1] * matrix.height, [1] * matrix.width, 1, False)]
    while stack:
        node, depth, mine, yours, unit, sent = stack.pop()
        matrix.spend(200)
        need(isinstance(node, dict), "a node is an object")
        if "speaker" not in node:
            yield integer(fields(node, "answer")[0], 0, CODES), depth, mine, yours, unit
            continue
        speaker, texts, zero, one = fields(node, "speaker", "chances", "zero", "one")
        need(speaker in PARTIES, "a speaker is alice or bob")
        speaks = sender in (None, speaker)
        need(not (sent and speaks), "a second message")
        own = mine if speaker == "alice" else yours
        matrix.spend(150 * len(own))
        chances = [rational(text) for text in items(texts, len(own))]
        need(min(chances) >= 0 and max(chances) <= 1, "chances from 0 to 1")
        scale = common_scale(chances, 1 << 10)
        need((unit * scale).bit_length() <= 1 << 10, "numbers that get too long")
        ones = [scaled(chance, scale) for chance in chances]
        matrix.spend(20 * len(own), 400 * len(own))
        for child, weights in ((zero, [scale - weight for weight in ones]), (one, ones)):
            both = (list(map(mul, mine, weights)), yours) if own is mine else (mine, list(map(mul, yours, weights)))
            stack.append((child, depth + speaks, *both, unit * scale, not speaks))


@proves("public-coins", "lower private-coins", "lower one-way-private")
def check_public_coins(claim: Claim, of: Any) -> Value:
    """Private coins may be thrown in public: what public coins need, private ones need."""
    if claim.measure == "one-way-private":
        return claim.other(of, measure="one-way-randomised")
    parameters = {"answer": "both", "coins": "public", "error": claim.parameters["error"]}
    return claim.other(of, measure="randomised", parameters=parameters)


@proves("turns", "lower private-coins")
def check_turns(claim: Claim, rows: Any, columns: Any, near: Any) -> int:
    """Rows of which two always differ within the promise, columns likewise, and what bounds the approximate rank (or
    null), as [label, witness].

    Let Alice speak at a nodes of the tree, and Bob at b: a + b < 2^c. With which chance Alice's bits lead to each node
    is linear in the a numbers of hers that are about a next bit of 1; so for fixed y the chance of each answer is an
    affine function of these, and the vectors u(x) of all these chances, for all y and answers, are in an affine space
    of a dimensions. Entries are from 0 to 1, and s = 1 - 2e apart at some place if the rows differ. So cubes of width
    s round N of them are disjoint, within their hull K grown by s/2; this set's differences have entries up to 1 + s,
    and its volume is at most that of half its differences (Brunn and Minkowski), so N s^a <= (1 + s)^a, likewise for
    columns and b. And B(x, y) = 2 Pr[label] - 1 is affine in each party's numbers: its rank is at most a + 1, and b +
    1; B / (1 - e) is within e / (1 - e) of the signs.
    """
    need(2 * claim.error < 1, "an error below 1/2")
    turns, base = [0, 0], 1 + 1 / (1 - 2 * claim.error)
    for party, lines in enumerate((rows, columns)):
        direction = {"direction": ("alice-to-bob", "bob-to-alice")[party]}
        witness = {"kind": "distinct-lines", "lines": lines}
        count = claim.other(witness, measure="one-way-messages", parameters=direction)
        while base ** turns[party] < count:
            turns[party] += 1
    if near is not None:
        label, witness = items(near, 2)
        error = claim.error / (1 - claim.error)
        given = {"label": label, "error": f"{error.numerator}/{error.denominator}"}
        dimensions = int(claim.other(witness, measure="approximate-rank", parameters=given)) - 1
        turns = [max(own, dimensions) for own in turns]
    return bits_for(sum(turns) + 1)


@proves("two-bits", "lower private-coins")
def check_two_bits(claim: Claim) -> int:
    """Whether no bit is enough, one, or two, for a total matrix of two answers; if not, three are needed.

    With one bit, only one input matters. With two, one party has a number z from 0 to 1 for each of its lines, and
    across the chance of 1 is linear in z. (Say Alice begins, with 1 by chance z. If Bob goes on after either bit, or
    nobody, this is so. If Alice does after one, her chance u of 1 altogether and Bob's q make u (1 - q) + (u + z) q or
    alike, linear in q with values from 0 to 1. If she does after both, it is that with columns that are all the same.)
    So across each place answers change at most once, in the order of z. Between neighbours z < t of which answers
    differ, the chance g is at most e at z, say, and at least 1 - e at t: as g(z) >= (1 - z / t) 0 + z / t g(t), this
    gives (1 - e) z <= e t; and from the end 1, (1 - e) (1 - t) <= e (1 - z). So the least z of the next different line
    is known, and after some lines it is above 1. If these hold, there is such a linear g.
    """
    need(2 * claim.error < 1, "an error below 1/2")
    need(len(claim.matrix.codes) <= 2 and -1 not in map(min, claim.matrix.table), "a total matrix of two answers")
    if len(claim.matrix.codes) < 2:
        return 0
    sides = [set(claim.matrix.masks(claim.matrix.codes[1], party)) for party in (0, 1)]
    if min(map(len, sides)) == 1:
        return 1
    need(claim.error.denominator <= 1 << 64, "an error of denominator at most 2^64")
    return 2 if any(in_one_order(claim, party, *sides[:: 1 - 2 * party]) for party in (0, 1)) else 3


def following(place: Fraction, error: Fraction) -> Fraction:
    """The least number of a line after one with this number, if some place across has different answers on them: it
    grows with that number. Above 1 there is none."""
    if not error:
        return Fraction(2 if place else 1)
    ratio = (1 - error) / error
    return max(ratio * place, 1 - (1 - place) / ratio)


def in_one_order(claim: Claim, party: int, own: set[int], across: set[int]) -> bool:
    """Whether different lines are few enough to have numbers as in :func:`check_two_bits`, and in some order change
    each place across at most once: from the first on, those that differ from it are a chain of sets."""
    place, count, size = Fraction(0), 1, (claim.matrix.height, claim.matrix.width)[party]
    while place <= 1 and count <= len(own):
        place, count = following(place, claim.error), count + 1
        claim.matrix.spend(100 + (place.denominator.bit_length() >> 5) ** 2)
    if len(own) > count - 1 or len(across) > 2 * len(own):
        return False
    whole = (1 << size) - 1
    firsts = {mask: line for line, mask in enumerate(claim.matrix.masks(claim.matrix.codes[1], party))}
    claim.matrix.spend(len(firsts) * len(across) * (40 + (size >> 6)))
    for first in firsts.values():
        chain = sorted({whole ^ one if one >> first & 1 else one for one in across}, key=int.bit_count)
        if all(one & ~other == 0 for one, other in pairwise(chain)):
            return True
    return False
