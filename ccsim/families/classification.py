"""What the syntactic monoid of a regular language says about its communication complexity.

Alice and Bob hold the letters of a word at odd and even positions; a position may hold the empty word (a *blank*). The
deterministic complexity at length n, when both know the answer, is then

- O(1) iff the syntactic monoid is commutative,
- else Theta(log n) iff it is in DO and all its subgroups are Abelian,
- else Theta(n)

(Tesson and Thérien 2005, "Complete classifications for the communication complexity of regular languages"; the problem
was posed and the first cases were settled by Raymond, Tesson and Thérien 1998). The paper classifies the
probabilistic, simultaneous, probabilistic simultaneous and Mod_p-counting complexities likewise. Non-deterministic
complexity is not classified: Ada (2007, "Non-deterministic communication complexity of regular languages",
arXiv:0801.4777) shows that it is O(1) or Omega(log n), and linear for a wide range of languages; where the line is, is
open there.

What a language costs in other models is told as far as this project proves it. Tesson and Thérien classify the
simultaneous, the probabilistic and the Mod_p-counting complexity of all regular languages, too; their abstract names
three classes for simultaneous messages and four for probabilistic protocols. What is said here does not rest on these
classifications: the proofs are in ``docs/proofs/other_models.md``. Where they leave a gap, both ends are told. That
O(log n) bits are enough in the logarithmic case is shown by a protocol, if one was found; else it is taken from the
theorem on deterministic protocols, and that is said. Letters or blanks are dealt to both parties in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ccsim.bounds.protocol_bits import MOST_PRECISION, hypotheses, softmax_bits
from ccsim.errors import require_integer
from ccsim.families.family import FamilyCertificate
from ccsim.families.monoid import Monoid
from ccsim.families.parties import BOUNDED, EXPONENTIAL, growth
from ccsim.families.reductions import Reduction

FARTHEST = 1 << 13  # positions up to which a model is compared
LARGEST_STEP = 12  # the least common multiple of the periods


@dataclass(frozen=True)
class Exclusion:
    """The lengths, up to 2^13, at which no one-layer transformer of a size recognises a language.

    Attributes:
        lengths: all of them, rising.
    """

    lengths: tuple[int, ...]

    @property
    def first(self) -> int | None:
        """The least excluded length; None if there is none."""
        return self.lengths[0] if self.lengths else None

    @cached_property
    def tail(self) -> tuple[int, int] | None:
        """The least step of which all multiples are excluded from some length up to 2^13, and that length."""
        excluded = set(self.lengths)
        for step in range(1, LARGEST_STEP + 1):
            length = FARTHEST // step * step
            while length > 0 and length in excluded:
                length -= step
            if 2 * (length + step) <= FARTHEST:
                return step, length + step
        return None

    @property
    def told(self) -> str:
        """Which lengths, in words; the hypotheses are not among them."""
        if self.first is None:
            return f"excluded at no length up to {FARTHEST}"
        if self.tail is None:
            return f"excluded at {len(self.lengths)} lengths up to {FARTHEST}, the first N = {self.first}"
        step, start = self.tail
        every = {1: "every N", 2: "every even N"}.get(step, f"every N that {step} divides")
        before = "" if self.first == start else f", and first at N = {self.first}"
        others = "" if step == 1 else "; not known at all others"
        return f"excluded at {every} from {start} to {FARTHEST}{before}{others}"

    @property
    def hypotheses(self) -> str:
        """What is assumed of the model."""
        return hypotheses("transformer")


def exclusion(
    needs: Sequence[tuple[str, Sequence[int]]], *, width: int, heads: int, precision: int, symbols: int, blank: bool
) -> Exclusion:
    """The lengths at which some partition needs more bits than the protocol of the model has there.

    Args:
        needs: of each periodic partition, the bits that 1, 2, ... periods need.
        width, heads, precision: of the model.
        symbols: of the alphabet, with the blank.
        blank: whether a blank may stand anywhere; then positions after the last full period are blanks, known to both.

    >>> exclusion([("AB", [9 * n for n in range(1, 4097)])], width=1, heads=1, precision=8, symbols=2, blank=False).told
    'excluded at every even N from 10 to 8192; not known at all others'
    """
    size = {
        "head_width": require_integer("width", width, low=1),
        "heads": require_integer("heads", heads, low=1),
        "precision": require_integer("precision", precision, low=3, high=MOST_PRECISION),
        "symbols": symbols,
    }
    excluded = []
    for length in range(1, FARTHEST + 1):
        most: dict[int, int] = {}  # bits that are needed, by how many positions Alice holds
        for partition, bits in needs:
            periods, rest = divmod(length, len(partition))
            if periods and (blank or not rest):
                least = periods * partition.count("A")
                for held in range(least, least + rest + 1):
                    most[held] = max(most.get(held, 0), bits[periods - 1])
        if any(softmax_bits(**size, length=length, held=held) < need for held, need in most.items()):
            excluded.append(length)
    return Exclusion(tuple(excluded))


CONSTANT, LOGARITHMIC, LINEAR = "O(1)", "Theta(log n)", "Theta(n)"


@dataclass(frozen=True)
class Classification:
    """The class of a language, with the reason.

    Attributes:
        deterministic: ``O(1)``, ``Theta(log n)`` or ``Theta(n)``, with blanks dealt to both parties.
        reason: why, by elements of the monoid.
        properties: the varieties named here in which the monoid lies.
    """

    deterministic: str
    reason: str
    properties: tuple[str, ...]


def classify(monoid: Monoid) -> Classification:
    """The class of a language by its syntactic monoid.

    >>> from ccsim.families import transition_monoid
    >>> from ccsim.models.automata import from_regular_expression
    >>> for expression in ("(b|ab*a)*", "a*b*", "(ab)*"):
    ...     print(expression, classify(transition_monoid(from_regular_expression(expression, "ab"))).deterministic)
    (b|ab*a)* O(1)
    a*b* Theta(log n)
    (ab)* Theta(n)
    """
    named = {
        "commutative": monoid.is_commutative,
        "a group": monoid.is_group,
        "aperiodic (star-free)": monoid.is_aperiodic,
        "J-trivial (piecewise testable)": monoid.is_j_trivial,
        "in DO": monoid.do_witness is None,
        "in DA": monoid.do_witness is None and monoid.is_aperiodic,
        "Abelian subgroups": monoid.group_witness is None,
    }
    properties = tuple(name for name, holds in named.items() if holds)
    if monoid.letter_witness is None:
        return Classification(CONSTANT, "the monoid is commutative", properties)
    if monoid.do_witness is not None:
        x, y = (monoid.spelled(element) for element in monoid.do_witness)
        reason = f"not in DO: (xy)^w (yx)^w (xy)^w is not (xy)^w for x = {x}, y = {y}"
        return Classification(LINEAR, reason, properties)
    if monoid.group_witness is not None:
        a, b = (monoid.spelled(element) for element in monoid.group_witness)
        return Classification(LINEAR, f"a subgroup is not Abelian: {a} and {b} do not commute", properties)
    a, b = map(monoid.spelled, monoid.letter_witness)
    reason = f"in DO with Abelian subgroups, and not commutative: {a} {b} is not {b} {a}"
    return Classification(LOGARITHMIC, reason, properties)


MODELS = "simultaneous messages", "public coins", "modulo p", "non-deterministic"
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
        return tuple(OtherModel(model, CONSTANT, reason) for model in MODELS)
    exponential = None if lines is None else any(growth(one) == EXPONENTIAL for one in lines)
    assert lines is None or all(growth(one) != BOUNDED for one in lines)
    costs = _simultaneous(kind, exponential), _coins(reduction, exponential), _modular(reduction), _guessing(reduction)
    theorem = "" if executed else " (by the theorem of Tesson and Thérien: none was found)"
    return tuple(
        OtherModel(model, complexity, reason.replace(PROTOCOL, PROTOCOL + theorem))
        for model, (complexity, reason) in zip(MODELS, costs, strict=True)
    )


def _simultaneous(kind: str, exponential: bool | None) -> tuple[str, str]:
    if exponential is None and kind == LINEAR:
        return LINEAR, "no less than a deterministic protocol"
    if exponential is None:
        return f"{OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}", "the different lines were not counted"
    how = "exponential" if exponential else "polynomial"
    reason = f"each party sends the number of its line, and cannot send less; how many lines differ is {how}"
    return LINEAR if exponential else LOGARITHMIC, reason


def _coins(reduction: Reduction | None, exponential: bool | None) -> tuple[str, str]:
    if reduction is not None:
        return LINEAR, f"{reduction.problem} of a linear number of bits is inside"
    if exponential:
        inside = "an inner product of Omega(log n) bits among the exponentially many lines"
        return LOGARITHMIC, f"a deterministic protocol, and {inside}"
    reason = "greater-than of log n bits is inside; a deterministic protocol. Which it is, is not decided here"
    return f"{DOUBLY}, {BIG_O[LOGARITHMIC]}", reason


def _modular(reduction: Reduction | None) -> tuple[str, str]:
    if reduction is None:
        reason = "greater-than of log n bits has a rank of n - O(1) over every field; a deterministic protocol"
        return f"{LOGARITHMIC}, for every prime p", reason
    order = reduction.order
    if not order:
        return f"{LINEAR}, for every prime p", "disjointness has exponential rank over every field"
    reason = f"{reduction.problem} has exponential rank over all other fields; for p = {order} it is not decided here"
    return f"{LINEAR} for every prime p but {order}; there {OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}", reason


def _guessing(reduction: Reduction | None) -> tuple[str, str]:
    if reduction is None:
        return LOGARITHMIC, "greater-than of log n bits is inside; a deterministic protocol"
    if reduction.order:
        return LINEAR, f"{reduction.problem} is inside, which has small rectangles only"
    if reduction.answer:
        return LINEAR, "disjointness is inside: its words are those of disjoint sets"
    reason = "disjointness is inside, but the words are those of sets that meet; for the complement it is linear"
    return f"{OMEGA[LOGARITHMIC]}, {BIG_O[LINEAR]}", reason
