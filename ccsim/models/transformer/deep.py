"""Transformers of several layers that read out at the last position, in exact finite precision."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array
from ccsim.models.model import require_words
from ccsim.models.transformer.base import EmbeddedModel
from ccsim.models.transformer.block import Block
from ccsim.models.transformer.embedding import blocks, embed
from ccsim.models.transformer.shared import SharedStream, can_share, numbers_per_word, run_block

BLOCK_ENTRIES = 1 << 20  # how many numbers and logits are held at once


@dataclass(frozen=True, eq=False, kw_only=True)
class Transformer(EmbeddedModel):
    """Blocks one after the other on the embedded word, then the read-out of the last position.

    The arithmetic is that of :class:`~ccsim.models.OneLayerTransformer`.

    Attributes:
        name: what it is called.
        alphabet: the symbols; a symbol's place is its rank.
        answers: the possible answers, one output of the read-out each; the first largest wins.
        token_embedding: mantissas, shape (symbols, width).
        position_embedding: mantissas, shape (N, width), or a function from N to such an array, for every N.
        blocks: the layers, one or more.
        read_out: the affine map from the last position to one number per answer.
        causal: whether a position sees only those up to itself.

    >>> model = Transformer.random("ab", length=4, width=4, layers=2, precision=8, seed=1)
    >>> model.layers, model("abba")
    (2, 0)
    """

    blocks: tuple[Block, ...] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))
        if not self.blocks:
            raise InputError("blocks", self.blocks, "one or more layers")
        super().__post_init__()

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
        layers = [
            Block.from_arrays(precision=precision, **block) if isinstance(block, dict) else block for block in blocks
        ]

        def positions(length: int) -> IntArray:
            return precision.quantise(position_embedding(length), "position_embedding")

        fixed = None if callable(position_embedding) else precision.quantise(position_embedding, "position_embedding")
        return cls(
            name=name,
            alphabet=require_symbols("alphabet", alphabet),
            answers=require_symbols("answers", answers),
            token_embedding=precision.quantise(token_embedding, "token_embedding"),
            position_embedding=positions if fixed is None else fixed,
            blocks=tuple(layers),
            read_out=Affine.from_arrays(precision, read_out, read_out_bias, "read_out"),
            causal=causal,
        )

    @classmethod
    def of_blocks(cls, blocks: tuple[Block, ...], **rest: Any) -> Transformer:
        """The model with these layers."""
        return cls(blocks=blocks, **rest)

    @property
    def all_blocks(self) -> tuple[Block, ...]:
        """The layers, in order."""
        return self.blocks

    def outputs(self, words: Array) -> IntArray:
        """The read-out (..., answers), mantissas, of words (..., N)."""
        words = require_words(words, len(self.alphabet), self.length)
        return np.asarray(self.outputs_at(words, np.array([words.shape[-1] - 1]))[..., 0, :])

    def outputs_at(self, words: Array, places: Array) -> IntArray:
        """The read-out (..., places, answers) at each of these positions, counted from 0, of words (..., N)."""
        words = require_words(words, len(self.alphabet), self.length)
        length, places = words.shape[-1], require_words(np.asarray(places), words.shape[-1], None)
        rows, positions = words.reshape(-1, length), self.positions(length)
        outputs = np.empty((len(rows), len(places), len(self.answers)), dtype=np.int64)
        shares = all(can_share(block) for block in self.blocks)
        each = length * max(length, self.width)
        if shares:
            each = numbers_per_word(self.blocks, self.token_embedding, length)
        for batch in blocks(len(rows), max(1, BLOCK_ENTRIES // each)):
            if shares:
                stream = self._shared_stream(rows[batch], positions, places)
            else:
                stream = self.stream(embed(self.precision, self.token_embedding, positions, rows[batch]))[:, places]
            outputs[batch] = self.scores(stream)
        return outputs.reshape(*words.shape[:-1], len(places), len(self.answers))

    def _shared_stream(self, rows: IntArray, positions: IntArray, places: IntArray) -> IntArray:
        """The stream at some positions, with what is the same for all words computed once."""
        low, high = self.precision.low, self.precision.high
        stream = SharedStream.embedded(self.token_embedding, positions, low, high, rows)
        for block in self.blocks[:-1]:
            stream = run_block(block, stream, self.causal)
        return run_block(self.blocks[-1], stream, self.causal, places).whole()

    def stream(self, stream: IntArray) -> IntArray:
        """What the layers make of embedded words (batch, N, width): the stream at every position."""
        for block in self.blocks:
            stream = block(stream, self.causal)
        return stream

    def positions(self, length: int) -> IntArray:
        """The embeddings of positions 1..length, mantissas of shape (length, width)."""
        if not callable(self.position_embedding):
            return self.position_embedding
        given = self.position_embedding(length)
        return mantissa_array(self.precision, "position_embedding", given, (length, self.width))
