"""A regular language: the class of its syntactic monoid, its cost in other models, and bounds for every length.

Alice and Bob hold the letters of a word at odd and even positions; a position may hold the empty word (a *blank*). The
deterministic complexity at length n, when both know the answer, is then

- O(1) iff the syntactic monoid is commutative,
- else Theta(log n) iff it is in DO and all its subgroups are Abelian,
- else Theta(n)

(Tesson and Thérien 2005, "Complete classifications for the communication complexity of regular languages"; the first
cases were settled by Raymond, Tesson and Thérien 1998). Costs in other models rest on the proofs in
``docs/proofs/other_models.md``; of non-deterministic complexity some is open (Ada 2007, arXiv:0801.4777).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ccsim.bounds.field_ranks import leaf_rank
from ccsim.bounds.measures import deterministic
from ccsim.bounds.protocol_bits import MOST_PRECISION, hypotheses, softmax_bits
from ccsim.bounds.scheduler import Clock, run_steps
from ccsim.certificates.verify import Refused
from ccsim.certificates.verify.claims import bits_for
from ccsim.certificates.verify.families import values_of
from ccsim.errors import InputError, require_integer
from ccsim.families.family import (
    FamilyCertificate,
    RegularFamily,
    count_at,
    partitioned,
    periodic_partitions,
    with_blank,
)
from ccsim.families.landmarks import Landmarks, landmark_protocol
from ccsim.families.lower_bounds import (
    LinearReduction,
    linear_reduction,
    logarithmic_set,
    lower_bound,
    short_reduction,
)
from ccsim.families.monoid import (
    CONSTANT,
    LINEAR,
    LOGARITHMIC,
    MOST_ELEMENTS,
    Classification,
    Monoid,
    classify,
    classify_by_pairs,
    transition_monoid,
)
from ccsim.families.parties import (
    BOUNDED,
    EXPONENTIAL,
    commuting_parties,
    growth,
    letter_parties,
    messages,
    silent_parties,
)
from ccsim.lazy import Renamed
from ccsim.models.automata import Automaton
from ccsim.models.reachability import reached
from ccsim.models.regular_expressions import from_regular_expression
from ccsim.problems.function import TwoPartyFunction

FARTHEST = 1 << 13  # positions up to which a model is compared
LARGEST_STEP = 12  # the least common multiple of the periods


@dataclass(frozen=True)
class Exclusion:
    """The lengths, up to 2^13 and rising, at which no one-layer transformer of a size recognises a language."""

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
    def description(self) -> str:
        """Which lengths, in words, without the hypotheses."""
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
        blank: whether a blank may occur anywhere; then positions after the last full period are blanks, known to both.

    >>> needs = [("AB", [9 * n for n in range(1, 4097)])]
    >>> exclusion(needs, width=1, heads=1, precision=8, symbols=2, blank=False).description
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


MODELS = "simultaneous messages", "public coins", "modulo p", "non-deterministic"
PROTOCOL = "a deterministic protocol"


@dataclass(frozen=True)
class OtherModel:
    """The complexity in ``simultaneous messages``, ``public coins``, ``modulo p`` or ``non-deterministic``, and why.

    Of the complexity two ends are given, where there is a gap between what is proved.

    Attributes:
        model, complexity, reason: which model, what it costs, and by which theorem, in words.
    """

    model: str
    complexity: str
    reason: str


def other_models(
    classification: Classification,
    reduction: LinearReduction | None,
    message_counts: tuple[FamilyCertificate, FamilyCertificate] | None,
    executed: bool = True,
) -> tuple[OtherModel, ...]:
    """The classes of a language with blanks in other models.

    Args:
        classification: its deterministic class.
        reduction: in the linear case, the small problem that is inside it.
        message_counts: how many messages Alice and Bob need, for every n; None if that is not known.
        executed: in the logarithmic case, whether a protocol of O(log n) bits was found.

    >>> from ccsim.families import classify, partitioned, messages, transition_monoid, with_blank
    >>> from ccsim.models.regular_expressions import from_regular_expression
    >>> automaton = from_regular_expression("a*b*", "ab")
    >>> family = partitioned(with_blank(automaton), "AB")
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
        reason = "so many bits are enough for a protocol without coins in which both send the product of their letters"
        return tuple(OtherModel(model, CONSTANT, reason) for model in MODELS)
    grown = None if message_counts is None else {growth(one) for one in message_counts}
    assert grown is None or BOUNDED not in grown
    exponential = None if grown is None else EXPONENTIAL in grown
    simultaneous = _simultaneous(kind, exponential)
    costs = simultaneous, *(_logarithmic(exponential) if reduction is None else _linear(reduction))
    theorem = "" if executed else " (by the theorem of Tesson and Thérien: none was found)"
    return tuple(
        OtherModel(model, complexity, reason.replace(PROTOCOL, PROTOCOL + theorem))
        for model, (complexity, reason) in zip(MODELS, costs, strict=True)
    )


