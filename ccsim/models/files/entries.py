"""The entries of a description, from plain data as TOML and JSON give it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import InputError

MOST_IDS = 1 << 20
MOST_AROUND = 1 << 16  # ids around each word


@dataclass(frozen=True)
class ReadOut:
    """Which tensors make the answer.

    Attributes:
        weight: of shape (answers, width), or (1, width) for two answers: the second, where the number is above a
            threshold.
        bias: of shape (answers,), or None.
        rows: which rows of a larger matrix are the answers, such as the ids of answer tokens; all of them if None.
    """

    weight: str
    bias: str | None = None
    rows: tuple[int, ...] | None = None


def read_entries(data: Mapping[str, Any]) -> dict[str, Any]:
    """All entries as a description keeps them; an error names the one that is wrong."""
    plain = dict(data)
    for name, (kind, what) in _KINDS.items():
        if name in plain and (not isinstance(plain[name], kind) or (kind is int and isinstance(plain[name], bool))):
            raise InputError(name, plain[name], what)
    for name, read in _READERS.items():
        if name in plain:
            plain[name] = read(plain[name])
    return plain


_KINDS: Mapping[str, tuple[Any, str]] = {
    "architecture": (str, "a text"),
    "convention": (str, "a text"),
    "answers": (list, "a list of answers"),
    "memory": (int, "a number of bits"),
    "saturate": (bool, "true or false"),
    "embedding": (str, "the name of a tensor"),
    "positions": (str, "the name of a tensor"),
    "prefix": (str, "a text"),
    "names": (dict, "a table from usual names to names in the file"),
    "residual": (bool, "true or false"),
    "length": (int, "a number of symbols"),
    "heads": (int, "a number of heads"),
    "activation": (str, "the name of a function"),
    "epsilon": (int | float, "a number"),
    "options": (dict, "a table"),
    "tensors": (str, "the name of a file"),
    "ignore": (list, "a list of patterns of names"),
    "check": (str, "the name of a file"),
    "before": (list, "a list of ids"),
    "after": (list, "a list of ids"),
    "padding": (list, "a list of ids"),
    "threshold": (int | float, "a number"),
}


def _tokens(given: Any) -> tuple[Any, ...]:
    if isinstance(given, list):
        return tuple(None if token is None else _symbol("tokens", token) for token in given)
    if not isinstance(given, dict) or not given:
        raise InputError("tokens", given, "a list of symbols, or a table from symbols to ids")
    ids = {symbol: require_integer(f"tokens[{symbol!r}]", number, 0, MOST_IDS) for symbol, number in given.items()}
    if len(set(ids.values())) != len(ids):
        raise InputError("tokens", given, "ids that are all different")
    tokens: list[Any] = [None] * (max(ids.values()) + 1)
    for symbol, number in ids.items():
        tokens[number] = symbol
    return tuple(tokens)


def _symbol(argument: str, value: Any, depth: int = 4) -> Hashable:
    """A text, an integer, or a list of these, which becomes a tuple, such as a point."""
    if isinstance(value, list) and depth:
        return tuple(_symbol(argument, item, depth - 1) for item in value)
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise InputError(argument, value, "texts, integers, and lists of these")
    return value


def _read_out(given: Any) -> ReadOut:
    if isinstance(given, str):
        return ReadOut(given)
    if not isinstance(given, dict) or not {"weight"} <= set(given) <= {"weight", "bias", "rows"}:
        raise InputError("read_out", given, "a table with weight, and if need be bias and rows")
    if not all(isinstance(given.get(name, ""), str) for name in ("weight", "bias")):
        raise InputError("read_out", given, "the names of two tensors")
    rows = given.get("rows")
    if rows is not None:
        if not isinstance(rows, list):
            raise InputError("read_out.rows", rows, "a list of row numbers")
        if len(set(map(repr, rows))) != len(rows):
            raise InputError("read_out.rows", rows, "rows that are all different")
        rows = tuple(require_integer("read_out.rows", row, low=0) for row in rows)
    return ReadOut(given["weight"], given.get("bias"), rows)


def _precision(given: Any) -> Precision:
    if isinstance(given, dict):
        if set(given) != {"integer_bits", "fraction_bits"}:
            raise InputError("precision", given, "a number of bits, or integer_bits and fraction_bits")
        return Precision.fixed_point(given["integer_bits"], given["fraction_bits"])
    return as_precision(given)


def _layers(given: Any) -> tuple[str, ...]:
    if isinstance(given, list) and given and all(isinstance(prefix, str) for prefix in given):
        return tuple(given)
    raise InputError("layers", given, "a list of prefixes, one for each layer")


def _names(given: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(name, str) for name in given.values()):
        raise InputError("names", given, "a table from usual names to names in the file")
    return given


def _patterns(given: list[Any]) -> tuple[str, ...]:
    if not all(isinstance(name, str) for name in given):
        raise InputError("ignore", given, "a list of patterns of names")
    return tuple(given)


def _around(argument: str, given: list[Any]) -> tuple[int, ...]:
    if len(given) > MOST_AROUND:
        raise InputError(argument, len(given), f"at most {MOST_AROUND} ids")
    return tuple(require_integer(argument, number, 0, MOST_IDS) for number in given)


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "tokens": _tokens,
    "read_out": _read_out,
    "answers": lambda given: tuple(_symbol("answers", answer) for answer in given),
    "precision": _precision,
    "names": _names,
    "layers": _layers,
    "ignore": _patterns,
    "before": partial(_around, "before"),
    "after": partial(_around, "after"),
    "padding": partial(_around, "padding"),
}
"""What makes an entry of plain data what a description holds; the others stay as they are."""
