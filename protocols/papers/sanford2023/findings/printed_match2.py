"""The printed lines on Match2: the numbers that its queries and keys need, and the weights that its softmax gives.

The numbers are a rank, computed modulo a prime in which there are the roots of unity that cos and sin are made of: no
rank over the real numbers is less. Weights are intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers import oracles_averaging as plain

__all__ = ["coordinates", "modulus_of_the_weights"]

flint = lazy.load("flint")

MANY_BITS = 32
Rows = list[list[int]]


def coordinates(modulus: int) -> Finding:
    """The least k for which numbers phi(x) in R^k and linear maps give the printed queries and keys of all symbols.

    That is the rank of the matrix whose rows are the query and the key of a symbol side by side. Four numbers are
    enough, (cos, sin, 1, 0) and (0, 0, 0, 1) for the blank row; so are three for the logits less c, which have the
    same weights.
    """
    order = 4 * modulus
    prime, factor, wrong = plain.prime_above(1 << 20, order), 12345, []
    circle = modular_circle(modulus, prime)
    printed = printed_rows(circle, factor)
    rank = plain.rank_modulo(printed, prime)
    four = [[c, s, 1, 0] for c, s in circle] + [[0, 0, 0, 1]]
    maps = [[factor, 0, 0, 1, 0, 0], [0, factor, 0, 0, -1, 0], [0, 0, factor, 0, 0, 0], [0, 0, 0, 0, 0, 1]]
    if modular(times(four, maps), prime) != modular(printed, prime):
        wrong.append("four numbers do not give the printed queries and keys")
    three = [[c, s, 1] for c, s in circle] + [[0, 0, 0]]
    shifted = times(three, [[factor, 0, 0, 1, 0, 0], [0, factor, 0, 0, -1, 0], [0, 0, factor, 0, 0, -1]])
    if plain.rank_modulo(shifted, prime) > 3:
        wrong.append("the repaired queries and keys need more than three numbers")
    for asking in range(modulus):
        lower = {(was - now) % prime for was, now in zip(logits(printed, asking), logits(shifted, asking), strict=True)}
        if lower != {factor}:
            wrong.append(f"the repaired logits of {asking} are not lower by c")
    if modulus == 4 and not _four_in_integers(factor):
        wrong.append("in integers the rank is not 4")
    wrong += repaired_unit_fault(modulus)
    checked = modulus + 1
    return Finding(measured=rank, checked=checked, of=checked, violations=tuple(wrong[:3]), facts={"prime": prime})


def repaired_unit_fault(modulus: int) -> list[str]:
    """Whether the unit that is run elsewhere has the repaired maps: on (cos, sin, 1) and 0, without biases."""
    unit: Any = constructions.match2_unit(3, modulus).layers[0].attention
    scale, symbols = unit.precision.scale, [[symbol] for symbol in range(modulus + 1)]
    rows = [[*point, scale] for point in plain.circle(modulus, scale)] + [[0, 0, 0]]
    diagonals = {"query": (1, 1, 1), "key": (1, -1, -1)}
    wrong = [] if unit.embed(np.array(symbols)).tolist() == rows else ["the unit has other rows"]
    for name, entries in diagonals.items():
        part = getattr(unit, name)
        wanted = [[entry * scale * (row == column) for column in range(3)] for row, entry in enumerate(entries)]
        if part.weights.tolist() != wanted or part.bias.any():
            wrong.append(f"the unit has another {name} map")
    return wrong


def modular_circle(modulus: int, prime: int) -> list[tuple[int, int]]:
    """cos and sin of 2 pi x / M, for x = 0 .. M - 1, from a root of unity z: (z^x + z^-x) / 2 and (z^x - z^-x) / 2i."""
    root, i = plain.root_of_unity(modulus, prime), plain.root_of_unity(4, prime)
    half, powers = pow(2, -1, prime), [pow(root, x, prime) for x in range(modulus)]
    pairs = [(z, pow(z, -1, prime)) for z in powers]
    return [((z + w) * half % prime, (z - w) * half * pow(i, -1, prime) % prime) for z, w in pairs]


def printed_rows(circle: Sequence[tuple[int, int]], factor: int) -> Rows:
    """c (cos, sin, 1) and (cos, -sin, 0) of each symbol; 0 and the third unit vector of the blank row."""
    return [[factor * c, factor * s, factor, c, -s, 0] for c, s in circle] + [[0, 0, 0, 0, 0, 1]]


def times(vectors: Rows, matrix: Rows) -> Rows:
    """The products of vectors with a matrix."""
    columns = list(zip(*matrix, strict=True))
    return [[sum(a * b for a, b in zip(vector, column, strict=True)) for column in columns] for vector in vectors]


def modular(rows: Rows, prime: int) -> Rows:
    """All entries modulo a prime."""
    return [[entry % prime for entry in row] for row in rows]


def logits(rows: Rows, asking: int) -> list[int]:
    """The products of one symbol's query with all keys."""
    return [sum(a * b for a, b in zip(rows[asking][:3], row[3:], strict=True)) for row in rows]


