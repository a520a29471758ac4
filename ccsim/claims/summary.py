"""Verdicts summarised: one line for each claim and word, with what came out at all settings; or all on one screen."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from textwrap import wrap
from typing import Any, NamedTuple

from ccsim.certificates.verify.certificates import with_unit
from ccsim.claims.claim import Paper, Role
from ccsim.claims.verdict import CONFIRMED, DISCREPANCIES, PROVED, Coverage, Verdict, Word
from ccsim.plain_data import counted

SYMBOLS = {"length": "n"}
WIDTH, TABLE, SENTENCES = 80, 12, 5  # of a screen: its columns, lines of its table, lines on what does not hold
KINDS = EVERY, ALL, SAMPLES, UNSETTLED, FAIL = "every N", "all cases", "samples", "unsettled", "fail"
FAULTS = {
    Word.BROKEN: "broken, our fault",
    Word.REFUTED: "refuted, the source's fault",
    Word.SLIP: "wrong in a printed line, the source's fault",
    Word.NOT_REACHED: "not reached, our fault",
    Word.NOT_MEASURED: "not measured, nobody's fault",
}
WHERE = "The rest: --all (every verdict), --json, ccsim certify NAME, ccsim report."


class SummaryRow(NamedTuple):
    """What is shown of a claim or verdict: word, name, what came out, a note, the word with its scope, what was run."""

    word: Word
    name: str
    figures: str
    note: str = ""
    scoped: str = ""
    covered: str = ""


def summarise(rows: Sequence[Verdict], everything: bool, note: Callable[[Verdict], str]) -> list[SummaryRow]:
    groups: defaultdict[Any, list[Verdict]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row.claim, row.word, row.coverage, place if everything else 0].append(row)
    lines = []
    for group in groups.values():
        first = group[0]
        named = _varied([row for row in rows if row.claim == first.claim] if everything else group)
        covered = _merged([row.covered.split(" ") for row in group])
        lines.append(SummaryRow(first.word, first.claim, _figures(group, named), note(first), first.scoped, covered))
    return lines


def tally(rows: Sequence[Verdict]) -> str:
    return f"{counted(len(rows), 'verdict')} on {counted(len({row.claim for row in rows}), 'claim')}"


def _varied(rows: Sequence[Verdict]) -> list[str]:
    """The parameters in which verdicts of a claim differ; the length if there is none."""
    given = rows[0].parameters
    varied = [name for name in given if len({row.parameters.get(name) for row in rows}) > 1]
    return varied or [name for name in given if name == "length"]


def statement_of(row: Verdict) -> str:
    shown = row.reason.startswith(("modified: ", "ours: ")) or PROVED in row.reason
    return f"{row.statement} [{row.reason}]" if shown and row.word not in DISCREPANCIES else row.statement


def reason_of(row: Verdict) -> str:
    """The reason of a discrepancy, without the figures, which are before it."""
    figures = f"{row.measured_text} measured, {row.claimed_text} claimed{f', at {row.setting}' if row.setting else ''}"
    return row.reason.removeprefix(figures).lstrip(",.:; ")


def _figures(rows: Sequence[Verdict], named: Sequence[str]) -> str:
    """``n = 2, 4: 3, 5 bits``: the parameters that are named, and what came out."""
    if len(named) > 1:
        settings = (
            ", ".join(f"{SYMBOLS.get(name, name)}={row.parameters.get(name)}" for name in named) for row in rows
        )
        return "; ".join(": ".join(filter(None, [at, _values([row])])) for at, row in zip(settings, rows, strict=True))
    at = [f"{SYMBOLS.get(name, name)} = {_listed([str(row.parameters.get(name)) for row in rows])}" for name in named]
    return ": ".join(filter(None, [*at, _values(rows)]))


def _values(rows: Sequence[Verdict]) -> str:
    first = rows[0]
    measured = _listed([row.measured_text for row in rows])
    sign = first.bound.partition(" ")[0] if first.bound[0] in "≥≤=" else ""
    claimed = f"{sign} {_listed([row.claimed_text for row in rows])}".strip()
    series = f", at {len(first.series)} sizes to {first.series[-1][0]}" if first.series else ""
    if measured == "-":
        return "" if claimed == "-" else f"claimed {with_unit(claimed, first.unit)}"
    if first.word is Word.TIGHT or claimed == "-":
        return f"{with_unit(measured, first.unit)}{series}"
    bites = first.description.removeprefix(first.word.value).strip() if first.word is Word.VACUOUS else ""
    how = "calculated" if first.word is Word.CALCULATED else "measured"
    return f"{with_unit(measured, first.unit)} {how}, claimed {claimed}{series} {bites}".rstrip()


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else ", ".join(texts)


def _merged(texts: Sequence[list[str]]) -> str:
    """Texts of which only words in the middle differ, as one: ``all 16, 64 cases``."""

    def shared(texts: Sequence[list[str]]) -> int:
        return len(list(takewhile(lambda words: len(set(words)) == 1, zip(*texts, strict=False))))

    first, before = texts[0], shared(texts)
    if texts.count(first) == len(texts):
        return " ".join(first)
    after = shared([text[before:][::-1] for text in texts])
    middles = [" ".join(text[before : len(text) - after]) for text in texts]
    return " ".join(filter(None, [*first[:before], ", ".join(middles), *first[len(first) - after :]]))


def screen_of(verdicts: Sequence[Verdict], papers: Mapping[str, Paper], wanted: int, seconds: float) -> list[str]:
    """At most 24 lines of 80 columns: what holds, what was executed, and what does not hold and whose fault that is."""
    claims: dict[str, list[Verdict]] = {}
    for row in verdicts:
        claims.setdefault(row.claim, []).append(row)
    by_paper: dict[str, Counter[str]] = {}
    for rows in claims.values():
        by_paper.setdefault(rows[0].paper, Counter())[_kind(rows)] += 1
    of = sum(by_paper.values(), Counter[str]())
    opening = (
        f"{of[EVERY] + of[ALL] + of[SAMPLES]} of {len(claims)} claims hold: {of[EVERY]} for every length, {of[ALL]} in "
        f"all cases at the sizes run, {of[SAMPLES]} on samples; {of[UNSETTLED]} unsettled (calculated, vacuous, open). "
        f"{len(verdicts)} of {wanted} verdicts, {seconds:.1f} s."
    )
    failing = _failing(verdicts) or ["nothing that was run."]
    heading = "What does not hold, and whose fault it is:"
    return [*wrap(opening, WIDTH), "", *_table(by_paper, papers), "", heading, *failing, WHERE]


def _kind(rows: Sequence[Verdict]) -> str:
    """The column of a claim: it fails where one of its verdicts does, and holds as far as the weakest that stands."""
    if any(row.word in FAULTS for row in rows):
        return FAIL
    reach = {row.coverage for row in rows if row.word in CONFIRMED}
    if reach & {Coverage.DRAWN, Coverage.INSTANCES}:
        return SAMPLES
    return UNSETTLED if not reach else EVERY if reach == {Coverage.EVERY_LENGTH} else ALL


def _table(by_paper: Mapping[str, Counter[str]], papers: Mapping[str, Paper]) -> list[str]:
    most = sorted(by_paper, key=lambda name: -by_paper[name].total())
    shown = most if len(most) < TABLE else most[: TABLE - 2]
    rows = [(papers[name].citation if name in papers else name, by_paper[name]) for name in by_paper if name in shown]
    if len(shown) < len(most):
        others = [by_paper[name] for name in most if name not in shown]
        rows.append((f"{len(others)} other papers", sum(others, Counter[str]())))
    table = [f"{'':<31}" + "".join(f"{head:>{len(head) + 1}}" for head in ("claims", *KINDS))]
    for name, counts in rows:
        short = name if len(name) < 32 else re.sub("[ ,].* ", " and others ", name)
        cells = [f"{counts[kind] or '-':>{len(kind) + 1}}" for kind in KINDS]
        table.append(f"{short[:31]:<31}{counts.total():>7}" + "".join(cells))
    return table


def _failing(verdicts: Sequence[Verdict]) -> list[str]:
    """A sentence for each claim that does not hold; without reasons, or one for all of a word, if they are too many."""
    failing = {word: {row.claim: row for row in reversed(verdicts) if row.word is word} for word in FAULTS}
    for pieces in (2, 1):
        sentences = {
            word: [line for row in reversed(rows.values()) for line in _blame(row, pieces)]
            for word, rows in failing.items()
        }
        if sum(map(len, sentences.values())) <= SENTENCES:
            break
    while sum(map(len, sentences.values())) > SENTENCES:
        word = max(sentences, key=lambda word: len(sentences[word]))
        sentences[word] = [f"Claims {FAULTS[word]}: {len(failing[word])}; --all says why."]
    return [line for lines in sentences.values() for line in lines]


def _blame(row: Verdict, pieces: int) -> list[str]:
    """What does not hold of a claim, whose fault it is, the values and the reason, or so many of them, in two lines."""
    values = "" if "-" in (row.measured_text, row.bound) else f"{row.measured_text}, not {row.bound.removeprefix('= ')}"
    why = "; ".join([*filter(None, (values, reason_of(row)))][:pieces])
    text = f"{row.claim} is {FAULTS[row.word]}: {why}."
    return wrap(text, WIDTH, max_lines=2, placeholder=" …", subsequent_indent="  ", break_on_hyphens=False)


PARTS = {
    Role.STATEMENT.value: "statements",
    Role.STEP.value: "steps of proofs and constructions",
    Role.RESULT.value: "results",
}
CALCULATED = "calculated from formulas, not measured"


def parts_of(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, str, list[Verdict]]]:
    """The paper, the name of the part, and its verdicts in their order: papers as they come, parts in this order."""
    parts: dict[str, dict[str, list[Verdict]]] = {}
    for row in verdicts:
        part = CALCULATED if row.word is Word.CALCULATED else PARTS[row.role]
        parts.setdefault(row.paper, {}).setdefault(part, []).append(row)
    for paper, own in parts.items():
        for part in (*PARTS.values(), CALCULATED):
            if part in own:
                yield paper, part, own[part]
