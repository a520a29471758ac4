"""What a file of tensors does not say: architecture, symbols, read-out, precision; in TOML or JSON."""

from __future__ import annotations

import difflib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ccsim.arithmetic import Precision
from ccsim.errors import InputError
from ccsim.models.files.entries import ReadOut, read_entries

ARCHITECTURES: Mapping[str, tuple[str, ...]] = {
    "elman": ("pytorch",),
    "lstm": ("pytorch",),
    "gru": ("pytorch",),
    "transformer": ("huggingface", "nanogpt", "transformer-lens", "pytorch"),
    "diagonal": ("arrays", "s4d"),
    "mamba": ("mamba",),
    "linear-attention": ("arrays",),
}
"""For each architecture the conventions in which its tensors can be named, the usual one first."""

OPTIONS = ("normalization_type", "norm_first", "embedding_scale")
"""What :attr:`Description.options` may hold: facts that only some conventions know."""

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
        heads: attention heads; ``transformer-lens`` tells them by its shapes.
        activation: of a simple recurrent network, a state space, an inner layer, or of keys and queries.
        epsilon: of layer norms.
        options: facts of one convention: ``normalization_type`` of TransformerLens,
            of PyTorch's transformers ``norm_first`` and ``embedding_scale`` (a number, or "sqrt-width").
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
        object with ``integer_bits`` and ``fraction_bits``; ``layers`` a number or a list of prefixes.
        """
        if not isinstance(data, dict):
            raise InputError("description", type(data).__name__, "a table of entries")
        known = {entry.name for entry in fields(cls)}
        if "arithmetic" in data:
            expected = "a precision, in fixed point; a step or a module that is run computes in its own floating point"
            raise InputError("arithmetic", data["arithmetic"], expected)
        for name in data:
            if name not in known:
                near = difflib.get_close_matches(str(name), known, n=1)
                raise InputError("description", name, f"no such entry{f'; {near[0]} is one' if near else ''}")
        for name in ("architecture", "tokens", "read_out"):
            if name not in data:
                raise InputError("description", sorted(data), f"an entry {name}")
        return cls(**read_entries(data))


def _with_names(tokens: tuple[Hashable | None, ...], around: tuple[int, ...]) -> tuple[Hashable | None, ...]:
    """The tokens, with a symbol such as <1> for each id around the words that has none."""
    named = [*tokens, *[None] * (max(around, default=-1) + 1 - len(tokens))]
    for number in around:
        if named[number] is None:
            named[number] = f"<{number}>"
    return tuple(named)
