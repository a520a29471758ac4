"""The reduction itself: a model and a partition become a protocol."""

from __future__ import annotations

from itertools import product
from typing import Any

from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Schedule
from ccsim.errors import InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import Partition, SequenceTask
from ccsim.problems.inputs import sample
from ccsim.problems.sequence.task import SplitTask
from protocols.reductions.max_logit.compact import announcement_schedule, compact_schedule
from protocols.reductions.max_logit.literal import literal_schedule
from protocols.reductions.max_logit.parts import Exchange, fits_words

VARIANTS = ("literal", "one-sided", "compact", "symbols", "cheapest")
SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4"
ANSWERS = ("both", "one", "alice", "bob")

Candidate = tuple[Schedule, Cost]


def max_logit_softmax(
    model: OneLayerTransformer,
    partition: Partition,
    *,
    answer: str = "both",
    variant: str = "literal",
    task: SequenceTask | None = None,
) -> Protocol:
    """The protocol in which two parties, each holding some positions of the word, run a one-layer transformer.

    The function of the protocol is what the model itself computes, so that exploring the protocol compares its
    answer with the model's forward pass, bit for bit, on every word.

    Args:
        model: one attention layer, any number of heads.
        partition: who holds which position; any of the 2^N.
        answer: who must know the answer: ``both``, ``alice``, ``bob``, or ``one`` (whoever costs least).
        variant: ``literal`` is the printed protocol, in which every party that must know the answer receives the
            other's sums: m p + H (2p + 2(p + L(N)) + 4 v p) bits for both, with values of width v (the paper's v is
            m); ``one-sided`` sends the sums one way and the answer back; ``compact`` numbers in each field only
            what can be meant there (see :mod:`protocols.reductions.max_logit.compact`); ``symbols`` lets one party
            name its symbols; ``cheapest`` is the cheaper of the last two.
        task: what the model is for; then the protocol's function is the task, on the task's words, and not
            what the model computes on all words.

    Raises :class:`~ccsim.errors.InputError` for more than one layer: by Corollary 13.1 of the same paper no such
    protocol is cheap for two layers.

    >>> from ccsim.models.transformer import OneLayerTransformer
    >>> model = OneLayerTransformer.random("ab", length=4, width=4, heads=1, precision=8, seed=0)
    >>> protocol = max_logit_softmax(model, Partition.odd_even(4))
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (196, 196)
    """
    _check(model, partition, answer, variant)
    function = (model.task() if task is None else _for(model, task)).split(partition)
    schedule, cost, knowing = _cheapest(model, function, answer, variant)
    name = f"max-logit softmax ({variant}) for {model.name} split {partition}"
    known_by = knowing[0] if len(knowing) == 1 else "both"
    return Protocol(name, function, schedule.parties(), answer=known_by, cost=cost, source=SOURCE)


def _check(model: Any, partition: Any, answer: str, variant: str) -> None:
    layers = getattr(model, "layers", 1)
    if isinstance(layers, int) and layers > 1:
        raise InputError(
            "layers",
            layers,
            "one attention layer: two layers compute functions whose communication is N/2 or more at logarithmic size "
            "under any balanced partition (Bhattamishra et al. 2024, Corollary 13.1), so no such protocol exists",
        )
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model, "a OneLayerTransformer")
    ties = getattr(model.tables.weighting, "ties", "average")
    if ties != "average":
        raise InputError("ties", ties, "'average': weights that do not depend on the order of the positions")
    if not isinstance(partition, Partition) or partition.length != model.length:
        raise InputError("partition", partition, f"a partition of {model.length} positions, as the model has")
    if answer not in ANSWERS:
        raise InputError("answer", answer, f"one of {ANSWERS}")
    if variant not in VARIANTS:
        raise InputError("variant", variant, f"one of {VARIANTS}")


def _for(model: OneLayerTransformer, task: SequenceTask) -> SequenceTask:
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words, such as those of ccsim.problems, or None")
    if task.length != model.length or set(task.alphabet) - set(model.alphabet):
        raise InputError("task", task.name, f"words of {model.length} symbols of {sample(model.alphabet)}")
    if set(model.answers) - set(task.answers):
        raise InputError("task", task.name, f"a task with the model's answers {sample(model.answers)}")
    return task


def _cheapest(
    model: OneLayerTransformer, function: SplitTask, answer: str, variant: str
) -> tuple[Schedule, Cost, tuple[str, ...]]:
    """The cheapest way to do it, over who calculates, who speaks first, and who is to know the answer."""
    holders = [role for role in ("alice", "bob") if getattr(function.partition, role)]
    found: list[tuple[Schedule, Cost, tuple[str, ...]]] = []
    for knowing, calculator in product(_knowing(answer, holders), holders):
        exchange = Exchange(model, function, calculator)
        found += [(*candidate, knowing) for candidate in _candidates(exchange, knowing, variant)]
    return min(found, key=lambda candidate: candidate[0].bits)


def _knowing(answer: str, holders: list[str]) -> list[tuple[str, ...]]:
    if answer == "both":
        return [("alice", "bob")]
    return [(role,) for role in (holders if answer == "one" else [answer])]


def _candidates(exchange: Exchange, knowing: tuple[str, ...], variant: str) -> list[Candidate]:
    if variant in ("literal", "one-sided"):
        return [literal_schedule(exchange, knowing, answer_bit=variant == "one-sided")]
    found: list[Candidate] = []
    if variant == "compact" or (variant == "cheapest" and fits_words(exchange.model)):
        speakers = ("alice", "bob") if exchange.parts[exchange.helper].count else ("alice",)
        found += [compact_schedule(exchange, knowing, first) for first in speakers]
    if variant in ("symbols", "cheapest"):
        found.append(announcement_schedule(exchange, knowing))
    return found
