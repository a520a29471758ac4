"""At every length, products: tensor-power, tensor-shifts, substitution."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from .data import CODES, Table, TooLarge, integer, is_prime, items, need, prime_of
from .families import MOST_COUNTED, Count, Family, FamilyClaim, always
from .pair_words import recurrence, values_of
from .regular_sets import total


@always("tensor-power", "lower rank", "lower deterministic")
def check_tensor_power(claim: FamilyClaim, weights: Any) -> Count:
    """Weights of states (1 at the start) that each pair of letters multiplies by a number of its own, b(x, y), make the
    matrix of the last states' weights the n-th tensor power of b, of rank r^n if b has rank r. If moreover the last
    state's weight is w where the answer is v and some w' elsewhere, this matrix less w' in all cells is w - w' times
    the 0/1 matrix of v, whose rank is thus r^n at least, or r^n - 1 if w' is not 0. Leaves of different answers are
    different, and those of one are at least as many as its rank, over the rationals."""
    family = claim.family
    total(family)
    field = claim.parameters.get("field", "rational")
    prime = 0 if field == "rational" else prime_of(field)
    base = tensor_rank(family, weights, prime)
    weighing = [value % prime for value in weights] if prime else weights
    codes = (
        range(len(family.labels)) if claim.measure == "deterministic" else [integer(claim.parameters["code"], 0, CODES)]
    )
    need(claim.answer == "both", "both parties know the answer")
    lost = [loss for loss in (lost_rank(family, weighing, code) for code in codes) if loss is not None]
    need(bool(lost), "other weights for no answer")
    return recurrence([max(0, len(lost) * base**n - sum(lost)) for n in range(1, 8)], family.spend)


@always("tensor-shifts", "lower deterministic")
def check_tensor_shifts(claim: FamilyClaim, prime: Any, code: Any, weights: Any, terms: Any) -> Count:
    """Weights modulo a prime as for a tensor power: the matrix of the last states' weights has rank r^n over GF(p). Let
    the weight of every state t be a sum of m terms, each a factor times whether the answer is v after t and a fixed
    word of k pairs. Then that matrix is a sum of m multiples of parts of the 0/1 matrix of v for n + k letters: of
    those lines that end in one of these words. So the rank of that, and the leaves with this answer, are at least
    r^n / m; r^(n - j) is not more, where r^j >= m."""
    family = claim.family
    total(family)
    need(claim.answer == "both", "both parties know the answer")
    need(is_prime(integer(prime, 2, 1 << 16)), "expected a prime")
    integer(code, 0, len(family.labels) - 1)
    base, after, listed = tensor_rank(family, weights, prime), family.after_some(), items(terms)
    sums, lengths = dict.fromkeys(after, 0), {0} if not listed else set()
    for factor, word in (items(term, 2) for term in listed):
        lengths.add(len(items(word)))
        integer(factor, 0, prime - 1)
        family.spend(100 * len(word))
        pairs = [items(pair, 2) for pair in word]
        for x, y in pairs:
            integer(x, 0, family.alice - 1)
            integer(y, 0, family.bob - 1)
        for state in after:
            family.spend(20 * len(pairs) + 20)
            last = state
            for x, y in pairs:
                last = family.table[last][x][y]
            sums[state] += factor * (family.outputs[last] == code)
    good = all((sums[state] - weights[state]) % prime == 0 for state in after)
    need(good and len(lengths) == 1, "weights that are no such sums, of words of one length")
    lost = next(power for power in range(64) if max(base, 2) ** power >= len(listed)) + lengths.pop()
    return recurrence([base ** max(0, n - lost) if base else 0 for n in range(1, 2 * lost + 8)], family.spend)


def tensor_rank(family: Family, weights: Any, prime: int) -> int:
    """The rank of one block of the matrix of weights of the last states, once it is seen to be a tensor power."""
    weighing = [integer(value, -(10**6), 10**6) for value in items(weights, len(family.table))]
    block = [[weighing[state] for state in line] for line in family.table[family.first]]
    need(weighing[family.first] == 1, "a weight of 1 at the start")
    for state in family.after_some() | {family.first}:
        family.spend(20 * family.alice * family.bob)
        for lines, factors in zip(family.table[state], block, strict=True):
            for after, factor in zip(lines, factors, strict=True):
                wrong = weighing[after] - weighing[state] * factor
                need(wrong % prime == 0 if prime else wrong == 0, "a pair of letters multiplies by two numbers")
    return plain_rank(family, block, prime)


@always("substitution", "lower deterministic")
def check_substitution(claim: FamilyClaim, prefix: Any, alice: Any, bob: Any, suffixes: Any, of: Any) -> Count:
    """A smaller problem inside: its letters are written as words of k letters of each party, between a prefix and a
    suffix that both know. There are k suffixes, each a pair longer than the one before, so that every length from some
    one on is reached; with each of them the smaller family has the same bound. What a part needs, the whole needs."""
    family = claim.family
    words = [[items(word) for word in items(listed)] for listed in (alice, bob)]
    size = len(words[0][0])
    need({len(word) for listed in words for word in listed} == {size} != {0}, "words of one length")
    need(len(items(suffixes)) == size <= MOST_COUNTED, "as many suffixes as letters in a word")
    shortest = len(items(suffixes[0]))
    need([len(items(suffix)) for suffix in suffixes] == [*range(shortest, shortest + size)], "suffixes of all lengths")

    def led(state: int, pairs: Iterable[Any]) -> int:
        for x, y in pairs:
            family.spend(20)
            state = family.table[state][integer(x, 0, family.alice - 1)][integer(y, 0, family.bob - 1)]
        return state

    states = range(len(family.table))
    family.spend(200 * size * len(states) * len(words[0]) * len(words[1]))
    table = [[[led(q, zip(x, y, strict=True)) for y in words[1]] for x in words[0]] for q in states]
    found = []
    for suffix in suffixes:
        outputs = [family.outputs[led(q, (items(pair, 2) for pair in suffix))] for q in states]
        smaller = Family(table, outputs, led(family.first, (items(pair, 2) for pair in items(prefix))), family.labels)
        smaller.left = family.left
        found.append(FamilyClaim(smaller, claim.measure, claim.side, claim.parameters).proved(of))
    need(found == [found[0]] * size, "another bound with another suffix")
    before = len(prefix) + shortest
    order = before + size * (len(found[0][0]) + 1)
    need(order <= 4 * MOST_COUNTED, "a longer substitution than is looked at", TooLarge)
    inner = [0, *values_of(found[0], 2 * order + 2)]
    return recurrence([inner[max(0, n - before) // size] for n in range(1, 2 * order + 3)], family.spend)


def lost_rank(family: Family, weighing: list[int], code: int) -> int | None:
    """What subtracting the weight of all other answers takes from the rank; None if there is no one such weight."""
    own, others = (
        {weighing[state] for state in family.after_some() if (family.outputs[state] == code) is same}
        for same in (True, False)
    )
    if len(own) != 1 or len(others) > 1 or own == others:
        return None
    return int(bool(others) and others != {0})


def plain_rank(family: Family, rows: Table, prime: int) -> int:
    """The rank of a matrix of integers, over the rationals or modulo a prime."""
    family.spend(400 * len(rows) * len(rows[0]) * min(len(rows), len(rows[0])))
    left, found = [[Fraction(value % prime if prime else value) for value in row] for row in rows], 0
    for column in range(len(rows[0])):
        place = next((at for at in range(found, len(left)) if left[at][column]), None)
        if place is None:
            continue
        left[found], left[place] = left[place], left[found]
        for at in range(found + 1, len(left)):
            head = left[at][column] / left[found][column] if not prime else (
                left[at][column] * pow(int(left[found][column]), -1, prime))  # fmt: skip
            left[at] = [value - head * pivot for value, pivot in zip(left[at], left[found], strict=True)]
            left[at] = [value % prime for value in left[at]] if prime else left[at]
        found += 1
    return found
