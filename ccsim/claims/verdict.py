"""A verdict: the claimed value beside the measured one, and what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from ccsim.certificates.verify.certificates import with_unit

__all__ = ["NEWS", "PROVED", "Coverage", "Verdict", "Word"]


class Word(StrEnum):
    """The verdict in a word or two, what a reader must see first coming first; :attr:`meaning` defines each."""

    BROKEN = "broken"
    REFUTED = "refuted"
    SLIP = "slip"
    NOT_REACHED = "not reached"
    IMPROVED = "improved"
    TIGHT = "tight"
    HOLDS = "holds"
    VACUOUS = "vacuous"
    OPEN = "open"
    CALCULATED = "calculated"
    NOT_MEASURED = "not measured"

    @property
    def meaning(self) -> str:
        """What the word says, in a sentence."""
        return MEANINGS[self]


MEANINGS = {
    Word.BROKEN: "our fault: our code contradicts itself, its own account or a checked proof",
    Word.REFUTED: "the statement is false: by a certificate, or by an execution within all its hypotheses",
    Word.SLIP: "a line of a proof or construction cannot be right as printed; the reading that repairs the line is "
    "given and was executed too, and the statement has a verdict of its own",
    Word.NOT_REACHED: "what was run here costs more than the source says is possible; nothing is refuted",
    Word.IMPROVED: "more is proved or built here than the source says, in the source's own convention",
    Word.TIGHT: "what was executed is exactly what is claimed",
    Word.HOLDS: "what was executed is on the right side of what is claimed",
    Word.VACUOUS: "the bound says nothing at this size",
    Word.OPEN: "no execution at this size settles it",
    Word.CALCULATED: "a number from a formula, with no execution behind it: not counted as measured",
    Word.NOT_MEASURED: "out of time, or a larger size than can be executed was asked for",
}


class Coverage(StrEnum):
    """What a verdict rests on; :attr:`meaning` defines each."""

    EVERY_LENGTH = "every length"
    CERTIFICATE = "certificate"
    ALL = "all cases"
    DRAWN = "drawn cases"
    INSTANCES = "instances"
    CALCULATED = "calculated"
    NOTHING = "nothing"

    @property
    def meaning(self) -> str:
        """What stands behind a verdict that says so, in a sentence."""
        return COVERED[self]


COVERED = {
    Coverage.EVERY_LENGTH: "proved for every length, by a theorem in Coq or a certificate for all lengths",
    Coverage.CERTIFICATE: "proved at this size: the checker accepts a certificate about all inputs",
    Coverage.ALL: "every case at this size was gone through",
    Coverage.DRAWN: "some cases at this size were gone through, of more that there are: as many of as many",
    Coverage.INSTANCES: "the statement is about all objects of a kind, and some of them were executed",
    Coverage.CALCULATED: "a formula, without an execution",
    Coverage.NOTHING: "nothing was gone through",
}

SCOPES = {
    Coverage.EVERY_LENGTH: " for every N",
    Coverage.DRAWN: " on drawn cases",
    Coverage.INSTANCES: " on instances",
}
"""How far a verdict reaches, behind its word; at this size and all cases of it, where nothing is added."""

STANDS = (Word.TIGHT, Word.HOLDS, Word.IMPROVED)
"""The words that say that a statement stands."""

NEWS = (Word.BROKEN, Word.REFUTED, Word.SLIP, Word.NOT_REACHED, Word.IMPROVED, Word.OPEN, Word.NOT_MEASURED)
"""The words of which a reader is told first, with the reason."""

PROVED = "proved for every N"
"""How a reason says that Coq has the statement as a theorem."""


@dataclass(frozen=True)
class Verdict:
    """What came of one claim at one setting; plain data throughout.

    Attributes:
        claim, paper, source, statement, role, direction, unit, hypotheses: of the claim.
        parameters: the setting.
        formula: the claimed value as a formula.
        claimed, measured: both values, as numbers (None where there is none), with their exact texts.
        slack: by how much the measured value is on the right side of the claimed one; negative where it contradicts.
        word: the verdict.
        reason: why it is what it is: what improves or repairs it, why it is broken or not measured; how what is
            built differs from what is printed; or a note.
        exact: whether the measured value is the true one, proved: for a lower bound, by an accepted certificate.
        checked, of: how many cases were gone through, of how many; None also if too many to be written out.
        coverage: what the verdict rests on.
        covered: the same for people, with the numbers: ``"24 of ≈2^400 cases, drawn"``.
        bites_from: from which length on a lower bound says something.
        series: for a claim about growth, each length with the value that was measured there.
        certificate: the line of the checker that accepted the certificate, if there is one.
        seconds: how long it took.
        facts: further figures.
        attachments: for reports: the certificate, a transcript, rectangles; left out of :meth:`to_json`.
    """

    claim: str
    paper: str
    source: str
    statement: str
    role: str
    direction: str
    unit: str
    parameters: Mapping[str, int | str]
    word: Word
    hypotheses: Sequence[str] = ()
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
    coverage: Coverage = Coverage.NOTHING
    covered: str = ""
    bites_from: int | None = None
    series: Sequence[Sequence[int | float | None]] = ()
    certificate: str | None = None
    seconds: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)
    attachments: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def told(self) -> str:
        """The verdict for people: with the length from which a vacuous bound bites, or the lengths of a series.

        Where not every case at this size was gone through, or more is proved, it says how far it reaches; where
        something was built that is not what the source prints, that this is modified, or ours.
        """
        if self.word is Word.VACUOUS:
            return f"vacuous here (bites from N = {self.bites_from})" if self.bites_from else "vacuous here"
        head, colon, _ = self.reason.partition(": ")
        built = f", {head}" if colon and head in ("modified", "ours") and self.word in (Word.TIGHT, Word.HOLDS) else ""
        if self.series and self.word is Word.HOLDS:
            return f"{self.scoped}{built} (at {len(self.series)} sizes to {self.series[-1][0]})"
        return f"{self.scoped}{built}"

    @property
    def scoped(self) -> str:
        """The word, and how far it reaches where it says that a statement stands."""
        return f"{self.word.value}{SCOPES.get(self.coverage, '')}" if self.word in STANDS else self.word.value

    @property
    def bound(self) -> str:
        """The claimed value with its unit and how it bounds what is measured: ``≥ 4 bits``."""
        if self.claimed_text == "-":
            return "-"
        sign = {"lower bound": "≥ ", "upper bound": "≤ ", "construction": "≤ ", "exact value": "= "}
        return f"{sign.get(self.direction, '')}{with_unit(self.claimed_text, self.unit)}"

    @property
    def value(self) -> str:
        """The measured value with its unit; in brackets if it was only calculated."""
        if self.measured_text == "-":
            return "-"
        text = with_unit(self.measured_text, self.unit)
        return f"({text})" if self.word is Word.CALCULATED else text

    @property
    def setting(self) -> str:
        """The parameters in a line: ``length=4, width=8``."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters.items())

    @property
    def sampled(self) -> bool:
        """Whether some cases were drawn, of more that there are."""
        return self.of not in (None, self.checked)

    @property
    def told_setting(self) -> str:
        """The parameters in a line, without how samples are drawn where all cases were gone through."""
        drawn = () if self.sampled else ("samples", "seed")
        return ", ".join(f"{name} = {value}" for name, value in self.parameters.items() if name not in drawn)

    def to_json(self) -> dict[str, Any]:
        """Plain data without the attachments; the word is called ``verdict``."""
        rows = {name.name: getattr(self, name.name) for name in fields(self) if name.name != "attachments"}
        rows |= {"hypotheses": list(self.hypotheses), "series": [list(point) for point in self.series]}
        rows["coverage"] = self.coverage.value
        return {"claim": rows.pop("claim"), "verdict": rows.pop("word").value, **rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], attachments: Mapping[str, Any] | None = None) -> Verdict:
        """The verdict again, as :meth:`to_json` gave it."""
        rest = {name: value for name, value in data.items() if name not in ("verdict", "coverage")}
        word, coverage = Word(data["verdict"]), Coverage(data["coverage"])
        return cls(word=word, coverage=coverage, attachments=attachments or {}, **rest)
