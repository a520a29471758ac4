"""How large a construction is, beside what its source claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from ccsim.errors import InputError

Model = TypeVar("Model")

ATTRIBUTE = "construction_size"


@dataclass(frozen=True)
class ConstructionSize:
    """The measured size of a model that was built weight by weight, and the growth that its source claims.

    Attributes:
        width: numbers in the stream at each position.
        heads: the most heads in a layer.
        layers: attention layers.
        precision: bits of a number.
        stored_bits: every parameter times the precision, the embeddings of all symbols and positions written out.
        representation_bits: the same without embeddings that are made on demand from a rule; the rule's seed counts.
        claimed_width: the claimed growth of the width, up to a constant, as a sympy expression in N.
        claimed_precision: that of the precision.
        claimed_bits: that of the representation.
        source: paper and theorem.
    """

    width: int
    heads: int
    layers: int
    precision: int
    stored_bits: int
    representation_bits: int
    claimed_width: str
    claimed_precision: str
    claimed_bits: str
    source: str

    @classmethod
    def measured(
        cls,
        model: Any,
        *,
        generated: int = 0,
        given: int = 0,
        seed_bits: int = 0,
        claimed_width: str = "log(N)",
        claimed_precision: str = "log(N)",
        claimed_bits: str = "log(N)**3",
        source: str,
    ) -> ConstructionSize:
        """From a model with ``width``, ``heads``, ``layers``, ``precision`` and ``parameters``.

        ``generated`` of its parameters can be made on demand by a rule that has a seed of ``seed_bits`` bits; ``given``
        more numbers are made by it already and no parameters, but would have to be stored without it.
        """
        bits = model.precision.bits
        return cls(
            width=model.width,
            heads=model.heads,
            layers=model.layers,
            precision=bits,
            stored_bits=(model.parameters + given) * bits,
            representation_bits=(model.parameters - generated) * bits + seed_bits,
            claimed_width=claimed_width,
            claimed_precision=claimed_precision,
            claimed_bits=claimed_bits,
            source=source,
        )


def with_size(model: Model, size: ConstructionSize) -> Model:
    """The same model, of which :func:`size_of` then knows the size."""
    object.__setattr__(model, ATTRIBUTE, size)
    return model


def size_of(model: object) -> ConstructionSize:
    """The size of a model that a function of :mod:`protocols.constructions` has built.

    >>> from protocols.constructions import equality_transformer
    >>> size = size_of(equality_transformer(8))
    >>> size.layers, size.heads, size.claimed_width
    (2, 2, 'log(N)')
    """
    size = getattr(model, ATTRIBUTE, None)
    if not isinstance(size, ConstructionSize):
        raise InputError("model", model, "a model built by a function of protocols.constructions")
    return size
