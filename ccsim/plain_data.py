"""Values as JSON, as text for people and as tables for papers, and files that are written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral
from unicodedata import category

from ccsim.errors import InputError
from ccsim.lazy import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

NOT_ASCII = re.compile(r"[^\n -~]")


def plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return int(value) if isinstance(value, Integral) else str(value)


def counted(number: int, noun: str) -> str:
    """A number of things, in the singular if it is one."""
    thing, of, others = noun.partition(" of ")
    if number != 1:
        thing = "leaves" if thing == "leaf" else f"{thing}{'es' if thing.endswith('x') else 's'}"
    return f"{number} {thing}{of}{others}"


def printable(line: str) -> str:
    r"""A line as it can be printed, whatever it contains: line feeds and escape sequences are written out.

    >>> print(printable("a\tb"))
    a\tb
    """
    if line.isprintable():
        return line
    shown = (c if c.isprintable() or category(c) == "Zs" else repr(c)[1:-1] for c in line)  # Zs: spaces of any width
    return "".join(shown)


def aligned(rows: Iterable[Sequence[str]], gap: str = "  ", right: Collection[int] = ()) -> list[str]:
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [">" if place in right else "<" for place in range(len(widths))]
    return [gap.join(f"{cell:{side}{n}}" for cell, side, n in zip(row, sides, widths, strict=True)) for row in rows]


def meant(name: str, known: Iterable[str]) -> str:
    """What may have been meant by a name that is not known, for the end of an error."""
    import difflib  # only where a name is wrong

    near = difflib.get_close_matches(name, list(known), cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def json_text(data: Any) -> str:
    r"""Plain data as JSON for people: what cannot be printed, such as marks that turn a line round, is escaped."""
    text = json.dumps(plain(data), indent=2, ensure_ascii=False)
    return NOT_ASCII.sub(lambda sign: sign[0] if sign[0].isprintable() else json.dumps(sign[0])[1:-1], text)


IN_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", '"': "''", "[": "{[}",
    "<": "$<$", ">": "$>$", "|": "$|$", "≥": r"$\geq$", "≤": r"$\leq$", "≠": r"$\neq$", "≈": r"$\approx$", "−": "$-$",
    "→": r"$\to$", "±": r"$\pm$", "·": r"$\cdot$", "×": r"$\times$", "∞": r"$\infty$", "⊥": r"$\bot$", "∈": r"$\in$",
    "ε": r"$\varepsilon$", "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\dots{}", "“": "``",
    "”": "''", "‘": "`", "’": "'", "⌈": r"$\lceil$", "⌉": r"$\rceil$", "⌊": r"$\lfloor$", "⌋": r"$\rfloor$",
    "√": r"$\surd$", "✓": r"$\surd$", "∧": r"$\wedge$", "∨": r"$\vee$", "⊕": r"$\oplus$", "¬": r"$\neg$",
    "∅": r"$\emptyset$",
}  # fmt: skip
GREEK = "αβγδζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"  # letters that are commands
TYPESET = "āăąćčďēęěğīłńňőœřśşšţťūůűźżž"  # of a plain document, beyond the first 256 signs
TABLES = "latex", "markdown", "csv"
NUMBER = re.compile(r"-?[0-9]+([./][0-9]+)?|\?")


class Latex(str):
    """A text that is LaTeX already."""

    __slots__ = ()


def latex(text: object) -> Latex:
    r"""Plain text in LaTeX: signs as commands; what has none by its number, and what cannot be printed written out.

    >>> print(latex("ε ≤ 50% of x_1 and n²"))
    $\varepsilon$ $\leq$ 50\% of x\_1 and n$^{2}$
    """
    if isinstance(text, Latex):
        return text
    plain = " ".join(str(text).split())
    if plain.startswith("-") and NUMBER.fullmatch(plain):
        return Latex(f"${plain}$")
    return Latex("".join(map(_in_latex, printable(plain))).replace("--", "-{-}"))


def _in_latex(sign: str) -> str:
    import unicodedata  # only where LaTeX is written

    if sign in IN_LATEX or sign.isascii():
        return IN_LATEX.get(sign, sign)
    kind, _, plain = unicodedata.decomposition(sign).partition(" ")
    if kind in ("<super>", "<sub>"):
        return f"${'^' if kind == '<super>' else '_'}{{{latex(chr(int(plain, 16)))}}}$"
    if sign in GREEK:
        name = unicodedata.name(sign).split()[-1].replace("LAMDA", "LAMBDA")
        return f"$\\{name.lower() if sign.islower() else name.title()}$"
    return sign if sign < "\u0100" or sign.lower() in TYPESET else f"\\texttt{{U+{ord(sign):04X}}}"


def table_text(form: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""A table for a paper (``latex``, with booktabs), a page (``markdown``) or a spreadsheet (``csv``).

    >>> print(table_text("latex", ["function", "bits"], [["EQ_2", 3]]))
    \begin{tabular}{lr}
    \toprule
    function & bits \\
    \midrule
    EQ\_2 & 3 \\
    \bottomrule
    \end{tabular}
    """
    if form not in TABLES:
        raise InputError("form", form, f"one of {', '.join(TABLES)}")
    cells = [[", ".join(cell) if isinstance(cell, list) else cell for cell in row] for row in rows]
    if form == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([columns, *cells])
        return stream.getvalue().rstrip("\n")
    right = [all(NUMBER.fullmatch(str(row[place])) for row in cells) for place in range(len(columns))]
    if form == "latex":
        head, *body = (" & ".join(map(latex, row)) + r" \\" for row in [columns, *cells])
        sides = "".join("r" if one else "l" for one in right)
        lines = [
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
        return "\n".join(lines)
    rule = ["--:" if one else "---" for one in right]
    return "\n".join(f"| {' | '.join(_in_markdown(cell) for cell in row)} |" for row in [columns, rule, *cells])


def _in_markdown(cell: object) -> str:
    return re.sub(r"([\\|*_<`])", r"\\\1", " ".join(str(cell).split()))


MOST_DIGITS = 1 << 17


@contextmanager
def long_integers() -> Iterator[None]:
    """Within it, integers of up to 2^17 digits are written and read; more would take seconds each."""
    before = sys.get_int_max_str_digits()
    if before:  # 0 means that there is no limit
        sys.set_int_max_str_digits(max(before, MOST_DIGITS))
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def require_place(name: str, path: str | Path) -> Path:
    """The regular file that would be written, links followed; ``name`` is of the argument, for the error."""
    from pathlib import Path  # only where a file is written

    target = Path(os.path.realpath(path))
    if not target.parent.is_dir() or (target.exists() and not target.is_file()):
        raise InputError(name, str(path), "a file, in a folder that exists")
    return target


def write_whole(path: str | Path, text: str) -> None:
    """Write text, in UTF-8, to a new file in the same folder, which replaces the old one when it is complete."""
    import tempfile  # only where a file is written

    target = require_place("path", path)
    handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:64]}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if target.exists():
            mode = target.stat().st_mode & 0o7777
        else:
            umask = os.umask(0)
            os.umask(umask)
            mode = 0o666 & ~umask
        os.chmod(part, mode)
        os.replace(part, target)
    except BaseException:
        os.unlink(part)
        raise
