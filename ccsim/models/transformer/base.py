"""What every transformer is: embedding, tables of attention by symbol and position, and the pieces of one layer.

With one layer, keys and values at a position depend on its symbol alone, and the only query that matters is that of the
last position. So all of attention is a sum of entries of small tables.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from ccsim.arithmetic import IntArray, Precision, as_precision, exact_matmul
from ccsim.errors import Array, InputError, require_integer, require_memory, require_symbols
from ccsim.models.affine import FLOAT_BOUND, Affine, mantissa_array
from ccsim.models.attention import Weighting
from ccsim.models.model import SequenceModel
from ccsim.models.random_weights import random_matrix
from ccsim.models.transformer.block import Block, Where


def embed(precision: Precision, tokens: IntArray, positions: IntArray, words: IntArray) -> IntArray:
    """The streams (batch, N, width) of words (batch, N): saturated sums of a row of each table of mantissas."""
    return precision.saturate(tokens[words] + positions)


Positions = IntArray | Callable[[int], IntArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class EmbeddedModel(SequenceModel):
    """Embedded words go through blocks; the last position is read out, and the first largest output wins."""

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    token_embedding: IntArray = field(repr=False)
    position_embedding: Positions = field(repr=False)
    read_out: Affine = field(repr=False)
    causal: bool = True
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        for block in self.all_blocks:
            if (block.precision, block.width) != (self.precision, self.width):
                raise InputError("blocks", (block.precision, block.width), f"{self.precision}, width {self.width}")
        self._require_array("token_embedding", len(self.alphabet))
        if not callable(self.position_embedding):
            self._require_array("position_embedding", None)
        fixed = None if callable(self.position_embedding) else len(self.position_embedding)
        object.__setattr__(self, "length", fixed)
        if self.read_out.precision != self.precision:
            raise InputError("read_out", self.read_out.precision, f"the precision of the rest, {self.precision}")
        shape = (self.read_out.inputs, self.read_out.outputs)
        if shape != (self.width, len(self.answers)):
            expected = f"shape ({self.width}, {len(self.answers)}), the width by the number of answers"
            raise InputError("read_out", shape, expected)

    @classmethod
    @abstractmethod
    def of_blocks(cls, blocks: tuple[Block, ...], **rest: Any) -> Self:
        """The model with these layers; the rest are its other attributes."""

    @classmethod
    def random(
        cls,
        alphabet: Iterable[Hashable],
        *,
        length: int,
        width: int,
        layers: int | None = None,
        heads: int = 1,
        precision: int | Precision,
        seed: int | str,
        answers: Iterable[Hashable] = (0, 1),
        hidden: int | None = None,
        head_width: int | None = None,
        key_width: int | None = None,
        layer_norm: Where = False,
        activation: str = "relu",
        weighting: Weighting | None = None,
        causal: bool = True,
        key_heads: int | None = None,
        gated: bool = False,
    ) -> Self:
        """Weights drawn from a seed, the same on every machine; one layer unless it is said how many.

        Embeddings are uniform from -1 to 1 and weights have variance 1 / inputs, as far as the precision allows.
        ``hidden`` is the width of the token-wise part's one hidden layer, 4 * width if None; 0 leaves that part out.
        ``head_width`` (of values) and ``key_width`` (of queries and keys) are width / heads, at least 1, if None.
        ``key_heads`` and ``gated`` are those of :meth:`Block.random`.
        """
        precision = as_precision(precision)
        count = 1 if layers is None else require_integer("layers", layers, low=1)
        width, heads = require_integer("width", width, low=1), require_integer("heads", heads, low=1)
        share = max(1, width // heads)
        sizes = {
            "hidden": require_integer("hidden", 4 * width if hidden is None else hidden, low=0),
            "head_width": require_integer("head_width", share if head_width is None else head_width, low=1),
            "key_width": require_integer("key_width", share if key_width is None else key_width, low=1),
        }
        symbols, given = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        length = require_integer("length", length, low=1)
        options: dict[str, Any] = {"layer_norm": layer_norm, "activation": activation, "weighting": weighting, **sizes}
        options |= {"key_heads": key_heads, "gated": gated}
        options |= {"precision": precision, "width": width, "heads": heads, "seed": seed}
        blocks = tuple(Block.random(name=f"layer {layer}/" if layer else "", **options) for layer in range(count))
        weights = random_matrix(precision, (width, len(given)), width, seed, "read_out")
        bias = random_matrix(precision, (len(given),), width, seed, "read_out_bias")
        places = random_matrix(precision, (length, width), 3, seed, "position_embedding")
        shape = f"length {length}, width {width}{'' if layers is None else f', {layers} layers'}, {heads} heads"
        return cls.of_blocks(
            blocks,
            name=f"transformer({shape}, {precision.bits} bits, seed {seed})",
            alphabet=symbols,
            answers=given,
            token_embedding=random_matrix(precision, (len(symbols), width), 3, seed, "token_embedding"),
            position_embedding=places,
            read_out=Affine(precision, weights, bias),
            causal=causal,
        )

    def _require_array(self, argument: str, rows: int | None) -> None:
        array = mantissa_array(self.precision, argument, getattr(self, argument), (rows, self.width))
        object.__setattr__(self, argument, array)

    @property
    @abstractmethod
    def all_blocks(self) -> tuple[Block, ...]:
        """The layers, in order."""

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.all_blocks[0].precision

    @property
    def arithmetic(self) -> str:
        """How it computes, in words."""
        return f"fixed point of {self.precision}, rounded down"

    @property
    def layers(self) -> int:
        """How many attention layers there are."""
        return len(self.all_blocks)

    @property
    def width(self) -> int:
        """How many numbers the stream has at each position: the m of the papers."""
        return self.all_blocks[0].width

    @property
    def heads(self) -> int:
        """How many heads there are, in the layer that has the most: H."""
        return max(block.attention.heads for block in self.all_blocks)

    @property
    def parameters(self) -> int:
        """How many numbers describe the model; those given by functions are not known and not counted.

        Position embeddings that are all 0 are none.
        """
        given = self.position_embedding
        positions = 0 if callable(given) or not given.any() else given.size
        inner = sum(block.parameters for block in self.all_blocks)
        return int(self.token_embedding.size + positions + inner + self.read_out.parameters)

    @property
    def size_bits(self) -> int:
        """The bits that describe the model: parameters times bits of the precision."""
        return self.parameters * self.precision.bits

    def scores(self, stream: IntArray) -> IntArray:
        """The read-out (..., answers) of vectors (..., width)."""
        return self.read_out(stream)

    @abstractmethod
    def outputs(self, words: Array) -> IntArray:
        """The read-out (..., answers), mantissas, of words (..., N)."""

    def codes(self, words: Array) -> Array:
        """The answer codes (...), int64, of words (..., N): the place of the first largest output."""
        return first_largest(self.outputs(words))


def first_largest(outputs: IntArray) -> IntArray:
    """The place of the first largest of the numbers along the last axis, int64."""
    if outputs.shape[-1] == 2:
        return np.asarray(outputs[..., 1] > outputs[..., 0]).astype(np.int64)
    return np.asarray(outputs.argmax(axis=-1))


@dataclass(frozen=True, eq=False)
class AttentionTables:
    """The tables of a model with H heads, S symbols, length N; all mantissas, int64.

    Attributes:
        weighting: how logits become weights.
        query: the queries at position N for each symbol there, shape (H, S, key width).
        logit: for each symbol at position N, the logit of each position and symbol, shape (H, S, N, S).
        value: the value of each position and symbol, shape (H, N, S, head width).
    """

    weighting: Weighting
    query: IntArray
    logit: IntArray
    value: IntArray

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.weighting.precision

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return int(self.logit.shape[0])

    @property
    def length(self) -> int:
        """How many positions there are."""
        return int(self.logit.shape[2])

    @property
    def symbols(self) -> int:
        """How many symbols there are."""
        return int(self.logit.shape[3])

    @cached_property
    def largest_value(self) -> int:
        """The largest magnitude of a mantissa of a value."""
        return int(np.abs(self.value).max())

    @property
    def largest_head_sum(self) -> int:
        """No sum of weights times values, over any set of positions, is larger in magnitude."""
        return self.precision.scale * self.largest_value

    @property
    def exact_in_floats(self) -> bool:
        """Whether float64 holds all weights, sums and quotients by the scale exactly, rounded down."""
        scale = self.precision.scale
        return max(self.largest_head_sum + scale, scale * scale + self.length * scale) < FLOAT_BOUND

    def head_sums(self, words: IntArray) -> IntArray:
        """The exact sums (batch, H, head width), over scale^2, of words (batch, N), which should fit in a cache.

        They come as float64 where :attr:`exact_in_floats` holds, else as integers.
        """
        symbols = np.ascontiguousarray(words.T).astype(np.intp)
        places = symbols + (np.arange(self.length) * self.symbols)[:, None]
        logits_at = (places + symbols[-1] * (self.length * self.symbols)).T
        add_up = self._sum_in_floats if self.exact_in_floats else self._sum_in_integers
        sums = [
            add_up(head, self.weighting.row(self.logit[head].reshape(-1).take(logits_at)), symbols, places)
            for head in range(self.heads)
        ]
        return np.stack(sums, axis=1)

    @cached_property
    def _float_values(self) -> IntArray:
        return self.value.astype(np.float64)

    def _sum_in_floats(self, head: int, weights: IntArray, symbols: IntArray, places: IntArray) -> IntArray:
        """Partial sums are whole numbers of at most :attr:`largest_head_sum`, so their order does not matter."""
        values, weights = self._float_values[head], weights.T.astype(np.float64)
        sums = np.zeros((weights.shape[1], values.shape[-1]))
        for position in range(self.length):
            sums += weights[position][:, None] * values[position].take(symbols[position], axis=0)
        return sums

    def _sum_in_integers(self, head: int, weights: IntArray, symbols: IntArray, places: IntArray) -> IntArray:
        values = self.value[head].reshape(self.length * self.symbols, -1)[places.T]
        return np.asarray(exact_matmul(weights[:, None, :], values)[:, 0, :])


def attention_tables(block: Block, embedding: IntArray) -> AttentionTables:
    """The tables of a block on embeddings of shape (N, symbols, width).

    Raises :class:`~ccsim.errors.TableTooLargeError` if they do not fit in memory.
    """
    length, symbols = embedding.shape[:2]
    entries = block.attention.heads * length * symbols * (symbols + max(block.head_widths))
    require_memory(16 * entries, f"the tables of attention on {symbols} symbols at {length} positions")
    rows = block.attended(embedding)
    queries, logits, values = [], [], []
    for unit in block.attention.units:
        queries.append(unit.queries(rows[-1]))
        logits.append(np.swapaxes(unit.logits(queries[-1], unit.keys(rows)), 0, 1))  # (N, S, S') to (S, N, S')
        values.append(unit.values_from(rows))
    parts = [np.stack(part) for part in (queries, logits, values)]
    for part in parts:
        part.setflags(write=False)
    return AttentionTables(block.attention.units[0].weighting, *parts)
