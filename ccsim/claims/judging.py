"""How a verdict follows from a claim and a finding. Nothing here is taken from the measuring function's word for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ccsim.bounds.bracket import Bracket
from ccsim.certificates import verify
from ccsim.claims.claim import Claim, Direction, Role, Setting
from ccsim.claims.finding import Finding
from ccsim.claims.growth import growth_fault
from ccsim.claims.values import Value, compare, short_text
from ccsim.claims.verdict import PROVED, STANDS, Coverage, Word

__all__ = ["Judged", "Proof", "bites_from", "check_certificate", "judge"]

NOTHING = "nothing was measured"
FROM_BELOW = (Direction.LOWER, Direction.EXACT)
FROM_ABOVE = (Direction.UPPER, Direction.EXACT, Direction.CONSTRUCTION)
FARTHEST = 1 << 40


@dataclass(frozen=True)
class Proof:
    """What the checker derived from a certificate: a bound on each side that it proves, and its own line."""

    lower: int | Fraction | None
    upper: int | Fraction | None
    line: str


@dataclass(frozen=True)
class Judged:
    """A verdict's word with the values that it rests on."""

    word: Word
    reason: str
    claimed: Value | None
    measured: Value | None
    exact: bool
    bites_from: int | None = None
    coverage: Coverage = Coverage.NOTHING
    covered: str = ""


def check_certificate(certificate: Any) -> Proof:
    """Let the independent checker derive the bounds again; raises its ``Refused``."""
    told = verify.report(verify.load(certificate.text()))
    sides = {proof["side"]: verify.certificates.read_value(proof["value"]) for proof in told["proofs"]}
    return Proof(sides.get("lower"), sides.get("upper"), verify.certificates.line(told))


def judge(claim: Claim, setting: Setting, finding: Finding, proof: Proof | None = None) -> Judged:
    """The verdict on a finding.

    Args:
        claim, setting: what is claimed, and where.
        finding: what was measured.
        proof: what the checker derived from the finding's certificate, if it has one.

    It is broken if anything was violated, if a certificate proves less than was measured, if the value is not the
    one of our own account, or if it contradicts the source and nothing backs that. What backs it decides the word: a
    statement is refuted only by a certificate, or by an execution of every case within its hypotheses; a line of a
    proof that our own account contradicts is a slip; and what costs more here than is printed is not reached.
    """
    claimed = finding.claimed if claim.formula is None else claim.claimed(setting)
    measured, exact = _measured(claim, finding)
    bites = finding.bites_from or bites_from(claim, setting)
    wrong = _fault(claim, setting, finding, measured, exact, proof)
    exact = exact and measured is not None and not _calculated(claim, finding) and _proved(claim, proof)
    word, reason = (Word.BROKEN, wrong) if wrong else _word(claim, setting, finding, claimed, measured, proof)
    reason = reason or claim.built or finding.note
    if claim.proved and word in STANDS:
        reason = "; ".join(filter(None, (reason, f"{PROVED}: {claim.proved} in proofs/EveryLength.v")))
    coverage = _coverage(claim, finding, proof, word)
    return Judged(word, reason, claimed, measured, exact, bites, coverage, _covered(claim, finding, coverage))


def _coverage(claim: Claim, finding: Finding, proof: Proof | None, word: Word) -> Coverage:
    """What a verdict rests on; nothing counts as proved where the verdict is not that the statement stands."""
    proved = word in STANDS
    if _calculated(claim, finding):
        return Coverage.CALCULATED
    if proved and (claim.proved or finding.every_length is not None):
        return Coverage.EVERY_LENGTH
    if claim.instances:
        return Coverage.INSTANCES
    if proof is not None and word is not Word.BROKEN and (proof.lower is not None or proof.upper is not None):
        return Coverage.CERTIFICATE
    if not finding.checked:
        return Coverage.ALL if finding.refusal else Coverage.NOTHING
    if finding.of is None:
        return Coverage.INSTANCES
    return Coverage.ALL if finding.checked == finding.of else Coverage.DRAWN


def _covered(claim: Claim, finding: Finding, coverage: Coverage) -> str:
    """Which cases were gone through, in words: how many, of how many, and of which objects."""
    if not finding.checked or coverage is Coverage.CALCULATED:
        return "" if coverage is Coverage.NOTHING else coverage.value
    count, of = short_text(finding.checked), finding.of
    cases = f"{count} case{'s' * (finding.checked != 1)}"
    if of is not None:
        cases = f"all {cases}" if finding.checked == of else f"{count} of {short_text(of)} cases, drawn"
    proved = "certificate accepted" if coverage is Coverage.CERTIFICATE else ""
    return "; ".join(filter(None, (proved, claim.instances, cases)))


