"""Terms of Coq for witnesses, in the words of ``proofs/Checker.v``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates import verify
from ccsim.certificates.certificate import Certificate, Proof
from ccsim.certificates.coq_clauses import chain_clauses, no_fooling_set, refuted_clauses
from ccsim.certificates.coq_combinations import combined_rows
from ccsim.certificates.coq_rectangles import every_rectangle_text
from ccsim.certificates.coq_terms import (
    coin_tree_text,
    list_text,
    mask_of,
    measure_text,
    option_text,
    pairs_text,
    table_text,
    tree_text,
    truth_text,
)
from ccsim.errors import InputError

__all__ = ["KINDS", "witness_text"]


def _line_weights(values: Any, given: list[str]) -> tuple[int, int, str]:
    """What 1 is in the units of weights of lines, what the matrix is multiplied by, and the weights, with a factor that
    shows that they bound the sum over every rectangle."""
    weights, (height, width) = [Fraction(text) for text in given], values.shape
    scale = verify.data.common_scale(weights)
    lower = verify.weights.bordered(values.tolist(), weights, scale)
    factor, shift = verify.norms.nearly_factorised(verify.matrices.Matrix(values.tolist()), lower)
    places = [*(f"Row {line}" for line in range(height)), *(f"Column {line}" for line in range(width)), "Whole"]
    units = (verify.data.scaled(weight, scale) for weight in [*weights[1:], weights[0]])
    lines = (f"({place}, ({unit}, {list_text(row)})%Z)" for place, unit, row in zip(places, units, factor, strict=True))
    return scale, 1 << shift, list_text(lines)


def _corrupted(table: Any, code: int, witness: dict[str, Any]) -> str:
    values = np.array(witness["weights"], dtype=object)
    scale, zoom, lines = _line_weights(np.where(table == code, values, -values), witness["lines"])
    return f"Corrupted {list_text(map(list_text, witness['weights']))}%Z {scale} {zoom} {lines}"


def _diagonals(table: Any, weights: list[list[int]], witness: dict[str, Any]) -> str:
    values = np.array(weights, dtype=object)
    signed = np.where(table == 1, values, -values)
    sides = _line_weights(signed, witness["most"]), _line_weights(-signed, witness["least"])
    return "LineWeights {} {}".format(*(f"({scale}%Z, {zoom}%Z, {lines})" for scale, zoom, lines in sides))


def _half(half: list[Any]) -> str:
    primes, numbers, closed = half
    cores = ((int(part, 16) for part in text.split(":")) for text in closed.split())
    return f"(({list_text(primes)}%Z, {list_text(numbers)}%nat), {pairs_text(cores)})"


REASONS: dict[str, Callable[..., str]] = {
    "rank": lambda primes: f"(ByRank {list_text(primes)}%Z)",
    "fooling": lambda cells: f"(ByFooling {pairs_text(cells)})",
    "three": lambda: "ByThree",
    "four": lambda: "ByFour",
    "splits": lambda rows, columns: f"(BySplits {_half(rows)} {_half(columns)} [])",
    "orbits": lambda rows, columns, moves: f"(BySplits {_half(rows)} {_half(columns)} {_moves(moves)})",
    "tight": lambda prime, rows, columns: f"(ByTight {prime}%Z {_ordered(*rows)} {_ordered(*columns)})",
    "given": lambda prime, rows, columns: f"(ByTight {prime}%Z {_ordered(*rows)} {_ordered(*columns)})",
}


def _ordered(order: list[int], numbers: list[int], given: Iterable[Any] = ()) -> str:
    listed = (f"({mask_of(lines)}, {least}, {list_text(cores)}%nat)" for lines, least, cores in given)
    return f"({list_text(order)}, {list_text(numbers)}%nat, {list_text(listed)})"


def _moves(symmetries: list[list[list[int]]]) -> str:
    return list_text(f"({list_text(rows)}, {list_text(columns)})" for rows, columns in symmetries)


def _node(node: list[Any]) -> str:
    depth, limit, rows, columns, kind, *data = node
    if kind not in REASONS:
        raise InputError("--coq", kind, f"nodes of a refutation by {', '.join(REASONS)}")
    last = None if limit is None or limit[1] < 0 else ("alice", "bob")[limit[1]]
    bound = "None" if limit is None else f"(Some ({limit[0]}%nat, {option_text(last)}))"
    return f"Refute {depth} {bound} {mask_of(rows)} {mask_of(columns)} {REASONS[kind](*data)}"


def _whole(weights: list[Fraction]) -> list[int]:
    """Weights in units of their common denominator."""
    scale = verify.data.common_scale(weights)
    return [verify.data.scaled(weight, scale) for weight in weights]


def _weighed_trees(entries: list[dict[str, Any]]) -> Iterable[str]:
    weights = _whole([Fraction(entry["weight"]) for entry in entries])
    return (f"({weight}, {tree_text(entry['tree'])})" for weight, entry in zip(weights, entries, strict=True))


def _weighed_cells(cells: list[list[Any]]) -> Iterable[str]:
    weights = _whole([Fraction(share) for *_, share in cells])
    return (f"({row}, {column}, {weight})" for (row, column, _), weight in zip(cells, weights, strict=True))


def _messages(protocols: list[dict[str, Any]]) -> Iterable[str]:
    weights = _whole([Fraction(entry["weight"]) for entry in protocols])
    for entry, weight in zip(protocols, weights, strict=True):
        yield f"({weight}, ({list_text(entry['messages'])}, {table_text(entry['answers'])}))"


def _leaning(entries: list[list[Any]]) -> Iterable[str]:
    shares = _whole([Fraction(weight) for *_, weight in entries])
    for (rows, columns, code, _), share in zip(entries, shares, strict=True):
        yield f"({mask_of(rows)}, {mask_of(columns)}, {truth_text(code)}, {share})"


def _weighed_rectangles(entries: list[list[Any]]) -> str:
    weights = [Fraction(weight) for *_, weight in entries]
    pairs = zip(entries, _whole(weights), strict=True)
    listed = (f"({mask_of(rows)}, {mask_of(columns)}, {code}, {share})" for (rows, columns, code, _), share in pairs)
    return f"WeighedRectangles {verify.data.common_scale(weights)} {list_text(listed)}"


def _by_rows(table: Any, code: int, rows: list[int]) -> list[list[int]]:
    """The cells of an answer, row by row."""
    return [[row, int(column)] for row in rows for column in np.flatnonzero(table[row] == code)]


def _cell_weights(table: Any, cells: list[list[Any]]) -> str:
    """The two weights of each cell, in tables."""
    given = _whole([Fraction(weight) for cell in cells for weight in cell[2:]])
    tables = np.zeros((2, *table.shape), dtype=object)
    for place, (row, column, *_) in enumerate(cells):
        tables[:, row, column] = given[2 * place : 2 * place + 2]
    own, every = (list_text(list_text(map(str, row)) for row in one) for one in tables.tolist())
    return f"CellWeights {own}%Z {every}%Z"


def _eliminated(table: Any, parameters: dict[str, Any], primes: list[int]) -> str:
    """Modulo a prime nothing but it; over the rationals each row as a combination of those that are kept."""
    if parameters["field"] != "rational":
        return f"ByElimination {primes[0]}"
    kept, combinations = combined_rows((table == parameters["code"]).astype(int).tolist())
    bits = max(abs(factor) + sum(map(abs, parts)) for factor, parts in combinations).bit_length() + 1
    listed = (f"({factor}, {list_text(parts)})%Z" for factor, parts in combinations)
    return f"ByCombinations {list_text(primes)}%Z {bits} {list_text(kept)} {list_text(listed)}"


def _integers(vector: list[int]) -> str:
    return f"{list_text(map(str, vector))}%Z"


def _orbits(tree: list[Any] | None) -> str:
    if tree is None:
        return "NoSymmetries"
    symmetries, branches = tree
    return f"(ByOrbits {_moves(symmetries)} {list_text(map(_orbits, branches))})"


def _branching(witness: dict[str, Any]) -> str:
    """Of cells or, for one message, of lines."""
    proof, budget = witness["proof"], witness["budget"]
    cells = bool(proof) and isinstance(proof[0], list)
    return f"MoreRectangles {budget} {pairs_text(proof)}" if cells else f"MoreMessages {budget} {list_text(proof)}"


def _branch_and_cut(witness: dict[str, Any]) -> str:
    """Numbers of rectangles, places of inequalities that are rounded up, and weights at the ends of cases."""
    steps = (
        f"Weigh {case[0]} {list_text(case[1])}" if len(case) == 2
        else f"Cut {list_text(case[0])}" if isinstance(case[0], list)
        else f"Choose {case[0]}"
        for case in witness["cases"]
    )  # fmt: skip
    return f"ByBranchAndCut {witness['budget']} {list_text(steps)}"


KINDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "protocol-tree": lambda w: f"ProtocolTree {tree_text(w['tree'])}",
    "private-tree": lambda w: f"PrivateTree {coin_tree_text(w['tree'])[0]}",
    "two-bits": lambda w: "TwoBits",
    "refutation": lambda w: f"ARefutation {list_text(map(_node, w['nodes']))}",
    "fooling-set": lambda w: f"AFoolingSet {pairs_text(w['cells'])}",
    "lines": lambda w: "DifferentLines",
    "leaf-rank": lambda w: f"LeafRank {list_text(w['primes'])}%Z",
    "distinct-lines": lambda w: f"DistinctLines {list_text(w['lines'])}",
    "message-classes": lambda w: f"MessageClasses {list_text(w['classes'])}",
    "shattered": lambda w: f"Shattered {mask_of(w['places'])}",
    "vc-listing": lambda w: f"VcListing {w['at_most']}",
    "all-patterns": lambda w: "AllPatterns",
    "rectangles": lambda w: f"SomeRectangles {pairs_text(map(mask_of, entry) for entry in w['rectangles'])}",
    "cover-weights": lambda w: (
        f"WeightedCells {w['at_most']} {list_text(f'({r}, {c}, {n})' for r, c, n in w['weights'])}"
    ),
    "fooling-search": lambda w: f"AFoolingSearch {w['at_most']} {pairs_text(w['cells'])}",
    "fooling-orbits": lambda w: f"FoolingOrbits {w['at_most']} {pairs_text(w['cells'])} {_orbits(w['symmetries'])}",
    "theta": lambda w: f"Vectors {list_text(map(_integers, w['vectors']))}",
    "rank-squared": lambda w: f"BySquaredRank {w['prime']}",
    "khrapchenko": lambda w: f"KhrapchenkoCells {pairs_text(w['cells'])}",
    "branching": _branching,
    "branch-and-cut": _branch_and_cut,
    "chains": lambda w: f"ByChains {w['budget']} {mask_of(w['rows'])} {mask_of(w['columns'])}",
    "crown": lambda w: f"ACrown {pairs_text(w['cells'])}",
    "pivots": lambda w: f"Pivots {w['prime']} {mask_of(w['rows'])} {mask_of(w['columns'])}",
    "all-sets": lambda w: "AllSets",
    "rectangle": lambda w: "ARectangle ({}, {})".format(*map(mask_of, w["rectangle"])),
    "rectangle-search": lambda w: f"NoneHeavier {w['at_most']}",
    "rectangle-matching": lambda w: f"AMatching {pairs_text(w['cells'])}",
    "biased-rectangle": lambda w: "ARectangle ({}, {})".format(*map(mask_of, w["rectangle"])),
    "weighted-rectangles": lambda w: f"LeaningRectangles {list_text(_leaning(w['rectangles']))}",
    "protocol-mixture": lambda w: f"Mixture {list_text(_weighed_trees(w['trees']))}",
    "message-mixture": lambda w: f"MessageMixture {list_text(_messages(w['protocols']))}",
    "hard-for-messages": lambda w: f"HardForMessages {w['bits']} {list_text(_weighed_cells(w['cells']))}",
    "line-sets": lambda w: f"LineSearch {w['budget']}",
    "hard-distribution": lambda w: f"HardDistribution {w['bits']} {list_text(_weighed_cells(w['cells']))}",
}


def _occurring(table: Any, measure: str) -> list[int]:
    """The codes of the answers that have a part, in order."""
    return [int(code) for code in np.unique(table) if code >= 0] or [0] * (measure == "rectangle")


def witness_text(certificate: Certificate, proof: Proof) -> str:
    """The witness of one side of a certificate; an ``InputError`` for a kind that Coq does not know."""

    def term(data: dict[str, Any], measure: str, parameters: dict[str, Any], table: Any) -> str:
        if data["kind"] == "bits-of":
            own = {name: parameters[name] for name in verify.claims.PARAMETERS[data["measure"]] if name in parameters}
            own |= data["given"]
            return f"BitsOf {measure_text(data['measure'], own)} ({term(data['of'], data['measure'], own, table)})"
        if data["kind"] == "submatrix":
            inner = term(data["of"], measure, parameters, table[np.ix_(data["rows"], data["columns"])])
            return f"Submatrix {list_text(data['rows'])} {list_text(data['columns'])} ({inner})"
        if data["kind"] == "public-coins":
            return f"ThrownInPublic ({term(data['of'], 'randomised', parameters, table)})"
        if data["kind"] == "parts":
            part_of, shared = ("partition", {}) if measure == "leaves" else (measure, parameters)
            pairs = zip(_occurring(table, measure), data["parts"], strict=True)
            inside = (f"({code}, {term(part, part_of, {**shared, 'code': code}, table)})" for code, part in pairs)
            return f"Parts {list_text(inside)}"
        if data["kind"] == "lrat":
            return refuted_clauses(table, measure, parameters["code"], data)
        if data["kind"] == "fooling-lrat":
            return no_fooling_set(table, parameters["code"], data)
        if data["kind"] == "chain-clauses":
            return chain_clauses(table, parameters["code"], data)
        if data["kind"] == "fooling-rows":
            return KINDS["fooling-search"]({**data, "cells": _by_rows(table, parameters["code"], data["rows"])})
        if data["kind"] == "elimination":
            return _eliminated(table, parameters, data["primes"])
        if data["kind"] == "all-rectangles":
            matrix = verify.matrices.Matrix(table.tolist())
            return f"EveryRectangle {every_rectangle_text(matrix, measure, parameters, data)}"
        if data["kind"] == "cell-weights":
            return _cell_weights(table, data["cells"])
        if data["kind"] == "distribution":
            inner = term(data["of"], "discrepancy", {"weights": data["weights"]}, table)
            return f"OneDistribution {table_text(data['weights'])} ({inner})"
        if data["kind"] == "diagonals":
            return _diagonals(table, parameters["weights"], data)
        if data["kind"] == "corruption":
            return _corrupted(table, parameters["code"], data)
        if data["kind"] == "weighted-rectangles" and measure != "least-discrepancy":
            return _weighed_rectangles(data["rectangles"])
        if data["kind"] not in KINDS:
            raise InputError("--coq", data["kind"], f"a witness of a kind among {', '.join(KINDS)}")
        return KINDS[data["kind"]](data)

    table = None if certificate.matrix is None else certificate.matrix.codes
    return term(proof.witness, certificate.measure, certificate.parameters, table)