def _four_in_integers(factor: int) -> bool:
    return int(flint.fmpz_mat(printed_rows([(1, 0), (0, 1), (-1, 0), (0, -1)], factor)).rank()) == 4


def modulus_of_the_weights(length: int, modulus: int) -> Finding:
    """For which r the printed weights are right where "x_i + x_j = 0" is read modulo r: every row of every word.

    Right means at most 1/(6N) for a symbol whose sum with the row's own is not 0, and within 1/(6N) of 1/(b + 1) for
    all others and the blank row, with b matches modulo M; and then the output is at most 1/6 without a match, and at
    least b/(b + 1) - 1/6 with one.
    """
    table = exponentials(length, modulus)
    read = range(1, 2 * modulus)
    holding = dict.fromkeys(read, True)
    cases = 0
    for word in product(range(modulus), repeat=length):
        for own in word:
            cases += 1
            matches = sum((own + other) % modulus == 0 for other in word)
            total = 1 + sum(table[(own + other) % modulus] for other in word)
            near = [abs(table[(own + other) % modulus] / total - _share(matches)) for other in word]
            for r in read:
                holding[r] &= all(_line(word, own, r, table, total, near, length))
            if not _output(matches, sum(table[(own + other) % modulus] for other in word) / total, 1 / total, length):
                holding[modulus] = False
    right = [r for r in read if holding[r]]
    wrong = [] if right == [modulus] else [f"the weights are right modulo {right}"]
    wrong += unit_faults(length, modulus)
    of = length * modulus**length
    return Finding(measured=right[0] if right else 0, checked=cases, of=of, violations=tuple(wrong))


def unit_faults(length: int, modulus: int) -> list[str]:
    """Whether the weights of the unit, in many bits, are where the printed line has them, read modulo M."""
    unit: Any = constructions.match2_unit(length, modulus, precision=MANY_BITS).layers[0].attention
    scale, most = unit.precision.scale, Fraction(1, 6 * length)
    for word in product(range(modulus), repeat=length):
        rows = np.array([[symbol] for symbol in (*word, modulus)])
        given = unit.weighting.row(unit.logits(unit.queries(rows), unit.keys(rows))).tolist()
        for own, row in zip(word, given[:length], strict=True):
            matching = [*((own + other) % modulus == 0 for other in word), True]
            shares = [Fraction(1, sum(matching)) if held else Fraction(0) for held in matching]
            if any(abs(Fraction(weight, scale) - share) > most for weight, share in zip(row, shares, strict=True)):
                return [f"the unit gives other weights in {word}"]
    return []


def _share(matches: int) -> Any:
    return flint.arb(1) / (matches + 1)


def exponentials(length: int, modulus: int) -> list[Any]:
    """exp(c (cos(2 pi s / M) - 1)) for each sum s modulo M, with c = M^2 ln(6 N): intervals."""
    factor = flint.arb(6 * length).log() * modulus**2
    found = [(factor * (flint.arb.cos_pi_fmpq(flint.fmpq(2 * s, modulus)) - 1)).exp() for s in range(modulus)]
    return [flint.arb(1), *found[1:]]


def _line(word: Any, own: int, r: int, table: list[Any], total: Any, near: list[Any], length: int) -> Iterator[bool]:
    most = flint.arb(1) / (6 * length)
    for other, distance in zip(word, near, strict=True):
        weight = table[(own + other) % len(table)] / total
        yield bool(weight <= most) if (own + other) % r else bool(distance <= most)


def _output(matches: int, output: Any, blank: Any, length: int) -> bool:
    sixth = flint.arb(1) / 6
    if not abs(blank - _share(matches)) <= sixth / length:
        return False
    return bool(output <= sixth) if not matches else bool(output >= 1 - _share(matches) - sixth)
