"""A verdict: the claimed value beside the measured one, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

__all__ = ["Verdict", "Word"]


class Word(StrEnum):
    """The verdict in a word or two."""

    HOLDS = "holds"
    TIGHT = "tight"
    IMPROVED = "improved"
    FAILS = "printed constant fails"
    VACUOUS = "vacuous"
    REFUSED = "refused"
    OPEN = "open"
    NOT_MEASURED = "not measured"
    BROKEN = "broken"


@dataclass(frozen=True)
class Verdict:
    """What came of one claim at one setting; plain data throughout.

    Attributes:
        claim, paper, source, statement, direction, unit: of the claim.
        parameters: the setting.
        formula: the claimed value as a formula.
        claimed, measured: both values, as numbers (None where there is none), with their exact texts.
        slack: by how much the measured value is on the right side of the claimed one; negative where it contradicts.
        word: the verdict.
        reason: why it is broken, not measured or failing; otherwise a note.
        exact: whether the measured value is the true one, proved: for a lower bound, by an accepted certificate.
        checked, of: how many cases were gone through, of how many; None also if too many to be written out.
        bites_from: from which length on a lower bound says something.
        certificate: the line of the checker that accepted the certificate, if there is one.
        seconds: how long it took.
        facts: further figures.
        attachments: for reports: the certificate, a transcript, rectangles; left out of :meth:`to_json`.
    """

    claim: str
    paper: str
    source: str
    statement: str
    direction: str
    unit: str
    parameters: Mapping[str, int | str]
    word: Word
    formula: str | None = None
    claimed: int | float | None = None
    claimed_text: str = "-"
    measured: int | float | None = None
    measured_text: str = "-"
    slack: int | float | None = None
    reason: str = ""
    exact: bool = False
    checked: int | None = 0
    of: int | None = None
    bites_from: int | None = None
    certificate: str | None = None
    seconds: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)
    attachments: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def told(self) -> str:
        """The verdict for people: with the length from which a vacuous bound bites, or the constant that was open."""
        if self.word is Word.VACUOUS:
            return f"vacuous here (bites from N = {self.bites_from})" if self.bites_from else "vacuous here"
        if self.word is Word.HOLDS and self.facts.get("constant") is not None:
            return f"holds (c = {self.facts['constant']:.3g})"
        return "refused, as it must be" if self.word is Word.REFUSED else self.word.value

    @property
    def bound(self) -> str:
        """The claimed value with its unit and how it bounds what is measured: ``≥ 4 bits``."""
        if self.claimed_text == "-":
            return "-"
        sign = {"lower bound": "≥ ", "upper bound": "≤ ", "construction": "≤ ", "exact value": "= "}
        return f"{sign.get(self.direction, '')}{self.claimed_text} {self.unit}".rstrip()

    @property
    def value(self) -> str:
        """The measured value with its unit."""
        return "-" if self.measured_text == "-" else f"{self.measured_text} {self.unit}".rstrip()

    @property
    def setting(self) -> str:
        """The parameters in a line: ``length=4, width=8``."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())

    def _repr_html_(self) -> str:
        from ccsim.html import verdict_html

        return verdict_html(self)

    def to_json(self) -> dict[str, Any]:
        """Plain data without the attachments; the word is called ``verdict``."""
        rows = {name.name: getattr(self, name.name) for name in fields(self) if name.name != "attachments"}
        return {"claim": rows.pop("claim"), "verdict": rows.pop("word").value, **rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], attachments: Mapping[str, Any] | None = None) -> Verdict:
        """The verdict again, as :meth:`to_json` gave it."""
        rest = {name: value for name, value in data.items() if name != "verdict"}
        return cls(word=Word(data["verdict"]), attachments=attachments or {}, **rest)
