"""A certificate as a Coq file: its claims are theorems, and coqc checks them by itself.

The file needs the compiled files of ``proofs/`` (``make -C proofs proofs``) and nothing else: ``coqc -Q proofs Ccsim
out.v``. Each theorem says in the words of ``proofs/Specification.v`` what is claimed; its proof lets Coq's kernel
run the checker (``vm_compute``), which is proved to accept nothing false. So nothing that is written here has to be
believed, but that the theorem says what was meant, which is read in a line.
"""

from __future__ import annotations

from typing import Any

from ccsim.certificates.certificate import Certificate
from ccsim.certificates.coq_factors import FACTOR_MEASURES, factor_measure_text, factor_witness_text
from ccsim.certificates.coq_relations import certificate_of_relation_in_coq
from ccsim.certificates.coq_terms import NAMES, list_text, measure_text, rational_text
from ccsim.certificates.coq_witnesses import witness_text
from ccsim.errors import InputError

__all__ = ["certificate_in_coq"]

MOST_CELLS = 1 << 16
HEAD = """\
(* Checked by coqc -Q proofs Ccsim, once make -C proofs proofs has compiled what it needs. *)
From Coq Require Import List NArith ZArith QArith.
From Ccsim Require Import Specification Refutation TreeWitnesses Lrat BranchAndCut FoolingSearch Diagonals.
From Ccsim Require Import PrivateTrees Checker Theorems Factors FactorChecker.
Import ListNotations.
Open Scope N_scope.
"""
FACTORS = ("factors_hold", "factor_witness", factor_measure_text, factor_witness_text)


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
        return certificate_of_relation_in_coq(certificate)
    named = certificate.function
    known = named is not None and named[0] in NAMES
    lines = [HEAD]
    about_factors = certificate.measure in FACTOR_MEASURES
    if known and not about_factors:
        assert named is not None
        subject, theorem = f"(named {NAMES[named[0]]} {named[1]})", "accepted_named_claims_hold"
    else:
        lines += [_table(certificate), ""]
        subject, theorem = "(cell matrix)", "accepted_claims_hold"
    words = ("holds", "witness", measure_text, witness_text)
    if about_factors:
        theorem, words = "accepted_claims_on_factors_hold", FACTORS
    holds, kind, of_measure, of_witness = words
    claimed = of_measure(certificate.measure, _with_weights(certificate))
    for proof in certificate.proofs:
        side, witness = proof.side.capitalize(), of_witness(certificate, proof)
        lines += [
            f"Definition {proof.side}_witness : {kind} :=\n  {witness}.",
            f"Theorem {proof.side} : {holds} {subject} {claimed} {side} {rational_text(proof.value)}.",
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
    rows = (list_text("None" if cell < 0 else f"Some {cell}" for cell in row) for row in matrix.codes.tolist())
    return "Definition matrix : table :=\n  [" + ";\n   ".join(rows) + "]."
