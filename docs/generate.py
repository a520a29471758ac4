"""Pages that are made, not written: ``python docs/generate.py`` writes the verdicts, the picture and the table of
regular languages anew.

The verdicts come from a run of all claims at all their sizes (or from the JSON that ``ccsim certify --all-sizes
--json`` printed: ``python docs/generate.py FILE``). A test compares what is committed. The options of commands are
written at each build.
"""

from __future__ import annotations

import gzip
import inspect
import io
import json
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from enum import Enum
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo

from ccsim.claims.claim import Claim, find_papers, registered_claims
from ccsim.claims.report import CAN, SIGNS, Field, places_by_task, render
from ccsim.claims.verdict import Verdict, Word
from ccsim.cli.app import function_of, run_app
from ccsim.cli.commands import COMMANDS
from ccsim.families import CORPUS, Language, NamedLanguage, language
from ccsim.plots import PALETTE, Box, Picture, Text
from ccsim.plots.scene import SOFT, Shape

HERE = Path(__file__).parent
VERDICTS = HERE / "verdicts.json.gz"


def options() -> str:
    """All commands with their arguments and options, from the signatures that the program is made of."""
    parts = []
    for name in COMMANDS:
        called = function_of(name)
        hints = get_type_hints(called, include_extras=True)
        parts.append(f"### ccsim {name}\n\n{_as_code(inspect.getdoc(called) or '')}\n")
        given = inspect.signature(called).parameters.values()
        known = [(one, hints[one.name]) for one in given if get_args(hints[one.name])]
        rows = [_row(one, hint) for one, hint in known if not get_args(hint)[1].hidden]
        parts.append("\n".join(["| option | meaning |", "|---|---|", *rows, ""]))
    return "\n".join(parts)


def _as_code(text: str) -> str:
    """Options between backquotes, as two hyphens become a dash elsewhere."""
    return re.sub(r"(?<![\w`-])--\w[\w-]*", r"`\g<0>`", text)


def public_names() -> str:
    """A table of what the stubs list, and ``__all__`` where there is no stub."""
    packages = re.findall(r"^   ([\w.]+)$", (HERE / "reference.md").read_text(encoding="utf-8"), re.MULTILINE)
    offered = {package: sorted(getattr(import_module(package), "__all__", ())) for package in packages}
    rows = ([f"`{package}`", ", ".join(f"`{name}`" for name in names)] for package, names in offered.items() if names)
    return "\n".join(_table(["package", "names"], rows))


def _row(parameter: inspect.Parameter, hint: Any) -> str:
    kind, info = get_args(hint)[:2]
    declared = [part for part in (info.default, *(info.param_decls or ())) if isinstance(part, str) and part[:1] == "-"]
    dashed = "--" + parameter.name.strip("_").replace("_", "-")
    names = ", ".join(f"`{name}`" for name in declared or [dashed])
    if isinstance(info, ArgumentInfo):
        names = f"`{info.metavar or parameter.name.upper()}`"
    given = parameter.default
    needed = given is inspect.Parameter.empty
    default = "required" if needed else "" if given in (None, False, "") else f"default `{given}`"
    about = _as_code(" ".join((info.help or "").split()).replace("|", "\\|"))
    taken = ", ".join(part for part in (_taken(kind), default) if part)
    return f"| {names} | {about}{f' ({taken})' if taken else ''} |"


