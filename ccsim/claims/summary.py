"""Verdicts summarised: one line for each claim and word, with what came out at all settings; or all on one screen."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from textwrap import wrap
from typing import Any, NamedTuple

from ccsim.certificates.verify.certificates import with_unit
from ccsim.claims.claim import Direction, Paper, Role
from ccsim.claims.verdict import CONFIRMED, DISCREPANCIES, PROVED, Coverage, Verdict, Word
from ccsim.plain_data import counted

SYMBOLS = {"length": "n"}
WIDTH, HEIGHT, FINDINGS, DEAREST = 80, 24, 5, 20
LEAST = 7  # lines beside the opening and the findings: a table of three, its heading, and what is behind the findings
KINDS = EVERY, ALL, SAMPLES, OPEN, OTHER = "any length", "all cases", "samples", "open", "other"
FAULTS = Word.BROKEN, Word.REFUTED, Word.SLIP, Word.NOT_REACHED, Word.NOT_MEASURED
SENTENCES = {
    Word.BROKEN: "{claim} contradicts itself (our fault): {reason}",
    Word.REFUTED: "{source} is false: {bound} claimed{at}, {measured} proved",
    Word.SLIP: "{source}: a step claims {bound}{at}, {measured} measured (a slip)",
    Word.NOT_REACHED: "{source}: {bound} claimed{at}; here it takes {measured}, which refutes nothing",
    Word.NOT_MEASURED: "{claim} was not measured (nobody's fault): {reason}",
    Word.IMPROVED: "{source}: {bound} claimed{at}, {measured} proved here",
}
OURS = "Found here: {statement}"
NO_FINDINGS = "Nothing that was run states otherwise than its source."
MORE = "More: --all-sizes (also larger ones), --all (each verdict), --dearest, --json."


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


def screen_of(
    verdicts: Sequence[Verdict], papers: Mapping[str, Paper], wanted: int, seconds: float, before: int = 0
) -> list[str]:
    """At most 24 lines of 80 columns: what holds and how far, and the most interesting findings, in words.

    ``wanted`` is how many verdicts were asked for, ``before`` how many of them were there before this run.
    """
    if not verdicts:
        return [f"Nothing was measured: 0 of {wanted} verdicts in {seconds:.1f} s."]
    by_claim: dict[str, list[Verdict]] = {}
    for row in verdicts:
        by_claim.setdefault(row.claim, []).append(row)
    by_paper: dict[str, Counter[str]] = {}
    for rows in by_claim.values():
        by_paper.setdefault(rows[0].paper, Counter())[_kind(rows)] += 1
    of = sum(by_paper.values(), Counter[str]())
    opening = (
        f"{of[EVERY] + of[ALL] + of[SAMPLES]} of {len(by_claim)} claims hold: {of[EVERY]} for every length, {of[ALL]} "
        f"in all cases at the sizes run, {of[SAMPLES]} on samples; {of[OPEN]} stay open, {of[OTHER]} come out "
        f"otherwise. {len(verdicts)}{f' of {wanted}' * (len(verdicts) < wanted)} verdicts in {seconds:.1f} s"
        f"{f', {before} from before' * bool(before)}."
    )
    head = [*wrap(opening, WIDTH), ""]
    found = [(row, _sentences(row, papers)) for row in findings_of(verdicts)]
    shown = min(FINDINGS, len(found))
    while sum(len(lines) for _, lines in found[:shown]) > HEIGHT - len(head) - LEAST:
        shown -= 1
    sentences = [line for _, lines in found[:shown] for line in lines]
    left = sum(row.word in FAULTS for row, _ in found[shown:])
    sentences += [f"{left} more do not hold: ccsim certify --all"] * (left > 0)
    heading = "Findings, each with the command that shows it:" if sentences else NO_FINDINGS
    return [*head, *_table(by_paper, papers, HEIGHT - len(head) - len(sentences) - 3), "", heading, *sentences, MORE]


def findings_of(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One verdict of each claim that states something unexpected: first what came out otherwise, then what is improved,
    then our own exact values that are proved, those for every length first."""
    reach = Coverage.EVERY_LENGTH, Coverage.CERTIFICATE
    order = [*FAULTS, Word.IMPROVED]
    found: dict[Any, Verdict] = {}
    for row in verdicts:
        own = row.role == Role.RESULT.value and row.direction == Direction.EXACT.value and row.coverage in reach
        if row.word in order or (own and row.word in CONFIRMED):
            rank = order.index(row.word) if row.word in order else len(order) + reach.index(row.coverage)
            found.setdefault((rank, row.claim), row)
    ranked = sorted(found.items(), key=lambda pair: pair[0][0])
    return list({row.claim: row for _, row in reversed(ranked)}.values())[::-1]