GAP = "Omega(log n), O(n)"
Costs = tuple[tuple[str, str], ...]  # with public coins, modulo p, non-deterministic: the class and why


def _simultaneous(kind: str, exponential: bool | None) -> tuple[str, str]:
    if exponential is None and kind == LINEAR:
        return LINEAR, "no less than a deterministic protocol"
    if exponential is None:
        return GAP, "the different rows and columns were not counted"
    how = "exponential" if exponential else "polynomial"
    reason = f"each party sends the number of its row or column, and cannot send less; how many differ is {how}"
    return LINEAR if exponential else LOGARITHMIC, reason


def _logarithmic(exponential: bool | None) -> Costs:
    greater = "greater-than of log n bits"
    coins = "Omega(log log n), O(log n)", f"{greater} is inside; {PROTOCOL}. Which it is, is not decided here"
    if exponential:
        inside = "an inner product of Omega(log n) bits among the exponentially many rows"
        coins = LOGARITHMIC, f"{PROTOCOL}, and {inside}"
    rank = f"{greater} has a rank of n - O(1) over every field; {PROTOCOL}"
    return coins, (f"{LOGARITHMIC}, for every prime p", rank), (LOGARITHMIC, f"{greater} is inside; {PROTOCOL}")


def _linear(reduction: LinearReduction) -> Costs:
    problem, order = reduction.problem, reduction.order
    coins = LINEAR, f"{problem} of a linear number of bits is inside"
    if order:
        others = f"{problem} has exponential rank over all other fields; for p = {order} it is not decided here"
        guessing = LINEAR, f"{problem} is inside, which has small rectangles only"
        return coins, (f"{LINEAR} for every prime p but {order}; there {GAP}", others), guessing
    modular = f"{LINEAR}, for every prime p", "disjointness has exponential rank over every field"
    if reduction.answer:
        return coins, modular, (LINEAR, "disjointness is inside: its words are those of disjoint sets")
    reason = "disjointness is inside, but the words are those of sets that meet; for the complement it is linear"
    return coins, modular, (GAP, reason)


FAR = 480  # positions at which partitions are compared: a multiple of their periods
NEAR = (1, 2, 3)  # periods after which they are, if no bit is needed far out
KEYS = {"alphabet", "table", "outputs", "first"}  # of an automaton in a file
MOST_CELLS = 1 << 11  # of the matrices whose exact complexity is looked for
MOST_RANKED = 1 << 18  # of those whose rank is computed
MOST_LETTERS = 6  # of each party, there
SHARES = 6  # of the time that is left, of which a partition gets one
MOST_MAPPED = 1 << 22  # states times letters times elements, of a monoid that is listed
FEW_LETTERS = 4  # with which partitions of period 4 are looked at