def _proved(claim: Claim, proof: Proof | None) -> bool:
    """Whether an accepted certificate proves what a bound from below rests on; others rest on what was run."""
    if claim.direction not in FROM_BELOW:
        return True
    if proof is None or proof.lower is None:
        return False
    return claim.direction is Direction.LOWER or proof.upper is not None


def _exhaustive(finding: Finding) -> bool:
    """Whether every case was gone through, and there were some."""
    return finding.exact and 0 < finding.checked == finding.of


def _calculated(claim: Claim, finding: Finding) -> bool:
    """Whether the value is a formula's: said to be, or nothing was executed."""
    if claim.direction in (Direction.REFUSAL, Direction.OPEN):
        return False
    proved = finding.certificate is not None or finding.every_length is not None
    return finding.calculated or (finding.checked == 0 and not proved)


def _measured(claim: Claim, finding: Finding) -> tuple[Value | None, bool]:
    """The value that counts for this direction, and whether it is the true one."""
    bracket, exact = finding.bracket, finding.exact and finding.of in (None, finding.checked)
    if finding.series:
        return finding.series[-1][1], exact
    if bracket is None:
        return finding.measured, exact
    above = claim.direction in (Direction.UPPER, Direction.CONSTRUCTION)
    return bracket.upper if above else bracket.lower, exact and bracket.exact


def _fault(
    claim: Claim, setting: Setting, finding: Finding, measured: Value | None, exact: bool, proof: Proof | None
) -> str:
    """Why it is our fault, or nothing."""
    if finding.violations:
        return finding.violations[0]
    if claim.direction is Direction.REFUSAL:
        return "" if finding.refusal else "not refused"
    if finding.of is not None and finding.checked > finding.of:
        return f"{finding.checked} cases checked of {finding.of}"
    if measured is None:
        return NOTHING if _wants_a_value(claim) and setting in claim.settings() else ""
    proved = _sides(claim, proof)
    if proved[0] is not None and compare(proved[0], measured) < 0:
        return f"measured {measured}, but the certificate proves only {proved[0]}"
    if proved[1] is not None and compare(proved[1], measured) > 0:
        return f"measured {measured}, but the certificate proves only {proved[1]} from above"
    if claim.constant is not None and (steep := growth_fault(claim, setting, finding)):
        return steep
    decided = exact or (finding.exact and claim.direction is Direction.CONSTRUCTION)
    return _own_fault(claim, setting, finding, measured) if decided else ""


def _own_fault(claim: Claim, setting: Setting, finding: Finding, measured: Value) -> str:
    """Whether our own account says otherwise, at any size of a series."""
    along = "" if claim.constant is None else claim.constant.along
    points: list[tuple[Setting, Value]] = [({**setting, along: size}, value) for size, value in finding.series]
    points = points or [(setting, measured)]
    for there, value in points:
        own = claim.own_value(there)
        if own is not None and not _agrees(claim, value, own):
            told = f"measured {short_text(value)}, but by our own account it is {short_text(own)} ({claim.ours})"
            return f"{told}, at {along}={there[along]}" if finding.series else told
    return ""


def _agrees(claim: Claim, measured: Value, own: Value) -> bool:
    """Whether a measured value is what our own account says, or within it if that is a bound."""
    side = compare(measured, own)
    if claim.ours_exact or claim.direction is Direction.EXACT:
        return side == 0
    return side >= 0 if claim.direction is Direction.LOWER else side <= 0


def _wants_a_value(claim: Claim) -> bool:
    return claim.formula is not None and claim.direction not in (Direction.REFUSAL, Direction.OPEN)


def _sides(claim: Claim, proof: Proof | None) -> tuple[Value | None, Value | None]:
    """What is proved on the sides that this direction is about."""
    if proof is None:
        return None, None
    below, above = claim.direction in FROM_BELOW, claim.direction in FROM_ABOVE
    return proof.lower if below else None, proof.upper if above else None


