"""What a regular language costs in other models, as far as this project proves it.

Tesson and Thérien (2005) classify the simultaneous, the probabilistic and the Mod_p-counting complexity of all regular
languages, too; their abstract names three classes for simultaneous messages and four for probabilistic protocols. What
is said here does not rest on these classifications: the proofs are in ``docs/proofs/other_models.md``. Where they leave
a gap, both ends are told. That O(log n) bits are enough in the logarithmic case is shown by a protocol, if one was
found; else it is taken from the theorem on deterministic protocols, and that is said. Letters or blanks are dealt to
both parties in turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccsim.families.certificate import FamilyCertificate
from ccsim.families.classification import CONSTANT, LINEAR, LOGARITHMIC, Classification
from ccsim.families.messages import BOUNDED, EXPONENTIAL, growth
from ccsim.families.reductions import Reduction

DOUBLY = "Omega(log log n)"
PROTOCOL = "a deterministic protocol"
OMEGA = {LOGARITHMIC: "Omega(log n)", LINEAR: "Omega(n)"}
BIG_O = {LOGARITHMIC: "O(log n)", LINEAR: "O(n)"}


@dataclass(frozen=True)
class OtherModel:
    """The complexity in one model.

    Attributes:
        model: ``simultaneous messages``, ``public coins``, ``modulo p`` or ``non-deterministic``.
        complexity: its class; two ends, where there is a gap between what is proved.
        reason: why.
    """

    model: str
    complexity: str
    reason: str


def other_models(
    classification: Classification,
    reduction: Reduction | None,
    lines: tuple[FamilyCertificate, FamilyCertificate] | None,
    executed: bool = True,
) -> tuple[OtherModel, ...]:
    """The classes of a language with blanks in other models.

    Args:
        classification: its deterministic class.
        reduction: in the linear case, the small problem that is inside it.
        lines: how many messages each party has, for every n; None if that is not known.
        executed: in the logarithmic case, whether a protocol of O(log n) bits was found.

    >>> from ccsim.families import classify, dealt, messages, transition_monoid, with_blank
    >>> from ccsim.models.automata import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> family = dealt(with_blank(automaton), "AB")
    >>> both = messages(family), messages(family, "bob-to-alice")
    >>> for one in other_models(classify(transition_monoid(automaton)), None, both):
    ...     print(f"{one.model}: {one.complexity}")
    simultaneous messages: Theta(log n)
    public coins: Omega(log log n), O(log n)
    modulo p: Theta(log n), for every prime p
    non-deterministic: Theta(log n)
    """
    kind = classification.deterministic
    if kind == CONSTANT:
        reason = "so many bits are enough for a protocol without coins in which both say the product of their letters"
        every = ("simultaneous messages", "public coins", "modulo p", "non-deterministic")
        return tuple(OtherModel(model, CONSTANT, reason) for model in every)
    exponential = None if lines is None else any(growth(one) == EXPONENTIAL for one in lines)
    assert lines is None or all(growth(one) != BOUNDED for one in lines)
    found = (
        _simultaneous(kind, exponential),
        _coins(reduction, exponential),
        _modular(reduction),
        _guessing(reduction),
    )
    if executed:
        return found
    by_theorem = f"{PROTOCOL} (by the theorem of Tesson and Thérien: none was found)"
    return tuple(OtherModel(one.model, one.complexity, one.reason.replace(PROTOCOL, by_theorem)) for one in found)


def _simultaneous(kind: str, exponential: bool | None) -> OtherModel:
    model = "simultaneous messages"
    if exponential is None and kind == LINEAR:
        return OtherModel(model, LINEAR, "no less than a deterministic protocol")
    if exponential is None:
        return OtherModel(model, f"{OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}", "the different lines were not counted")
    how = "exponential" if exponential else "polynomial"
    reason = f"each party sends the number of its line, and cannot send less; how many lines differ is {how}"
    return OtherModel(model, LINEAR if exponential else LOGARITHMIC, reason)


def _coins(reduction: Reduction | None, exponential: bool | None) -> OtherModel:
    model = "public coins"
    if reduction is not None:
        return OtherModel(model, LINEAR, f"{reduction.problem} of a linear number of bits is inside")
    if exponential:
        reason = (
            "a deterministic protocol, and an inner product of Omega(log n) bits among the exponentially many lines"
        )
        return OtherModel(model, LOGARITHMIC, reason)
    reason = "greater-than of log n bits is inside; a deterministic protocol. Which it is, is not decided here"
    return OtherModel(model, f"{DOUBLY}, {BIG_O[LOGARITHMIC]}", reason)


def _modular(reduction: Reduction | None) -> OtherModel:
    model = "modulo p"
    if reduction is None:
        reason = "greater-than of log n bits has a rank of n - O(1) over every field; a deterministic protocol"
        return OtherModel(model, f"{LOGARITHMIC}, for every prime p", reason)
    order = _order(reduction)
    if order is None:
        return OtherModel(model, f"{LINEAR}, for every prime p", "disjointness has exponential rank over every field")
    reason = f"{reduction.problem} has exponential rank over all other fields; for p = {order} it is not decided here"
    gap = f"there {OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}"
    return OtherModel(model, f"{LINEAR} for every prime p but {order}; {gap}", reason)


def _guessing(reduction: Reduction | None) -> OtherModel:
    model = "non-deterministic"
    if reduction is None:
        return OtherModel(model, LOGARITHMIC, "greater-than of log n bits is inside; a deterministic protocol")
    if _order(reduction) is not None:
        return OtherModel(model, LINEAR, f"{reduction.problem} is inside, which has small rectangles only")
    if reduction.answer:
        return OtherModel(model, LINEAR, "disjointness is inside: its words are those of disjoint sets")
    reason = "disjointness is inside, but the words are those of sets that meet; for the complement it is linear"
    return OtherModel(model, f"{OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}", reason)


def _order(reduction: Reduction) -> int | None:
    """What is counted modulo what; None for disjointness."""
    last = reduction.problem.split()[-1]
    return None if last == "disjointness" else 2 if last == "product" else int(last)
