"""``ccsim bounds``: a function from below and above."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Exit, Option, echo

import ccsim as cc
from ccsim.certificates.verify.certificates import with_unit
from ccsim.cli.app import Format, FormatOption, JsonFlag, print_as
from ccsim.cli.brackets import print_brackets
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.graphs import show_graph
from ccsim.cli.growth import OWN, SECONDS, STOPPED, family_of, game_of, own, show_growth, sizes_of
from ccsim.cli.progress import shown_progress
from ccsim.cli.saving import places_of, save_pictures
from ccsim.errors import InputError
from ccsim.plots import draw
from ccsim.problems.own_functions import of_size
from ccsim.tables import Reading, read_table

SUFFIXES = (".npy", ".csv", ".txt")
Answer = StrEnum("Answer", ["both", "alice", "bob"])
LEAST = 0.1  # of the time is for searches, however long the matrix takes; what needs none is said anyway


# fmt: off
Measure = StrEnum("Measure", [  # values are in small letters, names are not: a text has a method partition
    "DETERMINISTIC", "LEAVES", "ONE-WAY", "RANK", "FOOLING", "COVER", "PARTITION", "DISCREPANCY", "RANDOMISED",
    "ONE-WAY-SUCCESS", "NONNEGATIVE-RANK", "SIGN-RANK", "APPROXIMATE-RANK", "QUANTUM", "FRACTIONAL-COVER",
    "BLACKBOARD", "ALL",
])
# fmt: on


def _measure(text: str) -> Measure:
    plain = text.partition(" (")[0]
    names = {one.value: one.value for one in Measure} | cc.bounds.PRINTED
    if plain not in names:
        raise InputError("--measure", text, f"one of {', '.join(names)}")
    return Measure(names[plain])


def bounds(
    context: Context,
    subject: Annotated[
        str,
        Argument(help="A problem (`ccsim list`), a matrix (.npy, .csv, .txt), or file.py:name, your function f(x, y)."),
    ],
    n: Annotated[str, Option("--size", "-n", help="The size; 2:6 or 2,4,8 makes a table of growth.")] = "4",
    measure: Annotated[
        list[Measure] | None,
        Option(
            parser=_measure,
            metavar="MEASURE",
            help=f"May be repeated; the usual ones if not given: {', '.join(Measure)}.",
        ),
    ] = None,
    answer: Annotated[Answer, Option(help="Who must know the answer.")] = Answer.both,
    error: Annotated[
        str,
        Option(help="Largest probability of a wrong answer (coins, qubits), or largest distance (approximate rank)."),
    ] = "1/3",
    bits: Annotated[
        int | None,
        Option(help="For one-way-success: bits of the message; all lengths up to a whole input if not given."),
    ] = None,
    seconds: Annotated[
        float | None, Option("--time", help="Time limit in seconds; the best bounds by then are printed.")
    ] = None,
    save: Annotated[
        list[Path] | None,
        Option(
            help="A file for the certificate (.json; further ones get numbers) or a picture (.svg, .tex, .pdf, .png);"
            " may be repeated."
        ),
    ] = None,
    everything: Annotated[
        bool, Option("--all", "--details", help="Print every bracket, with the proof of each side and its source.")
    ] = False,
    header: Annotated[str | None, Option(help="Of a file: names are in its first row, column, both or none.")] = None,
    delimiter: Annotated[
        str | None, Option(help="Of a file: comma, semicolon, tab, space or the character between cells.")
    ] = None,
    labels: Annotated[bool, Option("--labels", help="Of a file: each different cell is an answer.")] = False,
    undefined: Annotated[
        str | None, Option(help="Of a file: how it writes an undefined entry (don't-care), such as -1.")
    ] = None,
    graph: Annotated[
        bool,
        Option("--graph", help="Of a file: cover and partition its graph (adjacency, edges or .gml) by bicliques."),
    ] = False,
    game: Annotated[
        bool,
        Option("--karchmer-wigderson", help="The game of a Boolean function: values such as 0110, a .txt, file.py:f."),
    ] = False,
    monotone: Annotated[bool, Option("--monotone", help="With --karchmer-wigderson: the monotone game.")] = False,
    form: FormatOption = Format.text,
    json: JsonFlag = False,
) -> None:
    """Bound a function or a matrix from below and above, with certificates.

    Without --measure: all measures but one-way-success, nonnegative-rank, sign-rank, approximate-rank, quantum and
    fractional-cover; for three parties or more, the bits at a blackboard. Exit code 0, also where the bounds do not
    meet; 130 if the keyboard stops it: the bounds proved so far are printed and saved.
    """
    certificates, pictures = places_of(save)
    sizes, reading = sizes_of(n), Reading(header, delimiter, labels, undefined)
    measures = list(dict.fromkeys(measure or [Measure.ALL]))
    if graph:
        if save or measure or game or reading != Reading():
            raise InputError("--graph", subject, "no --save, --measure, game or reading of cells beside it")
        show_graph(Path(subject), seconds, context.obj, everything, form, json)
        return
    if monotone and not game:
        raise InputError("--monotone", True, "--karchmer-wigderson beside it")
    if game and reading != Reading():
        raise InputError("--karchmer-wigderson", subject, "no reading of cells beside it")
    if len(sizes) > 1 and reading == Reading():
        given: dict[str, Any] = {"answer": answer.value, "error": error, "bits": bits, "measures": list(measures)}
        family = game_of(subject, monotone, sizes) if game else family_of(subject, sizes)
        raise Exit(*show_growth(subject, family, sizes, given, seconds, context.obj, save or [], form, json))
    function, read = (
        (game_of(subject, monotone, sizes)(sizes[0]), "") if game else load_subject(subject, sizes[0], reading)
    )
    single, title = len(measures) == 1 and measures != [Measure.ALL], ", ".join(measures)
    if Measure.ALL in measures and seconds is None:
        seconds = SECONDS
    limit = seconds
    if seconds is not None and seconds > 0:  # the start and the matrix count
        seconds = max(LEAST * seconds, seconds - (time.monotonic() - context.obj))
    code: list[int] = []
    with shown_progress(title, limit=limit, began=context.obj) as advance:
        asked: dict[str, Any] = {"answer": answer.value, "error": error, "seconds": seconds, "progress": advance}
        asked["stopped"] = lambda: code.append(130)
        result = _bounded(function, measures, bits, asked)
    brackets = result.details[title] if single else result.brackets
    if code:
        echo(wrapped(STOPPED, columns()), err=True)
    if code and not brackets:
        raise Exit(*code)
    every = [one for own in result.details.values() for one in own]
    shown = every if everything else brackets
    saved: dict[str, str] = {}
    for path in certificates:
        saved |= _save(shown, path)
    named = function if isinstance(function, cc.TwoPartyFunction) else None
    saved |= save_pictures(lambda: draw(brackets[0], named), pictures)
    report = partial(_report, result, title, single, saved, read)
    if print_as(form, json, report, partial(cc.bounds.bracket_table, shown)):
        raise Exit(*code)
    name = getattr(function, "name", "matrix")
    if name == "matrix":
        name = Path(subject).name.rpartition(":")[2]
    print_brackets(name, (result.brackets or brackets)[0], result.details, everything)
    if read:  # a line of names in a file of cells is seen here
        echo(wrapped(f"Read {name}: {read}", columns()))
    for why in dict.fromkeys(result.missing.values()):
        missing = [name for name, own in result.missing.items() if own == why]
        each = "each " * (len(missing) > 1)
        echo(wrapped(f"No bounds on {', '.join(missing)}: {each}{why}.", columns()))
    for place, what in saved.items():
        echo(f"saved {place}: {what}")
    raise Exit(*code)


def _bounded(
    function: cc.MultipartyFunction | cc.CommunicationMatrix | cc.Relation,
    measures: list[Measure],
    bits: int | None,
    asked: dict[str, Any],
) -> cc.bounds.Summary:
    two = cc.TwoPartyFunction, cc.CommunicationMatrix, cc.Relation
    if "blackboard" in measures or not isinstance(function, two):
        if measures not in (["all"], ["blackboard"]) or not isinstance(function, cc.MultipartyFunction):
            expected = "blackboard for a function of several parties, and no other"
            raise InputError("--measure", ", ".join(measures), expected)
        bracket = cc.bounds.blackboard(function, time_limit=asked["seconds"])
        return cc.bounds.Summary("", (bracket,), {}, {"blackboard": (bracket,)})
    if measures == ["all"] or len(measures) > 1:
        return cc.bounds.summary(function, measures=measures, bits=bits, **asked)
    (measure,) = measures
    brackets = cc.bounds.brackets_of(function, measure, bits=bits, **asked)
    main = (cc.bounds.main_bracket(measure, brackets),) if brackets else ()
    return cc.bounds.Summary("", main, {}, {measure: brackets})


Subject = cc.MultipartyFunction | cc.CommunicationMatrix | cc.Relation


def load_subject(subject: str, n: int, reading: Reading) -> tuple[Subject, str]:
    """A problem of the catalogue at size n, function or relation, or the matrix in a file, and what was read there."""
    if Path(subject).suffix in SUFFIXES:
        table = read_table(Path(subject), reading)
        matrix = cc.CommunicationMatrix(table.codes, table.labels)
        return matrix, "; ".join([repr(matrix)[1:-1], *table.notes])
    if reading != Reading():
        raise InputError("subject", subject, "a file, for --header, --delimiter, --labels and --undefined")
    if OWN.search(subject):
        return of_size(own(subject), n), ""
    if Path(subject).suffix or Path(subject).parent != Path():
        expected = f"a file that ends in {' or '.join(SUFFIXES)}, a problem's name, or file.py:name"
        raise InputError("subject", subject, expected)
    relation = cc.problems.RELATIONS.get(cc.problems.full_name(subject))
    if relation is not None:
        return relation[1](n), ""
    function = cc.problems.find_problem(subject).function(n)
    if not isinstance(function, cc.MultipartyFunction):
        raise InputError("function", subject, "a problem of two parties or more")
    return function, ""


def _save(brackets: Sequence[cc.bounds.Bracket], path: Path) -> dict[str, str]:
    """What each file's certificate proves; numbered from the second on. What cannot be saved is reported."""
    certificates, left = [], []
    for bracket in brackets:
        if bracket.lower_witness or bracket.upper_witness:
            try:
                certificates.append((bracket.certificate, _sides_of(bracket)))
            except InputError as error:
                left.append((bracket.name, error.expected))
    saved = {}
    for number, (certificate, what) in enumerate(certificates, start=1):
        target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        certificate.save(target)
        saved[str(target)] = what
    for why in dict.fromkeys(why for _, why in left):
        names = ", ".join(name for name, other in left if other == why)
        echo(f"not saved, as a certificate is {why}: {names}", err=True)
    return saved


def _sides_of(bracket: cc.bounds.Bracket) -> str:
    """What a certificate proves, such as ``cover >= 2 rectangles``: the measure, and which sides have a proof."""
    proofs = ((">=", bracket.lower, bracket.lower_witness), ("<=", bracket.upper, bracket.upper_witness))
    sides = [f"{sign} {value}" for sign, value, witness in proofs if witness]
    proved = f"= {bracket.lower}" if bracket.exact and len(sides) == 2 else " and ".join(sides)
    return f"{bracket.name} {with_unit(proved, bracket.unit)}"


def _report(result: cc.bounds.Summary, title: str, single: bool, saved: dict[str, str], read: str) -> Any:
    more = {"missing": result.missing, "saved": list(saved)} | ({"read": read} if read else {})
    if not single:
        return {"measure": title, "brackets": result.rows(), **more}
    ((main,), brackets) = result.brackets, result.details[title]
    rest = {"brackets": [bracket.to_json() for bracket in brackets], **more}
    return {**main.to_json(), "measure": title, "main": main.name, **rest}
