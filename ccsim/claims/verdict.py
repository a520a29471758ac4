"""From a claim to its verdict: it is measured at a setting, its certificate is checked, and the finding is judged.

:func:`check_claim` calls these steps in order. Nothing is accepted on the word of the measuring function, and every
error becomes a verdict. :func:`attachments` is what a report shows of a finding.
"""

from __future__ import annotations

import time
import traceback
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from ccsim.certificates import verify
from ccsim.certificates.verify import Refused, TooLarge
from ccsim.certificates.verify.certificates import with_unit
from ccsim.claims.claim import Claim, Direction, Finding, Role, Setting, Value, compare, number, short_text, written
from ccsim.claims.growth import curve, growth_fault
from ccsim.engine.protocol import Protocol
from ccsim.engine.tree import ProtocolTree
from ccsim.errors import InputError, TableTooLargeError
from ccsim.lazy import Renamed
from ccsim.plain_data import plain
from ccsim.plots.matrix import matrix_picture
from ccsim.problems.catalogue import find_problem
from ccsim.problems.function import MultipartyFunction, Subject, TwoPartyFunction


class _Defined(StrEnum):
    meaning: str

    def __new__(cls, word: str, meaning: str = "") -> Self:
        made = str.__new__(cls, word)
        made._value_, made.meaning = word, meaning
        return made


class Word(_Defined):
    """The verdict in a word or two, what a reader must see first coming first; :attr:`meaning` defines each."""

    BROKEN = "broken", "our fault: our code contradicts itself, our own formula or a checked proof"
    REFUTED = "refuted", "the statement is false: by a certificate, or by an execution within all its hypotheses"
    SLIP = (
        "slip",
        "a step of a proof or construction is wrong as printed; a correction is given and was executed, and the "
        "statement has a verdict of its own",
    )
    NOT_REACHED = "not reached", "what was run here costs more than the source states; this refutes nothing"
    IMPROVED = "improved", "more is proved or built here than the source states, in its own convention"
    TIGHT = "tight", "what was executed is exactly what is claimed"
    HOLDS = "holds", "what was executed is on the right side of what is claimed"
    VACUOUS = "vacuous", "the bound is trivial at this size, or a hypothesis does not hold there"
    OPEN = "open", "no execution at this size decides it"
    CALCULATED = "calculated", "a number from a formula, with no execution behind it: not counted as measured"
    NOT_MEASURED = "not measured", "out of time, or a larger size than can be executed was asked for"


class Coverage(_Defined):
    EVERY_LENGTH = "every length", "proved for every length, by a theorem in Coq or a certificate for all lengths"
    CERTIFICATE = "certificate", "proved at this size: the checker accepts a certificate about all inputs"
    ALL = "all cases", "every case at this size was checked"
    DRAWN = "drawn cases", "some of the cases at this size were checked; how many, and of how many, is given"
    INSTANCES = "instances", "the statement is about all objects of a kind, and some of them were executed"
    CALCULATED = "calculated", "a formula, without an execution"
    NOTHING = "nothing", "nothing was checked"


SCOPES = {
    Coverage.EVERY_LENGTH: " for every N",
    Coverage.DRAWN: " on drawn cases",
    Coverage.INSTANCES: " on instances",
}
"""How far a verdict reaches, behind its word; at this size and all cases of it, where nothing is added."""

CONFIRMED = (Word.TIGHT, Word.HOLDS, Word.IMPROVED)
"""The words for a statement that holds."""

DISCREPANCIES = (Word.BROKEN, Word.REFUTED, Word.SLIP, Word.NOT_REACHED, Word.IMPROVED, Word.OPEN, Word.NOT_MEASURED)
TITLE = "Discrepancies with the sources"
"""The words that a page shows first, with the reason, and the title there."""

PROVED = "proved for every N"
"""How a reason states that the statement is a theorem in Coq."""


