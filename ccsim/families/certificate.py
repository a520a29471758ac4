"""Certificates for every length, as values: made from witnesses, saved, loaded, verified, evaluated at any n."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ccsim.arguments import require_integer
from ccsim.certificates import verify
from ccsim.errors import InputError
from ccsim.families.family import RegularFamily
from ccsim.families.word_sets import count_at
from ccsim.writing import write_whole

Witness = dict[str, Any]


@dataclass(frozen=True, eq=False)
class FamilyCertificate:
    """A bound on a measure of a family for every n, from below, from above, or both.

    Attributes:
        family: the family, as plain data.
        measure: ``deterministic``, ``fooling-set``, ``rank``, ``one-way-messages`` or ``one-way``.
        parameters: what the claim needs besides the family.
        proofs: for each side, what is proved (a count, or bits per block and at the end) and its witness.

    >>> from ccsim.families import named_family
    >>> diagonal = {"steps": [[[0, 0, 0], [1, 1, 0]]], "accepting": [0], "first": 0}
    >>> certificate = FamilyCertificate.of(
    ...     named_family("equality"), "fooling-set", {"code": 1, "answer": "both"},
    ...     lower={"kind": "regular-fooling-set", "words": diagonal})
    >>> certificate.verify()
    'fooling-set >= 2^n cells for all n >= 1 (label 1, both know) of equality, n bits each (sha256 12c22abb1f67):
    lower by regular-fooling-set'
    >>> certificate.lower(10)
    1024
    """

    family: dict[str, Any] = field(repr=False)
    measure: str
    parameters: dict[str, Any]
    proofs: dict[str, tuple[Any, Witness]] = field(repr=False)

    @classmethod
    def of(
        cls,
        family: RegularFamily,
        measure: str = "deterministic",
        parameters: dict[str, Any] | None = None,
        *,
        lower: Witness | None = None,
        upper: Witness | None = None,
    ) -> FamilyCertificate:
        """What witnesses prove; raises :class:`~ccsim.certificates.verify.Refused` if one proves nothing."""
        if lower is None and upper is None:
            raise InputError("lower", lower, "a witness for one side at least")
        parameters = {"answer": "both"} if parameters is None else parameters
        proofs = {}
        for side, witness in (("lower", lower), ("upper", upper)):
            if witness is not None:
                proved = verify.every_length.proved_always(family.to_json(), measure, side, parameters, witness)
                proofs[side] = (proved, witness)
        return cls(family.to_json(), measure, parameters, proofs)

    @classmethod
    def load(cls, path: str | Path) -> FamilyCertificate:
        """From a file; :class:`~ccsim.certificates.verify.Refused` if it is none, or proves nothing."""
        return cls.from_json(verify.load(Path(path).read_bytes()))

    @classmethod
    def from_json(cls, data: Any) -> FamilyCertificate:
        """From plain data; :class:`~ccsim.certificates.verify.Refused` if it is none, or proves nothing."""
        verify.every_length.report_family(data)
        proofs = {proof["side"]: (tuple(proof["value"]), proof["witness"]) for proof in data["proofs"]}
        return cls(data["family"], data["measure"], data["parameters"], proofs)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as the checker reads it."""
        return {
            "format": verify.families.FAMILY_FORMAT,
            "version": verify.reading.VERSION,
            "family": self.family,
            "measure": self.measure,
            "unit": verify.families.FAMILY_MEASURES[self.measure][0],
            "parameters": self.parameters,
            "proofs": [
                {"side": side, "value": [verify.every_length.plain_part(part) for part in value], "witness": witness}
                for side, (value, witness) in self.proofs.items()
            ],
        }

    def text(self) -> str:
        """JSON in one line."""
        return json.dumps(self.to_json(), separators=(",", ":"), allow_nan=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Write a file, whole or not at all."""
        write_whole(path, self.text())

    def verify(self) -> str:
        """What is proved, in a line, by the checker; raises its ``Refused`` if a proof fails."""
        return verify.summary(verify.load(self.text()))

    def statements(self) -> dict[str, str]:
        """For each side, the bound for every n in words, such as ``>= n + 1 bits for all n >= 1``."""
        return {
            side: verify.every_length.statement(self.measure, side, value) for side, (value, _) in self.proofs.items()
        }

    def lower(self, n: int) -> int | None:
        """The bound from below at one n, in the measure's unit; None if there is none."""
        if "lower" not in self.proofs:
            return None
        count = count_at(self.proofs["lower"][0], require_integer("n", n, low=1))
        return verify.data.bits_for(count) if verify.families.FAMILY_MEASURES[self.measure][0] == "bits" else count

    def upper(self, n: int) -> int | None:
        """The bound from above at one n, in the measure's unit; None if there is none."""
        if "upper" not in self.proofs:
            return None
        n, value = require_integer("n", n, low=1), self.proofs["upper"][0]
        if verify.families.FAMILY_MEASURES[self.measure][0] != "bits":
            return count_at(value, n)
        per_block, at_end = value
        return int(per_block) * n + int(at_end)
