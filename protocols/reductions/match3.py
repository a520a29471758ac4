"""Disjointness from a one-layer model of Match3: the lower bound of Sanford, Hsu and Telgarsky 2023, executed."""

from __future__ import annotations

from ccsim.engine import Protocol
from ccsim.engine.schedule import schedule_of
from ccsim.errors import InputError, require_integer
from ccsim.models.transformer import OneLayerTransformer
from protocols.reductions.max_logit import max_logit_softmax
from protocols.reductions.reduction import TaskReduction
from protocols.reductions.task_reductions import reduce

ANNOUNCED = ("x_N", "query")


def match3_to_disjointness(
    model: OneLayerTransformer,
    n: int,
    encoding: str = "wide",
    *,
    problem: str = "disjointness",
    variant: str = "literal",
    answer: str = "both",
    claim: str = "source",
) -> Protocol:
    """A one-layer transformer for Match3, any number of heads, as a protocol for two sets of n elements.

    The model reads N = 2n + 1 numbers modulo M (its alphabet is 0, ..., M - 1, in order) and answers Match3 at the
    last of them, which is 1 here and known to both. Alice writes the first n numbers and Bob the next n, as
    :func:`~protocols.reductions.task_reductions.intersection_to_match3` says, and they run the max-logit softmax
    protocol. The row of the shared token is not announced, as both know it; all the rest is sent, so the cost is

        H (2p + 2 (p + L(N)) + 4 v p)    for "literal", where both learn the answer,

    for H heads, p bits of precision and values of v numbers (other variants as in
    :func:`~protocols.reductions.max_logit_softmax`). If the model is right this is at least D = n + 1. The printed
    bound, m >= c N / (p H log log N), has an unknown constant c, so no number is given for it: what counts is
    this protocol's cost.

    Args:
        model: one layer.
        n: how many elements there are.
        encoding: ``"wide"``, for M >= N + 3, or ``"tight"``, for M = N + 1 and M = N + 2.
        problem: ``"disjointness"`` (1 iff the sets do not meet) or ``"intersection"`` (the DISJ of the source).
        variant: how the softmax is shared.
        answer: who must know the answer: ``both``, ``alice``, ``bob`` or ``one``.
        claim: ``"source"`` if the protocol is to solve the problem (exploring it shows where a wrong model does not),
            ``"model"`` if it is only to give what the model answers on the encoded words.

    >>> model = OneLayerTransformer.random(range(8), length=5, width=2, precision=6, seed=0)
    >>> protocol = match3_to_disjointness(model, 2, claim="model")
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (78, 78)
    """
    reduction = match3_reduction(model, n, encoding, problem)
    protocol = max_logit_softmax(model, reduction.partition, variant=variant, answer=answer)
    return reduction.pull(protocol, claim, shared=_announcements(protocol))


def _announcements(protocol: Protocol) -> list[str]:
    """The fields in which the last token is announced, whatever the variant calls them."""
    schedule = schedule_of(protocol)
    return [said.name for said in schedule.fields if said.name in ANNOUNCED] if schedule else []


def match3_reduction(
    model: OneLayerTransformer, n: int, encoding: str = "wide", problem: str = "disjointness"
) -> TaskReduction:
    """How Alice and Bob write their sets into the word that a model of Match3 reads; see the protocol above.

    >>> model = OneLayerTransformer.random(range(8), length=5, width=2, precision=6, seed=0)
    >>> match3_reduction(model, 2).word("01", "11")
    (0, 3, 5, 4, 1)
    """
    n = require_integer("n", n, low=1)
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model, "a OneLayerTransformer")
    modulus = len(model.alphabet)
    if model.alphabet != tuple(range(modulus)):
        raise InputError("model", model.alphabet[:8], "the alphabet 0, ..., M - 1, in order")
    if model.length != 2 * n + 1:
        raise InputError("model", model.length, f"length 2n + 1 = {2 * n + 1}")
    if problem not in ("disjointness", "intersection"):
        raise InputError("problem", problem, "'disjointness' or 'intersection'")
    return reduce(problem, "match3", n, encoding=encoding, modulus=modulus, row=model.length)
