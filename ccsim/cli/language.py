"""``ccsim language``: a regular language, its monoid and class, and what two parties need for it at every length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option, echo

from ccsim import claims, families, models, plots
from ccsim.bounds.scheduler import Clock, run_steps
from ccsim.cli.app import JsonFlag, print_json, print_text
from ccsim.cli.endings import StoppedError
from ccsim.cli.progress import shown_progress
from ccsim.cli.saving import places_of, save_pictures
from ccsim.errors import InputError
from ccsim.families.language import FAR, FARTHEST, PartitionBounds
from ccsim.models.regular_expressions import alphabet_text
from ccsim.plain_data import aligned, counted, printable, require_place, write_whole

Steps = dict[str, Callable[[], Any]]
UNCERTIFIED = " (a protocol, proved right by a finite search; not in the certificate)"


def language(
    given: Annotated[
        str,
        Argument(
            metavar="EXPRESSION",
            help="A regular expression as Python's re.fullmatch reads it, in single quotes against the shell; or a JSON"
            " file with alphabet, table, outputs and first.",
        ),
    ],
    blank: Annotated[str | None, Option(help="An additional letter that may occur anywhere and is ignored.")] = None,
    alphabet: Annotated[
        str | None,
        Option(help="The letters in a row; for a dot, an excluded set, \\d, \\s and \\w, else those named."),
    ] = None,
    longest: Annotated[
        int | None,
        Option(
            min=0,
            max=6,
            help="The longest period of partitions to try: 4, or 3 beyond four letters; 0: the class alone.",
        ),
    ] = None,
    seconds: Annotated[
        float, Option(min=0, help="Seconds for all of it; 0: the class, and what takes no search.")
    ] = 20.0,
    save: Annotated[
        list[Path] | None,
        Option(
            "--save",
            "--plot",
            help="A file for the certificate of the best partition (.json) or a picture of the automaton (.svg, .tex,"
            " .pdf, .png); may be repeated.",
        ),
    ] = None,
    output: Annotated[Path | None, Option("--output", "-o", help="A page of all of it (HTML).")] = None,
    width: Annotated[int, Option(min=1, help="Of one-layer transformers: numbers in each head.")] = 8,
    heads: Annotated[int, Option(min=1, help="Of one-layer transformers: heads.")] = 1,
    precision: Annotated[int, Option(min=3, max=64, help="Of one-layer transformers: bits of a number.")] = 16,
    everything: Annotated[
        bool, Option("--all", help="Also print the automaton, its monoid, other models and other partitions.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Classify a regular language by its communication complexity, with bounds for every length n.

    The class is that of the language with blanks that may occur anywhere; the bounds are of the language as given.
    """
    certificates, pictures = places_of(save)
    if longest == 0 and (certificates or output is not None):
        raise InputError("longest", longest, "2 or more beside a certificate and --output")
    if output is not None:
        require_place("--output", output)
    clock = Clock.within(seconds)
    automaton = families.read_language(given, alphabet)
    size = {"width": width, "heads": heads, "precision": precision}
    with shown_progress("reading", limit=seconds) as report:
        result = families.language(automaton, name=given, blank=blank, longest=longest, progress=report, clock=clock)
        found, steps = dict[str, Any](), _steps(result, clock, size, json or everything)
        if output is not None:
            steps["page"] = lambda: claims.language_page(result, found.get("exact values", []), **size)
        result.left_out.update(run_steps(steps, clock, found, report, last=True))
    vars(result)["message_counts"] = found.get("messages")
    plain = _plain(result, found, size)
    if json:
        print_json(plain)
    else:
        for line in _lines(result, plain, everything):
            print_text(line, 4 if line.startswith(" ") else 2)
    saved = {str(path): "the certificate of the best partition" for path in certificates}
    for path in certificates:
        result.best.certificate.save(path)
    saved |= save_pictures(lambda: plots.draw(result.automaton), pictures)
    if output is not None and "page" in found:
        write_whole(output, found["page"])
        saved[str(output)] = "a page"
    for place, what in saved.items() if not json else ():
        echo(f"saved {place}: {what}")
    if clock.stopped:
        raise StoppedError("what was found is above")


def _steps(result: families.Language, clock: Clock, size: dict[str, int], everything: bool) -> Steps:
    """What is asked beside the class and the bounds, cheap first."""
    steps: Steps = {"transformer": lambda: _plain_transformer(result, size)} if result.partitions else {}
    if everything and result.monoid is not None:
        steps["egg boxes"] = result.monoid.egg_boxes
    if everything and result.partitions:
        steps |= {"messages": lambda: result.message_counts, "ranks": result.ranks}
    return steps | ({"exact values": lambda: result.exact(clock.left())} if result.partitions else {})


