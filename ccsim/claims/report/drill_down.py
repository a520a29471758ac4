"""Everything behind one claim: its formula and hypotheses, and for each setting what was found, run and proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ccsim.claims.claim import Claim
from ccsim.claims.growth import growth_plot
from ccsim.claims.report.document import download
from ccsim.claims.report.formulas import formula_markup
from ccsim.claims.report.markup import element, table
from ccsim.claims.report.picture import picture_svg
from ccsim.claims.report.plots import plot_figure
from ccsim.claims.verdict import Verdict

__all__ = ["anchor", "claim_details"]


def anchor(claim: str) -> str:
    """The identifier of a claim's part of the page."""
    return f"claim-{claim}"


def claim_details(claim: Claim | None, verdicts: Sequence[Verdict]) -> str:
    """A claim with all its verdicts, folded; browsers unfold it where a link jumps to what is in it."""
    first = verdicts[0]
    words = ", ".join(dict.fromkeys(row.told for row in verdicts))
    summary = element("summary", f"{element('code', first.claim, text=True)} {escape(words)}")
    listed = "".join(element("dt", name, text=True) + element("dd", told) for name, told in _about(claim, first))
    inside = element("dl", listed) + "".join(_setting(claim, row) for row in verdicts)
    return element("details", summary + element("div", inside, id=anchor(first.claim), class_="behind"), class_="claim")


def _about(claim: Claim | None, first: Verdict) -> list[tuple[str, str]]:
    """What is said, by whom, and what it assumes: names and markup."""
    about = [("statement", first.statement), ("said as", first.role), ("source", first.source)]
    about.append(("direction", first.direction))
    told = [(name, escape(text)) for name, text in about]
    if first.formula:
        told.append(("formula", _formula(first.formula, first.unit)))
    if claim is None:
        return told
    if claim.ours:
        told.append(("our own account", _formula(claim.ours, first.unit)))
    if claim.constant:
        value = formula_markup(claim.constant.value)
        told.append(("constant", f"<i>c</i> = {value}: {escape(claim.constant.why)}"))
    further = {
        "sharpens": claim.sharpens,
        "parameters": "; ".join(_parameter(parameter) for parameter in claim.parameters),
        "hypotheses": "; ".join(claim.hypotheses),
    }
    return told + [(name, escape(text)) for name, text in further.items() if text]


def _formula(formula: str, unit: str) -> str:
    return element("span", f"{formula_markup(formula)} {escape(unit)}", class_="formula")


def _parameter(parameter: Any) -> str:
    return f"{parameter.symbol} = {parameter.name}" + (f", {parameter.meaning}" if parameter.meaning else "")


def _setting(claim: Claim | None, row: Verdict) -> str:
    parts = [element("h4", row.told_setting or "as it is", text=True)]
    sides = f"{row.bound} claimed, {row.value} measured: "
    cases = escape(row.covered or row.coverage.value)
    parts.append(
        element("p", f"{escape(sides)}{element('strong', row.told, text=True)} ({cases}, {row.seconds:.2f} s).")
    )
    if row.reason:
        parts.append(element("p", row.reason, text=True, class_="reason"))
    if row.series and claim is not None and claim.constant is not None:
        parts.append(plot_figure(growth_plot(claim, row)))
    elif row.series:
        values = ", ".join(f"{value} at {size}" for size, value in row.series)
        parts.append(element("p", f"Measured: {values}.", text=True, class_="series"))
    if row.facts:
        figures = "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in row.facts.items())
        parts.append(element("p", figures, text=True, class_="facts"))
    attached = row.attachments
    if "certificate" in attached:
        told = f"Certificate, accepted by the checker: {row.certificate}."
        parts.append(_certificate(row, attached["certificate"], told, ""))
    if "every_length" in attached:
        told = "Certificate for every length at once, accepted by the checker; the line above is its own."
        parts.append(_certificate(row, attached["every_length"], told, "-every-length"))
    shown = [picture_svg(attached["picture"])] if "picture" in attached else []
    shown += [_transcript(attached["transcript"])] if "transcript" in attached else []
    if shown:
        parts.append(element("div", "".join(shown), class_="shown"))
    return element("section", "".join(parts), aria_label=f"{row.claim} {row.setting}")


def _certificate(row: Verdict, certificate: Mapping[str, Any], told: str, suffix: str) -> str:
    setting = (f"{name}-{value}" for name, value in row.parameters.items())
    name = "-".join([row.claim, *setting]) + suffix + ".json"
    return download(name, certificate, told, f"ccsim certify {row.claim} --save-certificates DIR")


def _transcript(transcript: Mapping[str, Any]) -> str:
    head = ("#", "channel", "bits", "total", "message", "meaning")
    rows = [
        (
            str(row["number"]),
            escape(f"{row['sender']} → {', '.join(row['receivers'])}"),
            str(row["bits"]),
            str(row["total"]),
            element("code", _short(row["message"]), text=True),
            escape(row["meaning"]),
        )
        for row in transcript["messages"]
    ]
    parties = transcript.get("parties") or ["Alice", "Bob", "Carol"][: len(transcript["inputs"])]
    holds = ", ".join(f"{name} holds {held}" for name, held in zip(parties, transcript["inputs"], strict=False))
    caption = f"One run: {holds}"
    made = table(head, rows, caption, class_="transcript")
    answer = f"Answer {transcript['answer']}, expected {transcript['expected']}."
    return element("div", element("div", made, class_="scroll", tabindex="0") + element("p", answer, text=True))


def _short(bits: str) -> str:
    return bits if len(bits) <= 48 else f"{bits[:45]}..."
