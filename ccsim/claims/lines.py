"""Verdicts in lines: one for each claim and word, with what came out at all settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ccsim.certificates.verify.wording import with_unit
from ccsim.claims.verdict import NEWS, PROVED, Verdict, Word

__all__ = ["Line", "lines_of", "reason_of", "statement_of", "tally"]

SYMBOLS = {"length": "n"}


class Line(NamedTuple):
    """What is shown of a claim or verdict: word, name, what came out, a note, the word with its scope, what was run."""

    word: Word
    name: str
    figures: str
    note: str = ""
    scoped: str = ""
    covered: str = ""


def lines_of(rows: Sequence[Verdict], everything: bool, note: Callable[[Verdict], str]) -> list[Line]:
    """A line for the verdicts of a claim that have the same word and rest on the same, or for each verdict alone."""
    groups: dict[Any, list[Verdict]] = {}
    for place, row in enumerate(rows):
        groups.setdefault((row.claim, row.word, row.coverage, place if everything else 0), []).append(row)
    lines = []
    for group in groups.values():
        first = group[0]
        named = _varied([row for row in rows if row.claim == first.claim] if everything else group)
        covered = _together([row.covered.split(" ") for row in group])
        lines.append(Line(first.word, first.claim, _figures(group, named), note(first), first.scoped, covered))
    return lines


def tally(rows: Sequence[Verdict]) -> str:
    """How many verdicts, on how many claims."""
    verdicts, claims = len(rows), len({row.claim for row in rows})
    return f"{verdicts} verdict{'s' * (verdicts != 1)} on {claims} claim{'s' * (claims != 1)}"


def _varied(rows: Sequence[Verdict]) -> list[str]:
    """The parameters in which verdicts of a claim differ; the length if there is none."""
    given = rows[0].parameters
    varied = [name for name in given if len({row.parameters.get(name) for row in rows}) > 1]
    return varied or [name for name in given if name == "length"]


def statement_of(row: Verdict) -> str:
    """What is said, whether what was built for it is modified or ours, and whether it is a theorem for every length."""
    told = row.reason.startswith(("modified: ", "ours: ")) or PROVED in row.reason
    return f"{row.statement} [{row.reason}]" if told and row.word not in NEWS else row.statement


def reason_of(row: Verdict) -> str:
    """Why it is in the news, without the figures, which stand before it."""
    found = f"{row.measured_text} measured, {row.claimed_text} claimed{f', at {row.setting}' if row.setting else ''}"
    return row.reason.removeprefix(found).lstrip(".:; ")


def _figures(rows: Sequence[Verdict], named: Sequence[str]) -> str:
    """``n = 2, 4: 3, 5 bits``: the parameters that are named, and what came out."""
    if len(named) > 1:
        return "; ".join(": ".join(filter(None, [_setting(row, named), _values([row])])) for row in rows)
    at = [f"{SYMBOLS.get(name, name)} = {_listed([str(row.parameters.get(name)) for row in rows])}" for name in named]
    return ": ".join(filter(None, [*at, _values(rows)]))


def _setting(row: Verdict, names: Sequence[str]) -> str:
    return ", ".join(f"{SYMBOLS.get(name, name)}={row.parameters.get(name)}" for name in names)


def _values(rows: Sequence[Verdict]) -> str:
    """What was measured, and what is claimed where that is not the same."""
    first = rows[0]
    measured = _listed([row.measured_text for row in rows])
    sign = first.bound.partition(" ")[0] if first.bound[0] in "≥≤=" else ""
    claimed = f"{sign} {_listed([row.claimed_text for row in rows])}".strip()
    series = f", at {len(first.series)} sizes to {first.series[-1][0]}" if first.series else ""
    if measured == "-":
        return "" if claimed == "-" else f"claimed {with_unit(claimed, first.unit)}"
    if first.word is Word.TIGHT or claimed == "-":
        return f"{with_unit(measured, first.unit)}{series}"
    bites = first.told.removeprefix(first.word.value).strip() if first.word is Word.VACUOUS else ""
    how = "calculated" if first.word is Word.CALCULATED else "measured"
    return f"{with_unit(measured, first.unit)} {how}, claimed {claimed}{series} {bites}".rstrip()


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else ", ".join(texts)


def _together(texts: Sequence[Sequence[str]]) -> str:
    """Texts of which only words in the middle differ, as one: ``all 16, 64 cases``."""
    first = texts[0]
    if all(list(text) == list(first) for text in texts):
        return " ".join(first)
    shortest = min(map(len, texts))
    before = next(place for place in range(shortest + 1) if len({tuple(text[: place + 1]) for text in texts}) > 1)
    most = shortest - before
    behind = next(
        place for place in range(most + 1) if place == most or len({tuple(text[-place - 1 :]) for text in texts}) > 1
    )
    middles = [" ".join(text[before : len(text) - behind]) for text in texts]
    return " ".join(filter(None, [*first[:before], ", ".join(middles), *first[len(first) - behind :]]))