def _sentences(row: Verdict, papers: Mapping[str, Paper]) -> list[str]:
    """The finding as a sentence of a line or two, and the command, not broken, behind it."""
    citation = papers[row.paper].citation if row.paper in papers else row.paper
    sentence = SENTENCES.get(row.word, OURS).format(
        claim=row.claim,
        statement=row.statement.rstrip("."),
        source=row.source.replace(citation, re.sub("[ ,].* ", " et al. ", citation)),
        reason=row.reason.rstrip("."),
        bound=row.bound,
        measured=row.measured_text,
        at=f" at n = {row.parameters['length']}" if "length" in row.parameters else "",
    )
    command = f"ccsim certify {row.claim}"
    rows = wrap(f"- {sentence}:", WIDTH, max_lines=2, placeholder=" …", subsequent_indent="  ", break_on_hyphens=False)
    return [*rows[:-1], f"{rows[-1]} {command}"] if len(rows[-1]) + len(command) < WIDTH else [*rows, f"  {command}"]


def dearest_of(verdicts: Sequence[Verdict]) -> str:
    """The claims that took longest, with their seconds and their share of all."""
    spent: Counter[str] = Counter()
    for row in verdicts:
        spent[row.claim] += row.seconds  # type: ignore[assignment]  # a sum of seconds
    runs, total = Counter(row.claim for row in verdicts), sum(spent.values()) or 1
    rows = [f"{took:6.2f} s {took / total:5.1%}  {name} ({runs[name]})" for name, took in spent.most_common(DEAREST)]
    return "\n".join([f"The claims that took longest, of {total:.1f} s in all (verdicts):", *rows])


def _kind(rows: Sequence[Verdict]) -> str:
    """The column of a claim: another result where one of its verdicts is one, else as far as the weakest that holds."""
    if any(row.word in FAULTS for row in rows):
        return OTHER
    reach = {row.coverage for row in rows if row.word in CONFIRMED}
    if reach & {Coverage.DRAWN, Coverage.INSTANCES}:
        return SAMPLES
    return OPEN if not reach else EVERY if reach == {Coverage.EVERY_LENGTH} else ALL


def _short(citation: str) -> str:
    return re.sub("[ ,].* ", " and others ", citation) if len(citation) > 31 else citation


def _table(by_paper: Mapping[str, Counter[str]], papers: Mapping[str, Paper], lines: int) -> list[str]:
    """A line for each paper, or for those with most claims and all others together, in so many lines."""
    most = sorted(by_paper, key=lambda name: -by_paper[name].total())
    shown = most if len(most) < lines else most[: max(1, lines - 2)]
    rows = [(papers[name].citation if name in papers else name, by_paper[name]) for name in by_paper if name in shown]
    if len(shown) < len(most):
        others = [by_paper[name] for name in most if name not in shown]
        rows.append((f"{len(others)} other papers", sum(others, Counter[str]())))
    table = [f"{'':<31}" + "".join(f"{head:>{len(head) + 1}}" for head in ("claims", *KINDS))]
    for name, counts in rows:
        cells = [f"{counts[kind] or '-':>{len(kind) + 1}}" for kind in KINDS]
        table.append(f"{_short(name)[:31]:<31}{counts.total():>7}" + "".join(cells))
    return table


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
