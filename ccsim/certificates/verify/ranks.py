"""Rank: pivots, elimination, lines."""

from __future__ import annotations

from math import isqrt, prod
from typing import Any

from .claims import Claim, proves
from .data import MOST_PRIME, integer, is_prime, items, need
from .matrices import Matrix


def extended(matrix: Matrix, basis: Any, row: int, columns: list[int], prime: int) -> Any:
    """An echelon form over GF(prime) with one more 0/1 row, given as a mask; itself if the row depends on it.

    A vector over GF(2) is a mask, and has its place as a mask with one bit. Else it is one long integer, 80 bits for
    each column, which hold all that elimination adds to an entry: at most 2^17 products of two numbers below 2^31. A
    basis has (place of the first entry, in bits; vector) with a 1 there.
    """
    if prime == 2:
        matrix.spend(40 + len(basis) * (4 + matrix.long[0] + matrix.long[1]))
        for place, pivot in basis:
            if row & place:
                row ^= pivot
        return (*basis, (row & -row, row)) if row else basis
    matrix.spend(30 + 16 * len(columns) + len(basis) * (20 + len(columns) // 6))
    text, lane = bin(row)[:1:-1].ljust(columns[-1] + 1 if columns else 0, "0"), (1 << 80) - 1
    vector = int.from_bytes(b"".join([(text[column] == "1").to_bytes(10, "little") for column in columns]), "little")
    for place, pivot in basis:
        head = (vector >> place & lane) % prime
        if head:
            vector += (prime - head) * pivot
    data = vector.to_bytes(10 * len(columns), "little")
    entries = [int.from_bytes(data[at : at + 10], "little") % prime for at in range(0, len(data), 10)]
    place = next((place for place, entry in enumerate(entries) if entry), -1)
    if place < 0:
        return basis
    inverse = pow(entries[place], -1, prime)
    scaled = b"".join([(entry * inverse % prime).to_bytes(10, "little") for entry in entries])
    return (*basis, (80 * place, int.from_bytes(scaled, "little")))


def rank(matrix: Matrix, rows: list[int], prime: Any) -> int:
    """The rank of 0/1 rows, given as masks, over GF(prime)."""
    return rank_over(matrix, rows, prime_from(matrix, prime, 2))


def prime_from(matrix: Matrix, value: Any, least: int) -> int:
    """A prime that is not less than the least that is allowed."""
    matrix.spend(100 + 3 * isqrt(integer(value, least, MOST_PRIME)))
    need(is_prime(value), "expected a prime")
    return int(value)


def rank_over(matrix: Matrix, rows: list[int], prime: int) -> int:
    """The rank of 0/1 rows over GF(prime), for what is a prime."""
    need(len(rows) <= 1 << 17, "too many rows for their rank")
    every, basis = 0, ()
    for row in rows:
        every |= row
    columns = matrix.places(every)
    for row in rows:
        basis = extended(matrix, basis, row, columns, prime)
    return len(basis)


def indicator(matrix: Matrix, code: int, rows: int = -1, columns: int = -1) -> list[int]:
    """The 0/1 rows of one answer in a rectangle, by default in the whole matrix, which must be total there."""
    masks, free, places = matrix.masks(code), matrix.masks(-1), matrix.places(rows & (1 << matrix.height) - 1)
    matrix.spend(len(places) * (8 + 2 * matrix.long[0]))
    need(not any(free[row] & columns for row in places), "free cells have no rank")
    return [masks[row] & columns for row in places]


@proves("pivots", "lower rank", "lower partition")
def check_pivots(claim: Claim, prime: Any, rows: Any, columns: Any) -> int:
    """The rank of a submatrix modulo a prime: rank over that field is at least it, and so is rank over the rationals,
    because a minor that is not 0 modulo a prime is not 0. Disjoint rectangles of an answer add up to its 0/1 matrix,
    and each has rank one over any field."""
    right = claim.measure == "partition" or claim.parameters["field"] in ("rational", f"GF({prime})")
    need(right, "pivots over another field")
    return rank(claim.matrix, indicator(claim.matrix, claim.code, *claim.matrix.rectangle(rows, columns)), prime)


@proves("elimination", "upper rank")
def check_elimination(claim: Claim, primes: Any) -> int:
    """Over GF(p) the checker finds the rank itself. The rational rank is at most r if it is modulo different primes
    whose product is above every minor of r + 1 = k rows: these minors are 0 modulo the product. By Hadamard a 0/1
    minor is at most (k + 1)^((k + 1) / 2) / 2^k."""
    need(0 < len(items(primes)) == len(set(primes)) <= 1 << 15, "different primes")
    rows = sorted(set(indicator(claim.matrix, claim.code)))
    most = max(rank(claim.matrix, rows, prime) for prime in primes)
    if claim.parameters["field"] == "rational":
        claim.matrix.spend(len(primes) ** 2)
        product = prod(primes) << most + 1
        need(product.bit_length() < 1 << 20 and product**2 > (most + 2) ** (most + 2), "too few primes")
    else:
        need(claim.parameters["field"] == f"GF({primes[0]})" and len(primes) == 1, "elimination over another field")
    return most
