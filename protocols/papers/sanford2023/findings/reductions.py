"""Disjointness, and a bit at a place, as averages and as triples: every input, by plain fractions and sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from ccsim import bounds, problems
from ccsim.claims import Finding
from ccsim.matrices import CommunicationMatrix
from protocols.papers import checks
from protocols.papers import oracles_averaging as plain
from protocols.papers.plain.certified import certified
from protocols.reductions import task_reductions

__all__ = ["averaging", "recurrent", "state_of_the_task", "triples"]

Word = tuple[tuple[tuple[int, ...], int], ...]


def inputs(bits: int) -> Iterator[tuple[int, ...]]:
    """All texts of so many bits, in numerical order."""
    return product((0, 1), repeat=bits)


def text(bits: tuple[int, ...]) -> str:
    """Bits as a party's input is written."""
    return "".join(map(str, bits))


def printed_word(a: tuple[int, ...], b: tuple[int, ...], rows: int) -> Word:
    """The rows (y_j, z_j) of the longer slides, as they print them: Alice's set in row 2q + 1, a sign in every row."""
    q = len(a)
    chosen = tuple(2 * i - 1 if bit == 1 else 2 * i for i, bit in enumerate(a, start=1))
    signs = [1 if j % 2 == 1 and j <= 2 * q and b[(j + 1) // 2 - 1] == 1 else -1 for j in range(1, rows + 1)]
    nobody = tuple(range(1, q + 1))
    return tuple((chosen if j == 2 * q + 1 else nobody, sign) for j, sign in enumerate(signs, start=1))


def averaging(length: int, extra: int) -> Finding:
    """Two sets of q as a word of 2q + 1 rows or more, whose average tells whether they meet; and the bits it takes."""
    q, row = length, 2 * length + 1
    reduction, wrong = task_reductions.intersection_to_sparse_averaging(q, row + extra), []
    for a, b in product(inputs(q), repeat=2):
        word = printed_word(a, b, row + extra)
        found, met = plain.average(word[row - 1][0], [sign for _, sign in word]), plain.meet(a, b)
        ours = reduction.word(text(a), text(b))
        if tuple((tuple(sorted(y)), z) for y, z in ours) != tuple((tuple(sorted(y)), z) for y, z in word):
            wrong.append(f"the word for {a}, {b} is {ours}, not {word}")
        if reduction.task(ours) != found or reduction.decode(found) != met:
            wrong.append(f"the average for {a}, {b} is {found}, and they meet: {met}")
        if (found == -1) != (met == 0) or (met and found < -1 + Fraction(2, q)):
            wrong.append(f"{found} is within 1/q of what the other answer has, for {a}, {b}")
    return _met(reduction, q, wrong, facts={"rows": row + extra, "inputs": 4**q})


def recurrent(length: int) -> Finding:
    """A bit at a place as a row that names a row: every text and place, and the bits of one message."""
    held, wrong = length - 1, []
    reduction = task_reductions.index_to_sparse_averaging(held)
    for bits in inputs(held):
        for place in range(1, length):
            word = (*(((1,), 2 * bit - 1) for bit in bits), ((place,), -1))
            found = plain.average(word[-1][0], [sign for _, sign in word])
            if reduction.word(text(bits), place) != word or reduction.task(word) != found:
                wrong.append(f"another word or average for {bits}, {place}")
            if found != 2 * bits[place - 1] - 1 or reduction.decode(found) != bits[place - 1]:
                wrong.append(f"the average does not tell bit {place} of {bits}")
    table = [[bits[place - 1] for place in range(1, length)] for bits in inputs(held)]
    return certified(checks.one_way_bits(reduction.source), table, violations=tuple(wrong[:3]))


def state_of_the_task(length: int, values: int = 1) -> Finding:
    """All prefixes of N - 1 rows against all last rows: what one message between them takes, and no bit more.

    A value is d' signs, divided by the root of d'; signs are what counts.
    """
    rows = list(product(range(1, length + 1), product((-1, 1), repeat=values)))
    table = [
        [_averages(chosen, (*(signs for _, signs in prefix), last)) for chosen, last in rows]
        for prefix in product(rows, repeat=length - 1)
    ]
    if values == 1:
        split = problems.q_sparse_averaging(length, 1).split(problems.Partition.prefix(length, length - 1))
        return certified(checks.one_way_bits(split), [[cell[0] for cell in line] for line in table])
    codes = [[sum((entry > 0) << place for place, entry in enumerate(cell)) for cell in line] for line in table]
    matrix = CommunicationMatrix.from_array(codes)
    return certified(replace(bounds.one_way(matrix), matrix=matrix), codes)


def _averages(chosen: int, values: tuple[tuple[int, ...], ...]) -> tuple[Fraction, ...]:
    """The average of one row, number by number."""
    return tuple(plain.average([chosen], column) for column in zip(*values, strict=True))


def triples(length: int, modulus: int, encoding: str) -> Finding:
    """Two sets of (N - 1)/2 as N numbers, of which a triple adds up to 0 with the first iff they meet: every input.

    The first number is the same in all words, each party's numbers depend on its own set alone, and Match3 is asked
    by looking at all pairs. (The slides do not print numbers: these are ours.)
    """
    half = (length - 1) // 2
    reduction, wrong = task_reductions.intersection_to_match3(half, encoding, modulus), []
    halves: dict[Any, set[Any]] = {}
    for a, b in product(inputs(half), repeat=2):
        word = reduction.word(text(a), text(b))
        first, mine, theirs = word[0], word[1 : half + 1], word[half + 1 :]
        halves.setdefault(("first",), set()).add(first)
        halves.setdefault(("alice", a), set()).add(mine)
        halves.setdefault(("bob", b), set()).add(theirs)
        met = plain.meet(a, b)
        if len(word) != length or not all(0 <= number < modulus for number in word):
            wrong.append(f"{word} is no word of {length} numbers below {modulus}")
        if plain.match3(word, modulus, 1) != met or reduction.task(word) != met:
            wrong.append(f"Match3 is not whether {a} and {b} meet, in {word}")
    if any(len(made) > 1 for made in halves.values()):
        wrong.append("what one party writes depends on the other's set")
    return _met(reduction, half, wrong)


def _met(reduction: Any, size: int, wrong: list[str], **more: Any) -> Finding:
    """The certified bits after which Bob knows whether two sets meet, and whatever was wrong with a reduction of it."""
    table = [[plain.meet(a, b) for b in inputs(size)] for a in inputs(size)]
    return certified(bounds.deterministic(reduction.source, answer="bob"), table, violations=tuple(wrong[:3]), **more)
