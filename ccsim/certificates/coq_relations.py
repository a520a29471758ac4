"""A certificate about a relation as a Coq file: its claims are theorems on protocols whose every answer is right."""

from __future__ import annotations

from typing import Any

from ccsim.certificates import verify
from ccsim.certificates.certificate import Certificate
from ccsim.certificates.coq_rectangles import every_rectangle_text
from ccsim.certificates.coq_terms import pairs_text, rational_text, relation_measure_text, table_text, tree_text
from ccsim.errors import InputError
from ccsim.relations import Relation

__all__ = ["certificate_of_relation_in_coq"]

MOST_CELLS = 1 << 16
THEOREM = "accepted_claims_on_relations_hold"
HEAD = """\
(* Checked by coqc -Q proofs Ccsim, once make -C proofs proofs has compiled what it needs. *)
From Coq Require Import List NArith ZArith QArith.
From Ccsim Require Import Specification Relations TreeWitnesses RelationChecker Theorems.
Import ListNotations.
Open Scope N_scope.
"""


def certificate_of_relation_in_coq(certificate: Certificate) -> str:
    """The Coq text: a theorem for each side, whose proof is a computation inside of Coq.

    Args:
        certificate: of a relation of at most 2^16 cells, by a kind that ``proofs/RelationChecker.v`` knows; else an
            ``InputError``.

    >>> from ccsim.bounds.measures import brackets_of
    >>> from ccsim.problems import karchmer_wigderson
    >>> text = certificate_of_relation_in_coq(brackets_of(karchmer_wigderson("0110"), "leaves")[0].certificate)
    >>> print("\\n".join(line for line in text.splitlines() if line.startswith("Theorem")))
    Theorem lower : relation_holds (labels_at relation) (RelationLeaves Both) Lower (4 # 1).
    Theorem upper : relation_holds (labels_at relation) (RelationLeaves Both) Upper (4 # 1).
    """
    relation = certificate.relation
    if relation is None or relation.allowed.size > MOST_CELLS:
        raise InputError("--coq", certificate.measure, f"a relation of at most {MOST_CELLS} cells")
    claimed = relation_measure_text(certificate.measure, certificate.parameters)
    lines = [HEAD, f"Definition relation : table_of_sets :=\n  {table_text(relation.allowed.tolist())}.", ""]
    for proof in certificate.proofs:
        witness = _witness(relation, certificate.measure, certificate.parameters, proof.witness)
        value = f"{proof.side.capitalize()} {rational_text(proof.value)}"
        lines += [
            f"Definition {proof.side}_witness : relation_witness :=\n  {witness}.",
            f"Theorem {proof.side} : relation_holds (labels_at relation) {claimed} {value}.",
            f"Proof. apply {THEOREM} with (w := {proof.side}_witness). vm_compute. reflexivity. Qed.",
            f"Print Assumptions {proof.side}.",
            "",
        ]
    return "\n".join(lines)


def _witness(relation: Relation, measure: str, parameters: dict[str, Any], data: dict[str, Any]) -> str:
    if data["kind"] == "protocol-tree":
        return f"SolvingTree {tree_text(data['tree'])}"
    if data["kind"] == "khrapchenko":
        return f"CellsApart {pairs_text(data['cells'])}"
    if data["kind"] == "all-rectangles":
        checked = verify.matrices.Relation(relation.allowed.tolist(), len(relation.labels))
        return f"EveryRectangleOf {every_rectangle_text(checked, measure, parameters, data)}"
    if data["kind"] == "bits-of" and data["measure"] == "leaves":
        inner = _witness(relation, "leaves", {"answer": parameters["answer"]}, data["of"])
        return f"BitsOfLeaves ({inner})"
    kinds = "protocol-tree, all-rectangles, khrapchenko, bits-of (leaves)"
    raise InputError("--coq", data["kind"], f"about a relation, a witness of a kind among {kinds}")
