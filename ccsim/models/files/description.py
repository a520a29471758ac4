"""What a file of tensors does not say, such as symbols and precision, in TOML or JSON, and where it stands."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ccsim.arithmetic import Precision, as_precision
from ccsim.errors import InputError, require_integer
from ccsim.models.files.opening import TORCH, Tensors, read_tensors
from ccsim.models.runtimes import is_run

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


def _tokens(given: Any) -> tuple[Any, ...]:
    if isinstance(given, list):
        return tuple(None if token is None else _symbol("tokens", token) for token in given)
    if not given:
        raise InputError("tokens", given, "a list of symbols, or a table from symbols to ids")
    ids = {symbol: require_integer(f"tokens[{symbol!r}]", number, 0, MOST_IDS) for symbol, number in given.items()}
    if len(set(ids.values())) != len(ids):
        raise InputError("tokens", given, "ids that are all different")
    return tokens_of(ids)


def tokens_of(ids: Mapping[Hashable, int]) -> tuple[Hashable | None, ...]:
    """The symbols in the order of their ids, None for an id that has none."""
    symbols = {number: symbol for symbol, number in ids.items()}
    return tuple(symbols.get(number) for number in range(max(symbols) + 1))


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
    if not {"weight"} <= set(given) <= {"weight", "bias", "rows"}:
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


def _texts(given: Any, argument: str, what: str) -> Any:
    """A table of texts as it is, a list of texts as a tuple."""
    if not all(isinstance(text, str) for text in (given.values() if isinstance(given, dict) else given)):
        raise InputError(argument, given, what)
    return given if isinstance(given, dict) else tuple(given)


def _around(given: list[Any], argument: str, what: str) -> tuple[int, ...]:
    if len(given) > MOST_AROUND:
        raise InputError(argument, len(given), f"at most {MOST_AROUND} ids")
    return tuple(require_integer(argument, number, 0, MOST_IDS) for number in given)


_ENTRIES: Mapping[str, tuple[Any, str, Callable[[Any, str, str], Any] | None]] = {
    "architecture": (str, "a text", None),
    "convention": (str, "a text", None),
    "tokens": (list | dict, "a list of symbols, or a table from symbols to ids", lambda given, *_: _tokens(given)),
    "read_out": (dict | str, "a table with weight, and if need be bias and rows", lambda given, *_: _read_out(given)),
    "answers": (list, "a list of answers", lambda given, *_: tuple(_symbol("answers", answer) for answer in given)),
    "precision": (object, "a number of bits, or integer_bits and fraction_bits", lambda given, *_: _precision(given)),
    "memory": (int, "a number of bits", None),
    "saturate": (bool, "true or false", None),
    "embedding": (str, "the name of a tensor", None),
    "positions": (str, "the name of a tensor", None),
    "prefix": (str, "a text", None),
    "names": (dict, "a table from usual names to names in the file", _texts),
    "layers": (list, "a list of prefixes, one for each layer", _texts),
    "residual": (bool, "true or false", None),
    "length": (int, "a number of symbols", None),
    "heads": (int, "a number of heads", None),
    "activation": (str, "the name of a function", None),
    "epsilon": (int | float, "a number", None),
    "options": (dict, "a table", None),
    "tensors": (str, "the name of a file", None),
    "ignore": (list, "a list of patterns of names", _texts),
    "check": (str, "the name of a file", None),
    "before": (list, "a list of ids", _around),
    "after": (list, "a list of ids", _around),
    "padding": (list, "a list of ids", _around),
    "threshold": (int | float, "a number", None),
}
"""Of each entry the type in plain data, what is expected, and what makes of it what a description holds."""


ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "elman": ("pytorch",),
    "lstm": ("pytorch",),
    "gru": ("pytorch",),
    "transformer": ("huggingface", "nanogpt", "pytorch"),
    "diagonal": ("arrays", "s4d"),
    "mamba": ("mamba",),
    "linear-attention": ("arrays",),
}
"""For each architecture the conventions in which its tensors can be named, the usual one first."""

OPTIONS = ("norm_first", "embedding_scale")
"""What :attr:`Description.options` may hold."""

FIXED = ("lstm", "gru", "mamba")
"""Architectures whose functions are fixed."""

MOST_EPSILON = 1 << 20


@dataclass(frozen=True)
class Description:
    """What a model in a file is.

    Attributes:
        architecture: one of :data:`ARCHITECTURES`.
        tokens: the symbols in the order of their ids (the rows of the embedding); None for an id without a symbol.
        read_out: which tensors make the answer.
        convention: how tensors are named and laid out; the usual one of the architecture if None.
        answers: the answers, in the order of the read-out.
        precision: of all numbers, in fixed point; None if whoever loads the model gives it.
        memory: of the memory cell of an LSTM, a state space or a matrix of sums, in bits; the precision if None.
        saturate: whether numbers out of range become the nearest in range; else they are errors.
        embedding: the tensor with a row for each id; "one-hot" for rows with a single 1; None: the usual name.
        positions: of a transformer of PyTorch, the tensor with a row for each position, "sinusoidal", or "none".
        prefix: what is in front of the names of the architecture's tensors.
        names: for tensors that are called otherwise: usual name (after the prefix) to name in the file.
        layers: prefixes of the layers, one each, for ``mamba``, ``arrays`` and state spaces.
        residual: whether the inputs of each recurrent layer are added to its outputs.
        length: N, of a transformer whose position embedding is longer than its words.
        heads: attention heads.
        activation: of a simple recurrent network, a state space, an inner layer, or of keys and queries.
        epsilon: of layer norms.
        options: of PyTorch's transformers ``norm_first`` and ``embedding_scale`` (a number, or "sqrt-width").
        tensors: the file with the tensors, beside this one.
        ignore: patterns, such as ``lm_head.*``, of tensors that are no part of what is read here; any other tensor that
            is not used is an error, as it could change what is computed.
        check: an .npz file beside the tensors with words and what your own model says on them, which the reading of
            the tensors must agree with (see :func:`~ccsim.models.files.record_check`).
        before: ids in front of each word, such as that of BOS, or of padding there.
        after: ids behind it, such as those of a separator and a query; the answer stands at the last.
        threshold: above which a single score is the second of two answers; see
            :class:`~ccsim.models.decision.Decision` for what holds without it.
        padding: ids behind the answer, where nothing masks them: of an encoder of PyTorch, as other models see none.
    """

    architecture: str
    tokens: tuple[Hashable | None, ...]
    read_out: ReadOut
    convention: str = ""
    answers: tuple[Hashable, ...] = (0, 1)
    precision: Precision | None = None
    memory: int | None = None
    saturate: bool = False
    embedding: str | None = None
    positions: str | None = None
    prefix: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    layers: tuple[str, ...] = ("",)
    residual: bool = False
    length: int | None = None
    heads: int | None = None
    activation: str | None = None
    epsilon: float = 1e-5
    options: Mapping[str, Any] = field(default_factory=dict)
    tensors: str | None = None
    ignore: tuple[str, ...] = ()
    check: str | None = None
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    padding: tuple[int, ...] = ()
    threshold: float | None = None

    def __post_init__(self) -> None:
        around = *self.padding, *self.before, *self.after
        object.__setattr__(self, "tokens", _with_names(self.tokens, around))
        if self.architecture not in ARCHITECTURES:
            expected = f"one of {', '.join(ARCHITECTURES)}; any other is run: give the module (--module)"
            raise InputError("architecture", self.architecture, expected)
        conventions = ARCHITECTURES[self.architecture]
        object.__setattr__(self, "convention", self.convention or conventions[0])
        if self.convention not in conventions:
            raise InputError("convention", self.convention, f"one of {', '.join(conventions)} for {self.architecture}")
        unknown = sorted(set(self.options) - set(OPTIONS))
        if unknown:
            raise InputError("options", unknown, f"some of {', '.join(OPTIONS)}")
        if self.positions is not None and (self.architecture, self.convention) != ("transformer", "pytorch"):
            raise InputError(
                "positions", self.positions, "none, as only the convention pytorch of a transformer has it"
            )
        if self.padding and (self.architecture, self.convention) != ("transformer", "pytorch"):
            raise InputError("padding", self.padding, "none: only an encoder of PyTorch sees what is behind the answer")
        symbols = [token for token in self.tokens if token is not None]
        if not symbols or len(set(symbols)) != len(symbols):
            raise InputError("tokens", self.tokens, "one or more symbols, all different")
        if not 0 <= self.epsilon <= MOST_EPSILON:
            raise InputError("epsilon", self.epsilon, f"a number from 0 to {MOST_EPSILON}")
        if not self.layers:
            raise InputError("layers", self.layers, "the prefix of one layer or more")
        if self.activation is not None and self.architecture in FIXED:
            raise InputError("activation", self.activation, f"none for {self.architecture}, whose functions are fixed")
        if self.activation is None and self.architecture == "elman":
            raise InputError("activation", None, "tanh or relu: the tensors of a simple network do not tell")

    @property
    def alphabet(self) -> tuple[Hashable, ...]:
        """The symbols, in the order of their ids."""
        return tuple(token for token in self.tokens if token is not None)

    @property
    def frame(self) -> tuple[tuple[Hashable | None, ...], tuple[Hashable | None, ...]]:
        """The symbols in front of and behind each word.

        Padding is read first: to an encoder only positions tell the order of what it reads, and these are turned too.
        """
        ends = ([self.tokens[number] for number in part] for part in (self.padding + self.before, self.after))
        front, back = map(tuple, ends)
        return front, back

    @property
    def ids(self) -> list[int]:
        """The id of each symbol."""
        return [place for place, token in enumerate(self.tokens) if token is not None]

    @classmethod
    def from_json(cls, data: Any) -> Description:
        """From plain data, as TOML and JSON give it; the error names the entry that is wrong.

        ``tokens`` is a list of symbols by id, or an object from symbols to ids; ``precision`` a number of bits, or an
        object with ``integer_bits`` and ``fraction_bits``.
        """
        if not isinstance(data, dict):
            raise InputError("description", type(data).__name__, "a table of entries")
        if "arithmetic" in data:
            expected = "a precision, in fixed point; a step or a module that is run computes in its own floating point"
            raise InputError("arithmetic", data["arithmetic"], expected)
        entries = {}
        for name, value in data.items():
            if name not in _ENTRIES:
                near = difflib.get_close_matches(str(name), _ENTRIES, n=1)
                raise InputError("description", name, f"no such entry{f'; {near[0]} is one' if near else ''}")
            kind, what, read = _ENTRIES[name]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise InputError(name, value, what)
            entries[name] = value if read is None else read(value, name, what)
        for name in ("architecture", "tokens", "read_out"):
            if name not in data:
                raise InputError("description", sorted(data), f"an entry {name}")
        return cls(**entries)


def _with_names(tokens: tuple[Hashable | None, ...], around: tuple[int, ...]) -> tuple[Hashable | None, ...]:
    """The tokens, with a symbol such as <1> for each id around the words that has none."""
    named = [*tokens, *[None] * (max(around, default=-1) + 1 - len(tokens))]
    for number in around:
        if named[number] is None:
            named[number] = f"<{number}>"
    return tuple(named)


MOST_DESCRIPTION = 1 << 20
NOTE = "ccsim"


def find_description(path: str | Path) -> tuple[Description, Tensors]:
    """The description and the tensors of a model, from either of its files.

    ``path`` is a description in TOML or JSON, which names the file with the tensors or has its name up to the ending;
    or it is the file with the tensors, whose description is beside it, or in its ``__metadata__`` under "ccsim".
    """
    path = Path(path)
    if path.suffix.lower() in (".toml", ".json"):
        plain = _parsed(path)
        beside = _beside(path, plain.get("tensors") if isinstance(plain, dict) else None)
        return Description.from_json(plain), read_tensors(beside)
    if is_run(path):
        expected = f"tensors; this is run as it is: ForwardModel(open_forward({path.name!r}), ...)"
        raise InputError("file", path.name, expected)
    tensors = read_tensors(path)
    if NOTE in tensors.notes:
        return Description.from_json(_json(tensors.notes[NOTE], path.name)), tensors
    for kind in (".toml", ".json"):
        if path.with_suffix(kind).is_file():
            return Description.from_json(_parsed(path.with_suffix(kind))), tensors
    expected = f"a description beside it, {path.with_suffix('.toml').name}, or one in its metadata under {NOTE!r}"
    raise InputError("file", path.name, f"{expected}; or the module that has these weights (--module)")


def _beside(path: Path, name: Any) -> Path:
    if name is not None:
        if not isinstance(name, str) or Path(name).name != name:
            raise InputError("tensors", name, "the name of a file in the same folder")
        return path.with_name(name)
    for kind in (".safetensors", ".npz", *TORCH):
        if path.with_suffix(kind).is_file():
            return path.with_suffix(kind)
    raise InputError("description", path.name, "an entry tensors, or tensors in a file of the same name")


def _parsed(path: Path) -> Any:
    try:
        if not path.is_file() or path.stat().st_size > MOST_DESCRIPTION:
            raise InputError("description", str(path), f"a file of at most {MOST_DESCRIPTION} bytes")
        text = path.read_text(encoding="utf-8")
        return _json(text, path.name) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also what is no UTF-8, and integers of thousands of digits
        if isinstance(error, InputError):
            raise
        raise InputError("description", path.name, f"TOML ({error})") from error
    except OSError as error:
        raise InputError("description", str(path)[-200:], f"a file that can be read ({error.strerror})") from error


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # also integers of thousands of digits
        raise InputError("description", name, f"JSON ({error})") from error