@dataclass(frozen=True, eq=False)
class PartitionBounds:
    """A language under one partition, repeated, with a certificate of the bits after which both know the answer.

    Lengths at which it is asked are multiples of the period.
    """

    partition: str
    certificate: FamilyCertificate

    def lower(self, length: int) -> int:
        """The bound from below at a length."""
        return self.certificate.lower(length // len(self.partition)) or 0

    def leaves(self, length: int) -> int:
        """How many leaves the bound from below counts at a length."""
        return count_at(self.certificate.proofs["lower"][0], length // len(self.partition))

    def upper(self, length: int) -> int:
        """The bound from above at a length."""
        upper = self.certificate.upper(length // len(self.partition))
        assert upper is not None
        return upper


@dataclass(frozen=True, eq=False)
class Language:
    """A regular language and what holds of it.

    Attributes:
        automaton: the minimal automaton, without blanks.
        blank: the letter that may occur anywhere, or None.
        monoid: the syntactic monoid; None if it is too large to be listed.
        classification: its class with blanks, and why.
        partitions: the bounds under each partition, the best first; none if only the class was asked for.
        proof: a bound for every n with blanks, under AB, by the class alone: from its reduction, its fooling set or
            its protocol; None if none was found.
        reduction: the small problem inside, in the linear case.
        landmarks: in the logarithmic case, a protocol that is right at every length, if one was found.
        name: the expression, or what it is called.
        left_out: of each of these, or of each partition, that is not there, the reason.
    """

    name: str
    automaton: Automaton
    blank: str | None
    monoid: Monoid | None
    classification: Classification
    partitions: tuple[PartitionBounds, ...] = field(repr=False)
    proof: FamilyCertificate | None = field(repr=False)
    reduction: LinearReduction | None = field(repr=False)
    landmarks: Landmarks | None = field(repr=False)
    left_out: dict[str, str] = field(default_factory=dict, repr=False)

    dealt = Renamed("partitions")

    @property
    def read(self) -> Automaton:
        """The automaton of the words of the parties: with the blank, if there is one."""
        return self.automaton if self.blank is None else with_blank(self.automaton, self.blank)

    @property
    def best(self) -> PartitionBounds:
        """The partition with the strongest bound far out; :class:`~ccsim.errors.InputError` if none was looked at."""
        if not self.partitions:
            raise InputError("longest", 0, "2 or more, and more seconds, as no partition was looked at")
        return self.partitions[0]

    @property
    def recurrent_bits(self) -> int:
        """Bits of state that are enough for a recurrent model at every length: those that number the states."""
        return bits_for(self.automaton.states)

    @cached_property
    def message_counts(self) -> tuple[FamilyCertificate, FamilyCertificate] | None:
        """How many messages each party needs for every n with blanks under AB; None where an automaton is too large."""
        blank = self.blank or _unused(self.automaton)
        family = partitioned(with_blank(self.automaton, blank), "AB")
        try:
            return messages(family), messages(family, "bob-to-alice")
        except (InputError, Refused):
            return None

    @property
    def others(self) -> tuple[OtherModel, ...]:
        """Its class in other models, with blanks, as far as it is proved here; none without a reduction."""
        if self.classification.deterministic == LINEAR and self.reduction is None:
            return ()
        executed = self.classification.deterministic != LOGARITHMIC or self.landmarks is not None
        return other_models(self.classification, self.reduction, self.message_counts, executed)

    def exact(self, seconds: float | None = None) -> list[tuple[int, int, int]]:
        """The deterministic complexity under the best partition at small lengths: (length, at least, at most).

        The seconds are for all lengths together.
        """
        clock, small, rows = Clock.within(seconds), list(self._small(MOST_CELLS)), list[tuple[int, int, int]]()
        for place, (length, function) in enumerate(small):
            bracket = deterministic(function, seconds=clock.share(len(small) - place))
            rows.append((length, int(bracket.lower), int(bracket.upper or 0)))
        return rows

    def ranks(self) -> list[tuple[int, int]]:
        """Small lengths, each with the ranks of both answers together under the best partition.

        So many leaves every protocol has; what grows faster than the certified bound shows how much more there may be.
        """
        return [(length, sum(leaf_rank(small).ranks)) for length, small in self._small(MOST_RANKED)]

    def _small(self, most: int) -> Iterator[tuple[int, TwoPartyFunction]]:
        family = partitioned(self.read, self.best.partition)
        for n in range(1, MOST_LETTERS + 1):
            if len(family.alice) ** n * len(family.bob) ** n > most:
                break
            yield n * len(self.best.partition), family.at(n)

    def excluded(self, *, width: int = 8, heads: int = 1, precision: int = 16) -> Exclusion:
        """At which lengths up to 2^13 no one-layer transformer of this size recognises the language.

        At each length by the partition that is best for it, with as many positions as each party has.
        """
        needs = []
        for one in self.partitions:
            counts = values_of(one.certificate.proofs["lower"][0], FARTHEST // len(one.partition))
            needs.append((one.partition, [bits_for(count) for count in counts]))
        size = {"width": width, "heads": heads, "precision": precision}
        return exclusion(needs, **size, symbols=len(self.read.alphabet), blank=self.blank is not None)


def read_language(given: str, alphabet: Sequence[str] | None = None) -> Automaton:
    """The minimal automaton of a regular expression, or of a JSON file with alphabet, table, outputs and first.

    Expressions are read by :func:`~ccsim.models.regular_expressions.from_regular_expression`. What ends in ``.json`` is
    a file, unless the dot is escaped. Raises :class:`~ccsim.errors.InputError` for what cannot be read.

    >>> read_language("(ab)*").alphabet
    ('a', 'b')
    """
    if not isinstance(given, str):
        raise InputError("language", given, "a regular expression, or the name of a JSON file")
    if not given.endswith(".json") or given.endswith("\\.json"):
        return from_regular_expression(given, alphabet)
    if alphabet is not None:
        raise InputError("alphabet", alphabet, "none with a file, which has its own")
    path = Path(given)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(data, dict) and (unknown := sorted(data.keys() - KEYS)):
            raise ValueError(f"unknown {', '.join(map(repr, unknown))}")
        least = Automaton.of(data["alphabet"], data["table"], data["outputs"], data.get("first", 0)).minimise()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("file", str(path), f"an automaton: alphabet, table, outputs, first ({error})") from error
    return Automaton.of(least.alphabet, least.table, least.outputs, name=path.stem)


def language(
    automaton: Automaton,
    *,
    name: str = "",
    blank: str | None = None,
    longest: int | None = None,
    rounds: int = 4,
    most: int = MOST_ELEMENTS,
    progress: Callable[[str], None] = lambda step: None,
    seconds: float | None = None,
    clock: Clock | None = None,
) -> Language:
    """The class of the language of a minimal automaton with answers 0 and 1, and its bounds for every length.

    Args:
        automaton: the automaton.
        name: what it is called.
        blank: a letter more that may occur anywhere.
        longest: periodic partitions up to this period are looked at; if None, 4, but 3 beyond four letters. If 0, none,
            and no logarithmic protocol is looked for: the class alone.
        rounds: how hard fooling sets are looked for.
        most: how many elements of the monoid are listed; the class of a larger one is decided by pairs of states.
        progress: takes the name of each step when it begins.
        seconds: the time for all but the class, which comes first; if None, no limit.
        clock: instead of a number of seconds; an interrupt stops it, and what was found is returned.

    >>> pairs = language(read_language("(ab)*"), blank="_", longest=2, rounds=2)
    >>> pairs.classification.deterministic, pairs.best.certificate.statements()["upper"]
    ('Theta(n)', '<= 2*n + 1 bits for all n >= 1')
    """
    if automaton.answers != (0, 1):
        raise InputError("automaton", automaton.answers, "the answers 0 and 1")
    if blank == "":
        raise InputError("blank", blank, "a letter")
    if longest is None:
        longest = 4 if len(automaton.alphabet) + (blank is not None) <= FEW_LETTERS else 3
    answering = automaton if automaton.states > 1 else _constant(automaton, int(automaton.outputs[0]))
    read = answering if blank is None else with_blank(answering, blank)
    partitions = list(periodic_partitions(longest)) if longest else []
    given, clock = clock, clock or Clock.within(seconds)
    progress("class")
    most = min(require_integer("most", most, low=1), max(1, MOST_MAPPED // automaton.table.size))
    found = dict[str, Any]()
    left_out = run_steps({"monoid": lambda: transition_monoid(automaton, most)}, Clock(), found)
    monoid: Monoid | None = found.get("monoid")
    kind = classify(monoid) if monoid is not None else classify_by_pairs(automaton)
    left_out |= run_steps(
        {"certificate of the class": lambda: _proof(answering, monoid, kind, blank or _unused(automaton))},
        clock,
        found,
        progress,
    )
    proof, reduction = found.get("certificate of the class", (None, None))
    inside, split = reduction if blank else None, {one: f"partition {one}" for one in partitions}
    steps = {name: partial(_bounds, read, one, monoid, inside, rounds, clock) for one, name in split.items()}
    left_out |= run_steps(steps, clock, found, progress, SHARES)
    bounds = sorted((found[name] for name in split.values() if name in found), key=_rank)
    landmarks = {"logarithmic protocols": lambda: None if monoid is None else landmark_protocol(automaton, monoid)}
    if kind.deterministic == LOGARITHMIC and longest:
        left_out |= run_steps(landmarks, clock, found, progress)
    if clock.stopped and given is None:
        raise KeyboardInterrupt
    name, landmark = name or automaton.name, found.get("logarithmic protocols")
    return Language(name, automaton, blank, monoid, kind, tuple(bounds), proof, reduction, landmark, left_out)


def _bounds(
    read: Automaton,
    partition: str,
    monoid: Monoid | None,
    reduction: LinearReduction | None,
    rounds: int,
    clock: Clock,
) -> PartitionBounds:
    """The first upper bound that the checker accepts, of few bits before many, and the best lower bound found."""
    family, search = _split(read, partition), Clock.within(clock.share(2 * SHARES))
    inside = [reduction.witness] if reduction is not None and partition == "AB" else []
    lower = lower_bound(family, rounds=rounds, more=inside, clock=search).proofs["lower"]
    parties = letter_parties(family)
    if parties.block_bits and (silent := silent_parties(family)):
        parties = silent
    elif parties.block_bits and monoid is not None and monoid.is_commutative:  # products take fewer bits than letters
        parties = commuting_parties(read, transition_monoid(read), partition)
    try:
        upper = FamilyCertificate.of(family, upper=parties.witness())
    except Refused:
        upper = FamilyCertificate.of(family, upper=letter_parties(family).witness())
    return PartitionBounds(partition, replace(upper, proofs={"lower": lower, **upper.proofs}))


def _rank(one: PartitionBounds) -> tuple[int, int, int, int]:
    """Strong bounds from below first, far out or, if they are 0 there, at the first lengths; then close ones."""
    far = one.lower(FAR)
    near = 0 if far else max(one.certificate.lower(n) or 0 for n in NEAR)
    return -far, -near, one.upper(FAR), len(one.partition)


def _split(automaton: Automaton, partition: str) -> RegularFamily:
    """The language under a partition; if all words of its lengths have one answer, that of one state."""
    family = partitioned(automaton, partition)
    states, rows = reached([family.first], lambda state: family.table[state].ravel().tolist())
    later = family.outputs[[states[number] for number in {number for row in rows for number in row}]]
    if (later != later[0]).any():
        return family
    return partitioned(_constant(automaton, automaton.answers[later[0]]), partition)


def _constant(automaton: Automaton, outcome: Hashable) -> Automaton:
    """One answer to all words, which nobody has to send."""
    table = [[0] * len(automaton.alphabet)]
    return Automaton.of(automaton.alphabet, table, [0], answers=(outcome,), name=automaton.name)


def _unused(automaton: Automaton) -> str:
    """A name for a blank that no letter has."""
    names = ("_", *(f"blank{number}" for number in range(len(automaton.alphabet))))
    return next(name for name in names if name not in automaton.alphabet)


def _proof(
    automaton: Automaton, monoid: Monoid | None, classification: Classification, blank: str
) -> tuple[FamilyCertificate, LinearReduction | None]:
    """One side of the class: from below where it grows, from above where it does not."""
    if classification.deterministic == LINEAR:
        found = short_reduction(automaton, blank) if monoid is None else linear_reduction(automaton, monoid, blank)
        if found is None:
            raise InputError("automaton", automaton.name, "longer words in a reduction than are looked at")
        return FamilyCertificate.of(found.family, lower=found.witness), found
    if classification.deterministic == LOGARITHMIC:
        family, words = logarithmic_set(automaton, blank)
        return FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()}), None
    read = with_blank(automaton, blank)
    parties = commuting_parties(read, transition_monoid(read), "AB")
    return FamilyCertificate.of(parties.family, upper=parties.witness()), None