def _word(
    claim: Claim, setting: Setting, finding: Finding, claimed: Value | None, measured: Value | None, proof: Proof | None
) -> tuple[Word, str]:
    if measured is None and _wants_a_value(claim):
        return Word.NOT_MEASURED, f"{NOTHING} at this size"
    settled = _settled(claim, setting, finding, claimed)
    if settled is not None:
        return settled
    if claimed is None and measured is not None and claim.own_value(setting) is None:
        return Word.BROKEN, "nothing is claimed of it: no formula, no account of ours, no value beside the measured one"
    side = 0 if claimed is None or measured is None else compare(measured, claimed)
    open_bracket = finding.bracket is not None and not finding.bracket.exact
    contradicts = {Direction.LOWER: side < 0, Direction.EXACT: side != 0 or open_bracket}.get(claim.direction, side > 0)
    if _calculated(claim, finding):
        by_formula = f"{_told(setting, claimed, measured)}, by formula"
        return (Word.BROKEN, by_formula) if contradicts else (Word.CALCULATED, "")
    if contradicts:
        return _contradiction(claim, setting, finding, claimed, measured, proof)
    certified = proof is not None and proof.lower is not None
    if claim.direction is Direction.LOWER and not certified and not _exhaustive(finding):
        return Word.OPEN, "neither a certificate nor an exhaustive count stands behind it"
    if side == 0 and claimed is not None and claim.constant is None and not open_bracket:
        return Word.TIGHT, ""
    own = claim.own_value(setting)
    better = side != 0 and own is not None and compare(own, claimed) == side and finding.exact
    if better and claim.improvement and (certified or claim.direction is not Direction.LOWER):
        return Word.IMPROVED, f"improved by {claim.improvement}"
    return Word.HOLDS, ""


def _settled(claim: Claim, setting: Setting, finding: Finding, claimed: Value | None) -> tuple[Word, str] | None:
    """The verdict where no value is compared: on what must be refused, is open, or says nothing here."""
    if claim.direction is Direction.REFUSAL:
        return Word.HOLDS, f"refused, as it must be: {finding.refusal}"
    if claim.direction is Direction.OPEN:
        return Word.OPEN, ""
    trivial = claim.trivial_value(setting)
    says_nothing = claimed is not None and trivial is not None and compare(claimed, trivial) <= 0
    return (Word.VACUOUS, finding.outside) if says_nothing or finding.outside else None


def _told(setting: Setting, claimed: Value, measured: Value) -> str:
    where = ", ".join(f"{name}={value}" for name, value in setting.items())
    return f"{short_text(measured)} measured, {short_text(claimed)} claimed{f', at {where}' if where else ''}"


def _contradiction(
    claim: Claim, setting: Setting, finding: Finding, claimed: Value, measured: Value, proof: Proof | None
) -> tuple[Word, str]:
    """The value is on the wrong side of the claimed one: does anything back it?"""
    told = _told(setting, claimed, measured)
    bracket = finding.bracket
    if bracket is not None and not bracket.exact and _contains(bracket, claimed):
        return Word.OPEN, f"between {bracket.lower} and {bracket.upper or '?'}"
    if claim.role is Role.RESULT:
        return Word.BROKEN, f"{told}: this project's own result"
    if claim.role is Role.STEP:
        backed = bool(claim.repair) and claim.own_value(setting) is not None and finding.exact
        return (Word.SLIP, f"{told}. {claim.repair}") if backed else (Word.BROKEN, f"{told}, and nothing backs it")
    attained = finding.achieved is not None and compare(finding.achieved, claimed) < 0
    if attained and claim.direction is Direction.LOWER and _exhaustive(finding):
        return Word.REFUTED, f"{told}; something that was run on every case attains {short_text(finding.achieved)}"
    if proof is not None:
        below = proof.upper is not None and compare(proof.upper, claimed) < 0
        above = proof.lower is not None and compare(proof.lower, claimed) > 0
        contradicted = {Direction.LOWER: below, Direction.EXACT: below or above}.get(claim.direction, above)
        if contradicted:
            return Word.REFUTED, f"{told}; proved by certificate"
    existence = claim.direction in (Direction.UPPER, Direction.CONSTRUCTION)
    if existence and claim.own_value(setting) is not None and finding.exact:
        return Word.NOT_REACHED, f"{told}: what was run costs more, which refutes nothing"
    return Word.BROKEN, f"{told}, and nothing backs it"


def _contains(bracket: Bracket, value: Value) -> bool:
    return compare(bracket.lower, value) <= 0 and (bracket.upper is None or compare(value, bracket.upper) <= 0)


def bites_from(claim: Claim, setting: Setting) -> int | None:
    """The least length from which on a lower bound is above its trivial value, the rest as set; None if never.

    The formula is taken to grow with the length once it has begun to; lengths up to 2^40 are looked at.
    """
    length = claim.parameter("length")
    if length is None or claim.trivial is None or claim.formula is None:
        return None

    def bites(steps: int) -> bool:
        there = {**setting, "length": length.low + steps * length.step}
        return compare(claim.claimed(there), claim.trivial_value(there)) > 0

    high = 1
    while not bites(high - 1):
        high *= 2
        if high > FARTHEST:
            return None
    low = high // 2  # nothing at low - 1 steps, unless low is 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bites(middle - 1) else (middle, high)
    return length.low + (high - 1) * length.step
