"""What one-layer and deep transformers share: embeddings, sizes, the read-out of the last position."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ccsim.arguments import require_integer, require_symbols
from ccsim.arithmetic import IntArray, Precision, as_precision
from ccsim.arrays import Array
from ccsim.errors import InputError
from ccsim.models.affine import Affine, mantissa_array
from ccsim.models.model import SequenceModel
from ccsim.models.random_weights import random_matrix
from ccsim.models.transformer.block import Block, Where
from ccsim.models.weighting import Weighting

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
        object.__setattr__(self, "alphabet", require_symbols("alphabet", self.alphabet))
        object.__setattr__(self, "answers", require_symbols("answers", self.answers))
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
