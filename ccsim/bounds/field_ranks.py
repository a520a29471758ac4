"""Rank over fields, the bounds that follow from it, and their brackets.

The indicator matrix [f = v] is a sum of as many matrices of rank at most one as there are v-leaves. Hence, over every
field, leaves >= sum over answers v of rank([f = v]), and a tree of depth d has at most 2^d leaves. The rank modulo a
prime never exceeds the rational rank, so it is a valid lower bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.bounds.bracket import Bracket, Side, Witness, timed
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.claims import bits_for
from ccsim.errors import Array, InputError
from ccsim.matrices import CommunicationMatrix, MergedMatrix
from ccsim.problems.function import Subject, matrix_of

flint = lazy.load("flint")


LARGE_PRIME = 2147483629
"""The largest prime below 2^31 - 2^4: products of residues fit in 64 bits."""

PLAIN_ELIMINATION = 300  # up to this size a checker may eliminate modulo a large prime entry by entry


def pack_rows(table: Array) -> list[int]:
    """Each row of a 0/1 table as an integer: bit c is the cell in column c."""
    packed = np.packbits(np.ascontiguousarray(table).astype(bool), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def independent_gf2(rows: Iterable[int], limit: int | None = None) -> dict[int, int]:
    """The first independent rows, each with a column: the square submatrix of these rows and columns is not singular.

    Of each row a part is left after elimination, and the column is the last in it; no two parts have the same.
    """
    basis: dict[int, int] = {}
    places: dict[int, int] = {}
    for place, row in enumerate(rows):
        while (last := row.bit_length()) in basis:
            row ^= basis[last]
        if row:
            basis[last] = row
            places[place] = last - 1
            if len(places) == limit:
                break
    return places


def independent_gf3(rows: Iterable[int], limit: int | None = None) -> dict[int, int]:
    """The same over GF(3) for 0/1 rows, bit-sliced: one integer for +1, one for -1."""
    basis: dict[int, tuple[int, int, int]] = {}  # each part with what is 0 in it; its last entry is -1
    places: dict[int, int] = {}
    for place, plus in enumerate(rows):
        minus = 0
        while (last := max(plus.bit_length(), minus.bit_length())) in basis:
            one, two, neither = basis[last]
            if minus.bit_length() == last:
                one, two = two, one
            none = ~(plus | minus)
            plus, minus = plus & neither | one & none | minus & two, minus & neither | two & none | plus & one
        if last:
            one, two = (minus, plus) if plus.bit_length() == last else (plus, minus)
            basis[last] = one, two, ~(plus | minus)
            places[place] = last - 1
            if len(places) == limit:
                break
    return places


SLICED = {2: independent_gf2, 3: independent_gf3}


def rank_modulo(table: Array, prime: int) -> int:
    """The rank of an integer table modulo a prime below 2^63, exactly."""
    if prime == 2:
        return len(independent_gf2(pack_rows(np.asarray(table) % 2)))
    return int(_flint_matrix(table, prime).rank())


def _flint_matrix(table: Array, prime: int) -> Any:
    table = np.asarray(table)
    if table.ndim != 2:
        raise InputError("table", table.shape, "two dimensions")
    return flint.nmod_mat(table.shape[0], table.shape[1], (table % prime).ravel().tolist(), prime)


def rank_witness(table: Array, prime: int = LARGE_PRIME) -> dict[str, Any]:
    """Pivots: their square submatrix is not singular modulo a prime, so neither over the rationals."""
    table = np.asarray(table)
    if prime in SLICED and table.size and int(table.min()) >= 0 and int(table.max()) <= 1:
        pivots = SLICED[prime](pack_rows(table))
        rows, columns = list(pivots), sorted(pivots.values())
    else:
        rows = _pivots(_flint_matrix(table.T, prime))
        symmetric = table.shape[0] == table.shape[1] and (table == table.T).all()  # then the same columns will do
        columns = rows if symmetric else _pivots(_flint_matrix(table[rows], prime))
    return {"kind": "pivots", "prime": prime, "rows": rows, "columns": columns}


def in_the_whole(pivots: dict[str, Any], merged: MergedMatrix) -> dict[str, Any]:
    """Pivots of a merged matrix in the matrix itself: the first of each class of equal rows or columns."""
    rows, columns = merged.rows[pivots["rows"]].tolist(), merged.columns[pivots["columns"]].tolist()
    return {**pivots, "rows": rows, "columns": columns}


def _pivots(matrix: Any) -> list[int]:
    reduced, rank = matrix.rref()
    pivots, column = [], 0
    for row in range(rank):
        while int(reduced[row, column]) == 0:
            column += 1
        pivots.append(column)
    return pivots


@dataclass(frozen=True)
class LeafRank:
    answer: str
    primes: tuple[int, ...]  # per label
    ranks: tuple[int, ...]  # per label, over GF(prime)

    @property
    def leaves(self) -> int:
        """At least so many leaves: the sum of the ranks, or their maximum if only one party knows."""
        return max(1, sum(self.ranks) if self.answer == "both" else max(self.ranks, default=1))

    @property
    def bits(self) -> int:
        return bits_for(self.leaves)


def leaf_rank(
    matrix: Subject, answer: str = "both", primes: Sequence[int] = (), *, only_bits: bool = False
) -> LeafRank:
    """The leaf-rank bound of a total matrix, with the best of a few fields per answer.

    Args:
        matrix: total (with don't-care cells the rank bounds nothing).
        answer: ``"both"``, ``"alice"`` or ``"bob"``: who knows the answer. If only Alice does, a leaf has
            constant rows, so that each indicator matrix restricted to it has rank at most one, and the
            number of leaves is at least the largest of the ranks; likewise for Bob.
        primes: the fields to try; by default 2 and 3, and up to 300 x 300 also a large prime.
        only_bits: whether ranks need not be complete once they give as many bits as ranks of that shape can.

    >>> leaf_rank(CommunicationMatrix.from_array(np.eye(8, dtype=int))).bits
    4
    """
    matrix = matrix_of(matrix)
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    matrix = matrix.merge().matrix
    small = min(matrix.shape) <= PLAIN_ELIMINATION
    fields = tuple(primes) or ((2, 3, LARGE_PRIME) if small else (2, 3))
    full, best = min(matrix.shape), [(0, -fields[0])] * len(matrix.labels)
    most = full * len(best) if answer == "both" else full
    enough = (1 << bits_for(most) >> 1) + 1 if only_bits else most
    for prime in fields:
        for code, (rank, _) in enumerate(best):
            others = sum(other for other, _ in best) - rank if answer == "both" else 0
            if rank < (limit := min(full, enough - others)):  # else no field gives more
                best[code] = max(best[code], (label_rank(matrix, code, prime, limit), -prime))
    return LeafRank(answer, tuple(-prime for _, prime in best), tuple(rank for rank, _ in best))


@lru_cache(maxsize=64)
def label_pivots(matrix: CommunicationMatrix, code: int, prime: int) -> Witness:
    return rank_witness((matrix.codes == code).astype(np.int64), prime)


def label_rank(matrix: CommunicationMatrix, code: int, prime: int, most: int | None = None) -> int:
    """The rank, or ``most`` if it is larger, modulo a small prime."""
    if prime in SLICED and most is not None and most < min(matrix.shape):
        return len(SLICED[prime](pack_rows(matrix.codes == code), most))
    if prime in SLICED:
        return len(label_pivots(matrix, code, prime)["rows"])
    return rank_modulo((matrix.codes == code).astype(int), prime)


FIELDS = {"GF(2)": 2, "rational": LARGE_PRIME}
"""Fields by name, and modulo what pivots are sought."""

QUICK = 1 << 25  # cells times rank, up to which the checker certainly eliminates


def rank_stages(matrix: CommunicationMatrix, code: int, field: str) -> Iterator[Bracket]:
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    prime, merged = FIELDS[field], matrix.merge()
    parameters = {"code": code, "label": str(matrix.labels[code]), "field": field}
    different = _different(merged, code)
    for small in SLICED if field == "rational" else ():
        below = in_the_whole(label_pivots(merged.matrix, code, small), merged)
        lower = Side(len(below["rows"]), f"pivots modulo {small}", below)
        if lower.value == different:  # of full rank modulo a small prime, of full rank
            prime = small
            break
        yield Bracket("rank", lower, Side(different, "lines", {"kind": "lines"}), parameters, "")
    below = in_the_whole(label_pivots(merged.matrix, code, prime), merged)
    lower = Side(len(below["rows"]), f"pivots modulo {prime}", below)
    for upper, witness in _uppers(matrix, merged, code, field, len(below["rows"]), different):
        by = witness["kind"] if witness else "exact elimination, without certificate"
        yield Bracket("rank", lower, Side(upper, by, witness), parameters, "")


def numbers_of(matrix: CommunicationMatrix) -> list[int] | None:
    """The labels, if they are integers."""
    whole = [label for label in matrix.labels if isinstance(label, int | np.integer) and not isinstance(label, bool)]
    return list(map(int, whole)) if len(whole) == len(matrix.labels) else None


@timed
def matrix_rank(matrix: Subject) -> Bracket:
    """The rank over the rationals of a matrix of whole numbers, exactly, by elimination in integers (FLINT).

    A protocol tree of so many leaves writes it as a sum of as many matrices of rank 1: its logarithm is at most D.

    >>> print(matrix_rank([[1, 2, 3], [2, 4, 6], [0, 1, 5]]))
    matrix-rank = 2 (exact elimination, without certificate)
    """
    matrix = matrix_of(matrix)
    numbers = numbers_of(matrix)
    if numbers is None or not matrix.is_total:
        raise InputError("matrix", matrix, "whole numbers, and no undefined entry")
    values = np.array(numbers, dtype=object)[matrix.merge().matrix.codes]
    side = Side(int(flint.fmpz_mat(values.tolist()).rank()), "exact elimination, without certificate")
    return Bracket("matrix-rank", side, side, {}, "")


@timed
def log_rank_bracket(matrix: Subject, answer: str = "both", primes: Sequence[int] = ()) -> Bracket:
    """The log-rank bound on D, in bits: the logarithm of the largest rank of a label's indicator, rounded up.

    Never better than the leaf-rank bound, which adds the ranks (Mehlhorn and Schmidt 1982). The arguments are those of
    :func:`leaf_rank`.
    """
    matrix = matrix_of(matrix)
    bound = leaf_rank(matrix, answer, primes)
    return _lower_bound(bits_for(max(bound.ranks, default=0)), "log-rank", bound, matrix)


@timed
def leaf_rank_bracket(matrix: Subject, answer: str = "both", primes: Sequence[int] = ()) -> Bracket:
    """The leaf-rank bound on D, in bits: the logarithm of the sum of all labels' ranks, rounded up.

    The arguments are those of :func:`leaf_rank`.
    """
    matrix = matrix_of(matrix)
    bound = leaf_rank(matrix, answer, primes, only_bits=True)
    return _lower_bound(bound.bits, "leaf-rank", bound, matrix)


def _lower_bound(bits: int, by: str, bound: LeafRank, matrix: CommunicationMatrix) -> Bracket:
    everything = [format((1 << size) - 1, "x") for size in matrix.shape]
    nodes = [[bits - 1, None, *everything, "rank", list(bound.primes)]] if bits else []
    below = Side(bits, by, {"kind": "refutation", "nodes": nodes})
    return Bracket("deterministic", below, parameters={"answer": bound.answer, "rounds": None, "first": None})


def _uppers(
    matrix: CommunicationMatrix, merged: MergedMatrix, code: int, field: str, lower: int, different: int
) -> Iterator[tuple[int, Witness | None]]:
    if field == "GF(2)" and lower < different:
        yield lower, {"kind": "elimination", "primes": [2]}
        return
    yield different, {"kind": "lines"}
    if lower == different:
        return
    indicator = (merged.matrix.codes == code).astype(np.int64)
    rank = int(flint.fmpz_mat(indicator.tolist()).rank())
    witness = {"kind": "elimination", "primes": _primes(rank + 1)}
    if indicator.size * rank > QUICK:  # then the checker may take longer than it allows itself
        yield rank, None
        try:
            check(matrix.codes.tolist(), "rank", "upper", {"code": code, "field": field}, witness)
        except Refused:
            return
    yield rank, witness


def _different(merged: MergedMatrix, code: int) -> int:
    indicator = merged.matrix.codes == code
    return min(len(set(pack_rows(vectors)) - {0}) for vectors in (indicator, indicator.T))


def _primes(size: int) -> list[int]:
    """Primes whose product is above every 0/1 minor of so many rows: (size + 1)^((size + 1) / 2) / 2^size."""
    primes, product = [], 1
    candidates = (n for n in range(LARGE_PRIME, 2, -2) if all(n % d for d in range(3, isqrt(n) + 1, 2)))
    while (product << size) ** 2 <= (size + 1) ** (size + 1):
        primes.append(next(candidates))
        product *= primes[-1]
    return primes
