"""A certificate as a Coq file: its claims are theorems, and coqc checks them by itself.

The file needs the compiled files of ``proofs/`` (``make -C proofs proofs``) and nothing else: ``coqc -Q proofs Ccsim
out.v``. Each theorem says in the words of ``proofs/Specification.v`` what is claimed; its proof lets Coq's kernel
run the checker (``vm_compute``), which is proved to accept nothing false. So nothing that is written here has to be
believed, but that the theorem says what was meant, which is read in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates import verify
from ccsim.certificates.certificate import Certificate, Proof
from ccsim.errors import InputError

__all__ = ["certificate_in_coq"]

MOST_CELLS = 1 << 16
NAMES = {
    "equality": "Equality",
    "disjointness": "Disjointness",
    "intersection": "Intersection",
    "greater-than": "GreaterThan",
    "inner-product": "InnerProduct",
    "index": "Index",
}
KNOWING = {"both": "Both", "alice": "AliceAlone", "bob": "BobAlone"}
SENDERS = {"alice-to-bob": "alice", "bob-to-alice": "bob"}
HEAD = """\
(* Checked by coqc -Q proofs Ccsim, once make -C proofs proofs has compiled what it needs. *)
From Coq Require Import List NArith ZArith QArith.
From Ccsim Require Import Specification Refutation TreeWitnesses Lrat FoolingSearch Diagonals Checker Theorems.
Import ListNotations.
Open Scope N_scope.
"""


def certificate_in_coq(certificate: Certificate) -> str:
    """The Coq text: a theorem for each side, whose proof is a computation inside of Coq.

    Args:
        certificate: of a measure and with witnesses that ``proofs/Checker.v`` knows, on a table of at most 2^16 cells
            (or of a function that Coq knows by name); else an ``InputError``.

    >>> from ccsim.bounds import deterministic
    >>> from ccsim.problems import equality
    >>> text = certificate_in_coq(deterministic(equality(1)).certificate)
    >>> print("\\n".join(line for line in text.splitlines() if line.startswith("Theorem")))
    Theorem lower : holds (named Equality 1) (Deterministic Both None) Lower (2 # 1).
    Theorem upper : holds (named Equality 1) (Deterministic Both None) Upper (2 # 1).
    """
    if certificate.relation is not None:
        raise InputError("--coq", "a relation", "a certificate about a function")
    named = certificate.function
    known = named is not None and named[0] in NAMES
    lines = [HEAD]
    if known:
        assert named is not None
        subject, theorem = f"(named {NAMES[named[0]]} {named[1]})", "accepted_named_claims_hold"
    else:
        lines += [_table(certificate), ""]
        subject, theorem = "(cell matrix)", "accepted_claims_hold"
    claimed = _measure(certificate.measure, _with_weights(certificate))
    for proof in certificate.proofs:
        side, witness = proof.side.capitalize(), _witness(certificate, proof)
        lines += [
            f"Definition {proof.side}_witness : witness :=\n  {witness}.",
            f"Theorem {proof.side} : holds {subject} {claimed} {side} {_rational(proof.value)}.",
            f"Proof. apply {theorem} with (w := {proof.side}_witness). vm_compute. reflexivity. Qed.",
            f"Print Assumptions {proof.side}.",
            "",
        ]
    return "\n".join(lines)


def _with_weights(certificate: Certificate) -> dict[str, Any]:
    """The parameters, and where they name the weights of cells, these."""
    parameters = certificate.parameters
    if parameters.get("weights") not in ("label", "all"):
        return parameters
    assert certificate.matrix is not None
    codes, code = certificate.matrix.codes, parameters["code"]
    every = parameters["weights"] == "all"
    own = codes == codes if every else codes >= 0 if code is None else codes == code
    return {**parameters, "weights": own.astype(int).tolist()}


def _table(certificate: Certificate) -> str:
    matrix = certificate.matrix
    if matrix is None or matrix.shape[0] * matrix.shape[1] > MOST_CELLS:
        raise InputError("--coq", certificate.measure, f"a matrix of at most {MOST_CELLS} cells")
    rows = (_list("None" if cell < 0 else f"Some {cell}" for cell in row) for row in matrix.codes.tolist())
    return "Definition matrix : table :=\n  [" + ";\n   ".join(rows) + "]."


def _list(items: Iterable[object]) -> str:
    return "[" + "; ".join(map(str, items)) + "]"


def _rational(value: int | Fraction) -> str:
    exact = Fraction(value)
    above = f"({exact.numerator})" if exact < 0 else str(exact.numerator)
    return f"({above} # {exact.denominator})"


def _option(value: object) -> str:
    return "None" if value is None else f"(Some {value})"


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _limit(rounds: int | None, first: str | None) -> str:
    return "None" if rounds is None else f"(Some ({rounds}%nat, {_option(first)}))"


def _table_of_weights(weights: list[list[int]]) -> str:
    return _list(map(_list, weights))


def _field(field: str) -> str:
    if field == "rational":
        return "RankRational"
    return f"RankModulo {verify.data.integer(verify.data.prime_of(field), 2, verify.data.MOST_PRIME)}"


MEASURES: dict[str, Callable[[dict[str, Any]], str]] = {
    "deterministic": lambda p: f"(Deterministic {KNOWING[p['answer']]} {_limit(p['rounds'], p['first'])})",
    "leaves": lambda p: f"(Leaves {KNOWING[p['answer']]})",
    "fooling-set": lambda p: f"(FoolingSet {KNOWING[p['answer']]} {_option(p['code'])})",
    "cover": lambda p: f"(Cover {_option(p['code'])})",
    "partition": lambda p: f"(Partition {_option(p['code'])})",
    "nondeterministic": lambda p: f"(Nondeterministic {_option(p['code'])})",
    "one-way-messages": lambda p: f"(OneWayMessages {SENDERS[p['direction']]})",
    "one-way": lambda p: f"(OneWay {SENDERS[p['direction']]})",
    "vc-dimension": lambda p: f"(VcDimension {SENDERS[p['direction']]})",
    "rank": lambda p: f"({_field(p['field'])} {p['code']})",
    "discrepancy": lambda p: f"(Discrepancy {_table_of_weights(p['weights'])})",
    "rectangle": lambda p: f"(LargestRectangle {_option(p['code'])} {_table_of_weights(p['weights'])})",
    "least-discrepancy": lambda p: "LeastDiscrepancy",
    "randomised": lambda p: f"(Randomised {_rational(Fraction(p['error']))})",
    "one-way success": lambda p: f"(OneWaySuccess {SENDERS[p['direction']]} {p['bits']})",
    "one-way-randomised": lambda p: f"(OneWayRandomised {SENDERS[p['direction']]} {_rational(Fraction(p['error']))})",
    "rectangle-bound": lambda p: (
        f"(RectangleBound {p['code']} {_rational(Fraction(p['error']))} {_truth(p['smooth'])})"
    ),
    "partition-bound": lambda p: f"(PartitionBound {_rational(Fraction(p['error']))})",
    "public-coin success": lambda p: f"(Success {p['bits']})",
}


def _measure(measure: str, parameters: dict[str, Any]) -> str:
    about_all = measure == "rank" and parameters.get("code", 0) is None
    if measure not in MEASURES or about_all:
        raise InputError("--coq", measure, f"a claim on one of {', '.join(MEASURES)}, and not on all labels together")
    return MEASURES[measure](parameters)


def _mask(value: Any) -> int:
    return int(value, 16) if isinstance(value, str) else sum(1 << place for place in set(value))


def _places(value: Any) -> str:
    mask = _mask(value)
    return _list(place for place in range(mask.bit_length()) if mask >> place & 1)


def _line_weights(values: Any, given: list[str]) -> tuple[int, int, str]:
    """What 1 is in the units of weights of lines, what the matrix is multiplied by, and the weights, with a factor that
    shows that they bound the sum over every rectangle."""
    weights, (height, width) = [Fraction(text) for text in given], values.shape
    scale = verify.data.common_scale(weights)
    lower = verify.weights.bordered(values.tolist(), weights, scale)
    factor, shift = verify.norms.nearly_factorised(verify.matrices.Matrix(values.tolist()), lower)
    places = ["Whole", *(f"Row {line}" for line in range(height)), *(f"Column {line}" for line in range(width))]
    units = (verify.data.scaled(weight, scale) for weight in weights)
    lines = (f"({place}, ({unit}, {_list(row)})%Z)" for place, unit, row in zip(places, units, factor, strict=True))
    return scale, 1 << shift, _list(lines)


def _corrupted(table: Any, code: int, witness: dict[str, Any]) -> str:
    values = np.array(witness["weights"], dtype=object)
    scale, zoom, lines = _line_weights(np.where(table == code, values, -values), witness["lines"])
    return f"Corrupted {_list(map(_list, witness['weights']))}%Z {scale} {zoom} {lines}"


def _diagonals(table: Any, weights: list[list[int]], witness: dict[str, Any]) -> str:
    values = np.array(weights, dtype=object)
    signed = np.where(table == 1, values, -values)
    sides = _line_weights(signed, witness["most"]), _line_weights(-signed, witness["least"])
    return "LineWeights {} {}".format(*(f"({scale}%Z, {zoom}%Z, {lines})" for scale, zoom, lines in sides))


def _tree(tree: dict[str, Any]) -> str:
    if "speaker" in tree:
        children = f"{_tree(tree['zero'])} {_tree(tree['one'])}"
        return f"(Node {tree['speaker']} {_mask(tree['ones'])} {children})"
    if "answer" in tree:
        return f"(Leaf {tree['answer']})"
    return f"(LeafByLine {_pairs(tree['answers'])})"


def _pairs(pairs: Iterable[Iterable[int]]) -> str:
    return _list(f"({first}, {second})" for first, second in pairs)


def _half(half: list[Any]) -> str:
    primes, numbers, closed = half
    cores = ((int(part, 16) for part in text.split(":")) for text in closed.split())
    return f"(({_list(primes)}%Z, {_list(numbers)}%nat), {_pairs(cores)})"


REASONS: dict[str, Callable[..., str]] = {
    "rank": lambda primes: f"(ByRank {_list(primes)}%Z)",
    "fooling": lambda cells: f"(ByFooling {_pairs(cells)})",
    "three": lambda: "ByThree",
    "four": lambda: "ByFour",
    "splits": lambda rows, columns: f"(BySplits {_half(rows)} {_half(columns)} [])",
    "orbits": lambda rows, columns, moves: f"(BySplits {_half(rows)} {_half(columns)} {_moves(moves)})",
}


def _moves(symmetries: list[list[list[int]]]) -> str:
    return _list(f"({_list(rows)}, {_list(columns)})" for rows, columns in symmetries)


def _node(node: list[Any]) -> str:
    depth, limit, rows, columns, kind, *data = node
    last = None if limit is None or limit[1] < 0 else ("alice", "bob")[limit[1]]
    bound = "None" if limit is None else f"(Some ({limit[0]}%nat, {_option(last)}))"
    return f"Refute {depth} {bound} {_mask(rows)} {_mask(columns)} {REASONS[kind](*data)}"


def _whole(weights: list[Fraction]) -> list[int]:
    """Weights in units of their common denominator."""
    scale = verify.data.common_scale(weights)
    return [verify.data.scaled(weight, scale) for weight in weights]


def _weighed_trees(entries: list[dict[str, Any]]) -> Iterable[str]:
    weights = _whole([Fraction(entry["weight"]) for entry in entries])
    return (f"({weight}, {_tree(entry['tree'])})" for weight, entry in zip(weights, entries, strict=True))


def _weighed_cells(cells: list[list[Any]]) -> Iterable[str]:
    weights = _whole([Fraction(share) for *_, share in cells])
    return (f"({row}, {column}, {weight})" for (row, column, _), weight in zip(cells, weights, strict=True))


def _messages(protocols: list[dict[str, Any]]) -> Iterable[str]:
    weights = _whole([Fraction(entry["weight"]) for entry in protocols])
    for entry, weight in zip(protocols, weights, strict=True):
        yield f"({weight}, ({_list(entry['messages'])}, {_table_of_weights(entry['answers'])}))"


def _leaning(entries: list[list[Any]]) -> Iterable[str]:
    shares = _whole([Fraction(weight) for *_, weight in entries])
    for (rows, columns, code, _), share in zip(entries, shares, strict=True):
        yield f"({_mask(rows)}, {_mask(columns)}, {_truth(code)}, {share})"


def _weighed_rectangles(entries: list[list[Any]]) -> str:
    weights = [Fraction(weight) for *_, weight in entries]
    pairs = zip(entries, _whole(weights), strict=True)
    listed = (f"({_mask(rows)}, {_mask(columns)}, {code}, {share})" for (rows, columns, code, _), share in pairs)
    return f"WeighedRectangles {verify.data.common_scale(weights)} {_list(listed)}"


def _by_rows(table: Any, code: int, rows: list[int]) -> list[list[int]]:
    """The cells of an answer, row by row."""
    return [[row, int(column)] for row in rows for column in np.flatnonzero(table[row] == code)]


def _cell_weights(table: Any, cells: list[list[Any]]) -> str:
    """The two weights of each cell, in tables."""
    given = _whole([Fraction(weight) for cell in cells for weight in cell[2:]])
    tables = np.zeros((2, *table.shape), dtype=object)
    for place, (row, column, *_) in enumerate(cells):
        tables[:, row, column] = given[2 * place : 2 * place + 2]
    own, every = (_list(_list(map(str, row)) for row in one) for one in tables.tolist())
    return f"CellWeights {own}%Z {every}%Z"


def _integers(vector: list[int]) -> str:
    return f"{_list(map(str, vector))}%Z"


def _orbits(tree: list[Any] | None) -> str:
    if tree is None:
        return "NoSymmetries"
    symmetries, branches = tree
    return f"(ByOrbits {_moves(symmetries)} {_list(map(_orbits, branches))})"


def _branching(witness: dict[str, Any]) -> str:
    """Of cells or, for one message, of lines."""
    proof, budget = witness["proof"], witness["budget"]
    cells = bool(proof) and isinstance(proof[0], list)
    return f"MoreRectangles {budget} {_pairs(proof)}" if cells else f"MoreMessages {budget} {_list(proof)}"


KINDS: dict[str, Callable[[dict[str, Any]], str]] = {
    "protocol-tree": lambda w: f"ProtocolTree {_tree(w['tree'])}",
    "refutation": lambda w: f"ARefutation {_list(map(_node, w['nodes']))}",
    "fooling-set": lambda w: f"AFoolingSet {_pairs(w['cells'])}",
    "lines": lambda w: "DifferentLines",
    "leaf-rank": lambda w: f"LeafRank {_list(w['primes'])}%Z",
    "distinct-lines": lambda w: f"DistinctLines {_list(w['lines'])}",
    "message-classes": lambda w: f"MessageClasses {_list(w['classes'])}",
    "shattered": lambda w: f"Shattered {_mask(w['places'])}",
    "vc-listing": lambda w: f"VcListing {w['at_most']}",
    "all-patterns": lambda w: "AllPatterns",
    "rectangles": lambda w: f"SomeRectangles {_pairs(map(_mask, entry) for entry in w['rectangles'])}",
    "cover-weights": lambda w: f"WeightedCells {w['at_most']} {_list(f'({r}, {c}, {n})' for r, c, n in w['weights'])}",
    "fooling-search": lambda w: f"AFoolingSearch {w['at_most']} {_pairs(w['cells'])}",
    "fooling-orbits": lambda w: f"FoolingOrbits {w['at_most']} {_pairs(w['cells'])} {_orbits(w['symmetries'])}",
    "theta": lambda w: f"Vectors {_list(map(_integers, w['vectors']))}",
    "elimination": lambda w: f"ByElimination {_list(w['primes'])}%Z",
    "rank-squared": lambda w: f"BySquaredRank {w['prime']}",
    "all-rectangles": lambda w: f"EveryRectangle {_places(w['rows'])} {_places(w['columns'])}",
    "khrapchenko": lambda w: f"KhrapchenkoCells {_pairs(w['cells'])}",
    "branching": _branching,
    "chains": lambda w: f"ByChains {w['budget']} {_mask(w['rows'])} {_mask(w['columns'])}",
    "crown": lambda w: f"ACrown {_pairs(w['cells'])}",
    "pivots": lambda w: f"Pivots {w['prime']} {_mask(w['rows'])} {_mask(w['columns'])}",
    "all-sets": lambda w: "AllSets",
    "rectangle": lambda w: "ARectangle ({}, {})".format(*map(_mask, w["rectangle"])),
    "rectangle-search": lambda w: f"NoneHeavier {w['at_most']}",
    "rectangle-matching": lambda w: f"AMatching {_pairs(w['cells'])}",
    "biased-rectangle": lambda w: "ARectangle ({}, {})".format(*map(_mask, w["rectangle"])),
    "weighted-rectangles": lambda w: f"LeaningRectangles {_list(_leaning(w['rectangles']))}",
    "protocol-mixture": lambda w: f"Mixture {_list(_weighed_trees(w['trees']))}",
    "message-mixture": lambda w: f"MessageMixture {_list(_messages(w['protocols']))}",
    "hard-for-messages": lambda w: f"HardForMessages {w['bits']} {_list(_weighed_cells(w['cells']))}",
    "line-sets": lambda w: f"LineSearch {w['budget']}",
    "hard-distribution": lambda w: f"HardDistribution {w['bits']} {_list(_weighed_cells(w['cells']))}",
}


def _occurring(table: Any, measure: str) -> list[int]:
    """The codes of the answers that have a part, in order."""
    return [int(code) for code in np.unique(table) if code >= 0] or [0] * (measure == "rectangle")


def _refuted_clauses(certificate: Certificate, measure: str, code: int, witness: dict[str, Any]) -> str:
    """Rectangle by rectangle, a literal for each place, and as many more for those that are denied."""
    assert certificate.matrix is not None
    matrix, size = verify.matrices.Matrix(certificate.matrix.codes.tolist()), int(witness["budget"])
    clauses = verify.lrat.CoverClauses(verify.claims.Claim(matrix, measure, "lower", {"code": code}), size)
    places: int = clauses.lines + len(clauses.cells)

    def literal(coded: int) -> int:
        place, rectangle = divmod(coded // 2 - 1, size)
        return int(rectangle * places + place + size * places * (coded % 2))

    steps = _list(_steps(clauses, witness["proof"], literal))
    return f"RefutedClauses {size} {_pairs(witness['apart'])} {steps}"


def _no_fooling_set(certificate: Certificate, code: int, witness: dict[str, Any]) -> str:
    """Variables from 0 on, and as many more for those that are denied."""
    assert certificate.matrix is not None
    matrix = verify.matrices.Matrix(certificate.matrix.codes.tolist())
    claim = verify.claims.Claim(matrix, "fooling-set", "upper", {"code": code, "answer": "both"})
    clauses = verify.fooling_lrat.FoolingClauses(claim, int(witness["size"]))

    def literal(coded: int) -> int:
        return coded // 2 - 1 + clauses.names * (coded % 2)

    return f"NoFoolingSet {clauses.size} {_list(_steps(clauses, witness['proof'], literal))}"


def _steps(clauses: verify.lrat.Clauses, proof: str, literal: Callable[[int], int]) -> Iterable[str]:
    """Steps of a proof, each a clause and what it follows from: clauses that are given, or steps before."""

    def hint(number: int) -> str:
        return f"Given {number}" if number < clauses.given else f"Before {number - clauses.given}"

    for clause, hints in verify.lrat.steps_of(clauses.matrix, proof, clauses.given):
        yield f"({_list(map(literal, clause))}, {_list(map(hint, hints))})"


def _witness(certificate: Certificate, proof: Proof) -> str:
    def term(data: dict[str, Any], measure: str, parameters: dict[str, Any], table: Any) -> str:
        if data["kind"] == "bits-of":
            own = {name: parameters[name] for name in verify.claims.PARAMETERS[data["measure"]] if name in parameters}
            own |= data["given"]
            return f"BitsOf {_measure(data['measure'], own)} ({term(data['of'], data['measure'], own, table)})"
        if data["kind"] == "submatrix" and data["of"]["kind"] != "lrat":
            inner = term(data["of"], measure, parameters, table[np.ix_(data["rows"], data["columns"])])
            return f"Submatrix {_list(data['rows'])} {_list(data['columns'])} ({inner})"
        if data["kind"] == "parts":
            pairs = zip(_occurring(table, measure), data["parts"], strict=True)
            inside = (f"({code}, {term(part, measure, {**parameters, 'code': code}, table)})" for code, part in pairs)
            return f"Parts {_list(inside)}"
        if data["kind"] == "lrat":
            return _refuted_clauses(certificate, measure, parameters["code"], data)
        if data["kind"] == "fooling-lrat":
            return _no_fooling_set(certificate, parameters["code"], data)
        if data["kind"] == "fooling-rows":
            return KINDS["fooling-search"]({**data, "cells": _by_rows(table, parameters["code"], data["rows"])})
        if data["kind"] == "cell-weights":
            return _cell_weights(table, data["cells"])
        if data["kind"] == "distribution":
            inner = term(data["of"], "discrepancy", {"weights": data["weights"]}, table)
            return f"OneDistribution {_table_of_weights(data['weights'])} ({inner})"
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
