"""Terms of Coq for refutations of clauses: covers, fooling sets, and sets of rectangles that lines have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ccsim.certificates import verify
from ccsim.certificates.coq_terms import list_text, mask_of, pairs_text

__all__ = ["chain_clauses", "no_fooling_set", "refuted_clauses"]


def refuted_clauses(table: Any, measure: str, code: int, witness: dict[str, Any]) -> str:
    """Rectangle by rectangle, a literal for each place, and as many more for those that are denied."""
    matrix, size = verify.matrices.Matrix(table.tolist()), int(witness["budget"])
    claim = verify.claims.Claim(matrix, measure, "lower", {"code": code})
    clauses = verify.lrat.CoverClauses(claim, size, len(witness["apart"]))
    places: int = clauses.lines + len(clauses.cells)

    def literal(coded: int) -> int:
        place, rectangle = divmod(coded // 2 - 1, size)
        return int(rectangle * places + place + size * places * (coded % 2))

    steps = list_text(_steps(clauses, witness["proof"], literal))
    return f"RefutedClauses {size} {pairs_text(witness['apart'])} {steps}"


def no_fooling_set(table: Any, code: int, witness: dict[str, Any]) -> str:
    """Variables from 0 on, and as many more for those that are denied."""
    matrix = verify.matrices.Matrix(table.tolist())
    claim = verify.claims.Claim(matrix, "fooling-set", "upper", {"code": code, "answer": "both"})
    clauses = verify.fooling_lrat.FoolingClauses(claim, int(witness["size"]))

    def literal(coded: int) -> int:
        return coded // 2 - 1 + clauses.names * (coded % 2)

    return f"NoFoolingSet {clauses.size} {list_text(_steps(clauses, witness['proof'], literal))}"


def chain_clauses(table: Any, code: int, witness: dict[str, Any]) -> str:
    """Literals and clauses as the certificate numbers them, with variables from 0 on."""
    matrix = verify.matrices.Matrix(table.tolist())
    claim = verify.claims.Claim(matrix, "cover", "lower", {"code": code})
    budget, rows, columns = int(witness["budget"]), witness["rows"], witness["columns"]
    costs = verify.chain_sets.costs_of(claim, budget, rows, columns)
    proofs = (
        list_text(_told_steps(verify.chain_sets.ChainClauses(matrix, costs, number), proof))
        for number, proof in enumerate(witness["proofs"])
    )
    return f"ByChainClauses {budget} {mask_of(rows)} {mask_of(columns)} {list_text(proofs)}"


def _told_steps(clauses: verify.lrat.Clauses, proof: str) -> Iterable[str]:
    given = clauses.given
    for place, (clause, hints) in enumerate(verify.lrat.steps_of(clauses.matrix, proof, given)):
        told = (number + 1 if number < given else 2 * given + place - number for number in hints)
        yield f"({list_text(literal - 2 for literal in clause)}, {list_text(told)})"


def _steps(clauses: verify.lrat.Clauses, proof: str, literal: Callable[[int], int]) -> Iterable[str]:
    """Steps of a proof, each a clause and what it follows from: clauses that are given, or steps before."""

    def hint(number: int) -> str:
        return f"Given {number}" if number < clauses.given else f"Before {number - clauses.given}"

    for clause, hints in verify.lrat.steps_of(clauses.matrix, proof, clauses.given):
        yield f"({list_text(map(literal, clause))}, {list_text(map(hint, hints))})"