def _taken(kind: Any) -> str:
    """A type for people."""
    inner = [part for part in get_args(kind) if part is not type(None)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{one.value}`" for one in kind)
    if get_origin(kind) is list:
        return f"{_taken(inner[0])}, repeatable"
    if get_origin(kind) is Literal:
        return ", ".join(f"`{one}`" for one in inner)
    if inner:
        return _taken(inner[0])
    return {bool: "", int: "integer", float: "number", str: "text", Path: "path"}.get(kind, str(kind))


def kept(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of ``ccsim certify --json`` without what differs from run to run: seconds, and where certificates are."""
    return [{name: value for name, value in row.items() if name != "saved"} | {"seconds": 0.0} for row in rows]


def stored_rows() -> list[dict[str, Any]]:
    """The verdicts of the last run that was kept."""
    return list(json.loads(gzip.decompress(VERDICTS.read_bytes())))


def claims_page() -> str:
    """The page that ``ccsim report`` draws, from the verdicts that are kept, without plots."""
    verdicts = [Verdict.from_json(row) for row in stored_rows()]
    return render(verdicts, registered_claims(), find_papers())


def _cell(text: str) -> str:
    """A text with its signs as they are, but for what is between backquotes, which is code."""
    parts = text.split("`")
    for place in range(0, len(parts), 2):
        for special in "\\|*_<[$^~":
            parts[place] = parts[place].replace(special, f"\\{special}")
    parts[1::2] = (code.replace("|", "\\|") for code in parts[1::2])
    return "`".join(parts)


TABLE = "<!-- The table is made by docs/generate.py: do not edit below. -->"
COLUMNS = ("language", "its words", "best partition", "at least", "at most", "state bits", "layer excluded from")
MODELS = ("deterministic", "simultaneous messages", "public coins", "modulo p", "nondeterministic", "languages")


def languages_page() -> str:
    """The page of regular languages: its text as it is, and the tables from searches that are made now, in a minute."""
    text = (HERE / "languages.md").read_text(encoding="utf-8").partition(TABLE)[0]
    found = [(one, _searched(one)) for one in CORPUS]
    first = _table(COLUMNS, [_language(one, searched) for one, searched in found])
    alike: dict[tuple[str, ...], list[str]] = {}
    for one, searched in found:
        classes = (searched.classification.deterministic, *(other.complexity for other in searched.others))
        alike.setdefault(tuple(text.replace(", for every prime p", "") for text in classes), []).append(f"`{one.name}`")
    second = _table(MODELS, [(*map(_mathematics, classes), ", ".join(alike[classes])) for classes in sorted(alike)])
    return "\n".join([f"{text}{TABLE}\n", *first, "", "## Classes", "", CLASSES, "", *second, ""])


CLASSES = (
    r"With blanks and alternate positions: $O(1)$ iff the syntactic monoid is commutative, else $\Theta(\log n)$ iff "
    r"it is in DO with Abelian subgroups, else $\Theta(n)$ {cite}`tesson2005`; likewise in "
    "[other models](proofs/other_models.md). Where no proof is known both bounds are given."
)


WORDS_BETWEEN = re.compile(r"(; there |; |,? for (?:all|every prime) | at | but |, (?=[A-Za-z]))")
SIGNS_OF = {"Theta": r"\Theta", "Omega": r"\Omega", "log": r"\log ", "·": r"\cdot ", "≥": r"\ge "}


def _mathematics(text: str) -> str:
    """Formulas in the notation of statements, each between dollars, and the words between them as they are."""
    parts = WORDS_BETWEEN.split(re.sub(r" \((\d+ at [^)]*)\)$", r"; \1", text))  # a first value in brackets
    for place in range(0, len(parts), 2):
        formula = re.sub(r"ceil\(log2\(((?:[^()]|\([^()]*\))*)\)\)", r"\\lceil log(\1) \\rceil ", parts[place])
        formula = re.sub(r"floor\(([^()]*)\)", r"\\lfloor \1 \\rfloor", formula)
        for sign, command in SIGNS_OF.items():
            formula = re.sub(rf"{sign} ?", command.replace("\\", "\\\\"), formula)
        parts[place] = f"${formula.strip()}$" if formula and not formula.isdigit() else formula
    return "".join(parts)


def _table(columns: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    return [_row_of(columns), "|---" * len(columns) + "|", *(_row_of(row) for row in rows)]


def _row_of(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """A bound of a certificate in bits, in the plain notation of statements."""
    text = re.sub(r"(?<=\d)\*(?=[a-z])", "", re.sub(r"^[<>]= | bits\b| for all n >= 1$", "", text))
    return text.rstrip(", ").replace("*", "·").replace(">=", "≥")


def _searched(one: NamedLanguage) -> Language:
    return language(one.automaton(), name=one.name, blank="_" if one.blank else None, longest=one.longest)


def _language(one: NamedLanguage, found: Language) -> list[str]:
    told = {side: _plain(text) for side, text in found.best.certificate.statements().items()}
    excluded = found.excluded().tail
    least = None if found.landmarks is None else _plain(found.landmarks.formula(found.best.partition))
    return [
        f"`{one.name}`",
        _cell(re.sub(r"[^ :]*[*][^ :]*", r"`\g<0>`", one.about)),
        f"{found.best.partition}{', no blank' if found.blank is None else ''}",
        _mathematics(told["lower"]),
        _mathematics(told["upper"] if least is None else f"{told['upper']}; {least}"),
        str(found.recurrent_bits),
        ""
        if excluded is None
        else f"{excluded[1]}" + {1: "", 2: ", even"}.get(excluded[0], f", {excluded[0]} divides N"),
    ]


def layers_picture() -> Picture:
    """The rooms of each layer of ``architecture.md``, lowest layer below, as wide as their budgets of code tokens."""
    table = re.search(r"^\| layer \|.*?\n\n", (HERE / "architecture.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    layers = [re.findall(r"`([\w.]+)`", row.split("|")[2]) for row in table[0].splitlines()[2:] if row]
    budget = tomllib.loads((HERE.parent / ".ci" / "budget.toml").read_text("utf-8"))
    scale, high = 1 / 160, 44
    parts: list[Shape] = []
    for place, rooms in enumerate(layers):
        x, y = 34.0, 8.0 + high * (len(layers) - 1 - place)
        parts.append(Text(16, y + 25, str(place)))
        for room in rooms:
            tokens = budget.get(room.replace(".", "/") if "." in room else f"ccsim/{room}", {}).get("tokens")
            wide = max(7.2 * len(room.split(".")[-1]) + 10, (tokens or 0) * scale)
            parts.append(Box(x, y, wide, high - 8, 3, fill=PALETTE[0], opacity=0.15))
            parts.append(Text(x + wide / 2, y + (16 if tokens else 23), room.split(".")[-1]))
            parts += [Text(x + wide / 2, y + 31, f"{tokens:,}")] if tokens else []
            x += wide + 5
    return Picture(tuple(parts), 760, high * len(layers) + 8, "layers of packages, with their budgets of code tokens")


def words_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """By the names of claims, the words of their verdicts."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(row["claim"], []).append(row["verdict"])
    return found


FILLS = {True: PALETTE[2], False: PALETTE[1], None: PALETTE[6]}
LEFT, COLUMN, TOP, SIZE, SMALL = 150, 158, 56, 19, 16  # readable where the picture is 400 pixels wide


def story_picture(claims: Iterable[Claim], verdicts: Mapping[str, Sequence[str]]) -> Picture:
    """A picture of who can, who cannot, how large a model has to be, and the verdict on each claim.

    Args:
        claims: in the order of the tasks.
        verdicts: by the name of a claim, the words of its verdicts.
    """
    rows, models = places_by_task(claims)
    parts: list[Shape] = []
    for place, model in enumerate(models):
        parts += _lines(wrap(model, 14), LEFT + COLUMN * (place + 0.5), TOP / 2, bold=True)
    down = float(TOP)
    for task, row in rows.items():
        fields = [_written(row[model], verdicts) if model in row else None for model in models]
        label = wrap(task, 15)
        heights = [SIZE * len(size) + SMALL * len(met) for size, met in filter(None, fields)]
        high = 20 + max(SIZE * len(label), *heights)
        parts += _lines(label, LEFT - 10, down + high / 2, anchor="end")
        for place, (model, field) in enumerate(zip(models, fields, strict=True)):
            frame = LEFT + COLUMN * place + 2, down + 2, COLUMN - 4, high - 4, 6
            able = row[model][1].able if field else None
            look = {"fill": FILLS[able], "opacity": 0.2} if field else {"fill": SOFT, "opacity": 0.05}
            parts += [Box(*frame, **look), *(_field(field, able, LEFT + COLUMN * place + 10, down + high / 2))]
        down += high
    legend = (
        "N: the length of a word; ✓ a small model can, ✗ only a large one can, ? open.",
        "The verdict is below; calculated: not executed; vacuous: trivial at the sizes run.",
    )
    parts += [Text(12, down + 24 + SIZE * place, line, SMALL, "start", fill=SOFT) for place, line in enumerate(legend)]
    described = "; ".join(
        f"{task}: {', '.join(_described(model, field, verdicts) for model, field in row.items())}"
        for task, row in rows.items()
    )
    title = "what small models can and cannot do"
    return Picture(tuple(parts), LEFT + COLUMN * len(models) + 8, down + 54, f"{title}: {described}")


def _words_met(claim: Claim, verdicts: Mapping[str, Sequence[str]]) -> str:
    met = verdicts.get(claim.name, [Word.NOT_MEASURED])
    return ", ".join(word.value for word in Word if word in met)


def _described(model: str, field: Field, verdicts: Mapping[str, Sequence[str]]) -> str:
    claim, place = field
    return f"{model} {CAN[place.able]} ({place.size}; {_words_met(claim, verdicts)})"


def _written(field: Field, verdicts: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """The lines of a size, which may be broken after a dot, and of its verdict."""
    claim, place = field
    size = [line.replace("· ", "·") for line in wrap(place.size.replace("·", "· ").replace("log ", "log\u00a0"), 17)]
    return size, wrap(_words_met(claim, verdicts), 14)


def _field(
    field: tuple[list[str], list[str]] | None, able: bool | None, right: float, middle: float
) -> Sequence[Shape]:
    if field is None:
        return []
    size, met = field
    first = middle - (SIZE * len(size) + SMALL * len(met)) / 2 + SIZE - 3
    below = first + SIZE * len(size) - 1
    return [
        *(Text(right, first + SIZE * line, text, SIZE, "start") for line, text in enumerate(size)),
        Text(right + 7, below, SIGNS[able], SIZE, "middle"),
        *(Text(right + 20, below + SMALL * line, text, SMALL, "start", fill=SOFT) for line, text in enumerate(met)),
    ]


def _lines(lines: Sequence[str], x: float, middle: float, **look: Any) -> list[Text]:
    """Lines of text around a height."""
    first = middle + SIZE / 3 - (SIZE + 1) / 2 * (len(lines) - 1)
    return [Text(x, first + (SIZE + 1) * place, line, SIZE, **look) for place, line in enumerate(lines)]


def run_rows() -> list[dict[str, Any]]:
    """The verdicts of all claims, measured now."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        run_app(["certify", "--all-sizes", "--json"])
    return list(json.loads(printed.getvalue()))


def main(arguments: list[str]) -> None:
    """Write all pages and the picture."""
    rows = json.loads(Path(arguments[0]).read_text(encoding="utf-8")) if arguments else run_rows()
    story_picture(registered_claims().values(), words_of(rows)).save(HERE / "story.svg")
    VERDICTS.write_bytes(gzip.compress(json.dumps(kept(rows)).encode(), mtime=0))
    (HERE / "languages.md").write_text(languages_page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
