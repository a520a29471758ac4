"""Models that ask a transformer, and have its sizes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from ccsim.arithmetic import Precision
from ccsim.models import SequenceModel, Transformer


@dataclass(frozen=True, eq=False)
class AskingModel(SequenceModel):
    """A model whose answers are made by a transformer; its name, alphabet, answers and length are the transformer's.

    Attributes:
        transformer: the transformer.
    """

    transformer: Transformer
    name: str = field(init=False)
    alphabet: tuple[Hashable, ...] = field(init=False)
    answers: tuple[Hashable, ...] = field(init=False)
    length: int | None = field(init=False)

    def __post_init__(self) -> None:
        for same in ("name", "alphabet", "answers", "length"):
            object.__setattr__(self, same, getattr(self.transformer, same))

    @property
    def precision(self) -> Precision:
        """Of everything."""
        return self.transformer.precision

    @property
    def width(self) -> int:
        """How many numbers the stream has at each position."""
        return self.transformer.width

    @property
    def layers(self) -> int:
        """How many attention layers there are."""
        return self.transformer.layers

    @property
    def heads(self) -> int:
        """How many heads there are, in the layer that has the most."""
        return self.transformer.heads

    @property
    def parameters(self) -> int:
        """How many numbers describe the model."""
        return self.transformer.parameters
