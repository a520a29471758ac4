"""What the measuring functions of several papers share: reductions checked on all inputs, one-way brackets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ccsim.claims import Finding
from ccsim.errors import InputError

if TYPE_CHECKING:
    from ccsim.bounds import Bracket
    from ccsim.models import SequenceModel
    from ccsim.problems import TwoPartyFunction
    from protocols.reductions.task_reductions import Reduction

__all__ = ["one_way_bits", "one_way_messages", "reduced", "telling_model"]

Model = TypeVar("Model", bound="SequenceModel")
MOST_SEEDS = 256


def one_way_bits(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """The bits of one message from Alice after which Bob knows the answer, with a certificate."""
    from ccsim.bounds.one_way import one_way

    return replace(one_way(function.matrix, time_limit=seconds), matrix=function.matrix)


def one_way_messages(function: TwoPartyFunction, seconds: float = 30.0) -> Bracket:
    """How many different messages that takes, with a certificate."""
    from ccsim.bounds.one_way import one_way_messages as messages

    return replace(messages(function.matrix, time_limit=seconds), matrix=function.matrix)


def reduced(reduction: Reduction, bracket: Bracket, **more: Any) -> Finding:
    """A bound for a task: the source's bracket, if the reduction is right on every input."""
    wrong = reduction.check()
    facts = {"reduction": reduction.name, "source": reduction.source.name, "target": reduction.target.name}
    violations = () if wrong is None else (f"{reduction.name} is wrong: {wrong}",)
    return Finding.of_bracket(bracket, violations=violations, facts={**facts, **more.pop("facts", {})}, **more)


def telling_model(build: Callable[[int], Model], seed: int, length: int) -> Model:
    """The first random model from a seed on that does not give all words one answer: such a one would show nothing.

    A model counts if the last half of a word alone does not settle its answer, nor the first half.
    """
    import numpy as np

    for each in range(seed, seed + MOST_SEEDS):
        model = build(each)
        codes = model.task(length).codes()
        table = np.asarray(codes).reshape(len(model.alphabet) ** (length // 2), -1)
        if (table != table[:1]).any() and (table != table[:, :1]).any():
            return model
    raise InputError("seed", seed, f"one of {MOST_SEEDS} seeds from it on whose model looks at both halves of a word")
