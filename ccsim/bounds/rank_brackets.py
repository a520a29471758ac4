"""Rank, log-rank and leaf-rank as brackets: pivots below, and what the search for them shows above."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.rank import LARGE_PRIME, LeafRank, leaf_rank, rank_modulo, rank_witness
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix, MergedMatrix

__all__ = ["leaf_rank_bracket", "log_rank_bracket", "rank_brackets"]


LONGEST = 10**40  # of an integer in a certificate


def rank_brackets(matrix: CommunicationMatrix) -> list[Bracket]:
    """The rank of each label's indicator matrix over GF(2) and over the rationals.

    The rational rank is at least the rank modulo a large prime, whose pivots are the witness, and at most the
    number of different rows or columns; it is computed exactly (FLINT) for the upper side.
    """
    if not matrix.is_total:
        raise InputError("matrix", matrix, "a total matrix: don't-care cells have no rank")
    merged = matrix.merge()
    found = []
    for code, label in enumerate(matrix.labels):
        indicator = (merged.matrix.codes == code).astype(np.int64)
        for field, prime in (("GF(2)", 2), ("rational", LARGE_PRIME)):
            start = time.perf_counter()
            lower = rank_modulo(indicator, prime)
            upper, witness = _upper(merged, code, lower, prime)
            found.append(
                Bracket(
                    "rank",
                    lower,
                    upper,
                    f"pivots modulo {prime} | {witness['kind'] if witness else 'exact elimination'}",
                    _pivots(matrix, code, prime),
                    witness,
                    {"code": code, "label": str(label), "field": field},
                    "",
                    time.perf_counter() - start,
                )
            )
    return found


def log_rank_bracket(matrix: CommunicationMatrix, answer: str = "both") -> Bracket:
    """The log-rank bound on D, in bits: the logarithm of the largest rank of a label's indicator, rounded up.

    Never better than the leaf-rank bound, which adds the ranks (Mehlhorn and Schmidt 1982).
    """
    start = time.perf_counter()
    found = leaf_rank(matrix, answer)
    bits = (max(found.ranks) - 1).bit_length() if any(found.ranks) else 0
    return _lower_bound(bits, "log-rank", found, answer, start)


def leaf_rank_bracket(matrix: CommunicationMatrix, answer: str = "both") -> Bracket:
    """The leaf-rank bound on D, in bits: the logarithm of the sum of all labels' ranks, rounded up."""
    start = time.perf_counter()
    found = leaf_rank(matrix, answer)
    return _lower_bound(found.bits, "leaf-rank", found, answer, start)


def _lower_bound(bits: int, method: str, found: LeafRank, answer: str, start: float) -> Bracket:
    witness = {"kind": "leaf-rank", "primes": list(found.primes)}
    parameters = {"answer": answer, "rounds": None, "first": None}
    return Bracket("deterministic", bits, None, method, witness, None, parameters, "bits", time.perf_counter() - start)


def _upper(merged: MergedMatrix, code: int, lower: int, prime: int) -> tuple[int, Witness | None]:
    """An upper bound on the rank, and what proves it: few different lines, elimination, or a factorisation."""
    indicator = (merged.matrix.codes == code).astype(np.int64)
    different = min(
        len({tuple(line) for line in lines if any(line)}) for lines in (indicator.tolist(), indicator.T.tolist())
    )
    if lower == different:
        return different, {"kind": "different-lines"}
    if prime == 2:
        return lower, {"kind": "elimination"}
    return _factors(merged, indicator)


def _factors(merged: MergedMatrix, indicator: npt.NDArray[np.int64]) -> tuple[int, Witness | None]:
    """The rational rank by exact elimination (FLINT): the pivot columns times the echelon form are the matrix.

    The factors are a witness where their numbers are short enough for the checker.
    """
    from flint import fmpz_mat

    echelon, denominator, rank = fmpz_mat(indicator.tolist()).rref()
    right = [[int(echelon[row, column]) for column in range(indicator.shape[1])] for row in range(rank)]
    pivots = [next(column for column, entry in enumerate(row) if entry) for row in right]
    if denominator < 0:
        right, denominator = [[-entry for entry in row] for row in right], -denominator
    if max((abs(entry) for row in right for entry in row), default=0) >= LONGEST or denominator >= LONGEST:
        return rank, None
    left = indicator[:, pivots][merged.row_class].tolist()
    across = [[row[column] for column in merged.column_class.tolist()] for row in right]
    return rank, {"kind": "factors", "left": left, "right": across, "denominator": int(denominator)}


def _pivots(matrix: CommunicationMatrix, code: int, prime: int) -> dict[str, object]:
    """Pivot rows and columns of the whole matrix: the first of each class of equal lines stands for it."""
    merged = matrix.merge()
    found = rank_witness((merged.matrix.codes == code).astype(np.int64), prime)
    rows = [int(merged.rows[row]) for row in found.rows]
    columns = [int(merged.columns[column]) for column in found.columns]
    return {"kind": "pivots", "prime": prime, "rows": rows, "columns": columns}
