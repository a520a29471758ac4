"""``ccsim bounds``: a function from below and above.

It prints the answer in a sentence, then a line for each measure or all proofs in words. ``--graph`` bounds how few
bicliques cover or divide the edges of a graph; ``-n 2:6`` makes a table of growth, redrawn as sizes are finished.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from enum import StrEnum
from functools import partial, wraps
from itertools import accumulate
from math import ceil, floor
from pathlib import Path
from shutil import get_terminal_size
from typing import Annotated, Any

from typer import Argument, Context, Exit, Option, echo

import ccsim as cc
from ccsim.auditing.tasks import object_in_file
from ccsim.bounds import Bracket
from ccsim.bounds.bicliques import graph_of
from ccsim.bounds.growth_table import BESIDE
from ccsim.bounds.statements import proof_in_words, side_in_words
from ccsim.bounds.summaries import answer_in_words, conventions, textbook_rows
from ccsim.certificates.verify.certificates import with_unit
from ccsim.cli.app import Format, FormatOption, JsonFlag, print_as
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.progress import CLEAR, shown_progress
from ccsim.cli.saving import places_of, save_pictures
from ccsim.errors import InputError
from ccsim.plain_data import aligned, printable, table_text
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
        float | None, Option("--seconds", help="Time limit in seconds; the best bounds by then are printed.")
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
    if graph and (save or measure or game or reading != Reading()):
        raise InputError("--graph", subject, "no --save, --measure, game or reading of cells beside it")
    if monotone and not game:
        raise InputError("--monotone", True, "--karchmer-wigderson beside it")
    if game and reading != Reading():
        raise InputError("--karchmer-wigderson", subject, "no reading of cells beside it")
    if graph:
        show_graph(Path(subject), seconds, context.obj, everything, form, json)
        return
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
    _print_missing(result.missing)
    for place, what in saved.items():
        echo(f"saved {place}: {what}")
    raise Exit(*code)


def _print_missing(reasons: Mapping[str, str]) -> None:
    for why in dict.fromkeys(reasons.values()):
        missing = [name for name, own in reasons.items() if own == why]
        each = "each " * (len(missing) > 1)
        echo(wrapped(f"No bounds on {', '.join(missing)}: {each}{why}.", columns()))


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
        bracket = cc.bounds.blackboard(function, seconds=asked["seconds"])
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


SHOWN = 8  # bicliques of each list, unless all are asked for
ROWS = 4  # of the terminal, which they are about to fill
DATA = re.compile(r"\{.*\}\s*$")  # behind an edge, as networkx.write_edgelist writes it
ENTRIES = re.compile(r"^([01])\.0*(?:[eE][+-]?00)?$")  # as numpy.savetxt writes 0 and 1
EXPECTED = (
    "a graph: a .gml file, an adjacency matrix (.npy, or a text of rows of 0 and 1), or a text with an edge a line, as"
    " two names"
)


def read_graph(path: Path) -> Any:
    """The graph in a file. Rows of 0 and 1, as many as entries in each, are an adjacency matrix."""
    if not path.is_file():
        raise InputError("subject", str(path), f"the file of {EXPECTED}")
    if path.suffix == ".npy":
        return graph_of(cc.CommunicationMatrix.load(path).codes)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    if path.suffix == ".gml":
        import networkx  # only here

        for label in ("label", "id"):  # not every file names its vertices
            try:
                return graph_of(networkx.parse_gml(text, label=label))
            except networkx.NetworkXError as error:
                problem = error
        raise InputError("subject", str(path), f"a graph in GML ({problem})")
    lines = [DATA.sub("", line.partition("#")[0]).strip() for line in text.splitlines()]
    rows = [re.split(r"[\s,;]+", line.strip(",;")) for line in lines if line]
    dense = [list(row[0]) if len(row) == 1 else [ENTRIES.sub(r"\1", entry) for entry in row] for row in rows]
    if rows and all(len(row) == len(dense) and set(row) <= {"0", "1"} for row in dense):
        return graph_of([[int(entry) for entry in row] for row in dense])
    wrong = next((" ".join(row) for row in rows if len(row) != 2), None if rows else "")
    if wrong is not None:
        raise InputError(f"line of {path.name}", wrong, EXPECTED)
    return graph_of([(one, other) for one, other in rows])


def show_graph(path: Path, seconds: float | None, began: float, everything: bool, form: Format, json: bool) -> None:
    graph = read_graph(path)
    read = f"a graph, vertices: {len(graph)}, edges: {graph.number_of_edges()}"
    limit = SECONDS if seconds is None else seconds
    if not limit > 0:
        raise InputError("--seconds", seconds, "more than 0 seconds")
    with shown_progress("bicliques", limit=limit, began=began) as advance:
        advance("cover by bicliques")
        cover = cc.bounds.biclique_cover(graph, seconds=limit / 2)
        advance("partition into bicliques")
        left = max(limit / 10, limit - (time.monotonic() - began))
        partition = cc.bounds.biclique_partition(graph, seconds=left)
    result = cc.bounds.Summary.of(path.name, [cover, partition], {})
    lists = {one.measure: (one.upper_witness or {})["bicliques"] for one in (cover, partition)}

    def report() -> Any:
        about = {"measure": ", ".join(lists), "brackets": result.rows(), "missing": {}, "saved": []}
        return {**about, "read": read, "bicliques": lists}

    if print_as(form, json, report, partial(cc.bounds.bracket_table, result.brackets)):
        return
    print_brackets(path.name, cover, result.details, everything)
    echo(wrapped(f"Read {path.name}: {read}", columns()))
    for measure, bicliques in lists.items():
        sides = [" x ".join(f"{{{', '.join(map(str, side))}}}" for side in pair) for pair in bicliques]
        fits = sum(length <= ROWS * columns() for length in accumulate(map(len, sides)))
        sides = sides if everything else sides[: max(1, min(SHOWN, fits))]
        more = f", and {len(bicliques) - len(sides)} more (--all)" if len(sides) < len(bicliques) else ""
        echo(wrapped(f"{measure}: {'; '.join(sides) or 'none'}{more}", columns(), 2))


OWN = re.compile(r"\.py:\w+$")
MOST = 64  # sizes
SECONDS = 30.0  # in all, where no limit is given
STOPPED = "ccsim: stopped: the bounds proved so far are printed, and saved with --save; a later run starts anew"


def sizes_of(text: str) -> list[int]:
    """The sizes that a text lists, such as 4, 2:6 (with both ends), 2:10:2 or 3,5,8."""
    if re.fullmatch(r"\d{1,9}(,\d{1,9})*", text):
        return [int(number) for number in text.split(",")]
    if re.fullmatch(r"\d{1,9}:\d{1,9}(:\d{1,9})?", text):
        low, high, step = [*map(int, text.split(":")), 1][:3]
        if low <= high and step > 0 and (high - low) // step < MOST:
            return list(range(low, high + 1, step))
    raise InputError("--size", text, f"an integer such as 4, or up to {MOST} sizes as 2:6, 2:10:2 or 3,5,8")


def own(subject: str) -> Any:
    """What ``file.py:name`` names. A rule is called by that name, and what it prints is no part of the results."""
    with redirect_stdout(sys.stderr):
        given = object_in_file(subject)
    if not callable(given) or isinstance(given, type) or type(given).__module__.startswith(("ccsim", "numpy")):
        return given

    @wraps(given)
    def rule(*inputs: Any, **more: Any) -> Any:
        with redirect_stdout(sys.stderr):
            return given(*inputs, **more)

    rule.__name__ = subject.rpartition(":")[2]
    return rule


def family_of(subject: str, sizes: list[int]) -> Any:
    if OWN.search(subject):
        return own(subject)
    if Path(subject).suffix:
        raise InputError("--size", sizes, "no size, as a file is one matrix")
    return subject


def game_of(subject: str, monotone: bool, sizes: list[int]) -> Callable[[int], cc.Relation]:
    """The Karchmer-Wigderson game of a truth table (text, or a file of it) or, for each n, of a rule f(x) in a file."""
    given: Any = subject
    if OWN.search(subject):
        given = own(subject)
    elif Path(subject).suffix:
        if not Path(subject).is_file():
            raise InputError("subject", subject, "values such as 0110, a file of them, or file.py:f, a rule f(x)")
        given = Path(subject).read_text(encoding="utf-8", errors="replace")
    if len(sizes) > 1 and not callable(given):
        raise InputError("--size", sizes, "no size, as these are the values of one function")

    def game(n: int) -> cc.Relation:
        return cc.problems.karchmer_wigderson(given, n if callable(given) else None, monotone=monotone)

    game.__name__ = f"the game of {Path(subject).name}"
    return game


def show_growth(
    subject: str,
    family: Any,
    sizes: list[int],
    asked: dict[str, Any],
    seconds: float | None,
    began: float,
    save: Sequence[Path],
    form: Format,
    json: bool,
) -> list[int]:
    """Print the table; the exit code, if it was stopped."""
    certificates, pictures = places_of(save)
    if certificates:
        raise InputError("--save", str(certificates[0]), "one size: a certificate is about one matrix")
    limit = SECONDS if seconds is None else seconds
    if not limit > 0:
        raise InputError("--seconds", seconds, "more than 0 seconds")
    drawn, stops = [0], list[int]()
    terminal = sys.stdout.isatty()
    width, height = columns(), get_terminal_size().lines if terminal else 0

    def draw(table: cc.bounds.GrowthTable) -> None:
        text = table.text(width - 1)
        up, drawn[0] = drawn[0], len(text.splitlines())
        if max(up, drawn[0]) >= height:  # only its end could be redrawn
            drawn[0] = 0
        else:
            echo(f"{CLEAR}\x1b[{up}A\x1b[J{text}" if up else f"{CLEAR}{text}")

    with shown_progress(subject, limit=limit, began=began) as report:
        table = cc.bounds.growth(
            family,
            sizes,
            seconds=limit - min(time.monotonic() - began, limit / 2),  # the start counts
            progress=report,
            finished=draw if terminal and not json and form == Format.text else None,
            stopped=lambda: stops.append(130),
            **asked,
        )
    if stops:
        echo(wrapped(STOPPED, columns()), err=True)

    def plain() -> dict[str, Any]:
        beside = {name: [value(n) for n in table.summaries] for name, value in BESIDE.items()}
        missing = {str(n): why for n, why in table.missing.items()}
        about = {"family": table.name, "sizes": list(table.summaries), "measures": table.rows()}
        return {**about, "beside": beside, "missing": missing}

    heads, *rows = table.cells()
    written = partial(table_text, columns=["measure", *heads[1:]], rows=rows)
    if not print_as(form, json, plain, written) and not drawn[0]:
        echo(table.text(width))
    for path, what in save_pictures(lambda: cc.plots.draw(table), pictures).items():
        echo(f"saved {path}: {what}", err=json or form != Format.text)
    return stops


MOST_NAME = 34  # columns
MOST_FRACTION = 7  # signs
DIGITS = 10**4
SHORT = {"from Alice to Bob": "A to B", "from Bob to Alice": "B to A", "one-way-randomised": "one-way, coins"}


def print_brackets(name: str, main: Bracket, brackets: dict[str, tuple[Bracket, ...]], everything: bool) -> None:
    """The answer about the main bracket in a sentence, then a line for each measure or, of everything, all proofs."""
    echo(wrapped(printable(answer_in_words(name, main)), columns()))
    every = [one for own in brackets.values() for one in own]
    (_print_all if everything else _print_rows)(every if everything else textbook_rows(brackets))
    if convention := conventions(every):
        echo(wrapped(f"{convention}.", columns()))


def _print_rows(rows: Sequence[Bracket]) -> None:
    """A line for each: sources and reasons are left out where it is too long; a value never is."""
    heads = aligned([("measure", "value"), *((_short_name(row), _value(row)) for row in rows)])
    proofs: list[list[str]] = [["lower bound by; upper bound by (more: --all)", "lower; upper bound by (more: --all)"]]
    proofs += [[proof_in_words(row, *kept) for kept in ((True, True), (False, True), (False, False))] for row in rows]
    for head, texts in zip(heads, proofs, strict=True):
        room = columns() - 1 - len(head) - 2
        proof = next((text for text in texts if len(text) <= room), texts[-1])
        echo(f"{head}  {proof if len(proof) <= room else f'{proof[: max(room - 1, 0)]}…'}")


def _short_name(bracket: Bracket) -> str:
    usual = (
        "answer",
        "" if "smooth" in bracket.parameters else "error",
        "field" if bracket.parameters.get("field") == "rational" else "",
    )
    given = {name: value for name, value in bracket.parameters.items() if name not in usual}
    name = printable(replace(bracket, parameters=given).name)
    for long, short in SHORT.items():
        name = name.replace(long, short)
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def _value(bracket: Bracket) -> str:
    """Both sides with their unit, if that is bits; long fractions of an open bracket are rounded outwards."""
    low, high = bracket.lower, bracket.upper
    unit = bracket.unit if bracket.unit in ("bits", "qubits") else ""
    if bracket.exact:
        return with_unit(low, unit)
    if high is None:
        return f">= {with_unit(low, unit)}"
    if max(len(str(low)), len(str(high))) > MOST_FRACTION:
        return f"{floor(low * DIGITS) / DIGITS:g} to {ceil(high * DIGITS) / DIGITS:g}"
    return f"{low} to {with_unit(high, unit)}"


def _print_all(brackets: Sequence[Bracket]) -> None:
    for bracket in brackets:
        echo(f"{printable(bracket.name)} {bracket.amount()} ({bracket.seconds:.2f} s)")
        for side, words in ((bracket.below, "at least"), (bracket.above, "at most")):
            if side.value is not None:
                proof = f"    {words} {with_unit(side.value, bracket.unit)}: {side_in_words(side, bracket.measure)}"
                echo(wrapped(proof, columns(), 8))
        if bracket.open is not None and not bracket.exact:
            echo(f"    open: {bracket.open.value}")
