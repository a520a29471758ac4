"""What equality costs with coins, over sizes: protocols run on drawn and on worst inputs, errors exact by structure."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import log2, prod

from ccsim import engine
from ccsim.claims import Finding, sizes_up_to
from protocols import classical

__all__ = ["private_coins", "public_coins"]

EVERY = 4  # up to so many bits all inputs and all coins are gone through
DRAWN = 36  # runs on drawn inputs and coins at each larger size


def public_coins(length: int, constant: int) -> Finding:
    """Inner products with two shared strings: 3 bits at any size, an error of exactly 1/4.

    Alice sends <x, r> and <x, s> modulo 2, Bob whether <y, r> and <y, s> are the same: t + 1 = 3 bits for t = 2
    strings. For z = x + y other than 0 half of all strings r have <z, r> = 0 (flip r where z has its first 1: that
    pairs those that do with those that do not), so both do for a quarter of all pairs of strings. Up to 4 bits all
    inputs and coins are gone through; at larger sizes drawn ones, where the answer must be that of those two products.
    """
    found = _Found()
    for n in sizes_up_to(length):
        protocol = classical.inner_product_equality(n)
        found.add(n, 3, 16**n, _drawn(protocol, n, "public", 4**n, _by_products))
        found.measure(n, protocol, Fraction(1, 4))
    found.needed(constant, max(found.bits.values()))
    return found.finding("1/4 at every size")


def private_coins(length: int, constant: int) -> Finding:
    """A residue modulo a random prime: logarithmically many bits, an error of at most 1/3.

    A positive number below 2^n has at most k different prime factors, where k is the most primes whose product is below
    2^n; so among the first P = 3k primes at most a third divide x - y. Alice sends which prime, and the residue modulo
    it, Bob whether his is the same: L(P) + L(p) + 1 bits, where p is the P-th prime. That is no more than 7 log2 n bits
    from n = 4 on: k < n, as k different primes have a product above 2^k; p <= P^2; so the bits are at most
    3 log2(3n) + 3 < 3 log2 n + 7.76, which is below 7 log2 n there.

    Up to 4 bits all inputs and coins are gone through. At larger sizes all of Alice's coins are, for the pair of the
    product of the first k primes and 0, on which the error is exactly k/P; and drawn ones for drawn pairs.
    """
    found = _Found()
    for n in sizes_up_to(length, low=4):
        protocol = classical.fingerprint_equality(n)
        primes = _primes(10 * n)
        k = max(count for count in range(n) if prod(primes[:count]) < 1 << n)
        first = primes[: 3 * k]
        bits = (len(first) - 1).bit_length() + (first[-1] - 1).bit_length() + 1
        found.add(n, bits, 4**n * len(first), _drawn(protocol, n, "alice", len(first), _modulo(first)))
        found.add(n, bits, 0, _all_primes(protocol, n, prod(primes[:k]), len(first), k))
        found.measure(n, protocol, Fraction(k, len(first)))
    found.needed(constant, 2 * max(bits / log2(n) for n, bits in found.bits.items()))
    return found.finding("k/P, at most 1/3, at every size")


Runs = Iterator[tuple[int, str]]
"""The bits of each run, and what is wrong with it."""

Told = Callable[[int, int, int, int], bool]
"""Whether x and y are taken for equal, by coins, at n bits."""


@dataclass
class _Found:
    """The most bits at each size, how many runs there were of how many, and what was wrong."""

    bits: dict[int, int] = field(default_factory=dict)
    checked: int = 0
    of: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, n: int, wanted: int, of: int, runs: Runs) -> None:
        """Runs at one size, each of which must have so many bits."""
        for bits, fault in runs:
            self.bits[n] = max(self.bits.get(n, 0), bits)
            self.checked += n > EVERY
            if fault or bits != wanted:
                self.wrong.append(fault or f"{bits} bits, not {wanted}, at n = {n}")
        self.of += of

    def measure(self, n: int, protocol: engine.Protocol, error: Fraction) -> None:
        """All inputs and all coins, where they are few."""
        if n <= EVERY:
            found = protocol.measure_error()
            self.checked += int(found.promised.sum()) * found.weight
            self.wrong += [str(violation) for violation in found.violations]
            if (found.worst_error, found.worst_bits, found.exact) != (error, self.bits[n], True):
                self.wrong.append(f"error {found.worst_error} with {found.worst_bits} bits at n = {n}")

    def needed(self, constant: int, most: float) -> None:
        """The declared constant must not be more than what some size needs, or a small multiple of that."""
        if constant > most:
            self.wrong.append(f"a constant of {constant}, where {most} would do")

    def finding(self, error: str) -> Finding:
        """The series of bits."""
        series = tuple(self.bits.items())
        facts = {"error": error}
        return Finding(series=series, checked=self.checked, of=self.of, violations=tuple(self.wrong), facts=facts)


def _by_products(x: int, y: int, coins: int, n: int) -> bool:
    """Whether the inner products of both strings with the two that the coins write are the same."""
    strings = coins >> n, coins & ((1 << n) - 1)
    return all((x & string).bit_count() % 2 == (y & string).bit_count() % 2 for string in strings)


def _modulo(primes: list[int]) -> Told:
    """Whether two numbers have the same residue modulo the prime of a number."""
    return lambda x, y, place, _: (x - y) % primes[place] == 0


def _drawn(protocol: engine.Protocol, n: int, role: str, outcomes: int, told: Told) -> Runs:
    """Runs on drawn coins and inputs, of which a third are equal and a third differ in one bit."""
    generator = random.Random(f"{role} {n}")
    for number in range(DRAWN):
        x, outcome = generator.randrange(1 << n), generator.randrange(outcomes)
        y = (x, x ^ 1 << generator.randrange(n), generator.randrange(1 << n))[number % 3]
        public, private = (outcome, None) if role == "public" else (None, {role: outcome})
        run = protocol.run(f"{x:0{n}b}", f"{y:0{n}b}", public=public, private=private)
        wanted = int(told(x, y, outcome, n))
        yield run.bits, "" if run.answer == wanted else f"answers {run.answer} on {x}, {y} with coins {outcome}"


def _all_primes(protocol: engine.Protocol, n: int, x: int, outcomes: int, most: int) -> Runs:
    """All of Alice's coins on x and 0, which ``most`` of them must take for equal."""
    runs = [protocol.run(f"{x:0{n}b}", "0" * n, private={"alice": place}) for place in range(outcomes)]
    wrong = sum(run.answer == 1 for run in runs)
    for run in runs:
        yield run.bits, "" if wrong == most else f"{wrong} of {outcomes} primes take {x} for 0, not {most}"


def _primes(below: int) -> list[int]:
    """All primes below a number, by a sieve."""
    left = set(range(2, below))
    for number in range(2, below):
        if number in left:
            left -= set(range(2 * number, below, number))
    return sorted(left)
