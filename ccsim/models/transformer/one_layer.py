"""One-layer transformers that read out at the last position, in exact finite precision."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arguments import require_symbols
from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.arrays import Array
from ccsim.memory import available_bytes
from ccsim.models.affine import Affine
from ccsim.models.model import require_words
from ccsim.models.transformer.base import first_largest
from ccsim.models.transformer.block import Block, Norms, Where
from ccsim.models.transformer.embedding import blocks, embed
from ccsim.models.transformer.pieces import BLOCK_WORDS, OneLayerPieces
from ccsim.models.weighting import Weighting

PLAIN_WORDS = 1 << 9


@dataclass(frozen=True, eq=False, kw_only=True)
class OneLayerTransformer(OneLayerPieces):
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
        name: what it is called.
        alphabet: the symbols; a symbol's place is its rank.
        answers: the possible answers, one output of the read-out each.
        token_embedding: mantissas, shape (symbols, width).
        position_embedding: mantissas, shape (N, width).
        block: heads, token-wise part, norms.
        read_out: the affine map from the last position to one number per answer.
        causal: whether a position is said to see only those up to itself.

    >>> model = OneLayerTransformer.random("ab", length=4, width=4, heads=2, precision=8, seed=0)
    >>> model("abab"), model.codes(np.array([[0, 1, 0, 1], [1, 1, 1, 0]])).tolist()
    (1, [1, 0])
    """

    @classmethod
    def from_arrays(
        cls,
        alphabet: Iterable[Hashable],
        *,
        precision: int | Precision,
        token_embedding: Any,
        position_embedding: Any,
        query: Any,
        key: Any,
        value: Any,
        output: Any,
        read_out: Any,
        read_out_bias: Any = None,
        tokenwise: Any = None,
        layer_norm: Norms | Where = False,
        residual: bool = True,
        logit_scale: Fraction | int = 1,
        weighting: Weighting | None = None,
        answers: Iterable[Hashable] = (0, 1),
        causal: bool = True,
        name: str = "one-layer transformer",
    ) -> OneLayerTransformer:
        """From real numbers (floats, integers, Fractions), each rounded down to the precision.

        Args:
            alphabet: the symbols.
            precision: of everything; a number of bits means :meth:`Precision.of <ccsim.arithmetic.Precision.of>`.
            token_embedding: shape (symbols, width).
            position_embedding: shape (N, width).
            query: shape (heads, width, key width).
            key: shape (heads, width, key width), or fewer that as many heads share.
            value: shape (heads, width, head width), or as many as keys.
            output: shape (heads * head width, width), or with the heads as an axis of its own.
            read_out: shape (width, answers).
            read_out_bias: shape (answers,); None means 0.
            tokenwise: None, layers (weights, bias, activation), or any function of int64 mantissas (..., width).
            layer_norm: norms, or where plain ones are: False, "before" or "after" each part; True is "after".
            residual: whether attention and the token-wise part are added to their inputs.
            logit_scale: an exact factor of the logits.
            weighting: how logits become weights; softmax if None.
            answers: the possible answers.
            causal: whether a position sees only those up to itself.
            name: what it is called.

        Raises :class:`~ccsim.errors.InputError` for shapes that do not fit, NaN and infinity, and numbers that are out
        of range; the latter says how many bits would do.
        """
        precision = as_precision(precision)
        block = Block.from_arrays(
            precision=precision,
            query=query,
            key=key,
            value=value,
            output=output,
            tokenwise=tokenwise,
            norms=layer_norm,
            residual=residual,
            logit_scale=logit_scale,
            weighting=weighting,
        )
        return cls(
            name=name,
            alphabet=require_symbols("alphabet", alphabet),
            answers=require_symbols("answers", answers),
            token_embedding=precision.quantise(token_embedding, "token_embedding"),
            position_embedding=precision.quantise(position_embedding, "position_embedding"),
            block=block,
            read_out=Affine.from_arrays(precision, read_out, read_out_bias, "read_out"),
            causal=causal,
        )

    def outputs(self, words: Array) -> IntArray:
        """The read-out (..., answers), mantissas, of words (..., N), by tables where they fit in memory."""
        words = require_words(words, len(self.alphabet), self.length)
        if not self._has_tables:
            return self.outputs_plain(words)
        rows = words.reshape(-1, self.length)
        outputs = np.empty((len(rows), len(self.answers)), dtype=np.int64)
        for block in blocks(len(rows), BLOCK_WORDS):
            sums = self.tables.head_sums(rows[block])
            if sums.dtype == np.float64 and not self._ends_in_floats:
                sums = sums.astype(np.int64)
            outputs[block] = self._finish(rows[block, -1].astype(np.intp), sums)
        return outputs.reshape(*words.shape[:-1], len(self.answers))

    @cached_property
    def _has_tables(self) -> bool:
        """Whether the tables take less than a quarter of the memory that is free."""
        symbols = len(self.alphabet)
        needed = 64 * self.heads * self.length * symbols * (symbols + self.head_width)
        return needed < available_bytes()

    def codes_plain(self, words: Array) -> Array:
        """The same as :meth:`codes`, by embedding every position and multiplying matrices; no tables."""
        return first_largest(self.outputs_plain(words))

    def outputs_plain(self, words: Array) -> IntArray:
        """The same as :meth:`outputs`, by embedding every position and multiplying matrices; no tables."""
        words = require_words(words, len(self.alphabet), self.length)
        rows = words.reshape(-1, self.length)
        outputs = np.empty((len(rows), len(self.answers)), dtype=np.int64)
        for place in blocks(len(rows), PLAIN_WORDS):
            stream = embed(self.precision, self.token_embedding, self.position_embedding, rows[place])
            inner = self.block.attended(stream)
            heads = [
                unit.attend(unit.queries(inner[:, -1:]), unit.keys(inner), unit.values_from(inner))[:, 0]
                for unit in self.block.attention.units
            ]
            outputs[place] = self.scores(self.block.finish(stream[:, -1], np.concatenate(heads, axis=-1)))
        return outputs.reshape(*words.shape[:-1], len(self.answers))