def _plain(result: families.Language, found: dict[str, Any], size: dict[str, int]) -> dict[str, Any]:
    automaton, alone = result.automaton, not result.partitions
    blanks = "as given, without blanks"
    if result.blank is not None:
        blanks = f"with the blank {printable(result.blank)}, which may occur anywhere"
    return {
        "language": result.name,
        "alphabet": list(automaton.alphabet),
        "blank": result.blank,
        "words": blanks,
        "automaton": {
            "table": automaton.table.tolist(),
            "outputs": automaton.outputs.tolist(),
            "first": automaton.first,
        },
        "monoid": None if result.monoid is None else {"size": result.monoid.size, "egg_boxes": found.get("egg boxes")},
        "class": _plain_class(result),
        "lines": None if alone or result.message_counts is None else [one.verify() for one in result.message_counts],
        "other_models": [] if alone else [vars(one) for one in result.others],
        "partitions": [
            {
                "partition": one.partition,
                **one.certificate.statements(),
                "landmarks": None if result.landmarks is None else result.landmarks.formula(one.partition),
                "certificate": one.certificate.verify(),
            }
            for one in result.partitions
        ],
        "exact": [{"length": n, "lower": low, "upper": high} for n, low, high in found.get("exact values", ())],
        "ranks": [{"length": n, "leaves": leaves} for n, leaves in found.get("ranks", ())],
        "recurrent_bits": result.recurrent_bits,
        "transformer": found.get("transformer"),
        "left_out": result.left_out,
    }


def _plain_class(result: families.Language) -> dict[str, Any]:
    return {
        "words": "with blanks that may occur anywhere, under the partition AB",
        "deterministic": result.classification.deterministic,
        "reason": result.classification.reason,
        "properties": list(result.classification.properties),
        "certificate": None if result.proof is None else result.proof.verify(),
        "problem": None if result.reduction is None else result.reduction.problem,
        "protocol": None if result.landmarks is None else result.landmarks.formula(),
    }


def _plain_transformer(result: families.Language, size: dict[str, int]) -> dict[str, Any]:
    excluded = result.excluded(**size)
    step, start = excluded.tail or (None, None)
    return {
        **size,
        "excluded": excluded.description,
        "first": excluded.first,
        "excluded_from": start,
        "multiples_of": step,
        "up_to": FARTHEST,
        "hypotheses": excluded.hypotheses,
    }


def _lines(result: families.Language, plain: dict[str, Any], everything: bool) -> list[str]:
    """The answer, then what it rests on; of everything also the automaton, its monoid, and what is known beside."""
    lines = [_answer(result, plain), *_class_lines(result, plain["class"])]
    if result.partitions:
        suffice = f"Recurrent models: {counted(plain['recurrent_bits'], 'bit of state')} suffice at every length."
        lines += [*_partition_lines(result, plain), suffice]
    if transformer := plain["transformer"]:
        size = ", ".join(f"{name} {transformer[name]}" for name in ("width", "heads", "precision"))
        models = f"One-layer transformers ({size}): {transformer['excluded']}; assumed: {transformer['hypotheses']}."
        lines.append(models)
    by_reason = defaultdict[str, list[str]](list)
    for name, reason in plain["left_out"].items():
        by_reason[reason].append(name)
    lines += [f"Left out, as {reason}: {', '.join(names)}." for reason, names in by_reason.items()]
    if not everything:
        return [*lines, "More by --all: the automaton, the syntactic monoid, other models, other partitions."]
    return [*lines, *_automaton_lines(result, plain), *_other_lines(result, plain)]


def _answer(result: families.Language, plain: dict[str, Any]) -> str:
    automaton, kind = result.automaton, result.classification.deterministic
    which = ("", " (the empty language)", " (all words)")[automaton.states == 1 and 1 + int(automaton.outputs[0])]
    name = f"{printable(result.name)} over {alphabet_text(automaton.alphabet)}{which}"
    if not result.partitions:
        return f"With blanks that may occur anywhere, two parties need {kind} bits for {name}."
    best = result.best
    sides = best.certificate.statements()
    low, high = (sides[side].split(" ", 1)[1] for side in ("lower", "upper"))
    (least, where), (most, _) = (text.rsplit(" for all ", 1) for text in (low, high))
    needs = f"exactly {least} for all {where}" if least == most else f"at least {low}, and at most {high}"
    slowly = " (O(log n) as n grows)" * (plain["partitions"][0]["landmarks"] is not None and not _settled(best))
    who = f"two parties who hold the letters {best.partition} in turn (N = {len(best.partition)} n)"
    return f"To decide {name}, {who} need {needs}{slowly}."


