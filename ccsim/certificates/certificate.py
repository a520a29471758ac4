"""A certificate as a value: made from a bracket, saved, loaded with nothing taken on trust, verified.

Two checkers read its file: :mod:`ccsim.certificates.verify`, and the program of ``proofs/``, if it has been built.
``make -C proofs`` proves in Coq that this one accepts nothing false, and compiles it; its verdict rests on nothing in
Python.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

import numpy as np

from ccsim.certificates import verify
from ccsim.certificates.verify.certificates import matrix_of, plain_value, read_header, read_value
from ccsim.certificates.verify.claims import MOST_CELLS, MatrixClaim, Table, Unwritten
from ccsim.errors import InputError, TableTooLargeError
from ccsim.matrices import CommunicationMatrix, Relation
from ccsim.plain_data import write_whole
from ccsim.problems.catalogue import find_problem
from ccsim.problems.function import TwoPartyFunction

Value = int | Fraction
Witness = dict[str, Any]

DEFAULTS = {"answer": "both", "coins": "public"}


@dataclass(frozen=True, eq=False)
class Proof:
    """One side of a bracket: the claim that the measure is at least (at most) a value, and what proves it.

    Attributes:
        side: ``"lower"`` or ``"upper"``.
        value: the bound, in the certificate's unit.
        witness: plain data, with its ``kind``.
    """

    side: str
    value: Value
    witness: Witness = field(repr=False)


class SavedCertificate(ABC):
    """What proofs of one kind or another have in common: how they are written, read and verified."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A certificate from a file; :class:`~ccsim.certificates.verify.Refused` if it is none."""
        with open(path, "rb") as file:
            return cls.from_json(verify.load(file.read(verify.certificates.MOST_BYTES + 1)))

    @classmethod
    @abstractmethod
    def from_json(cls, data: Any) -> Self:
        """From plain data; :class:`~ccsim.certificates.verify.Refused` if it is none."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Plain data, as it is saved and as the checker reads it."""

    def text(self) -> str:
        return json.dumps(self.to_json(), separators=(",", ":"), allow_nan=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Write a file, whole or not at all."""
        write_whole(path, self.text())

    def verify(self) -> str:
        """What is proved, in a line, by the checker; raises its ``Refused`` if a proof fails."""
        return verify.summary(verify.load(self.text()))


@dataclass(frozen=True, eq=False)
class Certificate(SavedCertificate):
    """A claim about one measure of one matrix, with what proves each side.

    Attributes:
        matrix: the communication matrix; None for a function that is named and too large to be written out.
        measure, unit, parameters: as in :class:`~ccsim.bounds.bracket.Bracket`; the parameters are those that the
            claim needs, and no others.
        proofs: of the lower side, of the upper side, or both.
        function: name and size of a function whose matrix this is; written instead of the cells if the checker knows
            it, else beside them.
        relation: what it is about, where that is no function.

    >>> from ccsim.bounds import deterministic
    >>> from ccsim.problems import equality
    >>> certificate = deterministic(equality(3)).certificate
    >>> certificate.verify()
    'deterministic = 4 bits (both know) of equality, n = 3 (8 x 8, sha256 8b6dc403bd62):
    lower by refutation, upper by protocol-tree'
    """

    matrix: CommunicationMatrix | None
    measure: str
    unit: str
    parameters: dict[str, Any]
    proofs: tuple[Proof, ...]
    function: tuple[str, int] | None = None
    relation: Relation | None = None

    def __post_init__(self) -> None:
        if self.function is not None and self.matrix is not None:
            known = verify.certificates.known_here(*self.function)
            if known is not None and known != verify.read_matrix(listed_rows(self.matrix)):
                raise InputError("function", self.function, "the function whose matrix this is")

    @classmethod
    def from_bracket(
        cls,
        bracket: Any,
        matrix: CommunicationMatrix | None,
        function: tuple[str, int] | None = None,
        relation: Relation | None = None,
    ) -> Certificate:
        """The certificate of a bracket; a side without a witness is left out.

        Args:
            bracket: a :class:`~ccsim.bounds.bracket.Bracket` with at least one witness.
            matrix: what it is a bracket of; None if it is too large to be written out, and named. Of one that is too
                large, what the checker derives from the name alone is kept.
            function: the name and size of a function of the catalogue, if the matrix is that function's.
            relation: what it is a bracket of, if that is no function.

        Raises:
            InputError: without a witness, matrix or name; for a measure that the checker does not know, a function with
                another matrix, or too large a matrix whose name does not help.
        """
        sides = (("lower", bracket.lower, bracket.lower_witness), ("upper", bracket.upper, bracket.upper_witness))
        proofs = tuple(Proof(*side) for side in sides if None not in side)
        if not proofs:
            raise InputError("bracket", str(bracket), "a bracket with a witness")
        if matrix is None and function is None and relation is None:
            raise InputError("bracket", bracket.measure, "one that knows its matrix, as ccsim.bounds.brackets_of gives")
        parameters = claim_parameters(bracket)
        if matrix is not None and matrix.codes.size > MOST_CELLS:
            matrix, claim = None, (bracket.measure, parameters)
            proofs = tuple(proof for proof in proofs if _by_definition(function, claim, proof))
            if not proofs:
                raise InputError("bracket", bracket.measure, f"of a matrix of at most {MOST_CELLS} cells")
        return cls(matrix, bracket.measure, bracket.unit, parameters, proofs, function, relation)

    @classmethod
    def from_json(cls, data: Any) -> Certificate:
        """From plain data; :class:`~ccsim.certificates.verify.Refused` if it is none."""
        head = read_header(data)
        named = head["matrix"]
        table, labels = matrix_of(named)
        plain = type(table) is verify.claims.Matrix
        return cls(
            CommunicationMatrix(np.array(table.table), labels) if plain else None,
            head["measure"],
            head["unit"],
            head["parameters"],
            tuple(Proof(side, read_value(value), witness) for side, value, witness in head["proofs"]),
            (named["function"], named["n"]) if "function" in named else None,
            Relation(table.sets, labels) if isinstance(table, verify.claims.RelationTable) else None,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "format": verify.certificates.FORMAT,
            "version": verify.certificates.VERSION,
            "matrix": self._matrix_json(),
            "measure": self.measure,
            "unit": self.unit,
            "parameters": self.parameters,
            "proofs": [
                {"side": proof.side, "value": plain_value(proof.value), "witness": proof.witness}
                for proof in self.proofs
            ],
        }

    def _matrix_json(self) -> dict[str, Any]:
        if self.relation is not None:
            labels = [_named(label) for label in self.relation.labels]
            return {"labels": labels, "allowed": self.relation.allowed.tolist()}
        named = {} if self.function is None else dict(zip(("function", "n"), self.function, strict=True))
        if named.get("function") in verify.certificates.NAMED:
            return named
        if self.matrix is None:
            expected = f"a matrix, or the name of one of {', '.join(verify.certificates.NAMED)}"
            raise InputError("matrix", self.matrix, expected)
        return {**named, **listed_rows(self.matrix)}

    def __str__(self) -> str:
        *others, last = [f"{'>=' if proof.side == 'lower' else '<='} {proof.value}" for proof in self.proofs]
        return f"certificate: {self.measure} {', '.join([*others, verify.certificates.with_unit(last, self.unit)])}"


def listed_rows(matrix: CommunicationMatrix) -> dict[str, Any]:
    labels = [_named(label) for label in matrix.labels]
    if len(set(labels)) < len(labels):  # such as 0.5 and "0.5"
        labels = [repr(label) for label in matrix.labels]
    codes = matrix.codes.tolist()
    if len(labels) > len(verify.certificates.DIGITS):
        return {"labels": labels, "rows": codes}
    digits = verify.certificates.DIGITS[: len(labels)] + "*"  # place -1 is the last
    return {"labels": labels, "rows": ["".join([digits[code] for code in row]) for row in codes]}


def claim_parameters(bracket: Any) -> dict[str, Any]:
    """The parameters of a bracket that its claim needs; others, such as the text of a label, are for people."""
    names = verify.claims.PARAMETERS.get(bracket.measure)
    if names is None:
        raise InputError("bracket", bracket.measure, f"one of the measures {', '.join(verify.claims.PARAMETERS)}")
    known = DEFAULTS | bracket.parameters
    if any(name not in known for name in names):
        raise InputError("bracket", sorted(known), f"the parameters {', '.join(names)}")
    return {name: known[name] for name in names}


def _by_definition(function: tuple[str, int] | None, claim: tuple[str, dict[str, Any]], proof: Proof) -> bool:
    if function is None or function[0] not in verify.certificates.NAMED:
        return False
    measure, parameters = claim
    try:
        return bool(
            MatrixClaim(Unwritten(*function), measure, proof.side, parameters).proved(proof.witness) == proof.value
        )
    except verify.Refused:
        return False


def _named(label: Any) -> int | str:
    """A label as certificates have them: text, or an integer that the checker reads."""
    whole = isinstance(label, (int, np.integer)) and not isinstance(label, bool)
    return int(label) if whole and abs(int(label)) < verify.claims.MOST_INTEGER else str(label)


PROGRAM = "ccsim-proved"
FOLDER = Path(__file__).parents[2] / "proofs"
HOW_TO_BUILD = (
    "the program ccsim-proved, built by `make -C proofs` in a checkout"
    " (Debian: apt-get install coq libcoq-core-ocaml-dev ocaml-findlib libzarith-ocaml-dev)"
)


@dataclass(frozen=True)
class ProvedVerdict:
    """The result of the proved checker on a file; the verdict is ``unreached`` if it has no theorem on the claim."""

    verdict: str
    message: str


def find_program(folder: Path = FOLDER) -> Path:
    """The program that was built in ``folder``, or else one on the path; an ``InputError`` states how to build it."""
    built = folder / PROGRAM
    program = str(built) if built.is_file() else shutil.which(PROGRAM)
    if program is None:
        raise InputError("--proved", PROGRAM, HOW_TO_BUILD)
    return Path(program)


def check_proved(path: str | Path, program: Path) -> ProvedVerdict:
    """The result of the program on a certificate's file. If it ends in any other way than with a verdict, it
    refuses."""
    done = subprocess.run([program, "--", path], capture_output=True, check=False)
    line = done.stdout.decode("utf-8", "replace").partition("\n")[0]
    verdict, _, rest = line.partition(" ")
    if verdict not in ("accepted", "refused", "unreached") or (verdict == "accepted") != (done.returncode == 0):
        return ProvedVerdict("refused", f"the program ended without a verdict (exit code {done.returncode})")
    shown = "".join(f"\\x{ord(sign):02x}" if sign < " " or sign == "\x7f" else sign for sign in str(path))
    return ProvedVerdict(verdict, rest.removeprefix(f"{shown}: "))


def known_function(name: str, n: int) -> tuple[Table, list[Any]] | None:
    """The codes and labels of a function of the catalogue; None if it has none of this name, or it is too large."""
    try:
        function = find_problem(name).function(n)
        if not isinstance(function, TwoPartyFunction) or function.shape[0] * function.shape[1] > MOST_CELLS:
            return None
        return verify.read_matrix(listed_rows(function.matrix))
    except (InputError, TableTooLargeError):
        return None