@dataclass(frozen=True)
class Verdict:
    """What came of one claim at one setting; plain data throughout.

    Attributes:
        claim, paper, source, statement, role, direction, unit, hypotheses: of the claim.
        parameters: the setting.
        formula, claimed, measured: the formula; both values, as numbers (None where there is none) and exact texts.
        slack: by how much the measured value is on the right side of the claimed one; negative where it contradicts.
        word, reason: the verdict, and why: what improves or repairs it, why it is broken or not measured, how what is
            built differs from what is printed; or a note.
        exact: whether the measured value is the true one, proved: for a lower bound, by an accepted certificate.
        checked, of: how many cases were checked, of how many; None also if too many to be written out.
        coverage, covered: what the verdict rests on, also for people: ``"24 of ≈2^400 cases, drawn"``.
        bites_from: from which length on a lower bound is not trivial.
        series: for a claim about growth, each length with the value that was measured there.
        certificate: the line of the checker that accepted the certificate, if there is one.
        seconds, facts: how long it took, and further figures.
        attachments: for reports: the certificate, a transcript, rectangles; left out of :meth:`to_json`.
        claimed_text, measured_text: both values as exact texts.
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
    def description(self) -> str:
        """The verdict for people, with how far it reaches: the sizes measured, or from which length it bites."""
        if self.word is Word.VACUOUS:
            return f"vacuous here (bites from N = {self.bites_from})" if self.bites_from else "vacuous here"
        head, colon, _ = self.reason.partition(": ")
        built = f", {head}" if colon and head in ("modified", "ours") and self.word in (Word.TIGHT, Word.HOLDS) else ""
        if self.series and self.word is Word.HOLDS:
            return f"{self.scoped}{built} (at {len(self.series)} sizes to {self.series[-1][0]})"
        return f"{self.scoped}{built}"

    told = Renamed("description")

    @property
    def scoped(self) -> str:
        """The word, and how far it reaches where the statement holds."""
        return f"{self.word.value}{SCOPES.get(self.coverage, '')}" if self.word in CONFIRMED else self.word.value

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


def check(claim: Claim, **given: int | str) -> Verdict:
    """Measure at one setting, here and now: what is given, and defaults for the rest."""
    if not isinstance(claim, Claim):
        raise InputError("claim", claim, "a Claim, such as one of the claims of a Source")
    return check_claim(claim, claim.setting(given))


def check_claim(claim: Claim, setting: Setting) -> Verdict:
    """Measure, have the certificate checked, and judge. Raises nothing but what stops the program.

    An error is broken, with its line; but an input that the measuring function refuses, a table too large, or a
    certificate too large for the checker, away from the default sizes, is only not measured.
    """
    start = time.perf_counter()
    try:
        finding = claim.measure(**setting)
        if not isinstance(finding, Finding):
            raise TypeError(f"{claim.name} measures {type(finding).__name__}, not a Finding")
        proof = None if finding.certificate is None else check_certificate(finding.certificate)
        if finding.every_length is not None:
            always = finding.every_length.verify()
            finding = finding.also(facts={EVERY_LENGTH: always})
        return Judgement(claim, setting, finding, proof).verdict(time.perf_counter() - start)
    except Refused as error:
        asked = isinstance(error, TooLarge) and setting not in claim.settings()
        word, reason = Word.NOT_MEASURED if asked else Word.BROKEN, f"certificate refused: {error}"
    except (InputError, TableTooLargeError, MemoryError) as error:
        asked = setting not in claim.settings()
        word, reason = (Word.NOT_MEASURED, _line(error)) if asked else (Word.BROKEN, _placed(error))
    except Exception as error:
        word, reason = Word.BROKEN, _placed(error)
    return not_done(claim, setting, word, reason, time.perf_counter() - start)


EVERY_LENGTH = "for every length"


def not_done(claim: Claim, setting: Setting, word: Word, reason: str, seconds: float = 0.0) -> Verdict:
    return Verdict(**_about(claim, setting), word=word, reason=reason, formula=claim.formula, seconds=round(seconds, 3))


def _about(claim: Claim, setting: Setting) -> dict[str, Any]:
    return {
        "claim": claim.name,
        "paper": claim.paper.name,
        "source": claim.source or claim.paper.citation,
        "statement": claim.statement,
        "role": claim.role.value,
        "hypotheses": list(claim.hypotheses),
        "direction": claim.direction.value,
        "unit": claim.unit,
        "parameters": dict(setting),
    }


def _line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _placed(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({'/'.join(frames[-1].filename.split('/')[-3:])}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {_line(error)}{where}"


NOTHING = "nothing was measured"
FROM_BELOW = (Direction.LOWER, Direction.EXACT)
FROM_ABOVE = (Direction.UPPER, Direction.EXACT, Direction.CONSTRUCTION)
WITHOUT_VALUE = (Direction.REFUSAL, Direction.OPEN)
FARTHEST = 1 << 40


@dataclass(frozen=True)
class CheckedBounds:
    """What the checker derived from a certificate: a bound on each side that it proves, and its own line."""

    lower: int | Fraction | None
    upper: int | Fraction | None
    line: str


def check_certificate(certificate: Any) -> CheckedBounds:
    """Let the independent checker derive the bounds again; raises its ``Refused``."""
    report = verify.report(verify.load(certificate.text()))
    sides = {proof["side"]: verify.certificates.read_value(proof["value"]) for proof in report["proofs"]}
    return CheckedBounds(sides.get("lower"), sides.get("upper"), verify.certificates.line(report))


@dataclass(frozen=True)
class Judgement:
    """The verdict on a finding: its ``word`` and ``reason``, and the values on which they rest.

    It is broken if anything was violated, if a certificate proves less than was measured, if the value is not the
    one of our own account, or if it contradicts the source and nothing backs that. What backs it decides the word: a
    statement is refuted only by a certificate, or by an execution of every case within its hypotheses; a line of a
    proof that our own account contradicts is a slip; and what costs more here than is printed is not reached.
    """

    claim: Claim
    setting: Setting
    finding: Finding
    proof: CheckedBounds | None = None

    def verdict(self, seconds: float) -> Verdict:
        claim, finding, about = self.claim, self.finding, _about(self.claim, self.setting)
        if not claim.source:
            about["source"] = finding.source or about["source"]
        return Verdict(
            **about,
            word=self.word,
            formula=claim.formula or finding.formula,
            claimed=number(self.claimed),
            claimed_text=short_text(self.claimed),
            measured=number(self.measured),
            measured_text=short_text(self.measured),
            slack=self._slack(),
            reason=self.reason,
            exact=self.exact,
            checked=written(finding.checked),
            of=written(finding.of),
            coverage=self.coverage,
            covered=self.covered,
            bites_from=self.bites_from,
            series=[[number(size), number(value)] for size, value in finding.series],
            certificate=None if self.proof is None else self.proof.line,
            seconds=round(seconds, 3),
            facts=plain(self._facts()),
            attachments=attachments(finding),
        )

    def _facts(self) -> dict[str, Any]:
        facts, constant, series = dict(self.finding.facts), self.claim.constant, self.finding.series
        if constant is not None and series:
            facts["constant"] = f"c = {constant.value}: {constant.why}"
            ratios = {size: float(value) / float(curve(self.claim, self.setting, size)) for size, value in series}
            facts["of the claimed curve"] = ", ".join(f"{ratio:.2f} at {size}" for size, ratio in ratios.items())
            if constant.short:
                facts["few sizes"] = constant.short
        return facts

    def _slack(self) -> int | float | None:
        if self.claimed is None or self.measured is None:
            return None
        difference: Value = self.measured - self.claimed
        if self.claim.direction is Direction.EXACT:
            return number(-abs(difference))
        return number(difference if self.claim.direction in (Direction.LOWER, Direction.OPEN) else -difference)

    @cached_property
    def claimed(self) -> Value | None:
        return self.finding.claimed if self.claim.formula is None else self.claim.claimed(self.setting)

    @cached_property
    def own(self) -> Value | None:
        return self.claim.own_value(self.setting)

    @cached_property
    def measured(self) -> Value | None:
        finding, bracket = self.finding, self.finding.bracket
        if finding.series:
            return finding.series[-1][1]
        if bracket is None:
            return finding.measured
        return bracket.upper if self.claim.direction in (Direction.UPPER, Direction.CONSTRUCTION) else bracket.lower

    @cached_property
    def decided(self) -> bool:
        """Whether the measured value is the true one: not from a sample, nor one side of an open bracket."""
        finding = self.finding
        whole = finding.exact and finding.of in (None, finding.checked)
        return whole and (finding.bracket is None or finding.bracket.exact)

    @cached_property
    def exact(self) -> bool:
        """Whether it is the true value, proved: a bound from below rests on a certificate, others on what was run."""
        if not self.decided or self.measured is None or self.calculated:
            return False
        direction, proof = self.claim.direction, self.proof
        if direction not in FROM_BELOW:
            return True
        return (
            proof is not None and proof.lower is not None and (direction is Direction.LOWER or proof.upper is not None)
        )

    @cached_property
    def calculated(self) -> bool:
        finding = self.finding
        if self.claim.direction in WITHOUT_VALUE:
            return False
        proved = finding.certificate is not None or finding.every_length is not None
        return finding.calculated or not (finding.checked or proved)

    @property
    def word(self) -> Word:
        return self._judged[0]

    @cached_property
    def reason(self) -> str:
        reason = self._judged[1] or self.claim.built or self.finding.note
        if self.claim.proved and self.word in CONFIRMED:
            reason = "; ".join(filter(None, (reason, f"{PROVED}: {self.claim.proved} in proofs/EveryLength.v")))
        return reason

    @cached_property
    def coverage(self) -> Coverage:
        finding, proof = self.finding, self.proof
        if self.calculated and self.word is not Word.NOT_MEASURED:
            return Coverage.CALCULATED
        if self.word in CONFIRMED and (self.claim.proved or finding.every_length is not None):
            return Coverage.EVERY_LENGTH
        if self.claim.instances:
            return Coverage.INSTANCES
        if proof is not None and self.word is not Word.BROKEN and (proof.lower, proof.upper) != (None, None):
            return Coverage.CERTIFICATE
        if not finding.checked:
            return Coverage.ALL if finding.refusal else Coverage.NOTHING
        if finding.of is None:
            return Coverage.INSTANCES
        return Coverage.ALL if finding.checked == finding.of else Coverage.DRAWN

    @property
    def covered(self) -> str:
        checked, of = self.finding.checked, self.finding.of
        if not checked or self.coverage is Coverage.CALCULATED:
            return "" if self.coverage is Coverage.NOTHING else self.coverage.value
        cases = f"{short_text(checked)} case{'s' * (checked != 1)}"
        if of is not None:
            cases = f"all {cases}" if checked == of else f"{short_text(checked)} of {short_text(of)} cases, drawn"
        proved = "certificate accepted" if self.coverage is Coverage.CERTIFICATE else ""
        return "; ".join(filter(None, (proved, self.claim.instances, cases)))

    @property
    def bites_from(self) -> int | None:
        """The least length up to 2^40 from which on a lower bound is above its trivial value; None if never."""
        claim, length = self.claim, self.claim.parameter("length")
        if self.finding.bites_from or length is None or claim.trivial is None or claim.formula is None:
            return self.finding.bites_from or None

        def bites(steps: int) -> bool:
            there = {**self.setting, "length": length.low + steps * length.step}
            return compare(claim.claimed(there), claim.trivial_value(there)) > 0

        high = 1
        while not bites(high - 1):
            high *= 2
            if high > FARTHEST:
                return None
        return length.low + bisect_left(range(high), True, lo=high // 2, key=bites) * length.step

    @cached_property
    def _judged(self) -> tuple[Word, str]:
        if fault := self._fault():
            return Word.BROKEN, fault
        claim, claimed, measured = self.claim, self.claimed, self.measured
        if claim.direction is Direction.REFUSAL:
            return Word.HOLDS, f"refused, as it must be: {self.finding.refusal}"
        if measured is None and self._wants_a_value:
            return Word.NOT_MEASURED, f"{NOTHING} at this size"
        if claim.direction is Direction.OPEN:
            return Word.OPEN, ""
        trivial = claim.trivial_value(self.setting)
        if self.finding.outside or (claimed is not None and trivial is not None and compare(claimed, trivial) <= 0):
            return Word.VACUOUS, self.finding.outside
        if claimed is None and measured is not None and self.own is None:
            reason = "nothing is claimed of it: no formula, no account of ours, no value beside the measured one"
            return Word.BROKEN, reason
        side = 0 if claimed is None or measured is None else compare(measured, claimed)
        open_bracket = self.finding.bracket is not None and not self.finding.bracket.exact
        contradicts = self._by_direction(side < 0, side != 0 or open_bracket, side > 0)
        if self.calculated:
            return (Word.BROKEN, f"{self._values}, by formula") if contradicts else (Word.CALCULATED, "")
        if contradicts:
            return self._contradiction()
        certified = self.proof is not None and self.proof.lower is not None
        if claim.direction is Direction.LOWER and not certified and not self._exhaustive:
            return Word.OPEN, "it has neither a certificate nor an exhaustive count"
        if side == 0 and claimed is not None and claim.constant is None and not open_bracket:
            return Word.TIGHT, ""
        better = side != 0 and self.own is not None and compare(self.own, claimed) == side and self.finding.exact
        if better and claim.improvement and (certified or claim.direction is not Direction.LOWER):
            return Word.IMPROVED, f"improved by {claim.improvement}"
        return Word.HOLDS, ""

    def _by_direction(self, lower: bool, exact: bool, upper: bool) -> bool:
        return {Direction.LOWER: lower, Direction.EXACT: exact}.get(self.claim.direction, upper)

    @property
    def _exhaustive(self) -> bool:
        return self.finding.exact and 0 < self.finding.checked == self.finding.of

    @property
    def _wants_a_value(self) -> bool:
        return self.claim.formula is not None and self.claim.direction not in WITHOUT_VALUE

    @property
    def _values(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.setting.items())
        values = f"{short_text(self.measured)} measured, {short_text(self.claimed)} claimed"
        return f"{values}, at {where}" if where else values

    def _fault(self) -> str:
        claim, finding, measured, proof = self.claim, self.finding, self.measured, self.proof
        if finding.violations:
            return finding.violations[0]
        if claim.direction is Direction.REFUSAL:
            return "" if finding.refusal else "not refused"
        if finding.of is not None and finding.checked > finding.of:
            return f"{finding.checked} cases checked of {finding.of}"
        if measured is None:
            return NOTHING if self._wants_a_value and self.setting in claim.settings() else ""
        lower = proof.lower if proof and claim.direction in FROM_BELOW else None
        upper = proof.upper if proof and claim.direction in FROM_ABOVE else None
        if lower is not None and compare(lower, measured) < 0:
            return f"measured {measured}, but the certificate proves only {lower}"
        if upper is not None and compare(upper, measured) > 0:
            return f"measured {measured}, but the certificate proves only {upper} from above"
        if claim.constant is not None and (steep := growth_fault(claim, self.setting, finding)):
            return steep
        return (
            self._own_fault() if self.decided or (finding.exact and claim.direction is Direction.CONSTRUCTION) else ""
        )

    def _own_fault(self) -> str:
        """Where a value, at any size of a series, is not that of our own formula, or not within that bound."""
        claim, series = self.claim, self.finding.series
        along = "" if claim.constant is None else claim.constant.along
        points: list[tuple[Setting, Value]] = [({**self.setting, along: size}, value) for size, value in series]
        for there, value in points or [(self.setting, self.measured)]:
            own = claim.own_value(there)
            side = 0 if own is None else compare(value, own)
            if side and (claim.ours_exact or self._by_direction(side < 0, True, side > 0)):
                values = f"measured {short_text(value)}, but by our own account it is {short_text(own)} ({claim.ours})"
                return f"{values}, at {along}={there[along]}" if series else values
        return ""

    def _contradiction(self) -> tuple[Word, str]:
        """The value is on the wrong side of the claimed one: does anything back it?"""
        claim, finding, claimed, proof, values = self.claim, self.finding, self.claimed, self.proof, self._values
        bracket, backed = finding.bracket, self.own is not None and finding.exact
        open_bracket = bracket is not None and not bracket.exact and compare(bracket.lower, claimed) <= 0
        if bracket is not None and open_bracket and (bracket.upper is None or compare(claimed, bracket.upper) <= 0):
            return Word.OPEN, f"between {bracket.lower} and {bracket.upper or '?'}"
        if claim.role is Role.RESULT:
            return Word.BROKEN, f"{values}: this project's own result"
        if claim.role is Role.STEP and claim.repair and backed:
            return Word.SLIP, f"{values}. {claim.repair}"
        if claim.role is not Role.STEP:
            attained = finding.achieved is not None and compare(finding.achieved, claimed) < 0
            if attained and claim.direction is Direction.LOWER and self._exhaustive:
                attained_text = short_text(finding.achieved)
                return Word.REFUTED, f"{values}; something that was run on every case attains {attained_text}"
            if proof is not None:
                below = proof.upper is not None and compare(proof.upper, claimed) < 0
                above = proof.lower is not None and compare(proof.lower, claimed) > 0
                if self._by_direction(below, below or above, above):
                    return Word.REFUTED, f"{values}; proved by certificate"
            if claim.direction in (Direction.UPPER, Direction.CONSTRUCTION) and backed:
                return Word.NOT_REACHED, f"{values}: what was run costs more, which refutes nothing"
        return Word.BROKEN, f"{values}, and nothing backs it"


Rows = list[dict[str, Any]]


MOST_SIDE = 64  # rows or columns of a matrix that is drawn
MOST_RECTANGLES = 1024
MOST_NAMED = 4  # inputs that a message leaves, named one by one


def attachments(finding: Finding) -> dict[str, Any]:
    """The parts that there are: ``certificate``, ``every_length``, ``transcript``, ``picture``."""
    tree, bracket = finding.tree, finding.bracket
    if tree is None and bracket is not None and bracket.matrix is not None and max(bracket.matrix.shape) <= MOST_SIDE:
        drawn = (bracket.upper_witness or {}).get("kind") == "protocol-tree"
        tree = bracket.protocol_tree if drawn else None
    named = _named(finding, tree)
    parts = {
        "certificate": None if finding.certificate is None else finding.certificate.to_json(),
        "every_length": None if finding.every_length is None else finding.every_length.to_json(),
        "transcript": _transcript(finding, tree, named),
        "picture": _picture(finding, tree, named),
    }
    return {name: part for name, part in parts.items() if part is not None}


def _named(finding: Finding, tree: ProtocolTree | None) -> MultipartyFunction | None:
    """The function whose inputs are meant: a tree that was found in a matrix only numbers them."""
    function = tree.function if tree is not None else getattr(finding.protocol, "function", None)
    if finding.bracket is not None and finding.bracket.function is not None:
        name, size = finding.bracket.function
        known = find_problem(name).function(size)
        return known if function is None or known.shape == function.shape else function
    return function


def _shown(named: MultipartyFunction, party: int, place: int) -> str:
    inputs = named.inputs[party]
    return inputs.show(inputs.value(place))


def _transcript(finding: Finding, tree: ProtocolTree | None, named: MultipartyFunction | None) -> dict[str, Any] | None:
    """A run that costs the most bits, if there is a tree, or that on the first inputs."""
    protocol = finding.protocol
    if not isinstance(protocol, Protocol):
        if tree is None:
            return None
        protocol = Protocol.of_tree(tree)
    function, places = protocol.function, [0] * len(protocol.function.parties)
    if tree is not None:
        deepest = max(tree.leaves, key=lambda leaf: leaf.bits)
        places = [int(deepest.sets[player][0]) for player in tree.function.parties]
    run = protocol.run(*(part.value(place) for part, place in zip(function.inputs, places, strict=True)), seed=0)
    named = function if named is None or named.shape != function.shape else named
    messages = run.transcript.table()
    if tree is not None and not any(row["meaning"] for row in messages):
        messages = _with_meanings(messages, tree, named)
    return {
        "inputs": [_shown(named, party, place) for party, place in enumerate(places)],
        "parties": list(named.parties),
        "messages": messages,
        "answer": str(run.answer),
        "expected": str(run.expected),
    }


def _with_meanings(messages: Rows, tree: ProtocolTree, named: MultipartyFunction) -> Rows:
    """The meaning of each message of a tree without labels: which of the speaker's inputs it leaves."""
    node, rows = tree.root, []
    for row in messages:
        after = tree.nodes[dict(zip(map(str, node.messages), node.children, strict=True))[str(row["message"])]]
        speaker = node.speaker or ""
        left, before = after.sets[speaker], node.sets[speaker]
        party = tree.function.parties.index(speaker)
        few = [_shown(named, party, int(place)) for place in left[:MOST_NAMED]]
        meaning = f"{len(left)} of {len(before)} inputs are left" if len(left) > MOST_NAMED else " or ".join(few)
        rows.append({**row, "meaning": f"{speaker}'s input: {meaning}"})
        node = after
    return rows


def _picture(finding: Finding, tree: ProtocolTree | None, named: MultipartyFunction | None) -> dict[str, Any] | None:
    """The matrix, with a protocol's rectangles or a fooling set's cells, as :class:`~ccsim.plots.Picture` has it."""
    bracket, cells = finding.bracket, []
    matrix = None if bracket is None else bracket.matrix
    if bracket is not None and bracket.measure == "fooling-set":
        cells = (bracket.lower_witness or {}).get("cells", [])
    if matrix is None and tree is not None and isinstance(tree.function, TwoPartyFunction):
        matrix = tree.function.matrix if max(tree.function.shape) <= MOST_SIDE else None
    if matrix is None or max(matrix.shape) > MOST_SIDE or 0 in matrix.shape:
        return None
    subject: Subject = matrix
    if isinstance(named, TwoPartyFunction) and named.shape == matrix.shape and named.matrix == matrix:
        subject = named
    leaves = [] if tree is None else tree.leaves
    rectangles = [(leaf.sets["alice"], leaf.sets["bob"]) for leaf in leaves[:MOST_RECTANGLES]]
    picture = matrix_picture(subject, rectangles=rectangles, cells=cells)
    return {"body": picture.body, "width": picture.width, "height": picture.height, "alt": picture.alt}
