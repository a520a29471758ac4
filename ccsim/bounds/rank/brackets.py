"""Rank, log-rank and leaf-rank as brackets: pivots below, and what the search for them shows above."""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import isqrt
from typing import Any

import lazy_loader as lazy
import numpy as np

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rank.over_fields import LARGE_PRIME, LeafRank, label_rank, leaf_rank, pack_rows, rank_witness
from ccsim.certificates.verify import Refused, check
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix, MergedMatrix
from ccsim.problems.subject import Subject, matrix_of

flint = lazy.load("flint")

FIELDS = {"GF(2)": 2, "rational": LARGE_PRIME}
"""Fields by name, and modulo what pivots are sought."""

NO_WITNESS = "exact elimination, without certificate"
QUICK = 1 << 25  # cells times rank, up to which the checker certainly eliminates


def rank_brackets(matrix: Subject) -> list[Bracket]:
    """The rank of each label's indicator matrix over GF(2) and over the rationals.

    The rational rank is at least the rank modulo a large prime, whose pivots are the witness, and at most the
    number of different rows or columns; otherwise it is computed exactly (FLINT) for the upper side, and the checker
    eliminates modulo as many primes as Hadamard's inequality asks for. Where that takes the checker too long (from
    about 750 lines of half that rank on), the upper side has no certificate, and the method says so.
    """
    matrix = matrix_of(matrix)
    codes = range(len(matrix.labels))
    return [bracket for code in codes for field in FIELDS for bracket in list(rank_stages(matrix, code, field))[-1:]]


def rank_stages(matrix: CommunicationMatrix, code: int, field: str) -> Iterator[Bracket]:
    """The rank of one label over one field: first the lines that differ above, then what elimination shows."""
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    start, prime, merged = time.perf_counter(), FIELDS[field], matrix.merge()
    parameters = {"code": code, "label": str(matrix.labels[code]), "field": field}
    different = _different(merged, code)
    if field == "rational":  # of full rank modulo a small prime, of full rank
        prime = next((small for small in (2, 3) if label_rank(merged.matrix, code, small) == different), prime)
    below = _pivots(matrix, code, prime)
    lower = len(below["rows"])
    for upper, witness in _uppers(matrix, merged, code, field, lower, different):
        method = f"pivots modulo {prime} | {witness['kind'] if witness else NO_WITNESS}"
        yield Bracket("rank", lower, upper, method, below, witness, parameters, "", time.perf_counter() - start)


def log_rank_bracket(matrix: Subject, answer: str = "both") -> Bracket:
    """The log-rank bound on D, in bits: the logarithm of the largest rank of a label's indicator, rounded up.

    Never better than the leaf-rank bound, which adds the ranks (Mehlhorn and Schmidt 1982).
    """
    matrix = matrix_of(matrix)
    start = time.perf_counter()
    found = leaf_rank(matrix, answer)
    bits = (max(found.ranks) - 1).bit_length() if any(found.ranks) else 0
    return _lower_bound(bits, "log-rank", found, answer, matrix.shape, start)


def leaf_rank_bracket(matrix: Subject, answer: str = "both") -> Bracket:
    """The leaf-rank bound on D, in bits: the logarithm of the sum of all labels' ranks, rounded up."""
    matrix = matrix_of(matrix)
    start = time.perf_counter()
    found = leaf_rank(matrix, answer)
    return _lower_bound(found.bits, "leaf-rank", found, answer, matrix.shape, start)


def _lower_bound(bits: int, method: str, found: LeafRank, answer: str, shape: tuple[int, int], start: float) -> Bracket:
    everything = [format((1 << size) - 1, "x") for size in shape]
    nodes = [[bits - 1, None, *everything, "rank", list(found.primes)]] if bits else []
    witness = {"kind": "refutation", "nodes": nodes}
    parameters = {"answer": answer, "rounds": None, "first": None}
    return Bracket("deterministic", bits, None, method, witness, None, parameters, "bits", time.perf_counter() - start)


def _uppers(
    matrix: CommunicationMatrix, merged: MergedMatrix, code: int, field: str, lower: int, different: int
) -> Iterator[tuple[int, Witness | None]]:
    """Upper bounds on the rank, and what proves them: few different lines, then elimination."""
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
    """How many different rows, or columns, of the indicator matrix are not zero."""
    indicator = merged.matrix.codes == code
    return min(len(set(pack_rows(lines)) - {0}) for lines in (indicator, indicator.T))


def _primes(size: int) -> list[int]:
    """Primes whose product is above every 0/1 minor of so many rows: (size + 1)^((size + 1) / 2) / 2^size."""
    found, product = [], 1
    candidates = (n for n in range(LARGE_PRIME, 2, -2) if all(n % d for d in range(3, isqrt(n) + 1, 2)))
    while (product << size) ** 2 <= (size + 1) ** (size + 1):
        found.append(next(candidates))
        product *= found[-1]
    return found


def _pivots(matrix: CommunicationMatrix, code: int, prime: int) -> dict[str, Any]:
    """Pivot rows and columns of the whole matrix: the first of each class of equal lines stands for it."""
    merged = matrix.merge()
    found = rank_witness((merged.matrix.codes == code).astype(np.int64), prime)
    rows = [int(merged.rows[row]) for row in found.rows]
    columns = [int(merged.columns[column]) for column in found.columns]
    return {"kind": "pivots", "prime": prime, "rows": rows, "columns": columns}
