"""Transformers of any number of layers; with one, attention at the last position sums up entries of small tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ccsim.arithmetic import Precision, as_precision, exact_matmul, largest_magnitude
from ccsim.errors import Array, InputError, available_bytes, require_integer, require_memory, require_symbols
from ccsim.models.affine import FLOAT_BOUND, Affine, Tokenwise, mantissa_array, random_matrix
from ccsim.models.attention import Weighting
from ccsim.models.block import Block, Norms, Where
from ccsim.models.model import SequenceModel, blocks, require_words


def embed(precision: Precision, tokens: Array, positions: Array, words: Array) -> Array:
    return precision.saturate(tokens[words] + positions)


Positions = npt.NDArray[Any] | Callable[[int], Array]


@dataclass(frozen=True, eq=False, kw_only=True)
class EmbeddedModel(SequenceModel):
    """Embedded words go through blocks; the last position is read out, and the first largest output wins."""

    name: str
    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    token_embedding: Array = field(repr=False)
    position_embedding: Positions = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)
    read_out: Affine = field(repr=False)
    causal: bool = True
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        self._require_symbols()
        object.__setattr__(self, "blocks", tuple(self.blocks))
        if not self.blocks:
            raise InputError("blocks", self.blocks, "one or more layers")
        for block in self.blocks:
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
        causal: bool = True,
        **options: Any,
    ) -> Self:
        """Weights drawn from a seed, the same on every machine; with one layer if ``layers`` is None.

        Embeddings are uniform from -1 to 1 and weights have variance 1 / inputs, as far as the precision allows.
        ``hidden`` is the width of the token-wise part, 4 * width if None; 0 leaves that part out. ``head_width`` (of
        values) and ``key_width`` (of queries and keys) are width / heads, at least 1, if None. Other ``options`` are
        those of :meth:`Block.random`.
        """
        precision = as_precision(precision)
        count = 1 if layers is None else require_integer("layers", layers, low=1)
        width, heads = require_integer("width", width, low=1), require_integer("heads", heads, low=1)
        share = max(1, width // heads)
        options |= {
            "hidden": require_integer("hidden", 4 * width if hidden is None else hidden, low=0),
            "head_width": require_integer("head_width", share if head_width is None else head_width, low=1),
            "key_width": require_integer("key_width", share if key_width is None else key_width, low=1),
        }
        options |= {"precision": precision, "width": width, "heads": heads, "seed": seed}
        symbols, given = require_symbols("alphabet", alphabet), require_symbols("answers", answers)
        length = require_integer("length", length, low=1)
        blocks = tuple(Block.random(name=f"layer {layer}/" if layer else "", **options) for layer in range(count))
        weights = random_matrix(precision, (width, len(given)), width, seed, "read_out")
        bias = random_matrix(precision, (len(given),), width, seed, "read_out_bias")
        shape = f"length {length}, width {width}{'' if layers is None else f', {layers} layers'}, {heads} heads"
        return cls(
            blocks=blocks,
            name=f"transformer({shape}, {precision.bits} bits, seed {seed})",
            alphabet=symbols,
            answers=given,
            token_embedding=random_matrix(precision, (len(symbols), width), 3, seed, "token_embedding"),
            position_embedding=random_matrix(precision, (length, width), 3, seed, "position_embedding"),
            read_out=Affine(precision, weights, bias),
            causal=causal,
        )

    def _require_array(self, argument: str, rows: int | None) -> None:
        array = mantissa_array(self.precision, argument, getattr(self, argument), (rows, self.width))
        object.__setattr__(self, argument, array)

    @property
    def precision(self) -> Precision:
        return self.blocks[0].precision

    @property
    def arithmetic(self) -> str:
        return f"fixed point of {self.precision}, rounded down"

    @property
    def layers(self) -> int:
        return len(self.blocks)

    @property
    def width(self) -> int:
        """The m of the papers."""
        return self.blocks[0].width

    @property
    def heads(self) -> int:
        """Of the layer that has most: H."""
        return max(block.attention.heads for block in self.blocks)

    @property
    def parameters(self) -> int:
        """How many numbers describe the model; not those given by functions, nor position embeddings all 0."""
        given = self.position_embedding
        positions = 0 if callable(given) or not given.any() else given.size
        inner = sum(block.parameters for block in self.blocks)
        return int(self.token_embedding.size + positions + inner + self.read_out.parameters)

    @property
    def size_bits(self) -> int:
        return self.parameters * self.precision.bits

    def scores(self, stream: Array) -> Array:
        return self.read_out(stream)

    def outputs(self, words: Array) -> Array:
        words = require_words(words, len(self.alphabet), self.length)
        return np.asarray(self.outputs_at(words, np.array([words.shape[-1] - 1]))[..., 0, :])

    def outputs_at(self, words: Array, places: Array) -> Array:
        """The read-out (..., places, answers) at these positions, counted from 0, of words (..., N)."""
        words = require_words(words, len(self.alphabet), self.length)
        length, places = words.shape[-1], require_words(np.asarray(places), words.shape[-1], None)
        rows, positions = words.reshape(-1, length), self.positions(length)
        outputs = np.empty((len(rows), len(places), len(self.answers)), dtype=np.int64)
        widest = max(
            part.outputs
            for block in self.blocks
            for part in (block.output, *(layer.affine for layer in (block.tokenwise.layers if block.tokenwise else ())))
        )
        for batch in blocks(len(rows), max(1, BLOCK_ENTRIES // (length * widest))):
            stream = embed(self.precision, self.token_embedding, positions, rows[batch])
            for block in self.blocks[:-1]:
                stream = block(stream, self.causal)
            outputs[batch] = self.scores(self.blocks[-1](stream, self.causal, places))
        return outputs.reshape(*words.shape[:-1], len(places), len(self.answers))

    def positions(self, length: int) -> Array:
        if not callable(self.position_embedding):
            return self.position_embedding
        given = self.position_embedding(length)
        return mantissa_array(self.precision, "position_embedding", given, (length, self.width))

    def codes(self, words: Array) -> Array:
        return first_largest(self.outputs(words))


def first_largest(outputs: Array) -> Array:
    if outputs.shape[-1] == 2:
        return np.asarray(outputs[..., 1] > outputs[..., 0]).astype(np.int64)
    return np.asarray(outputs.argmax(axis=-1))


BLOCK_ENTRIES = 1 << 22  # how many numbers are held at once
BLOCK_WORDS = 1 << 12  # how many words are evaluated at once: what they need should stay in a processor's cache


@dataclass(frozen=True, eq=False, kw_only=True)
class OneLayerTransformer(EmbeddedModel):
    """H heads over N positions, then the last position alone: residual, norms, a token-wise part, read-out.

    On mantissas in steps of 1 / s, with every division rounded down and everything saturating::

        x_i     = token_embedding[symbol i] + position_embedding[i]
        q, k, v = x W / s                                         per head: q of x_N, k and v of every x_i
        A_i     = <q, k_i> * logit_scale / s
        e_i     = s * exp((A_i - max A) / s),   Z = sum e_i       Z exact
        S       = sum floor(e_i * s / Z) v_i                      exact, in steps of 1 / s^2
        head    = S / s
        y       = x_N + heads O / s, then norm, y + tokenwise(y), norm; the first largest read-out wins

    so that the answer does not depend on the order of the positions in the sums (Bhattamishra, Hahn, Blunsom and Kanade
    2024, appendix B.2). One position alone is read out, so a causal mask changes nothing.

    Attributes:
        name, alphabet, answers: what it is called, the symbols by rank, and the answers, an output each.
        token_embedding, position_embedding: mantissas, shape (symbols, width) and (N, width).
        blocks: the one layer: heads, token-wise part, norms.
        read_out: the affine map from the last position to one number per answer.
        causal: whether a position sees only those up to itself.

    >>> model = OneLayerTransformer.random("ab", length=4, width=4, heads=2, precision=8, seed=0)
    >>> model("abab"), model.codes(np.array([[0, 1, 0, 1], [1, 1, 1, 0]])).tolist()
    (1, [1, 0])
    """

    position_embedding: Array = field(repr=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.blocks) != 1:
            raise InputError("layers", len(self.blocks), "one layer")
        for argument, each in (
            ("head_width", [value.outputs for _, _, value in self.block.maps]),
            ("key_width", [query.outputs for query, _, _ in self.block.maps]),
            ("weighting", [unit.weighting for unit in self.block.attention.units]),
        ):
            if len(set(each)) > 1:
                raise InputError(argument, each, "the same for all heads")

    @classmethod
    def from_arrays(
        cls,
        alphabet: Iterable[Hashable],
        *,
        precision: int | Precision,
        token_embedding: Any,
        position_embedding: Any,
        read_out: Any,
        read_out_bias: Any = None,
        layer_norm: Norms | Where = False,
        answers: Iterable[Hashable] = (0, 1),
        causal: bool = True,
        name: str = "one-layer transformer",
        **layer: Any,
    ) -> OneLayerTransformer:
        """From real numbers (floats, integers, Fractions), each rounded down to the precision.

        Args:
            alphabet, answers: the symbols, and the possible answers.
            precision: of everything; a number of bits means :meth:`Precision.of <ccsim.arithmetic.Precision.of>`.
            token_embedding, position_embedding: shape (symbols, width) and (N, width).
            read_out, read_out_bias: shape (width, answers) and (answers,); no bias means 0.
            layer_norm: norms, or where plain ones are: False, "before" or "after" each part; True is "after".
            causal: whether a position sees only those up to itself.
            name: what it is called.
            layer: the other arguments of :meth:`Block.from_arrays`: ``query``, ``key``, ``value``, ``output``, and
                perhaps ``tokenwise``, ``residual``, ``logit_scale``, ``weighting``.

        Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, and numbers not finite or in range.
        """
        precision = as_precision(precision)
        return cls(
            name=name,
            alphabet=require_symbols("alphabet", alphabet),
            answers=require_symbols("answers", answers),
            token_embedding=precision.quantise(token_embedding, "token_embedding"),
            position_embedding=precision.quantise(position_embedding, "position_embedding"),
            blocks=(Block.from_arrays(precision=precision, norms=layer_norm, **layer),),
            read_out=Affine.from_arrays(precision, read_out, read_out_bias, "read_out"),
            causal=causal,
        )

    @property
    def block(self) -> Block:
        """The one layer."""
        return self.blocks[0]

    @property
    def head_width(self) -> int:
        """How many numbers a value has."""
        return self.block.maps[0][2].outputs

    @property
    def weighting(self) -> Weighting:
        """How logits become weights."""
        return self.block.attention.units[0].weighting

    @property
    def tokenwise(self) -> Tokenwise | None:
        """What is done to the last position after attention."""
        return self.block.tokenwise

    @cached_property
    def embedding_table(self) -> Array:
        """The vector of each position and symbol, mantissas of shape (N, symbols, width)."""
        return self.precision.saturate(self.token_embedding + self.position_embedding[:, None])

    @cached_property
    def _tables(self) -> tuple[Array, Array]:
        symbols, units = len(self.alphabet), self.block.attention.units
        entries = self.heads * self.length * symbols * (symbols + self.head_width)
        require_memory(16 * entries, f"the tables of attention on {symbols} symbols at {self.length} positions")
        rows = self.block.attended(self.embedding_table)
        logits = [np.swapaxes(unit.logits(unit.queries(rows[-1]), unit.keys(rows)), 0, 1) for unit in units]
        tables = np.stack(logits), np.stack([unit.values_from(rows) for unit in units])
        for table in tables:
            table.setflags(write=False)
        return tables

    @property
    def logit_table(self) -> Array:
        """The logit of each position and symbol, for each last symbol: shape (H, symbols, N, symbols)."""
        return self._tables[0]

    @property
    def value_table(self) -> Array:
        """The value of each position and symbol: shape (H, N, symbols, head width)."""
        return self._tables[1]

    @cached_property
    def _float_values(self) -> Array:
        return self.value_table.astype(np.float64)

    @cached_property
    def largest_head_sum(self) -> int:
        """No sum of weights times values over any positions is larger in magnitude: scale * largest value."""
        return self.precision.scale * largest_magnitude(self.value_table)

    @property
    def sums_in_floats(self) -> bool:
        """Whether float64 holds all weights, sums and quotients by the scale exactly, rounded down."""
        scale = self.precision.scale
        return max(self.largest_head_sum + scale, scale * scale + self.length * scale) < FLOAT_BOUND

    def _head_sums(self, words: Array) -> Array:
        """The exact sums (batch, H, head width), over scale^2, of words (batch, N); float64 if :attr:`sums_in_floats`.

        Partial sums are whole numbers of at most :attr:`largest_head_sum`, so their order does not matter.
        """
        size, sums = len(self.alphabet), []
        symbols = np.ascontiguousarray(words.T).astype(np.intp)
        places = symbols + (np.arange(self.length) * size)[:, None]
        logits_at = (places + symbols[-1] * (self.length * size)).T
        for head in range(self.heads):
            weights = self.weighting.row(self.logit_table[head].reshape(-1).take(logits_at))
            if self.sums_in_floats:
                total, table = np.zeros((len(words), self.head_width)), self._float_values[head]
                for values, here, weight in zip(table, symbols, weights.T.astype(float), strict=True):
                    total += weight[:, None] * values.take(here, axis=0)
            else:
                rows = self.value_table[head].reshape(self.length * size, -1)[places.T]
                total = exact_matmul(weights[:, None, :], rows)[:, 0, :]
            sums.append(total)
        return np.stack(sums, axis=1)

    def exponentials(self, differences: Array) -> Array:
        """Mantissas from 0 to the scale, for logits less the maximum over all positions."""
        return self.weighting.exponentials(differences)

    def weights(self, exponentials: Array, normalisers: Array) -> Array:
        """floor(e * scale / Z) for exponentials e and their sum Z over all positions; the axes broadcast."""
        return self.weighting.weights(exponentials, normalisers)

    def finish(self, last_symbols: Array, head_sums: Array) -> Array:
        """The answer codes (batch,), from the symbols at the last position (batch,) and exact sums S.

        ``head_sums`` (batch, H, head width) are the sums over all positions of weights times values, over scale^2.
        """
        return first_largest(self.finish_outputs(last_symbols, head_sums))

    def finish_outputs(self, last_symbols: Array, head_sums: Array) -> Array:
        """The read-out (batch, answers), mantissas, from what :meth:`finish` takes."""
        last_symbols = require_words(np.asarray(last_symbols)[:, None], len(self.alphabet), 1)[:, 0]
        head_sums, expected = np.asarray(head_sums), (len(last_symbols), self.heads, self.head_width)
        if head_sums.shape != expected:
            raise InputError("head_sums", head_sums.shape, f"an array of shape {expected}")
        outputs = np.empty((len(last_symbols), len(self.answers)), dtype=np.int64)
        in_floats = self._ends_in_floats and largest_magnitude(head_sums) < FLOAT_BOUND - self.precision.scale
        for block in blocks(len(last_symbols), BLOCK_WORDS):
            sums = head_sums[block].astype(np.float64) if in_floats else head_sums[block]
            outputs[block] = self._finish(last_symbols[block], sums)
        return outputs

    def _finish(self, last_symbols: Array, sums: Array) -> Array:
        rows = sums.reshape(len(sums), -1)
        if sums.dtype == np.float64:
            rows = np.floor(rows / self.precision.scale)  # below 2^53 - scale, so rounding passes no integer
            heads = np.clip(rows, float(self.precision.low), float(self.precision.high))
            stream = self.embedding_table[-1].take(last_symbols, axis=0).astype(np.float64)
        else:
            heads = self.precision.round_down(rows)
            stream = self.embedding_table[-1][last_symbols]
        return self.scores(self.block.finish(stream, heads))

    @cached_property
    def _ends_in_floats(self) -> bool:
        return self.block.exact_in_floats and self.read_out.exact_in_floats

    def outputs(self, words: Array) -> Array:
        """The read-out (..., answers), mantissas, of words (..., N), by tables where they fit in memory."""
        words = require_words(words, len(self.alphabet), self.length)
        if not self._has_tables:
            return self.outputs_plain(words)
        rows = words.reshape(-1, self.length)
        outputs = np.empty((len(rows), len(self.answers)), dtype=np.int64)
        for block in blocks(len(rows), BLOCK_WORDS):
            sums = self._head_sums(rows[block])
            if sums.dtype == np.float64 and not self._ends_in_floats:
                sums = sums.astype(np.int64)
            outputs[block] = self._finish(rows[block, -1].astype(np.intp), sums)
        return outputs.reshape(*words.shape[:-1], len(self.answers))

    @cached_property
    def _has_tables(self) -> bool:
        symbols = len(self.alphabet)
        needed = 64 * self.heads * self.length * symbols * (symbols + self.head_width)
        return needed < available_bytes()

    def codes_plain(self, words: Array) -> Array:
        """The same as :meth:`codes`, by embedding every position and multiplying matrices; no tables."""
        return first_largest(self.outputs_plain(words))

    def outputs_plain(self, words: Array) -> Array:
        """The same as :meth:`outputs`, by embedding every position and multiplying matrices; no tables."""
        return super().outputs(words)


@dataclass(frozen=True, eq=False, kw_only=True)
class Transformer(EmbeddedModel):
    """Blocks one after the other on the embedded word, then the read-out of the last position.

    The arithmetic is that of :class:`~ccsim.models.OneLayerTransformer`.

    Its attributes are those of that model; ``blocks`` are one or more layers, and ``position_embedding`` may be a
    function from N to an array of shape (N, width), for every N.

    Args:
        token_embedding: mantissas, shape (symbols, width).
        read_out: an affine map from the width to a score for each answer.
        causal: whether a position sees itself and those before it only.

    >>> model = Transformer.random("ab", length=4, width=4, layers=2, precision=8, seed=1)
    >>> model.layers, model("abba")
    (2, 0)
    """

    @classmethod
    def from_arrays(
        cls,
        alphabet: Iterable[Hashable],
        *,
        precision: int | Precision,
        token_embedding: Any,
        position_embedding: Any,
        blocks: Sequence[Block | dict[str, Any]],
        read_out: Any,
        read_out_bias: Any = None,
        answers: Iterable[Hashable] = (0, 1),
        causal: bool = True,
        name: str = "transformer",
    ) -> Transformer:
        """From real numbers, rounded down; each block is one, or the arguments of ``Block.from_arrays`` as a dict.

        ``position_embedding`` is an array (N, width), or a function that gives one for every N.
        """
        precision = as_precision(precision)

        def positions(length: int) -> Array:
            return precision.quantise(position_embedding(length), "position_embedding")

        fixed = None if callable(position_embedding) else precision.quantise(position_embedding, "position_embedding")
        return cls(
            name=name,
            alphabet=require_symbols("alphabet", alphabet),
            answers=require_symbols("answers", answers),
            token_embedding=precision.quantise(token_embedding, "token_embedding"),
            position_embedding=positions if fixed is None else fixed,
            blocks=tuple(
                Block.from_arrays(precision=precision, **each) if isinstance(each, dict) else each for each in blocks
            ),
            read_out=Affine.from_arrays(precision, read_out, read_out_bias, "read_out"),
            causal=causal,
        )
