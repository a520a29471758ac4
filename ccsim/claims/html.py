"""Building blocks of all pages: a document that needs no network, the files in it, tables, and formulas as MathML."""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from ccsim.errors import InputError
from ccsim.formulas import parse
from ccsim.plots.formats import STYLE, element


def table(
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    caption: str,
    class_: str,
    words: Sequence[str] = (),
) -> str:
    """A table whose cells know the heads of their columns; its rows can be filtered by ``words``, one for each."""
    titles = list(head)
    heads = "".join(element("th", title, text=True, scope="col", role="columnheader") for title in titles)
    body = "".join(
        element(
            "tr",
            "".join(
                element("td", cell, role="cell", data_label=title) for title, cell in zip(titles, row, strict=True)
            ),
            role="row",
            data_word=words[place] if words else "",
        )
        for place, row in enumerate(rows)
    )
    inside = (
        element("caption", caption, text=True)
        + element("thead", element("tr", heads, role="row"), role="rowgroup")
        + element("tbody", body, role="rowgroup")
    )
    return element("table", inside, role="table", class_=class_)


MOST_CARRIED = 1 << 20  # bytes of a certificate that a page carries


def document(title: str, body: str, script: bool = False) -> str:
    folder = files("ccsim.claims")
    style, filtering = ((folder / name).read_text(encoding="utf-8") for name in ("style.css", "script.js"))
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        + element("style", style + STYLE)
        + (element("script", filtering) if script else "")
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def download(name: str, data: Mapping[str, Any], text: str, command: str) -> str:
    written = (json.dumps(data, separators=(",", ":")) + "\n").encode()
    if len(written) > MOST_CARRIED:
        return element("p", f"{escape(text)} It is too large for this page: {escape(command)}.")
    uri = f"data:application/json;base64,{base64.b64encode(written).decode()}"
    link = element("a", f"Download {name}", text=True, href=uri, download=name)
    return element("p", f"{escape(text)} {link} ({len(written) / 1000:.1f} kB), and check it with ccsim verify.")


def made_by() -> str:
    return element("p", f"Made by ccsim {version('ccsim')}. Every certificate is checked by ccsim verify alone.")


SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a part holds together


@lru_cache(maxsize=1024)
def formula_markup(formula: str) -> str:
    try:
        made = _set(parse(formula))
    except (InputError, KeyError):
        return f"<code>{escape(formula)}</code>"
    return f'<math displaystyle="true">{made}</math>'


def _set(part: ast.expr, least: int = SUM) -> str:
    """A part, in brackets if it holds together less tightly than it must."""
    made, bound = _set_parts(part)
    return made if bound >= least else _row(_sign("("), made, _sign(")"))


def _set_parts(part: ast.expr) -> tuple[str, int]:
    match part:
        case ast.Constant(value=int() | float() as value):
            return f"<mn>{value}</mn>", ATOM
        case ast.Name(id=name):
            return _symbol(name), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _row(_sign("−"), _set(inner, PRODUCT)), SUM
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return f"<msup>{_set(left, ATOM)}{_set(right)}</msup>", POWER
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return f"<mfrac>{_set(left)}{_set(right)}</mfrac>", POWER
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            dot = "·" if isinstance(right, ast.Constant) else "\u2062"  # an invisible product between letters
            return _row(_set(left, PRODUCT), _sign(dot), _set(right, PRODUCT)), PRODUCT
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _row(_set(left), _sign("+"), _set(right)), SUM
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _row(_set(left), _sign("−"), _set(right, PRODUCT)), SUM
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name](*arguments)
    raise KeyError(ast.dump(part))


def _symbol(name: str) -> str:
    greek = {"pi": "π", "alpha": "α", "eta": "η", "epsilon": "ε", "gamma": "γ", "delta": "δ"}
    letters, digits = name.rstrip("0123456789_"), name[len(name.rstrip("0123456789_")) :].strip("_")
    letter = f"<mi>{escape(greek.get(letters, letters))}</mi>"
    return f"<msub>{letter}<mn>{digits}</mn></msub>" if digits else letter


def _row(*parts: str) -> str:
    whole = re.compile("<mrow>((?:(?!<mrow>).)*)</mrow>")  # a part that is one row may be without it
    return f"<mrow>{''.join(row[1] if (row := whole.fullmatch(part)) else part for part in parts)}</mrow>"


def _sign(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _between(left: str, right: str) -> Callable[[ast.expr], tuple[str, int]]:
    return lambda inner: (_row(_sign(left), _set(inner), _sign(right)), ATOM)


def _logarithm(inner: ast.expr, base: ast.expr | None = None) -> tuple[str, int]:
    name = "<mi>ln</mi>" if base is None else f"<msub><mi>log</mi>{_set(base)}</msub>"
    return _row(name, _sign("\u2061"), _set(inner, POWER)), PRODUCT


def _extreme(name: str) -> Callable[..., tuple[str, int]]:
    def made(*parts: ast.expr) -> tuple[str, int]:
        listed = _sign(",").join(map(_set, parts))
        return _row(f"<mi>{name}</mi>", _sign("("), listed, _sign(")")), ATOM

    return made


def _binomial(above: ast.expr, below: ast.expr) -> tuple[str, int]:
    pair = f'<mfrac linethickness="0">{_set(above)}{_set(below)}</mfrac>'
    return _row(_sign("("), pair, _sign(")")), ATOM


FUNCTIONS: Mapping[str, Callable[..., tuple[str, int]]] = {
    "L": lambda inner: (_row(_sign("⌈"), _logarithm(inner, ast.Constant(2))[0], _sign("⌉")), ATOM),
    "log": _logarithm,
    "log2": lambda inner: _logarithm(inner, ast.Constant(2)),
    "ceiling": _between("⌈", "⌉"),
    "ceil": _between("⌈", "⌉"),
    "floor": _between("⌊", "⌋"),
    "sqrt": lambda inner: (f"<msqrt>{_set(inner)}</msqrt>", ATOM),
    "exp": lambda inner: (f"<msup><mi>e</mi>{_set(inner)}</msup>", POWER),
    "Rational": lambda above, below: (f"<mfrac>{_set(above)}{_set(below)}</mfrac>", POWER),
    "binomial": _binomial,
    "Max": _extreme("max"),
    "Min": _extreme("min"),
    "max": _extreme("max"),
    "min": _extreme("min"),
}
