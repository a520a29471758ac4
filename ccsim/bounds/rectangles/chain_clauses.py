"""Lines that all cross as many, where chains almost show that covers need more: proofs of a SAT solver show it.

See the chapter of chain sets in the checker. That decides budgets just above those which chains alone refute, as for
the cycles of 22, 23 and 40.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from ccsim.bounds.bracket import Witness
from ccsim.bounds.lrat import MOST_PROOF, shown, signed
from ccsim.bounds.rectangles.chains import crossings_of_few
from ccsim.bounds.solvers import ProvingSolver
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.chain_sets import ChainClauses, ChainCosts, costs_of
from ccsim.certificates.verify.claims import Claim
from ccsim.certificates.verify.matrices import Matrix
from ccsim.matrices import CommunicationMatrix

__all__ = ["more_than_chains_show"]

MOST_SETS = 8  # rectangles whose sets are gone through
TURN = 1000  # conflicts
MOST_CONFLICTS = 20_000  # for one pair of sizes; what takes more has a proof that is too long
MOST_UNITS = 24  # of chains that may be lost; where there are more, clauses hardly tell anything


def more_than_chains_show(matrix: CommunicationMatrix, code: int, budget: int) -> Iterator[Witness | None]:
    """None again and again while it searches, then a proof that so few rectangles are no cover, if one was found.

    Args:
        matrix: without equal lines.
        code: of the cells that are covered.
        budget: how many rectangles.

    >>> import numpy as np
    >>> steps = (np.arange(7) - np.arange(7)[:, None]) % 7  # zeros at j = i and j = i + 1 modulo 7
    >>> *_, found = more_than_chains_show(CommunicationMatrix.from_array((steps > 1).astype(int)), 1, 5)
    >>> found["kind"], found["rows"], len(found["proofs"])
    ('chain-clauses', '7f', 5)
    """
    if not 2 <= budget <= MOST_SETS:
        return
    table = Matrix(matrix.codes.tolist())
    for listed in crossings_of_few(matrix, code):
        rows, columns = (f"{sum(1 << line for line in lines):x}" for lines in (set().union(*listed.values()), listed))
        try:
            costs = costs_of(Claim(table, "cover", "lower", {"code": code}), budget, rows, columns)
            yield None
            proofs = yield from _proofs(table, costs)
        except Refused:  # lines that cross more than others, or too much work
            continue
        if proofs:
            yield {"kind": "chain-clauses", "budget": budget, "rows": rows, "columns": columns, "proofs": proofs}
            return


def _proofs(table: Matrix, costs: ChainCosts) -> Generator[None, None, list[str]]:
    """For each pair of sizes that it is not the first; or nothing."""
    found: list[str] = []
    if costs.left > MOST_UNITS * costs.unit(costs.usual[0][0]):
        return []
    for number in range(len(costs.pairs)):
        proof = yield from _refuted(ChainClauses(table, costs, number))
        if proof is None or sum(map(len, found)) + len(proof) > MOST_PROOF:
            return []
        found.append(proof)
    return found


def _refuted(clauses: ChainClauses) -> Generator[None, None, str | None]:
    """A proof that these clauses do not hold all, or nothing."""
    every = all_clauses(clauses)
    with ProvingSolver(every, True) as solver:
        for _ in range(MOST_CONFLICTS // TURN):
            result = solver.solve_within(TURN)
            yield None
            if result is not None:
                return None if result else shown(solver.proof(), len(every), clauses)
    return None


def all_clauses(clauses: ChainClauses) -> list[list[int]]:
    """All clauses, first those that the checker numbers, in their order."""
    numbered = [[signed(one) for one in clauses.first(number)] for number in range(clauses.given)]
    apart = ((name, other) for name in range(1, len(clauses.sets) + 1) for other in clauses.apart(name - 1))
    return [*numbered, *([-name, -other] for name, other in apart if name < other)]
