"""One claim at one setting, measured and judged; whatever goes wrong becomes a verdict."""

from __future__ import annotations

import time
import traceback
from typing import Any

from ccsim.certificates.verify import Refused, TooLarge
from ccsim.claims.attachments import attachments
from ccsim.claims.claim import Claim, Direction, Setting
from ccsim.claims.finding import Finding
from ccsim.claims.growth import curve
from ccsim.claims.judging import Judged, Proof, check_certificate, judge
from ccsim.claims.values import Value, number, short_text, written
from ccsim.claims.verdict import Verdict, Word
from ccsim.errors import InputError, TableTooLargeError
from ccsim.plain_data import plain

__all__ = ["check", "check_claim", "not_done"]


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
            finding = finding.but(facts={**finding.facts, EVERY_LENGTH: always})
        judged = judge(claim, setting, finding, proof)
        return _verdict(claim, setting, finding, judged, proof, time.perf_counter() - start)
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
    """A verdict without a measurement."""
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


def _verdict(
    claim: Claim, setting: Setting, finding: Finding, judged: Judged, proof: Proof | None, seconds: float
) -> Verdict:
    about = _about(claim, setting)
    return Verdict(
        **{**about, "source": about["source"] if claim.source else finding.source or about["source"]},
        word=judged.word,
        formula=claim.formula or finding.formula,
        claimed=number(judged.claimed),
        claimed_text=short_text(judged.claimed),
        measured=number(judged.measured),
        measured_text=short_text(judged.measured),
        slack=_slack(claim, judged),
        reason=judged.reason,
        exact=judged.exact,
        checked=written(finding.checked),
        of=written(finding.of),
        coverage=judged.coverage,
        covered=judged.covered,
        bites_from=judged.bites_from,
        series=[[number(size), number(value)] for size, value in finding.series],
        certificate=None if proof is None else proof.line,
        seconds=round(seconds, 3),
        facts=plain(_facts(claim, setting, finding)),
        attachments=attachments(finding),
    )


def _facts(claim: Claim, setting: Setting, finding: Finding) -> dict[str, Any]:
    """The figures of a finding; for growth, the constant and the ratio to the claimed curve at each size as well."""
    facts = dict(finding.facts)
    if claim.constant is not None and finding.series:
        facts["constant"] = f"c = {claim.constant.value}: {claim.constant.why}"
        ratios = {size: float(value) / float(curve(claim, setting, size)) for size, value in finding.series}
        facts["of the claimed curve"] = ", ".join(f"{ratio:.2f} at {size}" for size, ratio in ratios.items())
        if claim.constant.short:
            facts["few sizes"] = claim.constant.short
    return facts


def _slack(claim: Claim, judged: Judged) -> int | float | None:
    """How far the measured value is on the right side of the claimed one; negative on the wrong side."""
    if judged.claimed is None or judged.measured is None:
        return None
    difference: Value = judged.measured - judged.claimed
    if claim.direction is Direction.EXACT:
        return number(-abs(difference))
    return number(difference if claim.direction in (Direction.LOWER, Direction.OPEN) else -difference)


def _line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _placed(error: BaseException) -> str:
    """The error in a line, with the file and line where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({'/'.join(frames[-1].filename.split('/')[-3:])}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {_line(error)}{where}"