def _settled(best: PartitionBounds) -> bool:
    """Whether landmarks cannot improve the bounds, which meet or are constant."""
    return best.upper(FAR) in (best.lower(FAR), best.upper(2 * FAR))


def _class_lines(result: families.Language, kind: dict[str, Any]) -> list[str]:
    inside = f" (inside it: {kind['problem']})" if kind["problem"] else ""
    landmarks = ["  at most O(log n), by the theorem of Tesson and Thérien: no protocol is at hand"]
    if kind["protocol"]:
        landmarks = [f"  at most {kind['protocol']} bits for every n, by landmarks from both ends{UNCERTIFIED}"]
    side = "lower" if kind["deterministic"] in (families.LINEAR, families.LOGARITHMIC) else "upper"
    bounds = [] if result.proof is None else [result.proof.statements()[side]]
    word = {">=": "at least", "<=": "at most"}
    return [
        f"With blanks that may occur anywhere, and letters in turn: {kind['deterministic']}, as {kind['reason']}.",
        *(f"  {word[bound[:2]]} {bound[3:]}{inside}" for bound in bounds),
        *(landmarks if kind["deterministic"] == families.LOGARITHMIC else []),
    ]


def _partition_lines(result: families.Language, plain: dict[str, Any]) -> list[str]:
    best, first = result.best, plain["partitions"][0]
    lines = [
        f"The language {plain['words']}: {best.partition} is the best partition found; a better one is not excluded.",
        f"  proved: {best.certificate.verify()}",
    ]
    if first["landmarks"] and not _settled(best):
        lines += [f"  at most {first['landmarks']} bits for all n >= 1, by landmarks{UNCERTIFIED}"]
    exact = ", ".join(
        f"{row['lower']}" if row["lower"] == row["upper"] else f"{row['lower']} to {row['upper']}"
        for row in plain["exact"]
    )
    return lines + [f"  by search at N = {_listed(plain['exact'], 'length')}: {exact}"] * bool(exact)


def _automaton_lines(result: families.Language, plain: dict[str, Any]) -> list[str]:
    automaton, kind = result.automaton, plain["class"]
    properties = ", ".join(kind["properties"]) or "no variety"
    return [
        "",
        f"Minimal automaton over {alphabet_text(automaton.alphabet)}, of {counted(automaton.states, 'state')}:",
        *_table(automaton).splitlines(),
        "",
        *_monoid_lines(plain["monoid"], properties),
        "",
        f"The class is proved by {kind['certificate'] or 'pairs of states, without a certificate'}.",
    ]


def _monoid_lines(monoid: dict[str, Any] | None, properties: str) -> list[str]:
    if monoid is None:
        return [f"Syntactic monoid, not listed ({properties})."]
    boxes = (monoid["egg_boxes"] or "").splitlines()
    return [f"Syntactic monoid of {counted(monoid['size'], 'element')} ({properties}):", *boxes]


def _other_lines(result: families.Language, plain: dict[str, Any]) -> list[str]:
    if not result.partitions:
        return []
    others, ranks = plain["partitions"][1:], plain["ranks"]
    messages = [
        f"  one message of {speaker}, exactly: {one.statements()['upper'].removeprefix('<= ')}"
        for speaker, one in zip(("Alice", "Bob"), result.message_counts or (), strict=False)
    ]
    return [
        "In other models, with blanks:",
        *(f"  {one.model}: {one.complexity} ({one.reason})" for one in result.others),
        *messages,
        f"Leaves by the rank at N = {_listed(ranks, 'length')}: {_listed(ranks, 'leaves')}"
        f" (the bound for every n: {', '.join(str(result.best.leaves(row['length'])) for row in ranks)})",
        *["Other partitions:"] * bool(others),
        *(f"  {one['partition']}: {one['lower']}; {one['upper']}" for one in others),
    ]


def _listed(rows: list[dict[str, Any]], entry: str) -> str:
    return ", ".join(str(row[entry]) for row in rows)


def _table(automaton: models.Automaton) -> str:
    """The transitions, a row for each state; an arrow marks the start, a star what accepts."""
    rows = [["", *(alphabet_text([symbol])[1:-1] for symbol in automaton.alphabet)]]
    for state, row in enumerate(automaton.table.tolist()):
        name = f"{'->' if state == automaton.first else '  '} {state}{'*' if automaton.outputs[state] else ' '}"
        rows.append([name, *map(str, row)])
    return "\n".join(f"  {row}".rstrip() for row in aligned(rows))
