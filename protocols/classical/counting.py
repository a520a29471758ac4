"""What the classical protocols cost and how often they err, counted a second time, apart from any protocol.

Bits are as the textbooks count them; where a protocol branches, or tosses coins, it is played here once more on plain
numbers and strings, on all inputs and coins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, count, product
from math import ceil, isqrt
from typing import Any

from ccsim.engine import draw

__all__ = ["BITS", "ERRORS", "ERRORS_ALLOWED", "bits_for", "hastad_wigderson_runs", "worst_yannakakis"]


def bits_for(things: int) -> int:
    """The bits that number so many things: the least b with 2^b >= things."""
    return next(bits for bits in count() if 1 << bits >= things)


def _primes() -> Iterator[int]:
    return (number for number in count(2) if all(number % smaller for smaller in range(2, number)))


def _first_primes(n: int) -> list[int]:
    """Three times as many as can divide a positive number of n bits, and at least one."""
    most = max(
        sum(number % prime == 0 for prime, _ in zip(_primes(), range(n), strict=False)) for number in range(1, 2**n)
    )
    return [prime for prime, _ in zip(_primes(), range(max(1, 3 * most)), strict=False)]


def _fingerprint_bits(n: int) -> int:
    primes = _first_primes(n)
    return bits_for(len(primes)) + bits_for(primes[-1]) + 1


def _square(n: int) -> tuple[int, int, int]:
    """Block length, side and field of the smallest square that keeps an error of 1/3, from blocks of log n bits on."""
    for block in count(min(n, bits_for(n) or 1)):
        points = max(1, 3 * (ceil(Fraction(n, block)) - 1))
        side = isqrt(points - 1) + 1
        field = next(prime for prime in _primes() if prime >= 1 << block)
        if side * side <= field:
            return block, side, field
    raise AssertionError


def _newman_outcomes(n: int) -> list[int]:
    """The outcomes of 3 n coins that are drawn until the error is at most 1/8 + 5/24."""
    for doubling in count():
        drawn = [draw(1 << 3 * n, 0, "newman", number) for number in range(1 << doubling)]
        if _blind(n, 3, drawn) <= Fraction(1, 3):
            return drawn
    raise AssertionError


def _blind(n: int, strings: int, outcomes: list[int]) -> Fraction:
    """For the worst difference of two strings, the share of outcomes all of whose strings have product 0 with it."""
    blind = []
    for difference in range(1, 1 << n):
        parts = [[outcome >> n * place & (1 << n) - 1 for place in range(strings)] for outcome in outcomes]
        blind.append(sum(all((part & difference).bit_count() % 2 == 0 for part in each) for each in parts))
    return Fraction(max(blind), len(outcomes))


def _fingerprint_error(n: int) -> Fraction:
    primes = _first_primes(n)
    return Fraction(max(sum(number % prime == 0 for prime in primes) for number in range(1, 2**n)), len(primes))


def _square_error(n: int) -> Fraction:
    block, side, field = _square(n)
    blocks = [
        [x >> block * place & (1 << block) - 1 for place in range(ceil(Fraction(n, block)))] for x in range(1 << n)
    ]
    codes = [
        [sum(part * point**power for power, part in enumerate(parts)) % field for point in range(side * side)]
        for parts in blocks
    ]
    same = max(sum(a == b for a, b in zip(one, other, strict=True)) for one, other in combinations(codes, 2))
    return Fraction(same, side * side)


def _strings(n: int) -> int:
    """The least t with log n / 2^t at most 1/2."""
    return next(t for t in count() if 2 * bits_for(n) <= 1 << t)


def _greater_than_error(n: int) -> Fraction:
    """t strings of n coins; in each step Bob says whether the products of the first half of what is left agree."""
    outcomes = list(product(range(1 << n), repeat=_strings(n)))
    return max(
        Fraction(sum(_search(n, x, y, strings) != (x > y) for strings in outcomes), len(outcomes))
        for x, y in product(range(1 << n), repeat=2)
    )


def _search(n: int, x: int, y: int, strings: tuple[int, ...]) -> bool:
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        prefix = (1 << middle) - 1 << n - middle
        if all(((x ^ y) & prefix & string).bit_count() % 2 == 0 for string in strings):
            low = middle
        else:
            high = middle
    return bool(x >> n - 1 - low & 1 > y >> n - 1 - low & 1)


def _hastad_wigderson_error(n: int) -> Fraction:
    """Sets of one element, 6 random sets for each message, 9 bits: who speaks has its element, the other perhaps."""

    def fails(speaker: int, listener: int, left: int) -> Fraction:
        if left == 0 or not speaker:
            return Fraction(left == 0)
        failed = Fraction(1)
        for number in range(1, 7):  # the first set around the element, in 2 log (number + 1) + 1 bits
            said = 2 * ((number + 1).bit_length() - 1) + 1
            if said <= left:
                chance = Fraction(1, 1 << number)
                kept = fails(listener, speaker, left - said) / 2 + fails(0, speaker, left - said) / 2
                failed -= chance * (1 - (kept if listener else fails(0, speaker, left - said)))
        return failed

    return fails(1, 1, 9)


def hastad_wigderson_runs(n: int, x: int, y: int, public: int) -> tuple[bool, int]:
    """Sets of one element as masks, under one outcome of the coins: the answer, and the bits that were said."""
    sets, left, place, whole = [x, y], 9, 0, (1 << n) - 1
    while left:
        own = sets[place % 2]
        around = [i for i in range(6) if own & ~(public >> n * (6 * place + i)) & whole == 0]
        said = 1 if not own else 2 * ((around[0] + 2).bit_length() - 1) + 1 if around else 99
        longest = max(size for size in (1, 3, 5) if size <= left)
        if not own:
            return True, 10 - left
        if said > longest:
            return False, 9 - left + longest // 2 + 1
        sets[1 - place % 2] &= public >> n * (6 * place + around[0])
        left, place = left - said, place + 1
    return False, 9


def worst_yannakakis(n: int) -> int:
    """The most bits on a cycle of n vertices, over all cliques and independent sets."""
    near = {v: {(v - 1) % n, (v + 1) % n} for v in range(n)}
    cliques = [set[int](), *({v} for v in range(n)), *({v, (v + 1) % n} for v in range(n))]
    cliques += [{0, 1, 2}] if n == 3 else []
    subsets = [{v for v in range(n) if mask >> v & 1} for mask in range(1 << n)]
    independent = [each for each in subsets if all(not near[v] & each for v in each)]
    return max(_yannakakis_bits(near, clique, other) for clique, other in product(cliques, independent))


def _yannakakis_bits(near: dict[int, set[int]], clique: set[int], independent: set[int]) -> int:
    left, said, name = set(near), 0, bits_for(len(near) + 1)
    while left:
        few = {v for v in left if 2 * len(near[v] & left) < len(left)}
        said += name
        if clique & few:
            named = min(clique & few)
            left, other = left & near[named], independent
        else:
            said += name
            if not independent & (left - few):
                return said
            named = min(independent & (left - few))
            left, other = left - near[named] - {named}, clique
        said += 1
        if named in other:
            return said
    return said


BITS: dict[str, Callable[[int], int]] = {
    "two-way-index": lambda n: bits_for(n) + 1,
    "inner-product-equality": lambda n: 3,
    "fingerprint-equality": _fingerprint_bits,
    "simultaneous-equality": lambda n: 2 * (bits_for(_square(n)[1]) + _square(n)[1] * bits_for(_square(n)[2])),
    "newman-equality": lambda n: 3 + 1 + bits_for(len(_newman_outcomes(n))),
    "fingerprint-greater-than": lambda n: (_strings(n) + 1) * bits_for(n) + 2,
    "hastad-wigderson": lambda n: 9,
    "forehead-equality": lambda n: 2,
    "blackboard-equality": lambda n: n + 2,
    "point-to-point-equality": lambda n: 2 * n + 3,
    "median-search": lambda n: bits_for(n) + bits_for(n) * (bits_for(n + 1) + 1),
    "yannakakis": lambda n: (bits_for(n + 2) - 1) * (2 * bits_for(n + 1) + 1),
    "intersection-size": lambda n: n + bits_for(n + 1),
    "pointer-chasing-in-turn": lambda n: n * bits_for(n),
    "pointer-chasing-one-round-fewer": lambda n: (2 * n - 2) * bits_for(n),
}
"""By the name of the protocol: what the books say that it costs at size n."""

ERRORS: dict[str, Callable[[int], Fraction]] = {
    "inner-product-equality": lambda n: _blind(n, 2, list(range(1 << 2 * n))),
    "fingerprint-equality": _fingerprint_error,
    "simultaneous-equality": _square_error,
    "newman-equality": lambda n: _blind(n, 3, _newman_outcomes(n)),
    "fingerprint-greater-than": _greater_than_error,
    "hastad-wigderson": _hastad_wigderson_error,
}
"""By the name of the protocol: its error on the worst input of size n, over all coins."""

ERRORS_ALLOWED: dict[str, Any] = {
    "inner-product-equality": Fraction(1, 4),
    "fingerprint-greater-than": Fraction(1, 2),
    **dict.fromkeys(
        ["fingerprint-equality", "simultaneous-equality", "newman-equality", "hastad-wigderson"], Fraction(1, 3)
    ),
}
"""By the name of the protocol: the error that its summary allows."""
